// Package shuffle draws perfect matchings of boards of the square grid, exactly uniformly or with
// given weights, by generalised domino shuffling.
//
// # Purpose
//
// The package draws dominoes and lozenges on large boards. A [Board] is a part of the square grid.
// It may lack edges: lozenges are dominoes on a brick wall, a grid without every other vertical
// edge. [New] prepares a [Sampler], whose draws cost a few nanoseconds for each cell of each of n
// levels, where n is about half the sum of the board's height and width. Coupling from the past, by
// package dimer for all plane bipartite graphs, is a hundred times slower on a square of 200 x 200.
//
// # Non-goals
//
// The package does not count. It draws on no graph outside of the grid. If a board has a hole with
// more cells of one colour than of the other, New returns [ErrUnembedded], and the caller uses
// another method.
//
// # Words
//
// The diamond of order n (Aztec diamond) is the graph below; its edges are the entries of an array
// of 2n x 2n. A cell of the diamond is a block a b, c d of four entries around a face; its face
// weight is X = ad/(bc). Level k holds the face weights of the diamond of order k, and a pair is
// two consecutive levels. A draw grows a matching of order n from the empty matching of order 0; a
// coin is a uniform number from 0 to 1, compared with the probability p = X/(1+X).
//
// # The board in the diamond
//
// This is the diamond of order 2, and in it the board of 2x3 cells A B C, D E F:
//
//	  ●   ●              o   A
//	 a b a b            /   / \
//	○   ○   ○          o   B   D
//	 c d c d              / \ /
//	  ●   ●              C   E
//	 a b a b              \ /
//	○   ○   ○          o   F   o
//	 c d c d            \     /
//	  ●   ●              o   o
//
// Entries that are edges of the board have the weights of these edges. The vertices outside of the
// board get some perfect matching; its edges are called fixed and have weight 1. All other entries
// have weight ε. As ε → 0 only the matchings with the lowest power of ε remain: a perfect matching
// of the board with the fixed edges. (If the board has no perfect matching, edges of weight ε are
// drawn: [ErrNoMatching].)
//
// In a diamond somewhat larger than the board the vertices outside mostly have a perfect matching;
// boards of bricks are also turned ([Board.turned]). For a few ragged boards no diamond works. Then
// cells become trees of three or nine vertices ([Board.stretch]): the board has the same matchings,
// and there is more room outside.
//
// # The method
//
// The levels are computed from the top down. With X' of level k and X" of level k+1,
//
//	                (1 + X'(i,j+1)) (1 + X'(i+1,j))
//	X(i,j) = ───────────────────────────────────────────────────
//	         (1 + 1/X'(i,j)) (1 + 1/X'(i+1,j+1)) X"(i+1,j+1)
//
// is a number of level k-1. This is Propp's generalised shuffling with one number for each cell in
// place of four weights. Level n follows from the entries, and so do the inner numbers of level
// n+1, the weights da/(cb) of the faces between four cells. The other numbers are not used.
//
// Then a matching grows from order to order ([planes.grow]): each edge moves one step, two edges
// that meet vanish, and each cell without an edge gets a and d with probability p, or else b and c.
//
// Numbers are x · 2^(-256s) · ε^v, to represent ε and weights of very different sizes. As the
// recurrence has no subtraction, the leading coefficient and the exponent of a result come from the
// leading coefficients and exponents of its operands alone: 1 + X is 1 if v > 0, and X if v < 0.
// All probabilities converge as ε → 0, and with them the law of the draws.
//
// # Why draws are exact
//
// A coin is compared with the exact p, though levels have rounded numbers: if the coin is nearer to
// the rounded p than a bound on the error, it is decided with more precision. The bound is proved.
//
// Theorem. Let each number of the levels below the top pair be the result of the recurrence with
// the numbers that were computed above it, times e^d with |d| ≤ 10.01u, and each number of the top
// pair be its true value times e^d with |d| ≤ 1.01u. Then the logarithms of the numbers N levels
// below the top differ from the true ones by at most
//
//	E(N) = 10.01u · N(N+1)(2N+1)/6 + 1.01u · (N² + (N+1)²)
//
// and probabilities by at most E/4.
//
// Proof. (1) X of cell (i, j), N levels below the top, depends on the diamond G of order m = N+1 in
// the cone above it, with the entries (2i, 2j) to (2i+2m-1, 2j+2m-1). Let Z(H) be the sum over the
// perfect matchings of H of the products of their weights, and α, β, γ, δ the vertices (0, 1), (1,
// 2m), (2m, 2m-1), (2m-1, 0) of G, the ends of its upper, right, lower and left side. Then
//
//	X = Z(G-α-δ) Z(G-β-γ) / (Z(G-α-β) Z(G-γ-δ))
//
// For m = 1 this is the definition, and Kuo's condensation turns it into the recurrence.
//
// (2) Let f be a face of G. Its weight alone is multiplied by t if the edges across a path of
// faces, from f outwards, are multiplied by t or 1/t in turn, according to the colour of their left
// end. So the derivative of log Z(H) by the logarithm of f's weight is the mean number of edges of
// a random matching that cross the path, with these signs. Lay a random matching of G-α-δ over an
// independent random matching of G-α-β. There are double edges, loops, and a path from β to δ.
// Given this picture, the two ways to share out the edges of a loop are equally likely, so the
// difference of the two means comes from the path from β to δ alone: up to a constant sign, it is
// the probability that this path lies between f and the end of the path of faces. G-β-γ over G-γ-δ
// gives such a probability with the other sign. So the derivative of log X by the logarithm of a
// face weight is a difference of two probabilities, at most 1 in absolute value. This holds for all
// weights, so also for changes that are not small, and for ε → 0.
//
// (3) The faces of the diamond of order k' are its cells, with the weights of level k', and the
// faces between, with the inner weights of level k'+1; all these weights are independent. So a
// rounding of a number of level k', given the computed numbers of level k'+1, changes one face
// weight of that diamond, and log X of each cell below changes by at most |d|. Change one number
// after the other, from the top down. The cone has (h+1)² cells h levels above the cell, for h = 0
// to N, and N² inner cells of level n+1. The sum is E.
//
// (4) dp / d log X = p(1-p) ≤ 1/4. ∎
//
// A number is rounded ten times: once for each of two 1+X, twice for each of two X/(1+X), for three
// products, and for a quotient. Where 1 or X stands for 1+X, the relative error is below 2^-128,
// less than the rounding that is saved. Where Go fuses a product and a sum, it rounds less often.
//
// The margin of a coin of 53 bits is E/4 plus 2^-50 for the cut and for the comparison. With u =
// 2^-53, E is 3·10^-9 at 200 levels and 3.7·10^-7 at 1000. Of 3·10^8 coins at orders from 200 to
// 700 none was undecided; at order 1000, one coin was, in six draws of 4·10^7 coins each. After an
// undecided coin the pairs are made again with double-double numbers (u = 2^-100; an operation errs
// by less than 2^-101), and the draw starts again. The result is the same matching: a row of a
// level has a stream of coins that depends on the key alone, and uses the next coin at each cell
// without an edge whose weight has no power of ε. Exponents of ε are exact, and decided coins give
// the same results again, so the matching so far is the same, and so are the cells that use coins.
// From then on the roundings of float64 numbers begin at the next pair above a level. The first 96
// bits of an undecided coin are compared with a double-double number, made from that pair in the
// cone above the cell; if the coin is still undecided, further bits are compared with a number
// computed from the entries, until they decide. Further bits continue the coin: there is no bias.
//
// The coins are from PCG-DXSM generators whose states are hashes of the key.
//
// # Cost
//
// Levels have n³/3 cells in all. A cell costs about 5 ns in a pass down, 15 ns in double-double,
// and 2.5 ns for each draw. There is one pass to prepare, and one for each batch of draws. A draw
// of a square of 200 x 200 costs 5 to 7 ms. Draws in diamonds whose edges all have weight 1 (the
// Aztec diamond) need no levels: all coins are fair, a bit for each.
//
// New also looks for a place in a diamond, by matchings of the vertices around the board: 0.2 s for
// a square of 700 x 700, 1.7 s for a hexagon with sides of 200, whose levels need 0.4 s.
//
// Pairs are kept every √n levels, and the levels between two pairs are made again for each batch:
// n^2.5 numbers of 12 bytes (20 in double-double). Above order 1500, or if memory is short, pairs
// are kept every n^(2/3) levels. While draws use the levels between two pairs, further pairs are
// kept there. This needs n^(7/3) numbers, and one more pass.
//
// # References
//
// J. Propp, "Generalized domino-shuffling", Theoretical Computer Science 303 (2003). N. Elkies, G.
// Kuperberg, M. Larsen, J. Propp, "Alternating-sign matrices and domino tilings", Journal of
// Algebraic Combinatorics 1 (1992): the diamond, and shuffling with fair coins. E. Janvresse, T. de
// la Rue, Y. Velenik, "A note on domino shuffling", Electronic Journal of Combinatorics 13 (2006):
// the proof for weights. E. Kuo, "Applications of graphical condensation for enumerating matchings
// and tilings", Theoretical Computer Science 319 (2004). T. J. Dekker, "A floating-point technique
// for extending the available precision", Numerische Mathematik 18 (1971): double-double numbers.
// M. E. O'Neill, "PCG" (2014): the generator.
package shuffle
