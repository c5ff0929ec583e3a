package job

import (
	"context"
	"errors"
	"slices"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/tiling"
)

// AllPieces stands for the names of all pieces in Query.ByCopies.
const AllPieces = "all"

// copiesQuestion asks how many tilings have how many copies of pieces.
type copiesQuestion Query

func (r *copiesQuestion) check() error {
	if len(r.Weights) > 0 {
		return bad("both {by_copies} and {weights} given, want one or the other")
	}
	return nil
}

func (r *copiesQuestion) answer(ctx context.Context, w *work, s *subject, to *Queried) error {
	m := s.model
	pieces, err := piecesOf(m, r.ByCopies)
	if err != nil {
		return err
	}
	sets := make([][]int, len(pieces))
	for i, p := range m.Placements {
		if k := slices.Index(pieces, p.Piece); k >= 0 {
			sets[k] = append(sets[k], i)
		}
	}
	o := w.options(new(float64))
	o.Progress, o.Engine = w.engine(Counting, new(float64)), (*Query)(r).engine()
	copies, err := s.byCopies(ctx, sets, o)
	if errors.Is(err, ErrMemory) && s.stock != nil && s.stock.file.Derived == "" && o.Engine == "" {
		to.Reason = "numbers by copies of all nodes of the diagram do not fit in memory"
		copies, err = r.byLevels(ctx, w, sets, o)
	}
	if err != nil {
		return err
	}
	to.Count, to.Method = copies.Count.String(), queryDiagram
	to.Effort, to.Bytes = Effort{States: copies.States, Nodes: copies.Nodes}, copies.Bytes
	if copies.Engine != count.Diagram {
		to.Method = queryLevels
	}
	for _, k := range pieces {
		to.Pieces = append(to.Pieces, m.Puzzle.Pieces[k].Name)
	}
	for _, row := range copies.Rows {
		t := CopiesTally{Copies: map[string]int{}, Count: row.Count.String()}
		for k, n := range row.Copies {
			t.Copies[to.Pieces[k]] = n
		}
		to.ByCopies = append(to.ByCopies, t)
	}
	return nil
}

// byLevels counts the tilings of a compiled file in the levels of its puzzle.
func (r *copiesQuestion) byLevels(ctx context.Context, w *work, sets [][]int, o count.Options) (*count.Copies, error) {
	told := *w
	told.watch.Note = nil // what there is to note, the file has said
	m, not, err := told.family(ctx, &r.Puzzle, &r.Conditions)
	if err != nil {
		return nil, err
	}
	o.Engine = count.Sweep
	return (&subject{model: m, not: not}).byCopies(ctx, sets, o)
}

// piecesOf are the pieces with these names, in the order of the puzzle.
func piecesOf(m *tiling.Model, names []string) (pieces []int, err error) {
	if m.IsAbstract() {
		return nil, bad("{by_copies} is about pieces, and a cover has none")
	}
	for _, name := range names {
		if name != AllPieces && !slices.ContainsFunc(m.Puzzle.Pieces, func(p tiling.Piece) bool { return p.Name == name }) {
			return nil, bad("{by_copies} is %.40q, want the name of a piece, or %s for all pieces", name, AllPieces)
		}
	}
	for k, p := range m.Puzzle.Pieces {
		if slices.Contains(names, p.Name) || slices.Contains(names, AllPieces) {
			pieces = append(pieces, k)
		}
	}
	return pieces, nil
}
