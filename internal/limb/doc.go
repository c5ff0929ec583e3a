// Package limb calculates with large numbers that lie in arrays of 64-bit words.
//
// # Purpose
//
// Counts can have hundreds of digits, and there are millions of them. A [big.Int]
// each would cost a pointer, a header and work for the garbage collector. So all
// counts have equally many words, called limbs, the lowest first, and lie one behind
// the other in one array:
//
//	             count 0            count 1            count 2
//	2 limbs   | low    high   |  low    high   |  low    high   |
//
// No sum loses anything: [Add] returns the carry out of the highest limb, and the
// caller looks at it and takes more limbs.
//
// # Non-goals
//
// No signs, products or quotients: numbers of which more is asked become a big.Int by
// [Int] or [Total]. The loops that add one or two limbs, millions of times, stand with
// their callers (packages sweep and bdd), because a call for each would cost more than
// the sum. Package verify, which checks what this package has added up, does not use it.
//
// # Cost
//
// A few instructions a limb.
package limb
