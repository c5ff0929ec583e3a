package bdd

import (
	"fmt"
	"iter"
	"slices"
	"sort"
)

// Terminal nodes of every diagram and store.
const (
	Bottom uint32 = 0 // ⊥, the empty family
	Top    uint32 = 1 // ⊤, the family whose only set is empty
)

// Diagram is a reduced ZDD in canonical form. It never changes, so goroutines may share it.
type Diagram struct {
	root   uint32
	lo, hi []uint32 // indexed by node; a terminal is its own lo and hi
	// offset[v+1] ≤ n < offset[v] for the nodes n of variable v; offset has vars+1 entries.
	offset []uint32
}

// Vars returns the number of variables.
func (d *Diagram) Vars() int { return len(d.offset) - 1 }

// Root returns the node of the whole family: the last node, or a terminal.
func (d *Diagram) Root() uint32 { return d.root }

// Size returns the number of nodes, including terminals.
func (d *Diagram) Size() int { return len(d.lo) }

// Lo returns the node of those sets of n that do not have the variable of n, or n for a terminal.
func (d *Diagram) Lo(n uint32) uint32 { return d.lo[n] }

// Hi returns the node of those sets of n that have the variable of n, with the variable removed, or
// n for a terminal.
func (d *Diagram) Hi(n uint32) uint32 { return d.hi[n] }

// Nodes returns the range first ≤ n < end of the nodes of variable v, 0 ≤ v < Vars.
func (d *Diagram) Nodes(v int) (first, end uint32) { return d.offset[v+1], d.offset[v] }

// Var returns the variable of node n, or Vars() for a terminal, by a binary search.
func (d *Diagram) Var(n uint32) int {
	if n <= Top {
		return d.Vars()
	}
	return sort.Search(d.Vars(), func(v int) bool { return d.offset[v+1] <= n })
}

// VarFrom is like Var for a node n whose variable is at least v. It searches from v up in growing
// steps. On a walk down, all calls together need fewer steps than there are variables.
func (d *Diagram) VarFrom(v int, n uint32) int { return varFrom(d.offset, v, n) }

func varFrom(offset []uint32, v int, n uint32) int {
	vars := len(offset) - 1
	if n <= Top {
		return vars
	}
	step := 1
	for v+step <= vars && offset[v+step] > n {
		v += step
		step *= 2
	}
	return v + sort.Search(min(step, vars-v), func(k int) bool { return offset[v+k+1] <= n })
}

// Bytes returns the size of the arrays of the diagram, in bytes.
func (d *Diagram) Bytes() int64 {
	return 4 * int64(len(d.lo)+len(d.hi)+len(d.offset))
}

// Equal reports whether d and e are the same family over the same variables.
func (d *Diagram) Equal(e *Diagram) bool {
	return d.root == e.root && slices.Equal(d.offset, e.offset) &&
		slices.Equal(d.lo, e.lo) && slices.Equal(d.hi, e.hi)
}

// AllSets yields every set, ascending. At each node the sets with its variable come first. The
// caller may keep the slices, and must end the iteration: a family can be astronomically large.
func (d *Diagram) AllSets() iter.Seq[[]int] { return d.sets(true) }

func (d *Diagram) sets(hiFirst bool) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		type turn struct {
			node    uint32
			members int // length of set when the node was reached
		}
		var path []turn // nodes whose second child is still to be visited
		var set []int
		child := func(n uint32, hi bool) uint32 {
			if !hi {
				return d.lo[n]
			}
			set = append(set, d.Var(n))
			return d.hi[n]
		}
		for n := d.root; ; {
			for n > Top {
				path = append(path, turn{n, len(set)})
				n = child(n, hiFirst)
			}
			if n == Top && !yield(slices.Clone(set)) || len(path) == 0 {
				return
			}
			last := path[len(path)-1]
			path, set = path[:len(path)-1], set[:last.members]
			n = child(last.node, !hiFirst)
		}
	}
}

// Empty returns the diagram of the empty family over vars variables.
func Empty(vars int) (*Diagram, error) { return terminal(vars, Bottom) }

// Unit returns the diagram of the family {∅} over vars variables.
func Unit(vars int) (*Diagram, error) { return terminal(vars, Top) }

func terminal(vars int, root uint32) (*Diagram, error) {
	a, err := newAssembler(vars, Limits{})
	if err != nil {
		return nil, err
	}
	return a.finish(root)
}

func checkSet(set []int, vars int) error {
	for k, v := range set {
		if err := checkVar(v, vars); err != nil {
			return err
		}
		if k > 0 && v <= set[k-1] {
			return fmt.Errorf("%w: variable %d after variable %d, expected a set in ascending order",
				ErrInvalid, v, set[k-1])
		}
	}
	return nil
}

func checkVar(v, vars int) error {
	if v < 0 || v >= vars {
		return fmt.Errorf("%w: variable %d, expected 0..%d", ErrInvalid, v, vars-1)
	}
	return nil
}
