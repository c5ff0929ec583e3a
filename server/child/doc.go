// Package child does work in child processes.
//
// # Purpose
//
// A Go program that runs out of memory ends: nothing can recover it. So a service that counts for
// strangers does not count in its own process. It starts children, which are the same program with
// the verb child, and gives each a task and a share of the machine. A child may use too much,
// crash, or be killed: its parent gets an error and starts another child.
//
//	        the service                                 a child
//	┌─────────────────────────────┐  standard input  ┌──────────────────────────────┐
//	│ Run ── lines ───────────────┼─────────────────►│ Main ───► job.Run            │
//	│  ▲      the task as JSON    │                  │              │               │
//	│  │      cancel              │  standard output │              ▼               │
//	│ Sink ◄── messages ◄─────────┼──────────────────┼── sender ◄─ job.Watch        │
//	│ guard ── kills ─ ─ ─ ─ ─ ─ ─┼─ ─ ─ ─ ─ ─ ─ ─ ─►│ niceness, threads, memory    │
//	└─────────────────────────────┘  standard error  │ a folder for temporary files │
//	           Died ◄────────────────────────────────┼── the begin of a crash       │
//	                                                 └──────────────────────────────┘
//
// # Words
//
//   - Lines go to a child: the [Task] as JSON, and perhaps the word cancel.
//   - A message comes from a child: progress, some output, a part of a source of samples, or at the
//     end the answer and the error of the work, which comes back as a *job.Error of the same kind
//     with the same text.
//   - Output is tilings as lines of JSON, or bytes of a file, about 32 KiB in a message. If the
//     receiver is slow, the pipe fills up and the child waits: at most a pipe (64 KiB) and two
//     messages are on the way.
//   - The share is Limits.Memory of a task. The work counts its own bytes and stays below
//     it. The guard looks at the memory that the process holds. It kills a child that
//     holds more than its share and some head-room, before the kernel kills another
//     process.
//
// # How a child ends
//
// A child ends at most a second after the end of its standard input, even in the middle of its
// work. So children also end when their parent was killed, on every system. A child ignores ^C and
// SIGTERM: the parent gets these signals too, and then ends its children so that they save their
// checkpoints. A canceled task ends within [Options.Grace], or the child is killed.
//
// A child has a folder for its temporary files. Run removes it. If the parent was killed, the next Run
// of the task removes it, or [RemoveFolders].
//
// # In a browser
//
// A child is a Web Worker with the same program, the same lines and the same messages
// (process_js.go). It has no folder, and a page cannot see how much memory it holds. Messages
// between Web Workers are queued without limit. So the parent acknowledges the bytes that it has
// read, and a child waits while 64 KiB are not acknowledged. A Web Worker that computes receives
// nothing, so a canceled task ends with its Web Worker, after the grace.
//
// # Cost
//
// See the figures at [Run].
//
// # Non-goals
//
// This package has no queue and does not choose the shares: server/worker does. A child
// is no sandbox: it may read what its parent may read. It does the work of package job
// alone, which runs no programs and opens no files but those in the directories of its
// limits. Work that reads a file (job.Check) is not done in children.
//
// # References
//
// setpriority(2) and proc(5) of Linux for niceness, oom_score_adj and statm;
// Postgres ends its workers in the same two steps: first it asks, then it kills.
package child
