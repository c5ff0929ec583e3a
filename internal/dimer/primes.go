package dimer

import (
	"math/big"
)

// primesFor is how many of the largest primes below 2^62 it takes until the square of their product
// is above a number. All of them are so close to 2^62 that the product of n is at least 2^(62n-1).
func primesFor(square *big.Int) int { return (square.BitLen() + 2 + 123) / 124 }

// lowest is below the primes that are used: a million have far less room than that, and
// (1-2^-30)^1000000 is above 1/2.
const lowest = 1<<62 - 1<<32

// primesUpTo are the n largest primes below 2^62.
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

// primeBelow is the largest prime below n, 3 < n ≤ 2^62: ProbablyPrime is exact below 2^64.
func primeBelow(n uint64) uint64 {
	for n = (n - 2) | 1; !new(big.Int).SetUint64(n).ProbablyPrime(0); n -= 2 {
	}
	return n
}

// bound is at least the square of a determinant: the product over the rows of the sums of their squared weights,
// or that over the columns (Hadamard 1893).
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

// product multiplies numbers in pairs, products of these in pairs, and so on: large ones are
// multiplied by large ones.
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

// combine is the number below the product of different primes that has the given residues
// (Chinese remainders). With M the product it is, modulo M,
//
//	sum of c(i)·M/p(i),   c(i) = residue(i) / (M/p(i)) modulo p(i)
//
// The sum is found as products are: halves of the primes have sums S and T and products P and Q, so
// both have S·Q + T·P.
func combine(residues, primes []uint64) *big.Int {
	c := make([]uint64, len(primes))
	for i, p := range primes {
		f := newField(p)
		others := f.one
		for k, q := range primes {
			if k != i {
				others = f.mul(others, f.inWord(q))
			}
		}
		c[i] = f.out(f.mul(f.inWord(residues[i]), f.invert(others)))
	}
	sum, all := shares(c, primes)
	return sum.Mod(sum, all)
}

func shares(c, primes []uint64) (sum, product *big.Int) {
	if len(primes) == 1 {
		return new(big.Int).SetUint64(c[0]), new(big.Int).SetUint64(primes[0])
	}
	half := len(primes) / 2
	s, p := shares(c[:half], primes[:half])
	t, q := shares(c[half:], primes[half:])
	s.Mul(s, q)
	return s.Add(s, t.Mul(t, p)), q.Mul(q, p)
}
