package render

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pavage/pavage/tiling"
)

// pool are the labels for pieces whose names offer none.
const pool = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// labels returns a short label for each piece, of at most width letters, all
// different while the pool lasts ("#" after that). A piece gets the initial of
// its name if no other name has it. Pieces that share an initial get their
// whole names where these are short enough, else the numbers that distinguish
// them (the 07 of bedlam-07), else, if they are two, the initial small and large, else
// a letter from the pool.
func labels(pieces []tiling.Piece, width int) []string {
	namesakes := make(map[string][]string) // by initial
	for _, p := range pieces {
		i := initial(p.Name)
		namesakes[i] = append(namesakes[i], p.Name)
	}
	all := make([]string, len(pieces))
	taken := map[string]bool{"": true}
	for k, p := range pieces {
		if i := initial(p.Name); len(namesakes[i]) == 1 {
			all[k], taken[i] = i, true
		}
	}
	for k, p := range pieces {
		if all[k] == "" {
			all[k] = firstFree(wishes(p.Name, namesakes[initial(p.Name)], width), taken)
			taken[all[k]] = true
		}
	}
	return all
}

// wishes are the labels to try for a name that shares its initial with its
// namesakes, best first.
func wishes(name string, namesakes []string, width int) []string {
	var all []string
	if letters := plain(name); string(letters) == name && len(letters) <= width {
		all = append(all, name)
	}
	if number := name[len(commonPrefix(namesakes)):]; len(number) <= width && strings.Trim(number, "0123456789") == "" {
		all = append(all, number)
	}
	if len(namesakes) == 2 {
		i := initial(name)
		all = append(all, i, strings.Map(otherCase, i))
	}
	for _, r := range pool {
		all = append(all, string(r))
	}
	return all
}

// commonPrefix returns what all names begin with, in whole characters.
func commonPrefix(names []string) string {
	prefix := names[0]
	for _, n := range names[1:] {
		for !strings.HasPrefix(n, prefix) {
			_, last := utf8.DecodeLastRuneInString(prefix)
			prefix = prefix[:len(prefix)-last]
		}
	}
	return prefix
}

func firstFree(wishes []string, taken map[string]bool) string {
	for _, w := range wishes {
		if !taken[w] {
			return w
		}
	}
	return "#"
}

// plain returns the letters and digits of a name that are one column wide in
// every terminal: wide ones begin at U+1100, and marks join what precedes.
func plain(name string) []rune {
	var kept []rune
	for _, r := range name {
		if r < 0x1100 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			kept = append(kept, r)
		}
	}
	return kept
}

// initial returns a name's first plain letter, "" if there is none.
func initial(name string) string {
	if letters := plain(name); len(letters) > 0 {
		return string(letters[0])
	}
	return ""
}

func otherCase(r rune) rune {
	if unicode.IsUpper(r) {
		return unicode.ToLower(r)
	}
	return unicode.ToUpper(r)
}

// printable replaces what could steer a terminal by a question mark.
func printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return '?'
}
