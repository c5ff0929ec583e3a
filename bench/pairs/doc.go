// Pairs writes bench/pairs.md: the costs of two versions of the program for the same commands.
//
//	make bench-pairs BEFORE=path/to/an/older/pavage
//	go run ./bench/pairs -before OLD -now NEW [-runs 5] [-rows REGEXP] > bench/pairs.md
//
// The versions run in turn, old, new, old, new, so that other work of the machine slows both
// versions alike. The first pair of runs is left out if it is short. The operating system reports
// the processor time of each process in user mode, and its peak memory. The table has medians. The
// ratio in a row is the median of the ratios of the pairs. If the machine's speed changes, this
// ratio is more accurate than the ratio of the medians.
//
// Both versions must print the same output, and for a count the number in the row. If not, the
// program ends with an error. A version that fails is in the table with its error message.
package main
