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

// allWays goes back along every rank and returns the options below most of each way. Ways and
// options are sorted.
func allWays(t testing.TB, a *automaton.Automaton, h History, most int) [][]int {
	t.Helper()
	var ranks []*big.Int
	for r := range h.Total().Int64() {
		ranks = append(ranks, big.NewInt(r))
	}
	paths, err := h.Unrank(context.Background(), ranks, nil)
	if err != nil {
		t.Fatal(err)
	}
	var ways [][]int
	for _, path := range paths {
		way := []int{}
		for i, v := range path {
			if i > 0 && v >= path[i-1] {
				t.Fatalf("variables %v do not fall", path)
			}
			if o := a.Variables[v]; o < most {
				way = append(way, o)
			}
		}
		slices.Sort(way)
		ways = append(ways, way)
	}
	slices.SortFunc(ways, slices.Compare[[]int])
	return ways
}

func remembered(t testing.TB, a *automaton.Automaton, c Config) History {
	t.Helper()
	h, err := Remember(context.Background(), a, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestWalkIsOneToOne: for random covers, with counters of all kinds and keys of all widths, the
// ways of all ranks are the solutions, each once. So a uniform rank is a uniform solution.
func TestWalkIsOneToOne(t *testing.T) {
	walked, words, kinds := 0, map[int]int{}, map[string]int{}
	for seed := range uint64(testkit.Size(200, 500)) {
		p := randomCover(seed, 11)
		want, err := oracle.Solutions(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, apart := range []int{0, 65, 120, 190, 260} {
			wide, order := stretch(p, apart)
			a, err := automaton.Compile(context.Background(), wide, order)
			if errors.Is(err, automaton.ErrTooWide) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if !a.Feasible {
				continue
			}
			h := remembered(t, a, Config{Threads: 1, chunk: 3})
			if got := allWays(t, a, h, len(p.Options)); !slices.EqualFunc(got, want, slices.Equal) {
				t.Fatalf("seed %d apart %d: ways %v, want %v", seed, apart, got, want)
			}
			if len(want) > 1 {
				walked++
				words[a.Words]++
				for _, f := range a.Layout().Counters {
					kinds[fmt.Sprint(f.Saturating, f.Width > 1)]++
				}
			}
		}
	}
	if walked < testkit.Size(200, 500) || len(words) < len(key.Widths()) || len(kinds) < 3 {
		t.Errorf("%d covers, by words of a key %v, with counters of kinds %v", walked, words, kinds)
	}
}

// TestWalkWithinMemory: for any memory and number of threads, the same ways are found, and the
// limit is kept.
func TestWalkWithinMemory(t *testing.T) {
	for _, c := range []struct {
		board  string
		pieces []string
	}{
		{"14x5", []string{"tetrominoes=any", "monomino=any"}},
		{"70x4", []string{"tetrominoes=any", "monomino=any"}}, // steps repeat, counts widen
		{"8x9", []string{"domino=any", "I3=0..4"}},
		{"4x10", []string{"L5", "P5", "U5", "V5", "N5", "I5", "Y5", "Z5"}},
	} {
		a, err := automaton.Compile(context.Background(), problem(t, c.board, c.pieces...))
		if err != nil {
			t.Fatal(err)
		}
		all := remembered(t, a, Config{chunk: 500, Threads: 1})
		ranks := someRanks(all.Total(), 200)
		want, err := all.Unrank(context.Background(), ranks, nil)
		if err != nil {
			t.Fatal(err)
		}
		once := all.Effort()
		var made []float64
		for _, share := range []float64{1.1, 0.8, 0.5, 0.4, 0.3, 0.2, 0.15, 0.1, 0.05} {
			limit := int64(share * float64(once.Bytes))
			conf := Config{chunk: 500, Threads: 1 + len(made)%3, Memory: limit}
			h, err := Remember(context.Background(), a, conf, nil)
			if err == nil {
				var got [][]uint32
				kept := h.(*history[[1]uint64])
				watch := func(float64) {
					if held := kept.bytes(kept.levels); held > limit {
						t.Errorf("%s, within %d bytes: %d held", c.board, limit, held)
					}
				}
				if got, err = h.Unrank(context.Background(), ranks, watch); err == nil && !reflect.DeepEqual(got, want) {
					t.Fatalf("%s, within %d bytes: other ways", c.board, limit)
				}
			}
			if err != nil {
				if share > 0.5 || !errors.Is(err, ErrMemory) {
					t.Errorf("%s, within %d of %d bytes: %v", c.board, limit, once.Bytes, err)
				}
				continue
			}
			if peak := h.Effort().Bytes; peak > limit {
				t.Errorf("%s, within %d bytes: %d held", c.board, limit, peak)
			}
			made = append(made, float64(h.Effort().States)/float64(once.States))
		}
		// All levels once; twice but for those kept; some three times.
		if last := len(made) - 1; last < 3 || made[0] != 1 || made[1] < 1.3 || made[last] < 1.7 || made[last] > 6 {
			t.Errorf("%s: how often levels were made: %v", c.board, made)
		}
	}
}

// someRanks returns 0, the last rank, and other ranks below total.
func someRanks(total *big.Int, n int) []*big.Int {
	rng := rand.NewChaCha8([32]byte{1})
	ranks := []*big.Int{new(big.Int), new(big.Int).Sub(total, big.NewInt(1))}
	bytes := make([]byte, total.BitLen()/8+8)
	for len(ranks) < n {
		_, _ = rng.Read(bytes)
		r := new(big.Int).SetBytes(bytes)
		ranks = append(ranks, r.Mod(r, total))
	}
	return ranks
}
