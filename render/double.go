package render

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// loops are two tilings by pieces of two cells, one over the other (double dimers). From each cell a
// placement of the first tiling leads to a cell, and one of the second leads on, so the placements are
// loops, and pairs of equal placements. Where tilings leave cells empty, there are paths too.
//
//	┌───┬───────┐   ┌───────┬───┐       ┌───────┐
//	│   │       │   │       │   │       │ ● ─ ● │ ●
//	│   ├───────┤   ├───────┤   │       │ │   │ │ │    a loop of 4 cells, a pair
//	│   │       │   │       │   │       │ ● ─ ● │ ●
//	└───┴───────┘   └───────┴───┘       └───────┘
type loops struct {
	of    []int   // by cell of the board: its loop; the number of loops if it is in none
	cells [][]int // by loop, the longest first: its cells, each one leads to the next
	open  []bool  // by loop: the last cell does not lead to the first
	pairs [][2]int
}

// newLoops lays one tiling over another.
func newLoops(board int, first, second []tiling.Placement) (*loops, error) {
	const none = -1
	var next [2][]int // by tiling and cell: the other cell of its placement
	for k, t := range [2][]tiling.Placement{first, second} {
		next[k] = slices.Repeat([]int{none}, board)
		for _, pl := range t {
			if len(pl.Cells) != 2 {
				return nil, fmt.Errorf("%w: no loops: a piece has %s, want pieces of two cells", ErrInvalid, wording.Plural(len(pl.Cells), "cell"))
			}
			next[k][pl.Cells[0]], next[k][pl.Cells[1]] = pl.Cells[1], pl.Cells[0]
		}
	}
	l, met := new(loops), make([]bool, board)
	follow := func(at, by int, open bool) {
		var cells []int
		for ; at != none && !met[at]; at, by = next[by][at], 1-by {
			met[at] = true
			cells = append(cells, at)
		}
		l.cells, l.open = append(l.cells, cells), append(l.open, open)
	}
	for c := range board {
		if a, b := next[0][c], next[1][c]; !met[c] && (a == none) != (b == none) {
			follow(c, map[bool]int{false: 0, true: 1}[a == none], true)
		}
	}
	for c := range board {
		switch a, b := next[0][c], next[1][c]; {
		case met[c] || a == none:
		case a == b:
			met[c], met[a] = true, true
			l.pairs = append(l.pairs, [2]int{c, a})
		default:
			follow(c, 0, false)
		}
	}
	l.sort(board)
	return l, nil
}

// sort puts the longest loop first, of equally long ones the loop with the first cell.
func (l *loops) sort(board int) {
	order := make([]int, len(l.cells))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(len(l.cells[b])-len(l.cells[a]), l.cells[a][0]-l.cells[b][0])
	})
	cells, open := l.cells, l.open
	l.cells, l.open, l.of = make([][]int, len(cells)), make([]bool, len(cells)), slices.Repeat([]int{len(cells)}, board)
	for k, old := range order {
		l.cells[k], l.open[k] = cells[old], open[old]
		for _, c := range l.cells[k] {
			l.of[c] = k
		}
	}
}

// colours returns the colour of each loop and, last, the colour of all pairs. The longest loop has the
// full tone of a hue, shorter ones have paler tones.
func (l *loops) colours() []pen.Colour {
	strong := slices.DeleteFunc(slices.Clone(hues[:]), func(c pen.Colour) bool { return c.Contrast(pen.White) < 2.5 })
	all := make([]pen.Colour, len(l.cells)+1)
	for k, cells := range l.cells {
		short := 1 - math.Log(float64(len(cells)))/math.Log(float64(len(l.cells[0])))
		all[k] = strong[k%len(strong)].Mix(pen.White, 0.75*short)
	}
	all[len(l.cells)] = faint
	return all
}

// faint is the colour of equal placements of two tilings.
var faint = pen.Colour{0xdc, 0xdc, 0xe2}

// describe describes the picture of loops in words.
func (l *loops) describe(s *scene) string {
	text := fmt.Sprintf("Two tilings of %s, one over the other: %s", s.describeBoard(), wording.Plural(len(l.cells), "loop"))
	if len(l.cells) > 0 {
		text += fmt.Sprintf(", the longest of %d cells", len(l.cells[0]))
	}
	return text + fmt.Sprintf("; %s in both.", wording.Plural(len(l.pairs), "placement"))
}

// double makes the scene of two tilings, one over the other.
func (o PictureOptions) double(p *tiling.Puzzle, first, second []tiling.Placement) (*scene, error) {
	if o.Heights || o.ColorBy != "" || o.Label.some() {
		return nil, fmt.Errorf("%w: loops of two tilings have no heights, no labels and colours of their own", ErrInvalid)
	}
	s, err := o.scene(p, second)
	if err != nil {
		return nil, err
	}
	if s.stacked() || s.beyond != nil {
		return nil, fmt.Errorf("%w: no loops: want a flat board that does not wrap", ErrInvalid)
	}
	if err := s.place(first); err != nil {
		return nil, err
	}
	s.loops, err = newLoops(len(p.Board.Cells), first, second)
	return s, err
}

// double draws the loops: as lines from cell to cell, or in cells of few pixels as areas.
func (d *drawing) double(s *scene) {
	x, y := d.scale(s)
	x, y = x/fine, y/fine
	colours := s.loops.colours()
	if d.tiny() {
		for i, c := range s.puzzle.Board.Cells {
			d.spot(s, c, colours[s.loops.of[i]])
		}
		return
	}
	_, rim, _ := s.layerEdges(0)
	d.path(rim, x*fine, y*fine, pen.Path{Fill: &pen.White, Line: thin * d.side})
	line := d.room(s) * 0.6
	middles := func(cells []int) []point {
		var all []point
		for _, c := range cells {
			all = append(all, middle(s.lattice.Outline(s.puzzle.Board.Cells[c])))
		}
		return all
	}
	// Many lines in one path, but not all: a path of a PNG has its corners in memory.
	for some := range slices.Chunk(s.loops.pairs, 1024) {
		var lines [][]point
		for _, pair := range some {
			lines = append(lines, middles(pair[:]))
		}
		d.trail(lines, x, y, pen.Path{Open: true, Line: line, Stroke: &faint})
	}
	for k, cells := range slices.Backward(s.loops.cells) {
		way := middles(cells)
		if !s.loops.open[k] {
			way = bends(way)
		}
		d.trail([][]point{way}, x, y, pen.Path{
			Open: s.loops.open[k], Bare: true, Line: line, Stroke: &colours[k], Title: "loop of " + wording.Plural(len(cells), "cell"),
		})
	}
}
