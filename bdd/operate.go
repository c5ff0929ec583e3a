package bdd

import "context"

// operation names an operation in the cache; 0 is none, a free place.
type operation uint32

const (
	union operation = 1 + iota
	intersect
	difference
	symmetricDifference
	onset    // sets with the variable b
	offset   // sets without it
	quotient // sets with it, less the variable
	attach   // all sets, each with the variable b, which none of them has
)

// Union is the family of the sets that are in a or in b.
func (s *Store) Union(ctx context.Context, a, b Family) (Family, error) {
	return s.combine(ctx, union, a, b)
}

// Intersect is the family of the sets that are in a and in b.
func (s *Store) Intersect(ctx context.Context, a, b Family) (Family, error) {
	return s.combine(ctx, intersect, a, b)
}

// Difference is the family of the sets that are in a and not in b.
func (s *Store) Difference(ctx context.Context, a, b Family) (Family, error) {
	return s.combine(ctx, difference, a, b)
}

// SymmetricDifference is the family of the sets that are in exactly one of a and b.
func (s *Store) SymmetricDifference(ctx context.Context, a, b Family) (Family, error) {
	return s.combine(ctx, symmetricDifference, a, b)
}

// Restrict is the family of those sets of a that have the variable v, if present is true,
// or else of those that do not have it. The sets themselves do not change.
func (s *Store) Restrict(ctx context.Context, a Family, v int, present bool) (Family, error) {
	if present {
		return s.select1(ctx, onset, a, v)
	}
	return s.select1(ctx, offset, a, v)
}

// Quotient is the family of those sets of a that have the variable v, with v removed from
// each.
func (s *Store) Quotient(ctx context.Context, a Family, v int) (Family, error) {
	return s.select1(ctx, quotient, a, v)
}

func (s *Store) combine(ctx context.Context, op operation, a, b Family) (Family, error) {
	if err := s.check(a, b); err != nil {
		return 0, err
	}
	r := &run{Store: s, ctx: ctx}
	f := r.apply(op, uint32(a), uint32(b))
	return Family(f), r.err
}

func (s *Store) select1(ctx context.Context, op operation, a Family, v int) (Family, error) {
	if err := s.check(a); err != nil {
		return 0, err
	}
	if err := checkVar(v, s.Vars()); err != nil {
		return 0, err
	}
	r := &run{Store: s, ctx: ctx}
	f := r.choose(op, uint32(a), uint32(v))
	return Family(f), r.err
}

// run is one operation under way. After its first error it makes no nodes and remembers no
// results, and what its methods return has no meaning.
type run struct {
	*Store
	ctx   context.Context
	err   error
	steps int
}

// apply combines two families: both are split by the lower of their root
// variables, and the halves combined.
func (r *run) apply(op operation, a, b uint32) uint32 {
	if n, ok := op.settled(a, b); ok {
		return n
	}
	if op != difference && a > b { // all others commute: one place in the cache
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

// settled is the result where an argument is ⊥ or both are equal.
func (op operation) settled(a, b uint32) (n uint32, ok bool) {
	switch {
	case a == b && (op == union || op == intersect):
		return a, true
	case a == b:
		return Bottom, true
	case a == Bottom && (op == intersect || op == difference), b == Bottom && op == intersect:
		return Bottom, true
	case a == Bottom:
		return b, true
	case b == Bottom:
		return a, true
	}
	return Bottom, false
}

// split is the sets of n without the variable v, and those with it, less v.
// No variable below v occurs in n.
func (s *Store) split(n, v uint32) (without, with uint32) {
	if s.nodes[n].v != v {
		return n, Bottom
	}
	return s.nodes[n].lo, s.nodes[n].hi
}

// choose takes from a the sets with, or without, the variable v.
func (r *run) choose(op operation, a, v uint32) uint32 {
	n := r.nodes[a]
	if n.v >= v {
		without, with := r.split(a, v)
		switch op {
		case offset:
			return without
		case quotient:
			return with
		case attach:
			return r.join(v, Bottom, a)
		}
		return r.join(v, Bottom, with)
	}
	if made, ok := r.recall(op, a, v); ok || r.stopped() {
		return made
	}
	return r.remember(op, a, v, r.join(n.v, r.choose(op, n.lo, v), r.choose(op, n.hi, v)))
}

func (r *run) join(v, lo, hi uint32) uint32 {
	if r.err != nil {
		return Bottom
	}
	var n uint32
	n, r.err = r.unique(v, lo, hi)
	return n
}

func (s *Store) recall(op operation, a, b uint32) (n uint32, ok bool) {
	c := s.cacheAt(op, a, b)
	if c.op == op && c.a == a && c.b == b {
		return c.made, true
	}
	return Bottom, false
}

func (r *run) remember(op operation, a, b, made uint32) uint32 {
	if r.err == nil {
		*r.cacheAt(op, a, b) = result{op: op, a: a, b: b, made: made}
	}
	return made
}

// stopped looks at the context every pollEvery steps, from the first on.
func (r *run) stopped() bool {
	if r.steps%pollEvery == 0 && r.err == nil {
		r.err = r.ctx.Err()
	}
	r.steps++
	return r.err != nil
}

// Union is the diagram of the sets that are in a or in b. This function and the following
// ones work in a store of their own, within the limits. The result has as many variables as
// the argument with more of them.
func Union(ctx context.Context, a, b *Diagram, l Limits) (*Diagram, error) {
	return combine(ctx, (*Store).Union, a, b, l)
}

// Intersect is the diagram of the sets that are in a and in b.
func Intersect(ctx context.Context, a, b *Diagram, l Limits) (*Diagram, error) {
	return combine(ctx, (*Store).Intersect, a, b, l)
}

// Difference is the diagram of the sets that are in a and not in b.
func Difference(ctx context.Context, a, b *Diagram, l Limits) (*Diagram, error) {
	return combine(ctx, (*Store).Difference, a, b, l)
}

// SymmetricDifference is the diagram of the sets that are in exactly one of a and b.
func SymmetricDifference(ctx context.Context, a, b *Diagram, l Limits) (*Diagram, error) {
	return combine(ctx, (*Store).SymmetricDifference, a, b, l)
}

// Restrict is the diagram of those sets of d that have the variable v, if present is true,
// or else of those that do not have it. The sets themselves do not change.
func Restrict(ctx context.Context, d *Diagram, v int, present bool, l Limits) (*Diagram, error) {
	return change(ctx, d, l, func(s *Store, f Family) (Family, error) {
		return s.Restrict(ctx, f, v, present)
	})
}

// Quotient is the diagram of those sets of d that have the variable v, with v removed from
// each.
func Quotient(ctx context.Context, d *Diagram, v int, l Limits) (*Diagram, error) {
	return change(ctx, d, l, func(s *Store, f Family) (Family, error) {
		return s.Quotient(ctx, f, v)
	})
}

type binary func(s *Store, ctx context.Context, a, b Family) (Family, error)

func combine(ctx context.Context, op binary, a, b *Diagram, l Limits) (*Diagram, error) {
	s, err := NewStore(max(a.Vars(), b.Vars()), l)
	if err != nil {
		return nil, err
	}
	f, err := s.Import(ctx, a)
	if err != nil {
		return nil, err
	}
	g, err := s.Import(ctx, b)
	if err != nil {
		return nil, err
	}
	if f, err = op(s, ctx, f, g); err != nil {
		return nil, err
	}
	return s.Freeze(ctx, f)
}

func change(ctx context.Context, d *Diagram, l Limits, op func(*Store, Family) (Family, error)) (*Diagram, error) {
	s, err := NewStore(d.Vars(), l)
	if err != nil {
		return nil, err
	}
	f, err := s.Import(ctx, d)
	if err != nil {
		return nil, err
	}
	if f, err = op(s, f); err != nil {
		return nil, err
	}
	return s.Freeze(ctx, f)
}
