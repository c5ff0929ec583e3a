package render

import (
	"hash/fnv"
	"strconv"
	"strings"
	"sync"

	"github.com/pavage/pavage/render/pen"
)

// ColourOf is the colour of a piece by its name alone: the same on every picture of
// every puzzle, flat or solid. Up to sixteen pieces of a set that has names by letters or by
// numbers have hues of their own, and so have the pieces of the lists below. Other names
// can meet in a colour.
func ColourOf(name string) pen.Colour { return swatchOf(colourNumber(name)).Colour }

// letters are in the order of their hues: first those of the pentominoes.
const letters = "FILNPTUVWXYZOSABCDEGHJKMQR"

// words are pieces that are found together, in the order of their hues.
var words = [...][]string{
	{"monomino", "domino"},
	{"moniamond", "diamond", "triamond"},
	{"moniamond", "lozenge", "triamond"},
	{"monohex", "dihex"},
	{"bar", "crook", "crown", "sphinx", "snake", "yacht", "chevron", "signpost", "lobster", "hook", "hexagon", "butterfly"},
	{"bar", "worm", "pistol", "propeller", "arch", "bee", "wave"},
}

// known are the numbers of the words.
var known = sync.OnceValue(func() map[string]int {
	all := make(map[string]int)
	for _, list := range words {
		for k, word := range list {
			all[word] = k
		}
	}
	return all
})

// colourNumber is the number of a piece's colour among all hues and tones. A name is
//
//	bar, barm             a word that is known: its hue; in another tone if it is mirrored
//	F5, F5m, soma-V, V    a letter, and how many cells: a hue for the letter, a tone for the rest
//	bedlam-07, square-2   a word and a number: the number's hue, and after the last its tones
//	anything              a hash of the name
func colourNumber(name string) int {
	plain, tone := name, 0
	if rest, mirrored := strings.CutSuffix(name, "m"); mirrored && isNamed(rest) {
		plain, tone = rest, 1
	}
	if k, ok := known()[plain]; ok {
		return toned(k, tone)
	}
	word, number := splitName(plain)
	switch letter := lastLetter(word); {
	case letter >= 0 && number > 0:
		return toned(letter, tone+5+2*number) // no tone of five cells
	case letter >= 0:
		return toned(letter, tone)
	case number > 0:
		start := hashed(word) % len(hues)
		return toned((start+number-1)%len(hues), tone+(number-1)/len(hues))
	}
	return hashed(plain) % (len(hues) * len(tones))
}

// toned is the number of a hue in a tone; hues and tones begin again after the last.
func toned(hue, tone int) int {
	return hue%len(hues) + (hue/len(hues)+tone)%len(tones)*len(hues)
}

// isNamed reports whether an m after the name says that a piece is the mirror image of the
// one of that name.
func isNamed(name string) bool {
	_, is := known()[name]
	_, number := splitName(name)
	return is || number > 0
}

// splitName takes the number from the end of a name, 0 if there is none.
func splitName(name string) (word string, number int) {
	word = strings.TrimRight(name, "0123456789")
	if number, err := strconv.Atoi(name[len(word):]); err == nil && number > 0 && number < 1e6 {
		return strings.TrimRight(word, "-_ "), number
	}
	return name, 0
}

// lastLetter is the place among letters of a word that is a letter, or that ends in one
// which stands alone; else -1.
func lastLetter(word string) int {
	if n := len(word); n != 1 && (n == 0 || word[n-2] != '-') {
		return -1
	}
	return strings.IndexByte(letters, word[len(word)-1]&^0x20)
}

func hashed(word string) int {
	h := fnv.New32a()
	h.Write([]byte(word)) // a hash does not fail
	return int(h.Sum32() >> 1)
}
