// Package wording reads words of users, and makes the parts of an error about them: a quoted word,
// a list of the words that are expected.
package wording

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// quotedRunes is how much of a wrong word an error repeats.
const quotedRunes = 40

// Quote returns s in quotes and on one line, for an error. It shortens a long s.
func Quote(s string) string {
	n := 0
	for i := range s {
		if n == quotedRunes {
			return fmt.Sprintf("%q…", s[:i])
		}
		n++
	}
	return fmt.Sprintf("%q", s)
}

// List returns the words as "a, b or c".
func List(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// Printable reports whether s can go to a terminal, a picture or an error as
// it is: no control characters, no newline, at most limit runes.
func Printable(s string, limit int) bool {
	n := 0
	for _, r := range s {
		if n++; n > limit || !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// Number returns the number that decimal digits stand for, and whether the text is one from
// 0 to most, which is below 2^32. It takes no sign, no 0x and no 1_000, and refuses long runs
// of digits before it converts them.
func Number(text string, most int) (int, bool) {
	if len(text) == 0 || len(text) > len(strconv.Itoa(most)) {
		return 0, false
	}
	n, err := strconv.ParseUint(text, 10, 32) // takes digits only
	if err != nil || n > uint64(most) {
		return 0, false
	}
	return int(n), true
}
