package bdd

import (
	"context"
	"fmt"
	"math"
)

// Select returns the diagram of the sets that contain at least low and at most high variables of
// the ascending slice vars. If low > high, the diagram is empty.
//
// A state is a node and a counter: the number of variables of the slice vars on the path to the
// node. Most states are not open: with this counter, all sets of the node satisfy the bounds, or no
// set does. Then the family of the state is the whole family of the node, or ⊥.
//
//	exactly one of 3 be and 4 cf; ·k means that the counter is k:
//
//	9 ab·0 ━━━━━━━━━━━━━━━━━> 5 cf·0: all its sets have one of the two: the whole node
//	┆
//	8 ad·0 ━> 7 bc·0 ━━━━━━━━━━━━━━━> 2 ef·0: its sets have neither: ⊥
//	          ┆
//	          6 be·0: its sets have both: ⊥
//
// Time and memory are proportional to the number of nodes plus the number of open states, which is
// at most the number of nodes times high+1. The error wraps [ErrInvalid] or [ErrLimit], or is the
// error of ctx. Select does not call l.Progress.
func (d *Diagram) Select(ctx context.Context, vars []int, low, high int, l Limits) (*Diagram, error) {
	if err := checkSet(vars, d.Vars()); err != nil {
		return nil, err
	}
	a, err := newAssembler(d.Vars(), l)
	if err != nil {
		return nil, err
	}
	low, high = max(low, 0), min(high, len(vars))
	if low > high {
		return a.finish(Bottom)
	}
	if err := a.hold(int64(d.Vars()) + selectedBytes*int64(d.Size())); err != nil {
		return nil, err
	}
	s := &selection{
		assembler: a, ctx: ctx, d: d, low: int32(low), high: int32(high),
		taken: make([]int8, d.Vars()), nodes: make([]selected, d.Size()),
	}
	for _, v := range vars {
		s.taken[v] = 1
	}
	for _, pass := range []func() error{s.bound, s.descendAll, s.number} {
		if err := pass(); err != nil {
			return nil, err
		}
	}
	root, err := s.reduce()
	if err != nil {
		return nil, err
	}
	s.nodes, s.value, s.held = nil, nil, 0
	return s.finish(root)
}

type selection struct {
	*assembler
	ctx       context.Context
	d         *Diagram
	taken     []int8 // indexed by variable; 1 if the slice vars has it, else 0
	low, high int32
	nodes     []selected
	value     []uint32 // node in the new diagram, indexed by state
}

type selected struct {
	least, most int32 // smallest and largest number of variables of vars in a set of the node
	// If the node is open with a counter k, then from ≤ k ≤ to. It is never open if from > to.
	from, to int32
	start    uint32 // state of the whole node; with counter k, the state is start+1+k-from
	whole    bool   // whether there is a counter with which all sets satisfy the bounds
}

const selectedBytes = 24

func (s *selection) bound() error {
	for n := range s.nodes[:Top+1] {
		s.nodes[n] = selected{from: math.MaxInt32, to: -1}
	}
	for v := s.d.Vars() - 1; v >= 0; v-- {
		taken := int32(s.taken[v])
		first, end := s.d.Nodes(v)
		for n := first; n < end; n++ {
			if (n-first)%pollEvery == 0 && s.ctx.Err() != nil {
				return s.ctx.Err()
			}
			lo, hi := s.d.lo[n], s.nodes[s.d.hi[n]]
			least, most := hi.least+taken, hi.most+taken
			if lo != Bottom {
				least, most = min(least, s.nodes[lo].least), max(most, s.nodes[lo].most)
			}
			s.nodes[n] = selected{least: least, most: most, from: math.MaxInt32, to: -1}
		}
	}
	return nil
}

func (s *selection) descendAll() error {
	s.enter(s.d.root, 0, 0)
	for v := range s.d.Vars() {
		first, end := s.d.Nodes(v)
		for n := end; n > first; n-- {
			if (end-n)%pollEvery == 0 && s.ctx.Err() != nil {
				return s.ctx.Err()
			}
			node, lo, hi := s.nodes[n-1], s.d.lo[n-1], s.d.hi[n-1]
			if node.whole {
				s.nodes[lo].whole, s.nodes[hi].whole = true, true
			}
			if node.from <= node.to {
				s.enter(lo, node.from, node.to)
				s.enter(hi, node.from+int32(s.taken[v]), node.to+int32(s.taken[v]))
			}
		}
	}
	return nil
}

func (s *selection) enter(n uint32, from, to int32) {
	if n == Bottom {
		return
	}
	node := &s.nodes[n]
	// With a counter outside from..to, no set satisfies the bounds. In first..last, all sets do.
	from, to = max(from, s.low-node.most), min(to, s.high-node.least)
	first, last := s.low-node.least, s.high-node.most
	if from > to {
		return
	}
	if from <= last && first <= to && first <= last {
		node.whole = true
		if first <= from {
			from = last + 1
		}
		if to <= last {
			to = first - 1
		}
		if from > to {
			return
		}
	}
	node.from, node.to = min(node.from, from), max(node.to, to)
}

func (s *selection) number() error {
	states := uint64(0)
	for n := range s.nodes {
		if n%pollEvery == 0 && s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		node := &s.nodes[n]
		node.start = uint32(states)
		states++
		if node.from <= node.to {
			states += uint64(node.to-node.from) + 1
		}
		if states > math.MaxUint32 {
			return fmt.Errorf("%w: more than %d states, which are pairs of a node and a counter",
				ErrLimit, uint32(math.MaxUint32))
		}
	}
	if err := s.hold(4 * int64(states)); err != nil {
		return err
	}
	s.value = make([]uint32, states)
	s.value[s.nodes[Top].start] = Top
	return nil
}

func (s *selection) at(n uint32, k int32) uint32 {
	node := &s.nodes[n]
	switch {
	case n == Bottom || k+node.most < s.low || k+node.least > s.high:
		return Bottom
	case k+node.least >= s.low && k+node.most <= s.high:
		return s.value[node.start]
	}
	return s.value[node.start+1+uint32(k-node.from)]
}

func (s *selection) reduce() (uint32, error) {
	for v := s.d.Vars() - 1; v >= 0; v-- {
		first, end := s.d.Nodes(v)
		if first == end {
			continue
		}
		if err := s.ctx.Err(); err != nil {
			return 0, err
		}
		last := s.nodes[end-1]
		states := int(last.start-s.nodes[first].start) + 1
		if last.from <= last.to {
			states += int(last.to-last.from) + 1
		}
		branches, err := s.room(&s.branches, states)
		if err != nil {
			return 0, err
		}
		branches = branches[:0]
		for n := first; n < end; n++ {
			if (n-first)%pollEvery == 0 && s.ctx.Err() != nil {
				return 0, s.ctx.Err()
			}
			node, lo, hi := s.nodes[n], s.d.lo[n], s.d.hi[n]
			// The method add expects the lo of a branch in s.value[state].
			if node.whole {
				s.value[node.start] = s.value[s.nodes[lo].start]
				branches = append(branches, branch{hi: s.value[s.nodes[hi].start], state: node.start})
			}
			for k := node.from; k <= node.to; k++ {
				state := node.start + 1 + uint32(k-node.from)
				s.value[state] = s.at(lo, k)
				if b := s.at(hi, k+int32(s.taken[v])); b != Bottom {
					branches = append(branches, branch{hi: b, state: state})
				}
			}
		}
		if err := s.add(v, branches, s.value); err != nil {
			return 0, err
		}
	}
	return s.at(s.d.root, 0), nil
}
