// Package search walks the tree of partial covers depth first (backtracking, Knuth's Algorithm X).
// It keeps the rest of the problem in the bits of small matrices, in place of dancing links.
//
// # Purpose
//
// If all pieces are distinct, the states of a sweep hardly ever merge: on an 8x8 board with the
// twelve pentominoes and a square, a sweep keeps 20 million states for 129,168 tilings. A search
// keeps one partial cover, and is fast if it detects dead ends early.
//
// # The matrix
//
// There is a row for each item and a bit in it for each option that uses the item. This is the
// running example, dominoes on 2x3:
//
//	         ab bc de ef ad be cf
//	a b c    ────────────────────
//	d e f  a  1  .  .  .  1  .  .      active   1  1  1  1  1  1  1
//	       b  1  1  .  .  .  1  .      open     a  b  c  d  e  f
//	       c  .  1  .  .  .  .  1
//	       d  .  .  1  .  1  .  .      use ab:  active &^= a | b
//	       e  .  .  1  1  .  1  .      active   .  .  1  1  .  .  1
//	       f  .  .  .  1  .  .  1      open     c  d  e  f
//
// The active options are the options that may still be chosen, the open rows are the rows in which
// one must still be chosen. A choice removes the rows of the items that it uses from the active
// options. The number of choices of an item is the number of bits that its row shares with the
// active options: no counters are kept, and nothing is undone, since every depth has its own frame.
//
// To settle a choice, the walk counts the choices left in every open row, again and again as long
// as a row has a single choice, which is then forced. In the example c is left with cf, then d with
// de, and the example is solved. Most attempts end at a row without a choice. This row is moved to
// the front, since it often ends the next attempt, too. If nothing is forced, the walk branches on
// the row with fewest choices.
//
// Items that may be used several times have a row for each number of times, and bounds on their
// remaining uses. If an item needs n more uses and has m remaining options of one use, the walk
// branches on the first m-n+1 of these options. Once all lower bounds are reached, the cover is a
// solution, and the walk branches on all active options: every cover that adds some of them is a
// solution, too. In both branches a choice does not exclude the options that were tried before it,
// so tried options are removed from the active options.
//
// # Colours
//
// An item with colours has a row for all its uses, and for each colour a row that is called the
// shade of the colour. A shade has the options that use the item, but not with this colour. A use
// without colour removes the first row, and a use with colour c removes the shade of c. The walk
// has no other rule for colours.
//
//	            p x:R   p x:G   q x:R   q x:G   q x         use p x:R
//	x             1       1       1       1      1
//	x but R       .       1       .       1      1          active &^= p | x but R
//	x but G       1       .       1       .      1          active   . . 1 . .
//
// # Blocks
//
// Rows are whole blocks of 256 options. Placing a few pieces leaves a fraction of the options
// active, so a new matrix is made of the active options when they fit into 9 blocks, into 3 and
// into 1. Four fifths of all tries are in a matrix of one block, where the active options are four
// words in registers.
//
// # Symmetry
//
// If the problem has a group of symmetries, Compile restricts an item that must be used exactly
// once: it keeps one option of each orbit, with the size of the orbit as weight. (The 36 placements
// of the cross on 8x8 form 6 orbits.) From each solution that is found, symmetries make solutions
// with the other options of the orbit. With a group, [Each] visits the least solution of each
// class of equivalent solutions.
//
// Covers that are read from files list neither symmetries nor orders. If the search is expected to
// last more than 20 ms, Compile looks for symmetries (cover.Shape), restricts an item, looks for
// symmetries of the restricted problem, and so on. The table has the user time of one thread:
//
//	                                      without   with
//	Latin squares of order 6              15.8 s    0.03 s
//	completions of a Latin square of 8    64 s      6.7 s    (432 symmetries)
//	completions of another square         101 s     23 s     (144 symmetries)
//	perfect matchings of 30               > 50 s    0.04 s
//	12 queens                             0.07 s    0.05 s
//
// [Each] lists solutions in the order of a walk without symmetries, but uses symmetries to save
// time: while it lists the first solutions, it finds all solutions by orbits. Then a walk that
// visits only nodes above solutions puts the solutions in order (ahead.go).
//
// # Bundles
//
// Parities may bind an item that must be used two to four times: in Conway's box no two of the bars
// of three cells share a layer, since a layer has an odd number of cells and no other piece covers
// an odd number of them. Then few sets of options of the item fit together, and Compile makes an
// option of each such set (bundle.go).
//
// # Memo
//
// Nodes with the same remaining problem have the same number of solutions below them. A table of
// bounded size stores these numbers. Its keys are the rows that still have active options, and the
// remaining bounds; they are compared whole. The table has tries and user time of one thread:
//
//	                     without               with
//	dominoes-8x8      12,988,815  1.0 s          1,331   1 ms
//	dominoes-12x12         5e16   years         46,255  40 ms
//	bricks-4x4x4           3e9    5 min        794,709  0.3 s
//	monomer-dimer-6x6      4e9    4 min          4,390   1 ms
//	tetrominoes-6x6      259,423  21 ms         26,499   5 ms
//	right-trominoes-9x9    4.1e6  0.44 s        98,558  35 ms
//	squares-0..7-7x9      17.5e6  0.95 s       409,846  0.16 s
//	pent-8x8-O4        4,182,476  1.25 s     3,308,235  1.02 s
//	pent-6x10            696,762  0.19 s       579,937  0.18 s
//	solid-2x5x6          438,676  0.15 s       425,376  0.15 s
//	soma                   3,725   1 ms          3,293   1 ms
//	bedlam                27.0e6  9.6 s         26.4e6  9.7 s
//
// So the memo pays wherever pieces come in several copies, and for pentominoes near the root. Solid
// pieces leave the same cells in few ways (in the Bedlam cube one lookup in 60 finds an entry), and
// a lookup costs a quarter of a node. The walkers therefore measure how many nodes lookups save,
// for each range of the number of active options, and stop lookups that save too little: without
// this rule the Bedlam cube took a sixth longer. Numbers of 2^64 and more are not stored, so a
// search needs minutes for 2^76 solutions, and never ends for 2^100. A sweep can count such covers.
//
// # Threads
//
// The walkers of a pool work on one tree. A walker without work gets a parcel: the last choice of
// the highest frame of another walker that can give one away. Every choice is tried by exactly one
// walker. So the count is the same for any number of threads, and without a memo the number of
// nodes is the same, too.
//
// # Forecast
//
// A crowd is a number of probes that go down random paths together. At each depth it draws a fixed
// number of nodes from all children of its nodes. If it draws one node in n, each drawn node stands
// for n nodes. So the estimate of the size of the tree is unbiased. If few branches have most of
// the tree, one probe of the crowd is enough to find such a branch. Eight crowds of each size show
// how much their estimates differ, and so how large the tree may be. A Prober computes its work
// from its tries, not from the clock: the same seed gives the same forecast on every machine.
// Probes do not notice that a memo makes a tree small.
//
// # Charts
//
// There is a second walk, without matrices. It needs an order of at most 128 items that are used at
// most once, the cells, and always covers the first free cell. This walk is faster if few
// sets of cells can be covered in this way. Such a set is a place, and an option that leads from one
// place to another is a way. Places and ways are found before the walk: together they are the chart.
// The chart does not record which pieces remain at a place. Dominoes on 2x3, by columns:
//
//	a c e        ·  ──ab──►  ab  ──cd──►  abcd  ──ef──►  all
//	b d f        │            └────ce──►  abce  ──df──►  all
//	             └────ac──►  ac  ──bd──►  abcd
//
// The chart is made forwards, place after place. A place is left out if no option fits one of its
// next free cells. Then a pass backwards gives each way two numbers for each piece: the least and
// the largest number of uses on a path from this way to the end. These numbers are fields of two
// words. The walk compares the two words with the remaining pieces, in 4 ns for each way, and
// follows the way or not. So it stops long before a dead end. For 6x10 pentominoes it visits
// 165,493 places; without the two words it would visit 3.8 million. The table has the user time of
// one thread for making the chart, for the walk, and for a search in matrices:
//
//	                places   nodes     chart    walk   matrices
//	3x20               279     1,654    0.7 ms   0.1 ms    4 ms
//	4x15             1,396    28,928      2 ms   0.9 ms   40 ms
//	5x12             6,111   107,197      6 ms     3 ms  130 ms
//	6x10            23,892   165,493     20 ms     5 ms  180 ms
//	one-sided 3x30     458   270,904      1 ms     6 ms  800 ms
//
// Compile uses a chart of at most 16,384 places if its walk is short. If each piece is used once,
// it also uses a chart of at most 131,072 places if probes predict that matrices would be slower.
// (If pieces are used several times, the memo makes matrices faster than probes predict.) Compile
// abandons a chart if the newest cell has more places than all cells before it together, as in
// solid boards and on 8x8. It notices this after half a millisecond. In a chart, a try is the test
// of a way. Several walkers share the parts of the walk, and have no memo. But if every piece is
// used once, a long walk begins breadth first, and of all parts with the same remaining pieces at
// the same place only one is walked (chart.go).
//
// # Non-goals
//
// The package knows no geometry, and does not count areas. (An option that strands a cell at the
// start is left out before the search begins. A cell that is stranded later has a row without
// choices.) Only the final sum is a big number.
//
// # Cost
//
// A try tests a few rows. Including its share of all other work it costs 0.3 µs, both for 8x8
// pentominoes and for the Bedlam cube. With r rows and n options all walkers share a matrix of r·n
// bits. Each walker has smaller matrices, together as large, and at each depth the active options
// and a list of choices: 260 kB for 8x8 pentominoes. A memo has 16 MiB. There are up to 65,535
// rows.
//
// # References
//
// D. E. Knuth, The Art of Computer Programming 4B, 7.2.2.1: items, options,
// multiplicities, the choice of the item with fewest options, and dancing
// links, which the matrices replace: links touch a cache line for each use of
// each option removed, a row removes 256 options in four words. D. E. Knuth,
// "Estimating the efficiency of backtrack programs", Mathematics of
// Computation 29 (1975): probes. R. Rubinstein, "Stochastic enumeration method for counting
// NP-hard problems", Methodology and Computing in Applied Probability 15 (2013): crowds.
package search
