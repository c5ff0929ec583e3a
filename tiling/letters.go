package tiling

import (
	"slices"
	"strings"
)

// colourReader reads the colours of a puzzle: letters that stand for them in drawings, and
// the pattern that the board has where its drawing does not say. Without the key colours it
// is nil, and there are none.
//
//	colours: {w: white, b: black, pattern: wb/bw}      a chessboard of any size
type colourReader struct {
	keys    []*node // of the letters; colour k is that of keys[k-1]
	words   []string
	pattern *node
	place   *node
}

// names are those of the colours, nil if there are none.
func (c *colourReader) names() []string {
	if c == nil {
		return nil
	}
	return c.words
}

// letters are those that may stand in drawings on the lattice, whose marks they may not be.
func (c *colourReader) letters(l *Lattice) (string, error) {
	if c == nil {
		return "", nil
	}
	var b strings.Builder
	for _, k := range c.keys {
		if strings.Contains(l.boardMarks+l.shapeMarks, k.text) {
			return "", k.errorf("%q is a mark of drawings on the %s lattice, want another letter for the colour", k.text, l)
		}
		b.WriteString(k.text)
	}
	return b.String(), nil
}

// colour is the number of the colour of a letter, 0 for another mark.
func (c *colourReader) colour(mark byte) int {
	return 1 + slices.IndexFunc(c.keys, func(k *node) bool { return k.text[0] == mark })
}
