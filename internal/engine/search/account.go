package search

import (
	"math/big"
	"math/bits"
)

// effort is what a worker has done since its last report.
type effort struct {
	sum          sum
	nodes, tries int64
	done         float64 // share of the whole tree
}

// minus is what was done since e was t.
func (e effort) minus(t effort) effort {
	return effort{e.sum.minus(t.sum), e.nodes - t.nodes, e.tries - t.tries, e.done - t.done}
}

// account is what a worker does, and tells its pool now and then.
type account struct {
	effort
	told  effort
	pool  *pool       // nil: a lone walker tells nobody
	stop  func() bool // true ends the walk: nobody wants what it finds
	ended bool
}

func (c *pool) account() account { return account{pool: c, stop: c.stopped.Load} }

// report hands in what was done since the last report.
func (a *account) report() {
	a.pool.take(a.effort.minus(a.told), a.ended)
	a.told = a.effort
}

// poll reports, and rests if the pool does; it reports whether to go on.
func (a *account) poll() bool {
	a.report()
	a.pool.enforceLimit()
	return !a.stopped()
}

func (a *account) stopped() bool {
	a.ended = a.ended || a.stop()
	return a.ended
}

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
