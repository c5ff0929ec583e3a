// Package pipeline has the tasks of a run done by an engine of Apache Beam: Prism in this process,
// or Flink, Spark or Dataflow on many machines.
//
// # Purpose
//
// Package band says what is to be done, and makes it harmless to do it twice. An engine says who does
// it, starts workers, and tries again what has failed. This package says the one in the words of
// the other:
//
//	        what flows: a task is a level's name and three numbers
//
//	Create ──► Reshuffle ──► ParDo do ──► Combine collect ──► ParDo join ──┐
//	tasks of     all          a task,       all tasks of       writes the  │ tasks of the
//	the last     workers      hours         the band           level       │ next band
//	whole level                                                            │
//	    ┌──────────────────────────────────────────────────────────────────┘
//	    └──► Reshuffle ──► ParDo do ──► … as many bands as are left ──► (nothing)
//
// States never flow through the engine, nor do receipts: a receipt has up to a hundred marks, and ten
// thousand of them would be one element of 100 MB. They lie in the store, and whoever joins
// reads them there: for a task that is done [band.Run.Do] returns the receipt.
//
// The driver, which is the program that somebody started, only waits. It sees in the store how far the run
// is, whatever the engine, and reads the answer there.
//
// # A process that works
//
// A process opens a run once, however many workers the engine has in it, and does at most as many
// tasks at a time as it has cores: so it needs so often the memory of a task. (Prism has up to eight
// tasks at a time, Dataflow twelve for a core if it is not told otherwise.)
//
// # Errors
//
// Engines hand errors on as text, with much of their own around it, quoted perhaps. So a task that fails
// adds to its error a word that nobody quotes, which has its kind and its text ([mark]), and the driver looks
// for that word in what the engine says ([found]). Nothing else is made of the text.
//
// # Non-goals
//
// No streams, no windows, no metrics of Beam: the receipts have what tasks took. No job is watched that
// runs without its driver. A driver that ends has not stopped the workers of a cluster: they may
// finish what they are at, and that is not lost.
//
// # Cost
//
// Prism needs some 30 ms for a band, and a megabyte. A band has one shuffle of tasks of 60 bytes, and
// one combine.
package pipeline
