// Package queue keeps the jobs of a service in a database.
//
// # Purpose
//
// A job that was accepted is ended exactly once, even if processes are killed. Several processes,
// on one machine or many, share the jobs. All of them accept, watch and cancel jobs. The processes
// that call Work do the jobs.
//
// # How
//
// A job is a row of a table, and the table is the queue:
//
//	Add ──► queued ──claim──► running ──► done, failed
//	          ▲  ╲               │  ╲
//	          │   ╲──────────────┼───╲──► canceled
//	          └── lease is over ─┘
//	              or put back
//
//	Add                              Work, in one goroutine for each lane
//	begin                            select the oldest row … where state = 'queued'
//	  insert the row                 admit: is there memory for the job in this process?
//	commit ───────────────────────►  claim: update … where id = … and state = 'queued'
//	now the job is accepted          renew, progress: update … where epoch = mine
//	                                 Done: update … where epoch = mine
//
// The search for a job writes nothing. So a process without room for a job leaves the job to
// others. In each process the oldest job of a lane blocks the lane until there is room for it. Work
// searches again when a task has ended, when this process has written, and when a poll finds that
// another process may have written. SQLite has a counter of commits; on Postgres every poll makes
// Work search.
//
// Lease: the process that does a job is its holder, and has a lease of the job. The holder renews
// the lease whenever a third of the lease's time is over. When the time of a lease is over, the
// first process that notices it puts the job back: the job is queued again.
//
// Epoch: every claim increments the epoch of the job. A holder writes only while the job has the
// epoch of its claim. So a process that was stopped for an hour can continue and does no harm.
//
// Version: every change of the row that a caller can see increments its version. A caller that
// watches a job waits for a version greater than the last version that it has seen. The hub of a
// process asks the database once for all such callers.
//
// All processes read the time from the same clock, which is the clock of Postgres, or with SQLite
// the clock of the machine.
//
// # Why a job is ended once
//
// Only a claim makes a job running, and it gives the job a new epoch. The job is ended by one
// update of its row, with the condition that the state is running and the epoch is the epoch of the
// writer's claim. So at any time at most one holder can end the job. After that, or after the job
// was put back, no earlier holder can change the row, which has another state or a higher epoch. In
// both databases, a writer of a row waits for other writers of the same row, and checks its
// condition after that: SQLite has one writer, and Postgres (read committed) reads the row again.
//
// A commit may succeed although the process gets an error. A holder that then ends the job again
// finds that its first try has ended the job, which is a success. If the commit was a claim, no
// process renews the lease, so the job is put back.
//
// No job is lost. If no process renews the lease of a running job, the job is put back. A queued
// job is found by any process that calls Work.
//
// A lease may end too early, because a clock is wrong or a machine is busy. Then work is
// done twice, but the job is ended once.
//
// # Databases
//
// SQLite (modernc.org/sqlite) uses a file in the mode WAL, so that readers never wait, with
// synchronous=FULL, so that a commit survives a loss of power. One connection writes, several read.
// Postgres is used through a pool of connections. The SQL is the same for both. The library goose
// makes the table, while other processes wait.
//
// Open refuses a database that is damaged, belongs to another program, or was written by a newer
// version of Pavage. It writes nothing before this check. The check reads the whole file of SQLite.
// SQLite has no checksums, so the check misses a letter that has changed within a text.
//
// In a browser there is no database, and only the types of this package are used. The table is in
// package browser.
//
// # Non-goals
//
// The package does not read the requests of jobs. It keeps no answers: the store has them, under
// the job's key. It does not limit attempts: a task can read Attempts, Deaths and Lapses, and end
// the job.
//
// # Cost
//
// To accept a job takes 0.5 ms on both databases, on a quiet machine with a fast disk. While no job
// waits, ten polls a second use 0.4 % of a core on SQLite and 1.3 % on Postgres.
//
// # References
//
// doc/adr/0006-jobs.md. Burrows, "The Chubby lock service for loosely-coupled distributed systems"
// (OSDI 2006): leases, and sequencers, which correspond to epochs here. The documentation of SQLite
// (sqlite.org/wal.html).
package queue
