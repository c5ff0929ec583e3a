// Package planar draws a graph in the plane without crossings, or reports that this is impossible.
//
// # Purpose
//
// Kasteleyn's theorem counts the perfect matchings of a planar graph from its faces. A board shows
// its faces, but a cover has only items and pairs of items. So the faces are found from the pairs,
// for boards of every lattice, for wrapped boards, and for covers without a board:
//
//	pairs                     Embed          for each vertex its edges in a ring     Faces
//	ab bc ad be cf de ef   ───────────►                                   ─────────────────►
//
//	a ── b ── c       ring of b: ba bc be      faces:  ab be ed da
//	│    │    │       ring of e: eb ef ed              bc cf fe eb
//	d ── e ── f       …                                ad de ef fc cb ba (around them)
//
// # Words
//
//	dart        an edge in one direction; edge e has the darts 2e and 2e+1
//	ring        the darts that leave a vertex, in the order of turning around it
//	face        the darts on the way around a face; it may go along an edge twice (a bridge)
//	return      an edge returns to a vertex below if tree edges and a back edge lead there from it
//	side        the side of the tree path, left or right, on which an edge returns
//
// # Correctness
//
// [Embedding.Check] checks the rings, and Euler's formula: vertices - edges + faces is two for
// each connected part only if the part is drawn in the plane. Check uses no code of
// the search for the rings, and Embed returns only embeddings that pass Check. So a mistake in
// the search cannot give wrong faces. At worst a planar graph gets [ErrNonplanar] or another
// error.
//
// # How: left and right
//
// A depth-first search makes a tree. All edges not in the tree lead from a vertex back to a
// vertex below it, on the path to the root. So draw the path, and decide for each back edge
// on which side of the path it returns. Here the search went a, b, c, f, e, d:
//
//	          ┌──────────────┐      d to c: crosses e to b if it returns on the same side
//	a ── b ── c ── f ── e ── d      the path, heights 0 to 5
//	│    └──────────────┘    │      e to b
//	└────────────────────────┘      d to a: around e to b, on either side
//
// Two edges that leave a vertex of the path return to the path on the same side only if one is
// around the other: neither may return strictly between the vertices that the other returns to. So
// each vertex, from the leaves down, gives demands of two kinds: two edges must return on the same
// side, or they must return on different sides. The graph is planar if and only if no demand
// contradicts another (de Fraysseix and Rosenstiehl).
//
// A list of all demands would cost quadratic time. A stack of the edges that return below the
// present vertex is enough. Its elements are pairs of intervals. An interval is a list of back
// edges, from the highest return to the lowest. In a pair, one interval is for the left side and
// one for the right. When the edges of a vertex are joined, pairs at the top of the stack are
// merged; when the search leaves a vertex, the ends of lists that return to it are cut off. In a
// list each edge refers to the edge with the next lower return, and its side is relative to this
// edge: sides become absolute at the end (Brandes).
//
// Three depth-first searches, each a loop without recursion:
//
//	orient   directs the edges, finds how low each returns, and orders them by nesting
//	sides    keeps the stack of pairs, and chooses sides
//	place    puts back edges into the rings, inside of earlier back edges
//
// # Non-goals
//
// The package does not prove that a graph is not planar (by Kuratowski's subgraph), finds no
// coordinates, and gives no choice of embeddings. The only other surface is the torus, for graphs
// whose shortest cycles are faces: [EmbedTorus].
//
// # Cost
//
// Time is linear, and memory is 160 bytes for each edge. A grid of 10^6 vertices and 2·10^6 edges
// needs 0.6 s if its vertices are numbered row by row. If they are numbered at random, it needs 5
// s, since every step misses the cache. (Boards are numbered row by row.)
//
// # References
//
// De Fraysseix, Rosenstiehl, "A characterization of planar graphs by Trémaux orders"
// (Combinatorica 5, 1985); de Fraysseix, Ossona de Mendez, Rosenstiehl, "Trémaux trees and
// planarity" (2006); Brandes, "The left-right planarity test" (2009), whose algorithm this is.
package planar
