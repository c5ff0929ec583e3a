// Pairs writes bench/pairs.md: what two versions of the program take for the same commands.
//
//	make bench-pairs BEFORE=path/to/an/older/pavage
//	go run ./bench/pairs -before OLD -now NEW [-runs 5] [-rows REGEXP] > bench/pairs.md
//
// The two run in turn, old, new, old, new, so that both meet the same other work of the
// machine; each once before, which does not count. Figures are those of the operating system for
// the process that has ended: its time of the processor in the program, and the most memory that
// it had at any time. The table has medians; the ratio is the median of the ratios of the pairs,
// which says more than the ratio of medians where the machine's speed changes.
//
// What the two print must be the same, and for a count what the row says: if not, the
// program ends with an error. A version that fails is in the table with what it said.
package main
