package render

import (
	"bufio"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pavage/pavage/render/pen"
)

// writeShelf writes canvases of equal height side by side, without the lines
// at their end that are blank in all of them.
func (d *drawer) writeShelf(out *bufio.Writer, shelf []canvas) {
	height := len(shelf[0])
	for height > 0 && !slices.ContainsFunc(shelf, func(c canvas) bool { return !d.blank(c[height-1]) }) {
		height--
	}
	for y := range height {
		if len(shelf) == 1 {
			d.writeLine(out, shelf[0][y])
			continue
		}
		d.line = d.line[:0]
		for k, c := range shelf {
			if k > 0 {
				d.line = append(d.line, blanks[:]...)
			}
			d.line = append(d.line, c[y]...)
		}
		d.writeLine(out, d.line)
	}
}

// blank reports whether nothing would be seen of a line.
func (d *drawer) blank(line []cellText) bool {
	return !slices.ContainsFunc(line, func(c cellText) bool { return c.char != ' ' || d.sgr(c.owner) != plainSGR })
}

// writeLine writes a line without the blanks at its end, and switches colours
// where they change. Errors stay in the writer until it is flushed.
func (d *drawer) writeLine(out *bufio.Writer, line []cellText) {
	for len(line) > 0 && d.blank(line[len(line)-1:]) {
		line = line[:len(line)-1]
	}
	now := plainSGR
	for _, c := range line {
		if next := d.sgr(c.owner); next != now {
			out.WriteString(next)
			now = next
		}
		out.WriteRune(c.char)
	}
	if now != plainSGR {
		out.WriteString(plainSGR)
	}
	out.WriteByte('\n')
}

// plainSGR is the ANSI sequence that ends all colouring.
const plainSGR = "\x1b[0m"

// sgr returns the ANSI sequence for an owner's colour, if it has one.
func (d *drawer) sgr(owner int) string {
	if owner < 0 || owner >= len(d.codes) {
		return plainSGR
	}
	return d.codes[owner]
}

// sgrOf returns the ANSI sequence (ECMA-48, SGR) for a colour behind what can
// be read on it.
func (d *drawer) sgrOf(back pen.Colour) string {
	if code, known := d.sgrs[back]; known {
		return code
	}
	text := back.Legible()
	code := fmt.Sprintf("\x1b[38;2;%.0f;%.0f;%.0f;48;2;%.0f;%.0f;%.0fm", text[0], text[1], text[2], back[0], back[1], back[2])
	d.sgrs[back] = code
	return code
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
		l.text = d.appendLegend(l.text[:0], l.shown)
	}
	out.Write(l.text)
}

// appendLegend appends the legend of some pieces.
func (d *drawer) appendLegend(b []byte, pieces map[int]bool) []byte {
	entries := legend(d.puzzle.Pieces, d.labels, pieces)
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
	return b
}

// legendWidth is how many columns an entry of a legend takes.
func legendWidth(entry [2]string) int {
	return utf8.RuneCountInString(entry[0]) + 2 + utf8.RuneCountInString(entry[1])
}
