// Package blockfile writes levels to files and reads them: blocks under checksums.
//
// # Purpose
//
// A saved level contains everything that a sweep needs to go on, and a level that does not fit in
// memory lies on disk while it is used. Both are written here, so that damage is noticed wherever
// it happens: every byte is under a checksum, the checksum of a block covers its number, and a
// reader allocates no memory for bytes that it has not read.
//
// A whole file ([Create], [Open]); numbers are little-endian:
//
//	"PAVLEVEL"  version u32  CRC-32C u32     these 16 bytes in every version
//	┌─────────┬──────────────────────┬────────────┐
//	│ length  │ head (block 0)       │ CRC-32C    │  whose level, which one, effort:
//	├─────────┼──────────────────────┼────────────┤  see package sweep
//	│ length  │ states (block 1)     │ CRC-32C    │
//	├─────────┼──────────────────────┼────────────┤
//	│    ⋮    │  4096 states a block │     ⋮      │
//	└─────────┴──────────────────────┴────────────┘
//	SHA-256 of all of the above              nothing follows
//
// A slab on disk ([Append], [From]) is blocks alone.
//
// # Words
//
// A block is a length, some bytes and their checksum. The CRC covers the block's number, its
// length and the bytes between, so that blocks which changed places are noticed. A block of states
// has the keys and then the counts:
//
//	width u16 │ key │ difference │ … │ count │ count │ …
//
// A key is written as its difference to the key before (the first key is written whole), in bytes
// of seven bits, the lowest first; bit 7 is set in all bytes but the last. A count has width bytes.
// Sorted keys lie close together, so no compression is needed: a state of 12x12 tetrominoes takes
// 2.7 bytes at level 20, 4.2 bytes at level 44 (10 in memory), and 9.0 bytes at level 104 (18 in
// memory). A slab on disk has only the two low bytes of each key, in place of differences; the
// other bytes of the keys stay in memory.
//
// # Non-goals
//
// This package does not interpret levels, and opens no files: its callers pass readers and
// writers. It does not compress.
//
// # Cost
//
// Writing costs 10 ns a state. Reading needs memory for one block.
//
// # References
//
// Castagnoli, Bräuer, Herrmann, "Optimization of cyclic redundancy-check codes with 24 and 32
// parity bits" (1993); the variable-length numbers are in the format of Protocol Buffers (LEB128).
package blockfile
