package bdd

import (
	"context"
	"math/big"
)

// Evaluate folds the diagram from the terminals up: a terminal has the given
// value, a node what f makes of its variable and its children's values. It
// returns the root's value. f is called once a node, children before parents.
func Evaluate[T any](d *Diagram, bottom, top T, f func(v int, lo, hi T) T) T {
	return EvaluateAll(d, bottom, top, f)[d.root]
}

// EvaluateAll is Evaluate that returns the value of every node.
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

// Statistics measures the diagram; counting the sets takes most of the time.
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
