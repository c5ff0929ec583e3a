package bdd

import (
	"fmt"
)

// Join returns the diagram of all unions of one set from each diagram. The variables of each
// diagram are renumbered to follow the variables of the previous diagram. In each diagram the root
// of the next diagram replaces ⊤. No two nodes become equal, so the result is reduced:
//
//	{{a}}, {{b},{c}}  (a)──▶(b)──▶ ⊤
//	                         ╲lo     ▲
//	                          (c)────┘
//
// The error wraps [ErrInvalid] or [ErrLimit] if there are too many variables or nodes.
func Join(parts []*Diagram, l Limits) (*Diagram, error) {
	vars, size := 0, 2
	for _, d := range parts {
		vars += d.Vars()
		if vars > MaxVars {
			return nil, fmt.Errorf("%w: the parts have more than %d variables together", ErrInvalid, MaxVars)
		}
		size += d.Size() - 2
		if err := l.checkNodes(size); err != nil {
			return nil, err
		}
	}
	for _, d := range parts {
		if d.root == Bottom {
			return Empty(vars)
		}
	}
	if err := l.checkBytes(4 * int64(2*size+vars+1)); err != nil {
		return nil, err
	}
	all := &Diagram{root: Top, lo: make([]uint32, 2, size), hi: make([]uint32, 2, size), offset: make([]uint32, vars+1)}
	all.lo[Top], all.hi[Top] = Top, Top
	all.offset[vars] = 2
	for k := len(parts) - 1; k >= 0; k-- {
		d, below, shift := parts[k], all.root, uint32(len(all.lo)-2)
		moved := func(n uint32) uint32 {
			switch n {
			case Bottom:
				return Bottom
			case Top:
				return below
			}
			return n + shift
		}
		for n := 2; n < d.Size(); n++ {
			all.lo = append(all.lo, moved(d.lo[n]))
			all.hi = append(all.hi, moved(d.hi[n]))
		}
		all.root = moved(d.root)
		vars -= d.Vars()
		for v := range d.Vars() {
			all.offset[vars+v] = d.offset[v] + shift
		}
	}
	return all, nil
}
