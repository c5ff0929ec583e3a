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
//	                                 ▼                        │
//	                   far beyond the limits? ─yes─► refused  │
//	                                 │ no                     │
//	                                 ▼                        ▼
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
//   - A share is the memory that a child may use: twice the bytes of its forecast, plus 64 MiB. The
//     program itself needs 24 MiB more.
//   - The budget is the memory of all children. A part of it is for the short lane alone,
//     so that short jobs overtake long ones.
//   - A try is work in the short lane. It has five seconds, and a small share if its forecast is
//     unsure. Work with an unsure forecast is tried unless the forecast is more than 100 times the
//     time of a try. A try that takes too long moves to the long lane, with its checkpoint if it
//     has one. It runs there at once if there is room, and is queued otherwise. A count that is
//     more than half done has fifteen seconds, unless another job waits.
//   - A job is brief if its owner allows it no more time than a try has. It is tried whatever its
//     forecast, so that it does not wait for long jobs.
//   - A source is the data structure that samples are drawn from (job.Source). This process keeps
//     small sources in memory, and their diagrams in the store. If a source is too large or takes
//     too long to make, [Worker.Draw] returns a [Large] with the request of a job. The child of
//     this job makes the source and draws. If the diagram is small, it goes to the store, so that
//     the next draw is made in this process. After the job, the same call of Draw finds the tilings
//     of the job in the store.
//
// The memory M of the service is divided as follows:
//
//	├── M/4: this process ──┬── 3M/4: children ─────────────────────────────────┤
//	│ quick work │ sources  │ short lane alone │ long lane                      │
//	                          a quarter of 3M/4; at least 96 MiB, at most half of 3M/4
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
// A count writes checkpoints to the folder checkpoints/<job id> in the data folder. When it is
// claimed again, it continues from the newest checkpoint. The folder is removed when the job ends.
// [Worker.Work] also removes such folders of ended jobs, when it begins and from time to time.
//
// A count with checkpoints must be a sweep, even if a search would be much faster. So if the
// program chooses the engine, a count begins without checkpoints. If its plan is then a sweep of at
// least ten seconds, it begins again with checkpoints:
//
//	plan ─► search, or soon over ──────────────► goes on
//	   ╰──► a long sweep ─► begins again, saves ─► out of memory? ─► begins again without
//
// Work that needs more than its share, because the forecast was wrong, begins again with the
// largest share. If this share is not free, the job is queued. So a job that waits holds no share,
// and no two jobs wait for each other.
//
// # What a job waits for
//
// A queued job waits for the end of a running job with the same key, for the older jobs of its
// lane, and for memory. The number of jobs at work in a lane is limited too. A running job waits
// for nothing. A draw waits at most 1.5 seconds for a source that is made in this process. Quick
// work waits at most a quarter of a second for a slot.
//
// # Cost
//
// For a known answer, the key is computed and the store is read. For quick work, a forecast is made
// too. A job needs some 20 ms to start a child, and two transactions.
//
// # Non-goals
//
// This package has no HTTP and no users: server/api and server/access have those. The owner of a
// job is only a name. There is no fairness among owners. Each lane is first in, first out, and
// server/access limits how many jobs an owner has at once.
package worker
