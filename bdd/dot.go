package bdd

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// DOT has options for writing a diagram in the language of Graphviz.
type DOT struct {
	Name   func(v int) string // name of a variable; if nil, its number is written
	Counts *Counts            // counts to be written below the names of variables; may be nil
}

// WriteDOT draws hi edges solid, lo edges dashed, the nodes of a variable in a row, and ⊥ only if
// it is the root.
func (d *Diagram) WriteDOT(w io.Writer, o DOT) error {
	if o.Name == nil {
		o.Name = strconv.Itoa
	}
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "digraph zdd {")
	if d.root == Bottom {
		fmt.Fprintln(b, "\t0 [label=\"⊥\", shape=box];")
	} else {
		fmt.Fprintln(b, "\t1 [label=\"⊤\", shape=box];")
	}
	for v := range d.Vars() {
		first, end := d.Nodes(v)
		if first == end {
			continue
		}
		label := o.Name(v)
		fmt.Fprint(b, "\t{ rank=same;")
		for n := first; n < end; n++ {
			if o.Counts != nil {
				label = o.Name(v) + "\n" + o.Counts.At(n).String()
			}
			fmt.Fprintf(b, " %d [label=%q];", n, label)
		}
		fmt.Fprintln(b, " }")
		for n := first; n < end; n++ {
			fmt.Fprintf(b, "\t%d -> %d;\n", n, d.hi[n])
			if d.lo[n] != Bottom {
				fmt.Fprintf(b, "\t%d -> %d [style=dashed];\n", n, d.lo[n])
			}
		}
	}
	fmt.Fprintln(b, "}")
	return b.Flush() // Flush returns the first error of all writes
}
