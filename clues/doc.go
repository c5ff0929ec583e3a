// Package clues makes puzzles with exactly one solution out of an exact cover.
//
// [New] accepts a cover, one of its solutions and candidates for clues. [Finder.Minimal] and
// [Finder.Fewest] choose clues that only this solution satisfies. [Finder.Steps] returns steps by
// which a person may find the solution.
//
// # Purpose
//
// A clue is a cover.Bound that the solution satisfies, such as a given placement, a wall that no
// placement crosses, or the number of placements in a row of the board. The puzzle is the cover
// with the chosen clues.
//
// Every other solution must break a chosen clue. The running example is dominoes on 2x3. The third
// tiling is the solution, and its placements are the candidates:
//
//	┌──┬──┬──┐         other solutions    the clues that they break
//	│a │b │c │
//	│  │  │  │         ab c               ad  be
//	│d │e │f │         de f
//	└──┴──┴──┘
//	candidates         a bc                   be  cf
//	ad  be  cf         d ef
//
// A set of clues excludes the other solutions if it has a member in each row: {be} or {ad, cf}.
// Both sets are minimal: no clue can be left out. {be} is the smallest set.
//
// # Words
//
// Two sets meet if they have a common member. A gap is a set of candidates that every sufficient
// set of clues meets. Each row of the example is a gap. A query searches for gaps that the chosen
// clues do not meet. If there are none, the chosen clues are sufficient.
//
// # Minimal and fewest
//
// Minimal begins without clues. As long as a query finds a gap, Minimal chooses the clue of this
// gap that is in the most gaps so far. Then Minimal tries to leave out each clue, in random order.
// A clue that is the only chosen one in a known gap is kept without a query.
//
// Fewest finds a smallest set that meets all gaps so far (an implicit hitting set). If a query
// finds no new gap, this set is sufficient, and no smaller set is. Otherwise Fewest shrinks the new
// gap until no proper subset is a gap, since small gaps exclude more sets, and searches for further
// gaps that have no clue in common with this gap.
//
// # Grades
//
// A solver keeps, for each item and each clue, the options that are chosen and the options that
// are still open. A solver of a grade applies the rules up to this grade, which people use too:
//
//	Easy     An option is chosen if an item or clue cannot reach its minimum without it. An option
//	         is crossed out if an item or clue has no room for it.
//	Medium   An option is crossed out if choosing it leads the Easy rules to a contradiction.
//	Hard     An option is guessed.
//
// In the example with the clue be, b has no room for ab, so ab is crossed out. Then ad is the only
// open option of a and is chosen, and likewise cf. This is an easy puzzle.
//
// A position where a solver is stuck gives a gap, too: the clues that would force an option there.
// More clues never hinder a solver. So Minimal and Fewest find clues for a solver of any grade in
// the way described above. The gaps for Hard come from other solutions. The gaps for Medium come
// from other solutions first, and from the solver once there are no other solutions. Clues that are
// chosen for Medium may make an easy puzzle, and clues that are chosen for Hard an easy or medium
// puzzle. Then a call with other random numbers or another solution may give the wanted grade.
//
// # Non-goals
//
// The package has no geometry: the caller supplies the candidates. A grade depends on the rules
// that are needed, not on the number of steps or on beauty.
//
// # Size and cost
//
// A query for other solutions compiles a search (count.Some): about 1 ms for a board of 8x8.
// The solver keeps one bit for each pair of an item and an option, and one for each pair of a
// candidate and an option. It visits each item repeatedly, 64 options at a time.
//
// The first table has two columns for each grade: the time of Minimal for one puzzle, in
// milliseconds on one thread, and the number of clues. The candidates are the walls between the
// pieces of a random tiling:
//
//	                        easy          medium         hard
//	dominoes, 8x8           1.7   25.9     6.5   21.1     5.5   21.1
//	tetrominoes, 8x8        8.8   32.6      36   22.8      30   22.8
//	pentominoes + O4, 8x8    27   26.7     331   13.9     162    9.7
//
// In the second table, the candidates are the placements of the tiling:
//
//	dominoes, 8x8           0.7   12.8     3.0   12.4     2.2   12.4
//	tetrominoes, 8x8        1.2    9.0     6.6    7.9     7.0    7.9
//	pentominoes + O4, 8x8   2.4    5.6      21    3.0      18    2.9
//
// Fewest is exponential in the worst case.
//
// # References
//
// L. Pachter and P. Kim, "Forcing matchings on square grids", Discrete Mathematics 190 (1998), find
// the fewest given dominoes. Hitting sets: E. Moreno-Centeno and R. Karp, "The implicit hitting set
// approach to solve combinatorial optimization problems", Operations Research 61 (2013), and R.
// Reiter, "A theory of diagnosis from first principles", Artificial Intelligence 32 (1987). Exact
// covers: D. E. Knuth, The Art of Computer Programming 4B, 7.2.2.1.
package clues
