// Package band sweeps one band of steps after another to count solutions, and keeps the levels
// between bands in a store. It does everything in a run except the assignment of tasks to machines.
//
// # Purpose
//
// The engine that assigns the tasks of a run may reorder them, do a task twice, or stop a task
// before its end. The count must be the same in all cases. So every file of a run is a function of
// the files that were read for it, has a name that these files determine, and appears in the store
// whole or not at all:
//
//	store:  <run>/plan, problem                 from these every worker compiles the automaton
//	        <run>/levels/00000012-<hash>        a level: its slabs, and the tasks that made them
//	        <run>/tasks/<hash of the input>     a receipt: the result of a task
//	        <run>/slabs/<hash of its root>      the states that a task has made
//
//	Last ──► level ──► Tasks ──► Do ──► receipt ──┐
//	           ▲                 Do ──► receipt ──┼─► Join ──► the next level ──► … ──► Answer
//	           │                 Do ──► receipt ──┘
//	           └── a stopped run goes on from here
//
// # A task
//
//	level 24     slab ─┬──────┬──────┬──────    a task is a range of the keys of a level:
//	             slab ─┼──────┼──────┼──────    it reads the range of every slab,
//	             slab ─┼──────┼──────┼──────    sorts the states, adds counts of equal keys,
//	                     sort                   sweeps the steps of the band by package sweep,
//	level 36           └─► slab                 and writes all states that it reaches in one slab
//
// Ranges of keys are independent of each other, so any cut of a level is right. If two tasks reach
// the same state, both slabs have it, and the next band adds the two counts. To make this rare, the
// bits of the keys in a slab are permuted for the next band: see package permute. A level records
// for which band it is sorted, so that a run can go on with bands of another length.
//
// The bounds of a range are quantiles of the marks of the level's slabs. A task does not contain
// these bounds, only its index and the number of tasks. From these and the level's file, every
// worker computes the same bounds. The bounds determine the name of the receipt. So a level may be
// cut into another number of tasks when a run continues. A range that is done is not done again.
//
// # Checks
//
//   - Every file has a checksum, and a name that its content or its input determines. A damaged,
//     missing or exchanged slab is made again from the level before, by the task that the level's
//     file names for it, and must get the same name. If slabs of the level before are missing too,
//     they are made first, and so on down to level 0, which needs no slab.
//   - A damaged level is ignored: the run continues from the level before, whose tasks find their
//     receipts. A damaged receipt counts as missing.
//   - The residue of each count modulo a prime is computed by separate additions. When a slab is
//     written, each count is compared with its residue. Join compares the sum of all counts with
//     the sum of all residues. Join also checks that all tasks together have read as many states as
//     the level has, with the same sum of residues: no state may be lost or read twice.
//
// # Deletion
//
// The slabs of a level are deleted when the level after next is complete. Until then a slab of the
// next level can be made again. When the last level is complete, its slabs and the slabs of the
// level before stay. Receipts and levels stay. So if an engine repeats a task of an old band, Do
// finds the receipt.
//
// # Words
//
// Package beam defines the words. The folder of a run is named by its print, a hash of the
// automaton, the problem, the prime and the version of the files. How the run is cut into bands and
// tasks is in the plan and not in the print, so that a run can continue with another cut.
//
// # Non-goals
//
// The package does not depend on Beam, and watches no machines. Only [Local] assigns tasks, in one
// process. There are no locks: two processes that drive one run do the same work twice, and both
// counts are right. If their bands differ, the process that is done first deletes slabs that the
// other process still reads. To make these slabs again, the other process may also have to make
// slabs of earlier levels again, which needs time.
//
// # Cost
//
// Each task writes two files, and reads a range of each slab of the level. A level's file has some
// marks of each slab: the marks of 10,000 slabs are some megabytes. The costs of bands of several
// lengths are in bench/many-machines.md.
//
// # References
//
// Dean, Ghemawat, "MapReduce" (2004): since tasks are done again, outputs must be a function of
// inputs and appear as a whole. Merkle trees: see package slab.
package band
