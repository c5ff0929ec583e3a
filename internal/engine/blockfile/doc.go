// Package blockfile writes levels to files, as blocks with checksums, and reads them.
//
// # Purpose
//
// A saved level contains everything that a sweep needs to go on, and a level that does not fit in
// memory lies on disk while it is used. This package writes both, so that a reader notices damage
// in both: a checksum covers every byte, the checksum of a block also covers the number of the
// block, and a reader allocates no memory for bytes that it has not read.
//
// [Create] and [Open] write and read a whole file. Numbers in the file are little-endian:
//
//	"PAVLEVEL"  version u32  CRC-32C u32     every version begins with these 16 bytes
//	┌─────────┬──────────────────────┬────────────┐
//	│ length  │ head (block 0)       │ CRC-32C    │  for the contents of the head,
//	├─────────┼──────────────────────┼────────────┤  see package sweep
//	│ length  │ states (block 1)     │ CRC-32C    │
//	├─────────┼──────────────────────┼────────────┤
//	│    ⋮    │  4096 states a block │     ⋮      │
//	└─────────┴──────────────────────┴────────────┘
//	SHA-256 of all of the above              nothing follows
//
// [Append] and [From] write and read blocks alone, as for a slab on disk: no version, no SHA-256.
//
// # Words
//
// A block is a length, some bytes and a checksum. The checksum covers the number of the block, the
// length and the bytes, so that a reader notices blocks that changed places. The bytes of a block
// of states are the width of a count, the keys and the counts:
//
//	width u16 │ key │ difference │ … │ count │ count │ …
//
// The first key is written whole, and each other key as its difference to the key before. Each byte
// holds seven bits of the difference, the lowest bits first; bit 7 is set in all bytes but the
// last. Sorted keys lie close together, so no compression is needed: a state of 12x12 tetrominoes
// has 2.7 bytes at level 20, 4.2 bytes at level 44 (10 in memory), and 9.0 bytes at level 104 (18
// in memory). A slab on disk has the two low bytes of each key in place of the difference; the
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
