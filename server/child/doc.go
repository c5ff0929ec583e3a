// Package child does work in processes of its own.
//
// # Purpose
//
// A Go program that runs out of memory ends: nothing can recover it. So a service that
// counts for strangers does not count itself. It starts children, which are the same
// program with the verb child, and gives each a task and a share of the machine. A child
// may take too much, crash, or be killed: its parent gets an error and starts another.
//
//	        the service                                 a child
//	┌─────────────────────────────┐  standard input  ┌──────────────────────────────┐
//	│ Run ── line ────────────────┼─────────────────►│ inbox ──► job.Run            │
//	│  ▲      {"task":…}          │                  │              │               │
//	│  │      {"cancel":true}     │  standard output │              ▼               │
//	│ Sink ◄── frames ◄───────────┼──────────────────┼── sender ◄─ job.Watch        │
//	│ guard ── kills ─ ─ ─ ─ ─ ─ ─┼─ ─ ─ ─ ─ ─ ─ ─ ─►│ niceness, threads, memory    │
//	└─────────────────────────────┘  standard error  │ a folder for temporary files │
//	           Died ◄────────────────────────────────┼── the last of a crash        │
//	                                                 └──────────────────────────────┘
//
// # Words
//
//   - A line goes to a child: JSON, one of [Task], cancel, kept. It has the number of its
//     task, so that a cancel that comes too late does not end the next task.
//   - A frame comes from a child: a byte that says what it is, the length as four bytes,
//     and so many bytes. Each task ends with one frame, empty or with the error of the
//     work. An error comes back as a *job.Error of the same kind with the same text.
//   - Tilings are whole lines of JSON, about 32 KiB of them in a frame; what there is
//     goes out when nothing came for a while. A slow taker lets the pipe fill up, and the
//     child waits: at most a pipe (64 KiB) and two batches are on the way.
//   - The share is Limits.Memory of a task. The work counts its own bytes and keeps below
//     it. The guard looks at what the process holds: a child above its share and some
//     head-room is killed, before the kernel kills somebody else.
//
// # How a child ends
//
// When its standard input ends, and within a second of that, whatever its work does. So
// children end with a parent that was killed, on every system. They take no notice of ^C
// and of a request to terminate: a parent that got one ends its children in its own
// way, and they save their checkpoints. A canceled task ends within [Options.Grace],
// or the child is killed.
//
// A child has a folder for its temporary files. The parent holds a lock on it as long as
// it lives. Whoever starts a child removes the folders that nobody holds.
//
// # Cost
//
// See the figures at [Start] and [Child.Run].
//
// # Non-goals
//
// No queue and no choice of who gets which share: a worker has those. No cage: a child
// may read what its parent may read. It does the work of package job alone, which runs no
// programs and opens no files but those in the directories of its limits. Work that
// reads a file (job.Check) is not done in children.
//
// # References
//
// setpriority(2) and proc(5) of Linux for niceness, oom_score_adj and statm; River's and
// Postgres' workers end in the same two steps, asked and then killed.
package child
