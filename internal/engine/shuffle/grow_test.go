package shuffle

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestGrow: the matching of each order covers exactly the diamond in the middle, and the last
// matching is the matching of Draw.
func TestGrow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	restarted := 0
	for round := range 40 {
		n := 1 + r.IntN(9)
		b := aztec(n)
		edges := [2][]int32{b.Right, b.Down}
		ends := map[int32][2]int{}
		weighted := round%2 == 1
		for k, step := range []int{1, b.Cols} {
			for at, e := range edges[k] {
				if e != None {
					ends[e] = [2]int{at, at + step}
				}
			}
		}
		if weighted {
			for range ends {
				b.Weights = append(b.Weights, big.NewInt(1+r.Int64N(5)))
			}
		}
		s, err := New(t.Context(), b, Config{})
		if err != nil {
			t.Fatal(err)
		}
		key := [32]byte{byte(round)}
		orders, err := s.Grow(t.Context(), key)
		if err != nil || !s.Diamond() || len(orders) != n {
			t.Fatalf("order %d: %d matchings, %v", n, len(orders), err)
		}
		for i, matching := range orders {
			var covered, want []int
			for _, e := range matching {
				covered = append(covered, ends[e][0], ends[e][1])
			}
			for at := range b.In {
				x, y := 2*(at/b.Cols)+1-2*n, 2*(at%b.Cols)+1-2*n
				if max(x, -x)+max(y, -y) <= 2*(i+1) {
					want = append(want, at)
				}
			}
			if slices.Sort(covered); !slices.Equal(covered, want) {
				t.Fatalf("order %d of %d covers %v, want %v", i+1, n, covered, want)
			}
		}
		drawn, err := s.Draw(t.Context(), [][32]byte{key}, nil)
		if err != nil || fmt.Sprint(drawn[0]) != fmt.Sprint(orders[n-1]) {
			t.Fatalf("%v grows, %v is drawn: %v", orders[n-1], drawn, err)
		}
		if !weighted {
			continue
		}
		s.slack = 0.1
		again, err := s.Grow(t.Context(), key)
		if err != nil || !slices.EqualFunc(again, orders, slices.Equal) {
			t.Fatalf("%v grows after a restart (%v), %v without: %v", again, s.table.double, orders, err)
		}
		if s.table.double {
			restarted++
		}
	}
	if restarted == 0 {
		t.Error("all coins were decided with float64 numbers")
	}
	broken := aztec(3)
	broken.Right[3*broken.Cols+2] = None
	for name, b := range map[string]*Board{"a square": rectangle(4, 4), "without an edge": broken} {
		if s, err := New(t.Context(), b, Config{}); err != nil || s.Diamond() {
			t.Errorf("%s: a diamond, or %v", name, err)
		}
	}
}
