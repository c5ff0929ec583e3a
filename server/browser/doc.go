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
// A page that is closed or reloaded finds its jobs again; a job that was running is queued again.
// The journal is written in the background, so the last changes may be lost. A job that was running
// when the program died has one more lapse: a job that kills each visit fails in the end.
//
// # Non-goals
//
// One process, so no leases and no epochs. A browser may delete the journal when its disk is full.
// There are no checkpoints: a job begins again from its start.
//
// # Cost
//
// All jobs, answers, outputs and diagrams are in memory. [Restore] limits the bytes of all files; a
// single file may have a quarter of them. The least recently used files make room for new files, as
// in server/store, and are also removed from the journal. Diagrams are not in the journal, and make
// room first. So the next visit reads no more bytes than this visit kept in memory.
// [Restore] keeps the newest 200 ended jobs with their answers, and drops older ended jobs.
package browser
