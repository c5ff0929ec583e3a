// Package temperley draws perfect matchings by way of spanning trees, on boards that allow it.
//
// # Purpose
//
// Coupling from the past draws a fair tiling of n x n dominoes in about n⁴ steps. On many boards
// the tilings are the spanning trees of another graph (Temperley), and a fair spanning tree costs
// little more than to write it down (Wilson). Such a board is a plane graph together with its
// dual; the package finds this out from the graph of the board, not from a name or a shape:
//
//	P ─ e ─ P ─ e ─ P       P    primal vertex               a tree       its tiling, a corner left out
//	│   │   │   │   │       D    dual vertex, in a face      P───P   P    ┌───────┬───┐
//	e ─ D ─ e ─ D ─ e       e    edge vertex: a primal           │   │    ├───┬───┤   │
//	│   │   │   │   │            edge from P to P, crossed   P───P   P    │   │   │   │
//	P ─ e ─ P ─ e ─ P            by a dual edge from D to D  │       │    │   ├───┤   │
//	│   │   │   │   │       r    the last P, not on the      P───P───r    ├───┴───┤   │
//	e ─ D ─ e ─ D ─ e            board: the root                          │       │ …
//	│   │   │   │           r*   the outer face, not on
//	P ─ e ─ P ─ e   r            the board: the dual root
//
// # Words
//
//	edge vertex   a vertex of one colour of the board, with at most four neighbours
//	other vertex  a vertex of the other colour: primal or dual
//	dart          an edge of the board, from an edge vertex to another vertex
//	missing end   an end of an edge vertex that is r or r*, so that the edge vertex has fewer neighbours
//	square        a face of the board of four darts
//	link          two darts of one edge vertex that lie in one square
//
// # The bijection
//
// Let a connected board have as many edge vertices as other ones, and let all its faces but one,
// the outer face, be squares. Let primal and dual neighbours alternate around each edge
// vertex, after missing ends were added at its corners in the outer face until it has four ends,
// at least one at each such corner.
// Then the perfect matchings of the board are the spanning trees of the primal graph, whose vertices
// are the primal ones and r and whose edges are the edge vertices:
//
//   - From a matching: each primal vertex leaves by the edge vertex that it is matched with, and
//     each dual vertex too. Suppose the primal ways made a cycle of k vertices and k edges. Within it
//     are p primal, d dual and e edge vertices. No end is missing there, for the outer face is
//     outside; so e edge vertices have 4 darts, and the k on the cycle have 3 darts on it or
//     within it, by alternation. That is 3k+4e darts in squares with 4 sides each. Euler's formula
//     gives p + d = e + 1. But a matching pairs the vertices of the cycle among themselves, and p + d
//     with e: a contradiction. So all ways end at r, the edges matched with primal
//     vertices are a spanning tree, and by the same reasoning the others are a spanning tree of the dual graph.
//   - From a tree T: let the other edges have a cycle in the dual graph. Draw r and r* in the outer
//     face. On both sides of the cycle there are primal vertices, since its edges have one end on each.
//     T has a way from one side to the other, but no edge that crosses the cycle. So the other edges, by
//     their number, are a spanning tree of the dual graph. Directed to their roots, T and the
//     other tree match each vertex with the edge by which it leaves.
//
// The second part needs r and r* to be drawn without crossings: the missing ends at r are one
// arc around the outer face, and those at r* the other arc. This follows. Let c be the missing ends at a corner
// of the outer face that is at an edge vertex. Euler's formula says that there are as many edge vertices
// as others if and only if the sum of c-1 over these corners is 2. By alternation the missing ends on both
// sides of a vertex between two corners belong to the same root. So the roots change only within
// corners, c-1 times, which is twice if c is at least 1 everywhere.
//
// The other way round, a plane graph together with its dual, less a vertex r and a face r* at r,
// has all these properties, if no two of its edges have the same ends. So the condition is exact.
//
// # Recognition
//
// No drawing is needed. If the squares are known, the board is as above if and only if
//
//   - each edge vertex has four darts with four links in a ring; or fewer darts, with links from one
//     to the next; or two darts without a link;
//   - the squares at any other vertex form one ring with all its darts, or rows;
//   - vertices - darts + squares = 1, and the board is connected.
//
// For then it consists of surfaces with a border that hang together at single vertices; each surface has an
// Euler characteristic of at most 1, and the sum shows that all are discs and hang together as a tree.
// On boards of cells all cycles of four darts are squares. A cycle that is no square shows, because
// some edge vertex has a link too many; then the squares are the faces found by [dimer.Graph.Embed]. Two darts
// of an edge vertex lead to a primal and to a dual vertex if they are linked, and else to two of a kind.
//
// # Wilson's algorithm
//
// Begin with the root as the tree. From any vertex outside walk at random until the tree is
// met, forget the loops of the walk, add the rest to the tree; repeat. A walk keeps only the edge by
// which it has left each vertex last, which forgets loops by itself. The law of the tree depends
// neither on the order of vertices nor on the root.
//
// The expected number of steps is the sum over all vertices of degree times resistance to the root. So
// the walks are in the dual graph, where dual is the kind with more missing ends: a
// rectangle less a corner has its corner as the root of one graph, and its whole border as the root of
// the other.
//
// # Cost
//
// Linear but for a logarithm. n x n vertices with the border as root: resistances are about
// ln(distance)/2π, and the walks have %WIRED% steps for a vertex at n = 500, %WIRED2% at n = 1581; with a
// corner as the root %CORNER%; with a random root %FREE%.
//
// # Non-goals
//
// No weights: the generalized bijection (Kenyon, Propp, Wilson) has weighted and directed edges, but
// here every edge of the board stands for the same number of options. No boards with holes, which have
// forests in place of trees. Boards that are not connected are for the caller to take apart.
//
// # References
//
// H. N. V. Temperley, "Enumeration of graphs on a large periodic lattice", in Combinatorics (1974);
// R. Kenyon, J. Propp, D. Wilson, "Trees and matchings", Electronic J. Combin. 7 (2000), R25; D. Wilson,
// "Generating random spanning trees more quickly than the cover time", STOC (1996).
package temperley
