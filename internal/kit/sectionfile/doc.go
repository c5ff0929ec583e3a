// Package sectionfile writes files with checksums, and reads and verifies parts of them.
//
// # Purpose
//
// A reader that needs a few kilobytes of a large file should not read the whole file, but must
// detect every changed byte that it reads. So each block of 64 KiB has its own checksum, and
// the checksums have a digest. Opening a file reads its beginning and its end. A block is
// checked when one of its bytes is read for the first time:
//
//	┌────────┬───────────┬───────────┬─ ─ ─┬───────┬───────────┬─────────┐
//	│ header │ section a │ section b │     │ table │ checksums │ trailer │
//	└────────┴───────────┴───────────┴─ ─ ─┴───────┴───────────┴─────────┘
//	└── body: block 0 │ block 1 │ block 2 ─┘
//	  each block has one of the checksums      SHA-256 of header, table, checksums, lengths
//
// Numbers are little endian. Lengths in bytes are in parentheses:
//
//	header     magic (16), version (4), CRC-32C of these 20 bytes (4); the same in all versions
//	sections   their bytes, one section after the other, without gaps
//	table      for each section: length of its name (1), its name, length of the section (8)
//	checksums  for each 64 KiB of the body, from byte 0 of the file: CRC-32C (4)
//	trailer    length of the body (8), length of the table (8), SHA-256 (32)
//
// The body is header and sections. The digest is the SHA-256 of the header, the table, the
// checksums, and the first 16 bytes of the trailer. So every byte of a file is checked by a
// checksum or by the digest.
//
// # How it is read
//
// [Open] maps a file of more than 64 MiB into memory. If the system cannot map files, the File
// reads blocks when they are needed and keeps the last block. Open reads and checks a smaller file
// as a whole, as [Read] does with a stream. Each length in a file is compared with the length of
// the file before memory is allocated, so a damaged file needs no more memory than its own size.
//
// If another program makes a mapped file shorter, an access to the missing bytes faults. The reader
// catches the fault and returns an error that wraps [ErrDamaged].
//
// # Non-goals
//
// The digest detects damage and identifies files. It is not a signature: every program can write a
// file with a valid digest. This package does not compress, and does not interpret sections.
//
// # Cost
//
// Writing computes CRC-32C checksums with an instruction of the processor, in less than 0.1 ns for
// each byte. Opening a mapped file of 1 GiB reads and digests its 64 KiB of checksums. Reading a
// few bytes from a mapped file needs about 20 ns more than copying them.
//
// # References
//
// Castagnoli, Bräuer, Herrmann, "Optimization of cyclic redundancy-check codes with 24 and 32
// parity bits" (1993). As in ZIP and Parquet, the table is at the end, so that a file can be
// written in one pass.
package sectionfile
