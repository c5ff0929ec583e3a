// Package slab has the states of a level in one file: written by one task, and read in ranges of
// keys by many.
//
// # Purpose
//
// A task of the next band needs its range of keys of every slab of a level, and nothing else. So
// a range is one contiguous read, no byte of it is believed before it was checked, and the name of
// the file determines every byte in it: who has the name cannot be given another file.
//
// # The file
//
//	keys  ──────────────── rising ────────────────►
//	┌────────┬────────┬─ ─ ─ ─ ┬────────┬───────┬───────┬──────┐
//	│ leaf 0 │ leaf 1 │        │ leaf n │ page  │ page  │ root │   inner pages: those that list
//	└────────┴────────┴─ ─ ─ ─ ┴────────┴───────┴───────┴──────┘   leaves first, then those above
//	     ▲        ▲                 ▲    │   ▲    │  ▲     │
//	     └────────┴── lists ──────┬─┴────┘   └────┴──┴─────┘
//	                              │
//	     first key, length, bits, states, residue, SHA-256 of each child
//
// The name of a slab is the SHA-256 of its root, in hex. The root has the digest of each page
// below it, and these of the leaves: a tree of digests, as Merkle's. To read a range is to
// read the root, then the pages on the way to both ends of the range, and then the leaves
// between them, which lie side by side:
//
//	root ──► page ──► leaf leaf leaf leaf      one read of each height
//
// Numbers are little-endian. A leaf is a block of states as package blockfile writes it: keys as
// differences, counts as wide as the largest of the leaf. An inner page:
//
//	place u64 │ children u32 │ child │ child │ …         place: where the first child begins
//	child:  first key │ length u32 │ bits u32 │ states u64 │ residue u64 │ SHA-256
//
// The root is such a page with a head before it:
//
//	"PAVSLAB" version u8 │ print, 32 │ prime u64 │ level u64 │ words u32 │ height u32 │ sum, length u32 before
//
// bits is the length of the largest count, residue that of the sum of all counts below. The sum
// of a slab stands in the root, and the root of a slab without states lists no child.
//
// # Words
//
//   - A leaf is up to [LeafStates] states. A page is a leaf or an inner page, which lists up
//     to [Children] pages below it; the height of the tree is how many inner pages lie between
//     the root and a leaf, and one more.
//   - A [Ref] is what others keep of a slab: its name, sizes, sums, and marks.
//   - A mark is a key with the number of states before it. Marks are evenly spaced: every s-th state,
//     where s is the smallest power of 2 that leaves at most [MostMarks].
//   - A residue is what is left of a count when it is divided by the prime. It comes to the writer
//     beside the count, by arithmetic of its own, and is compared with the count: no state is written
//     whose count is not what was carried beside it. States are written without residues; the sums of
//     pages have them.
//
// # Non-goals
//
// No store: whoever calls gives a writer, or a [Source]. A digest finds damage and tells files
// apart; it is no signature. A slab does not know which task has made it.
//
// # Cost
//
// The listing of the leaves is kept in memory until the slab is written: 0.06 bytes a state.
//
// # References
//
// Merkle, "A digital signature based on a conventional encryption function" (1987): trees of digests.
package slab
