// Package verify counts the solutions of a cover a second time, by a SAT
// solver that knows nothing of tilings, and lists them while it does.
//
// # Purpose
//
// A number is believed when somebody else comes to it. The engines of package
// count merge states or branch on bit matrices, and share a compiler of
// problems and much testing. This package shares no line with them: a problem
// becomes clauses, gini finds the models, each model is checked against the
// problem itself, and counting is by one. What it cannot finish it calls
// undecided; see [ErrUndecided].
//
//	cover.Problem ── Encode ──▶ CNF ──┬─ WriteDIMACS ──▶ anybody's solver
//	                                  └─ Enumerate ──▶ gini ──▶ models ──▶ checked ──▶ counted
//
// # Words
//
// A variable stands for an option, or is a helper that the options determine,
// so that models and solutions are one to one. A part is the solutions with
// some options taken, a cube of the SAT literature; a scope is what follows
// from the literals pushed so far; a class is the solutions that symmetries
// make of one.
//
// # The formula
//
// Dominoes on 2x3. A variable says that a placement is in:
//
//	a b c        1 ab   2 bc   3 de   4 ef   5 ad   6 be   7 cf
//	d e f
//
//	a   1∨5              ¬1∨¬5
//	b   1∨2∨6            ¬1∨¬2  ¬1∨¬6  ¬2∨¬6
//	…                    (c, d, e, f alike; as many dominoes as one likes)
//
// An item that must be used has a clause with all its options. (Where the area
// tells that every piece is used, the pieces could do without; that neither
// saves nor costs anything that could be measured.) That at most one is used is
// said in pairs for up to 7 options; longer lists are cut into groups of 6, each
// with a helper for "one of these", and the helpers are a list of their own.
// Other bounds count: helper s(k,j) says that the first k options use the item
// at least j times. Every helper is defined in both directions, which is what
// makes it determined.
//
// # The ways through the models
//
// [Blocking] asks for a model, forbids it by a clause, and asks again. All that
// is learnt stays, and so do the clauses, which make it quadratic.
//
// [Cubes] cuts the problem at the item with fewest options, one part for each,
// until few options are open (800; see mostOpen), and walks each part with a
// solver of its own: push the options of the item with fewest left, one after
// another, look at what unit propagation leaves, go on below, pop. The whole
// of the running example is
//
//	begin   nothing follows
//	push 1  ab: ¬2 ¬6 ¬5, so 7 and 3: {ab,de,cf}       pop
//	push 5  ad: ¬1 ¬3                                  (b has 2 and 6)
//	  push 2  bc: ¬7, so 4: {ad,bc,ef}                 pop
//	  push 6  be: ¬2, so 7: {ad,be,cf}                 pop
//	pop
//
// A contradiction teaches gini a clause, which holds for the whole part. That
// prunes a lot: on 8x8 with the pentominoes and a square there are 50 scopes
// to a solution. But clauses also slow it down, and in one solver for all they
// never end: hence parts.
//
// Seconds for all solutions (or solutions within 20 s), one thread, no
// symmetries, on a busy 2-core machine:
//
//	                           solutions      cubes         blocking
//	dominoes, 6x6                   6728       0.01             0.4
//	dominoes, 8x8               12988816       17           (66511)
//	monomer-dimer, 4x4             10012       0.02             0.4
//	L3, 9x9                      1193600       13           (75945)
//	pentominoes, 3x20                  8       0.9          (6)
//	pentominoes, 6x10               9356      (1658)        (55)
//	soma                           11520       2.9          (4253)
//	8x8 less two corners, dominoes     0       0.06             0.005
//
// so cubes are the default. Blocking wins where there is nothing to find and
// something to learn, and is a second opinion.
//
// # Symmetry
//
// Of the options of one item only one of each orbit is searched. The images of
// what is found are then made, checked and counted, or with [Options.Classes]
// one solution of each class is listed, with the size of the class. All 16,146
// classes of 8x8 with the pentominoes and a square, 129,168 members together,
// come of 19,371 models in 6,561 parts, in two minutes of processor time.
//
// # Evidence
//
// A model is checked by adding up the uses of every item by its options: see
// checker. It has no clauses, so an encoding that admits too much is found
// out; one that admits too little is not, and shows in the comparison of
// numbers. Both are planted in the tests: a clause left out, a bound off by
// one, at random. Cuts, walks and encodings are held to internal/oracle.
//
// # Certificates
//
// [CheckCertificate] reads what count --certificate has written and sees, with two
// levels in memory, that every choice of every state leads where it must and that
// all sums are right. It knows doc/certificate.md and the cover, and nothing of the
// engines.
//
// # Others' programs
//
// [External] asks a SAT solver or a model counter that reads DIMACS files, and
// checks the model that it shows like any other.
//
// # Non-goals
//
// No counting without listing, so no more than some 10^8 solutions. No second
// solver. No proof of unsatisfiability is written down. Problems are taken as
// validated.
//
// # Size and cost
//
// An item that is used at most once takes about 10 literals for each of its
// options, and one that is counted up to 10·(max+1); an encoding has at most
// [MaxLiterals], ends of clauses included. A scope takes a microsecond for
// dominoes and 0.1 ms for pentominoes. Each thread holds one part's solver, some
// MiB.
//
// # References
//
// Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints"
// (2005): the counter. Klieber and Kwon, "Efficient CNF encoding for selecting
// 1 from N objects" (2007): groups. Heule, Kullmann, Wieringa and Biere, "Cube
// and conquer" (2011). The gini solver, github.com/go-air/gini.
package verify
