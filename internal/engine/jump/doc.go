// Package jump makes the levels of an automaton where they are sparse: a state waits in the level
// of its first free item, and is dropped at once if no option fits it there.
//
// # Purpose
//
// An ordinary sweep (package sweep) carries every state through every level: where the present item
// is covered, the state is shifted and nothing else happens to it. On a dense board blocks of
// states are shifted together, which costs next to nothing. On a sparse one each state has a block
// of its own. There nearly all work is to carry states from level to level, and most of them
// cannot be completed:
//
//	ordinary   level 7      8        9        10       11
//	           ..01100111 ► 0110011 ► 011001 ► 01100 ──► what fits?  (nothing)
//
//	jump       level 7                        10
//	           ..01100111 ──────────────────► 01100    what fits? nothing: it is not kept at all
//
// So here a state that a move makes waits in the level where its first free item is the present
// one, and only if some move fits it there. When the run comes to that level, the state has its
// turn. (Y pentominoes on 15x15: an ordinary sweep meets
// 62 million states in 5.2 s; 8.3 million have a turn, which takes 0.9 s; 3.3 million of them have
// no cell alone, which takes 0.6 s.)
//
// # A step
//
//	waiting   7 ▪▪▪▪   8 ▪▪▪▪▪▪   9 ▪▪   10 ▪▪▪   11 ▪ …     lists of states, in no order
//	          │
//	          ▼ sort, add the counts of equal states, drop those with a pocket
//	        states ── what fits? ──► moves ── shift ──► 8 ▪   10 ▪▪   11 ▪ …   where something fits
//
// Sorting is by digits of eight bits, only of those bits in which the states of a level differ; a
// large level is first cut by its highest digit into ranges that fit the cache, which workers take
// one by one. Keys are compared whole; there is no hash table. What fits is looked up, byte by
// byte of a key: see fits.go.
//
// # The same levels
//
// Waiting states and an ordinary level are two ways to write the same states: see ordinary.go. A
// sweep may begin and stop jumping at every level. What it saves is an ordinary level, without
// the dead states that were dropped. To go on from it gives the same count.
//
// # What must be true
//
//   - A state waits in the level of its first free item, once for each arc to it.
//   - Some move of that step fits it, and it meets the floors of all steps before: the least
//     numbers of copies that are asked for.
//   - A state whose present item is covered has one move, which only shifts: see
//     [automaton.Automaton.Skips].
//   - What a step does depends on the states of its level alone, not on the number of workers nor
//     on the order in which states came.
//   - A step that fails leaves the run as it was.
//
// # The files, so that each uses those above it
//
//	pages     memory for states that wait       fits      what fits a state
//	sort      equal states side by side         worker    a range of a level
//	run       a step                            ordinary  ordinary levels, wider counts
//	outlook   what jumping would bring
//
// # Non-goals
//
// No arcs, no weights, no way back, no files: package sweep does these with ordinary levels. When
// it pays to jump is decided there.
//
// # Cost
//
// A state whose turn comes takes 25 ns, an arc to a state that waits 40 ns, one to a state that is
// dropped 25 ns. Memory is 8 bytes for each word of key and of count of a state that waits; equal
// ones are added up only when their turn comes.
//
// # References
//
// Iwashita, Minato, "Efficient top-down ZDD construction techniques using recursive
// specifications" (2013), whose levels are skipped likewise; Knuth, TAOCP 3, 5.2.5 (sorting by
// distribution).
package jump
