// Package pipeline lets an engine of Apache Beam do the tasks of a run: Prism in this process, or
// Flink, Spark or Dataflow on many machines.
//
// # Purpose
//
// Package band defines the tasks, and makes it harmless to do a task twice. An engine assigns tasks
// to workers, which it starts, and tries failed tasks again. This package makes a run of package
// band a pipeline that an engine can do:
//
//	        what flows: a task is a level's name and four numbers
//
//	Create ──► Reshuffle ──► ParDo do ──► Combine collect ──► ParDo join ──┐
//	tasks of     all          a task,       all tasks of       writes the  │ tasks of the
//	the last     workers      for hours     the band           level       │ next band
//	level                                                                  │
//	    ┌──────────────────────────────────────────────────────────────────┘
//	    └──► Reshuffle ──► ParDo do ──► … for each band that is left ──► (nothing)
//
// States and receipts never flow through the engine, since Combine would make one element of 100 MB
// from 10,000 receipts with 128 marks each. The join reads the receipts in the store: for a task
// that is done, [band.Run.Do] returns the receipt.
//
// The driver is the program that the user has started. It only waits, sees the progress of the run
// in the store, and reads the answer there. This works with every engine.
//
// # The processes of workers
//
// All workers in a process share one open run. By default, a process does at most one task for each
// core at a time, and its memory must suffice for these tasks. (Without this limit Prism would do
// up to eight tasks at a time, and Dataflow twelve for each core.)
//
// # Errors
//
// Engines return errors as text, in the middle of their own text and perhaps in quotes. So a failed
// task adds a word to its error. The word encodes the error's kind and text in letters that no
// quoting changes ([mark]). The driver looks for the word in the engine's error ([found]), and uses
// nothing else of the engine's error.
//
// # Non-goals
//
// The package uses no streams, windows or metrics of Beam: the receipts have the costs of tasks.
// Nothing watches a run whose driver has ended. The workers of a cluster then continue: they may
// finish their tasks, and the results of these tasks are not lost.
//
// # Cost
//
// Prism needs about 30 ms and 1 MB for a band. A band has one shuffle of tasks of 60 bytes each,
// and one combine.
package pipeline
