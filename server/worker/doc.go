// Package worker decides where the work of the service is done, and does it.
//
// # Purpose
//
// A request comes with [Worker.Submit] or [Worker.Count]. It goes the cheapest way there
// is:
//
//	request ─► Check, job.Key ─► in the store? ─yes─────────────────────────► done
//	                                 │ no
//	                                 ▼
//	                   job.Predict: milliseconds? ─yes─► quick work, here ──► done
//	                                 │ no                     │ takes longer
//	                                 ▼                        ▼
//	                   row of the table of jobs, lane short or long
//	                                 ┆
//	                   [Worker.Work]: share of memory ─► claim ─► child ────► done
//
// So the same question is worked once: a second request with an equal key (see job.Key)
// finds the answer in the store, or waits for whoever works on it.
//
// # Words
//
//   - Quick work is done in this process, before the caller is answered. It is what is
//     forecast to take at most 50 ms, in a few slots, with a limit of two seconds and a
//     small limit of memory. Work that reaches a limit goes to the table of jobs.
//   - A share is the memory that a child may take: twice what its forecast says and 64 MiB,
//     and some 24 MiB for the program itself.
//   - The budget is the memory of all children. A part of it is for the short lane alone,
//     so that short jobs overtake long ones.
//   - A try is work of which no forecast is known, in the short lane: it gets a small share
//     and five seconds. What takes longer goes over to the long lane, with its checkpoint: at
//     once if there is room, so that for its owner it goes on; else it is queued there. A
//     count that is more than half done has fifteen seconds, as long as nobody waits.
//   - A source is what samples are drawn from (job.Source). Small ones are kept in this
//     process, and diagrams in the store too, for the next process. Large ones are kept in
//     the child that made them. Such a child ends after five idle minutes, or as soon as
//     somebody waits for its memory.
//
// The memory M of the service is divided so:
//
//	├── M/4: this process ──┬── 3M/4: children ─────────────────────────────────┤
//	│ quick work │ sources  │ short lane alone │ long lane                      │
//	                          a quarter, at least 96 MiB
//
// # What may go wrong
//
//	                                   the row of the job then
//	the work says why it cannot go on  failed, with that reason
//	a child dies                       queued again, once; then failed: the signal is named
//	a try takes too long               running in the long lane, or queued there
//	the service is stopped             queued again; the next try is the same attempt
//	the lease is lost                  nothing is written: somebody else has the job
//	somebody cancels                   canceled, within a second
//
// A count leaves checkpoints in a folder of its own, checkpoints/<job id> in the data
// folder, and goes on from there whenever it is queued again. The folder goes when the job
// ends. [Worker.Work] begins with a look for folders of jobs that have ended, and looks
// again from time to time.
//
// A count with checkpoints is a sweep from its first step on, though a search may be far
// better. So a count that may choose its engine begins without. When its plan says that it
// is a sweep of more than ten seconds, it begins again with checkpoints:
//
//	plan ─► search, or soon over ──────────────► goes on
//	   ╰──► a long sweep ─► begins again, saves ─► out of memory? ─► begins again without
//
// Work that needs more than its share, because the forecast was wrong, begins again with
// the largest share. It has no share while it waits for that one, so no two jobs wait for
// each other.
//
// # Who waits for whom
//
// A job waits in this order: for its turn (another job with the same key), for memory,
// for its claim. Nobody waits for a turn while it has memory. A draw waits at most 30
// seconds, quick work a quarter of a second.
//
// # Cost
//
// A known answer costs a key and a read of the store. Quick work costs a forecast
// besides. A job costs the start of a child, some 20 ms, and two transactions.
//
// # Non-goals
//
// No HTTP and no users: server/api and server/access have those. A job has one owner, a
// text, which the queue compares. No fairness among owners: the queue is first in, first
// out in each lane, and access limits how many jobs an owner has at once.
//
// # References
//
// golang.org/x/sync/semaphore: waiters are served first in, first out, so a large share is
// not starved by small ones. golang.org/x/sync/singleflight: work that is done once for
// many callers.
package worker
