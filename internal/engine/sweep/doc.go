// Package sweep makes the levels of an automaton, one after another: sorted states,
// each with the number of ways to it. The method is also called frontier-based search, the
// transfer-matrix method, or dynamic programming over a boundary.
//
// # Purpose
//
// A level is the sorted list of the states that can be reached before a step. The step's moves make
// the next level from it. In the last level the counts add up to the number of solutions. A run can
// also return its arcs for a decision diagram, write levels to disk when memory ends, save a level
// and resume from it, and go back through its levels to draw samples.
//
// # The ordered level
//
// Every move maps a sorted level to a sorted stream of states (see package
// automaton), so the next level is the merge of the streams, in which equal states
// become one and their counts are added:
//
//	level    m1 < m2 < m3 < …
//	move x   m1+x    < m3+x < …      (m2 does not fit)
//	move y        m2+y < m3+y < …
//	merge    m1+x < m2+y < m3+x = m3+y < …
//
// There is no hash table, keys are compared whole, and levels have the same bytes in every run,
// with every number of threads. For each move, the states that it maps to keys in a range [A,B)
// lie side by side in the level; binary search finds them. So ranges of keys are independent tasks.
//
// # A part of a level
//
//	automaton.Transition ─┐
//	a level, whose slabs ─┼─► Step ─► Part(bounds) ─► a part ─┐
//	come from a Source   ─┘      └──► Part(bounds) ─► a part ─┼─► assembly ─► the next level
//	                             └──► Part(bounds) ─► a part ─┘               in order
//
// A [Step] has everything that parts are made from, and it does not change. [Step.Part] is a
// function of the step and of bounds of keys. A [Source] provides the slabs of the level, from
// memory or from a shelf, which is a file. The rest of a run, a [Sweep], decides which worker
// makes which part when (assembly), how much memory it may use (store), which steps repeat
// (repeats) and which levels go to disk (shelves).
//
// # A band of steps on another machine
//
// Several machines can share a run: each makes several steps, a band, for its range of keys. It
// reads the states of its range, merged and in order, from a store that the machines share, and
// passes them to [Begin], which starts a run at any level with any sorted states. It writes the
// states that [Level.EachSlab] passes on from the last level of the band. With [Checked] each count
// has a residue, by which the machines notice that one of them adds wrongly. The module beam does
// all this.
//
// # Words
//
// Slab: up to 65,536 states of a level, stored together. Block: states that differ only in their
// lowest bits; they lie side by side, and the level stores the bits that they share, the head,
// once. Class: moves with the same effect above the low bits. The merge works on blocks and
// classes; within a block of the next level a bitmap puts the states in order. See classes.go,
// which has the picture. Limb: a 64-bit word of a count. Residue: the remainder of a count modulo
// a prime. Odd state: a state in which the present item is covered. Shelf: the slabs of a level in
// a file. Record: a step's arcs, kept because the step will repeat.
//
// # Repetition
//
// The rows of a board repeat, and from some row on the keys of the levels repeat, too. A step with
// the same keys and the same moves as an earlier step has the same arcs. A run stores the arcs when
// the step comes for the second time. From the third time on it adds counts along the stored arcs.
// (30x10 tetrominoes take 5.9 s in this way, and 11.8 s if each step is merged.)
//
// # Going back
//
// A run that keeps its levels can find all pasts of its last level without stored arcs: a move is
// an addition and a shift, which can be undone. A [History] goes back along the pasts of given
// ranks, to draw fair samples. Levels that do not fit in memory are made again from kept levels.
//
// The marginal of a variable is the number of ways that use it. A single pass back through the
// levels computes all marginals. It holds the numbers of futures of the states of two levels:
//
//	level 0          …  level 8   level 9  …           level n
//	●  ───────── pasts ──►  5 ●──w──► ● 4  ◄── futures ─────── ●
//	                          5 · w · 4 ways go along this move
//
// # Weights
//
// With [Weighted] values a way counts as often as the product of its variables' weights, which are
// whole numbers of any length. Totals, ranks and marginals are then weighted. Multiplying by a
// power of 2 is a shift. If weights are large powers of 2, a total holds the coefficients of a
// polynomial: in this way package count finds the number of solutions with each number of copies of
// a piece. Steps with weights are not repeated, since a record does not contain variables.
//
// # The files, each after the files that it uses
//
//	store       memory, and how much     sorter, limbs, along,  the kernels
//	                                     weigh, residues
//	source      where slabs lie          part, emit             a part of a level
//	shelf       slabs in a file          alive                  states without a future
//	                                     step, merge, cuts      a step, its ranges
//	                                     worth                  which tests are worth it
//	blocks,     states sorted by blocks  assembly, arcs         parts put together
//	classes     moves sorted by classes  repeat                 steps that come again
//	level, grow a level                  run, shelving          a run
//	census      memory that is shared    checkpoint, strip      saved runs, runs of strips
//	cost        the time of a state
//	                                     history, walkers, rank the way back
//	                                     marginals
//	                                     check                  invariants
//
// # What must be true
//
// The fields of a level have comments that give their invariants. check.go checks all of them, and
// compares the memory that is counted with the memory in use. The tests call it after every step;
// so does a program that was built with the tag invariants.
//
// # Non-goals
//
// No geometry, no big numbers beyond sums of limbs, no decision diagrams, no choice of
// engine or order. Nothing is logged and the environment is not read.
//
// # Cost
//
// With s states in b blocks, m moves in c classes and a arcs, a step costs time O(b·c·log c + s·c +
// a). A run stores two levels: for each state 2 bytes, and 8 bytes for each limb of its count; for
// each block 4 bytes, and 8 bytes for each word of a key. Marginals take about as long as the
// levels, and need the memory of the kept levels: 3 s and 0.3 GB for 20x20 dominoes (13.6 million
// states), 20 s and 2 GB for 20x20 dominoes and monominoes (75 million states).
//
// # References
//
// Knuth, TAOCP 3, 5.4 (merging); Kawahara, Inoue, Iwashita, Minato, "Frontier-based
// search for enumerating all constrained subgraphs with compressed representation"
// (2017). The sorted level in place of a hash table is our own: doc/adr/0002 and 0004.
package sweep
