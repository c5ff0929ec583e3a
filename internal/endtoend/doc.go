// Package endtoend tests the service from outside, as its users and its troubles meet it.
//
// # Purpose
//
// The packages of the service are tested on their own. Here all of it runs as it does in
// earnest: processes of "pavage serve" and "pavage work" in a fresh data folder, spoken to
// through package client, on both databases. Then the tests do what the world does to a
// service: they kill it, kill its children, cancel, damage its files, give it more work
// than it has memory for, and tell it to end.
//
//	a test ──starts──► pavage serve ──starts──► pavage child
//	  │                 │ ▲     (the test program itself, as the
//	  │ client          ▼ │      program pavage: see TestMain)
//	  ├───────────────► API
//	  ├─ reads ───────► log, data folder, /metrics
//	  └─ kills ───────► any of the processes
//
// # What is wanted after all of it
//
// Every job whose Submit has returned is done once: its state is done, the log says so
// once, its version does not rise any more, its count is right. No process, no goroutine
// and no file of a job is left.
//
// # Words
//
//   - The processes of a service are those that have its data folder in their arguments or
//     their environment. So children are found also after their parent was killed.
//   - A moment is the next line of the log, counted from some random one, and a random
//     number of turns of a loop after it. No test waits for some time.
//
// # Non-goals
//
// Nothing but tests is here. What single packages promise is tested there. Processes are
// looked at on Linux only; elsewhere those looks see nothing and the rest is tested.
package endtoend
