// Package automaton turns a cover into an automaton: states, steps and moves.
//
// # Purpose
//
// Put the items that are used at most once (the cells of a board) in an order and decide one after
// the other. Before step i all items before i are decided. The rest of the problem depends on the
// past only by a state: which of the next items are covered already, and how many copies of the
// bounded pieces are used. Choices that lead to equal states have equal futures, so they can be
// merged. The cost of counting grows with the number of states, not of solutions.
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
// A move is an option together with its demands on a state and the bits that it adds to it. A
// [Transition] is all moves of a step, in keys of one width, and the test that drops states:
// together they lead from one level to the next. Sweeps, estimates and the way back from a level
// use this one value.
//
// # Moves keep order
//
// A move fits a state m only where their bits are disjoint, and there OR is
// addition: m|o = m+o. To add a constant keeps order. So does to shift the window
// down, and to add to a counter. So a move maps a sorted level to a sorted stream of
// states; package sweep merges the streams of all moves.
//
// Counters are made to fit the same test, m&Test == Want and (m+Add)&Guard == 0:
//
//   - An item that is used at most once is a flag, one bit of Test.
//   - A counter up to max begins at a bias, so that passing max sets its guard bit.
//   - A counter that only has to reach min stops there. It has two moves: below min
//     a move that adds 1, at min a move that adds nothing.
//
// # Colours
//
// An item with colours has a field in the window, behind the last step with an option
// that uses it, so that its bits leave the state by the shift:
//
//	| counter | … | … cells x x cells … cell i |     x x: unused, red, green, closed
//
// A use of a colour is a move of states where the item is not used, and a move of states where it
// has the colour; often a single move is enough. See colours.go.
//
// # What must be true
//
//   - The moves of a step that fit a state are of different variables, or fit different
//     states: of the moves of one variable at most one fits any state.
//   - A move adds bits that are 0 in the states it fits, but for counters, whose sums stay
//     in their fields: nothing is carried in the window, wherever it is cut.
//   - A move does not add the bits that it wants to be 1. A move may add nothing but bit 0.
//   - A variable may have no move: an option whose colour comes too late.
//
// # Dropped states
//
// A state is dropped when a lower bound cannot be reached any more, or when free
// items are walled off from the open end of the window and no set of the remaining
// pieces has their number of items (a pocket). With pieces that are used once every step
// looks for pockets. With others a step looks for no pockets, only for cells that are alone, or
// for all pockets; package sweep chooses.
//
// # The choice of an order
//
// The order decides how many states there are. [Compile] compares the orders of a problem by a
// forecast: how many states a level would have if its items were covered independently of each
// other (forecast.go calls these typical sets). A forecast makes no state and costs milliseconds.
// Of a cover without orders, orders are made and compared by the number of partial covers along
// them (order_partial.go). [Candidates] are the orders that the forecast cannot distinguish;
// package estimate, above, makes samples of their levels to choose. Where the levels of a run turn
// out to be far larger than this forecast, other orders are looked at ([Automaton.Surprises]).
//
// # The files
//
//	automaton  states, steps and moves       order     orders worth trying
//	compile    from a cover to one           forecast  the cost of an order
//	counters   bounds on copies              choose    orders compared
//	pockets    states without a future       layout    the meaning of the bits
//	transition a step, in keys of a width    strip     a board of any height
//	print      a hash of an automaton        colours   items with colours
//	order_colours  orders of covers with colours
//	order_partial  orders of covers without orders
//
// # Non-goals
//
// No levels, no counts, no geometry, no choice of engine.
//
// # Cost
//
// Compiling costs time in proportion to the uses of all options, for each order that is compared,
// and memory of 260 bytes an option for the best one.
//
// # References
//
// Knuth, TAOCP 4B, 7.2.2.1 (items, options, multiplicities); Kawahara, Inoue,
// Iwashita, Minato, "Frontier-based search for enumerating all constrained subgraphs
// with compressed representation" (2017).
package automaton
