// Package temperley draws perfect matchings by way of spanning trees, on boards that allow it.
//
// # Purpose
//
// Coupling from the past draws a fair tiling of n x n dominoes in about n⁴ steps. On many boards
// the tilings correspond to the spanning trees of another graph (Temperley), and a fair spanning
// tree costs little more time to draw than to write down (Wilson). Such a board is a plane graph
// together with its dual. The package finds both graphs from the graph of the board, not from a name
// or a shape:
//
//	P ─ e ─ P ─ e ─ P       a tree         its tiling
//	│   │   │   │   │       P───P   P      ┌───────┬───┬───┬───┐
//	e ─ D ─ e ─ D ─ e           │   │      │       │   │   │   │
//	│   │   │   │   │       P───P   P      ├───────┤   │   │   │
//	P ─ e ─ P ─ e ─ P           │   │      │       │   │   │   │
//	│   │   │   │   │       P───P───r      ├───────┼───┼───┼───┤
//	e ─ D ─ e ─ D ─ e                      │       │   │   │   │
//	│   │   │   │                          ├───────┤   │   │   │
//	P ─ e ─ P ─ e   r                      │       │   │   │   │
//	                                       ├───────┼───┴───┼───┘
//	                                       │       │       │
//	                                       └───────┴───────┘
//
//	P    primal vertex         e    edge vertex: a primal edge from P to P, and a dual edge across it
//	D    dual vertex           r    a primal vertex that is no cell: the root
//	                           r*   the outer face, a dual vertex that is no cell: the dual root
//
// # Words
//
//	edge vertex   a vertex of one colour of the board, with at most four neighbours
//	other vertex  a vertex of the other colour: primal or dual
//	dart          an edge of the board, from an edge vertex to another vertex
//	missing end   an end of an edge vertex that is r or r*, so that no dart leads to this end
//	square        a face of the board with four darts
//	link          two darts of one edge vertex that are in one square
//
// # Which boards
//
// A board is Temperleyan if it is connected and, for one of its colours:
//
//   - the numbers of edge vertices and of other vertices are equal;
//   - all its faces but one, the outer face, are squares;
//   - primal and dual vertices alternate around each edge vertex, after missing ends were added at
//     its corners in the outer face, at least one at each such corner, until it has four ends.
//
// Let a board of square cells have no holes and equal numbers of black and white cells. If the cells
// at its inner corners have one colour, it is Temperleyan: every rectangle with an even number of
// cells; a rectangle with an odd number of cells less a cell of its border; staircases.
// An Aztec diamond has inner corners of both colours and is not Temperleyan.
//
// # The bijection
//
// The edges of the primal graph are the edge vertices, and its vertices are the primal ones and r.
// The perfect matchings of the board correspond to the spanning trees of the primal graph:
//
//   - From a matching to a tree. Each primal vertex, and each dual one, leaves by the edge vertex
//     that it is matched with. Suppose that k primal vertices leave in a cycle, and that p primal,
//     d dual and e edge vertices lie within it. No end is missing there, for the outer face is
//     outside. So within the cycle or on it are 4e darts of the e edge vertices and, by
//     alternation, 3k darts of the k ones on the cycle. 2k darts are on the cycle, so there are
//     k+2e squares. Euler's formula gives p + d = e + 1. But the matching pairs the vertices of the
//     cycle among themselves, and hence p + d vertices with e: a contradiction. So all ways end at
//     r, and the edges matched with primal vertices are a spanning tree. By the same reasoning the
//     other edges are a spanning tree of the dual graph.
//   - From a tree to a matching. Let r and r* be drawn in the outer face. Suppose that edges
//     outside the tree make a cycle of the dual graph. There are primal vertices on both sides of
//     the cycle, since each of its edges has one primal end on each side. The tree connects them,
//     but it has no edge that crosses the cycle: a contradiction. So the edges outside the tree, by
//     their number, are a spanning tree of the dual graph. Direct both trees to their roots, and
//     match each vertex with the edge by which it leaves.
//
// The second part requires a drawing of r and r* without crossings: the missing ends at r are one
// arc around the outer face, and those at r* are the other arc. This need not be checked. Let c be
// the number of missing ends at a corner of the outer face at an edge vertex. By Euler's formula
// the sum of c-1 over all these corners is 2 if and only if the numbers of edge vertices and of
// other vertices are equal. By alternation the missing ends nearest to a vertex between two corners,
// on both sides of it, belong to the same root. So the root changes only within corners, c-1 times
// at each, as c is at least 1: twice in all.
//
// Conversely, remove from any plane graph with its dual a vertex r and a face r* at r. If the rest is
// connected and no two of its edges have the same ends, it is a Temperleyan board: the squares at r
// and at r* together are its outer face, and each corner there has lost a dart.
//
// # Recognition
//
// Given the squares, no drawing is needed. A connected board with equal numbers of edge vertices and
// other vertices is Temperleyan if and only if
//
//   - each edge vertex has four darts with four links, in a ring; or fewer, each linked to the
//     next; or two without a link;
//   - the squares at each other vertex are a ring with all its darts, or rows;
//   - vertices - darts + squares = 1.
//
// For then the squares form surfaces. These are joined to each other, and to the remaining darts,
// only at single vertices. None of them is closed: that would be the whole board, each edge vertex
// with four darts, and the sum would be 0. Surfaces with a border have an Euler characteristic of
// at most 1, so by the sum they are all discs and are joined as a tree.
//
// In a Temperleyan board a cycle of four darts that is no square gives some edge vertex a link too
// many. If no edge vertex has one, as always on boards of square cells, all cycles of four darts are
// squares. Otherwise the squares are the faces of the drawing by [dimer.Graph.Embed]. If the graph
// has several drawings, this one may have other faces, and a Temperleyan board is refused. This
// happened to half of the random boards that had to be drawn.
//
// Two darts of an edge vertex lead to different kinds of vertices if they are linked, and else to
// the same kind.
//
// # Wilson's algorithm
//
// At first the tree is the root. From a vertex outside the tree walk at random until the tree is
// met, erase the loops of the walk and add the remaining path to the tree; repeat until all
// vertices are in the tree. A walk keeps, for each vertex, only the edge by which it left last,
// which erases loops by itself. The law of the tree depends neither on the order of the vertices
// nor on the root.
//
// The walks are in the dual graph, and dual is the kind with more missing ends. A root with many
// edges is found soon: a square less a corner has its corner as the root of one graph and its whole
// border as the root of the other. The primal tree is the complement. It is directed to r from its
// leaves, each of which leaves by its only edge.
//
// # Cost
//
// The expected number of steps of all walks is the sum over the vertices of degree times resistance
// to the root. That is about n² ln n times a constant for n x n vertices of degree 4. The table has
// the measured steps per vertex, and the constant:
//
//	n                      100    500    1000    constant
//	root: the border       3.0    4.0     4.4    2/π: squares of 2n+1 cells on a side, less a corner
//	root: half the border  4.0    4.9     5.6    2/π: squares of 2n cells
//	root: random           8.6    9.9    13.8    4/π: SpanningTree
//	root: a corner          16     21      23    10/π
//
// A board of 10^6 cells is recognised in 0.17 s, with 110 MB. A draw needs 0.045 s, one third for
// the walks. With 10^7 cells, these times are 1.7 s and 0.57 s. A spanning tree of 10^7 vertices
// with a random root is drawn in 2.3 s to 3 s: at this size each step misses the cache.
//
// # Non-goals
//
// Edges have no weights: the bijection of Kenyon, Propp and Wilson is more general, but here every
// edge of the board must stand for the same number of options. Boards may not have holes: matchings
// of boards with holes are forests of a kind that Wilson's algorithm does not draw. If a board has
// several parts, the caller must draw from each part.
//
// # References
//
// H. N. V. Temperley, "Enumeration of graphs on a large periodic lattice", in Combinatorics (1974);
// R. W. Kenyon, J. G. Propp, D. B. Wilson, "Trees and matchings", Electronic J. Combin. 7 (2000),
// R25; D. B. Wilson, "Generating random spanning trees more quickly than the cover time", STOC
// (1996).
package temperley
