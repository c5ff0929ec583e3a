package render

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/render/pen"
)

// ColourOf is the colour of a piece by its name alone: the same on every picture of
// every puzzle, flat or solid. Pieces of a set that has names by letters or numbers differ, up
// to as many as there are hues and tones; other names can meet in a colour.
func ColourOf(name string) pen.Colour { return swatchOf(colourNumber(name)).Colour }

// letters are in the order of their hues: first those of the pentominoes.
const letters = "FILNPTUVWXYZOSABCDEGHJKMQR"

// small are pieces whose colours are fixed: they are neighbours of others in many puzzles.
var small = []string{"monomino", "domino", "moniamond", "diamond", "triamond", "monohex", "dihex"}

// colourNumber is the number of a piece's colour among all hues and tones. A name is
//
//	F5, F5m, soma-V, V    a letter, and how many cells: a hue for the letter, a tone for the rest
//	bedlam-07, square-2   a word and a number: the number's hue, and then its tones
//	anything              a hash
func colourNumber(name string) int {
	total := len(hues) * len(tones)
	if i := slices.Index(small, name); i >= 0 {
		return i
	}
	word, number, mirrored := splitName(name)
	if word, letter, ok := lastLetter(word); ok {
		tone := 0
		if word == "" && number != 0 {
			tone = (5 - number%len(tones) + len(tones)) % len(tones) // of five cells: the plain hue
		}
		if mirrored {
			tone++
		}
		return (letter%len(hues) + (letter/len(hues)+tone)%len(tones)*len(hues)) % total
	}
	h := fnv.New32a()
	h.Write([]byte(word)) // a hash does not fail
	start := int(h.Sum32() % uint32(total))
	if number == 0 {
		return start
	}
	n := number - 1
	hue, tone := (start+n)%len(hues), n/len(hues)
	if mirrored {
		tone++
	}
	return hue + tone%len(tones)*len(hues)
}

// splitName takes the number from the end of a name, 0 if there is none, and an m for
// mirrored after it.
func splitName(name string) (word string, number int, mirrored bool) {
	rest := strings.TrimSuffix(name, "m")
	word = strings.TrimRight(rest, "0123456789")
	if number, err := strconv.Atoi(rest[len(word):]); err == nil && number > 0 {
		return strings.TrimRight(word, "-_ "), number, rest != name
	}
	return name, 0, false
}

// lastLetter is the place among letters of a word of one letter, or of a letter that
// stands alone at its end, with what is before it.
func lastLetter(word string) (before string, letter int, ok bool) {
	if len(word) == 0 || len(word) > 1 && word[len(word)-2] != '-' {
		return "", 0, false
	}
	letter = strings.IndexByte(letters, word[len(word)-1]&^0x20)
	return word[:len(word)-1], letter, letter >= 0
}
