// Package dimer counts the perfect matchings of planar graphs, and draws perfect matchings of
// bipartite planar graphs uniformly: tilings by dominoes or lozenges of boards of any size, with
// holes.
//
// # Purpose
//
// Package sweep counts tilings in a time that doubles with each column or two of the board. By
// Kasteleyn's theorem (the FKT algorithm) the count is a determinant, which is much faster for
// large boards. Each row of the [Matrix] is a black vertex, each column a white one, and the entry
// of an edge is the number of its options, or its weight, with a sign:
//
//	cells       black, white     edges               b  d  f
//	a b c       ● ○ ●            a───b───c        a  +  +  .
//	d e f       ○ ● ○            │   ┃   │        c  +  .  +     determinant -3
//	                             d───e───f        e  -  +  +
//
// Three entries in different rows and columns are the edges of a perfect matching. The determinant
// adds some products of such entries and subtracts others; the signs of the edges are chosen so
// that all products get the same sign ([Graph.signs]): here -1, so there are 3 tilings. A hole is a
// face of the graph like others and needs no rule of its own.
//
// [Read] makes the graph of any cover whose options cover two cells each, or one cell beside a face
// (alone.go). For other covers it returns the reason in one line: bounds that exclude solutions, a
// cell that need not be covered, an option of three cells. [Graph.Embed] finds how the graph lies in
// the plane. So the package has no boards and no special cases for dominoes, lozenges, forbidden
// placements, coloured cells or rings of squares.
//
// # Pfaffians
//
// The graph of a board of hexagons cannot have two colours, nor can the graph of a cone (a quarter
// of a square, its two inner sides joined). Then each vertex is a row and a column, and each edge
// is two entries, with opposite signs:
//
//	a───b               a  b  c  d
//	│ ╲ │           a   .  +  -  +
//	d───c           b   -  .  +  .     determinant 4, the square of the 2 matchings
//	                c   +  -  .  +
//	                d   -  .  -  .
//
// The determinant of such a matrix is the square of a sum that has a term for each perfect
// matching, its Pfaffian. One rule gives the signs of both kinds of graphs: edges are directed so
// that the walk around each face meets an odd number of edges in their direction; and an entry is +
// if its edge leads from its row to its column. So a graph of two colours is a special case, with
// half the rows. Each connected part of a graph is of one kind or the other, and the same
// elimination serves both.
//
// The count is the square root of the exact determinant. Roots of residues do not give it, since a
// square has two roots modulo a prime. A determinant that is not a square shows a mistake. Compared
// with a graph of two colours on the same number of cells, the rows, the unknowns and the primes
// are doubled: 100x99 squares around a cylinder need 1 s. To eliminate rows and columns in pairs
// (Parlett and Reid 1970) would give the Pfaffian itself, but cost n² products for a pair, not n.
//
// # Tori
//
// A graph of two colours on a torus has four determinants, with different signs of edges, and the
// count is a combination of the four ([Matrix.total]). [planar.EmbedTorus] finds the faces of such
// graphs. The four determinants are four parts of one matrix.
//
// # Words
//
// A row is the equation of a black vertex: the entries of the row, each times the value of its
// white vertex, add up to 0. Some white vertices are called unknowns; the other white vertices are
// linear combinations of the unknowns. A part is a connected part of the graph.
//
// # The elimination
//
// No matrix is kept. The rows come one after another, as the cells of a sweep do, and a white
// vertex is stored, as a vector, as long as a later row needs it. A white vertex is new in the
// first row that has it. A row with a new vertex is solved for it; if it has more new vertices,
// these become unknowns. A row without new vertices is an equation between the unknowns: it is
// solved for one unknown, which is replaced in all vectors. These are the rows for 2x3 cells:
//
//	row a:  b + d = 0            b and d are new: b is an unknown     d = -b
//	row e:  -b + d + f = 0       f is new                             f = b - d = 2b
//	row c:  b + f = 0            nothing is new: 3b = 0, solved for b
//
// The determinant is the product of the divisors, 1·1·3, with the sign of the permutation from rows
// to columns. It is N or -N for a count N. The term of one perfect matching ([Bipartite.Matching])
// tells which, so no bit is needed for a sign. If a divisor is 0 modulo the prime by chance, the
// row is solved for another new vertex, or another unknown; if there is none, the determinant is 0.
//
// This is Gaussian elimination in another order: in the usual one (a band around the diagonal, as
// wide as the board) each of the n²/2 rows of a square board costs n²/4 products. Here a row costs
// 3 products for each of the n/2 unknowns, because hardly any row is an equation between unknowns.
// This is three quarters of n³ products in all, instead of n⁴/8. The equations between unknowns,
// at the end or at a hole, cost as much as rows of the band.
//
//	               20x20    40x40    60x60    100x100   200x200   one thread, busy machine
//	band           12 ms    0.4 s    2.5 s    90 s      -         with a division for each product
//	here           1.5 ms   11 ms    60 ms    0.16 s    2.7 s
//
// [orderer] finds breadth-first orders from both ends of a part, and the orders of the cover; the
// cheapest is used. [layout] goes through this order once and assigns a place to each vector. The
// memory is places times unknowns, about n²/2 words.
//
// # Primes
//
// The elimination is done modulo primes below 2^62 ([field]: Montgomery's products; sums of three
// products are reduced once). Hadamard's bound gives the number of primes, and the residues are
// combined exactly ([newRemainders]). 100x100 needs 80 primes. A thread works on one prime at a
// time.
//
// [Matrix.Marginals] returns for each edge the number of perfect matchings that have it: one pass
// backwards through the elimination serves all edges (inverse.go). If the determinant is the square
// of the count, either of the two entries of an edge gives the number. On a torus a determinant may
// be 0, without an inverse matrix. So for each edge the matchings without it are counted, in 1 s
// for 20x20, in minutes for 40x40. Other questions need more counts: the matchings with two given
// edges are N, minus the number without the first, minus the number without the second, plus the
// number without both. An edge is left out by the weight 0.
//
// # Draws
//
// A [Coupling] draws solutions, each exactly as likely as any other, without counting them:
//
//	elementary   the edges that are in some matchings and not in others
//	plane        their faces, and matchings as heights of faces: a distributive lattice
//	strips, lanes  each face is a bit of a word, so that 64 faces are updated at once
//	cut          holes that are too long to be rotated are first cut open, by determinants
//	coupling     two chains from the top and the bottom, from the past until they meet
//
// An [Unranking] chooses one edge after another, by the number of matchings that have the edge. It
// also serves tori, and plane graphs without two colours. A draw needs V/2 counts for V vertices.
//
// # Non-goals
//
// Tori with cycles of odd length are not supported: the signs of their four Pfaffians are not
// known. Nor are surfaces of higher genus, or Möbius bands, which are not orientable.
//
// # References
//
// P. W. Kasteleyn, "The statistics of dimers on a lattice", Physica 27 (1961), "Dimer statistics
// and phase transitions", J. Math. Phys. 4 (1963), and "Graph theory and crystal physics" (1967);
// H. N. V. Temperley and M. E. Fisher, "Dimer problem in statistical mechanics: an exact result",
// Phil. Mag. 6 (1961); J. K. Percus, "One more technique for the dimer problem", J. Math. Phys. 10
// (1969): bipartite graphs; M. E. Fisher, "On the dimer solution of planar Ising models", J. Math.
// Phys. 7 (1966); A. Galluccio and M. Loebl, "On the theory of Pfaffian orientations I" (1999); G.
// Tesler, "Matchings in graphs on non-orientable surfaces" (2000); D. Cimasoni and N. Reshetikhin,
// "Dimers on surface graphs and spin structures I" (2007); W. P. Thurston, "Conway's tiling
// groups", Amer. Math. Monthly 97 (1990); J. G. Propp and D. B. Wilson, "Exact sampling with
// coupled Markov chains" (1996); J. Propp, "Lattice structure for orientations of graphs" (2002).
package dimer
