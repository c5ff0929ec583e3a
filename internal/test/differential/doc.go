// Package differential tests the engines on random covers and puzzles: everything that
// counts must come to the same answer.
//
// # Purpose
//
// Other tests look at cases that somebody has thought of. Here random numbers decide: what
// the board looks like, which pieces there are and how many, which engine counts, with how
// many threads, in how much memory. We need not know the answer, because there are two ways
// to see that an answer is wrong:
//
//   - differential: engines that share little must agree with each other and, if the case
//     is small, with internal/test/oracle;
//   - metamorphic: we change the case, and know what this does to the count N. The new count
//     must be so. This also finds mistakes that all engines make, and works where the oracle
//     is too slow.
//
// This is what happens to the case of seed 16:
//
//	seed ─► random choices ─► puzzle ──text──► tiling.Parse ─► cover ─┬─► oracle: N = 434
//	                            │    ##..#                            │      and the solutions
//	                            │    .###o                            ├─► sweep, search, auto, diagram, SAT
//	                            │    o#.##                            ├─► in little memory, resumed, modulo m …
//	                            │    L3 any, domino any, L4 0..1 …    └─► cover relations:  N(with) + N(without)
//	                            └─► puzzle relations: turned, doubled …
//
//	one says 83, wanted 434 ─► shrink: cut and check again ─► report: the case,
//	                           the small case, the seed
//
// The seed decides everything: the case and what its checks draw. So
//
//	go test ./internal/test/differential -run TestCases -args -seed=16 -cases=1
//
// runs it again, and -check=sweep runs only one check. The fuzzer makes a case of bytes, one
// for each choice, so that FuzzCover and FuzzPuzzle can learn which bytes matter.
//
// # Words
//
//   - A case is a problem, with a puzzle or without.
//   - A check compares one answer about the case with another; [Checks] are all of them.
//   - A comparison of engines is a check against the reference: the answer of the oracle, or
//     of a sweep where the oracle is too slow.
//   - A relation is a check against the count of a changed case.
//   - A law is a puzzle with a formula for its count.
//
// # Comparisons of engines
//
//	sweep, search, auto, diagram       N; of the diagram the solutions, too
//	dimer                              N by determinants, or why there are none
//	threads, memory, disk, resume      N however the engine is run; or, in little
//	                                   memory, an error that says so
//	residues                           N modulo random numbers of 2 to 62 bits
//	listing, history, ranks            the solutions, at ranks one to one, after one
//	                                   another, and the least of each class
//	distinct                           the number of classes, by looking at each
//	                                   solution and all its images; draws of them
//	verify                             N, solutions, classes by a SAT solver, both ways
//	certificate                        N certified, and the certificate accepted
//	text                               the cover, written and read
//
// # Relations of covers
//
//	items, options     permuted: N
//	orders, shuffled   of the sweep, other ones, few, none, random: N
//	plain              without symmetries: N
//	union              beside another cover of M solutions: N·M
//	split              N = N with option o + N without it
//	bounds             N = sum over j of N with an item used j times
//	complement         N = N with any uses of an item - too few - too many
//	scaled             an item's bounds and uses k-fold, slack of less than k: N
//	twin item          an item that is used as another is: N
//	packed             two exact items as the digits of one: N
//	slack              an optional item exact, with an option for none: N
//	private            an item a..b with m options of its own: N·(C(m,a)+…+C(m,b))
//	clauses            the SAT encoding, read as text, as a cover of variables
//	                   and clauses: N
//
// # Relations of colours
//
//	colours            of each item in another order: N
//	hues               N = N with an item unused + sum over c of N with it of colour c
//	own colours        each use of an optional item in a colour of its own: N
//	uncoloured         colours as items, and an option for each choice of a colour: N
//	pairs              an item for each pair of options that do not agree: N
//
// Covers with colours have campaigns of their own: TestColoured with -coloured=N.
//
// # Relations of puzzles
//
//	placements    found by trying all motions at all places
//	turned        board and pieces turned or mirrored: N
//	apart         any copies, the board twice, too far apart for a piece: N²
//	oriented      a piece of any copies as its orientations, fixed: N
//	twin pieces   k copies of a piece as k pieces: N·k!
//	blank         cells that may stay empty covered by any number of a blank: N
//	drawn         at-most as a board of optional cells: N
//	heights       boxes of heights 1..5, any copies, in one sweep and each by itself
//	forbidden     a piece of no copies more: N
//
// # Laws
//
// Counts beyond 64 and 128 bits, where there is no oracle: [Laws] are dominoes
// on rectangles by Kasteleyn's product in integers, Aztec diamonds, lozenges in hexagons by
// MacMahon's product, strips with recurrences, and independent choices. Determinants are held to
// larger ones (TestDimerLaws), and to sweeps on boards with holes (TestDimersAndSweeps).
//
// # Non-goals
//
// No published counts: package facts has them. No wrong input written by hand: each
// package tests that. No times, but a case that takes over a minute, or an engine that takes
// over 1 GiB, is reported. No forecasts, no progress. A mistake that both sides of a check
// share, such as a wrong idea of what a tiling is, is not found.
//
// # Size and cost
//
// Small cases, nine in ten and more, have up to 16 cells and the oracle's 20,000
// steps; padded ones have states of several words and counts of several limbs,
// which the oracle still knows; large ones up to 225 cells and narrow frontiers;
// wide ones, one in 200, a million states. 2,000 cases make 44,000 comparisons in
// some fifteen seconds of processor time, 100,000 make 2.2 million in 22 minutes;
// each of 21 planted faults is found within a few hundred cases. The shrinker is
// greedy and takes at most [Harness].Shrink.
//
// # References
//
// W. M. McKeeman, "Differential testing for software", Digital Technical Journal
// 10 (1998). T. Y. Chen, S. C. Cheung, S. M. Yiu, "Metamorphic testing: a new
// approach for generating next test cases" (1998). CockroachDB's pebble, package
// metamorphic: one seed, one line to run it again. D. E. Knuth, The Art of Computer
// Programming 4B, 7.2.2.1: items, options, multiplicities. The formulas of the
// laws are named where they stand.
package differential
