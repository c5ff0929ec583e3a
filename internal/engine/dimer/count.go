package dimer

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/pavage/pavage/cover"
)

// Config holds the limits of a count, and a callback for its progress.
type Config struct {
	Threads  int                // number of goroutines; 0 means one
	Memory   int64              // limit in bytes; 0 means no limit
	Progress func(done, of int) // if not nil, called after each residue; calls do not overlap
}

// Cost is the work and the memory of a count.
type Cost struct {
	Primes   int   // the number of primes modulo which determinants are found
	Entries  int64 // number of entries of the matrix, counted once for each prime
	Products int64 // the approximate number of multiplications modulo primes
	Bytes    int64 // bytes that each thread needs
	Width    int   // largest number of unknowns at the same time
	Shared   int64 // bytes that all threads share
}

// Cost returns the cost of Count.
func (m *Matrix) Cost() Cost {
	c := Cost{Shared: m.bytes(), Bytes: m.threadBytes()}
	for _, p := range m.parts {
		c.Primes, c.Width = max(c.Primes, p.primes), max(c.Width, p.width)
		c.Entries += int64(p.primes) * int64(len(p.arcs))
		c.Products += int64(p.primes) * p.cost
	}
	return c
}

func (m *Matrix) bytes() int64 {
	n := int64(len(m.negative)) * 10
	for _, p := range m.parts {
		n += 16*int64(len(p.rows)) + 12*int64(len(p.arcs)) + 4*int64(len(p.frees))
	}
	return n
}

func (m *Matrix) threadBytes() int64 {
	most := int64(0)
	for _, p := range m.parts {
		most = max(most, p.bytes()+5*int64(len(p.rows))+32*int64(p.places))
	}
	return most + 16*int64(len(m.weight))
}

// Count returns the sum of the weights of the perfect matchings, where the weight of a matching is
// the product of the weights of its edges. The error is the error of ctx, or wraps cover.ErrMemory.
func (m *Matrix) Count(ctx context.Context, c Config) (*big.Int, error) {
	if m.none {
		return new(big.Int), nil
	}
	factors, err := m.factors(ctx, c)
	if err != nil {
		return nil, err
	}
	return m.total(factors), nil
}

// total returns the count: the product of factors, which are the counts of the parts. On a torus
// the factors are four determinants. Two matchings on a torus differ by cycles that go around it
// an even or an odd number of times in each of two directions. This gives four classes, with N₀
// matchings (among them a known one), N₁, N₂ and N₃. The determinants are (Kasteleyn 1961,
// Galluccio and Loebl 1999, Tesler 2000; Cimasoni and Reshetikhin 2007):
//
//	N₀+N₁+N₂-N₃   N₀+N₁-N₂+N₃   N₀-N₁+N₂+N₃   N₀-N₁-N₂-N₃
//
// The last determinant is the least. The count is sum/2 - least, where sum is the sum of all four.
func (m *Matrix) total(factors []*big.Int) *big.Int {
	if !m.torus {
		return product(factors)
	}
	sum, least := new(big.Int), factors[0]
	for _, n := range factors {
		if sum.Add(sum, n); n.Cmp(least) < 0 {
			least = n
		}
	}
	return sum.Sub(sum.Rsh(sum, 1), least)
}

func (m *Matrix) factors(ctx context.Context, c Config) ([]*big.Int, error) {
	primes := primesUpTo(m.Cost().Primes)
	residues, err := m.residues(ctx, c, primes)
	if err != nil {
		return nil, err
	}
	factors := make([]*big.Int, len(m.parts))
	for i, p := range m.parts {
		of := make([]uint64, p.primes)
		for k := range of {
			of[k] = residues[k][i]
		}
		if factors[i] = newRemainders(primes[:p.primes]).number(of); ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if m.torus {
			factors[i] = signed(factors[i], primes[:p.primes])
		}
		if p.squared {
			if factors[i], err = root(factors[i]); err != nil {
				return nil, err
			}
		}
	}
	return factors, nil
}

func root(square *big.Int) (*big.Int, error) {
	n := new(big.Int).Sqrt(square)
	if new(big.Int).Mul(n, n).Cmp(square) != 0 {
		return nil, errors.New("internal error: the determinant of a skew-symmetric matrix is not a square")
	}
	return n, nil
}

// signed returns the number nearest to 0 that is equal to n modulo the product of primes.
func signed(n *big.Int, primes []uint64) *big.Int {
	modulus := big.NewInt(1)
	for _, p := range primes {
		modulus.Mul(modulus, new(big.Int).SetUint64(p))
	}
	if new(big.Int).Lsh(n, 1).Cmp(modulus) > 0 {
		n.Sub(n, modulus)
	}
	return n
}

// Modulo returns the remainder of Count modulo an odd prime below 2^62.
func (m *Matrix) Modulo(ctx context.Context, prime uint64, c Config) (uint64, error) {
	if m.none {
		return 0, nil
	}
	if _, err := m.threads(Config{Memory: c.Memory}); err != nil {
		return 0, err
	}
	// A square root, and the least of the four determinants of a torus, need exact determinants.
	if m.torus || slices.ContainsFunc(m.parts, func(p *part) bool { return p.squared }) {
		n, err := m.Count(ctx, c)
		if err != nil {
			return 0, err
		}
		p := new(big.Int).SetUint64(prime)
		return p.Mod(n, p).Uint64(), nil
	}
	f := newField(prime)
	e := newEliminator(ctx, f, m)
	product := f.one
	for _, p := range m.parts {
		d, err := e.run(p)
		if err != nil {
			return 0, err
		}
		product = f.mul(product, d)
	}
	return f.out(product), nil
}

func (m *Matrix) threads(c Config) (int, error) {
	n, each := max(1, c.Threads), m.threadBytes()
	if c.Memory <= 0 {
		return n, nil
	}
	if need := m.bytes() + each; need > c.Memory {
		return 0, fmt.Errorf("%w: the determinant needs %d bytes of memory, but only %d bytes are left", cover.ErrMemory, need, c.Memory)
	}
	return int(min(int64(n), (c.Memory-m.bytes())/max(1, each))), nil
}

func (m *Matrix) residues(ctx context.Context, c Config, primes []uint64) ([][]uint64, error) {
	threads, err := m.threads(c)
	if err != nil {
		return nil, err
	}
	residues := make([][]uint64, len(primes))
	var done progress
	err = each(ctx, threads, len(primes), func(ctx context.Context, k int) (err error) {
		residues[k], err = m.modulo(ctx, k, primes[k])
		done.tell(c, len(primes))
		return err
	})
	return residues, err
}

func each(ctx context.Context, threads, n int, do func(ctx context.Context, k int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(threads, n) {
		wait.Go(func() {
			for k := next.Add(1) - 1; int(k) < n && ctx.Err() == nil; k = next.Add(1) - 1 {
				if err := do(ctx, int(k)); err != nil {
					stop(err)
				}
			}
		})
	}
	wait.Wait()
	return context.Cause(ctx)
}

func (m *Matrix) modulo(ctx context.Context, k int, prime uint64) ([]uint64, error) {
	e := newEliminator(ctx, newField(prime), m)
	residues := make([]uint64, len(m.parts))
	for i, p := range m.parts {
		if p.primes <= k {
			continue
		}
		d, err := e.run(p)
		if err != nil {
			return nil, err
		}
		residues[i] = e.out(d)
	}
	return residues, nil
}

type progress struct {
	sync.Mutex
	done int
}

func (p *progress) tell(c Config, of int) {
	p.Lock()
	defer p.Unlock()
	if p.done++; c.Progress != nil {
		c.Progress(p.done, of)
	}
}
