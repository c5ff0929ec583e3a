package count

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/test/facts"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// family is the family of pieces given as for Inline.
func family(t *testing.T, board, cover, motions string, pieces ...string) *tiling.Family {
	t.Helper()
	p, err := puzzlefile.Inline(board, pieces, cover, motions)
	if err != nil {
		t.Fatal(err)
	}
	f, err := tiling.NewFamily(p)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// heights are the counts of a section from height 1 on.
func heights(t *testing.T, f *tiling.Family, s tiling.Section, most int, o Options) (*Heights, []*big.Int) {
	t.Helper()
	strip, err := f.Strip(context.Background(), s, 0)
	if err != nil {
		t.Fatal(err)
	}
	h, err := NewHeights(context.Background(), strip.Model.Problem, strip.Order, strip.Period, most, true, o)
	if err != nil {
		t.Fatal(err)
	}
	var all []*big.Int
	for range most {
		n, err := h.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, n)
	}
	return h, all
}

func TestHeightsOfDominoes(t *testing.T) {
	f := family(t, "1x1", "", "", "domino=any")
	h, got := heights(t, f, tiling.Section{Size: [3]int{1, 0, 4}, Axis: 1}, 7, Options{})
	if want := "[1 5 11 36 95 281 781]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
	// Half of the 16 sets of covered cells have an even number of bare ones,
	// and of those 0101 and 1010 do not come from rows of dominoes.
	if n, known := h.States(); n != 6 || !known {
		t.Errorf("%d states, known: %t, want 6", n, known)
	}
}

// TestHeights compares families with boxes counted one by one.
func TestHeights(t *testing.T) {
	for _, test := range []struct {
		board, cover, motions string
		pieces                []string
		size                  [3]int
	}{
		{"1x1", "", "", []string{"monomino=any", "L3=any"}, [3]int{1, 5, 6}},
		{"1x1", "", "", []string{"tetrominoes=any"}, [3]int{1, 5, 8}},
		{"1x1", "", "fixed", []string{"L4=any", "S4=any", "monomino=any"}, [3]int{1, 5, 5}},
		{"1x1", "", "one-sided", []string{"L4=any", "T4=any"}, [3]int{1, 4, 8}},
		{"1x1", "at-most", "", []string{"T4=any"}, [3]int{1, 4, 6}},
		{"1x1", "", "", []string{"I5=any"}, [3]int{1, 4, 7}},
		{"1x1x1", "", "", []string{"domino=any"}, [3]int{4, 3, 2}},
		{"1x1x1", "at-most", "", []string{"L3=any"}, [3]int{2, 2, 4}},
	} {
		f := family(t, test.board, test.cover, test.motions, test.pieces...)
		for axis, most := range test.size {
			if f.Lattice == tiling.Square && axis == 0 {
				continue
			}
			s := tiling.Section{Size: test.size, Axis: axis}
			s.Size[axis] = 0
			_, got := heights(t, f, s, most, Options{})
			for i, n := range got {
				if want := countBox(t, f, s.Box(i+1)); n.Cmp(want) != 0 {
					t.Errorf("%v %s: %v tilings, one by one %v", test.pieces, f.SizeName(s.Box(i+1)), n, want)
				}
				// Boxes that Section exchanges must have the same number of tilings.
				if s, h := f.Section(s.Box(i + 1)); countBox(t, f, s.Box(h)).Cmp(n) != 0 {
					t.Errorf("%v: Section exchanges it for %s, which has another number of tilings", test.pieces, f.SizeName(s.Box(h)))
				}
			}
		}
	}
}

func countBox(t *testing.T, f *tiling.Family, size [3]int) *big.Int {
	t.Helper()
	p, err := f.Puzzle(size)
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	r, err := Count(context.Background(), m.Problem, Auto, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Count
}

// TestHeightsOfGrids has all published rectangles of a section from one sweep,
// up to seven cells wide, in the long run eight.
func TestHeightsOfGrids(t *testing.T) {
	testkit.Serial(t)
	type key struct {
		pieces string
		width  int
	}
	published := map[key]map[int]*big.Int{}
	highest := map[key]int{}
	widest := testkit.Size(7, 8)
	for _, g := range facts.Grids() {
		k := key{strings.Join(g.Pieces, "=any ") + "=any", min(g.Rows, g.Columns)}
		if k.width > widest {
			continue
		}
		if published[k] == nil {
			published[k] = map[int]*big.Int{}
		}
		published[k][max(g.Rows, g.Columns)] = g.Count
		highest[k] = max(highest[k], g.Rows, g.Columns)
	}
	for k, counts := range published {
		f := family(t, "1x1", "", "", strings.Fields(k.pieces)...)
		_, got := heights(t, f, tiling.Section{Size: [3]int{1, 0, k.width}, Axis: 1}, highest[k], Options{})
		for h, want := range counts {
			if got[h-1].Cmp(want) != 0 {
				t.Errorf("%s %dx%d: %v, published %v", k.pieces, h, k.width, got[h-1], want)
			}
		}
	}
}

// TestNoStrip wants an error for a strip that does not repeat.
func TestNoStrip(t *testing.T) {
	ctx := context.Background()
	f := family(t, "1x1", "", "", "domino=any", "T4=0..3")
	strip, err := f.Strip(ctx, tiling.Section{Size: [3]int{1, 0, 4}, Axis: 1}, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := strip.Model.Problem
	if _, err := NewHeights(ctx, p, strip.Order, strip.Period, 3, false, Options{}); !errors.Is(err, automaton.ErrNoStrip) {
		t.Errorf("bounded copies: %v", err)
	}
	f = family(t, "1x1", "", "", "domino=any", "T4=any")
	if strip, err = f.Strip(ctx, tiling.Section{Size: [3]int{1, 0, 4}, Axis: 1}, 0); err != nil {
		t.Fatal(err)
	}
	p = strip.Model.Problem
	for _, period := range []int{0, 3, 100} {
		if _, err := NewHeights(ctx, p, strip.Order, period, 3, false, Options{}); !errors.Is(err, automaton.ErrNoStrip) {
			t.Errorf("period %d: %v", period, err)
		}
	}
	if _, err := NewHeights(ctx, p, strip.Order, strip.Period, 0, false, Options{}); err == nil {
		t.Error("no periods to count, and no error")
	}
	h, err := NewHeights(ctx, p, strip.Order, strip.Period, 10, true, Options{Limits: Limits{Memory: 1000}})
	for err == nil {
		_, err = h.Next(ctx)
	}
	if !errors.Is(err, cover.ErrMemory) {
		t.Errorf("1000 bytes: %v", err)
	}
}
