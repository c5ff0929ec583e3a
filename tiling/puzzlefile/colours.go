package puzzlefile

import (
	"maps"
	"slices"
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

const patternKey = "pattern"

const coloursForm = "a mapping such as {w: white, b: black}"

// colourReader has the value of the key colours, which may include a pattern:
//
//	colours: {w: white, b: black, pattern: wb/bw}      a chessboard of any size
type colourReader struct {
	letters string // letters[k-1] means colour k
	keys    []*node
	words   []string // the names of the colours
	pattern *node    // colours for board cells drawn without a letter; may be nil
	place   *node    // the value of the key colours
}

func (c *colourReader) checkLetters(l *tiling.Lattice) {
	if i := strings.IndexAny(c.letters, l.BoardMarks); i >= 0 {
		c.keys[i].fail("%q is a mark of drawings on the %s lattice, expected another letter for the colour", c.keys[i].text, l)
	}
}

func readColours(n *node) *colourReader {
	c := &colourReader{place: n}
	if n == nil {
		return c
	}
	if n.kind != mapping {
		n.fail("the value of \"colours\" is %s, expected %s", kindNames[n.kind], coloursForm)
	}
	for i, key := range n.keys {
		letter, value := key.text, n.items[i]
		switch {
		case letter == patternKey && c.pattern != nil:
			key.fail("key %s is given twice, expected each key once", patternKey)
		case letter == patternKey:
			c.pattern = value
			continue
		case len(letter) != 1 || (letter[0]|0x20) < 'a' || (letter[0]|0x20) > 'z':
			key.fail("bad letter %s for a colour, expected a letter a..z or A..Z, or %s", wording.Quote(letter), patternKey)
		case strings.Contains(c.letters, letter):
			key.fail("letter %s is given twice, expected each letter once", letter)
		}
		name := value.word("the name of a colour", "text")
		value.check(tiling.CheckColourName(name))
		if slices.Contains(c.words, name) {
			value.fail("two colours have the name %s, expected different names", wording.Quote(name))
		}
		c.letters += letter
		c.keys, c.words = append(c.keys, key), append(c.words, name)
	}
	if len(c.words) == 0 {
		n.fail("the value of \"colours\" has no colour, expected %s", coloursForm)
	}
	return c
}

const (
	allowForm = "[[colour of a piece, colour of the board], …]"
	onlyKey   = "only"
)

// readAllow returns the pairs that the key allow lists. It adds all pairs of equal colours, unless
// the value of allow is {only: pairs}.
func (c *colourReader) readAllow(n *node) []tiling.Pair {
	pairs := map[tiling.Pair]bool{}
	if n != nil && n.kind == mapping {
		if n = n.fields("allow", []string{onlyKey})[onlyKey]; n == nil {
			c.place.fail("the value of \"allow\" is an empty mapping, expected %s or {%s: %[1]s}", allowForm, onlyKey)
		}
	} else {
		for k := range c.words {
			pairs[tiling.Pair{Piece: k + 1, Board: k + 1}] = true
		}
	}
	for _, item := range n.list("allow", allowForm+" or {"+onlyKey+": "+allowForm+"}") {
		if item.kind != sequence || len(item.items) != 2 {
			item.fail("bad pair of colours, expected [colour of a piece, colour of the board]")
		}
		pair := tiling.Pair{Piece: c.colour(item.items[0]), Board: c.colour(item.items[1])}
		if pairs[pair] {
			item.fail("the colours %s and %s are an allowed pair already, expected each pair once, and no pair of equal colours",
				c.words[pair.Piece-1], c.words[pair.Board-1])
		}
		pairs[pair] = true
	}
	return slices.SortedFunc(maps.Keys(pairs), tiling.Pair.Compare)
}

func (c *colourReader) colour(n *node) int {
	name := n.word("a colour", "text")
	k := slices.Index(c.words, name)
	if k < 0 {
		n.fail("unknown colour %s, %s", wording.Quote(name), meant(name, wording.List(c.words), c.words))
	}
	return k + 1
}
