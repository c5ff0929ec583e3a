package render

import "github.com/pavage/pavage/tiling"

// grid says where the characters of an outlined layer come from. Four cells touch in each,
// some of them equal where it is not a corner; between two that differ is a side, which is
// shared by the characters along it. Which cells there are does not depend on the tiling:
//
//	nw │ ne      sides of a character: between nw and sw, nw and ne, ne and se, sw and se,
//	───┼───      as the bits of boxes have it
//	sw │ se
type grid struct {
	sides []side
	chars []gridChar // by line and column
	state []byte     // of the sides in the tiling under way
	// By first cell and direction, the index of a side, and 1; while the grid is made
	known []int32
}

// side lies between two places, the positions of which are as owners has them.
type side struct {
	a, b  int32
	seams bool // the board goes on elsewhere
}

// gridChar are the sides of a character, and the place that its colour is of.
type gridChar struct {
	sides  [4]int32 // indices; noSide where two cells are one
	nw     int32
	shaded bool
}

const noSide = -1

// The states of a side.
const (
	openSide = iota
	lineSide
	seamSide
)

// gridOf is the grid of a layer.
func (d *drawer) gridOf(layer int) *grid {
	if g := d.grids[layer]; g != nil {
		return g
	}
	g := &grid{known: make([]int32, 2*(d.rows()+2)*(d.columns()+2)), chars: make([]gridChar, 0, (2*d.rows()+1)*(4*d.columns()+1))}
	d.grids[layer] = g
	for y := range 2*d.rows() + 1 {
		for x := range 4*d.columns() + 1 {
			above, below := (y+1)/2-1, y/2
			left, right := (x+3)/4-1, x/4
			nw, ne := tiling.Cell{layer, above, left}, tiling.Cell{layer, above, right}
			sw, se := tiling.Cell{layer, below, left}, tiling.Cell{layer, below, right}
			c := gridChar{nw: d.placeOf(nw), shaded: d.inside(nw) && d.shaded[d.position(nw)]}
			for k, pair := range [4][2]tiling.Cell{{nw, sw}, {nw, ne}, {ne, se}, {sw, se}} {
				c.sides[k] = g.side(d, pair)
			}
			g.chars = append(g.chars, c)
		}
	}
	g.state, g.known = make([]byte, len(g.sides)), nil
	return g
}

// side is the index of the side between two cells, the second to the right of the first or
// below it.
func (g *grid) side(d *drawer, pair [2]tiling.Cell) int32 {
	a, b := pair[0], pair[1]
	if a == b {
		return noSide
	}
	k := &g.known[2*((a[1]+1)*(d.columns()+2)+a[2]+1)+b[1]-a[1]]
	if *k == 0 {
		x, y, seams := d.acrossPlaces(a, b)
		g.sides = append(g.sides, side{x, y, seams})
		*k = int32(len(g.sides))
	}
	return *k - 1
}

// draw draws the outlines of the tiling under way.
func (g *grid) draw(d *drawer, c canvas) {
	bare := d.boardOnly()
	for k, s := range g.sides {
		x, y := d.ownerAt(s.a), d.ownerAt(s.b)
		switch {
		case s.seams && (x == y || bare):
			g.state[k] = seamSide
		case x != y:
			g.state[k] = lineSide
		default:
			g.state[k] = openSide
		}
	}
	next := 0
	for _, line := range c {
		for x := range line {
			line[x] = g.char(d, &g.chars[next])
			next++
		}
	}
}

// char is what a place of the canvas shows of the outlines.
func (g *grid) char(d *drawer, c *gridChar) cellText {
	lines, seams := 0, 0
	for k, side := range c.sides {
		if side == noSide {
			continue
		}
		switch g.state[side] {
		case lineSide:
			lines |= 1 << k
		case seamSide:
			seams |= 1 << k
		}
	}
	switch {
	case lines == 0 && seams == seams&5 && seams > 0: // to the left and the right
		return cellText{dashed['─'], hole}
	case lines == 0 && seams == seams&10 && seams > 0:
		return cellText{dashed['│'], hole}
	case lines|seams > 0:
		return cellText{boxes[lines|seams], hole}
	case c.shaded:
		return cellText{shade, hole} // without lines all four are in one hole
	}
	return cellText{' ', d.ownerAt(c.nw)}
}
