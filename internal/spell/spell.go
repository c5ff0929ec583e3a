// Package spell finds the word that was meant, for errors about one that is
// not known.
package spell

import (
	"strings"
	"unicode/utf8"
)

// maxLength of a word, in bytes, keeps the work on a hostile one small.
const maxLength = 100

// Nearest is the word of fewest edits from the given one. It is "" if two words
// are as near, or if that takes more edits than a slip would: over a third of
// the letters of the longer word, one at least. Upper and lower case are the
// same.
func Nearest(word string, words []string) string {
	if word == "" || len(word) > maxLength {
		return ""
	}
	nearest, fewest := "", maxLength
	for _, w := range words {
		n := edits(strings.ToLower(word), strings.ToLower(w))
		slip := max(1, max(utf8.RuneCountInString(word), utf8.RuneCountInString(w))/3)
		switch {
		case n > slip:
		case n < fewest:
			nearest, fewest = w, n
		case n == fewest:
			nearest = ""
		}
	}
	return nearest
}

// edits is the Levenshtein distance: letters put in, left out or exchanged.
// (Wagner, Fischer, "The string-to-string correction problem", 1974.)
func edits(a, b string) int {
	to := []rune(b)
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range []rune(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range to {
			change := diagonal
			if x != y {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(to)]
}
