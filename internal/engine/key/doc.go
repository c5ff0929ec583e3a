// Package key has the states of a sweep as numbers of one to eight 64-bit words.
//
// # Purpose
//
// The bits of a state record which of the next items are covered and how often bounded items were
// used. All of them fit in one number, and a level is a sorted list of such numbers. This package
// has the number: comparing, adding, testing and shifting it.
//
//	word 1                              word 0
//	| counter | counter | … window … |  window: bit 63 … bit 1, bit 0 = present item |
//	                      ◄──────── Shift moves these bits down by one ────────►
//
// # Words
//
// The window is the low end of a key, one bit for each item that is still open. Bit
// 0 is the present item. A counter is a field of bits above the window. The highest
// bit of a key is always 0, so that adding to it cannot wrap around.
//
// # Why all is generic
//
// A function with a type parameter [Key] is compiled once for each number of words. In each copy
// len is a constant, so a key of one word costs the same as a plain uint64. All functions of the
// loops that merge are short enough to be inlined; a test of package sweep asks the compiler
// whether they are.
//
// # Non-goals
//
// A key does not define the meaning of its bits: package automaton does. Counts are not keys:
// see package limb.
//
// # Cost
//
// A sum or a comparison needs one or two machine instructions for each word.
//
// # References
//
// Warren, "Hacker's Delight", chapter 2 (sums and comparisons of several words).
package key
