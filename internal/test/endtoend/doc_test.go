// Package endtoend tests the service from outside, as its users meet it, and with the
// faults that a running service meets.
//
// # Purpose
//
// The packages of the service are tested on their own. Here all of it runs as in real use:
// processes of "pavage serve" and "pavage work" with a new data folder, on both databases.
// The tests send requests through package client. Then they do the things that happen to a
// service: they kill it, kill its children, cancel jobs, damage its files, give it more
// work than it has memory for, and shut it down.
//
//	a test ──starts──► pavage serve ──starts──► pavage child
//	  │                 │ ▲     (the test program itself, as the
//	  │ client          ▼ │      program pavage: see TestMain)
//	  ├───────────────► API
//	  ├─ reads ───────► log, data folder, /metrics
//	  └─ kills ───────► any of the processes
//
// # What must hold after each test
//
// Every job whose Submit has returned is done once: its state is done, the log reports that once,
// its version does not rise any more, its count is right. No process, no goroutine and no file of a
// job is left.
//
// # Words
//
//   - The processes of a service are those with its data folder in their arguments or
//     their environment. So the tests find children even after their parent was killed.
//   - A moment is a random point in time at which a test kills a process: a random line
//     of the log, and then a random number of turns of a loop. No test waits for a
//     fixed time.
//
// # Non-goals
//
// This package has only tests. The promises of single packages are tested in those
// packages. The tests look at processes only on Linux; on other systems they skip these
// checks and do the rest.
package endtoend
