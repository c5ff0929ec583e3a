// Package sectionfile writes files that cannot be changed unnoticed, and reads parts of them.
//
// # Purpose
//
// A reader that needs a few kilobytes of a large file should not read the whole file, and
// still it must not believe a wrong byte. So each block of 64 KiB has its own checksum, and
// the checksums have a digest. Opening reads the two ends of a file; a block is checked
// when a byte of it is asked for the first time:
//
//	┌────────┬───────────┬───────────┬─ ─ ─┬───────┬───────────┬─────────┐
//	│ header │ section a │ section b │     │ table │ checksums │ trailer │
//	└────────┴───────────┴───────────┴─ ─ ─┴───────┴───────────┴─────────┘
//	└── body: block 0 │ block 1 │ block 2 ─┘
//	  each block has one of the checksums      SHA-256 of header, table, checksums, lengths
//
// Numbers are little endian:
//
//	header     magic, 16 bytes; version, 4; CRC-32C of these 20 bytes, 4: so in every version
//	sections   their bytes, one section behind the other, with nothing between
//	table      for each section: bytes of its name, 1; its name; its length, 8
//	checksums  for each 64 KiB of the body, from byte 0 of the file: CRC-32C, 4 bytes
//	trailer    length of the body, 8; length of the table, 8; SHA-256, 32
//
// The body is header and sections. The digest is that of the header, the table, the
// checksums, and the first 16 bytes of the trailer. So every byte of a file is under a
// checksum or under the digest, and a file has no byte that may differ.
//
// # How it is read
//
// [Open] maps a file of more than 64 MiB into memory, where the system can do that, and
// else reads a block when it is needed and keeps the last one. A smaller file is read and checked
// wholly, and so is one that [Read] takes from a stream. Each length is compared with that of the
// file before memory is taken for it: a file can ask for no more than its own size.
//
// A mapped file that another program makes shorter faults when it is read. That is
// caught, and an error like others.
//
// # Non-goals
//
// The digest finds accidents, and tells files apart. It is no signature: whoever writes a
// file can write anything. This package does not compress, and knows nothing of
// what sections mean.
//
// # Cost
//
// Writing costs one CRC-32C, for which processors have an instruction: below 0.1 ns a byte.
// Opening a mapped file of a gigabyte reads and digests its 64 KiB of checksums. A read of a few
// bytes costs a copy, and some 20 ns where the file is mapped.
//
// # References
//
// Castagnoli, Bräuer, Herrmann, "Optimization of cyclic redundancy-check codes with 24
// and 32 parity bits" (1993). That a table stands at the end, so that a file is written in one
// pass, is as in ZIP and Parquet.
package sectionfile
