// Package worker decides where the work of the service is done, and does it.
//
// # Purpose
//
// A request comes with [Worker.Submit] or [Worker.Count]. The worker chooses the cheapest
// way to its answer:
//
//	request ─► Validate, Key ──► in the store? ─yes─────────────────────────► done
//	                                 │ no
//	                                 ▼
//	                   job.Predict: milliseconds? ─yes─► quick work, here ──► done
//	                                 │ no                     │ runs longer
//	                                 ▼                        ▼
//	                   far beyond the limits? ─yes─► refused
//	                                 │ no
//	                                 ▼
//	                   row of the table of jobs, lane short or long
//	                                 ┆
//	                   [Worker.Work]: share of memory ─► claim ─► child ────► done
//
// So the work for one question is done once: a second request with an equal key (see job.Key) finds
// the answer in the store, or waits in the queue until the first request is answered.
//
// # Words
//
//   - Quick work is done in this process while the caller waits. Its forecast is at
//     most 50 ms. It runs in one of few slots, and has a limit of two seconds and a
//     small limit of memory. Work that reaches a limit becomes a row in the table of
//     jobs.
//   - A share is the memory that a child may use: twice the bytes of its forecast, 64 MiB more,
//     and some 24 MiB for the program itself.
//   - The budget is the memory of all children. A part of it is for the short lane alone,
//     so that short jobs overtake long ones.
//   - A try is work in the short lane without a forecast, or with a forecast of less than 100 times
//     the time of a try. It gets a small share and five seconds. If it runs longer, it moves to
//     the long lane, with its checkpoint: at once if there is room, so that its owner sees it go
//     on; else it is queued there. A count that is more than half done has fifteen seconds, as
//     long as no other job waits.
//   - A job is brief if its owner allows it no more time than a try has. It is a try whatever
//     its forecast, and leaves no checkpoints. So it ends soon, also behind long jobs.
//   - A source is the data structure that samples are drawn from (job.Source). This process keeps
//     small sources, and the store keeps their diagrams for the next process. If a source is too
//     large or needs too long to make, [Worker.Draw] returns a [Large] with the request of a job,
//     whose child makes the source and draws. The child saves a small diagram for the store, so
//     that the next draw is made in this process. The same call of Draw later finds the tilings of
//     the job in the store.
//
// The memory M of the service is divided so:
//
//	├── M/4: this process ──┬── 3M/4: children ─────────────────────────────────┤
//	│ quick work │ sources  │ short lane alone │ long lane                      │
//	                          a quarter, at least 96 MiB
//
// # What can go wrong
//
//	                                   the row of the job then
//	the work ends with an error        failed, with that error
//	a child dies                       queued again; failed if the next child dies too
//	                                   without a new checkpoint: the problem names the signal
//	the service dies                   queued again; failed after 20 such deaths without a
//	                                   new checkpoint
//	a try runs too long                running in the long lane, or queued there
//	the service is stopped             queued again; the next try is the same attempt
//	the lease is lost                  nothing is written: another process has the job
//	the owner cancels the job          canceled, within a second
//
// A count leaves checkpoints in a folder of its own, checkpoints/<job id> in the data
// folder, and goes on from there whenever it is queued again. The folder is removed when
// the job ends. [Worker.Work] also removes the folders of jobs that have ended, at its
// begin and from time to time.
//
// A count with checkpoints is a sweep from its first step on, even if a search would be
// much faster. So if the program chooses the engine, a count begins without checkpoints.
// If its plan is then a sweep of more than ten seconds, it begins again with
// checkpoints:
//
//	plan ─► search, or soon over ──────────────► goes on
//	   ╰──► a long sweep ─► begins again, saves ─► out of memory? ─► begins again without
//
// Work that needs more than its share, because the forecast was wrong, begins again with
// the largest share; if that is not free, the job is queued for it. So a job that waits holds no
// share, and no two jobs wait for each other.
//
// # What a job waits for
//
// A queued job waits for the end of a running job with the same key, for the older jobs of its lane,
// and for a seat and memory. A running job waits for nothing. A draw waits at
// most 1.5 seconds for a source that is made in this process; quick work waits a quarter of a
// second.
//
// # Cost
//
// A known answer costs a key and a read of the store. Quick work also costs a forecast.
// A job costs the start of a child, some 20 ms, and two transactions.
//
// # Non-goals
//
// No HTTP and no users: server/api and server/access have those. A job has one owner, a
// text, which the queue compares. No fairness among owners: each lane is first in, first
// out, and server/access limits how many jobs an owner has at once.
//
// # References
//
// golang.org/x/sync/singleflight: work that is done once for many callers.
package worker
