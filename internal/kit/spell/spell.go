// Package spell finds known words that are similar to an unknown word, for errors that ask "did you
// mean …?".
package spell

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pavage/pavage/internal/kit/wording"
)

const maxLength = 100 // the time grows with the product of the lengths of the two words

// Nearest returns the element of words that is most similar to the argument word, or "". It ignores
// case. The plural or singular of word is most similar. Without one, the result is the element with
// the fewest edits, or "" if there are several. At most max(1, n/3) edits are allowed, where n is
// the length of the longer string. If all elements have more edits, and word has three letters or
// more, the result is the only element that begins with word.
func Nearest(word string, words []string) string {
	if word == "" || len(word) > maxLength {
		return ""
	}
	for _, w := range words {
		if isPlural(word, w) || isPlural(w, word) {
			return w
		}
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
	if fewest == maxLength && len(word) >= 3 {
		begins := func(w string) bool { return strings.HasPrefix(strings.ToLower(w), strings.ToLower(word)) }
		i := slices.IndexFunc(words, begins)
		if i >= 0 && !slices.ContainsFunc(words[i+1:], begins) {
			return words[i]
		}
	}
	return nearest
}

// OneOf returns the words as "a, b or c", and adds "did you mean …?" if one is similar to word.
func OneOf(word string, words []string) string {
	if near := Nearest(word, words); near != "" {
		return fmt.Sprintf("%s: did you mean %s?", wording.List(words), near)
	}
	return wording.List(words)
}

func isPlural(plural, word string) bool {
	return strings.EqualFold(plural, word+"s") || strings.EqualFold(plural, word+"es")
}

// edits returns the optimal string alignment distance: the method of Wagner and Fischer, "The
// string-to-string correction problem" (1974), with exchanges of two adjacent letters.
func edits(a, b string) int {
	from, to := []rune(a), []rune(b)
	d := make([][]int, len(from)+1) // d[i][j] is the distance of from[:i] and to[:j]
	for i := range d {
		d[i] = make([]int, len(to)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := range from {
		for j := range to {
			change := d[i][j]
			if from[i] != to[j] {
				change++
			}
			n := min(change, d[i+1][j]+1, d[i][j+1]+1)
			if i > 0 && j > 0 && from[i] == to[j-1] && from[i-1] == to[j] {
				n = min(n, d[i-1][j-1]+1)
			}
			d[i+1][j+1] = n
		}
	}
	return d[len(from)][len(to)]
}
