package tiling

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// Model is a puzzle, all its placements, and the puzzle as an exact cover. Option i of Problem is
// placement i, item c < len(Board.Cells) is cell c, and item len(Board.Cells)+k is piece k. The
// items of groups follow, then the items of the marks of cells, then the items of sums of regions.
//
// Placements are sorted by piece, orientation (as in Piece.Orientations) and position. Several
// placements may share one slice of cells, which must not be changed. Problem.Symmetries has the
// elements of [Model.Group], including reflections. It is empty for a group of one element and for
// a board of more than 2^16 cells. Problem.Orders has orders of cells, and OrderNames their names.
type Model struct {
	Puzzle     *Puzzle
	Placements []Placement
	Problem    *cover.Problem
	OrderNames []string

	firsts [][]int // for each piece and orientation, the index of its first placement
	bytes  int64

	plain  *Model        // the model without bounds; nil if bounds is empty
	bounds []cover.Bound // see WithBounds
}

// Orientation returns the index of a placement's orientation in [Piece.Orientations].
func (m *Model) Orientation(placement int) int {
	firsts := m.firsts[m.Placements[placement].Piece]
	return sort.SearchInts(firsts, placement+1) - 1
}

// Tiling returns the placements of the options, in the same order. The model must have a board.
func (m *Model) Tiling(options []int) []Placement {
	tiling := make([]Placement, len(options))
	for i, o := range options {
		tiling[i] = m.Placements[o]
	}
	return tiling
}

// Number returns the number of placements.
func (m *Model) Number() int { return len(m.Placements) }

// Placement returns placement n. The second argument is not used: see [Pairs.Placement].
func (m *Model) Placement(n int, _ []int) Placement { return m.Placements[n] }

// WithBounds returns a model with the bounds of m and the given bounds. It has the symmetries that
// preserve all bounds: see [cover.Problem.WithBounds].
func (m *Model) WithBounds(ctx context.Context, bounds []cover.Bound) (*Model, error) {
	bounded := *m
	if bounded.plain == nil {
		bounded.plain = m
	}
	bounded.bounds = append(slices.Clip(m.bounds), bounds...)
	var err error
	bounded.Problem, err = bounded.plain.Problem.WithBounds(ctx, bounded.bounds)
	return &bounded, err
}

// SumBound returns a bound on the sum of the marks on some cells, which are indices into
// Board.Cells, without duplicates. The largest allowed sum may be cover.Unbounded.
func (m *Model) SumBound(cells []int, least, most int) cover.Bound {
	b := cover.Bound{Name: "sum", Min: least, Max: most}
	in := make([]bool, len(m.Puzzle.Board.Cells))
	for _, c := range cells {
		in[c] = true
		b.Name += "+" + m.Puzzle.Board.CellName(m.Puzzle.Board.Cells[c])
	}
	for i, p := range m.Placements {
		sum := 0
		for k := range len(p.Marks) {
			if in[p.Cells[k]] {
				sum += int(p.Marks[k] - '0')
			}
		}
		if sum > 0 {
			b.Options, b.Times = append(b.Options, i), append(b.Times, sum)
		}
	}
	return b
}

// Words is like [cover.Problem.Words], without the items that WithBounds has added.
func (m *Model) Words(option int) []string {
	if m.plain != nil {
		m = m.plain
	}
	return m.Problem.Words(option)
}

// Model is like ModelWithin, without a limit on the memory.
func (p *Puzzle) Model(ctx context.Context) (*Model, error) { return p.ModelWithin(ctx, 0) }

// ModelWithin returns the model of a puzzle. The limit memory is in bytes; 0 means no limit. An
// error about memory wraps [cover.ErrMemory]. Before it makes a placement, ModelWithin fails if the
// puzzle is not valid, or has more placements than cover.MaxOptions or more uses than MaxUses. A
// piece that fits nowhere is an error only if Place requires it.
func (p *Puzzle) ModelWithin(ctx context.Context, memory int64) (*Model, error) {
	if err := cmp.Or(ctx.Err(), p.Validate()); err != nil {
		return nil, err
	}
	l := newLayout(ctx, p, memory)
	if err := l.measure(); err != nil {
		return nil, err
	}
	m := &Model{Puzzle: p, Problem: &cover.Problem{Items: p.items()}, bytes: l.bytes()}
	orders, err := p.Board.orders(ctx)
	if err != nil {
		return nil, err
	}
	for _, o := range orders {
		m.Problem.Orders = append(m.Problem.Orders, o.cells)
		m.OrderNames = append(m.OrderNames, o.name)
	}
	if !slices.ContainsFunc(p.Board.Cells, func(c Cell) bool { return c[0] != 0 }) {
		for _, c := range p.Board.Cells {
			m.Problem.Places = append(m.Problem.Places, [2]int32{int32(c[1]), int32(c[2])})
		}
	}
	if err := p.unfound(ctx, "place"); err != nil {
		return nil, &Error{Text: err.Error()}
	}
	if m.Placements, m.Problem.Options, err = l.make(); err != nil {
		return nil, err
	}
	m.firsts = l.firsts()
	if len(p.Board.Cells) > mostHinted {
		return m, nil
	}
	symmetries, err := interrupt.Await(ctx, func() ([]cover.Symmetry, error) { return m.Group(true).Symmetries(), nil })
	if len(symmetries) > 1 { // the identity alone does not help an engine
		m.Problem.Symmetries = symmetries
	}
	return m, err
}

// mostHinted is the largest number of cells for which ModelWithin finds Problem.Symmetries. Only
// searches use Problem.Symmetries, and a larger board is too large for them.
const mostHinted = 1 << 16

// Abstract returns the model of a cover without a puzzle: it has no board, pieces or placements.
func Abstract(p *cover.Problem) *Model {
	return &Model{Puzzle: &Puzzle{}, Problem: p, bytes: p.Bytes()}
}

// IsAbstract reports whether the model has a cover but no puzzle.
func (m *Model) IsAbstract() bool { return m.Puzzle.Board == nil }

// Bytes returns an upper bound on the memory, in bytes, of Placements and Problem.
func (m *Model) Bytes() int64 { return m.bytes }

func (p *Puzzle) items() []cover.Item {
	b := p.Board
	asked := p.Asked()
	items := make([]cover.Item, 0, len(b.Cells)+len(p.Pieces)+len(p.Groups))
	for i, c := range b.Cells {
		least := 1
		if b.Optional[i] && !asked[i] {
			least = 0
		}
		items = append(items, cover.Item{Name: b.CellName(c), Min: least, Max: 1})
	}
	for _, piece := range p.Pieces {
		items = append(items, cover.Item{Name: piece.Name, Min: piece.Min, Max: piece.Max})
	}
	for i, g := range p.Groups { // no piece can have the name of such an item: see ValidName
		items = append(items, cover.Item{Name: fmt.Sprintf("group=%d", i+1), Min: g.Min, Max: g.Max})
	}
	return p.appendMarkItems(items)
}
