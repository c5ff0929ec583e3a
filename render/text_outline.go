package render

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/pavage/pavage/tiling"
)

type spot struct {
	y, x int
	arms uint8 // index in boxes of the lines that a side of a square adds here
}

// line has the characters of a side of a cell. For squares, char is the constant box.
type line struct {
	char  rune
	spots []spot
}

// floor is the character of a horizontal side of a triangle. The cell above gives its background.
const floor = '_'

// box stands for a character of boxes until all lines of that character are known.
const box = '+'

type sketch struct {
	sides  []line
	inside []spot
	label  spot
}

// sketchOf returns the characters of a cell. The corners of the cell determine its form:
//
//	┌───┬      square: a square every 2 lines and 4 columns
//	│   │
//	├───┼
//
//	 ╱ ╲       hexagon: a row of hexagons every 2 lines, and        ╱╲     ______   triangle: 3 lines
//	│   │      a hexagon every 4 columns                           ╱  ╲    ╲    ╱   for each row; a
//	 ╲ ╱                                                          ╱____╲    ╲  ╱    triangle every
//	                                                                         ╲╱     3 columns
func sketchOf(outline []tiling.Corner) (s sketch) {
	switch {
	case len(outline) == 4:
		x, y := 4*outline[0].X, 2*outline[0].Y
		across := func(y int) line {
			return line{box, []spot{{y, x, 4}, {y, x + 1, 5}, {y, x + 2, 5}, {y, x + 3, 5}, {y, x + 4, 1}}}
		}
		down := func(x int) line { return line{box, []spot{{y, x, 8}, {y + 1, x, 10}, {y + 2, x, 2}}} }
		return sketch{
			sides:  []line{across(y), down(x + 4), across(y + 2), down(x)},
			inside: []spot{{y: y + 1, x: x + 1}, {y: y + 1, x: x + 2}, {y: y + 1, x: x + 3}},
			label:  spot{y: y + 1, x: x + 2},
		}
	case len(outline) == 6:
		x, y := 2*outline[5].X, outline[0].Y/3*2
		side := func(char rune, dy, dx int) line { return line{char, []spot{{y: y + dy, x: x + dx}}} }
		return sketch{
			sides: []line{side('╲', 0, 3), side('│', 1, 4), side('╱', 2, 3), side('╲', 2, 1), side('│', 1, 0), side('╱', 0, 1)},
			inside: []spot{
				{y: y, x: x + 2}, {y: y + 1, x: x + 1}, {y: y + 1, x: x + 2}, {y: y + 1, x: x + 3}, {y: y + 2, x: x + 2},
			},
			label: spot{y: y + 1, x: x + 2},
		}
	case len(outline) == 3 && outline[0].Y == outline[1].Y:
		return sketchTriangle(3*outline[0].X, 3*outline[0].Y, false)
	case len(outline) == 3:
		return sketchTriangle(3*outline[2].X, 3*outline[0].Y, true)
	}
	return s
}

func sketchTriangle(x, y int, up bool) sketch {
	s := sketch{label: spot{y: y + 1, x: x + 2}}
	left, right, level := line{char: '╱'}, line{char: '╲'}, line{char: floor}
	bottom := y + 2
	if !up {
		left.char, right.char, bottom = right.char, left.char, y-1
	}
	for i := range 3 {
		wide := i // half of the columns between the sides
		if !up {
			wide = 2 - i
		}
		left.spots = append(left.spots, spot{y: y + i, x: x + 2 - wide})
		right.spots = append(right.spots, spot{y: y + i, x: x + 3 + wide})
		for k := x + 3 - wide; k <= x+2+wide; k++ {
			s.inside = append(s.inside, spot{y: y + i, x: k})
		}
	}
	for k := x; k <= x+5; k++ {
		level.spots = append(level.spots, spot{y: bottom, x: k})
	}
	s.sides = []line{right, level, left}
	if !up {
		s.sides = []line{level, right, left}
	}
	return s
}

// plan has the characters of each cell and each side of a layer, for all tilings.
type plan struct {
	canvas     canvas
	origin     spot // position of the first line and column of the canvas
	background canvas
	cells      []plannedCell
	sides      []plannedSide // floors first, since slanted sides are drawn over the ends of floors
}

type plannedCell struct {
	cell   tiling.Cell
	inside []spot // characters inside the cell; nil for an open place
	label  spot
}

type plannedSide struct {
	line
	side
}

func (d *drawer) planOf(layer int) *plan {
	if p := d.plans[layer]; p != nil {
		return p
	}
	p := &plan{}
	d.plans[layer] = p
	most := spot{y: 2 * d.rows(), x: 4 * d.columns()}
	var all, shades []spot
	var slanted []plannedSide
	for c := range d.cells(layer) {
		s := sketchOf(d.lattice.Outline(c))
		p.cells = append(p.cells, plannedCell{c, s.inside, s.label})
		all = append(all, s.spots()...)
		for k, step := range d.sideSteps(c) {
			n := c.Plus(step)
			if d.at(n) != hole && before(n, c) {
				continue // the side is already listed
			}
			if side := (plannedSide{s.sides[k], d.side(c, n)}); side.char == floor {
				p.sides = append(p.sides, side)
			} else {
				slanted = append(slanted, side)
			}
		}
	}
	p.sides = append(p.sides, slanted...)
	for _, c := range d.openPlaces {
		if c[0] == layer {
			s := sketchOf(d.lattice.Outline(c))
			p.cells = append(p.cells, plannedCell{cell: c, label: s.label})
			all = append(all, s.spots()...)
		}
	}
	for i, shaded := range d.shaded {
		if c := d.cell(i); shaded && c[0] == layer {
			shades = append(shades, sketchOf(d.lattice.Outline(c)).spots()...)
		}
	}
	if !d.squares && len(all) > 0 {
		p.origin, most = all[0], all[0]
		for _, s := range all {
			p.origin = spot{y: min(p.origin.y, s.y), x: min(p.origin.x, s.x)}
			most = spot{y: max(most.y, s.y), x: max(most.x, s.x)}
		}
	}
	lines, columns := most.y-p.origin.y+1, most.x-p.origin.x+1
	p.canvas = newCanvas(lines, columns)
	p.paint(shades, hole, shade)
	p.background, p.canvas = p.canvas, newCanvas(lines, columns)
	return p
}

func (s sketch) spots() []spot {
	all := slices.Clone(s.inside)
	for _, side := range s.sides {
		all = append(all, side.spots...)
	}
	return all
}

func (p *plan) at(s spot) *cellText { return &p.canvas[s.y-p.origin.y][s.x-p.origin.x] }

func (p *plan) paint(spots []spot, owner int, char rune) {
	for _, s := range spots {
		*p.at(s) = cellText{char: char, owner: owner}
	}
}

func (p *plan) letter(s spot, text string) {
	s.x -= (utf8.RuneCountInString(text) - 1) / 2
	for _, r := range text {
		p.at(s).char = r
		s.x++
	}
}

func (p *plan) draw(d *drawer) {
	for y, line := range p.background {
		copy(p.canvas[y], line)
	}
	for _, c := range p.cells {
		p.paint(c.inside, d.at(c.cell), ' ')
	}
	for _, s := range p.sides {
		if d.state(s.side) == openSide {
			p.paint(s.spots, d.ownerAt(s.a), ' ')
		}
	}
	for _, side := range p.sides {
		state := d.state(side.side)
		if state == openSide {
			continue
		}
		for _, s := range side.spots {
			at := p.at(s)
			switch at.char = side.char; {
			case side.char == box && state == lineSide:
				at.arms |= s.arms
			case side.char == box:
				at.arms |= s.arms << 4
			case state == seamSide:
				at.char = dashed[side.char]
			}
			if side.char != floor {
				at.owner = hole
			}
		}
	}
	for _, line := range p.canvas {
		for x := range line {
			if c := &line[x]; c.char == box {
				switch lines, seams := c.arms&0xf, c.arms>>4; {
				case lines == 0 && seams&^5 == 0: // seams only to the left or right
					c.char = dashed['─']
				case lines == 0 && seams&^10 == 0:
					c.char = dashed['│']
				default:
					c.char = boxes[lines|seams]
				}
				c.arms = 0
			}
		}
	}
}

var (
	walls = map[rune]rune{'─': '━', '│': '┃', '╱': '▞', '╲': '▚', floor: '▂'}
	links = map[rune]rune{'─': '╫', '│': '╪', '╱': '╳', '╲': '╳', floor: '╫'}
)

func (p *plan) drawClues(c *clues) {
	for _, s := range p.sides {
		inner := s.spots
		if s.char == box {
			inner = inner[1 : len(inner)-1] // the ends belong to other sides, too
		}
		change := func(spots []spot, to map[rune]rune) {
			for _, at := range spots {
				char := p.at(at).char
				for solid, seam := range dashed {
					if char == seam {
						char = solid
					}
				}
				p.at(at).char = cmp.Or(to[char], char)
			}
		}
		switch clue := c.pair(s.side); {
		case clue == wall:
			change(inner, walls)
		case clue == link:
			half := len(inner) / 2
			change(inner[half:half+1], links)
		case c.within(s.side):
			change(inner, dashed)
		}
	}
}
