// Package browser keeps the jobs and the answers of a service that runs in a browser.
//
// # Purpose
//
// The page works without a server if the engines run in it, as WebAssembly. The service in the page
// has the code of the service on a server: package api answers requests, package worker does the
// work, and package child starts Web Workers in place of processes. A browser has no database and
// no files, so [Jobs] replaces server/queue, and [Files] replaces server/store. Both are in memory,
// and write each change to a [Journal], from which the next visit to the page restores them.
//
//	api ──► worker ──► Jobs ───┐
//	           ├─────► Files ──┴─► Journal: IndexedDB
//	           └─────► child: a Web Worker for each job
//
// # Guarantees
//
// A page that is closed or reloaded finds its jobs again. A job that was running is queued again.
// The journal is written in the background, so the last changes may be lost. The next visit
// increments the field Lapses of each job that was running. So a job that makes every visit crash
// fails in the end.
//
// # Non-goals
//
// There are no leases, no epochs and no checkpoints: there is only one process, and a job that is
// queued again begins from its start. A browser may delete the journal when its disk is full.
//
// # Cost
//
// All jobs, answers, outputs and diagrams are in memory. A parameter of [Restore] limits the bytes
// of all files; a single file may have a quarter of this limit. To make room, [Files] first removes
// diagrams, and then the least recently used files, also from the journal. Diagrams are not in the
// journal. [Restore] keeps the newest 200 ended jobs with their answers.
package browser
