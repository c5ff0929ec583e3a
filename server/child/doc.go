// Package child does work in child processes.
//
// # Purpose
//
// A Go program that runs out of memory ends, and cannot recover. So the service does not count in
// its own process. It starts children, which are the same program with the verb child, and gives
// each child a task and a share of the memory. If a child uses too much memory, crashes, or is
// killed, its parent gets an error and can start another child.
//
//	        the service                                 a child
//	┌─────────────────────────────┐  standard input  ┌──────────────────────────────┐
//	│ Run ── lines ───────────────┼─────────────────►│ Main ───► job.Run            │
//	│  ▲      the task as JSON    │                  │              │               │
//	│  │      cancel              │  standard output │              ▼               │
//	│ Sink ◄── messages ◄─────────┼──────────────────┼── sender ◄─ job.Watch        │
//	│ guard ── kills ─ ─ ─ ─ ─ ─ ─┼─ ─ ─ ─ ─ ─ ─ ─ ─►│ niceness, threads, memory    │
//	└─────────────────────────────┘  standard error  │ a folder for temporary files │
//	           Died ◄────────────────────────────────┼── why the child crashed      │
//	                                                 └──────────────────────────────┘
//
// # Words
//
//   - Lines go to a child: the [Task] as JSON, and perhaps the word cancel.
//   - Messages come from a child: progress, output, parts of a job.Source, and at the end
//     the answer and the error of the work. The parent gets this error as a *job.Error of the same
//     kind and with the same text.
//   - Output is tilings as lines of JSON, or bytes of a file. A message has about 32 KiB of output.
//     If the receiver is slow, the pipe of 64 KiB fills up and the child waits.
//   - The share is Limits.Memory of a task. The work counts its own bytes and stays below the
//     share. The guard measures the memory of the process, and kills a child that has more than its
//     share and some reserve. Otherwise the kernel might kill another process.
//
// # How a child ends
//
// A child ends at most a second after the end of its standard input, even in the middle of its
// work. So children also end when their parent was killed, on every system. A child ignores ^C and
// SIGTERM. After these signals its parent cancels the task, so that the child can save a
// checkpoint. A canceled task ends within [Options.Grace], or the child is killed.
//
// A child has a folder for its temporary files, which Run removes at the end. If the parent was
// killed, the next Run of the task or [RemoveFolders] removes the folder.
//
// # In a browser
//
// A child is a Web Worker with the same program, the same lines and the same messages
// (process_js.go). It has no folder, and a page cannot see how much memory it holds. Messages
// between Web Workers are queued without limit. So the parent acknowledges the bytes that it has
// read, and a child waits while 64 KiB are not acknowledged. A Web Worker receives no message while
// it computes. So a cancel has no effect, and the Web Worker is ended after [Options.Grace].
//
// # Cost
//
// A child with a small answer runs for 15 ms (BenchmarkRun). On two busy cores, a child draws 10^6
// tilings of an 8x8 board by dominoes in 17 s (BenchmarkTilings).
//
// # Non-goals
//
// This package has no queue and does not choose the shares: server/worker does. A child is no
// sandbox: it may read what its parent may read. But its work runs no other programs, and opens
// only files in the directories of its limits. So children do not do job.Check, which reads a file.
//
// # References
//
// The manual pages setpriority(2) and proc(5) of Linux describe niceness, oom_score_adj and statm.
package child
