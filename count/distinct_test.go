package count

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/facts"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/tiling"
)

func distinct(t testing.TB, m *tiling.Model, reflections bool) (*DistinctResult, *tiling.Group) {
	t.Helper()
	g := m.Group(reflections)
	r, err := Distinct(context.Background(), m.Problem, g.Symmetries(), Auto, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r, g
}

// TestDistinctExample is the example that the code explains Burnside's lemma
// with, element by element.
func TestDistinctExample(t *testing.T) {
	m := puzzletest.Parse(t, "{board: 2x3, pieces: [{name: domino, copies: any}]}")
	r, g := distinct(t, m, true)
	var got []string
	for _, c := range r.Classes {
		got = append(got, fmt.Sprintf("%s %d %v", g.Elements[c.Elements[0]].Motion, len(c.Elements), c.Fixed.Count))
	}
	if want := "[identity 1 3 rotation by 180° 1 1 reflection left-right 1 1 reflection top-bottom 1 3]"; fmt.Sprint(got) != want {
		t.Errorf("classes %v, want %s", got, want)
	}
	if r.Count.Int64() != 2 || r.Total.Count.Int64() != 3 || r.Total.Engine == "" {
		t.Errorf("%v of %+v, want 2 of 3", r.Count, r.Total)
	}
}

// TestClasses: elements that fix equally many solutions are counted once. The
// square has 1, a half turn, two quarter turns, two reflections along the
// sides and two in the diagonals; the cube has ten classes, five of rotations.
func TestClasses(t *testing.T) {
	for _, test := range []struct {
		board       string
		reflections bool
		want        string
	}{
		{"2x2", true, "[1 1 2 2 2]"},
		{"2x2", false, "[1 1 2]"}, // a quarter turn and its reverse
		{"2x3", true, "[1 1 1 1]"},
		{"2x2x2", false, "[1 3 6 6 8]"},
		{"2x2x2", true, "[1 1 3 3 6 6 6 6 8 8]"},
	} {
		m := puzzletest.Parse(t, fmt.Sprintf("{board: %q, pieces: [{name: monomino, copies: any}]}", test.board))
		r, _ := distinct(t, m, test.reflections)
		var sizes []int
		for _, c := range r.Classes {
			sizes = append(sizes, len(c.Elements))
		}
		slices.Sort(sizes)
		if fmt.Sprint(sizes) != test.want {
			t.Errorf("%s: classes of %v elements, want %s", test.board, sizes, test.want)
		}
	}
}

func TestDistinctRejects(t *testing.T) {
	m := puzzletest.Parse(t, "{board: 3x3, pieces: [{name: domino, copies: any}, {name: monomino}]}")
	g := m.Group(true).Symmetries()
	swap := slices.Clone(g[0])
	swap[0], swap[1] = 1, 0
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, test := range []struct {
		name  string
		ctx   context.Context
		group []cover.Symmetry
		e     Engine
		o     Options
		want  error
		text  string
	}{
		{"none", t.Context(), nil, Auto, Options{}, ErrGroup, "0 elements, expected 1..1024"},
		{"too many", t.Context(), slices.Repeat(g[:1], 1025), Auto, Options{}, ErrGroup, "1025 elements"},
		{"twice", t.Context(), append(slices.Clone(g), g[3]), Auto, Options{}, ErrGroup, "element 8 repeats element 3"},
		{"no identity", t.Context(), g[2:3], Auto, Options{}, ErrGroup, "element 0 after element 0 is not an element of the group"},
		{"not closed", t.Context(), g[:2], Auto, Options{}, ErrGroup, "element 1 after element 1 is not an element of the group"},
		{"no symmetry", t.Context(), []cover.Symmetry{g[0], swap}, Auto, Options{}, ErrGroup, "element 1: invalid cover: symmetry maps option"},
		{"no permutation", t.Context(), []cover.Symmetry{g[0], g[1][1:]}, Auto, Options{}, cover.ErrInvalid, "element 1: invalid cover: symmetry moves 10 items, but there are 11 items"},
		{"memory", t.Context(), g, Auto, Options{Limits: Limits{Memory: 1}}, cover.ErrMemory, ""},
		{"engine", t.Context(), g, "abacus", Options{}, errEngine, ""},
		{"ended", ended, g, Auto, Options{}, context.Canceled, ""},
	} {
		r, err := Distinct(test.ctx, m.Problem, test.group, test.e, test.o)
		if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%s: %v, %v, want %v with %q", test.name, r, err, test.want, test.text)
		}
		if test.e != Auto { // a diagram is always a diagram
			continue
		}
		if d, err := CompileDistinct(test.ctx, m.Problem, test.group, test.o); !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%s: diagrams %v, %v, want %v with %q", test.name, d, err, test.want, test.text)
		}
	}
	invalid := &cover.Problem{Items: []cover.Item{{Min: 1}}}
	if _, err := Distinct(t.Context(), invalid, []cover.Symmetry{{0}}, Auto, Options{}); !errors.Is(err, cover.ErrInvalid) {
		t.Errorf("an invalid problem: %v", err)
	}
	b := burnside{group: 4}
	b.sum.SetInt64(9)
	if n, err := b.classes(); !errors.Is(err, errBurnside) {
		t.Errorf("9/4 classes: %v, %v", n, err)
	}
}

// TestDistinctProgress: one fraction over all classes, which never falls.
func TestDistinctProgress(t *testing.T) {
	m := puzzletest.Parse(t, "{board: 6x6, pieces: [{name: domino, copies: any}, {name: monomino, copies: 0..4}]}")
	var last Progress
	o := Options{Watch: Watch{Progress: func(p Progress) {
		if p.Fraction < last.Fraction || p.Fraction > 1 || p.Done < last.Done || p.Unit != "states" {
			t.Errorf("%+v after %+v", p, last)
		}
		last = p
	}}}
	for name, run := range map[string]func() error{
		"counts": func() error {
			_, err := Distinct(t.Context(), m.Problem, m.Group(true).Symmetries(), Auto, o)
			return err
		},
		"diagrams": func() error {
			_, err := CompileDistinct(t.Context(), m.Problem, m.Group(true).Symmetries(), o)
			return err
		},
	} {
		last = Progress{}
		if err := run(); err != nil || last.Fraction != 1 {
			t.Errorf("%s: %v, ended at %+v", name, err, last)
		}
	}
}

// TestDistinctFacts counts the published rows up to symmetry: all of those
// in the long run, else all but the two cubes.
func TestDistinctFacts(t *testing.T) {
	for _, row := range facts.Counts() {
		if row.Distinct == nil || skipped(row) {
			continue
		}
		t.Run(row.ID, func(t *testing.T) {
			m := puzzletest.Parse(t, row.Puzzle)
			r, g := distinct(t, m, !strings.HasPrefix(row.Group, "rotations"))
			if r.Count.Cmp(row.Distinct) != 0 || row.Count != nil && r.Total.Count.Cmp(row.Count) != 0 {
				t.Errorf("%v of %v up to %s, published %v of %v", r.Count, r.Total.Count, g.Name, row.Distinct, row.Count)
			}
			if name, _, _ := strings.Cut(row.Group, " "); name[0] == 'D' && g.Name != name {
				t.Errorf("group %s, want %s", g.Name, name)
			}
		})
	}
	t.Run("soma with reflections", func(t *testing.T) {
		r, g := distinct(t, puzzletest.Parse(t, "{board: 3x3x3, pieces: [soma]}"), true)
		if r.Count.Int64() != 240 || g.Name != "Oh" {
			t.Errorf("%v up to %s, want 240 up to Oh", r.Count, g.Name)
		}
	})
}

// randomBoard draws a small board, mostly with some symmetry, with holes and
// cells that may stay empty.
func randomBoard(rng *rand.Rand) string {
	sizes := [][3]int{{1, 1, 5}, {1, 2, 3}, {1, 3, 3}, {1, 2, 4}, {1, 3, 4}, {1, 4, 4}, {2, 2, 2}, {2, 2, 3}, {3, 2, 2}, {2, 3, 3}, {3, 3, 3}}
	size := sizes[rng.IntN(len(sizes))]
	rows, columns := size[0]*size[1], size[2]
	cells := make([]byte, rows*columns)
	for i := range cells {
		cells[i] = "##o."[rng.IntN(3+min(1, len(cells)/9))]
	}
	for range rng.IntN(4) {
		axes := rng.IntN(8)
		transpose := size[1] == size[2] && rng.IntN(2) == 0
		for i := range cells {
			at := [3]int{i / columns / size[1], i / columns % size[1], i % columns}
			for axis := range at {
				if axes>>axis&1 == 1 {
					at[axis] = size[axis] - 1 - at[axis]
				}
			}
			if transpose {
				at[1], at[2] = at[2], at[1]
			}
			cells[i] = cells[(at[0]*size[1]+at[1])*columns+at[2]]
		}
	}
	var b strings.Builder
	for r := range rows {
		if r > 0 && r%size[1] == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s\n", cells[r*columns:(r+1)*columns])
	}
	return b.String()
}

// randomPieces draws some of every sort: mirror pairs that swap, with equal
// and with different bounds, fixed pieces that swap, twins, and ranges.
func randomPieces(rng *rand.Rand, solid bool) string {
	bounds := func() string { return []string{"any", "0..1", "1", "0..2", "1..2", "0..3", "2..", "0"}[rng.IntN(8)] }
	b := bounds()
	sorts := []string{
		"{name: monomino, copies: %s}",
		"{name: domino, copies: %s}",
		"{name: I3, copies: %s}",
		"{name: L3, copies: %s}",
		"{name: flat, shape: '##', motions: fixed, copies: %[1]s}, {name: tall, shape: \"#\\n#\", motions: fixed, copies: %[1]s}",
		"{name: flat, shape: '##', motions: fixed, copies: %s}",
		"{name: twin, shape: '##', copies: %[1]s}, {name: twin2, shape: '##', copies: %[1]s}",
		"{name: corner, shape: \"##\\n#.\", motions: fixed, copies: %s}",
	}
	if solid {
		sorts = append(sorts,
			"{name: A, cells: [[0,0,0],[0,0,1],[0,1,0],[1,1,0]], copies: %[1]s}, {name: B, cells: [[0,0,0],[0,0,1],[0,1,0],[1,0,1]], copies: %[1]s}",
			"{name: A, cells: [[0,0,0],[0,0,1],[0,1,0],[1,1,0]], copies: %[1]s}",
			"{name: A, cells: [[0,0,0],[0,0,1],[0,1,0],[1,1,0]], motions: free, copies: %[1]s}",
			"{name: deep, cells: [[0,0,0],[1,0,0]], motions: fixed, copies: %[1]s}")
	} else {
		sorts = append(sorts,
			"{name: p, shape: \"###\\n#..\", motions: one-sided, copies: %[1]s}, {name: q, shape: \"###\\n..#\", motions: one-sided, copies: %[1]s}",
			"{name: p, shape: \"###\\n#..\", motions: one-sided, copies: %[1]s}",
			"{name: L4, copies: %s}")
	}
	first := sorts[rng.IntN(len(sorts))]
	pieces := []string{fmt.Sprintf(first, b)}
	for _, sort := range []string{sorts[0], sorts[1], sorts[3]} {
		if rng.IntN(2) == 0 && sort != first {
			pieces = append(pieces, fmt.Sprintf(sort, bounds()))
		}
	}
	return strings.Join(pieces, ", ")
}

// orbits counts the classes of listed solutions, and the solutions that each element fixes, by
// comparing them.
func orbits(t *testing.T, p *cover.Problem, group []cover.Symmetry, solutions [][]int) (classes int, fixed []int) {
	t.Helper()
	fixed = make([]int, len(group))
	met := map[string]bool{}
	images := make([][]int, len(group))
	for k, s := range group {
		var err error
		if images[k], err = p.Images(s); err != nil {
			t.Fatal(err)
		}
	}
	for _, solution := range solutions {
		if !met[fmt.Sprint(solution)] {
			classes++
		}
		for k := range group {
			moved := make([]int, len(solution))
			for i, o := range solution {
				moved[i] = images[k][o]
			}
			slices.Sort(moved)
			met[fmt.Sprint(moved)] = true
			if slices.Equal(moved, solution) {
				fixed[k]++
			}
		}
	}
	return classes, fixed
}

// TestDistinctRandom compares with looking at every solution: 500 boards that
// have solutions in the long run, up to all their symmetries and up to rotations.
func TestDistinctRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(2024, 12))
	tally := map[string]int{}
	for tested := 0; tested < testkit.Size(80, 500); {
		board := randomBoard(rng)
		if !strings.ContainsAny(board, "#o") {
			continue
		}
		solid := strings.Contains(board, "\n\n")
		m := puzzletest.Parse(t, fmt.Sprintf("{board: %q, pieces: [%s]}", board, randomPieces(rng, solid)))
		if len(m.Problem.Symmetries) == 0 && rng.IntN(8) > 0 {
			continue // mostly boards with something to count
		}
		solutions, err := oracle.Solutions(m.Problem)
		if err != nil || len(solutions) == 0 || len(solutions) > 5000 {
			continue
		}
		tested++
		for _, reflections := range []bool{true, false} {
			r, g := distinct(t, m, reflections)
			classes, fixed := orbits(t, m.Problem, g.Symmetries(), solutions)
			tally[g.Name]++
			if r.Count.Int64() != int64(classes) {
				t.Fatalf("%s\n%+v\n%s: %v classes, want %d", board, m.Puzzle.Pieces, g.Name, r.Count, classes)
			}
			elements := 0
			for _, c := range r.Classes {
				for _, k := range c.Elements {
					elements++
					if c.Fixed.Count.Int64() != int64(fixed[k]) {
						t.Fatalf("%s\n%+v\n%s: %s fixes %v, want %d", board, m.Puzzle.Pieces, g.Name, g.Elements[k].Motion, c.Fixed.Count, fixed[k])
					}
				}
			}
			if elements != len(g.Elements) {
				t.Fatalf("%d elements in classes, %d in the group", elements, len(g.Elements))
			}
		}
	}
	t.Log(tally)
	if len(tally) < testkit.Size(9, 15) {
		t.Errorf("only the groups %v came up", tally)
	}
}
