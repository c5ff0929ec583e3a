package subsetsum

import (
	"math/rand/v2"
	"testing"
)

// TestAgainstAll compares the sums of random pieces with the sums of all choices of copies.
func TestAgainstAll(t *testing.T) {
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		most := Pair{rng.IntN(7), rng.IntN(7)}
		s, all := New(most), map[Pair]bool{{}: true}
		for range rng.IntN(4) {
			pairs := make([]Pair, 1+rng.IntN(3))
			for i := range pairs {
				pairs[i] = Pair{rng.IntN(4), rng.IntN(4)}
			}
			least, high := rng.IntN(3), rng.IntN(5)
			s.Add(pairs, least, high)
			next, exactly := map[Pair]bool{}, all
			for n := 0; n <= high; n++ {
				more := map[Pair]bool{}
				for sum := range exactly {
					if n >= least {
						next[sum] = true
					}
					for _, p := range pairs {
						more[Pair{sum.Black + p.Black, sum.White + p.White}] = true
					}
				}
				exactly = more
			}
			all = next
		}
		for b := range most.Black + 1 {
			for w := range most.White + 1 {
				want := false
				for sum := range all {
					want = want || sum.Black >= b && sum.Black <= most.Black && sum.White >= w && sum.White <= most.White
				}
				if got := s.Reaches(Pair{b, w}); got != want {
					t.Fatalf("seed %d: at least (%d, %d) of %v: %t, expected %t", seed, b, w, most, got, want)
				}
			}
		}
	}
}

// TestGiveUp: sums that would cost too many steps are given up.
func TestGiveUp(t *testing.T) {
	s := New(Pair{2048, 2048})
	for range 100 {
		s.Add([]Pair{{2, 4}, {3, 3}, {4, 2}}, 0, 600)
	}
	if !s.gaveUp || s.work > 2*maxWords {
		t.Errorf("%d words, gave up: %t", s.work, s.gaveUp)
	}
}
