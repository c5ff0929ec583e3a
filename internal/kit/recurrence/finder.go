package recurrence

import (
	"context"
	"fmt"
	"math/big"
	"slices"
)

// Finder finds the least order of a recurrence of its terms. The zero value has no terms.
type Finder struct {
	terms []*big.Int
	first *massey // the algorithm modulo the first prime, after all terms
}

// Add appends the next term. The caller must not change it.
func (f *Finder) Add(term *big.Int) {
	if f.first == nil {
		f.first = newMassey(primeBelow(1 << 62))
	}
	f.terms = append(f.terms, term)
	f.first.add(residue(term, f.first.p))
}

// Terms returns the terms. The caller must not change them.
func (f *Finder) Terms() []*big.Int { return f.terms }

// Order returns the least order modulo a prime, which is at most the least order over the integers.
func (f *Finder) Order() int {
	if f.first == nil {
		return 0
	}
	return f.first.order
}

// Recurrence returns the recurrence of least order that all terms obey. If more terms are needed or
// the coefficients are not integers, the error wraps ErrNone. If ctx ends, the error is from ctx.
func (f *Finder) Recurrence(ctx context.Context) (*Recurrence, error) {
	if f.first == nil {
		return &Recurrence{}, nil
	}
	c := &lift{least: f.first.p}
	c.begin(f.first)
	for range maxPrimes {
		if 2*c.order > len(f.terms) {
			return nil, fmt.Errorf("%w: the %d terms obey no recurrence of order %d or less",
				ErrNone, len(f.terms), len(f.terms)/2)
		}
		copied := make([]*big.Int, len(c.coefficients))
		for i, x := range c.coefficients {
			copied[i] = new(big.Int).Set(x)
		}
		r := &Recurrence{Coefficients: copied, Initial: f.terms[:c.order]}
		m := newMassey(primeBelow(c.least))
		for i, t := range f.terms {
			if i%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			m.add(residue(t, m.p))
		}
		if !c.join(m) {
			continue
		}
		if ok, err := r.holds(ctx, f.terms); ok || err != nil {
			return r, err
		}
	}
	return nil, fmt.Errorf("%w: its coefficients are not integers of at most %d bits",
		ErrNone, 61*maxPrimes)
}

// maxPrimes primes suffice for coefficients of 61,000 bits.
const maxPrimes = 1000

type lift struct {
	order        int
	modulus      *big.Int
	coefficients []*big.Int // from -modulus/2 to modulus/2
	least        uint64     // the smallest prime that was used so far
}

func (c *lift) begin(m *massey) {
	c.order = m.order
	c.modulus = new(big.Int).SetUint64(m.p)
	c.coefficients = make([]*big.Int, m.order)
	for i := range c.coefficients {
		c.coefficients[i] = symmetric(new(big.Int).SetUint64(m.coefficient(i+1)), c.modulus)
	}
}

// join combines c with the coefficients modulo another prime, and reports whether the coefficients
// are unchanged. It ignores the prime if the order modulo the prime is smaller than c.order.
func (c *lift) join(m *massey) (unchanged bool) {
	c.least = m.p
	switch {
	case m.order < c.order:
		return false
	case m.order > c.order:
		c.begin(m)
		return false
	}
	unchanged = true
	inverse := power(residue(c.modulus, m.p), m.p-2, m.p)
	next := new(big.Int).Mul(c.modulus, new(big.Int).SetUint64(m.p))
	for i, x := range c.coefficients {
		miss := sub(m.coefficient(i+1), residue(x, m.p), m.p)
		if miss != 0 {
			unchanged = false
			step := new(big.Int).SetUint64(mul(miss, inverse, m.p))
			symmetric(x.Add(x, step.Mul(step, c.modulus)), next)
		}
	}
	c.modulus = next
	return unchanged
}

func symmetric(x, m *big.Int) *big.Int {
	x.Mod(x, m)
	if new(big.Int).Lsh(x, 1).Cmp(m) > 0 {
		x.Sub(x, m)
	}
	return x
}

// massey is the algorithm of Berlekamp and Massey modulo p. connection is the connection polynomial
// of a shortest recurrence of the terms.
type massey struct {
	p                    uint64
	terms                []uint64
	order                int
	connection, previous []uint64 // previous is connection before the last change of order
	shift                int      // number of terms since the last change of order, plus 1
	inverse              uint64   // inverse of the discrepancy at the last change of order
}

func newMassey(p uint64) *massey {
	return &massey{p: p, connection: []uint64{1}, previous: []uint64{1}, shift: 1, inverse: 1}
}

func (m *massey) coefficient(i int) uint64 {
	if i >= len(m.connection) {
		return 0
	}
	return sub(0, m.connection[i], m.p)
}

func (m *massey) add(term uint64) {
	n := len(m.terms)
	m.terms = append(m.terms, term)
	var d uint64 // the discrepancy: the term minus its prediction by connection
	for i, c := range m.connection[:min(len(m.connection), n+1)] {
		d = addMod(d, mul(c, m.terms[n-i], m.p), m.p)
	}
	if d == 0 {
		m.shift++
		return
	}
	before := m.connection
	longer := 2*m.order <= n
	if longer {
		before = slices.Clone(before)
	}
	factor := mul(d, m.inverse, m.p)
	if short := m.shift + len(m.previous) - len(m.connection); short > 0 {
		m.connection = append(m.connection, make([]uint64, short)...)
	}
	to := m.connection[m.shift:]
	for i, c := range m.previous {
		to[i] = sub(to[i], mul(factor, c, m.p), m.p)
	}
	m.shift++
	if longer {
		m.order, m.previous, m.shift = n+1-m.order, before, 1
		m.inverse = power(d, m.p-2, m.p)
	}
}
