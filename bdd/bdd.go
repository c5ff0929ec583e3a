// Package bdd holds families of sets as zero-suppressed decision diagrams
// (ZDDs): it builds them from a specification, reduces them to a canonical
// form, counts, folds and combines them.
//
// # Purpose
//
// A family of sets of variables 0, 1, 2, … can have 10^48 members and still
// fit a few thousand nodes. A node asks for one variable: its hi child is the
// family of the sets that hold the variable (with the variable removed), its
// lo child the family of those that do not. The terminal ⊥ is the empty family,
// ⊤ the family whose one member is the empty set.
//
// The running example of all the documentation has seven variables, named
// 0 ab, 1 ad, 2 bc, 3 be, 4 cf, 5 de, 6 ef, and the family
// {ab,cf,de} {ad,bc,ef} {ad,be,cf}:
//
//	9 ab ━━━━━━━━━━━━━━━━━> 5 cf ━> 3 de ━━━━━━━━━> ⊤     ━> hi: the variable is in
//	┆                                                     ┆  lo: it is not
//	8 ad ━━> 7 bc ━━━━━━━━━━━━━━━━━━━━━━━━━> 2 ef ━> ⊤     lo children that are not
//	         ┆                                            drawn are ⊥
//	         6 be ━━━━━━━━━> 4 cf ━━━━━━━━━━━━━━━━> ⊤
//
//	node      0 1   2  3   4  5   6   7   8   9
//	variable  ⊥ ⊤  ef de  cf cf  be  bc  ad  ab
//	hi              1  1   1  3   4   2   7   5
//	lo              0  0   0  0   0   6   0   8
//
// # Words
//
// A diagram is reduced when no hi child is ⊥ (zero-suppression: a variable that
// nobody holds is not asked for) and no two nodes are equal. Node numbers go
// from the terminals up: the highest variable first, children before parents,
// and within a variable sorted by (hi, lo). So a family and an order of
// variables have exactly one [Diagram], down to the bytes of its arrays, and
// whatever is computed from the children up is one forward loop over the nodes.
//
// A [Spec] describes a family from the root down, in layers of states; [Build]
// asks for its layers and reduces them. [Automaton] makes a Spec of a function.
// A [List] takes the sets themselves, one after another, and makes the same
// Diagram of them.
// A [Store] combines families ([Store.Union], [Store.Restrict], …) and freezes
// a result into a Diagram.
//
// # Non-goals
//
// No reordering of variables: whoever writes the Spec knows the order. No
// garbage collection: a Store lives as long as one computation, a Diagram is
// never changed. No complemented edges, no binary decision diagrams. What the
// variables stand for is the caller's.
//
// # Cost
//
// A node takes 8 bytes; its variable follows from its number by binary search
// in the offsets of the variables. Build holds 8 bytes for an arc and 4 for a
// state until the layer is reduced, and reduces in time linear in the arcs
// (radix sort). Counting costs one addition of w words a node, w words being
// what the largest count needs. The operations of a Store cost about the
// product of the sizes of their arguments at worst, most often their sum.
//
// # References
//
// S. Minato, "Zero-suppressed BDDs for set manipulation in combinatorial
// problems", DAC 1993. D. E. Knuth, The Art of Computer Programming 4A (2011),
// section 7.1.4 (families of sets, algorithm R). H. Iwashita and S. Minato,
// "Efficient top-down ZDD construction techniques using recursive
// specifications", TCS-TR-A-13-69, Hokkaido University, 2013 (TdZdd: spec and
// evaluation as the two contracts). D. Sieling and I. Wegener, "Reduction of
// OBDDs in linear time", Information Processing Letters 48 (1993): reduction by
// bucket sort, variable after variable.
package bdd

import (
	"context"
	"errors"
	"math"
)

// NoVar as an arc's Var says that no variable of the layer is taken.
const NoVar = math.MaxUint32

// MaxVars is the largest number of variables of a diagram.
const MaxVars = 1 << 24

// maxNodes keeps node numbers, and one more, within a uint32.
const maxNodes = math.MaxUint32 - 1

// pollEvery is how many states or nodes pass between two looks at a context.
const pollEvery = 1 << 14

// ErrLimit is wrapped by the error of whatever would pass a limit of [Limits].
var ErrLimit = errors.New("decision diagram: limit reached")

// ErrSpec is wrapped by the errors of [Build] that are the Spec's fault.
var ErrSpec = errors.New("decision diagram: malformed specification")

// ErrInvalid is wrapped by the errors for an argument that is out of range.
var ErrInvalid = errors.New("decision diagram: invalid argument")

// Spec describes a family of sets from the root down, layer after layer.
//
// Layer 0 has one state, the root. A state of layer i decides at most one of
// layer i's variables; the variables of layer i come before those of layer
// i+1. What comes after the last layer is accepted: its one state is ⊤. There
// is no arc to rejection: an arc that cannot lead to ⊤ may be left out, and a
// state without arcs is ⊥.
type Spec interface {
	// Vars is the number of variables, which are 0..Vars()-1.
	Vars() int
	// Layers is the number of layers. With no layer the family is {∅}.
	Layers() int
	// Expand returns the arcs from the states of layer i to those of layer
	// i+1. It is called once for each i in rising order. The Layer belongs to
	// the caller from then on. Build holds a layer to its limits once it has
	// it; what Expand itself takes, the Spec must limit.
	Expand(ctx context.Context, i int) (Layer, error)
}

// Layer is the arcs from the states of one layer to those of the next.
type Layer struct {
	// Next is the number of states of the next layer; for the last layer 0
	// or 1, and that one state is ⊤.
	Next int
	// Start has one entry more than the layer has states; the arcs of state s
	// are Arcs[Start[s]:Start[s+1]].
	Start []uint32
	// Arcs of one state have strictly rising Var, so that an arc with NoVar,
	// if there is one, comes last.
	Arcs []Arc
}

// Arc leads from a state to the state Child of the next layer, taking the
// variable Var, or none of the layer's variables if Var is NoVar. The family
// of a state is the union of {Var} × family(Child) over its arcs.
type Arc struct{ Var, Child uint32 }

// bytes is what the layer's arrays take.
func (l *Layer) bytes() int64 {
	return 4*int64(cap(l.Start)) + 8*int64(cap(l.Arcs))
}

// Limits bounds what a construction may take. The zero value sets no limit.
type Limits struct {
	Nodes    int64          // nodes, terminals included; 0 = no limit
	Bytes    int64          // bytes of arcs, nodes, tables and working space; 0 = no limit
	Progress func(Progress) // called by Build after every layer, if not nil
}

// Progress tells how far [Build] has come. Every layer is one step of the
// expansion, top-down, and one of the reduction, bottom-up.
type Progress struct {
	Step, Steps int   // 1 ≤ Step ≤ Steps = 2 × layers
	States      int64 // states expanded so far
	Arcs        int64 // arcs expanded so far
	Nodes       int64 // nodes of the diagram so far, terminals included
	Bytes       int64 // the most bytes held at once so far
}
