package tiling

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/testkit"
)

// rigid is a motion of the plane: z goes to turn·z + by, or to turn·(z mirrored in a line of
// rows) + by.
type rigid struct {
	mirror   bool
	turn, by complex128
}

func (r rigid) move(z complex128) complex128 {
	if r.mirror {
		z = cmplx.Conj(z)
	}
	return r.turn*z + r.by
}

// unrolled is a board that wraps, unrolled in the plane, with the position of each cell. It does
// not use rows and columns, nor the words for wraps: its gluings are motions of the plane.
type unrolled struct {
	*Board
	middles []complex128
	gluings []rigid
	round   []rigid // the board, and once around it
	byPlace map[[2]int]int
}

func spot(z complex128) [2]int {
	return [2]int{int(math.Round(real(z) * 1000)), int(math.Round(imag(z) * 1000))}
}

// unroll glues with true lengths: along the rows by the width of the board in cells, and across the
// rows either straight down (bricks) or in the direction of the columns. bricks is 0, or the number
// of columns of the wall.
func unroll(b *Board, bricks int) *unrolled {
	u := &unrolled{Board: b, byPlace: map[[2]int]int{}}
	origin := middle(b.Lattice, Cell{})
	for _, c := range b.Cells {
		u.middles = append(u.middles, middle(b.Lattice, c)-origin)
	}
	side := middle(b.Lattice, Cell{0, 0, 1}) - origin
	down := middle(b.Lattice, Cell{0, 1, 0}) - origin
	rows, columns := complex(float64(b.Size[1]), 0)*down, complex(float64(b.Size[2]), 0)*side
	last := imag(down) * float64(b.Size[1]-1)
	if bricks > 0 {
		rows, columns = complex(0, imag(rows)), complex(float64(bricks), 0)*side
		if b.Wrap == Klein {
			last = imag(rows)
		}
	}
	switch b.Wrap {
	case WrapRows, WrapBoth, Klein:
		u.gluings = append(u.gluings, rigid{false, 1, rows})
	}
	switch b.Wrap {
	case WrapColumns, WrapBoth:
		u.gluings = append(u.gluings, rigid{false, 1, columns})
	case Moebius, Klein:
		u.gluings = append(u.gluings, rigid{true, 1, columns + complex(0, last)})
	}
	u.spread()
	return u
}

// spread finds what lies around the board.
func (u *unrolled) spread() {
	words := []rigid{{false, 1, 0}}
	for range 7 {
		for _, w := range slices.Clone(words) {
			for _, g := range u.gluings {
				words = append(words, rigid{w.mirror != g.mirror, 1, g.move(w.by)}, inverse(g).after(w))
			}
		}
		slices.SortFunc(words, func(a, b rigid) int { return strings.Compare(a.key(), b.key()) })
		words = slices.CompactFunc(words, func(a, b rigid) bool { return a.key() == b.key() })
	}
	for _, w := range words {
		for i, z := range u.middles {
			u.byPlace[spot(w.move(z))] = i
		}
	}
	u.round = append([]rigid{{false, 1, 0}}, u.gluings...)
}

func (r rigid) key() string { return fmt.Sprint(r.mirror, spot(r.turn), spot(r.by)) }

func (r rigid) after(s rigid) rigid {
	turn := s.turn
	if r.mirror {
		turn = cmplx.Conj(turn)
	}
	return rigid{r.mirror != s.mirror, r.turn * turn, r.move(s.by)}
}

func inverse(r rigid) rigid {
	if r.mirror {
		return rigid{true, cmplx.Conj(cmplx.Conj(1 / r.turn)), -cmplx.Conj(r.by / r.turn)}
	}
	return rigid{false, 1 / r.turn, -r.by / r.turn}
}

// isometries are all ways to lay points onto the board, so that the first falls on a cell.
func (u *unrolled) isometries(turns int, which Motions, points []complex128, f func(rigid)) {
	for k := range turns {
		for _, mirror := range []bool{false, true} {
			if which == Fixed && (k > 0 || mirror) || which == OneSided && mirror {
				continue
			}
			r := rigid{mirror: mirror, turn: cmplx.Rect(1, 2*math.Pi*float64(k)/float64(turns))}
			for _, z := range u.middles {
				for _, w := range u.round {
					r.by = 0
					r.by = w.move(z) - r.move(points[0])
					f(r)
				}
			}
		}
	}
}

// on are the cells on which points lie after a motion; nil if they leave the board.
func (u *unrolled) on(r rigid, points []complex128) (cells []int) {
	for _, z := range points {
		i, ok := u.byPlace[spot(r.move(z))]
		if !ok {
			return nil
		}
		cells = append(cells, i)
	}
	return cells
}

// placements returns the placements that colours and marks leave, as texts; onItself is the number
// of pieces that would lie on themselves wherever they lie, so that they have no placement.
func (u *unrolled) placements(turns int, q *Puzzle) (all map[string]Placement, onItself int) {
	all = map[string]Placement{}
	for k, p := range q.Pieces {
		places, bad := 0, 0
		origin := middle(u.Lattice, Cell{})
		var points []complex128
		for _, c := range p.Shape {
			points = append(points, middle(u.Lattice, c)-origin)
		}
		u.isometries(turns, p.Motions, points, func(r rigid) {
			cells := u.on(r, points)
			if cells == nil {
				return
			}
			goes := true
			for i, at := range cells {
				goes = goes && slowlyGoes(q, p, i, at)
			}
			slices.Sort(cells)
			if len(slices.Compact(slices.Clone(cells))) < len(cells) {
				bad++
				return
			}
			places++
			if goes && slowlyLeft(q, k, cells) {
				all[fmt.Sprint(k, cells)] = Placement{Piece: k, Cells: cells}
			}
		})
		if places == 0 && bad > 0 {
			onItself++
		}
	}
	return all, onItself
}

// placedBy are the placements of a model, as unrolled.placements has them.
func placedBy(m *Model) map[string]Placement {
	all := map[string]Placement{}
	for _, q := range m.Placements {
		all[fmt.Sprint(q.Piece, q.Cells)] = q
	}
	return all
}

// symmetries are the permutations of the cells by motions of the plane that map glued points to
// glued points, and the board and the placements onto themselves.
func (u *unrolled) symmetries(turns int, m *Model) map[string]bool {
	identical := make(cover.Symmetry, len(u.Cells))
	for i := range identical {
		identical[i] = i
	}
	all := map[string]bool{}
	u.isometries(turns, Free, u.middles, func(r rigid) {
		image := u.on(r, u.middles)
		if image == nil {
			return
		}
		for i, at := range image {
			if u.Optional[at] != u.Optional[i] || u.colour(at) != u.colour(i) || m.Problem.Items[at].Min != m.Problem.Items[i].Min {
				return
			}
		}
		for _, g := range u.gluings {
			if !slices.Equal(u.on(r.after(g), u.middles), image) || !slices.Equal(u.on(r.after(inverse(g)), u.middles), image) {
				return
			}
		}
		if len(slices.Compact(slices.Sorted(slices.Values(image)))) == len(image) && multiset(m, image) == multiset(m, identical) &&
			(len(m.Puzzle.Groups) == 0 || slowlyMaps(m, image)) {
			all[fmt.Sprint(image)] = true
		}
	})
	return all
}

// randomWrapped is a puzzle on a random board that wraps, and how many columns its wall of
// bricks has, if it is one.
func randomWrapped(rng *rand.Rand, l *Lattice) (p *Puzzle, bricks int) {
	size := [3]int{1, 1 + rng.IntN(4), 1 + rng.IntN(4)}
	wrap := Wrap(1 + rng.IntN(len(wraps)-1))
	var cells []Cell
	if l == Hexagon && wraps[wrap].turns {
		size[1] = 1 + 2*rng.IntN(2)
		if wrap == Klein {
			size[1] = 2 + 2*rng.IntN(2)
		}
		bricks = size[2]
		shifted := rng.IntN(2)
		for r := range size[1] {
			for c := range bricks {
				cells = append(cells, Cell{0, r, c - (r+shifted)/2})
			}
		}
		least, most := corners(cells)
		for i := range cells {
			cells[i] = cells[i].minus(least)
		}
		slices.SortFunc(cells, compareCells)
		size = [3]int(most.minus(least).Plus(Cell{1, 1, 1}))
	} else {
		cells = boxCells(size)
	}
	if rng.IntN(2) == 0 && len(cells) > 2 && bricks == 0 {
		cells = slices.DeleteFunc(cells, func(Cell) bool { return rng.IntN(5) == 0 })
	}
	if len(cells) == 0 {
		return randomWrapped(rng, l)
	}
	b := &Board{Lattice: l, Size: size, Cells: cells, Wrap: wrap, Optional: make([]bool, len(cells))}
	for i := range b.Optional {
		b.Optional[i] = rng.IntN(8) == 0
	}
	p = &Puzzle{Board: b}
	for k := range 1 + rng.IntN(3) {
		p.Pieces = append(p.Pieces, Piece{
			Name: fmt.Sprint("p", k), Shape: grow(rng, l, 1+rng.IntN(4)), Lattice: l, Motions: Motions(rng.IntN(3)),
			Min: rng.IntN(2), Max: []int{1, 3, cover.Unbounded}[rng.IntN(3)],
		})
	}
	return p, bricks
}

// TestWrapsByBruteForce: placements, symmetries and tilings up to symmetry on random boards
// that wrap are those which turning and moving points about in the plane finds.
func TestWrapsByBruteForce(t *testing.T) {
	for _, l := range plane[:2] {
		rng := rand.New(rand.NewPCG(26, uint64(l.turns)))
		met, tilings, onItself := map[Wrap]int{}, 0, 0
		for range testkit.Size(10, 300) * (len(wraps) - 1) {
			p, bricks := randomWrapped(rng, l.Lattice)
			u := unroll(p.Board, bricks)
			want, bad := u.placements(l.turns, p)
			onItself += bad
			m := modelOf(t, p)
			got := placedBy(m)
			about := fmt.Sprintf("%s %s %v, cells %v, pieces %v", l, p.Board.Wrap, p.Board.Size, p.Board.Cells, p.Pieces)
			if fmt.Sprint(got) != fmt.Sprint(want) || len(got) != len(m.Placements) {
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
			met[p.Board.Wrap]++
			more, _ := checkOrbits(t, m, g)
			tilings += more
		}
		if len(met) < 5 || tilings < 300 || onItself < 5 {
			t.Errorf("%s: wraps %v, %d tilings, %d pieces on themselves, want more to compare", l, met, tilings, onItself)
		}
		t.Log(l, met, tilings, onItself)
	}
}

// TestMoebiusRotations: on a Möbius band the reflection left-right is also a rotation by 180° and then
// a way around. It is one for boards that leave rows of their box free, too.
func TestMoebiusRotations(t *testing.T) {
	for _, board := range []string{"####/####/....", "..../####/####", "...o/####/....", "####/####/####", "####/####/..../..../...."} {
		p, err := Arguments{Board: board, Wrap: "moebius", Pieces: []string{"domino=any"}}.puzzle()
		if err != nil {
			t.Fatal(err)
		}
		m := modelOf(t, p)
		if all, rotations := len(m.Group(true).Elements), len(m.Group(false).Elements); rotations != all || all < 2 {
			t.Errorf("%s: %d symmetries, and %d rotations, want as many, as a way around is a reflection too", board, all, rotations)
		}
	}
}

// TestSurfaces: dominoes on tori (OEIS A335586), and boards that cannot wrap.
func TestSurfaces(t *testing.T) {
	for words, want := range map[*Arguments]string{
		{Board: "2x2x2", Wrap: "both"}:                                   "wrap both is not possible on the cube lattice, expected a board of squares or hexagons",
		{Board: "2x2", Wrap: "both", Lattice: "triangle"}:                "wrap both is not possible on the triangle lattice, expected a board of squares or hexagons",
		{Board: "2x2", Wrap: "torus"}:                                    `unknown wrap "torus", did you mean both?`,
		{Board: "# # #/ # # #", Wrap: "moebius", Lattice: "hexagon"}:     "expected an odd number of rows on this lattice",
		{Board: "# # #/ # # #/# # #", Wrap: "klein", Lattice: "hexagon"}: "expected an even number of rows on this lattice",
		{Board: "5x4", Wrap: "moebius", Lattice: "hexagon"}:              "expected rows that are shifted half a cell to the left and to the right in turn",
	} {
		if words.Pieces == nil {
			words.Pieces = []string{"1x1=any"}
		}
		p, err := words.puzzle()
		if err == nil {
			_, err = p.Model(context.Background())
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", *words, err, want)
		}
	}
	p, err := Arguments{Board: "4x4", Wrap: "both", Pieces: []string{"I5", "domino=any"}}.puzzle()
	if err != nil {
		t.Fatal(err)
	}
	if o := modelOf(t, p).Obstructions(t.Context()); len(o) != 1 || o[0].Text != "the piece I5 must be used, but fits nowhere" {
		t.Errorf("I5 on a torus of 4x4, where it would lie on itself: %v", o)
	}
	p, err = Arguments{Board: "40x40", Wrap: "both", Pieces: []string{"domino=any"}}.puzzle()
	if err != nil {
		t.Fatal(err)
	}
	m := modelOf(t, p)
	if g := m.Group(true); !g.TooLarge || len(g.Elements) != 1 || m.Problem.Symmetries != nil {
		t.Errorf("torus of 40x40: %d symmetries, want none, as there are 12800", len(g.Elements))
	}
	if _, err := NewFamily(p); !errors.Is(err, ErrPuzzle) {
		t.Errorf("a family of tori: %v, want a bad puzzle", err)
	}
}

// TestWorkIsBounded: a puzzle for which the search for places could run for minutes is refused,
// although it has no placement at all.
func TestWorkIsBounded(t *testing.T) {
	var bars []string
	for n := range 120 {
		bars = append(bars, fmt.Sprintf("1x%d", 70+n))
	}
	p, err := Arguments{Board: "1024x1024", Pieces: bars, Motions: "fixed"}.puzzle()
	if err != nil {
		t.Fatal(err)
	}
	p.Board.Cells = slices.DeleteFunc(p.Board.Cells, func(c Cell) bool { return c[2]%2 == 1 })
	p.Board.Optional = p.Board.Optional[:len(p.Board.Cells)]
	if _, err := p.Model(context.Background()); err == nil || !strings.Contains(err.Error(), "too many places to try") {
		t.Errorf("%v, want too many places to try", err)
	}
}
