// Package compiled keeps decision diagrams in files: FILE.pavage.
//
// # Purpose
//
// Building the diagram of a puzzle's tilings can take minutes; then the diagram answers questions
// in microseconds. So a file stores the diagram with all that belongs to it: the puzzle, the option
// of each variable, and the number of tilings below each node.
//
//	               Write                     Open                 Diagram: ranks, draws
//	count.Compiled ─────► FILE.pavage ──────────────► File ──┬──► reads the blocks on the way
//	     ▲                                                   │
//	     └───────────────────────────────────────────────────┘
//	                    Load: everything is read and checked
//
// [Open] reads only the sections other than nodes and counts: a file of 40 million nodes opens in a
// millisecond, and a draw reads several hundred nodes. [File.Load] restores the diagram in memory,
// for all other questions.
//
// # Trust
//
// Any damage to a file is detected: each block has a checksum, which is checked before the block is
// used (see package internal/kit/sectionfile). A draw that reads a damaged block ends in an error.
//
// Checksums do not help against a file that was made to deceive. Load checks all rules of the
// diagram and counts again, so it returns only a diagram with its true counts. It cannot check that
// the sets are the tilings of the puzzle: [File.Of] compares the digest of the problem, which
// detects a file of another puzzle, but not a forged file. So a service uses only the puzzle of a
// file that a client sends.
//
// # Words
//
// The family of a file is the puzzle's tilings, perhaps under conditions, or a derived family, for
// instance a union of two families. Then Derived describes how it was made. Variables are always
// options of the puzzle without conditions, so that files of one puzzle can be combined.
//
// # Non-goals
//
// A file has no history: it is written once. It cannot have the diagrams of classes under symmetry.
// The package does not parse the puzzle: it only stores the bytes.
//
// # Cost
//
// In large diagrams a node needs about 5 bytes, and its count 7 to 16. Writing is bound by the
// disk. doc/compiled-file.md has the format byte by byte, bench/compiled.md the times.
//
// # References
//
// Other programs store diagrams as text (DDDMP of CUDD), which must be read as a whole. In our
// files all nodes of a variable have the same width, so a node is found without an index.
package compiled
