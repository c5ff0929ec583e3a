// Package browser keeps the jobs and the answers of a service that runs in a browser.
//
// # Purpose
//
// The page works without a server if the engines run in it, as WebAssembly. Then the service is the
// same code: package api answers requests, package worker does the work, package child starts Web
// Workers in place of processes. Only two parts differ, since a browser has neither a database nor
// files: [Jobs] stands for server/queue and [Files] for server/store. Both are in memory, and write
// each change to a [Journal], from which the next visit to the page restores them.
//
//	api ──► worker ──► Jobs ───┐
//	           ├─────► Files ──┴─► Journal: IndexedDB
//	           └─────► child: a Web Worker for each job
//
// # Guarantees
//
// A page that is closed or reloaded finds its jobs again; a job that was running is queued again. The
// journal is written in the background: the changes of the last moments may be lost. A job that was
// running when the program died has one more lapse, so a job that kills each visit is given up.
//
// # Non-goals
//
// One process, so no leases and no epochs. A browser may delete the journal when its disk is full.
// There are no checkpoints: a job begins again from its start.
//
// # Cost
//
// All jobs, answers, outputs and diagrams are in memory. The files have at most the bytes of [Restore],
// and one file at most a quarter of them; the least recently used files make room for new ones, as in
// server/store, and the journal loses them too. Diagrams are not in the journal, and make room first.
// So the next visit reads no more than this visit held.
// [Restore] keeps the newest 200 ended jobs with their answers, and drops older ended jobs.
package browser
