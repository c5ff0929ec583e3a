// Pairs writes bench/pairs.md: the costs of two versions of the program for the same commands.
//
//	make bench-pairs BEFORE=path/to/an/older/pavage
//	go run ./bench/pairs -before OLD -now NEW [-runs 5] [-rows REGEXP] > bench/pairs.md
//
// The two run in turn, old, new, old, new, so that both meet the same other work of the machine;
// each once before, which does not count. The operating system reports the figures of the process
// that has ended: its processor time in the program, and the most memory that it had at any time.
// The table has medians; the ratio is the median of the ratios of the pairs, which is more accurate
// than the ratio of medians where the machine's speed changes.
//
// Both must print the same output, and for a count the number in the row: if not, the program ends
// with an error. A version that fails is in the table with its error message.
package main
