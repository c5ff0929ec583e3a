package render

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// Names, colours and digits are drawn on cells in this way:
//
//	board alone    names, and tints for the colours; in text, colours are letters
//	tiling         names of the cells that no placement covers; the digits of a piece, in
//	               place of its label; in pictures, small dots for the colours of cells
//
// Places off the board that have names, such as today's date in a calendar, are drawn as cells.

// textOf returns at most width characters for a cell: its digit, name, clue or colour.
func (s *scene) textOf(c tiling.Cell, width int, labels []string) string {
	if s.placed(c) {
		return s.mark(c)
	}
	if name := fitted(s.puzzle.Board.Names[c], width); name != "" {
		return name
	}
	text, dot := "", ""
	if i := s.boardCell(c); i >= 0 && s.colour(i) > 0 {
		text = s.colourLabels[s.colour(i)-1]
	}
	if s.at(c) != hole && s.dot(c) {
		dot = "·"
	}
	if clue := cmp.Or(s.clueOf(c, labels), s.sumOf(c)); clue != "" && utf8.RuneCountInString(clue+dot) <= width {
		text = clue
	}
	return text + dot
}

func fitted(name string, width int) string {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r >= 0x1100 || !unicode.IsPrint(r) || unicode.IsMark(r) }) {
		return ""
	}
	runes := []rune(name)
	return string(runes[:min(width, len(runes))])
}

func (s *scene) coloured(layer int) map[int][]tiling.Cell {
	cells := map[int][]tiling.Cell{}
	for i, k := range s.puzzle.Board.Colours {
		if c := s.puzzle.Board.Cells[i]; k > 0 && c[0] == layer {
			cells[k] = append(cells[k], c)
		}
	}
	return cells
}

func (s *scene) tint(colour int) pen.Colour {
	return s.named(colour).Mix(pen.White, 0.45)
}

func (s *scene) corner(c tiling.Cell) pen.Point {
	outline := s.lattice.Outline(c)
	m, first := middle(outline), pointOf(outline[0])
	share := 0.66
	if len(outline) == 3 {
		share = 0.5 // triangles are narrow at their corners
	}
	x, y := float64(m.x)/fine, float64(m.y)/fine
	return pen.Point{X: x + share*(float64(first.x)-x), Y: y + share*(float64(first.y)-y)}
}

func (d *drawing) cellNames(s *scene, layer int, x, y float64, colours []pen.Colour) {
	room := d.room(s)
	write := func(c tiling.Cell, back pen.Colour) {
		name := s.puzzle.Board.Names[c]
		if s.placed(c) {
			name = ""
		}
		name = strings.TrimSpace(name + " " + s.clueOf(c, d.labels))
		if c[0] != layer || name == "" {
			return
		}
		n := float64(len([]rune(name)))
		m := middle(s.lattice.Outline(c))
		d.text(float64(m.x)*x/fine, float64(m.y)*y/fine, math.Min(0.8*room, 2.6*room/n), back.Legible(), name)
	}
	for _, c := range s.openPlaces {
		write(c, pen.White)
	}
	if len(s.puzzle.Board.Names) == len(s.openPlaces) && s.clues == nil {
		return
	}
	for _, c := range s.puzzle.Board.Cells {
		write(c, s.back(c, colours))
	}
}

func (d *drawing) digits(s *scene, layer int, x, y float64, colours []pen.Colour) {
	if s.marks == nil || s.loops != nil {
		return
	}
	room := d.room(s)
	for c := range s.cells(layer) {
		if mark := s.mark(c); mark != "" {
			m := middle(s.lattice.Outline(c))
			d.text(float64(m.x)*x/fine, float64(m.y)*y/fine, 0.8*room, colours[s.at(c)].Legible(), mark)
		}
	}
}

const (
	wallWidth = 0.14
	linkWidth = 0.12
	cageWidth = 0.03
	cageInset = 0.1 // distance from the border of a region to its dashed outline
	sumSize   = 0.28
	sumInset  = 0.05 // distance from a sum to the sides of its cell
)

// clueLines draws regions, outlines of given placements, walls and links.
//
//	A link is two half bars. Each half goes from   ┌───┬───┐
//	the side into one of the cells. At a seam,     │  ═│═  │
//	the two halves are at different borders.       └───┴───┘
func (d *drawing) clueLines(s *scene, layer int) {
	x, y := d.scale(s)
	if r := s.clues.regions; r != nil {
		edges, _, _ := r.layerEdges(layer)
		for k := range r.placements {
			if len(r.placements[k].Cells) == 1 {
				continue // a region of one cell shows only its sum
			}
			cage := pen.Path{Bare: true, Cut: true, Line: cageWidth * d.side, Title: r.nameOf(k)}
			for _, corners := range trace(edges[k]) {
				cage.Outlines = append(cage.Outlines, inset(corners, x, y, cageInset*d.side))
			}
			if cage.Outlines != nil {
				d.Path(cage)
			}
		}
	}
	lines := func(width float64, is func(side) bool) {
		d.trail(chains(s.sidesWhere(layer, is)), x, y, pen.Path{Open: true, Line: width * d.side})
	}
	isGiven := func(owner int) bool { return owner >= 0 && owner < s.empty() }
	lines(thick, func(e side) bool {
		a, b := s.ownerAt(e.a), s.ownerAt(e.b)
		return a != b && (isGiven(a) || isGiven(b))
	})
	lines(wallWidth, func(e side) bool { return s.clues.pair(e) == wall })
	links := pen.Path{Open: true, Line: linkWidth * d.side}
	for c := range s.cells(layer) {
		outline := s.lattice.Outline(c)
		m := middle(outline)
		for k, step := range s.sideSteps(c) {
			if s.clues.pair(s.side(c, c.Plus(step))) == link {
				from := between(outline[k], outline[(k+1)%len(outline)])
				to := point{3*from.x + 2*m.x, 3*from.y + 2*m.y} // 5·(from + (m-from)·2/5)
				links.Outlines = append(links.Outlines, []pen.Point{
					{X: float64(from.x) * x / fine, Y: float64(from.y) * y / fine},
					{X: float64(to.x) * x / (5 * fine), Y: float64(to.y) * y / (5 * fine)},
				})
			}
		}
	}
	if links.Outlines != nil {
		d.Path(links)
	}
	d.upright(s, layer)
}

// upright draws walls and links between cells of two layers:
//
//	▲  a link with the cell above      ─  a wall to the cell above: a white
//	▼  a link with the cell below      △  triangle below a line
func (d *drawing) upright(s *scene, layer int) {
	x, y := d.scale(s)
	size := 0.2 * d.side
	for c := range s.cells(layer) {
		m := middle(s.lattice.Outline(c))
		steps := s.lattice.Steps(c)
		for _, step := range steps[len(steps)-s.upright:] {
			clue := s.clues.pair(s.side(c, c.Plus(step)))
			if clue == noPair {
				continue
			}
			up := float64(-step[0])
			tip := pen.Point{X: float64(m.x)*x/fine + float64(0.28*d.side), Y: float64(m.y)*y/fine + float64(0.36*d.side*up)}
			foot := tip.Y - float64(size*up)
			arrow := pen.Path{
				Outlines: [][]pen.Point{{tip, {X: tip.X + size/2, Y: foot}, {X: tip.X - size/2, Y: foot}}},
				Fill:     &pen.Ink, Line: thin * d.side,
			}
			if clue == wall {
				arrow.Fill = &pen.White
				d.strokes(thick*d.side, pen.Ink, [2]pen.Point{{X: tip.X - size/2, Y: tip.Y}, {X: tip.X + size/2, Y: tip.Y}})
			}
			d.Path(arrow)
		}
	}
}

func (d *drawing) clueTexts(s *scene, layer int, colours []pen.Colour) {
	for c := range s.cells(layer) {
		sum := s.sumOf(c)
		if sum == "" || s.inMiddle(c) {
			continue
		}
		letters := float64(utf8.RuneCountInString(sum))
		size := min(sumSize*d.side, 1.3*d.room(s)/(letterWidth*letters))
		box, back := d.boxIn(s, c, max(1, letterWidth*letters)*size, size), s.back(c, colours)
		d.Path(pen.Path{Outlines: [][]pen.Point{box}, Fill: &back, Crisp: true})
		d.text((box[0].X+box[2].X)/2, (box[0].Y+box[2].Y)/2, size, back.Legible(), sum)
	}
}

// boxIn returns a box of a given size in a cell: near the top left if it fits, else in the middle.
func (d *drawing) boxIn(s *scene, c tiling.Cell, width, height float64) []pen.Point {
	x, y := d.scale(s)
	box := func(left, top float64) []pen.Point {
		return []pen.Point{{X: left, Y: top}, {X: left + width, Y: top}, {X: left + width, Y: top + height}, {X: left, Y: top + height}}
	}
	var corners []point
	for _, corner := range s.lattice.Outline(c) {
		corners = append(corners, pointOf(corner))
	}
	cell := inset(corners, x, y, sumInset*d.side)
	least, most := cell[0], cell[0]
	for _, p := range cell {
		least = pen.Point{X: min(least.X, p.X), Y: min(least.Y, p.Y)}
		most = pen.Point{X: max(most.X, p.X), Y: max(most.Y, p.Y)}
	}
	const steps = 32
	isOutside := func(p pen.Point) bool { return !isInside(p, cell) }
	for down := range steps + 1 {
		for right := range steps + 1 {
			tried := box(least.X+(most.X-least.X-width)*float64(right)/steps, least.Y+(most.Y-least.Y-height)*float64(down)/steps)
			if !slices.ContainsFunc(tried, isOutside) {
				return tried
			}
		}
	}
	m := middle(s.lattice.Outline(c))
	return box(float64(m.x)*x/fine-width/2, float64(m.y)*y/fine-height/2)
}

// isInside reports whether p is inside a clockwise convex outline, up to a rounding error.
func isInside(p pen.Point, outline []pen.Point) bool {
	for k, a := range outline {
		b := outline[(k+1)%len(outline)]
		if float64((b.X-a.X)*(p.Y-a.Y))-float64((b.Y-a.Y)*(p.X-a.X)) < -1e-6 {
			return false
		}
	}
	return true
}

func (s *scene) back(c tiling.Cell, colours []pen.Colour) pen.Colour {
	if i := s.boardCell(c); i >= 0 && s.colour(i) > 0 {
		return s.tint(s.colour(i))
	}
	return s.fill(s.at(c), colours)
}

// inset scales a clockwise outline, and then moves each side inwards by the given distance.
func inset(corners []point, scaleX, scaleY, by float64) []pen.Point {
	n := len(corners)
	outline, inwards := make([]pen.Point, n), make([]pen.Point, n) // inwards[k] is for the side that ends at corner k
	for k, c := range corners {
		outline[k] = pen.Point{X: float64(c.x) * scaleX, Y: float64(c.y) * scaleY}
	}
	for k, to := range outline {
		from := outline[(k+n-1)%n]
		length := math.Hypot(to.X-from.X, to.Y-from.Y)
		inwards[k] = pen.Point{X: (from.Y - to.Y) / length, Y: (to.X - from.X) / length}
	}
	for k := range outline {
		a, b := inwards[k], inwards[(k+1)%n]
		share := by / (1 + float64(a.X*b.X) + float64(a.Y*b.Y))
		outline[k].X += float64(share * (a.X + b.X))
		outline[k].Y += float64(share * (a.Y + b.Y))
	}
	return outline
}

var named = map[string]pen.Colour{
	"white": pen.White, "black": pen.Black,
	"grey": {0x80, 0x80, 0x80}, "gray": {0x80, 0x80, 0x80},
	"light": {0xe6, 0xe6, 0xe6}, "dark": {0x40, 0x40, 0x40},
	"red": {0xd6, 0x27, 0x28}, "green": {0x2c, 0xa0, 0x2c}, "blue": {0x1f, 0x6f, 0xd4},
	"yellow": {0xff, 0xe0, 0x26}, "orange": {0xff, 0x8c, 0x1a}, "purple": {0x80, 0x3c, 0xb4},
	"violet": {0x80, 0x3c, 0xb4}, "pink": {0xff, 0x9e, 0xc6}, "brown": {0x8c, 0x56, 0x3b},
	"cyan": {0x17, 0xbe, 0xcf}, "magenta": {0xd6, 0x27, 0xb4},
}

func (s *scene) named(colour int) pen.Colour {
	if c, known := named[s.puzzle.Colours[colour-1]]; known {
		return c
	}
	return numbered(colour - 1)
}
