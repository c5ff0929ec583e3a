package render

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// Paper is a size of paper, in portrait format: "a4" or "letter".
type Paper string

const (
	a4          = "a4"
	letterPaper = "letter"
)

// Choices returns the values of a Paper.
func (Paper) Choices() []string { return []string{a4, letterPaper} }

// paperSizes has widths and heights in millimetres.
var paperSizes = map[Paper][2]float64{a4: {210, 297}, letterPaper: {215.9, 279.4}}

// Lengths in millimetres. Most printers can print up to 10 mm from the edge.
const (
	paperMargin = 10.0
	paperGap    = 5.0
	paperLine   = 0.25
	handyCell   = 20.0 // default side of a cell, if there is room
	leastCell   = 2.0
	titleHeight = 8.0 // height of a line of text above the first page
)

// maxCutouts is the largest number of pieces on paper or on a plate, with all copies.
const maxCutouts = 1000

// Cutouts is a set of sheets of paper, to be cut, with the board and all copies of all pieces.
//
//	┌────────────────┐  ┌────────────────┐
//	│ ┌───────────┐  │  │ ╭┄┄┄┄┄╮ ╭┄╮    │
//	│ │  board    │  │  │ ╰┄┄┄┄┄╯ ┊ ╰┄┄╮ │
//	│ └───────────┘  │  │ ╭┄┄┄╮   ╰┄┄┄┄╯ │
//	│ ╭┄┄┄┄╮ ╭┄┄┄┄╮  │  │ ┊   ┊          │
//	│ ╰┄┄┄┄╯ ╰┄┄┄┄╯  │  │ ╰┄┄┄╯          │
//	└────────────────┘  └────────────────┘
type Cutouts struct {
	puzzle  *tiling.Puzzle
	options PictureOptions
	paper   [2]float64
	side    float64 // side of a cell, in millimetres
	pages   [][]figure
}

// NewCutouts lays out the sheets. Cells are o.Cell millimetres wide; 0 means 20 mm, or less if
// there is no room. A piece has Max copies, or fewer if Max copies have more cells than the board.
func NewCutouts(p *tiling.Puzzle, paper Paper, o PictureOptions) (*Cutouts, error) {
	cell := o.Cell
	o, err := o.checked()
	if err != nil {
		return nil, err
	}
	size, known := paperSizes[paper]
	if !known {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, checkChoice("paper", paper))
	}
	board, err := puzzleScene(p)
	if err != nil {
		return nil, err
	}
	if board.stacked() {
		return nil, fmt.Errorf("%w: the puzzle is solid, but only flat puzzles can be cut out of paper", ErrInvalid)
	}
	copies, err := copiesOf(p)
	if err != nil {
		return nil, err
	}
	things := []figure{{scene: board}}
	for k, piece := range p.Pieces {
		s, err := pieceScene(p, k, piece)
		if err != nil {
			return nil, err
		}
		for range copies[k] {
			things = append(things, figure{scene: s})
		}
	}
	c := &Cutouts{puzzle: p, options: o, paper: size}
	wanted := float64(cell)
	most := math.Inf(1)
	unit := &drawing{side: 1}
	for _, t := range things {
		f := unit.frameOf(t.scene)
		most = min(most, (c.paper[0]-2*paperMargin)/f.width, (c.paper[1]-2*paperMargin-titleHeight)/f.height)
	}
	switch c.side = wanted; {
	case wanted > most:
		return nil, fmt.Errorf("%w: cells with sides of %.0f mm do not fit on the paper, expected cells of at most %.1f mm", ErrInvalid, wanted, math.Floor(most*10)/10)
	case wanted == 0:
		c.side = min(handyCell, math.Floor(most*10)/10)
	}
	if c.side < leastCell {
		return nil, fmt.Errorf("%w: the paper is too small: cells would have sides of %.1f mm, expected cells of at least %.0f mm", ErrInvalid, c.side, leastCell)
	}
	slices.SortStableFunc(things[1:], func(a, b figure) int { return cmp.Compare(b.rows(), a.rows()) }) // rows of equal heights save paper
	d := &drawing{side: c.side}
	var page []figure
	x, y, tall := paperMargin, paperMargin+titleHeight, 0.0
	for k, t := range things {
		t.frame = d.frameOf(t.scene)
		// Thing 0 is the board, which has a row of its own.
		if x > paperMargin && (x+t.frame.width > c.paper[0]-paperMargin || k == 1) {
			x, y, tall = paperMargin, y+tall+paperGap, 0
		}
		if y > paperMargin && y+t.frame.height > c.paper[1]-paperMargin && len(page) > 0 {
			c.pages, page = append(c.pages, page), nil
			x, y, tall = paperMargin, paperMargin, 0
		}
		t.x, t.y = x, y
		page = append(page, t)
		x, tall = x+t.frame.width+paperGap, max(tall, t.frame.height)
	}
	c.pages = append(c.pages, page)
	return c, nil
}

func copiesOf(p *tiling.Puzzle) (copies []int, err error) {
	all := 0
	for _, piece := range p.Pieces {
		n := min(piece.Max, len(p.Board.Cells)/max(1, len(piece.Shape)))
		if all += n; all > maxCutouts {
			return nil, fmt.Errorf("%w: there are too many pieces for cutting or printing, expected at most %d pieces",
				ErrInvalid, maxCutouts)
		}
		copies = append(copies, n)
	}
	return copies, nil
}

// Pages returns the number of sheets, at least 1.
func (c *Cutouts) Pages() int { return len(c.pages) }

// Write writes one sheet, counted from 0.
func (c *Cutouts) Write(w io.Writer, page int) error {
	d := newDrawing(w, c.options, c.puzzle.Pieces)
	d.side, d.millimetres = c.side, true
	things := c.pages[page]
	text := fmt.Sprintf("Sheet %d of %d to cut out: %s.", page+1, len(c.pages), wording.Plural(len(things), "part"))
	if err := d.open(c.paper[0], c.paper[1], title(c.puzzle), text); err != nil {
		return err
	}
	if page == 0 {
		line := fmt.Sprintf("%s (a cell is %g mm wide)", title(c.puzzle), math.Round(c.side*10)/10)
		d.textFrom(paperMargin, paperMargin+2, 4, line)
	}
	for _, t := range things {
		d.group("", t.x+t.frame.origin[0], t.y+t.frame.origin[1])
		if t.boardOnly() {
			d.layer(t.scene, 0, t.scene.paint(d.options.ColorBy))
		} else {
			edges, _, _ := t.scene.layerEdges(0)
			x, y := d.scale(t.scene)
			colours := t.scene.paint(d.options.ColorBy)
			for k := range t.scene.placements {
				d.path(edges[k], x, y, pen.Path{Fill: &colours[k], Line: paperLine, Cut: true, Title: t.scene.nameOf(k)})
			}
			d.digits(t.scene, 0, x, y, colours)
			if d.options.Label.some() {
				d.letters(t.scene, 0, colours)
			}
		}
		d.CloseGroup()
	}
	return d.Close()
}
