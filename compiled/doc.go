// Package compiled keeps decision diagrams in files: FILE.pavage.
//
// # Purpose
//
// Building the diagram of a puzzle's tilings can cost minutes. A question about it is then
// answered in microseconds. So a diagram is written once, with all that belongs to it: the puzzle,
// the option of each variable, and the number of tilings below each node.
//
//	               Write                     Open                 Diagram: ranks, draws
//	count.Compiled ─────► FILE.pavage ──────────────► File ──┬──► reads the blocks on the way
//	     ▲                                                   │
//	     └───────────────────────────────────────────────────┘
//	                    Load: everything is read and checked
//
// [Open] reads only the sections besides the nodes and counts: a file of 40 million nodes is ready
// in a millisecond, and a draw reads several hundred nodes. [File.Load] makes the diagram in memory
// again, for all other questions.
//
// # Trust
//
// A file that was damaged, however little, is never believed: each block has a checksum, which is
// checked before its first byte is used (see package internal/kit/sectionfile). A draw that meets
// a damaged block ends in an error.
//
// Checksums do not help against a file that was made to deceive. Load checks all of the diagram's
// rules and counts again, so that it returns only a diagram with its true counts. It cannot check
// that its sets are the tilings of the puzzle: [File.Of] compares the digest of the problem, and
// so finds a file of another puzzle, but not a false one. So a service uses only the puzzle of a
// file that a client sends.
//
// # Words
//
// The family of a file is the puzzle's tilings, perhaps under conditions; or it is derived: a
// union of two, for instance. Then Derived describes how it was made. Variables are options of the
// puzzle's own problem, in all cases, so that files of one puzzle can be combined.
//
// # Non-goals
//
// No history: a file is written once. No diagrams of classes under symmetry. The package
// does not read the puzzle: it keeps its bytes for others.
//
// # Cost
//
// Of large diagrams a node needs some 5 bytes, and its count 7 to 16. Writing is bound by the
// disk. doc/compiled-file.md has the format byte by byte, bench/compiled.md the times.
//
// # References
//
// Bryant and others keep diagrams as text (DDDMP of CUDD), which must be read whole. That
// nodes of one variable have one width, so that each is found without an index, is our own.
package compiled
