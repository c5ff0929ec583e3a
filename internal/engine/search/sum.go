package search

import (
	"math/big"
	"math/bits"
)

// sum is a number of solutions below 2^128, which no search outlives.
type sum struct{ lo, hi uint64 }

func (s *sum) add(n uint64) {
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, n, 0)
	s.hi += carry
}

func (s *sum) addSum(t sum) {
	s.add(t.lo)
	s.hi += t.hi
}

// minus is s-t, for a t that has grown to s.
func (s sum) minus(t sum) sum {
	lo, borrow := bits.Sub64(s.lo, t.lo, 0)
	return sum{lo, s.hi - t.hi - borrow}
}

func (s sum) big() *big.Int {
	n := new(big.Int).SetUint64(s.hi)
	return n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(s.lo))
}
