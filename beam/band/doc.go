// Package band counts by a sweep whose levels lie in a store, band after band: all of a run on many
// machines but for who does what.
//
// # Purpose
//
// A run must come to the same count whatever the engine that hands its tasks out does: tasks come
// twice, at once or a day later, in any order, and some die in the middle. So everything here is a
// function of what it reads, is named by what it reads, and appears in the store whole or not at all:
//
//	store:  <run>/plan, problem                 what every worker compiles the automaton of
//	        <run>/levels/000012-<hash>          a level: which slabs it is, by which tasks they were made
//	        <run>/tasks/<hash of what is read>  a receipt: what a task has made
//	        <run>/slabs/<hash of its root>      the states that a task has made
//
//	Last ──► level ──► Tasks ──► Do ──► receipt ──┐
//	           ▲                 Do ──► receipt ──┼─► Join ──► the next level ──► … ──► Answer
//	           │                 Do ──► receipt ──┘
//	           └── what a stopped run goes on from
//
// # A task
//
//	level 24     slab ─┬──────┬──────┬──────    a task is a range of the keys of a level:
//	             slab ─┼──────┼──────┼──────    it reads the range of every slab,
//	             slab ─┼──────┼──────┼──────    sorts what it reads, equal keys added,
//	                     sort                   takes the steps of the band by package sweep,
//	level 36           └─► slab                 and writes all that it comes to in one slab
//
// Ranges of keys are independent of each other, so any cut of a level is right. Two tasks may come
// to the same state: then it is in both slabs, and the next band adds the two. So that few do,
// keys of slabs have their bits in the order of the band to come: see package permute. A level says for which
// band it is sorted, so that a run can go on with bands of another length.
//
// Bounds are quantiles of the marks of the level's slabs. They are no part of a task, which is a
// level, a number and of how many: every worker finds the same bounds in the level's file. The
// receipt is named by the bounds. So a level may be cut otherwise when a run goes on, and a
// cut that is the same is not done again.
//
// # What is not believed
//
//   - Every file is under a checksum, and under a name that its content determines. A damaged, missing
//     or exchanged slab is made again by the task that the level's file tells, from the level before;
//     that must come to the same name. If slabs of that level are missing too, these are
//     made first, and so on down to level 0, which is made of nothing.
//   - A damaged level is passed over: the run goes on from the one before, whose tasks find their
//     receipts. A damaged receipt is no receipt.
//   - Residues modulo a prime are carried beside the counts, by additions of their own. A slab compares
//     the two for every state. Join compares them for the sums, and compares what all tasks have read, states
//     and residues, with what the level has: nothing was lost or read twice.
//
// # What is deleted
//
// The slabs of a level, when the level after next is whole. Until then a slab of the next level can
// be made again. When the last level is whole nothing but its slabs stays, and those of the one
// before. Receipts and levels stay: a task of an old band that comes again finds its receipt.
//
// # Words
//
// Those of package beam. The run of a store is named by its print: of the automaton, the
// problem, the prime and the version of the files. How it is cut, into bands and into tasks,
// is in the plan and not in the print, so that a run can go on with other numbers.
//
// # Non-goals
//
// Nothing here knows Beam. No machine is watched and no task is handed out, but by [Local] in
// one process. No locks: two drivers of one run do the same work twice, and are right.
//
// # Cost
//
// For each task two files that are written, and a read of a range for each slab of the level.
// A level's file has some marks of each slab: 10,000 slabs take some megabytes. What bands
// of several lengths cost is in bench/many-machines.md.
//
// # References
//
// Dean, Ghemawat, "MapReduce" (2004): tasks that are done again are why outputs must be a function of
// inputs and appear at once. Merkle trees: see package slab.
package band
