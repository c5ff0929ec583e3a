package dimer

import (
	"math/big"
)

// primesFor returns a number n such that the product of the n largest primes below 2^62 is above
// the root of the argument. These primes are so near to 2^62 that their product is over 2^(62n-1).
func primesFor(square *big.Int) int { return (square.BitLen() + 2 + 123) / 124 }

// All primes in use are above lowest. A million of them have a product of at least
// 2^(62·1000000-1), as primesFor assumes, since (1-2^-30)^1000000 > 1/2.
const lowest = 1<<62 - 1<<32

func primesUpTo(n int) []uint64 {
	primes := make([]uint64, n)
	p := uint64(1 << 62)
	for i := range primes {
		p = primeBelow(p)
		primes[i] = p
	}
	if p < lowest || n > 1_000_000 {
		panic("dimer: too many primes")
	}
	return primes
}

// primesAbove returns how many of the largest primes below 2^62 have a product above n.
func primesAbove(n *big.Int) int { return (n.BitLen() + 62) / 62 }

func primesBeside(n int, number *big.Int) []uint64 {
	var primes []uint64
	var rest, prime big.Int
	for p := primeBelow(1 << 62); len(primes) < n; p = primeBelow(p) {
		if rest.Mod(number, prime.SetUint64(p)); rest.Sign() != 0 {
			primes = append(primes, p)
		}
	}
	return primes
}

// primeBelow returns the largest prime below n, 3 < n ≤ 2^62. (ProbablyPrime is exact below 2^64.)
func primeBelow(n uint64) uint64 {
	for n = (n - 2) | 1; !new(big.Int).SetUint64(n).ProbablyPrime(0); n -= 2 {
	}
	return n
}

// bound returns a bound on the square of the determinant of p (Hadamard 1893): the product of the
// squared lengths of the rows as vectors, or of the columns if this is less.
func (m *Matrix) bound(p *part) *big.Int {
	rows := make([]*big.Int, len(p.rows))
	columns := make([]*big.Int, len(p.rows))
	for i := range rows {
		rows[i], columns[i] = new(big.Int), new(big.Int)
	}
	square := new(big.Int)
	for k, r := range p.rows {
		for _, a := range p.arcs[r.known:r.end] {
			w := m.values[m.weight[a.edge]]
			square.Mul(w, w)
			rows[k].Add(rows[k], square)
			columns[a.white].Add(columns[a.white], square)
		}
	}
	byRows, byColumns := product(rows), product(columns)
	if byRows.Cmp(byColumns) < 0 {
		return byRows
	}
	return byColumns
}

func product(numbers []*big.Int) *big.Int {
	switch half := len(numbers) / 2; len(numbers) {
	case 0:
		return big.NewInt(1)
	case 1:
		return numbers[0]
	default:
		return new(big.Int).Mul(product(numbers[:half]), product(numbers[half:]))
	}
}

// remainders computes numbers from residues modulo different primes (Chinese remainder theorem). If
// M is the product of the primes, a number is, modulo M,
//
//	sum of c(i)·M/p(i),   c(i) = residue(i) / (M/p(i)) modulo p(i)
//
// The sum is found by halves: if two halves of the primes have sums S and T and products P and Q,
// the sum of all primes is S·Q + T·P. Only one goroutine may use a remainders.
type remainders struct {
	fields []field
	shares []uint64 // 1 / (M/p(i)) modulo p(i) for each prime p(i)
	all    *half
}

type half struct {
	product, sum, other big.Int
	below               [2]*half
}

func newRemainders(primes []uint64) *remainders {
	r := &remainders{fields: make([]field, len(primes)), shares: make([]uint64, len(primes)), all: halves(primes)}
	for i, p := range primes {
		f := newField(p)
		others := f.one
		for k, q := range primes {
			if k != i {
				others = f.mul(others, f.inWord(q))
			}
		}
		r.fields[i], r.shares[i] = f, f.invert(others)
	}
	return r
}

func halves(primes []uint64) *half {
	h := &half{}
	if len(primes) == 1 {
		h.product.SetUint64(primes[0])
		return h
	}
	h.below = [2]*half{halves(primes[:len(primes)/2]), halves(primes[len(primes)/2:])}
	h.product.Mul(&h.below[0].product, &h.below[1].product)
	return h
}

func (r *remainders) number(residues []uint64) *big.Int {
	c := make([]uint64, len(residues))
	for i, x := range residues { // mul divides the product by 2^64, so the shares were multiplied by 2^64
		c[i] = r.fields[i].mul(x, r.shares[i])
	}
	r.all.add(c)
	return new(big.Int).Mod(&r.all.sum, &r.all.product)
}

func (h *half) add(c []uint64) {
	if len(c) == 1 {
		h.sum.SetUint64(c[0])
		return
	}
	s, t := h.below[0], h.below[1]
	s.add(c[:len(c)/2])
	t.add(c[len(c)/2:])
	h.sum.Mul(&s.sum, &t.product)
	h.sum.Add(&h.sum, h.other.Mul(&t.sum, &s.product))
}
