// Package estimate tells how large the levels of a sweep will be without making them.
//
// # Purpose
//
// A sweep takes seconds or years, and its first levels do not show which. A survey
// makes the levels that are small, draws a sample of the last one, and goes on from
// the sample alone. It says how many states each level will have, how many bytes and
// seconds the sweep will take, and how far off that may be. [Choose] makes surveys of
// several orders of a problem, to find the one with fewest states; which orders are
// worth that, package automaton says by its forecast ([automaton.Candidates]).
//
// [Better] is for a run under way whose levels are far larger than was forecast. It sweeps every
// other order through as many states as the run has met, and says whether to change to one of
// them.
//
// # How
//
//	level   0 … b-1   b        b+1      b+2
//	        all are   o ─┬──►  o ────►  o         o  drawn, known to be reachable
//	        made      o  └──►  o        ·         ·  not drawn
//	                  ·    ┌─► ·        o
//	                  o ───┘   o ────►  o
//	                  ·        ▲
//	                  ?────────┘                  ?  reachable or not: a walk back
//
// A sweep makes the levels up to the first one of some size, the base. A sample of
// the base is drawn, and every later sample is drawn from the children of the one
// before it. But a level is a set: a child of d states is met d times and must count
// once, so each time it counts a d-th. To find d, all states that could lead to the
// child are computed (a move can be undone). A walk backwards finds out which of them
// can be reached at all (past.go). The children's weights then add up to the expected
// size of the next level.
//
// An error in d is repeated at each level, so walks must be right: for 12x12
// tetrominoes, with 136 levels behind the base, errors of 0.5% in d made the result
// seven times too large. Noise adds up as well. It is held down by drawing states with
// many descendants more often than others (tilt.go).
//
// # Cost
//
// A survey has a budget of looks, which are counted: some two seconds of them for all orders.
// If they are too few for samples of all levels, it makes more levels instead and foresees the
// others (foresee.go).
//
// One to three walks for each state of the sample and each level, of some
// microseconds each where options may be used any number of times. Pieces that are
// used once make longer walks, which end in the base; some of them are given up and
// counted as undecided.
//
// # Words
//
// Base: the last level that was made. Particle: a state of the sample, with its
// weight, the number of states that it stands for. Replicate: one of several samples
// made from the same base, whose spread tells the error. Walk: a search for a past of
// a state. Path: a sample of pasts, which tells how many limbs counts will need.
//
// # How good it is
//
// Careful estimates, one each, with eight times as many looks as they now have, and what there is
// (dead states are dropped since then):
//
//	                                 expected           there is
//	                              all      largest      all      largest
//	tetrominoes 10x10             45e6     1.1e6        42.4e6   0.75e6
//	tetrominoes 12x12             0.65e9   25e6         1.30e9   14.6e6
//	pentominoes 10x8, any         27e6     2.2e6        25.5e6   0.63e6
//	pentominoes 6x10, once        6.2e6    0.41e6       6.6e6    0.42e6
//	pentominoes and O4 8x8, once  0.22e9   19e6         0.15e9   8.9e6
//
// The last is by diagonals, and there is what there is by rows. Errors told by
// replicates are too small: what no sample has met, none of them knows of. For
// 14x14 tetrominoes, 37e9 states by rows, runs said from 16e9 to 260e9.
//
// What did not help: uniform samples (their error is ten times as large, see
// tilt); the median of replicates in place of their mean, which is too low; to
// begin with small bases, where few states have most descendants.
//
// Of covers with colours the levels behind the base are not sampled: a walk back does not
// know what fields say. They are as the forecast has them.
//
// # Non-goals
//
// A survey never counts solutions, and no count depends on one.
//
// # References
//
// Knuth, "Estimating the efficiency of backtrack programs" (1975); Chen, "Heuristic
// sampling" (1992): weights by strata; the reweighting by predecessors is our own.
package estimate
