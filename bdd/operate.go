package bdd

import "context"

// Operation is a function of two families. The value 0 marks a free entry of the cache.
type Operation uint32

// Operations on the families a and b.
const (
	Union               Operation = 1 + iota // the sets in a, in b, or in both
	Intersect                                // the sets in both a and b
	Difference                               // the sets in a that are not in b
	SymmetricDifference                      // the sets in exactly one of a and b
	attach                                   // the sets of a, each with b added; b is a variable
)

// Combine returns the result of an operation on two families of the store.
func (s *Store) Combine(ctx context.Context, op Operation, a, b Family) (Family, error) {
	if err := s.check(a, b); err != nil {
		return 0, err
	}
	r := &run{Store: s, ctx: ctx}
	f := r.apply(op, uint32(a), uint32(b))
	return Family(f), r.err
}

// run is an operation in progress. After its first error, results of its methods have no meaning.
type run struct {
	*Store
	ctx   context.Context
	err   error
	steps int
}

func (r *run) apply(op Operation, a, b uint32) uint32 {
	if n, ok := op.settled(a, b); ok {
		return n
	}
	if op != Difference && a > b { // all operations but Difference are commutative
		a, b = b, a
	}
	if n, ok := r.recall(op, a, b); ok || r.stopped() {
		return n
	}
	v := min(r.nodes[a].v, r.nodes[b].v)
	a0, a1 := r.split(a, v)
	b0, b1 := r.split(b, v)
	return r.remember(op, a, b, r.join(v, r.apply(op, a0, b0), r.apply(op, a1, b1)))
}

func (op Operation) settled(a, b uint32) (n uint32, ok bool) {
	switch {
	case a == b && (op == Union || op == Intersect):
		return a, true
	case a == b:
		return Bottom, true
	case a == Bottom && (op == Intersect || op == Difference), b == Bottom && op == Intersect:
		return Bottom, true
	case a == Bottom:
		return b, true
	case b == Bottom:
		return a, true
	}
	return Bottom, false
}

// split returns the sets of n without v, and the sets of n with v, from which it removes v. All
// variables of n must be ≥ v.
func (s *Store) split(n, v uint32) (without, with uint32) {
	if s.nodes[n].v != v {
		return n, Bottom
	}
	return s.nodes[n].lo, s.nodes[n].hi
}

func (r *run) attach(a, v uint32) uint32 {
	n := r.nodes[a]
	if n.v >= v {
		return r.join(v, Bottom, a)
	}
	if made, ok := r.recall(attach, a, v); ok || r.stopped() {
		return made
	}
	return r.remember(attach, a, v, r.join(n.v, r.attach(n.lo, v), r.attach(n.hi, v)))
}

func (r *run) join(v, lo, hi uint32) uint32 {
	if r.err != nil {
		return Bottom
	}
	var n uint32
	n, r.err = r.unique(v, lo, hi)
	return n
}

func (s *Store) recall(op Operation, a, b uint32) (n uint32, ok bool) {
	c := s.cacheAt(op, a, b)
	if c.op == op && c.a == a && c.b == b {
		return c.made, true
	}
	return Bottom, false
}

func (r *run) remember(op Operation, a, b, made uint32) uint32 {
	if r.err == nil {
		*r.cacheAt(op, a, b) = result{op: op, a: a, b: b, made: made}
	}
	return made
}

func (r *run) stopped() bool {
	if r.steps%pollEvery == 0 && r.err == nil {
		r.err = r.ctx.Err()
	}
	r.steps++
	return r.err != nil
}
