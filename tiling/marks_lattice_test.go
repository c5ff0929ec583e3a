package tiling

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/testkit"
)

// randomMarkedOn is a small puzzle on a lattice of the plane, on a board that wraps in half of the
// cases, with colours, groups, places and forbidden places. bricks is a result of randomWrapped.
func randomMarkedOn(rng *rand.Rand, l planeLattice) (p *Puzzle, bricks int) {
	if l.Lattice == Triangle || rng.IntN(2) == 0 {
		p = randomPuzzle(rng, l.Lattice)
	} else {
		p, bricks = randomWrapped(rng, l.Lattice)
	}
	for k := range p.Pieces {
		if len(p.Pieces[k].Shape) == 1 { // the middle of a triangle does not define which way it points
			p.Pieces[k].Shape = grow(rng, l.Lattice, 2)
		}
	}
	if rng.IntN(2) == 0 {
		p.randomlySymmetric(rng, bricks > 0)
		return p, bricks
	}
	if rng.IntN(3) > 0 {
		p.randomColours(rng)
	}
	p.randomGroups(rng)
	p.randomParts(rng)
	return p, bricks
}

// symmetricBoards are boards of each lattice with symmetries.
var symmetricBoards = map[*Lattice][]string{
	Square:   {"2x2", "2x3", "3x3", "2x4"},
	Hexagon:  {"{hexagon: 2}", "2x2", "2x3", "3x3"},
	Triangle: {"{hexagon: 1}", "{triangle: 3}", "{triangle: 2}", "{rhombus: 2}"},
}

// randomlySymmetric makes a new puzzle for which a symmetry of its board is a symmetry of the whole
// puzzle: its colours and forbidden placements are moved with the board.
func (p *Puzzle) randomlySymmetric(rng *rand.Rand, walled bool) {
	if l := p.Board.Lattice; !walled && (p.Board.Wrap == NoWrap || rng.IntN(2) == 0) {
		boards := symmetricBoards[l]
		q, err := parse("board", fmt.Appendf(nil, "lattice: %s\nboard: %s\npieces: [{name: p, cells: [[0, 0]]}]", l, boards[rng.IntN(len(boards))]))
		if err != nil {
			panic(err)
		}
		p.Board = q.Board
	}
	for k := range p.Pieces {
		p.Pieces[k].Motions, p.Pieces[k].Min, p.Pieces[k].Max = Free, 0, cover.Unbounded
		p.Pieces[k].Shape = p.Board.Lattice.Shape(p.Pieces[k].Shape[:2+rng.IntN(len(p.Pieces[k].Shape)-1)]...)
	}
	p.Board.Optional = make([]bool, len(p.Board.Cells))
	for i := range p.Board.Optional {
		p.Board.Optional[i] = len(p.Board.Cells)%2 == 1
	}
	m, err := p.Model(context.Background())
	if err != nil {
		return // a piece on itself
	}
	g := m.Group(true)
	p.goRound(rng, g.Elements[rng.IntN(len(g.Elements))].Items[:len(p.Board.Cells)])
	p.randomGroups(rng)
}

// goRound adds colours and forbidden parts that a symmetry of the cells leaves as they are.
func (p *Puzzle) goRound(rng *rand.Rand, to cover.Symmetry) {
	if rng.IntN(3) > 0 {
		p.randomColours(rng)
		for i := range to {
			for j := to[i]; j != i; j = to[j] {
				p.Board.Colours[j] = p.Board.Colours[i]
			}
		}
	}
	p.randomParts(rng)
	p.Place = nil
	for _, part := range slices.Clone(p.Forbid) {
		for {
			moved := Part{Piece: part.Piece}
			for _, c := range part.Cells {
				moved.Cells = append(moved.Cells, to[c])
			}
			slices.Sort(moved.Cells)
			if slices.ContainsFunc(p.Forbid, func(q Part) bool { return q.Piece == moved.Piece && slices.Equal(q.Cells, moved.Cells) }) {
				break
			}
			p.Forbid = append(p.Forbid, moved)
			part = moved
		}
	}
}

// tally counts which features a puzzle has.
func (p *Puzzle) tally(tally map[string]int) {
	for what, has := range map[string]bool{
		"colours": p.Board.Colours != nil, "groups": len(p.Groups) > 0, "places": len(p.Place) > 0,
		"forbidden": len(p.Forbid) > 0, "wrap": p.Board.Wrap != NoWrap,
	} {
		if has {
			tally[what]++
		}
	}
}

// TestMarkedLattices: placements, symmetries and the counts up to symmetry of random puzzles with
// colours, groups, places and forbidden ones, on squares, hexagons and triangles and on boards that
// wrap, agree with points turned and moved in the plane, and with the orbits of the oracle's
// tilings.
func TestMarkedLattices(t *testing.T) {
	for _, l := range plane {
		rng := rand.New(rand.NewPCG(31, uint64(l.turns)))
		tally := map[string]int{}
		for range testkit.Size(120, 600) {
			p, bricks := randomMarkedOn(rng, l)
			about := fmt.Sprintf("%s %+v on %+v", l, p, p.Board)
			u := unroll(p.Board, bricks)
			want, _ := u.placements(l.turns, p)
			m, err := p.Model(context.Background())
			impossible := slowlyImpossible(p, slices.Collect(maps.Values(want)))
			switch {
			case (err != nil) != impossible:
				t.Fatalf("%s: error %v, impossible places: %t", about, err, impossible)
			case err != nil && !errors.Is(err, ErrPuzzle):
				t.Fatal(err)
			case err != nil:
				tally["refused"]++
				continue
			}
			if got := placedBy(m); !maps.EqualFunc(got, want, func(a, b Placement) bool { return slices.Equal(a.Cells, b.Cells) }) || len(got) != len(m.Placements) {
				t.Fatalf("%s:\nplacements %v\nwant       %v", about, got, want)
			}
			g, perms := m.Group(true), u.symmetries(l.turns, m)
			checkGroup(t, m, g)
			for _, e := range g.Elements {
				if image := fmt.Sprint([]int(e.Items[:len(p.Board.Cells)])); !perms[image] {
					t.Fatalf("%s: %s, %s, is no symmetry", about, e.Motion, image)
				}
			}
			if len(g.Elements) != len(perms) || g.TooLarge {
				t.Fatalf("%s: %s of order %d, want %d", about, g.Name, len(g.Elements), len(perms))
			}
			if checkDistinct(t, about, m, g) {
				tally["tilings up to symmetry"]++
			}
			p.tally(tally)
		}
		for what, least := range map[string]int{
			"colours": 20, "groups": 20, "forbidden": 10, "places": 1, "refused": 1, "tilings up to symmetry": 10,
		} {
			if tally[what] < least {
				t.Errorf("%s: %v, want more with %s", l, tally, what)
			}
		}
		t.Log(l, tally)
	}
}

// checkDistinct compares the count up to symmetry with the orbits of the tilings. It reports whether
// there were tilings, and symmetries.
func checkDistinct(t *testing.T, about string, m *Model, g *Group) bool {
	t.Helper()
	tilings, orbits := checkOrbits(t, m, g)
	if orbits < 0 {
		return false // too many for the oracle
	}
	r, err := count.Distinct(context.Background(), m.Problem, g.Symmetries(), count.Auto, count.Options{})
	if err != nil {
		t.Fatalf("%s: %v", about, err)
	}
	if r.Count.Int64() != int64(orbits) || r.Total.Count.Int64() != int64(tilings) {
		t.Fatalf("%s: %d of %d tilings, want %d of %d", about, r.Count, r.Total.Count, orbits, tilings)
	}
	return tilings > 1 && len(g.Elements) > 1
}

// TestMarksAround: on boards that wrap, and on hexagons, the placements of pieces with marks between
// walls are the shifts of all orientations, and the count up to symmetry with sums is the number of
// orbits of the oracle's tilings.
func TestMarksAround(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 7))
	several := 0
	for range testkit.Size(300, 2000) {
		l := []*Lattice{Square, Hexagon}[rng.IntN(2)]
		p := &Puzzle{Board: NewBoard(l, [3]int{1, 2 + rng.IntN(2), 2 + rng.IntN(2)})}
		if p.Board.Wrap = Wrap(rng.IntN(6)); l == Hexagon {
			p.Board.Wrap = []Wrap{NoWrap, WrapRows, WrapColumns, WrapBoth}[rng.IntN(4)]
		}
		for k := range 2 {
			shape := []Shape{{{}}, {{}, {0, 0, 1}}, {{}, {0, 0, 1}, {0, 1, 0}}}[rng.IntN(3)]
			marks := "0110212"[rng.IntN(4):][:len(shape)]
			p.Pieces = append(p.Pieces, Piece{
				Name: fmt.Sprint("p", k), Lattice: l, Shape: shape, Marks: marks, Motions: Motions(rng.IntN(3)), Max: 2 + rng.IntN(2),
			})
		}
		p.randomRegions(rng)
		p.randomPairs(rng)
		m, err := p.Model(t.Context())
		if err != nil {
			t.Fatalf("%+v on %+v: %v", p, p.Board, err)
		}
		at, err := p.Board.Unrolled()
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]bool{}
		for k, piece := range p.Pieces {
			for _, turned := range piece.Turned() {
				for row := -9; row < 9; row++ {
					for column := -9; column < 9; column++ {
						marks := map[int]byte{}
						for i, c := range turned.Shape {
							marks[at(c.Plus(Cell{0, row, column}))] = turned.Marks[i]
						}
						cells := slices.Sorted(maps.Keys(marks))
						if len(cells) < len(turned.Shape) || cells[0] < 0 || !slowlyLeft(p, k, cells) {
							continue
						}
						placement := Placement{Piece: k, Cells: cells}
						for _, c := range cells {
							placement.Marks += string(rune(marks[c]))
						}
						want[fmt.Sprint(placement)] = true
					}
				}
			}
		}
		got := map[string]bool{}
		for _, placement := range m.Placements {
			got[fmt.Sprint(placement)] = true
		}
		if !maps.Equal(got, want) || len(got) != len(m.Placements) {
			t.Fatalf("%+v on %+v:\nplacements %v\nwant       %v", p, p.Board, got, want)
		}
		g := m.Group(true)
		checkGroup(t, m, g)
		if checkDistinct(t, fmt.Sprintf("%+v on %+v", p, p.Board), m, g) {
			several++
		}
	}
	if several < 30 {
		t.Errorf("%d puzzles with tilings and symmetries, want more", several)
	}
}
