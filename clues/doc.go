// Package clues makes puzzles with exactly one solution out of an exact cover.
//
// [New] has a cover, one of its solutions and candidates for clues. [Finder.Minimal] and
// [Finder.Fewest] choose clues after which this solution is the only one, [Finder.Steps] shows how a
// person may find it.
//
// # Purpose
//
// A clue is a cover.Bound that the solution keeps: a placement that is given, a wall that no placement
// crosses, a number of placements in a row. The puzzle is the cover with the chosen clues.
//
// Every solution but one must break a clue. The running example, dominoes on 2x3, with the third
// tiling as the solution and its placements as candidates:
//
//	┌──┬──┬──┐         other solutions    the clues that they break
//	│a │b │c │
//	│  │  │  │         ab c               ad  be
//	│d │e │f │         de f
//	└──┴──┴──┘
//	candidates         a bc                   be  cf
//	ad  be  cf         d ef
//
// A set of clues that leaves one solution has a member in each row: {be} or {ad, cf}. Both are
// minimal: no clue can be left out. {be} has fewest.
//
// # Words
//
// A gap is a set of candidates of which every set of clues needs a member: a row of the example. A
// query asks for gaps that the chosen clues do not meet. If there is none, these clues are enough.
//
// # Minimal and fewest
//
// Minimal begins with no clue. As long as there is a gap, it chooses a clue of it, one that is in most of
// the gaps so far. Then it tries to leave out each clue, in random order. If a known gap has no other
// clue of the chosen ones, no query is needed.
//
// Fewest finds a smallest set that meets all gaps so far (an implicit hitting set). If there is no
// new gap, this set is enough, and no smaller one can be. Otherwise the new gap is shrunk until no
// part of it is a gap, since small gaps bar more sets, and more gaps are looked for that have no
// clue in common with it.
//
// # Grades
//
// A solver of a grade has these rules, which people use too, and for each item and each clue the
// options that are taken and those that are open:
//
//	Easy     An option is taken that an item needs: it has just enough uses left. An option is crossed
//	         out that an item has no room for.
//	Medium   An option is crossed out if after taking it the first rule ends in a contradiction.
//	Hard     An option is guessed.
//
// In the example, be is given. Then a has no room for ab, and ad is the only use left: it is taken,
// and so is cf. This is an easy puzzle.
//
// Where a solver of a grade is stuck there is a gap, too: the clues that would force something there.
// More clues never hinder a solver. So Minimal and Fewest make puzzles of a grade by the same steps:
// clues that lead a solver of this grade to the solution. For Hard, the gaps come from other solutions;
// for Medium, from other solutions first, and from the solver once there are none. A set for Medium may
// turn out easy, and one for Hard not hard: then other random numbers, or another solution, help.
//
// # Non-goals
//
// No geometry: the candidates come from the caller. No judgement of beauty. Grades are of the rules
// needed, not of the number of steps.
//
// # Size and cost
//
// A query for other solutions compiles a search (count.Some): a millisecond for 8x8. The solver keeps
// a bit for each item and option, and a bit for each candidate and option, as the search does. It
// looks at each item again and again, at 64 options a time.
//
// Milliseconds for one puzzle by Minimal, and its number of clues, one thread; the candidates are the
// walls between the pieces of a random tiling:
//
//	                        easy          medium         hard
//	dominoes, 8x8           1.7   25.9     6.5   21.1     5.5   21.1
//	tetrominoes, 8x8        8.8   32.6      36   22.8      30   22.8
//	pentominoes + O4, 8x8    27   26.7     331   13.9     162    9.7
//
// and with given placements as candidates:
//
//	dominoes, 8x8           0.7   12.8     3.0   12.4     2.2   12.4
//	tetrominoes, 8x8        1.2    9.0     6.6    7.9     7.0    7.9
//	pentominoes + O4, 8x8   2.4    5.6      21    3.0      18    2.9
//
// Fewest is exponential in the worst case.
//
// # References
//
// L. Pachter and P. Kim, "Forcing matchings on square grids", Discrete Mathematics 190 (1998): the
// fewest given dominoes. E. Moreno-Centeno and R. Karp, "The implicit hitting set approach to solve
// combinatorial optimization problems", Operations Research 61 (2013). R. Reiter, "A theory of
// diagnosis from first principles", Artificial Intelligence 32 (1987): minimal sets that meet all
// conflicts. D. E. Knuth, The Art of Computer Programming 4B, 7.2.2.1: covers and their items.
package clues
