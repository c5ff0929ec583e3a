package dimer

import (
	"context"
	"fmt"
	"math/big"
	"sync"

	"github.com/pavage/pavage/cover"
)

// Marginals has, for each edge, the sum of the weights of the perfect matchings that have the edge.
// The weight of a matching is the product of the weights of its edges.
type Marginals struct {
	Total    *big.Int   // the sum for all matchings, as returned by Count
	Of       []*big.Int // the sum for each edge of the graph
	Primes   int        // the number of primes modulo which the sums were found
	Products int64      // the approximate number of multiplications modulo primes
	Bytes    int64      // a bound on the memory, in bytes
}

// Marginals finds the marginals of all edges. The error is the error of ctx, or wraps
// cover.ErrMemory.
func (m *Matrix) Marginals(ctx context.Context, c Config) (*Marginals, error) {
	r := &Marginals{Total: new(big.Int), Of: make([]*big.Int, len(m.graph.Edges))}
	for e := range r.Of {
		r.Of[e] = new(big.Int)
	}
	if m.none {
		return r, nil
	}
	if m.torus {
		return r, m.eachWithout(ctx, c, r)
	}
	factors, err := m.factors(ctx, c.part(0, inverseTimes))
	if err != nil {
		return nil, err
	}
	cost := m.Cost()
	r.Primes, r.Products = cost.Primes, cost.Products
	if r.Total.Set(product(factors)); r.Total.Sign() == 0 {
		return r, nil
	}
	i := newInverse(m, factors, r.Total)
	for k, p := range i.parts {
		r.Products += inverseTimes * int64(i.enough[k]) * p.cost
	}
	threads, err := i.threads(c, r)
	if err != nil {
		return nil, err
	}
	if err := i.find(ctx, threads, c.part(1, inverseTimes)); err != nil {
		return nil, err
	}
	return r, i.combine(ctx, threads, r.Of)
}

// For each edge, eachWithout counts the matchings without it. A torus matrix may lack an inverse.
func (m *Matrix) eachWithout(ctx context.Context, c Config, r *Marginals) error {
	quiet := c
	quiet.Progress = nil
	total, err := m.Count(ctx, quiet)
	if err != nil {
		return err
	}
	r.Total = total
	counts := m.MarginalCounts()
	cost, weights := m.Cost(), m.weights()
	r.Primes, r.Products, r.Bytes = cost.Primes, int64(counts)*cost.Products, cost.Shared+int64(max(1, c.Threads))*cost.Bytes
	for e, w := range weights {
		weights[e] = zero
		without, err := m.with(weights).Count(ctx, quiet)
		if err != nil {
			return err
		}
		r.Of[e].Sub(total, without)
		if weights[e] = w; c.Progress != nil {
			c.Progress(e+2, counts)
		}
	}
	return nil
}

// MarginalCounts returns the cost of Marginals as a number of calls of Count.
func (m *Matrix) MarginalCounts() int {
	if m.torus {
		return 1 + len(m.graph.Edges)
	}
	return 1 + inverseTimes
}

const inverseTimes = 3

// part returns a copy of c for a part of the work. The whole work has 1+times equal units. If first
// is 0, the part is the first unit, else the rest. The new Progress reports on the whole work.
func (c Config) part(first, times int) Config {
	if tell := c.Progress; tell != nil {
		c.Progress = func(done, of int) {
			if first == 0 {
				tell(done, (1+times)*of)
			} else {
				tell(of+times*done, (1+times)*of)
			}
		}
	}
	return c
}

type inverse struct {
	*Matrix
	factors  []*big.Int // the counts of the parts
	others   []*big.Int // for each part, the product of the counts of the other parts
	enough   []int      // number of primes that suffice for each part
	primes   []uint64   // primes that divide the count of no part
	residues [][]uint64 // for each prime and entry, the marginal of the edge in its part, modulo the prime
}

func newInverse(m *Matrix, factors []*big.Int, total *big.Int) *inverse {
	i := &inverse{Matrix: m, factors: factors, others: make([]*big.Int, len(factors)), enough: make([]int, len(factors))}
	most := 0
	for k, n := range factors {
		i.others[k] = new(big.Int).Quo(total, n)
		i.enough[k] = primesAbove(n)
		most = max(most, i.enough[k])
	}
	i.primes = primesBeside(most, total)
	i.residues = make([][]uint64, len(i.primes))
	return i
}

func (i *inverse) threads(c Config, r *Marginals) (int, error) {
	most, tape := 0, int64(0)
	for k, p := range i.parts {
		most = max(most, i.factors[k].BitLen()+i.others[k].BitLen())
		tape = max(tape, p.bytes()+12*p.tape)
	}
	edges := int64(len(i.weight))
	shared := i.bytes() + edges*(8*int64(len(i.primes))+int64(most/8)+48)
	each := i.threadBytes() + tape + 8*edges
	n := int64(max(1, c.Threads))
	if c.Memory > 0 {
		if need := shared + each; need > c.Memory {
			return 0, fmt.Errorf("%w: marginals by determinants need %d bytes of memory, but only %d bytes are left", cover.ErrMemory, need, c.Memory)
		}
		n = min(n, (c.Memory-shared)/max(1, each))
	}
	r.Bytes = shared + n*each
	return int(n), nil
}

func (i *inverse) find(ctx context.Context, threads int, c Config) error {
	var done progress
	tapes := sync.Pool{New: func() any { return &tape{} }}
	return each(ctx, threads, len(i.primes), func(ctx context.Context, k int) error {
		spare := tapes.Get().(*tape)
		defer tapes.Put(spare)
		v := newInverter(newEliminator(ctx, newField(i.primes[k]), i.Matrix), spare)
		for n, p := range i.parts {
			if i.enough[n] <= k {
				continue
			}
			if _, err := v.run(p); err != nil {
				return err
			}
			count := v.in(i.factors[n])
			for _, a := range p.arcs {
				v.shares[a.edge] = v.out(v.mul(v.shares[a.edge], count))
			}
		}
		i.residues[k] = v.shares
		done.tell(c, len(i.primes))
		return nil
	})
}

func (i *inverse) combine(ctx context.Context, threads int, of []*big.Int) error {
	spare := sync.Pool{New: func() any { return map[int]*remainders{} }}
	for n, p := range i.parts {
		err := each(ctx, threads, len(p.rows), func(_ context.Context, k int) error {
			known := spare.Get().(map[int]*remainders)
			defer spare.Put(known)
			r := known[i.enough[n]]
			if r == nil {
				r = newRemainders(i.primes[:i.enough[n]])
				known[i.enough[n]] = r
			}
			residues := make([]uint64, i.enough[n])
			for _, a := range p.arcs[p.rows[k].known:p.rows[k].end] {
				if i.mirrored[a.edge] {
					continue
				}
				for j := range residues {
					residues[j] = i.residues[j][a.edge]
				}
				number := r.number(residues)
				of[i.edge[a.edge]] = number.Mul(number, i.others[n])
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
