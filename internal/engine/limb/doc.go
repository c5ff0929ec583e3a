// Package limb has numbers of several 64-bit words, called limbs.
//
// # Purpose
//
// A level has many millions of counts, which soon need more than 64 bits. In a big.Int each would
// need ten times the memory. So the counts of a level are equally long parts of a large array:
//
//	limbs = 2     count 0     count 1     count 2
//	            ┌──────────┬───────────┬───────────┐
//	            │ low high │ low  high │ low  high │ …
//	            └──────────┴───────────┴───────────┘
//
// The lowest limb comes first. Bits that do not fit are returned as a carry, never lost.
//
// # Non-goals
//
// Numbers are divided by one word only. For a larger divisor, [Divide] uses big.Int. Package verify
// does not use this package, for it must share no counting code with the programs that it checks.
//
// # Cost
//
// Time is linear in the number of limbs. The time of a product is linear in the product of the
// numbers of limbs of both factors. Only [Total], [Int], [Of] and [Divide] allocate memory.
//
// # References
//
// Knuth, TAOCP 2, 4.3.1 (the classical algorithms).
package limb
