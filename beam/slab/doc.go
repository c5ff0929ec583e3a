// Package slab stores states of a level in a file. One task writes the file, and many tasks read
// ranges of its keys.
//
// # Purpose
//
// A task of the next band needs its range of keys of every slab of a level, and nothing else. So a
// range is one contiguous read, and every byte is checked before it is used. The name of the file
// determines every byte in it: a reader that has the name notices any other file.
//
// # The file
//
//	keys  ──────────────── rising ────────────────►
//	┌────────┬──────┬──────┬─ ─ ─ ┬────────┬──────┬──────┬─ ─ ─ ┬──────┐
//	│ page 0 │ leaf │ leaf │      │ page 1 │ leaf │ leaf │      │ root │
//	└────────┴──────┴──────┴─ ─ ─ ┴────────┴──────┴──────┴─ ─ ─ ┴──────┘
//	a page lists the leaves behind it, the root lists the pages:
//	     first key, length, bits, states, residue, SHA-256 of each leaf or page
//
// The name of a slab is the SHA-256 of its root, in hex. The root has the digests of the pages, and
// a page has the digests of its leaves: a Merkle tree of two levels. A reader of a range reads the
// root, then the first page of the range, and then everything else in one read, from the first leaf
// of the range to the last.
//
// Numbers are little-endian. A leaf is a block of states as package blockfile writes it: keys as
// differences, all counts as wide as the largest count of the leaf. A page is a list of its leaves:
//
//	first key │ length u32 │ bits u32 │ states u64 │ residue u64 │ SHA-256
//
// The root is a head and a list of pages in this form. The length of a page includes its leaves:
//
//	"PAVSLAB" version u8 │ print (32 bytes) │ prime u64 │ level u64 │ words u32 │ length of sum u32 │ sum, highest byte first
//
// The field bits is the length of the largest count, and residue is the residue of the sum of all
// counts of the leaf or page. The field sum is the sum of the slab. An empty slab has no page.
//
// # Words
//
//   - A leaf has up to 512 states. A page lists up to 128 leaves.
//   - A [Ref] is the description of a slab in other files: its name, sizes, sums and marks.
//   - A mark is a key with the number of states before it. Every s-th state is a mark, where s is
//     the smallest power of 2 with which there are at most 128 marks.
//   - A residue is the remainder of a count when it is divided by the prime. The writer gets each
//     count with its residue, and refuses a state whose count and residue do not agree. The file
//     has no residues of single counts, only residues of sums.
//
// # Non-goals
//
// The package has no store: the caller gives a writer, or a [Source]. A digest detects damage; it
// is no signature. A slab does not record which task has made it.
//
// # Cost
//
// A leaf is not compressed: its keys are differences of about 1.2 bytes, and all bytes of a count
// but the highest look random. The table has the bytes per state of keys, of whole leaves and of
// lists, and the percentage of a leaf that zstd would save at its fastest level. To compress single
// leaves, zstd needs 40 to 80 ns per state, and writing a state takes only 23 ns in all. With
// leaves of 4,096 states zstd would save more, and need 25 ns per state:
//
//	                               keys   state   list   zstd saves   with leaves of 4,096 states
//	12x12 tetrominoes, level 36    1.2     3.6    0.12   24%          37%
//	                         72    1.2     6.3    0.12    9%          16%
//	                         84    1.2     7.3    0.12    7%          13%
//	                        108    1.1     9.2    0.12    6%           9%
//	16x16 dominoes, level 128      1.0     7.9    0.12   18%          22%
//	18x18 with monominoes, 180     1.0    21.9    0.12    4%           4%      counts of three limbs
//
// Most states lie in levels where zstd saves little. Writing a state takes 23 ns with one limb, 29
// with two, 38 with three. Of this, the digest takes 5 to 11 ns, coding 6 ns, and the check of the
// residue 3 ns for each limb. Reading a state takes 15 ns with one limb, 20 with two, 28 with
// three.
//
// A writer has in memory the leaves of the next page, and the list of the pages. A reader has in
// memory one leaf, the list of its page, and the list of the pages.
//
// # References
//
// Merkle, "A digital signature based on a conventional encryption function" (1987): trees of digests.
package slab
