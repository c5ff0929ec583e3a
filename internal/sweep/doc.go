// Package frontier turns a cover into an automaton and runs it, one ordered
// level of states after another.
//
// # Purpose
//
// Fix an order of the items that are used at most once (the cells of a
// board). Before step i all items before i are decided, and what the rest of
// the problem needs to know of the past is small: which of the next items are
// covered already, and how many copies of the bounded pieces are used. That
// is a state. Choices with equal states have equal futures, so they merge;
// the number of states, not of solutions, is what counting costs.
//
// # Words
//
// The window is the part of the order that an option placed before i can
// reach; bit j of a state says that item i+j is covered. A counter is a field
// of bits above the window in the same key. A move is an option together with
// what it demands of a state and what it adds. A level is the sorted sequence
// of the states before a step, each with its number of pasts.
//
//	order   a d b e c f         (2x3 board, columns first; window of 3 bits)
//
//	level 0      000
//	           ad / \ ab
//	level 1    001   010        bit 0 is d, bit 1 is b, bit 2 is e
//	      (skip)|     | de
//	level 2    000   011        bit 0 is b
//	            ⋮     ⋮
//
//	key   | counter | counter | … | window: bit w-1 … bit 1, bit 0 = item i |
//
// # The ordered level
//
// A move fits a state m only where their bits are disjoint, and there OR is
// addition: m|o = m+o. Adding a constant keeps order, and so do shifting the
// window down and adding to a counter. So each move maps a sorted level to a
// sorted stream, and the next level is the merge of the streams with equal
// keys summed. There is no hash table; keys are compared whole; levels are
// the same bytes on every run and every number of threads. All states of the
// next level with keys in [A,B) come from one contiguous range of the level
// for each move, found by binary search, so that ranges of keys are
// independent tasks. The merge also knows the arcs, which is all a decision
// diagram needs.
//
//	level    m1 < m2 < m3 < …
//	move x   m1+x    < m3+x < …      (m2 does not fit)
//	move y        m2+y < m3+y < …
//	merge    m1+x < m2+y < m3+x = m3+y < …
//
// Counters are made to fit the same test, m&test == want and (m+add)&guard ==
// 0: an item used at most once is one flag bit of test; a counter up to max
// is biased so that passing max sets its guard bit; a counter that only has
// to reach min stops there (two moves: below min add one, at min add none).
//
// # Blocks
//
// Merging state by state reads the level once a move. Instead the merge is that
// of blocks, states that differ in their lowest bits alone, and of classes,
// moves that do the same above those bits; within a block of the next level a
// bitmap puts the images in order. See block.go.
//
// # Repetition
//
// The rows of a board repeat, and from some row on so do the levels, but for
// their counts. A step that begins with the keys and has the moves of an
// earlier one has its arcs, too: they are kept when a step comes the second
// time, and from the third on counts are gathered along them. (30x10
// tetrominoes 11.8 s without, 5.9 s with it.)
//
// # Going back
//
// A run that keeps its levels knows all pasts of its end, without their arcs:
// a move is an addition and a shift, which can be undone. [History] goes back
// along the pasts of given ranks, for drawing fair samples; levels that do not
// fit in memory are made again from those that do.
//
// # Pruning
//
// A state is dropped when a lower bound cannot be reached any more, or when
// some pocket of free items, walled off from the open end of the window, has
// a size that no set of remaining pieces can fill.
//
// # Non-goals
//
// No geometry, no big numbers beyond sums of limbs, no decision diagrams, no
// choice of engine.
//
// # Cost
//
// With s states in b blocks, m moves in c classes a step and a arcs: time
// O(b·c·log c + s·c + a) a step, space of two levels, 2 bytes and 8 a limb of count
// a state, 4 and 8 a word of key a block.
//
// # References
//
// Knuth, TAOCP 4B, 7.2.2.1 (items, options, multiplicities); Kawahara, Inoue,
// Iwashita, Minato, "Frontier-based search for enumerating all constrained
// subgraphs with compressed representation" (2017). The sorted level in place
// of a hash table is our own.
package sweep
