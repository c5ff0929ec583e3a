package count

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/testkit"
)

// covers is the number of random covers that every engine is compared on:
// go test ./count -run RandomCovers -covers 100000
var covers = flag.Uint64("covers", uint64(testkit.Size(800, 2000)), "random covers to compare the engines on")

// TestRandomCovers compares count and set of solutions with the oracle.
func TestRandomCovers(t *testing.T) {
	for seed := range *covers {
		rng := rand.New(rand.NewPCG(seed, 2))
		p := oracle.Random(rng)
		if seed%2 == 1 {
			p = oracle.RandomGrid(rng)
		}
		if seed%4 >= 2 {
			p = oracle.RandomColoured(rng)
		}
		want, err := oracle.Within(p, 1<<14)
		if errors.Is(err, oracle.ErrTooBig) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range Engines() {
			checkEngine(t, seed, p, e, int64(len(want)))
		}
		checkDiagram(t, seed, p, want)
		if t.Failed() {
			return
		}
	}
}

func checkEngine(t *testing.T, seed uint64, p *cover.Problem, e Engine, want int64) {
	t.Helper()
	r, err := Count(context.Background(), p, e, Options{})
	if e == Dimer && errors.Is(err, ErrNotDimers) {
		return
	}
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if !r.Count.IsInt64() || r.Count.Int64() != want {
		t.Errorf("seed %d: %s counts %v, oracle %d\n%s", seed, e, r.Count, want, text(p))
	}
}

func checkDiagram(t *testing.T, seed uint64, p *cover.Problem, want [][]int) {
	t.Helper()
	c, err := Compile(context.Background(), p, Options{})
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	var got [][]int
	for set := range c.Diagram.AllSets() {
		options := make([]int, len(set))
		for i, v := range set {
			options[i] = c.Options[v]
		}
		slices.Sort(options)
		got = append(got, options)
	}
	slices.SortFunc(got, slices.Compare)
	if !slices.EqualFunc(got, want, slices.Equal) || c.Result.Count.Int64() != int64(len(want)) {
		t.Errorf("seed %d: diagram has %v (count %v), oracle %v\n%s", seed, got, c.Result.Count, want, text(p))
	}
}

func text(p *cover.Problem) string {
	var b strings.Builder
	if err := p.WriteText(&b); err != nil {
		return err.Error()
	}
	return b.String()
}
