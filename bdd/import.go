package bdd

import (
	"context"
	"fmt"
)

// Node is the family of the sets of lo, and of those of hi with the variable v added to
// each. All variables of lo and hi are above v.
func (s *Store) Node(v int, lo, hi Family) (Family, error) {
	if err := checkVar(v, s.Vars()); err != nil {
		return 0, err
	}
	if err := s.check(lo, hi); err != nil {
		return 0, err
	}
	if below := min(s.nodes[lo].v, s.nodes[hi].v); below <= uint32(v) {
		return 0, fmt.Errorf("%w: variable %d over variable %d, want a lower one", ErrInvalid, v, below)
	}
	n, err := s.unique(uint32(v), uint32(lo), uint32(hi))
	return Family(n), err
}

// Import copies a diagram, of at most as many variables, into the store.
func (s *Store) Import(ctx context.Context, d *Diagram) (Family, error) {
	if d.Vars() > s.Vars() {
		return 0, fmt.Errorf("%w: diagram of %d variables for a store of %d", ErrInvalid, d.Vars(), s.vars)
	}
	return s.copy(ctx, d, func(v int, lo, hi uint32) (uint32, error) { return s.unique(uint32(v), lo, hi) })
}

// ImportAs copies a diagram into the store with other variables: variable v of d becomes
// to[v]. All of them are different. Where they keep the order of d this costs no more than
// Import; where they do not, the diagram in the new order can be far larger.
func (s *Store) ImportAs(ctx context.Context, d *Diagram, to []int) (Family, error) {
	if err := s.checkRenaming(d, to); err != nil {
		return 0, err
	}
	r := &run{Store: s, ctx: ctx}
	return s.copy(ctx, d, func(v int, lo, hi uint32) (uint32, error) {
		as := uint32(to[v])
		if s.nodes[lo].v > as && s.nodes[hi].v > as {
			return s.unique(as, lo, hi)
		}
		return r.apply(union, lo, r.attach(hi, as)), r.err
	})
}

// checkRenaming reports new variables that are not different, or not the store's.
func (s *Store) checkRenaming(d *Diagram, to []int) error {
	if len(to) != d.Vars() {
		return fmt.Errorf("%w: %d new variables for %d", ErrInvalid, len(to), d.Vars())
	}
	taken := make(bitset, s.vars/64+1)
	for _, v := range to {
		if err := checkVar(v, s.Vars()); err != nil {
			return err
		}
		if taken.has(uint32(v)) {
			return fmt.Errorf("%w: two variables become %d", ErrInvalid, v)
		}
		taken.set(uint32(v))
	}
	return nil
}

// copy makes all nodes of a diagram, children before parents.
func (s *Store) copy(ctx context.Context, d *Diagram, node func(v int, lo, hi uint32) (uint32, error)) (Family, error) {
	if err := s.account(4 * int64(d.Size())); err != nil {
		return 0, err
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	copied := make([]uint32, d.Size())
	copied[Top] = Top
	for v := d.Vars() - 1; v >= 0; v-- {
		first, end := d.Nodes(v)
		for n := first; n < end; n++ {
			if n%pollEvery == 0 && ctx.Err() != nil {
				return 0, ctx.Err()
			}
			var err error
			if copied[n], err = node(v, copied[d.lo[n]], copied[d.hi[n]]); err != nil {
				return 0, err
			}
		}
	}
	return Family(copied[d.root]), nil
}
