// Package interchange writes decision diagrams as the texts of other programs, and reads
// such texts: the dump of Graphillion, the export of SAPPOROBDD and its successors, and the
// ZDD that Knuth's DLX6 prints.
//
// # Purpose
//
// One program makes a family; another program asks questions about it, or combines it with other
// families. In all three texts a line is a node, and children come before their parents. The texts
// name the terminals differently, and number the variables differently. Here is one family, {0, 1}
// and {2, 3}, over the variables 0 to 3:
//
//	node (variable)       Graphillion     SAPPORO         DLX6
//
//	5 (0) ━> 4 (1) ━> ⊤   2 4 B T         _i 4            2: (~4?0:1)
//	┆                     3 3 B 2         _o 1            3: (~3?0:2)
//	3 (2) ━> 2 (3) ━> ⊤   4 2 B T         _n 4            4: (~2?0:1)
//	                      5 1 3 4         4 1 F T         5: (~1?3:4)
//	                      .               6 2 F 4         6: (~0?0:5)
//	                                      8 3 F T
//	                                      10 4 6 8
//	                                      10
//
// # Words
//
// Graphillion numbers the variables from 1: variable v of a diagram has the number v+1. SAPPORO
// numbers levels from the terminals: of n variables, variable v has level n-v. DLX6 numbers options
// from 1, in the order of its input. A diagram does not record the meaning of its variables. So the
// caller passes the options to [WriteKnuth]. The other two formats do not record the
// options, so the caller also writes a table of the variables.
//
// # Input
//
// The input of a reader need not be reduced: nodes whose hi is empty, and equal nodes, are allowed,
// and the [bdd.Store] in which the nodes are made reduces them. A SAPPORO arc with an odd number is
// complemented. In a ZDD this means that the empty set is removed from the family, or added if the
// family does not have it. A reader rejects every error of a text, with the number of the line: a
// variable that does not lie below its parent's variable, a node with two definitions or none, a
// node that the root does not reach, a text that ends too early or is too long. So a text that was
// cut is not read as another family.
//
// # Non-goals
//
// The DLX6 text is not read: its paths have the options in different orders, and to bring them into
// one order would cost about the same as a new count. A SAPPORO text does not define whether it is
// a BDD or a ZDD; it is read as a ZDD.
//
// # Cost
//
// A reader stores about 100 bytes for each node, within its limits, and one line of at most
// [MaxLine] bytes. Writers store nothing. Both poll their context every 2^14 nodes.
//
// # References
//
// T. Inoue, H. Iwashita, J. Kawahara and S. Minato, "Graphillion: software library for very
// large sets of labeled graphs", International Journal on Software Tools for Technology
// Transfer 18 (2016). S. Minato, SAPPOROBDD (functions bddexport and bddimportz). D. E.
// Knuth, program DLX6, 2019, and The Art of Computer Programming 4B (2022), section 7.2.2.1.
package interchange

import (
	"context"
	"errors"

	"github.com/pavage/pavage/bdd"
)

// ErrVars is wrapped by the errors about diagrams with more than MaxVars variables.
var ErrVars = errors.New("the decision diagram is too large")

// ErrText is wrapped by the errors of readers, which name the line and the mistake.
var ErrText = errors.New("the text is not a decision diagram")

const (
	// MaxVars is the largest number of variables: Graphillion and SAPPORO number them with 16 bits.
	MaxVars = 1<<16 - 1
	// MaxLine is the largest number of bytes of a line that is read, as in Graphillion.
	MaxLine = 255

	pollEvery = 1 << 14
)

func eachNode(ctx context.Context, d *bdd.Diagram, do func(n uint32, v int)) error {
	for v := d.Vars() - 1; v >= 0; v-- {
		first, end := d.Nodes(v)
		for n := first; n < end; n++ {
			if n%pollEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			do(n, v)
		}
	}
	return ctx.Err()
}
