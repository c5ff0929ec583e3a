// Package key has the states of a sweep as numbers of one to four words.
package key
