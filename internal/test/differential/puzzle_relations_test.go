package differential

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/tiling"
)

// puzzleRelations hold a puzzle to changed puzzles, and its model to a plain
// one.
var puzzleRelations = []Check{
	{"placements", "the placements are those found by trying everything", 1, Puzzles, checkPlacements},
	{"turned", "N, board and pieces turned or mirrored", 2, Puzzles, checkTurned},
	{"apart", "N·M, any copies, on two boards too far apart for a piece", 3, SmallPuzzles, checkApart},
	{"oriented", "N, a piece of any copies as its orientations, fixed", 2, Puzzles, checkOriented},
	{"twin pieces", "N·k!, k copies of a piece as k pieces", 2, SmallPuzzles, checkTwinPieces},
	{"blank", "N, empty cells covered by any number of a blank", 2, Puzzles, checkBlank},
	{"drawn", "N, at-most as a board of optional cells", 2, Puzzles, checkDrawn},
	{"heights", "N of boxes of all heights in one sweep, any copies", 8, SmallPuzzles, checkHeights},
	{"forbidden", "N, with a piece of no copies", 2, Puzzles, checkForbidden},
}

// countsPuzzle has a drawn engine count a puzzle, and compares.
func (s *subject) countsPuzzle(ctx context.Context, what string, p *puzzle, want *big.Int) error {
	m, err := p.model()
	if err != nil {
		return fmt.Errorf("%s: %w in\n%s", what, err, p.text())
	}
	if err := s.counts(ctx, what, m.Problem, want); err != nil {
		return fmt.Errorf("%w, in\n%s", err, p.text())
	}
	return nil
}

// motion maps axis k to axis axes[k], and turns it round if signs[k] is -1.
type motion struct{ axes, signs place }

func (m motion) of(c place) (moved place) {
	for k := range c {
		moved[m.axes[k]] = m.signs[k] * c[k]
	}
	return moved
}

// mirrors reports whether the motion is a reflection: the determinant of its
// matrix is -1.
func (m motion) mirrors() bool {
	sign := m.signs[0] * m.signs[1] * m.signs[2]
	for _, k := range []pair{{0, 1}, {0, 2}, {1, 2}} {
		if m.axes[k[0]] > m.axes[k[1]] {
			sign = -sign
		}
	}
	return sign < 0
}

// motions are the 48 of the cube, or the 8 that keep to a layer.
func motions(solid bool) (all []motion) {
	for _, axes := range []place{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		for bits := range 8 {
			m := motion{axes: axes, signs: place{1 - 2*(bits>>2&1), 1 - 2*(bits>>1&1), 1 - 2*(bits&1)}}
			if solid || axes[0] == 0 && m.signs[0] == 1 {
				all = append(all, m)
			}
		}
	}
	return all
}

// allowed are the motions that a shape may use, by definition.
func allowed(solid bool, name string) []motion {
	return slices.DeleteFunc(motions(solid), func(m motion) bool {
		still := m.of(place{1, 2, 3}) == place{1, 2, 3}
		return name == "fixed" && !still || name == "one-sided" && m.mirrors()
	})
}

// moved are cells moved, and shifted so that each coordinate's least is 0.
func moved(m motion, cells []place) []place {
	var all []place
	for _, c := range cells {
		all = append(all, m.of(c))
	}
	low, _ := extent(all)
	for i := range all {
		all[i] = plus(all[i], place{-low[0], -low[1], -low[2]})
	}
	slices.SortFunc(all, func(a, b place) int { return slices.Compare(a[:], b[:]) })
	return all
}

// orientations are the different ways to turn a shape.
func (p *puzzle) orientations(s shape) (all [][]place) {
	for _, m := range allowed(p.solid, p.motionsOf(s)) {
		o := moved(m, s.cells)
		if !slices.ContainsFunc(all, func(other []place) bool { return slices.Equal(other, o) }) {
			all = append(all, o)
		}
	}
	return all
}

// options are the placements of all pieces as options of a cover whose first
// items are the cells that there are, in order: package tiling's task in the
// plainest way.
func (p *puzzle) options() (all []cover.Option) {
	item := make([]int, len(p.cells))
	cells := 0
	for i, b := range p.cells {
		item[i] = -1
		if b != '.' {
			item[i] = cells
			cells++
		}
	}
	for k, s := range p.shapes {
		for _, option := range p.placed(s, item) {
			all = append(all, append(option, cover.Use{Item: cells + k, Times: 1}))
		}
	}
	return all
}

// placed are all ways to put a shape on the board, as sets of items; each is there once if the
// board wraps.
func (p *puzzle) placed(s shape, item []int) (all []cover.Option) {
	for _, o := range p.orientations(s) {
		for _, at := range p.unrolled() {
			option := p.put(o, at, item)
			if option != nil && (p.wrap == "" || !onItself(option) && !slices.ContainsFunc(all, func(other cover.Option) bool { return slices.Equal(other, option) })) {
				all = append(all, option)
			}
		}
	}
	return all
}

// put is the cells of a shape at a place as uses of items, nil if one is off
// the board.
func (p *puzzle) put(o []place, at place, item []int) cover.Option {
	var option cover.Option
	for _, c := range o {
		c = p.folded(plus(c, at))
		if c[0] >= p.size[0] || c[1] >= p.size[1] || c[2] >= p.size[2] || c[1] < 0 || item[p.at(c)] < 0 {
			return nil
		}
		option = append(option, cover.Use{Item: item[p.at(c)], Times: 1})
	}
	slices.SortFunc(option, func(a, b cover.Use) int { return a.Item - b.Item })
	return option
}

func checkPlacements(_ context.Context, s *subject) error {
	s.note(compared)
	want, got := s.puzzle.options(), slices.Clone(s.Problem.Options)
	slices.SortFunc(want, cover.Compare)
	slices.SortFunc(got, cover.Compare)
	if !slices.EqualFunc(got, want, func(a, b cover.Option) bool { return cover.Compare(a, b) == 0 }) {
		return fmt.Errorf("placements %v, want %v", got, want)
	}
	return nil
}

// turned is the puzzle moved, its pieces with it.
func (p *puzzle) turned(m motion) *puzzle {
	q := p.clone()
	for k := range p.size {
		q.size[m.axes[k]] = p.size[k]
	}
	for i, c := range p.places() {
		for k := range c {
			if m.signs[k] < 0 {
				c[k] -= p.size[k] - 1 // so that its image is 0 or more
			}
		}
		q.cells[q.at(m.of(c))] = p.cells[i]
	}
	for i, s := range p.shapes {
		q.shapes[i].cells = moved(m, s.cells)
		if s.known {
			q.shapes[i].known, q.shapes[i].name = false, "a-"+s.name
		}
	}
	return q
}

func checkTurned(ctx context.Context, s *subject) error {
	if s.puzzle.wrap != "" {
		return nil // another wrap, perhaps none that there is
	}
	m := pick(s.Rand, motions(s.puzzle.solid))
	return s.countsPuzzle(ctx, fmt.Sprintf("moved by %v", m), s.puzzle.turned(m), s.want)
}

// checkApart frees all bounds, for the boards are to have nothing in common.
func checkApart(ctx context.Context, s *subject) error {
	if s.puzzle.wrap != "" {
		return nil // they would meet on the other side
	}
	p := s.puzzle.clone()
	gap := 1
	for i := range p.shapes {
		p.shapes[i].least, p.shapes[i].most = 0, unlimited
		low, high := extent(p.shapes[i].cells)
		for axis := range low {
			gap = max(gap, high[axis]-low[axis])
		}
	}
	one, err := p.model()
	if err != nil {
		return err
	}
	n, err := s.count(ctx, one.Problem, s.otherEngine())
	if err != nil {
		return err
	}
	return s.countsPuzzle(ctx, "two boards apart", p.doubled(gap), new(big.Int).Mul(n, n))
}

// doubled has its board twice side by side, gap columns apart.
func (p *puzzle) doubled(gap int) *puzzle {
	q := p.clone()
	q.size[2] = 2*p.size[2] + gap
	q.cells = allBytes(volume(q.size), '.')
	for i, c := range p.places() {
		q.cells[q.at(c)] = p.cells[i]
		q.cells[q.at(plus(c, place{0, 0, p.size[2] + gap}))] = p.cells[i]
	}
	return q
}

// checkOriented splits each piece with any number of copies into its orientations.
func checkOriented(ctx context.Context, s *subject) error {
	if s.puzzle.wrap != "" {
		return nil // an orientation may lie on itself
	}
	q := s.puzzle.clone()
	q.shapes = nil
	for _, piece := range s.puzzle.shapes {
		if piece.least > 0 || piece.most != unlimited {
			q.shapes = append(q.shapes, piece)
			continue
		}
		for k, o := range s.puzzle.orientations(piece) {
			fixed := piece
			fixed.name, fixed.known = fmt.Sprintf("%s-%d", piece.name, k), false
			fixed.cells, fixed.motions = o, "fixed"
			q.shapes = append(q.shapes, fixed)
		}
	}
	return s.countsPuzzle(ctx, "orientations apart", q, s.want)
}

// checkTwinPieces makes k pieces of k copies, which then differ.
func checkTwinPieces(ctx context.Context, s *subject) error {
	p, q := s.puzzle.clone(), s.puzzle.clone()
	k, copies := s.IntN(len(p.shapes)), 2+s.IntN(2)
	p.shapes[k].least, p.shapes[k].most = copies, copies
	first := q.shapes[k]
	first.least, first.most, first.known = 1, 1, false
	q.shapes = slices.Delete(q.shapes, k, k+1)
	want := big.NewInt(1)
	for c := range copies {
		first.name = fmt.Sprintf("twin-%d", c)
		q.shapes = append(q.shapes, first)
		want.Mul(want, big.NewInt(int64(c+1)))
	}
	m, err := p.model()
	if err != nil {
		return err
	}
	n, err := s.count(ctx, m.Problem, s.otherEngine())
	if err != nil {
		return err
	}
	return s.countsPuzzle(ctx, fmt.Sprintf("%d twins", copies), q, want.Mul(want, n))
}

// checkBlank is for boards of which any cell may stay empty.
func checkBlank(ctx context.Context, s *subject) error {
	if !s.puzzle.atMost {
		return nil
	}
	q := s.puzzle.exact('o', '#')
	q.shapes = append(q.shapes, shape{name: "blank", cells: []place{{}}, most: unlimited})
	return s.countsPuzzle(ctx, "blanks", q, s.want)
}

func checkDrawn(ctx context.Context, s *subject) error {
	if !s.puzzle.atMost {
		return nil
	}
	return s.countsPuzzle(ctx, "optional cells", s.puzzle.exact('#', 'o'), s.want)
}

// exact returns the puzzle in which all cells but the optional ones must be covered, after it has
// changed all cells of the kind from to the kind to.
func (p *puzzle) exact(from, to byte) *puzzle {
	q := p.clone()
	q.atMost = false
	for i, b := range q.cells {
		if b == from {
			q.cells[i] = to
		}
	}
	return q
}

func checkForbidden(ctx context.Context, s *subject) error {
	if s.puzzle.wrap != "" {
		return nil // it may lie on itself
	}
	q := s.puzzle.clone()
	q.shapes = append(q.shapes, shape{name: "forbidden", cells: pick(s.Rand, familiar).cells})
	return s.countsPuzzle(ctx, "a forbidden piece", q, s.want)
}

// checkHeights leaves of the board the sides of its box.
func checkHeights(ctx context.Context, s *subject) error {
	if s.puzzle.wrap != "" {
		return nil // boards that wrap have no families
	}
	const most = 5
	p := s.puzzle.clone()
	p.cells = allBytes(len(p.cells), '#')
	for i := range p.shapes {
		p.shapes[i].least, p.shapes[i].most = 0, unlimited
	}
	m, err := p.model()
	if err != nil {
		return err
	}
	family, err := tiling.NewFamily(m.Puzzle)
	if err != nil {
		return err
	}
	section, _ := family.Section(p.size)
	strip, err := family.Strip(ctx, section, 0)
	if err != nil {
		return err
	}
	heights, err := count.NewHeights(ctx, strip.Model.Problem, strip.Order, strip.Period, most, s.IntN(2) == 0, alone)
	if err != nil {
		return err
	}
	for height := 1; height <= most; height++ {
		n, err := heights.Next(ctx)
		if err != nil {
			return err
		}
		if err := s.countsBox(ctx, family, section.Box(height), n); err != nil {
			return err
		}
	}
	return nil
}

// countsBox has a box of a family counted by itself.
func (s *subject) countsBox(ctx context.Context, family *tiling.Family, size [3]int, want *big.Int) error {
	box, err := family.Puzzle(size)
	if err != nil {
		return err
	}
	m, err := box.Model(ctx)
	if err != nil {
		return err
	}
	return s.counts(ctx, fmt.Sprintf("the box %v, where heights say %v", size, want), m.Problem, want)
}
