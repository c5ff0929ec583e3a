package bdd

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// WriteDOT writes the diagram in the language of Graphviz: hi edges solid, lo
// edges dashed, edges to ⊥ left out, the nodes of a variable on one rank. The
// name of a variable is its number if name is nil.
func (d *Diagram) WriteDOT(w io.Writer, name func(v int) string) error {
	if name == nil {
		name = strconv.Itoa
	}
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "digraph zdd {")
	d.writeTerminals(b)
	for v := range d.Vars() {
		if first, end := d.Nodes(v); first < end {
			d.writeRank(b, name(v), first, end)
		}
	}
	fmt.Fprintln(b, "}")
	return b.Flush() // the writer keeps its first error
}

// writeTerminals writes ⊤, and ⊥ where it is the whole diagram.
func (d *Diagram) writeTerminals(b *bufio.Writer) {
	if d.root == Bottom {
		fmt.Fprintln(b, "\t0 [label=\"⊥\", shape=box];")
		return
	}
	fmt.Fprintln(b, "\t1 [label=\"⊤\", shape=box];")
}

// writeRank writes the nodes first..end-1 of one variable, and their edges.
func (d *Diagram) writeRank(b *bufio.Writer, name string, first, end uint32) {
	fmt.Fprint(b, "\t{ rank=same;")
	for n := first; n < end; n++ {
		fmt.Fprintf(b, " %d [label=%q];", n, name)
	}
	fmt.Fprintln(b, " }")
	for n := first; n < end; n++ {
		fmt.Fprintf(b, "\t%d -> %d;\n", n, d.hi[n])
		if d.lo[n] != Bottom {
			fmt.Fprintf(b, "\t%d -> %d [style=dashed];\n", n, d.lo[n])
		}
	}
}
