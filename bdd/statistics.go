package bdd

import (
	"context"
	"math/big"
)

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
