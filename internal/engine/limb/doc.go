// Package limb has numbers of several 64-bit words, called limbs.
//
// # Purpose
//
// Counts pass 64 bits soon and are kept side by side in large arrays, many millions of them. A
// big.Int for each would need ten times the memory. So a count is a few words in a row, and all
// counts of a level have equally many:
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
// There is no division of our own by more than a word: [Divide] makes a big.Int of the number for
// that. Package verify does not use this package, for it must share no counting code with the
// programs that it checks.
//
// # Cost
//
// Time is linear in the number of limbs, for a product in the product of both factors' limbs; no
// function but [Total], [Int], [Of] and [Divide] allocates memory.
//
// # References
//
// Knuth, TAOCP 2, 4.3.1 (the classical algorithms).
package limb
