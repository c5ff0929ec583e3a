package puzzlefile

import (
	"slices"
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// patternKey is the only key of colours that is not a letter.
const patternKey = "pattern"

const coloursForm = "a mapping such as {w: white, b: black}"

// colourReader has the value of the key colours: letters for drawings, and a pattern that colours
// the cells of the board that have no letter. In a file without the key it is empty.
//
//	colours: {w: white, b: black, pattern: wb/bw}      a chessboard of any size
type colourReader struct {
	letters string   // letters[k-1] stands for colour k
	keys    []*node  // the letters in the file
	words   []string // the names of the colours
	pattern *node    // nil: no pattern
	place   *node    // the value of the key colours
}

// checkLetters returns an error if a letter is a mark of drawings on the lattice.
func (c *colourReader) checkLetters(l *tiling.Lattice) error {
	if i := strings.IndexAny(c.letters, l.BoardMarks()); i >= 0 {
		return c.keys[i].errorf("%q is a mark of drawings on the %s lattice, want another letter for the colour", c.keys[i].text, l)
	}
	return nil
}

// readColours reads the value of the key colours, which may be missing.
func readColours(n *node) (*colourReader, error) {
	if n == nil {
		return &colourReader{}, nil
	}
	if n.kind != mapping {
		return nil, n.errorf("colours is %s, want %s", kindNames[n.kind], coloursForm)
	}
	c := &colourReader{place: n}
	for i, key := range n.keys {
		if key.text == patternKey {
			if c.pattern != nil {
				return nil, key.errorf("key %s a second time, want it once", patternKey)
			}
			c.pattern = n.items[i]
			continue
		}
		if err := c.add(key, n.items[i]); err != nil {
			return nil, err
		}
	}
	if len(c.words) == 0 {
		return nil, n.errorf("no colour, want %s", coloursForm)
	}
	return c, nil
}

// add adds a letter and the name of its colour.
func (c *colourReader) add(key, value *node) error {
	if len(key.text) != 1 || (key.text[0]|0x20) < 'a' || (key.text[0]|0x20) > 'z' {
		return key.errorf("bad letter %s for a colour, want one of a..z and A..Z, or %s", wording.Quote(key.text), patternKey)
	}
	if strings.Contains(c.letters, key.text) {
		return key.errorf("letter %s a second time, want each letter once", key.text)
	}
	name, err := value.word("the name of a colour")
	if err == nil {
		if err := tiling.CheckColourName(name); err != nil {
			return value.wrap(err)
		}
		if slices.Contains(c.words, name) {
			return value.errorf("a second colour named %s, want each name once", wording.Quote(name))
		}
	}
	c.letters += key.text
	c.keys, c.words = append(c.keys, key), append(c.words, name)
	return err
}

// dye colours, by the pattern, the cells of the board that have no letter.
func (c *colourReader) dye(b *tiling.Board) error {
	if c.pattern == nil {
		return nil
	}
	text, err := c.pattern.drawn(patternKey)
	if err != nil {
		return err
	}
	return c.pattern.placed(b.Dye(inlineRows(text), c.letters))
}

const (
	allowForm = "[[colour of a piece, colour of the board], …]"
	onlyKey   = "only"
)

// readAllow returns the pairs of colours that may meet. Its argument is a list of pairs, to which
// the pairs of equal colours are added, or {only: a list}, which has all pairs.
func (c *colourReader) readAllow(n *node) ([]tiling.Pair, error) {
	only := n != nil && n.kind == mapping
	if only {
		f, err := n.fields("allow", []string{onlyKey})
		if err != nil {
			return nil, err
		}
		if n = f[onlyKey]; n == nil {
			return nil, c.place.errorf("allow is an empty mapping, want %s or {%s: %[1]s}", allowForm, onlyKey)
		}
	}
	var pairs []tiling.Pair
	for k := range c.words {
		if !only {
			pairs = append(pairs, tiling.Pair{Piece: k + 1, Board: k + 1})
		}
	}
	if n == nil {
		return pairs, nil
	}
	if n.kind != sequence {
		return nil, n.errorf("allow is %s, want %s or {%s: %[2]s}", kindNames[n.kind], allowForm, onlyKey)
	}
	seen := map[tiling.Pair]bool{}
	for _, pair := range pairs {
		seen[pair] = true
	}
	for _, item := range n.items {
		pair, err := c.readPair(item)
		if err != nil {
			return nil, err
		}
		if seen[pair] {
			return nil, item.errorf("%s may meet %s anyway, want each pair once, and equal ones left out",
				c.words[pair.Piece-1], c.words[pair.Board-1])
		}
		seen[pair] = true
		pairs = append(pairs, pair)
	}
	slices.SortFunc(pairs, tiling.Pair.Compare)
	return pairs, nil
}

func (c *colourReader) readPair(n *node) (tiling.Pair, error) {
	if n.kind != sequence || len(n.items) != 2 {
		return tiling.Pair{}, n.errorf("bad pair of colours, want [colour of a piece, colour of the board]")
	}
	var pair [2]int
	for i, item := range n.items {
		name, err := item.word("a colour")
		if err != nil {
			return tiling.Pair{}, err
		}
		k := slices.Index(c.words, name)
		if k < 0 {
			return tiling.Pair{}, item.errorf("unknown colour %s, %s", wording.Quote(name), meant(name, wording.List(c.words), c.words))
		}
		pair[i] = k + 1
	}
	return tiling.Pair{Piece: pair[0], Board: pair[1]}, nil
}
