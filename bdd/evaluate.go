package bdd

import (
	"context"
	"math/big"
)

// Evaluate computes a value for every node, from the terminals up, and returns the root's.
// The terminals have the values bottom and top. The value of a node is what f makes of its
// variable and the values of its children. f is called once for each node, for children
// before parents.
func Evaluate[T any](d *Diagram, bottom, top T, f func(v int, lo, hi T) T) T {
	return EvaluateAll(d, bottom, top, f)[d.root]
}

// EvaluateAll does what Evaluate does, and returns the values of all nodes, by node.
func EvaluateAll[T any](d *Diagram, bottom, top T, f func(v int, lo, hi T) T) []T {
	value := make([]T, d.Size())
	value[Bottom], value[Top] = bottom, top
	for v := d.Vars() - 1; v >= 0; v-- {
		first, end := d.Nodes(v)
		for n := first; n < end; n++ {
			value[n] = f(v, value[d.lo[n]], value[d.hi[n]])
		}
	}
	return value
}

// Statistics says how large a diagram is.
type Statistics struct {
	Sets    *big.Int // members of the family
	Vars    int      // variables of the diagram
	Used    int      // variables that some node asks for
	Nodes   int      // terminals included
	PerVar  []int    // nodes of every variable
	Width   int      // the most nodes of one variable
	WidthAt int      // the lowest variable with that many, -1 if there is no node
	Bytes   int64    // of the arrays
}

// Statistics measures the diagram. Most of the time goes into counting the sets. The error
// is ctx's.
func (d *Diagram) Statistics(ctx context.Context) (*Statistics, error) {
	c, err := d.Counts(ctx)
	if err != nil {
		return nil, err
	}
	s := &Statistics{
		Sets: c.At(d.root), Vars: d.Vars(), Nodes: d.Size(),
		PerVar: make([]int, d.Vars()), WidthAt: -1, Bytes: d.Bytes(),
	}
	for v := range s.PerVar {
		first, end := d.Nodes(v)
		n := int(end - first)
		s.PerVar[v] = n
		if n > 0 {
			s.Used++
		}
		if n > s.Width {
			s.Width, s.WidthAt = n, v
		}
	}
	return s, nil
}
