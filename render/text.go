package render

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// TextOptions are the options for text.
type TextOptions struct {
	Color   bool // whether to write ANSI 24-bit backgrounds
	Letters bool // whether each placement shows the letter of its piece

	width int // width of all drawings side by side, in columns; 0 means 80
}

func (o TextOptions) columns() int { return cmp.Or(o.width, 80) }

// Text draws the placements t on p's board or, without placements, the board. Layers are side by
// side within 80 columns. Empty cells have a dot; on the board alone, optional cells have a dot.
// Holes within a layer are shaded. An error that is not about writing wraps ErrInvalid, and then
// nothing was written.
func Text(w io.Writer, p *tiling.Puzzle, t []tiling.Placement, o TextOptions) error {
	d, err := newDrawer(p, o)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := d.write(&out, t); err != nil {
		return err
	}
	_, err = out.WriteTo(w)
	return err
}

type textEncoder struct {
	puzzle  *tiling.Puzzle
	options TextOptions
	drawer  *drawer            // nil before the first tiling
	room    []tiling.Placement // memory for the method placed
}

func newTextEncoder(p *tiling.Puzzle, o Options) func() encoder {
	return func() encoder { return &textEncoder{puzzle: p, options: o.Text} }
}

func (e *textEncoder) encode(out buffer, number uint64, t Tiling) error {
	b := out.AvailableBuffer() // for the line above the tiling
	if number > 1 {
		b = append(b, '\n')
	}
	what := "tiling "
	switch {
	case t.Tree:
		what = "tree "
	case e.puzzle.Board == nil:
		what = "solution "
	}
	b = strconv.AppendUint(append(b, what...), number, 10)
	if t.Rank != nil {
		b = t.Rank.Append(append(b, ", rank "...), 10)
	}
	if t.SweepRank != nil {
		b = t.SweepRank.Append(append(b, ", sweep rank "...), 10)
	}
	if t.Weight != nil {
		b = append(append(b, ", weight "...), t.Weight.RatString()...)
	}
	out.Write(append(b, '\n'))
	if e.puzzle.Board == nil {
		for _, o := range t.Options {
			fmt.Fprintln(out, strings.Join(o, " "))
		}
		return nil
	}
	if t.Tree {
		return encodeTree(out, e.puzzle, t.placed(&e.room))
	}
	if e.drawer == nil {
		var err error
		if e.drawer, err = newDrawer(e.puzzle, e.options); err != nil {
			return err
		}
	}
	return e.drawer.write(out, t.placed(&e.room))
}

// drawer stores what does not depend on the placements.
type drawer struct {
	*scene
	options TextOptions
	squares bool
	wide    int // number of characters that fit in a cell
	labels  []string
	codes   []string // ANSI sequence of the colour of each placement
	// shaded marks enclosed holes, by layer, row, column.
	shaded  []bool
	plans   []*plan             // plan of each layer; nil before the first call of planOf
	letters map[string][]letter // places of the letters of a placement, by its cells
	key     []byte              // memory for a key of letters
	seen    []bool              // memory for lettersOf, by layer, row, column; false between its calls
	sgrs    map[pen.Colour]string
	shelf   []canvas   // layers side by side
	line    []cellText // memory for a line of the shelf
}

func newDrawer(p *tiling.Puzzle, o TextOptions) (*drawer, error) {
	s, err := boardScene(p)
	if err != nil {
		return nil, err
	}
	d := &drawer{scene: s, options: o, squares: s.grid(), wide: 3, sgrs: map[pen.Colour]string{}, letters: map[string][]letter{}, seen: make([]bool, len(s.owner))}
	if len(s.lattice.Outline(tiling.Cell{})) == 3 {
		d.wide = 2 // a triangle has less room for a label
	}
	d.labels = labels(s.puzzle.Pieces, d.wide)
	d.plans = make([]*plan, s.layers())
	// Shade the holes that cells of the same layer enclose. Such a hole may be part of a shaft
	// through all layers.
	for _, owner := range d.owner {
		d.shaded = append(d.shaded, owner == hole)
	}
	seen := make([]bool, len(d.owner))
	for i := range d.owner {
		c := d.cell(i)
		if atBorder := min(c[1], c[2]) == 0 || c[1] == d.rows()-1 || c[2] == d.columns()-1; atBorder && d.shaded[i] {
			for _, c := range d.spread(c, seen) {
				d.shaded[d.position(c)] = false
			}
		}
	}
	for _, c := range d.openPlaces {
		d.shaded[d.position(c)] = false // the name of the place is drawn there
	}
	return d, nil
}

// lettersShown reports whether placements have letters. Placements in a puzzle file always do.
func (d *drawer) lettersShown() bool { return d.options.Letters || d.clues != nil }

func (d *drawer) write(out buffer, t []tiling.Placement) error {
	lay := func() error { return d.place(t) }
	if len(t) == 0 {
		lay = d.placeGiven
	}
	if err := lay(); err != nil {
		return err
	}
	if d.options.Color {
		d.codes = d.codes[:0]
		for _, c := range d.paint("") {
			if d.sgrs[c] == "" {
				d.sgrs[c] = colourSGR(c)
			}
			d.codes = append(d.codes, d.sgrs[c])
		}
	}
	layers := make([]canvas, d.layers())
	for layer := range layers {
		layers[layer] = d.layer(layer)
	}
	if d.lettersShown() {
		for k, pl := range d.placements {
			if d.mark(d.puzzle.Board.Cells[pl.Cells[0]]) != "" {
				continue // the digits of the placement are there
			}
			for _, at := range d.lettersOf(k) {
				d.plans[at.layer].letter(at.at, d.labels[pl.Piece])
			}
		}
	}
	room := d.options.columns() + gap
	for layer, c := range layers {
		if d.layers() > 1 {
			text := fmt.Sprintf("layer %d", layer)
			above := newCanvas(1+len(c), max(len(c[0]), len(text)))
			for x, r := range text {
				above[0][x].char = r
			}
			for y, line := range c {
				copy(above[1+y], line)
			}
			c = above
		}
		width := len(c[0]) + gap
		if layer > 0 && width > room {
			d.writeShelf(out)
			out.WriteByte('\n')
			room = d.options.columns() + gap
		}
		d.shelf, room = append(d.shelf, c), room-width
	}
	d.writeShelf(out)
	d.writeLegend(out)
	return nil
}

func (d *drawer) writeShelf(out buffer) {
	height := len(d.shelf[0])
	for height > 0 && !slices.ContainsFunc(d.shelf, func(c canvas) bool { return !d.isBlank(c[height-1]) }) {
		height--
	}
	for y := range height {
		d.line = append(d.line[:0], d.shelf[0][y]...)
		for _, c := range d.shelf[1:] {
			d.line = append(append(d.line, blanks[:]...), c[y]...)
		}
		d.writeLine(out, d.line)
	}
	d.shelf = d.shelf[:0]
}

// cellText is a character of the terminal, and the owner that gives the background its colour.
type cellText struct {
	char  rune
	owner int
	arms  uint8 // directions as in boxes: of lines in the low four bits, of seams in the high ones
}

type canvas [][]cellText

func newCanvas(lines, columns int) canvas {
	c := make(canvas, lines)
	for y := range c {
		c[y] = slices.Repeat(blanks[:1], columns)
	}
	return c
}

var blanks = [gap]cellText{blank, blank, blank}

var blank = cellText{char: ' ', owner: hole}

func (d *drawer) layer(layer int) canvas {
	if !d.squares && d.boardOnly() && len(d.puzzle.Board.Names) == 0 && d.describeClues() == "" {
		rows := d.puzzle.Board.TypedWith(ColourLetters(d.puzzle, d.puzzle.Board.Colours))[layer]
		c := newCanvas(len(rows), len(rows[0]))
		for y, row := range rows {
			for x, r := range row {
				c[y][x].char = r
			}
		}
		return c
	}
	p := d.planOf(layer)
	p.draw(d)
	if d.clues != nil {
		p.drawClues(d.clues)
	}
	if len(d.covered) < len(d.puzzle.Board.Cells) || len(d.openPlaces) > 0 || d.marks != nil {
		for _, c := range p.cells {
			p.letter(c.label, d.textOf(c.cell, d.wide, d.labels))
		}
	}
	return p.canvas
}

// boxes has the box-drawing characters by the directions of lines: 1 left, 2 up, 4 right, 8 down.
var boxes = []rune(" ╴╵┘╶─└┴╷┐│┤┌┬├┼")

var dashed = map[rune]rune{'─': '┄', '│': '┊', '╱': '⋰', '╲': '⋱', floor: floor}

const shade = '░'

func (d *drawer) isBlank(line []cellText) bool {
	return !slices.ContainsFunc(line, func(c cellText) bool { return c.char != ' ' || d.sgr(c.owner) != plainSGR })
}

func (d *drawer) writeLine(out buffer, line []cellText) {
	for len(line) > 0 && d.isBlank(line[len(line)-1:]) {
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

const plainSGR = "\x1b[0m"

func (d *drawer) sgr(owner int) string {
	if owner < 0 || owner >= len(d.codes) {
		return plainSGR
	}
	return d.codes[owner]
}

func colourSGR(back pen.Colour) string {
	text := back.Legible()
	return fmt.Sprintf("\x1b[38;2;%.0f;%.0f;%.0f;48;2;%.0f;%.0f;%.0fm", text[0], text[1], text[2], back[0], back[1], back[2])
}

type letter struct {
	layer int
	at    spot
}

const mostLettered = 1 << 16

// lettersOf returns the places of letters of placement k. It does not visit all cells of the board.
func (d *drawer) lettersOf(k int) (all []letter) {
	pl := d.placements[k]
	d.key = d.key[:0]
	for _, c := range pl.Cells {
		d.key = binary.LittleEndian.AppendUint32(d.key, uint32(c))
	}
	if all, known := d.letters[string(d.key)]; known {
		return all
	}
	for _, i := range pl.Cells {
		if c := d.puzzle.Board.Cells[i]; !d.seen[d.position(c)] {
			p := part{k, d.spread(c, d.seen)}
			anchor := d.anchor(p, false)
			at := spot{y: 2 * anchor.y / fine, x: 4 * anchor.x / fine}
			if cells := d.planOf(c[0]).cells; !d.squares {
				nearest := d.nearest(p)
				at = cells[slices.IndexFunc(cells, func(c plannedCell) bool { return c.cell == nearest })].label
			}
			all = append(all, letter{c[0], at})
		}
	}
	for _, i := range pl.Cells {
		d.seen[d.position(d.puzzle.Board.Cells[i])] = false
	}
	if len(d.letters) == mostLettered {
		clear(d.letters)
	}
	d.letters[string(d.key)] = all
	return all
}

// legendLines is the largest number of pieces in a legend with one piece per line.
const legendLines = 4

func (d *drawer) writeLegend(out buffer) {
	if !d.lettersShown() {
		return
	}
	entries, wide, across := legend(d.puzzle.Pieces, d.labels, true, d.scene), 0, 1
	for _, e := range entries {
		wide = max(wide, legendWidth(e))
	}
	if len(entries) > legendLines {
		across = max(1, (d.options.columns()+gap)/(wide+gap))
	}
	for i, e := range entries {
		fmt.Fprintf(out, "%s  %s", e[0], e[1])
		if i%across == across-1 || i == len(entries)-1 {
			out.WriteByte('\n')
		} else {
			fmt.Fprintf(out, "%*s", wide+gap-legendWidth(e), "")
		}
	}
}
