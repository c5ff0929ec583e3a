// Package automaton turns a cover into an automaton: states, steps and moves.
//
// # Purpose
//
// Put the items that are used at most once (the cells of a board) in an order and decide each in
// turn. Before step i all items before i are decided. What can follow depends only on a state:
// which of the next items are covered already, and how many copies of the bounded pieces are used.
// Choices that lead to equal states have equal futures, so they can be merged. The cost of counting
// grows with the number of states, not with the number of solutions.
//
//	order   a d b e c f         (2x3 board, columns first; window of 3 bits)
//
//	level 0      000
//	           ad / \ ab
//	level 1    001   010        bit 0 is d, bit 1 is b, bit 2 is e
//	      (skip)|     | de
//	level 2    000   011        bit 0 is b
//	            ⋮     ⋮
//
// # Words
//
// The window is the part of the order that an option placed before i can reach; bit j of a state
// is set if item i+j is covered. A counter is a field of bits above the window in the same key:
//
//	| counter | counter | … | window: bit w-1 … bit 1, bit 0 = item i |
//
// A move is an option together with its conditions on a state and the bits that it adds to the
// state. A [Transition] leads from one level to the next. It has all moves of a step, in keys of
// one width, and the tests that drop states.
//
// # Moves keep order
//
// A move that adds the bits o fits a state m only if o and m have no common bit. Then OR is
// addition: m|o = m+o. Adding a constant keeps the order of states. So do shifting the
// window down and adding to a counter. So a move maps a sorted level to a sorted stream of
// states. Package sweep merges the streams of all moves.
//
// Counters are made to fit the same test, m&Test == Want and (m+Add)&Guard == 0:
//
//   - The counter of an item that is used at most once is a flag, one bit, which Test includes.
//   - A counter with an upper bound has a bias, so that a count above the bound sets a guard bit.
//   - A counter with only a lower bound stops at the bound. An option that it counts has two
//     moves: below the bound a move that adds 1, at the bound a move that adds nothing.
//
// # Colours
//
// An item with colours has a field in the window, behind the last step with an option
// that uses it. The shift removes the bits of the field:
//
//	| counter | … | … cells x x cells … cell i |     x x: unused, red, green, closed
//
// An option that uses a colour has a move for states in which the item is not used, and a move for
// states in which the item has the colour; often one of the two is enough. See colours.go.
//
// # What must be true
//
//   - At most one of the moves of a variable fits a state.
//   - A move adds bits that are 0 in the states that it fits, except to counters, whose sums
//     stay in their fields. So nothing is carried in the window.
//   - A move does not add the bits that it requires to be 1. The move of
//     an option without swept items adds only bit 0.
//   - A variable has no move if its option needs a colour of an item that surely has another.
//
// # Dropped states
//
// A state is dropped when a lower bound cannot be reached any more. It is also dropped when it has
// a pocket, free items walled off from the open end of the window, and no set of the remaining
// pieces has the same number of items. If some pieces are used once, every step looks for all
// pockets. If not, package sweep chooses whether a step looks for no pockets, only for lone cells
// (pockets of one cell), or for all pockets.
//
// # The choice of an order
//
// The order decides how many states there are. [Compile] compares the orders of a problem by a
// forecast: how many states a level would have if its items were covered independently of each
// other (forecast.go calls these typical sets). A forecast makes no state and costs milliseconds.
// If a cover has no orders, [Orders] makes some and compares them by the number of partial covers
// along them (order_partial.go). [Candidates] returns the cheapest orders. If the levels of a run
// are far larger than the forecast ([Automaton.Surprises]), package order sweeps these candidates.
//
// # The files
//
//	automaton  states, steps and moves       order     orders worth trying
//	compile    makes an automaton            forecast  the cost of an order
//	counters   bounds on copies              choose    orders compared
//	pockets    states without a future       layout    the meaning of the bits
//	transition a step, in keys of a width    strip     a board of any height
//	print      a hash of an automaton        colours   items with colours
//	order_colours  orders of covers with colours
//	order_partial  orders of covers without orders
//
// # Non-goals
//
// This package makes no levels, does not count, knows no geometry and chooses no engine.
//
// # Cost
//
// The time is proportional to the number of orders that are compared, times the number of items of
// all options. The best order needs 260 bytes of memory for each option.
//
// # References
//
// Knuth, TAOCP 4B, 7.2.2.1 (items, options, multiplicities); Kawahara, Inoue,
// Iwashita, Minato, "Frontier-based search for enumerating all constrained subgraphs
// with compressed representation" (2017).
package automaton
