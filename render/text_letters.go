package render

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"iter"
	"maps"
	"strings"
	"unicode/utf8"

	"github.com/pavage/pavage/tiling"
)

// lettering are the letters of placements. Where they go depends on the cells of a placement
// alone, so each is looked at once.
type lettering struct {
	known map[string][]letter // by the cells
	taken int                 // bytes of these, about
	key   []byte
	seen  []bool       // by layer, row, column: false, but for a moment
	by    [][]lettered // by layer, of the tiling under way; nil without letters
}

// lettered is a letter and its text.
type lettered struct {
	letter
	text string
}

// in are the letters of a layer.
func (l *lettering) in(layer int) []lettered {
	if l.by == nil {
		return nil
	}
	return l.by[layer]
}

// letter is the place of a part's letter.
type letter struct {
	layer int
	at    point       // the part's anchor
	cell  tiling.Cell // of the part, nearest to it
}

// mostLettered limits what is remembered of placements, in bytes.
const mostLettered = 8 << 20

// texts are what the cells and open places of a layer have that nothing covers.
func (d *drawer) texts(layer int) iter.Seq2[tiling.Cell, string] {
	return func(yield func(tiling.Cell, string) bool) {
		if len(d.covered) < len(d.puzzle.Board.Cells) {
			for c := range d.cells(layer) {
				if !yield(c, d.textOf(c, d.wide)) {
					return
				}
			}
		}
		for _, c := range d.openPlaces {
			if c[0] == layer && !yield(c, d.textOf(c, d.wide)) {
				return
			}
		}
	}
}

// lettersOf are the places of the letters of placement k.
func (d *drawer) lettersOf(k int) []letter {
	l := &d.letters
	l.key = l.key[:0]
	for _, c := range d.placements[k].Cells {
		l.key = binary.LittleEndian.AppendUint32(l.key, uint32(c))
	}
	if all, known := l.known[string(l.key)]; known {
		return all
	}
	all := d.findLetters(k)
	if l.taken += 100 + len(l.key) + 64*len(all); l.known == nil || l.taken > mostLettered {
		l.known, l.taken = map[string][]letter{}, 0
	}
	l.known[string(l.key)] = all
	return all
}

// findLetters finds the places of the letters of placement k. It takes time for its cells
// only, since a large board has many placements.
func (d *drawer) findLetters(k int) (all []letter) {
	l, pl := &d.letters, d.placements[k]
	if l.seen == nil {
		l.seen = make([]bool, len(d.owner))
	}
	n := d.rows() * d.columns()
	for _, i := range pl.Cells {
		c := d.puzzle.Board.Cells[i]
		layer := l.seen[c[0]*n : (c[0]+1)*n]
		if !layer[c[1]*d.columns()+c[2]] {
			p := part{k, d.spread(c, layer)}
			all = append(all, letter{c[0], d.anchor(p, false), d.nearest(p)})
		}
	}
	for _, i := range pl.Cells {
		l.seen[d.position(d.puzzle.Board.Cells[i])] = false
	}
	return all
}

// legendLines is the longest legend with a line for each piece; longer ones have
// several side by side.
const legendLines = 4

// legendText is the legend of some pieces, kept for the next tiling, which mostly has the same.
type legendText struct {
	shown map[int]bool
	next  map[int]bool
	text  []byte
}

// writeLegend says which piece each label in the picture stands for.
func (d *drawer) writeLegend(out *bufio.Writer) {
	if !d.options.Letters && !d.options.Compact {
		return
	}
	l := &d.legend
	if l.next == nil {
		l.next = map[int]bool{}
	}
	clear(l.next)
	shown(d.placements, l.next)
	if l.shown == nil || !maps.Equal(l.shown, l.next) {
		l.shown, l.next = l.next, l.shown
		b := l.text[:0]
		entries := legend(d.puzzle.Pieces, d.labels, l.shown)
		wide := 0
		for _, e := range entries {
			wide = max(wide, legendWidth(e))
		}
		across := 1
		if len(entries) > legendLines {
			across = max(1, (d.options.Width+gap)/(wide+gap))
		}
		for i, e := range entries {
			b = fmt.Appendf(b, "%s  %s", e[0], e[1])
			if i%across == across-1 || i == len(entries)-1 {
				b = append(b, '\n')
				continue
			}
			b = append(b, strings.Repeat(" ", wide+gap-legendWidth(e))...)
		}
		l.text = b
	}
	out.Write(l.text)
}

// legendWidth is how many columns an entry of a legend takes.
func legendWidth(entry [2]string) int {
	return utf8.RuneCountInString(entry[0]) + 2 + utf8.RuneCountInString(entry[1])
}
