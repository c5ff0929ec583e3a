// Package beam describes one sweep on many machines. The packages below it do the work. This
// package has the picture and the words that they share.
//
// # Purpose
//
// A count by sweep needs memory for two levels and time for all of them. If one machine has too
// little memory or time, a level is cut into ranges of keys, and each range is a task. Apache Beam
// assigns the tasks to machines: on one machine without other software, or on many machines through
// Flink, Dataflow or Spark.
//
//	a store that all machines share                      what goes through Beam
//
//	level 0     [slab]                                   names of tasks
//	              │ one band of steps
//	              ▼
//	level 12    [slab][slab][slab]                       names of the tasks that are done, and of the next tasks
//	              │╲   ╱│╲   ╱│     a task reads its
//	              │ ╲ ╱ │ ╲ ╱ │     range of every slab
//	              ▼  ╳  ▼  ╳  ▼
//	level 24    [slab][slab][slab]                       …
//	              ⋮
//	last level  [slab]                                   the count
//
// # Words
//
//   - A band is a sequence of steps that one task sweeps, by default about half a row of the board.
//     The levels between its first and its last are never written.
//   - A slab is a file with the states that one task has made, sorted and with checksums. The
//     content determines its name. (In package internal/engine/sweep, a slab is a smaller piece of
//     a level.)
//   - A level of the store is a file that lists the slabs of the level. Several slabs may have the
//     same state: a task that reads them adds the counts of equal keys.
//   - A task is a level, a range of its keys and the level at the end of the band. These three
//     determine the result: a task writes the same bytes on every machine, however often it runs.
//   - A receipt describes the slab that a task has made. A task that has a receipt is not done
//     again.
//   - A mark is a key of a slab with the number of states before it. The marks of a level are an
//     index, from which the bounds of tasks are chosen.
//   - A residue is the remainder of a count when it is divided by a prime. Residues are computed
//     separately from the counts, and then compared with the counts.
//
// # The packages: each uses packages above it
//
//	store      files that machines share: a folder, gs://, s3://
//	slab       the states of a level in one file
//	permute    an order of the bits of keys, so that tasks overlap little
//	band       levels, tasks, receipts: a run without the assignment of tasks
//	pipeline   the assignment of tasks: a run as a pipeline of Beam
//	cmd        the program pavage-beam
//
// # Why this is a separate module
//
// Beam requires about three hundred modules. Users of pavage alone do not need them.
//
// # Non-goals
//
// This module counts, and only by a sweep: it makes no samples, no diagrams, no certificates. It
// starts and watches no machines. `pavage work` cannot do its tasks: doc/many-machines.md has the
// reasons.
package beam
