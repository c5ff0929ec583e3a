package count

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/testkit"
)

// TestParts compares all that this package does with covers of several parts with the oracle.
func TestParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 2))
	several, shared := 0, 0
	for k := range testkit.Size(300, 1500) {
		p := oracle.RandomParts(rng)
		want, err := oracle.Within(p, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		s, err := apart(t.Context(), p, Auto, true)
		if err != nil {
			t.Fatal(err)
		}
		if s != nil && len(s.Parts) > 1 {
			several++
			problems := 0
			for range different(s) {
				problems++
			}
			if problems < len(s.Parts) {
				shared++
			}
		}
		if err := checkParts(t, rng, p, want); err != nil {
			t.Fatalf("cover %d, items %v, options %v: %v", k, p.Items, p.Options, err)
		}
	}
	if several < 100 || shared < 20 {
		t.Errorf("%d covers of several parts, %d with equal parts, want more", several, shared)
	}
}

// checkParts compares counts, lists, ranks, sums and residues of p with its solutions.
func checkParts(t *testing.T, rng *rand.Rand, p *cover.Problem, want [][]int) error {
	ctx, o := t.Context(), Options{Limits: Limits{Threads: 1 + rng.IntN(2)}}
	n := big.NewInt(int64(len(want)))
	for _, e := range []Engine{Auto, Sweep, Search, Diagram} {
		if r, err := Count(ctx, p, e, o); err != nil || r.Count.Cmp(n) != 0 {
			return fmt.Errorf("%s: %v, %w, want %v", e, r, err, n)
		}
	}
	c, err := OpenCheckpoint(t.TempDir(), 0, nil)
	if err != nil {
		return err
	}
	defer c.Close()
	if r, err := c.Count(ctx, p, o); err != nil || r.Count.Cmp(n) != 0 {
		return fmt.Errorf("with a checkpoint: %v, %w, want %v", r, err, n)
	}
	moduli := []uint64{2, 7, 1<<61 - 1}
	residues, _, err := Residues(ctx, p, moduli, nil, o)
	if err != nil {
		return err
	}
	for i, m := range moduli {
		if residues[i] != uint64(len(want))%m {
			return fmt.Errorf("%d modulo %d, want the remainder of %d", residues[i], m, len(want))
		}
	}
	var listed [][]int
	if err := Each(ctx, p, Listing{}, func(options []int) bool {
		listed = append(listed, slices.Clone(options))
		return true
	}); err != nil {
		return err
	}
	if len(listed) > 0 {
		from := rng.IntN(len(listed))
		rest := listed[from+1:]
		if err := Each(ctx, p, Listing{After: listed[from]}, func(options []int) bool {
			if len(rest) == 0 || !slices.Equal(options, rest[0]) {
				err = fmt.Errorf("after %v: %v, want the first of %v", listed[from], options, rest)
				return false
			}
			rest = rest[1:]
			return true
		}); err != nil || len(rest) > 0 {
			return fmt.Errorf("after %v: %w, and %v is missing", listed[from], err, rest)
		}
		if err != nil {
			return err
		}
	}
	slices.SortFunc(listed, slices.Compare)
	if !slices.EqualFunc(listed, want, slices.Equal) {
		return fmt.Errorf("listed %v, want %v", listed, want)
	}
	weights := make([]*big.Rat, len(p.Options))
	for i := range weights {
		weights[i] = big.NewRat(int64(rng.IntN(4)), int64(1+rng.IntN(3)))
	}
	for _, e := range []Engine{Auto, Sweep, Diagram} {
		for _, of := range [][]*big.Rat{nil, weights} {
			o.Engine, o.Weights = e, of
			set, _, err := Solve(ctx, p, ForRanks, o)
			if err == nil {
				err = checkSet(t, rng, p, set, want, of)
			}
			if err != nil {
				return fmt.Errorf("%s, weights %v: %w", e, of, err)
			}
		}
	}
	o.Engine, o.Weights = Auto, nil
	if len(p.Options) > 1 {
		sets := [][]int{{0}, {1}}
		copies, err := ByCopies(ctx, p, sets, o)
		if err != nil {
			return err
		}
		for _, row := range copies.Rows {
			has := 0
			for _, solution := range want {
				if slices.Contains(solution, 0) == (row.Copies[0] == 1) && slices.Contains(solution, 1) == (row.Copies[1] == 1) {
					has++
				}
			}
			if row.Count.Cmp(big.NewInt(int64(has))) != 0 {
				return fmt.Errorf("%v solutions with %v of options 0 and 1, want %d", row.Count, row.Copies, has)
			}
		}
		if copies.Count.Cmp(n) != 0 {
			return fmt.Errorf("%v solutions by copies, want %v", copies.Count, n)
		}
	}
	return nil
}

// checkSet compares a set with the solutions of p, whose options may have weights.
func checkSet(t *testing.T, rng *rand.Rand, p *cover.Problem, set Set, want [][]int, weights []*big.Rat) error {
	ctx := t.Context()
	weight := func(solution []int) *big.Rat {
		w := big.NewRat(1, 1)
		for _, o := range solution {
			if weights != nil {
				w.Mul(w, weights[o])
			}
		}
		return w
	}
	check := func(sums Sums, excluded int) error {
		total, of := new(big.Rat), make([]*big.Rat, len(p.Options))
		for o := range of {
			of[o] = new(big.Rat)
		}
		for _, solution := range want {
			if slices.Contains(solution, excluded) {
				continue
			}
			w := weight(solution)
			total.Add(total, w)
			for _, o := range solution {
				of[o].Add(of[o], w)
			}
		}
		m, err := sums.Marginals(ctx)
		if err != nil || sums.Weight().Cmp(total) != 0 || m.Total.Cmp(total) != 0 {
			return fmt.Errorf("without %d: weight %v, marginals %v, %w, want %v", excluded, sums.Weight(), m, err, total)
		}
		for o := range of {
			if m.Of[o].Cmp(of[o]) != 0 {
				return fmt.Errorf("without %d: %v of option %d, want %v", excluded, m.Of[o], o, of[o])
			}
		}
		return nil
	}
	if err := check(set, -1); err != nil {
		return err
	}
	if len(p.Options) > 0 {
		o := rng.IntN(len(p.Options))
		sums, err := set.Without(ctx, []int{o})
		if err == nil {
			err = check(sums, o)
		}
		if err != nil {
			return err
		}
	}
	ranks := set.Ranks()
	if weights == nil && (set.Count().Cmp(ranks) != 0 || ranks.Int64() != int64(len(want))) {
		return fmt.Errorf("%v ranks of %v solutions, want %d", ranks, set.Count(), len(want))
	}
	times, all := map[string]int64{}, ranks.Int64()
	if all > 1000 {
		return nil
	}
	var list []*big.Int
	for r := range all {
		list = append(list, big.NewInt(r))
	}
	r := 0
	for options, err := range set.Unrank(ctx, list) {
		if err != nil {
			return err
		}
		if weights == nil {
			if back, err := set.Rank(ctx, options); err != nil || back.Int64() != int64(r) {
				return fmt.Errorf("rank %v of %v, %w, want %d", back, options, err, r)
			}
		}
		r++
		slices.Sort(options)
		times[fmt.Sprint(options)]++
	}
	for _, solution := range want {
		ways := new(big.Rat).SetInt64(all)
		if w := set.Weight(); w.Sign() > 0 {
			ways.Quo(ways.Mul(ways, weight(solution)), w)
		}
		if got := times[fmt.Sprint(solution)]; ways.Cmp(new(big.Rat).SetInt64(got)) != 0 {
			return fmt.Errorf("%d ranks of %v, want %v of %d", got, solution, ways, all)
		}
		delete(times, fmt.Sprint(solution))
	}
	if len(times) > 0 {
		return fmt.Errorf("ranks of %v, which are no solutions", times)
	}
	if weights == nil && len(p.Options) > 0 {
		some := []int{rng.IntN(len(p.Options))}
		if !p.IsSolution(some) {
			if _, err := set.Rank(ctx, some); !errors.Is(err, ErrMember) {
				return fmt.Errorf("rank of %v: %w, want %w", some, err, ErrMember)
			}
		}
	}
	return nil
}
