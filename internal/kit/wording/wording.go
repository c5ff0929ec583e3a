// Package wording checks words of users, and makes parts of errors about them, such as a quoted
// word or a list of the expected words.
package wording

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

const quotedRunes = 40

// Quote returns s in quotes on one line. After 40 runes, … replaces the rest.
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

// Printable reports whether s has at most limit runes, all of them printable.
func Printable(s string, limit int) bool {
	n := 0
	for _, r := range s {
		if n++; n > limit || !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// Number parses a number in decimal digits, from 0 to most. The limit most must be below 2^32.
func Number(text string, most int) (int, bool) {
	if len(text) == 0 || len(text) > len(strconv.Itoa(most)) {
		return 0, false
	}
	n, err := strconv.ParseUint(text, 10, 32) // ParseUint accepts only digits
	if err != nil || n > uint64(most) {
		return 0, false
	}
	return int(n), true
}

// Plural returns a number with its noun in the singular or plural: "1 cell", "2 cells".
func Plural[N int | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
