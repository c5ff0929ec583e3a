package dimer

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
)

func read(t *testing.T, text string) *cover.Problem {
	t.Helper()
	p, err := cover.Read("test", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestRead(t *testing.T) {
	g, err := Read(t.Context(), read(t, puzzletest.Running))
	if err != nil {
		t.Fatal(err)
	}
	want := &Graph{Vertices: 6, Item: []int{0, 1, 2, 3, 4, 5}, problem: g.problem, Edges: []Edge{
		{[2]int32{0, 1}, []int{0}},
		{[2]int32{0, 3}, []int{4}},
		{[2]int32{1, 2}, []int{1}},
		{[2]int32{1, 4}, []int{5}},
		{[2]int32{2, 5}, []int{6}},
		{[2]int32{3, 4}, []int{2}},
		{[2]int32{4, 5}, []int{3}},
	}}
	if !reflect.DeepEqual(g, want) {
		t.Errorf("2x3: %+v, want %+v", g, want)
	}
}

func TestReadTells(t *testing.T) {
	for text, want := range map[string]string{
		"item a 1\nitem b 1\nitem c 1\noption a b c\noption a b\noption c b":  `option 0, of "a" "b" "c", covers 3 items that must be covered exactly once, expected two`,
		"item a 0..1\nitem b 0..1\noption a b":                                `option 0, of "a" "b", covers "a", which may stay uncovered, expected two items that must be covered exactly once`,
		"item a 1\nitem b 0..1\nitem c 1\noption a b\noption a c\noption c b": `option 0, of "a" "b", covers "b", which may stay uncovered, expected two items that must be covered exactly once`,
		"item a 1\nitem b 1\nitem c 1\nitem x 1\nitem y 1\nitem z 1\noption a x\noption a y\noption a z\noption b x\noption b y\noption b z\noption c x\noption c y\noption c z\noption a\noption b\n": "the graph of cells is not planar",
		puzzletest.Running + "item x 0..1\noption a b x\noption b c x\n": `the bounds 0..1 of "x" may exclude some tilings`,
	} {
		_, err := Read(t.Context(), read(t, text))
		if !errors.Is(err, ErrNotDimers) || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%q\nerror %v\nwant  %s", text, err, want)
		}
	}
}

// TestReadSolutions reads random covers. Where there is a graph, its matchings are the
// solutions.
func TestReadSolutions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 17))
	read, alone := 0, 0
	for range 2000 {
		p := oracle.Random(rng)
		switch rng.IntN(3) {
		case 0:
			p = randomPairs(rng)
		case 1:
			p = oracle.RandomColoured(rng)
		}
		g, err := Read(t.Context(), p)
		if err != nil {
			continue
		}
		read++
		if g.single != nil {
			alone++
		}
		want, err := oracle.Solutions(p)
		if err != nil {
			t.Fatal(err)
		}
		sets := func(all [][]int) []string {
			var text []string
			for _, s := range all {
				slices.Sort(s)
				text = append(text, fmt.Sprint(s))
			}
			slices.Sort(text)
			return text
		}
		if got := sets(matchings(g)); !slices.Equal(got, sets(want)) {
			t.Fatalf("%+v\ngraph %+v\nsolutions %v, want %v", p, g, got, want)
		}
	}
	if read < 500 || alone < 100 {
		t.Errorf("only %d covers were graphs, %d with options of one cell", read, alone)
	}
}

// matchings returns all solutions of a small graph.
func matchings(g *Graph) [][]int {
	var all [][]int
	covered := make([]bool, g.Vertices)
	taken := slices.Clone(g.Forced)
	var cover func()
	cover = func() {
		first := int32(slices.Index(covered, false))
		if first < 0 {
			all = append(all, slices.Clone(taken))
			return
		}
		for _, e := range g.Edges {
			a, b := e.Ends[0], e.Ends[1]
			if a != first && b != first || covered[a] || covered[b] {
				continue
			}
			covered[a], covered[b] = true, true
			if e.Options == nil {
				cover()
			}
			for _, o := range e.Options {
				taken = append(taken, o)
				cover()
				taken = taken[:len(taken)-1]
			}
			covered[a], covered[b] = false, false
		}
	}
	cover()
	return all
}

// TestNoColours: a graph with an odd cycle has no coupling. The error names two cells of the cycle.
func TestNoColours(t *testing.T) {
	g, err := Read(t.Context(), read(t, "item a 1\nitem b 1\nitem c 1\nitem d 1\noption a b\noption b c\noption c a\noption c d\noption b d"))
	if err != nil {
		t.Fatal(err)
	}
	want := `the cells cannot be coloured black and white, since a cycle of odd length leads through "b" and "c"`
	if _, err := NewCoupling(t.Context(), g, Config{}); !errors.Is(err, ErrNotDimers) || !strings.Contains(fmt.Sprint(err), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}

// randomPairs returns a small cover by pairs of cells, bipartite or not, perhaps with other items
// whose bounds may exclude solutions.
func randomPairs(rng *rand.Rand) *cover.Problem {
	black, white, any := 1+rng.IntN(4), 1+rng.IntN(4), rng.IntN(2) == 0
	p := &cover.Problem{}
	for range black + white {
		p.Items = append(p.Items, cover.Item{Min: 1, Max: 1})
	}
	for range rng.IntN(3) {
		least := rng.IntN(3)
		p.Items = append(p.Items, cover.Item{Min: least, Max: least + rng.IntN(6)})
	}
	seen := map[string]bool{}
	for range 3 * (black + white) {
		o := cover.Option{{Item: rng.IntN(black), Times: 1}, {Item: black + rng.IntN(white), Times: 1}}
		if any {
			a, b := rng.IntN(black+white), rng.IntN(black+white-1)
			if b >= a {
				b++
			}
			o = cover.Option{{Item: min(a, b), Times: 1}, {Item: max(a, b), Times: 1}}
		}
		if rng.IntN(3) == 0 {
			o = o[:1]
		}
		for extra := black + white; extra < len(p.Items); extra++ {
			if rng.IntN(4) > 0 {
				o = append(o, cover.Use{Item: extra, Times: 1})
			}
		}
		if key := fmt.Sprint(o); !seen[key] {
			seen[key] = true
			p.Options = append(p.Options, o)
		}
	}
	return p
}

func TestReadEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := &cover.Problem{Items: slices.Repeat([]cover.Item{{Min: 1, Max: 1}}, 40_000)}
	for i := range 39_999 {
		p.Options = append(p.Options, cover.Option{{Item: i, Times: 1}, {Item: i + 1, Times: 1}})
	}
	if _, err := Read(ctx, p); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a read that has ended", err)
	}
}
