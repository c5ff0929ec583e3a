package bdd

import (
	"context"
	"fmt"
)

// Node returns the sets of lo, and the sets of hi with v added. Variables of lo and hi must be > v.
func (s *Store) Node(v int, lo, hi Family) (Family, error) {
	if err := checkVar(v, s.Vars()); err != nil {
		return 0, err
	}
	if err := s.check(lo, hi); err != nil {
		return 0, err
	}
	if below := min(s.nodes[lo].v, s.nodes[hi].v); below <= uint32(v) {
		return 0, fmt.Errorf("%w: a node of variable %d has a child of variable %d, expected a child of a greater variable", ErrInvalid, v, below)
	}
	n, err := s.unique(uint32(v), uint32(lo), uint32(hi))
	return Family(n), err
}

// Import copies a diagram into the store. Variable v of d becomes to[v]. All entries of to must be
// different. If the order of the variables changes, the family can need far more nodes than d.
func (s *Store) Import(ctx context.Context, d *Diagram, to []int) (Family, error) {
	if err := s.checkRenaming(d, to); err != nil {
		return 0, err
	}
	if err := s.account(4 * int64(d.Size())); err != nil {
		return 0, err
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	r := &run{Store: s, ctx: ctx}
	copied := make([]uint32, d.Size())
	copied[Top] = Top
	for v := d.Vars() - 1; v >= 0; v-- {
		first, end := d.Nodes(v)
		for n := first; n < end; n++ {
			if n%pollEvery == 0 && ctx.Err() != nil {
				return 0, ctx.Err()
			}
			as, lo, hi := uint32(to[v]), copied[d.lo[n]], copied[d.hi[n]]
			if s.nodes[lo].v > as && s.nodes[hi].v > as {
				copied[n] = r.join(as, lo, hi)
			} else {
				copied[n] = r.apply(Union, lo, r.attach(hi, as))
			}
			if r.err != nil {
				return 0, r.err
			}
		}
	}
	return Family(copied[d.root]), nil
}

func (s *Store) checkRenaming(d *Diagram, to []int) error {
	if len(to) != d.Vars() {
		return fmt.Errorf("%w: there are %d new variables for a diagram of %d variables, expected one for each variable", ErrInvalid, len(to), d.Vars())
	}
	taken := make(bitset, s.vars/64+1)
	for _, v := range to {
		if err := checkVar(v, s.Vars()); err != nil {
			return err
		}
		if taken.has(uint32(v)) {
			return fmt.Errorf("%w: two variables become variable %d, expected distinct new variables", ErrInvalid, v)
		}
		taken.set(uint32(v))
	}
	return nil
}
