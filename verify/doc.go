// Package verify counts the solutions of a cover a second time. It lists them with a SAT
// solver, which has no code for tilings, and checks each solution.
//
// [Count] counts the solutions with the SAT solver, [Enumerate] lists them, and
// [CheckCertificate] checks the certificate of a count.
//
// # Purpose
//
// A number is credible if an independent program arrives at the same number. The engines of
// package count merge states, or branch on matrices of bits, and share some code. This package
// shares no line with them. It writes the problem as clauses. The solver gini finds the models
// of the clauses. Each model is checked against the problem itself, and is one solution. If the
// enumeration does not reach its end, the error wraps [ErrUndecided].
//
//	cover.Problem ── Encode ──▶ CNF ──┬─ WriteDIMACS ──▶ any other solver
//	                                  └─ Enumerate ──▶ gini ──▶ models ──▶ checked ──▶ counted
//
// # Words
//
//   - A variable stands for an option, or is a helper. The options determine the helpers, so
//     every solution is one model.
//   - A part is the set of solutions that have some options in common. The literature on SAT
//     calls a part a cube.
//   - A scope is the set of literals that follow from the literals pushed so far.
//   - A class is the set of solutions that are images of one solution under the symmetries.
//
// # The formula
//
// Dominoes on 2x3. A variable is true if the placement is in the solution:
//
//	a b c        1 ab   2 bc   3 de   4 ef   5 ad   6 be   7 cf
//	d e f
//
//	a   1∨5              ¬1∨¬5
//	b   1∨2∨6            ¬1∨¬2  ¬1∨¬6  ¬2∨¬6
//	…                    (c, d, e, f in the same way; any number of dominoes)
//
// An item that must be used has a clause with all its options. (If the area already implies that
// every piece is used, the pieces do not need such a clause. Omitting these clauses made no
// measurable difference.) "At most one of these options" has a clause for each pair of up to 7
// options. Longer lists are cut into groups of 6, each with a helper for "one of these", and the
// list of helpers is treated in the same way. For other bounds the clauses count: helper s(k,j) is
// true if the first k options use the item at least j times. For an item with colours, the options
// of one colour have a helper for "one or more of these", which uses the item once in their place.
// Clauses make a helper true if its meaning holds, else false. So the options determine it.
//
// # Enumerating the models
//
// [Enumerate] cuts the problem into parts, at the item with the fewest options: one part for
// each option. It cuts the parts again until few options are open (see the constant mostOpen). Then
// it walks each part with a new solver: it selects the item with the fewest options left, pushes
// its options one after another, inspects the result of unit propagation, continues
// recursively, and pops. For dominoes on 2x3, the whole walk is
//
//	begin   nothing follows
//	push 1  ab: ¬2 ¬6 ¬5, so 7 and 3: {ab,de,cf}       pop
//	push 5  ad: ¬1 ¬3                                  (b has 2 and 6)
//	  push 2  bc: ¬7, so 4: {ad,bc,ef}                 pop
//	  push 6  be: ¬2, so 7: {ad,be,cf}                 pop
//	pop
//
// From a contradiction gini learns a clause that holds for the whole part. These clauses prune
// many branches: on 8x8 with the pentominoes and a square there are only 50 scopes for each
// solution. But clauses also make the solver slower, and one solver for all parts would collect
// them without bound. Therefore each part has its own solver.
//
// The table has the seconds for all solutions or, in parentheses, the number of solutions found in
// 20 s. One thread of a busy machine with two cores was used, and no symmetries:
//
//	                           solutions   by scopes    one clause for each model
//	dominoes, 6x6                   6728       0.01             0.4
//	dominoes, 8x8               12988816       17           (66511)
//	monomer-dimer, 4x4             10012       0.02             0.4
//	L3, 9x9                      1193600       13           (75945)
//	pentominoes, 3x20                  8       0.9          (6)
//	pentominoes, 6x10               9356      (1658)        (55)
//	soma                           11520       2.9          (4253)
//	8x8 less two corners, dominoes     0       0.06             0.005
//
// The last column requests a model, forbids it by a clause, and requests the next model. The time
// is quadratic in the number of solutions.
//
// # Symmetry
//
// Symmetries divide the options of an item into orbits. For one chosen item only one option of
// each orbit is searched. The images of every solution found are generated, checked and
// counted. With [Options.Classes], one solution of each class is listed, with the size of the
// class. For 8x8 with the pentominoes and a square, 19,371 models in 6,561 parts give all
// 16,146 classes with 129,168 members, in two minutes of processor time.
//
// # Evidence
//
// The checker adds up the uses of each item by the options of a model. The check
// does not depend on the clauses. So it detects clauses that allow too much. It does not detect
// clauses that allow too little. Only a different number of solutions reveals them. The tests plant
// both kinds of mistakes, at random: a clause left out, a bound off by one. They compare the
// results of cuts, walks and clauses with the results of internal/test/oracle.
//
// # Certificates
//
// [CheckCertificate] reads a file written by count --certificate. It checks that every choice
// of every state leads to the right state, and that all sums are right. It holds two levels in
// memory. It uses only doc/certificate.md and the cover, no code of the engines.
//
// # External programs
//
// [Ask] runs a SAT solver or a model counter that reads DIMACS files. If the program prints a
// model, the model is checked.
//
// # Non-goals
//
// The package counts only by listing, so it counts at most about 10^8 solutions. It has no second
// solver. It does not prove that there are no more solutions. The caller must validate the problem.
//
// # Size and cost
//
// An item that is used at most once needs about 10 literals for each of its options. An item
// that is counted needs up to 10·(max+1) literals for each option. A formula has at most
// [maxLiterals] literals; the end of a clause counts as one. A scope needs a microsecond for
// dominoes and 0.1 ms for pentominoes. Each thread holds the solver of one part. The solver needs
// some MiB: 32 bytes for each literal and 232 bytes for each option (see the constant giniOption).
//
// # References
//
// The counter is from Sinz, "Towards an optimal CNF encoding of Boolean cardinality constraints"
// (2005). The groups are from Klieber and Kwon, "Efficient CNF encoding for selecting 1 from N
// objects" (2007). Parts are from Heule, Kullmann, Wieringa and Biere, "Cube and conquer" (2011).
// The gini solver is at github.com/go-air/gini.
package verify
