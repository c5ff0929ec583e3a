package exchange

import (
	"slices"
	"strings"

	"github.com/pavage/pavage/tiling"
)

// colourLetters may stand for colours in the drawings of every lattice.
const colourLetters = "abcdefghijklmnpqrstuwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func isColour(c int) bool { return c > 0 }

// hasColour reports whether a cell has the colour.
func (p *puzzleWriter) hasColour(c int) bool {
	has := func(piece tiling.Piece) bool { return slices.Contains(piece.Colours, c) }
	return slices.Contains(p.Board.Colours, c) || slices.ContainsFunc(p.Pieces, has)
}

// colours writes the letters of the colours, those of the board as a pattern, and which pairs may
// meet.
func (p *puzzleWriter) colours() {
	if strings.TrimSpace(p.letters) == "" {
		return
	}
	var words entries
	for c, name := range p.Colours {
		if p.letters[c] != ' ' {
			words = append(words, entry{p.letters[c : c+1], name})
		}
	}
	if p.Board.Colours != nil {
		size := p.Board.Size
		for axis := range size {
			for d := 1; d < p.Board.Size[axis]; d++ {
				shorter := size
				shorter[axis] = d
				if p.repeated(shorter) != nil {
					size = shorter
					break
				}
			}
		}
		colours := p.repeated(size)
		layers := make([][]string, size[0])
		for l := range layers {
			for r := range size[1] {
				row := make([]byte, size[2])
				for c := range row {
					row[c] = p.mark("#", colours[tiling.Cell{l, r, c}])
				}
				layers[l] = append(layers[l], string(row))
			}
		}
		words = append(words, entry{"pattern", drawing(layers)})
	}
	p.put("colours", words, true)
	pairs, equal, used := [][]string{}, 0, 0
	for c := range p.letters {
		if p.letters[c] != ' ' {
			used++
		}
	}
	for _, pair := range p.Allow {
		if pair.Piece == pair.Board && p.letters[pair.Piece-1] != ' ' {
			equal++
		}
	}
	for _, pair := range p.Allow {
		known := p.letters[pair.Piece-1] != ' ' && p.letters[pair.Board-1] != ' '
		if known && (pair.Piece != pair.Board || equal < used) {
			pairs = append(pairs, []string{p.Colours[pair.Piece-1], p.Colours[pair.Board-1]})
		}
	}
	p.put("allow", pairs, equal == used && len(pairs) > 0)
	p.put("allow", entries{{"only", pairs}}, equal < used)
}

// repeated are the colours of a pattern of that size, nil if the board's do not repeat like that.
func (p *puzzleWriter) repeated(size [3]int) map[tiling.Cell]int {
	colours := map[tiling.Cell]int{}
	for i, c := range p.Board.Cells {
		at := tiling.Cell{c[0] % size[0], c[1] % size[1], c[2] % size[2]}
		if before, met := colours[at]; met && before != p.Board.Colours[i] {
			return nil
		}
		colours[at] = p.Board.Colours[i]
	}
	return colours
}

// mark is the letter of a colour, or the plain mark of a cell without one.
func (p *puzzleWriter) mark(plain string, colour int) byte {
	if colour > 0 {
		return p.letters[colour-1]
	}
	return plain[0]
}
