// Package compiled keeps decision diagrams in files: FILE.pavage.
//
// # Purpose
//
// Building the diagram of a puzzle's tilings can take minutes. After that, the diagram answers
// questions in microseconds. So a file stores the diagram with all that belongs to it: the puzzle,
// the option of each variable, and the number of tilings below each node.
//
//	               Write                     Open                 Diagram: ranks, draws
//	count.Compiled ─────► FILE.pavage ──────────────► File ──┬──► reads only some blocks
//	     ▲                                                   │
//	     └───────────────────────────────────────────────────┘
//	                    Load: everything is read and checked
//
// [Open] does not read the nodes and counts, so a file of 40 million nodes opens in a millisecond.
// A draw of a tiling then reads several hundred nodes. All questions other than ranks and draws
// need the diagram in memory: [File.Load] reads it.
//
// # Trust
//
// Any damage to a file is detected: each block has a checksum, which is checked before the block is
// used (see package internal/kit/sectionfile). A draw that reads a damaged block ends in an error.
//
// Checksums do not help against a file that was made to deceive. Load checks all rules of the
// diagram and computes the counts again, so it returns only a diagram with its true counts. It
// cannot check that the diagram has the tilings of the puzzle. [File.Of] compares the digest of the
// problem, which detects a file of another puzzle, but not a forged file. So a service that gets a
// file from a client must use only the puzzle in the file.
//
// # Words
//
// The family of a file is the set of tilings in its diagram: the puzzle's tilings, perhaps under
// conditions, or a derived family, such as a union of two families. Variables are always options of
// the puzzle without conditions, so that files of one puzzle can be combined.
//
// # Non-goals
//
// A file is written once and not changed. It cannot store diagrams of classes under symmetry.
// The package does not parse the puzzle: it only stores the bytes.
//
// # Cost
//
// In large diagrams a node needs about 5 bytes, and its count 7 to 16 bytes. The speed of the disk
// limits writing. doc/compiled-file.md describes the format, and bench/compiled.md has timings.
//
// # References
//
// Other programs store diagrams as text (DDDMP of CUDD), which must be read as a whole. In our
// files all nodes of a variable have the same length, so the place of a node can be computed.
package compiled
