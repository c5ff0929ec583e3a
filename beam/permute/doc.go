// Package permute reorders the bits of keys, so that the tasks of a band overlap little.
//
// # Purpose
//
// A level is cut into ranges of keys, and a task sweeps each range several steps. If two tasks
// reach the same state, both make it and all states that follow from it: the tasks overlap. They
// cannot overlap if their states differ in a bit that no move of the band changes. So the store has
// the bits of each key in another order than the sweep. The highest bits, by which ranges are cut,
// are the bits that the next band changes last and least often. This is the order for 10x10
// tetrominoes at the level before row 6, for a band of five steps. The highest bit has number 1:
//
//	            ┌── the band ──┐
//	row 6       27 31 30 26 23 17 13 10  9  8      decided in the band: their bits do not matter after it
//	row 7       25 29 28 24 21 16 12  7  6  5
//	row 8       20 22 19 18 15 11  4  3  2  1      the band does not reach cells 4, 3, 2 and 1
//	row 9       14
//
// A permutation is made for a level and the level at the end of the band. It maps a key to another
// key, and back. A task maps each key that it has read to the key of the sweep, sorts the states
// ([Sort]), adds the counts of equal keys ([Add]), sweeps its steps, and sorts the resulting states
// by the permutation of the next band.
//
// # Words
//
// A move touches the bits that it adds to a key. The touches of a bit are a sum over the moves of
// the band that touch it. Each move adds the number of levels from its step to the end of the band,
// divided by the number of moves of its step. A bit of a counter is touched when a carry
// reaches it. Geometry is not used, so all of this works for any cover.
//
// # Benefit
//
// The table has the number of states that all tasks sweep and write, in millions, for several
// lengths of a band and 8, 64 and 512 tasks. Without overlap the tasks would make 19.5 million
// states if there are 8 tasks, and 21.1 million if there are 64, since a smaller sweep detects
// fewer states that cannot be completed. Unweighted touches lack the factor of the levels.
//
//	tetrominoes 10x10     plain keys    touches, unweighted     touches, weighted by levels
//	tasks                     64         8     64    512         8     64    512
//	 3 steps                 28.7      19.5   21.4   22.9      19.5   21.3   22.6
//	 5 steps                 32.6      19.6   22.0   27.3      19.6   21.8   25.7
//	 7 steps                 40.7      23.4   34.4   51.3      21.6   29.5   42.2
//	10 steps (a row)         56.1      39.7   65.4  104.9      27.1   48.3   80.8
//
//	64 tasks                                  plain    unweighted    weighted    without overlap
//	tetrominoes, monominoes 8x8, 4 steps      10.87       6.17         5.86
//	                             8 steps      19.01      21.42        17.10
//	dominoes 16x16, 8 steps of a diagonal      1.00       0.89         0.78          0.74
//	               16 steps                    1.92       1.69         1.61
//	pentominoes once each 6x10, 3 steps        7.52       6.71         6.68          6.17
//	                            6 steps        8.46       8.06         7.90
//
// Neighbouring keys stay close. For 10x10 tetrominoes, their differences need 1.15 bytes per state
// in this order, and 1.28 in the order of the sweep; for dominoes 1.05 and 1.00, for pentominoes
// 1.44 and 1.37.
//
// [Free] measures how much information of a level a band leaves unchanged, which limits the length
// of a band.
//
// # Attempts that did not help
//
// With 64 tasks on 10x10, touches weighted by levels make 21.8 million states in bands of 5 steps,
// and 48.3 million in bands of a row. The list has these numbers for each attempt:
//
//   - Touches divided by the entropy of a bit in the level, so that bits that are nearly always 0
//     come later: 21.7 and 43.1. But keys grow by a tenth to a half, and to compute the
//     entropies, each task would have to read the whole level.
//   - Touches divided by 0.4 plus the expected entropy of a bit (as in the function Free): 21.7 and
//     40.1, and keys are a twentieth shorter. But in bands of a row, tetrahexes on 8x8 make 2.37
//     million states in place of 2.12, and hexiamonds on 6x12 make 1.90 in place of 1.70.
//   - In place of the touches of an item's bit, the fraction of the item's options that begin in
//     the band: 21.8 and 51.5.
//   - In place of touches t, log2(2-e^-t), where 1-e^-t is the chance of at least one touch: 21.8
//     and 46.2. But floats may differ between machines, and then the order would differ too.
//
// # Non-goals
//
// The package does not choose bounds, bands or the number of tasks: see package band.
//
// # Cost
//
// A million states were measured on a busy machine. Their keys had one word, of which 40 bits
// differed, and their counts one limb and a residue. For each state, moving the bits of the key
// took 8 ns, sorting 39 ns, adding equal keys 7 ns; slices.SortFunc takes 112 ns without the
// counts. For each byte of a key of w words, a Permutation needs 4w KiB. Sort allocates memory for
// 8,192 states.
//
// # References
//
// McIlroy, Bostic, McIlroy, "Engineering radix sort" (1993): the sort in place by the highest
// digit. Knuth, TAOCP 3, 5.2.5: the sort by the lowest digit first.
package permute
