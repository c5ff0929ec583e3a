package oracle

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/puzzletest"
)

// dominoes has the options 0 ab, 1 bc, 2 de, 3 ef, 4 ad, 5 be and 6 cf.
const dominoes = puzzletest.Running

func read(t *testing.T, text string) *cover.Problem {
	t.Helper()
	p, err := cover.Read(t.Name(), strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSolutions(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       [][]int
	}{
		{"running example", dominoes, [][]int{{0, 2, 6}, {1, 3, 4}, {4, 5, 6}}},
		{"nothing to do", "", [][]int{{}}},
		{"no option", "item a 0..", [][]int{{}}},
		{"impossible", "item a 1", nil},
		{"prefixes first", "item a 0..\noption a\noption a*2", [][]int{{}, {0}, {0, 1}, {1}}},
		{"several times", "item a 3..4\noption a\noption a*2\noption a*3", [][]int{{0, 1}, {0, 2}, {2}}},
		{"colours", "item x 0..1\noption x:R\nitem y 0..1\noption x:R y\noption x:G\noption x", [][]int{{}, {0}, {0, 1}, {1}, {2}, {3}}},
		{"forbidden", "item a 0\nitem b 0..\noption a b\noption b", [][]int{{}, {1}}},
	} {
		got, err := Solutions(read(t, test.text))
		if err != nil || !slices.EqualFunc(got, test.want, slices.Equal) {
			t.Errorf("%s: got %v, %v, want %v", test.name, got, err, test.want)
		}
	}
	if got, err := Count(read(t, dominoes)); got != 3 || err != nil {
		t.Errorf("Count = %d, %v, want 3", got, err)
	}
}

func TestLimits(t *testing.T) {
	if _, err := Count(&cover.Problem{Items: []cover.Item{{Min: 1}}}); !errors.Is(err, cover.ErrInvalid) {
		t.Errorf("invalid: got %v", err)
	}
	free := &cover.Problem{Items: []cover.Item{{Max: cover.Unbounded}}}
	for i := range 40 {
		free.Options = append(free.Options, cover.Option{{Item: 0, Times: int32(i) + 1}})
	}
	if _, err := Solutions(free); !errors.Is(err, ErrTooBig) {
		t.Errorf("2^40 solutions: got %v", err)
	}
}

// bruteForce asks about every subset: no recursion and no short cut.
func bruteForce(p *cover.Problem) [][]int {
	var found [][]int
	for set := range 1 << len(p.Options) {
		var taken []int
		for o := range p.Options {
			if set>>o&1 == 1 {
				taken = append(taken, o)
			}
		}
		if p.IsSolution(taken) {
			found = append(found, taken)
		}
	}
	slices.SortFunc(found, slices.Compare[[]int])
	return found
}

func TestAgreesWithBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for tested := 0; tested < 500; {
		p := Random(rng)
		if tested%2 == 1 {
			p = RandomColoured(rng)
		}
		if len(p.Options) > 9 {
			continue
		}
		tested++
		got, err := Solutions(p)
		if want := bruteForce(p); err != nil || !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("%+v:\ngot %v, %v, want %v", p, got, err, want)
		}
	}
}

// kinds returns the kinds that Random promises and p has.
func kinds(p *cover.Problem, solutions int) []string {
	is := map[string]bool{
		"solution": solutions > 0, "several solutions": solutions > 1, "no solution": solutions == 0,
		"no order": len(p.Orders) == 0, "several orders": len(p.Orders) > 1, "no item": len(p.Items) == 0,
	}
	used := make([]bool, len(p.Items))
	for _, o := range p.Options {
		cells, counted := 0, 0
		for _, u := range o {
			used[u.Item] = true
			most := p.Items[u.Item].Max
			if most <= 1 {
				cells++
			} else {
				counted++
			}
			is["several times"] = is["several times"] || most > 1 && u.Times > 1
			is["too often"] = is["too often"] || int(u.Times) > most
		}
		is["cells only"] = is["cells only"] || counted == 0
		is["counted only"] = is["counted only"] || cells == 0
		is["both"] = is["both"] || cells > 0 && counted > 0
	}
	swept := 0
	for i, item := range p.Items {
		if item.Max <= 1 {
			swept++
		}
		is["item without option"] = is["item without option"] || !used[i]
		is["named"] = is["named"] || item.Name != ""
		is[boundsKind(item)] = true
	}
	for _, order := range p.Orders {
		is["partial order"] = is["partial order"] || len(order) < swept
		is["whole order"] = is["whole order"] || len(order) == swept && swept > 1
		is["different orders"] = is["different orders"] || len(order) != len(p.Orders[0])
	}
	var found []string
	for kind, has := range is {
		if has {
			found = append(found, kind)
		}
	}
	return found
}

func boundsKind(item cover.Item) string {
	switch {
	case item.Max == cover.Unbounded && item.Min == 0:
		return "0..∞"
	case item.Max == cover.Unbounded:
		return "a..∞"
	case item.Max == 0:
		return "0..0"
	case item.Max == 1 && item.Min == 1:
		return "1..1"
	case item.Max == 1:
		return "0..1"
	case item.Min == item.Max:
		return "n..n"
	case item.Min == 0:
		return "0..k"
	}
	return "a..b"
}

func TestRandom(t *testing.T) {
	const covers = 2000
	rng := rand.New(rand.NewPCG(5, 6))
	tally := map[string]int{}
	for range covers {
		p := Random(rng)
		n, err := Count(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range kinds(p, n) {
			tally[kind]++
		}
	}
	t.Log(tally)
	if len(tally) != 24 {
		t.Errorf("%d kinds of covers came up: %v", len(tally), tally)
	}
	for kind, n := range tally {
		if n < covers/100 {
			t.Errorf("%s: only %d of %d covers", kind, n, covers)
		}
	}
}

func TestRandomIsRepeatable(t *testing.T) {
	a, b := rand.New(rand.NewPCG(7, 8)), rand.New(rand.NewPCG(7, 8))
	for range 100 {
		if p, q := Random(a), Random(b); !reflect.DeepEqual(p, q) {
			t.Fatalf("same seed, but %+v and %+v", p, q)
		}
	}
}

// TestPaint: painted covers are valid, have colours, and often solutions with a colour twice.
func TestPaint(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 5))
	coloured, agreeing := 0, 0
	for range 1000 {
		p := Paint(rng, Random(rng))
		solutions, err := Within(p, maxSteps)
		if err != nil {
			t.Fatalf("%v of %+v", err, p)
		}
		if p.Coloured() {
			coloured++
		}
		if slices.ContainsFunc(solutions, func(s []int) bool { return agree(p, s) }) {
			agreeing++
		}
	}
	if coloured < 700 || agreeing < 200 {
		t.Errorf("%d covers have colours, %d have solutions of options that agree", coloured, agreeing)
	}
}

// agree reports whether two of the options use an item with the same colour.
func agree(p *cover.Problem, options []int) bool {
	seen := map[cover.Use]bool{}
	for _, o := range options {
		for _, u := range p.Options[o] {
			if u.Colour != 0 && seen[u] {
				return true
			}
			seen[u] = true
		}
	}
	return false
}
