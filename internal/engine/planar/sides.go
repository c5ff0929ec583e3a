package planar

import (
	"context"
	"fmt"

	"github.com/pavage/pavage/internal/kit/interrupt"
)

// interval is a list of back edges that return on one side, from the highest return (high) to the
// lowest (low). If it is empty, both are none. The edge after e in a list is sides.ref[e].
type interval struct{ high, low int32 }

var nothing = interval{none, none}

func (i interval) isEmpty() bool { return i.high == none && i.low == none }

// pair has two intervals of back edges that must return on different sides.
type pair struct{ left, right interval }

type sides struct {
	*tree
	ordered *lists  // the edges that leave each vertex, in the order of nesting
	next    []int32 // first edge of each vertex that was not followed
	ref     []int32 // edge to which the element of side is relative; if none, side 1 means right
	side    []int8  // for each edge, 1 if it returns on the same side as its ref, else -1
	lowest  []int32 // a back edge by which each edge returns to its low
	stack   []pair  // back edges that return below the present vertex, the highest returns last
	bottom  []int32 // length of the stack when the present edge of each vertex was entered
}

func chooseSides(ctx context.Context, t *tree) ([]int8, error) {
	edges := len(t.edges)
	ordered := t.byNesting(func(e int32) int32 { return t.nesting[e] })
	s := &sides{
		tree: t, ordered: ordered, next: append([]int32(nil), ordered.first...),
		ref: filled(edges), side: make([]int8, edges), lowest: filled(edges), bottom: make([]int32, len(t.height)),
	}
	for e := range s.side {
		s.side[e] = 1
	}
	looks := interrupt.Context(ctx)
	for _, root := range t.roots {
		if err := s.from(root, &looks); err != nil {
			return nil, err
		}
	}
	s.resolve()
	return s.side, nil
}

func (s *sides) from(root int32, looks *interrupt.Watch) error {
	for v := root; ; {
		if err := looks.Look(); err != nil {
			return err
		}
		var e int32
		if s.next[v] < s.ordered.first[v+1] {
			e = s.ordered.all[s.next[v]]
			s.next[v]++
			s.bottom[v] = int32(len(s.stack))
			if s.isTree(e) {
				v = s.head[e]
				continue
			}
			s.lowest[e] = e
			s.push(pair{nothing, interval{e, e}})
		} else {
			if v == root {
				return nil
			}
			e = s.parent[v]
			v = s.tail[e]
			s.forget(e)
		}
		if s.low[e] < s.height[v] && !s.join(v, e) {
			return fmt.Errorf("%w: the edges of the subtree of vertex %d cannot be drawn without crossings", ErrNonplanar, v)
		}
	}
}

func (s *sides) push(p pair) { s.stack = append(s.stack, p) }

func (s *sides) pop() pair {
	top := s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	return top
}

// join puts the back edges of e and of earlier edges at v on sides so that none cross. If this is
// impossible, it returns false.
func (s *sides) join(v, e int32) bool {
	below := s.parent[v]
	if e == s.ordered.of(v)[0] {
		s.lowest[below] = s.lowest[e]
		return true
	}
	var all pair
	right, ok := s.own(e, below)
	if all.right = right; !ok {
		return false
	}
	all.left = nothing
	for n := len(s.stack); n > 0 && s.isCrossed(s.stack[n-1], e); n = len(s.stack) {
		if !s.against(&all, e) {
			return false
		}
	}
	if !all.left.isEmpty() || !all.right.isEmpty() {
		s.push(all)
	}
	return true
}

// own pops the pairs that were pushed since e was entered. If one has edges on both sides, own
// returns false. If the last edge of an interval returns to low[below], the edge gets the ref
// lowest[below]. The other intervals become one interval.
func (s *sides) own(e, below int32) (interval, bool) {
	all := nothing
	for len(s.stack) > int(s.bottom[s.tail[e]]) {
		top := s.pop()
		if !top.left.isEmpty() {
			top.left, top.right = top.right, top.left
		}
		switch {
		case !top.left.isEmpty():
			return nothing, false
		case s.low[top.right.low] > s.low[below]:
			s.under(&all, top.right)
		default:
			s.ref[top.right.low] = s.lowest[below]
		}
	}
	return all, true
}

func (s *sides) under(all *interval, i interval) {
	switch {
	case i.isEmpty():
		return
	case all.isEmpty():
		all.high = i.high
	default:
		s.ref[all.low] = i.high
	}
	all.low = i.low
}

// isCrossed reports whether an edge of the pair returns higher than e, so that e would cross it.
func (s *sides) isCrossed(p pair, e int32) bool {
	return s.returnsAbove(p.left, e) || s.returnsAbove(p.right, e)
}

func (s *sides) returnsAbove(i interval, e int32) bool {
	return !i.isEmpty() && s.low[i.high] > s.low[e]
}

// against pops a pair and appends its intervals to the intervals of the pair all, on the left if e
// would cross the interval, else on the right. If e would cross both, against returns false.
func (s *sides) against(all *pair, e int32) bool {
	top := s.pop()
	if s.returnsAbove(top.right, e) {
		top.left, top.right = top.right, top.left
	}
	if s.returnsAbove(top.right, e) {
		return false
	}
	s.under(&all.right, top.right)
	s.under(&all.left, top.left)
	return true
}

// forget removes edges that return to the tail of e. If e returns lower, its ref becomes the edge
// with the highest return in the pair at the top of the stack.
func (s *sides) forget(e int32) {
	v := s.tail[e]
	for len(s.stack) > 0 && s.lowOf(s.stack[len(s.stack)-1]) == s.height[v] {
		if p := s.pop(); p.left.low != none {
			s.side[p.left.low] = -1
		}
	}
	if len(s.stack) == 0 {
		return
	}
	top := &s.stack[len(s.stack)-1]
	s.trim(&top.left, top.right, v)
	s.trim(&top.right, top.left, v)
	if s.low[e] < s.height[v] {
		// The ref becomes left or right, whichever returns higher. Either may be none.
		left, right := top.left.high, top.right.high
		s.ref[e] = right
		if left != none && (right == none || s.low[left] > s.low[right]) {
			s.ref[e] = left
		}
	}
}

func (s *sides) lowOf(p pair) int32 {
	switch {
	case p.left.isEmpty():
		return s.low[p.right.low]
	case p.right.isEmpty():
		return s.low[p.left.low]
	}
	return min(s.low[p.left.low], s.low[p.right.low])
}

// trim removes edges that return to v. If i is then empty, its last edge gets the ref other.low.
func (s *sides) trim(i *interval, other interval, v int32) {
	for i.high != none && s.head[i.high] == v {
		i.high = s.ref[i.high]
	}
	if i.high == none && i.low != none {
		s.ref[i.low], s.side[i.low] = other.low, -1
		i.low = none
	}
}

func (s *sides) resolve() {
	var chain []int32
	for e := range int32(len(s.ref)) {
		for at := e; s.ref[at] != none; at = s.ref[at] {
			chain = append(chain, at)
		}
		for ; len(chain) > 0; chain = chain[:len(chain)-1] {
			last := chain[len(chain)-1]
			s.side[last] *= s.side[s.ref[last]]
			s.ref[last] = none
		}
	}
}
