// Package queue keeps the jobs of a service in a database.
//
// # Purpose
//
// A job that was accepted is done exactly once, whichever processes are killed. Several
// processes, on one machine or many, share the jobs. All of them accept, watch and
// cancel jobs. Those that call Work do them.
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
// A look for a job writes nothing. So a process without room for a job leaves the job to others. In
// each process the oldest job of a lane blocks the lane until there is room for it. Work looks
// again when a task has ended, when this process has written, and when a poll finds that another
// process has written: SQLite has a counter of commits, and on Postgres every poll asks for a job.
//
// Lease: the process that does a job is its holder. It renews its lease whenever a third of the
// lease is over. When the lease is over, the first process that notices puts the job back.
//
// Epoch: every claim gives the job the next number, and a holder writes only while the job has the
// number of its claim. So a process that was stopped for an hour can continue and do no harm.
//
// Version: rises with every change of the row that a caller can see. A caller that watches a job
// asks for a version greater than the last version that it has seen. The hub of a process asks the
// database once for all such callers.
//
// All times are read from one clock: Postgres's own, or, on SQLite, the machine's, which
// all processes share.
//
// # Why a job is ended once
//
// Only a claim makes a job running, and gives it a new epoch. The end is one update, where the epoch
// is the writer's and the state is running. So
// at any time at most one holder can end the job. After that, or after the job was put
// back, no earlier holder finds the row: the state differs, or the epoch is higher. In
// both databases, a writer of a row waits for other writers of the same row, and checks
// its condition after the wait: SQLite has one writer, and Postgres (read committed) reads
// the row again.
//
// A commit may succeed and its answer be lost. A holder that then ends the job again finds
// its own end, which is a success. A claim that seemed to fail has a lease that is never renewed.
//
// No job is lost. A running job has a lease. If no process renews it, upkeep puts the job
// back. A queued job is found by the next look of any Work.
//
// A lease may end too early, because a clock is wrong or a machine is busy. Then work is
// done twice, but the job is ended once.
//
// # Databases
//
// SQLite (modernc.org/sqlite) uses a file in the mode WAL, so that readers never wait, with
// synchronous=FULL, so that a commit survives a loss of power. One connection writes, several read.
// Postgres is used through a pool of connections. The SQL is the same: see database. goose makes
// the table, while other processes wait.
//
// Open refuses a database that is damaged, belongs to another program, or was written by a newer
// version of Pavage. It writes nothing before this check. The check reads the whole file of SQLite.
// SQLite has no checksums: a letter that changed within a text is not noticed.
//
// In a browser there is no database: there the package has only the types of jobs, and package browser
// has the table.
//
// # Non-goals
//
// The package does not read the requests of jobs. It keeps no answers: the store has them, under
// the job's key. It does not limit attempts: a task can read Attempts, Deaths and Lapses, and end
// the job.
//
// # Cost
//
// To accept a job takes 0.5 ms on SQLite and on Postgres, on a quiet machine whose disk writes at
// once. While no job waits, Work uses 0.4 % of a core on SQLite and 1.3 % on Postgres, for ten
// polls a second.
//
// # References
//
// doc/adr/0006-jobs.md. Burrows, "The Chubby lock service for loosely-coupled distributed systems"
// (OSDI 2006): leases, and sequencers, which correspond to epochs here. The documentation of SQLite
// (sqlite.org/wal.html).
package queue
