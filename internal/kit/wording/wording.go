// Package wording reads words of users, and makes the parts of an error about them: a quoted word,
// a list of the words that are expected.
package wording

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// quotedRunes is the number of runes of a bad word that an error repeats.
const quotedRunes = 40

// Quote returns s in quotes and on one line, for an error. It cuts s after 40 runes and then
// appends "…".
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
func List[S ~string](words []S) string {
	var list strings.Builder
	for i, w := range words {
		switch {
		case i > 0 && i == len(words)-1:
			list.WriteString(" or ")
		case i > 0:
			list.WriteString(", ")
		}
		list.WriteString(string(w))
	}
	return list.String()
}

// Printable reports whether s can be written to a terminal, a picture or an error without quotes:
// whether it has at most limit runes and no control characters or newlines.
func Printable(s string, limit int) bool {
	n := 0
	for _, r := range s {
		if n++; n > limit || !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// Number returns the number in text, and reports whether text has decimal digits only (no sign, 0x
// or 1_000) and the number is 0 to most. most is less than 2^32. The number of digits is checked
// before they are converted.
func Number(text string, most int) (int, bool) {
	if len(text) == 0 || len(text) > len(strconv.Itoa(most)) {
		return 0, false
	}
	n, err := strconv.ParseUint(text, 10, 32) // accepts digits only
	if err != nil || n > uint64(most) {
		return 0, false
	}
	return int(n), true
}

// Plural returns a number of things: "1 cell" or "2 cells".
func Plural[N int | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
