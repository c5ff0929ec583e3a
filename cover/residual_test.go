package cover_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/test/oracle"
)

// TestResidual: with the chosen options, the solutions of the residual are the solutions that have
// these options.
func TestResidual(t *testing.T) {
	met := 0
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 5))
		p := randomCover(rng, int(seed))
		all, err := oracle.Solutions(p)
		if err != nil {
			t.Fatal(err)
		}
		taken := rng.Perm(len(p.Options))[:rng.IntN(min(3, len(p.Options))+1)]
		var want [][]int
		for _, s := range all {
			if !slices.ContainsFunc(taken, func(o int) bool { return !slices.Contains(s, o) }) {
				want = append(want, s)
			}
		}
		met += len(want)
		r := p.Residual(taken)
		if r == nil {
			if len(want) > 0 {
				t.Errorf("seed %d: no residual of %v, want %d solutions", seed, taken, len(want))
			}
			continue
		}
		if err := r.Problem.Validate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		rest, err := oracle.Solutions(r.Problem)
		if err != nil {
			t.Fatal(err)
		}
		var got [][]int
		for _, s := range rest {
			whole := slices.Clone(taken)
			for _, k := range s {
				whole = append(whole, r.Options[k])
			}
			slices.Sort(whole)
			got = append(got, whole)
		}
		slices.SortFunc(got, slices.Compare)
		slices.SortFunc(want, slices.Compare)
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("seed %d: with %v\n got %v\nwant %v", seed, taken, got, want)
		}
	}
	if met < 500 {
		t.Errorf("only %d solutions were compared", met)
	}
}
