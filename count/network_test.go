package count

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/testkit"
)

const pathLinks = 12

// network is a cover of a random network: each link is on exactly one path; paths have at most
// pathLinks links and visit no node twice.
func network(seed uint64, nodes, links int) *cover.Problem {
	rng := rand.New(rand.NewPCG(seed, 5))
	type link struct{ from, to int }
	var all []link
	for n := 1; n < nodes; n++ {
		all = append(all, link{rng.IntN(n), n})
	}
	for len(all) < links {
		if l := (link{rng.IntN(nodes), rng.IntN(nodes)}); l.from != l.to {
			all = append(all, l)
		}
	}
	p := &cover.Problem{Items: slices.Repeat([]cover.Item{{Min: 1, Max: 1}}, links)}
	var walk func(at int, seen []int, path cover.Option)
	walk = func(at int, seen []int, path cover.Option) {
		if len(path) > 0 && seen[0] < at {
			option := slices.Clone(path)
			slices.SortFunc(option, func(a, b cover.Use) int { return a.Item - b.Item })
			p.Options = append(p.Options, option)
		}
		if len(path) == pathLinks {
			return
		}
		for i, l := range all {
			for _, x := range []link{l, {l.to, l.from}} {
				if x.from == at && !slices.Contains(seen, x.to) {
					longer := append(slices.Clone(path), cover.Use{Item: i, Times: 1})
					walk(x.to, append(slices.Clone(seen), x.to), longer)
				}
			}
		}
	}
	for n := range nodes {
		walk(n, []int{n}, nil)
	}
	return p
}

// TestNetwork: sweeps of covers without orders meet few states. In the breadth-first walks, they
// met 59,838, 42,658 and 16,735; the diagrams have the same order.
func TestNetwork(t *testing.T) {
	for seed, most := range []int64{21_000, 18_500, 14_000} {
		p := network(uint64(seed), 24, 26)
		swept, err := Count(t.Context(), p, Sweep, Options{})
		if err != nil {
			t.Fatal(err)
		}
		diagram, err := Count(t.Context(), p, Diagram, Options{})
		if err != nil {
			t.Fatal(err)
		}
		searched, err := Count(t.Context(), p, Search, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if swept.Count.Cmp(searched.Count) != 0 || diagram.Count.Cmp(searched.Count) != 0 || swept.Count.Sign() == 0 {
			t.Errorf("seed %d: %v by sweep, %v by diagram, %v by search", seed, swept.Count, diagram.Count, searched.Count)
		}
		if swept.States > most {
			t.Errorf("seed %d: %d options, %d states of a sweep, want at most %d", seed, len(p.Options), swept.States, most)
		}
	}
}

// TestWithoutOrders: sweeps and diagrams of covers without orders have the count of the oracle.
func TestWithoutOrders(t *testing.T) {
	for seed := range uint64(testkit.Size(100, 1000)) {
		rng := rand.New(rand.NewPCG(seed, 62))
		p := []func(*rand.Rand) *cover.Problem{oracle.Random, oracle.RandomGrid}[seed%2](rng)
		p.Orders = nil
		want, err := oracle.Count(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, swept := range []func() (*Result, error){
			func() (*Result, error) { return countBySweep(t.Context(), p, Options{}) },
			func() (*Result, error) {
				c, err := compileSwept(t.Context(), p, Options{})
				if err != nil {
					return nil, err
				}
				return &c.Result, nil
			},
		} {
			if r, err := swept(); err != nil || !r.Count.IsInt64() || r.Count.Int64() != int64(want) {
				t.Errorf("seed %d: %+v, %v, the oracle has %d", seed, r, err, want)
			}
		}
	}
}
