package sweep

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/testkit"
)

// someWeights returns weights by option: 0, 1, small, of several limbs, and powers of 2^64.
func someWeights(rng *rand.Rand, options int) []*big.Int {
	weights := make([]*big.Int, options)
	for o := range weights {
		w := big.NewInt(rng.Int64N(9))
		switch rng.IntN(6) {
		case 0:
			w = nil
		case 1:
			w = new(big.Int).Lsh(big.NewInt(1), uint(rng.IntN(3)*64))
		case 2:
			w.Add(w.Lsh(w, 100), big.NewInt(3))
		}
		weights[o] = w
	}
	return weights
}

// byVariable returns weights by variable; options beyond the list have none.
func byVariable(a *automaton.Automaton, weights []*big.Int) []*big.Int {
	if weights == nil {
		return nil
	}
	var all []*big.Int
	for _, o := range a.Variables {
		if o < len(weights) {
			all = append(all, weights[o])
		} else {
			all = append(all, nil)
		}
	}
	return all
}

// weighed returns the total weight of some solutions, and of the solutions with each option.
func weighed(solutions [][]int, weights []*big.Int, options int) (total *big.Int, of []*big.Int) {
	total, of = new(big.Int), make([]*big.Int, options)
	for o := range of {
		of[o] = new(big.Int)
	}
	for _, s := range solutions {
		w := big.NewInt(1)
		for _, o := range s {
			if weights != nil && weights[o] != nil {
				w.Mul(w, weights[o])
			}
		}
		total.Add(total, w)
		for _, o := range s {
			of[o].Add(of[o], w)
		}
	}
	return total, of
}

func marginalsOf(t testing.TB, h History) []*big.Int {
	t.Helper()
	m, err := h.Marginals(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func same(a, b []*big.Int) bool {
	return slices.EqualFunc(a, b, func(x, y *big.Int) bool { return x.Cmp(y) == 0 })
}

// TestWeightedLevels compares weighted totals and marginals of random covers, with
// counters, colours and keys of all widths, with lists of the solutions.
func TestWeightedLevels(t *testing.T) {
	seen, words := 0, map[int]int{}
	for seed := range uint64(testkit.Size(30, 160)) {
		p := randomCover(seed, 21)
		solutions, err := oracle.Solutions(p)
		if err != nil {
			t.Fatal(err)
		}
		weights := someWeights(rand.New(rand.NewPCG(seed, 22)), len(p.Options))
		if seed%4 == 0 {
			weights = nil
		}
		total, of := weighed(solutions, weights, len(p.Options))
		for _, apart := range []int{0, 65, 120, 190, 260} {
			wide, order := stretch(p, apart)
			a, err := automaton.Compile(context.Background(), wide, order)
			if errors.Is(err, automaton.ErrTooWide) || err == nil && !a.Feasible {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			h := remembered(t, a, Config{Threads: 1 + int(seed%3), chunk: 3, Value: Weighted(byVariable(a, weights))})
			if h.Total().Cmp(total) != 0 {
				t.Fatalf("seed %d apart %d: total %v, want %v", seed, apart, h.Total(), total)
			}
			for v, m := range marginalsOf(t, h) {
				if o := a.Variables[v]; o < len(of) && m.Cmp(of[o]) != 0 {
					t.Fatalf("seed %d apart %d: option %d is in %v, want %v", seed, apart, o, m, of[o])
				}
			}
			if len(solutions) > 1 {
				seen++
				words[a.Words]++
			}
		}
	}
	if seen < testkit.Size(50, 100) || len(words) < len(key.Widths()) {
		t.Errorf("%d covers, by words of a key %v", seen, words)
	}
}

// TestWeightedWalk: the number of ranks of each solution is its weight, and the first of them is
// its Rank.
func TestWeightedWalk(t *testing.T) {
	walked := 0
	for seed := range uint64(300) {
		p := randomCover(seed, 23)
		a, err := automaton.Compile(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(seed, 24))
		weights := make([]*big.Int, len(a.Variables))
		for v := range weights {
			weights[v] = big.NewInt(rng.Int64N(4))
		}
		if !a.Feasible {
			continue
		}
		h := remembered(t, a, Config{Threads: 1, Value: Weighted(weights)})
		if h.Total().Cmp(big.NewInt(3000)) > 0 {
			continue
		}
		var ranks []*big.Int
		for r := range h.Total().Int64() {
			ranks = append(ranks, big.NewInt(r))
		}
		ways, err := h.Unrank(context.Background(), ranks, nil)
		if err != nil {
			t.Fatal(err)
		}
		first, times := map[string]int{}, map[string]int64{}
		for r, way := range ways {
			s := fmt.Sprint(way)
			if times[s]++; times[s] == 1 {
				first[s] = r
			}
		}
		for r, way := range ways {
			s, want := fmt.Sprint(way), int64(1)
			for _, v := range way {
				want *= weights[v].Int64()
			}
			rank, err := h.Rank(context.Background(), way)
			if err != nil {
				t.Fatal(err)
			}
			if times[s] != want || rank == nil || rank.Int64() != int64(first[s]) {
				t.Fatalf("seed %d: rank %d is of %v, which has %d ranks, want %d, from %v on, want %d", seed, r, way, times[s], want, rank, first[s])
			}
		}
		if len(first) > 1 {
			walked++
		}
	}
	if walked < 50 {
		t.Errorf("%d covers", walked)
	}
}

// TestMarginalsWithinMemory: for any memory and number of threads, marginals are the same, and the
// limit is kept.
func TestMarginalsWithinMemory(t *testing.T) {
	for _, c := range []struct {
		board  string
		pieces []string
	}{
		{"14x5", []string{"tetrominoes=any", "monomino=any"}},
		{"30x4", []string{"tetrominoes=any", "monomino=any"}}, // counts widen
		{"8x9", []string{"domino=any", "I3=0..4"}},
	}[:testkit.Size(2, 3)] {
		a, err := automaton.Compile(context.Background(), problem(t, c.board, c.pieces...))
		if err != nil {
			t.Fatal(err)
		}
		for _, weighted := range []bool{false, true} {
			var weights []*big.Int
			if weighted {
				weights = someWeights(rand.New(rand.NewPCG(1, 1)), len(a.Variables))
			}
			all := remembered(t, a, Config{chunk: 500, Threads: 1, Value: Weighted(weights)})
			want := marginalsOf(t, all)
			if !all.Whole() {
				t.Fatalf("%s: levels were dropped without a limit", c.board)
			}
			once := all.Effort()
			tight := 0
			for i, share := range []float64{1, 0.6, 0.4, 0.3} {
				conf := Config{chunk: 500, Threads: 1 + i%3, Value: Weighted(weights), Memory: int64(share * float64(once.Bytes))}
				h, err := Remember(context.Background(), a, conf, nil)
				var got []*big.Int
				if err == nil {
					got, err = h.Marginals(context.Background(), nil)
				}
				if err != nil {
					if share > 0.7 || !errors.Is(err, ErrMemory) {
						t.Errorf("%s, %v of %d bytes: %v", c.board, share, once.Bytes, err)
					}
					continue
				}
				if !same(got, want) {
					t.Fatalf("%s, %v of %d bytes: other marginals", c.board, share, once.Bytes)
				}
				if e := h.Effort(); e.Bytes > conf.Memory {
					t.Errorf("%s: %d bytes held, %d allowed", c.board, e.Bytes, conf.Memory)
				} else if e.States > once.States {
					tight++
				}
			}
			if tight < 2 {
				t.Errorf("%s: levels were made again %d times", c.board, tight)
			}
		}
	}
}

// TestMarginalsCover: each cell of an exact cover is in all tilings.
func TestMarginalsCover(t *testing.T) {
	p := problem(t, "8x9", "tetrominoes=any", "monomino=any")
	a, err := automaton.Compile(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	h := remembered(t, a, Config{Threads: 2})
	cells := make([]*big.Int, len(p.Items))
	for v, m := range marginalsOf(t, h) {
		for _, u := range p.Options[a.Variables[v]] {
			if cells[u.Item] == nil {
				cells[u.Item] = new(big.Int)
			}
			cells[u.Item].Add(cells[u.Item], m)
		}
	}
	for _, i := range p.Orders[0] {
		if cells[i].Cmp(h.Total()) != 0 {
			t.Errorf("cell %d is in %v, want %v", i, cells[i], h.Total())
		}
	}
}

func TestMarginalsErrors(t *testing.T) {
	a, err := automaton.Compile(context.Background(), problem(t, "12x12", "domino=any"))
	if err != nil {
		t.Fatal(err)
	}
	h := remembered(t, a, Config{Threads: 2})
	ctx, cancel := context.WithCancel(context.Background())
	told := 0.0
	_, err = h.Marginals(ctx, func(share float64) {
		if share < told || share > 1 {
			t.Errorf("progress %v after %v", share, told)
		}
		if told = share; share > 0.5 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || told > 0.6 {
		t.Errorf("cancelled: %v, at %v", err, told)
	}
	none := make([]*big.Int, len(a.Variables))
	for v := range none {
		none[v] = new(big.Int)
	}
	h = remembered(t, a, Config{Value: Weighted(none)})
	if m := marginalsOf(t, h); h.Total().Sign() != 0 || !reflect.DeepEqual(m, none) {
		t.Errorf("of weights 0: total %v, marginals %v", h.Total(), m)
	}
}

// TestKroneckerStep: with long weights a step is made once, not once for each limb by which counts
// grow.
func TestKroneckerStep(t *testing.T) {
	a, err := automaton.Compile(context.Background(), problem(t, "4x4", "domino=any", "monomino=any"))
	if err != nil {
		t.Fatal(err)
	}
	weights := slices.Repeat([]*big.Int{new(big.Int).Lsh(big.NewInt(1), 64*50)}, len(a.Variables))
	r := New[[1]uint64](a, Config{Threads: 1, Value: Weighted(weights)})
	for r.Level() < a.Steps() {
		if _, err := r.step(context.Background()); err != nil {
			t.Fatalf("level %d: %v", r.Level(), err)
		}
	}
	if r.Total().Sign() == 0 {
		t.Error("no tiling")
	}
}

// TestWeightedRepetition: rows of a board repeat, but their weights do not.
func TestWeightedRepetition(t *testing.T) {
	a, err := automaton.Compile(context.Background(), problem(t, "12x4", "tetrominoes=any", "monomino=any"))
	if err != nil {
		t.Fatal(err)
	}
	weights := someWeights(rand.New(rand.NewPCG(3, 4)), len(a.Variables))
	want, _, _ := trace(t, a, Config{Value: Weighted(weights), once: true})
	if got, _, _ := trace(t, a, Config{Value: Weighted(weights)}); got.Cmp(want) != 0 || got.Sign() == 0 {
		t.Errorf("total %v, want %v", got, want)
	}
}
