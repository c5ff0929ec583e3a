package render

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/pavage/pavage/tiling"
)

// frame is how much room a board's picture takes, in pixels: the stack of a
// cube board and then its layers, in rows.
type frame struct {
	width, height float64
	stack         stackFrame // nothing on a square board
	layerWidth    float64    // with the gap after it
	layerHeight   float64    // with its caption
	across, down  int        // layers in a row, rows of layers
}

// stacked reports whether there is more to a board than one flat layer.
func (s *scene) stacked() bool {
	return s.puzzle.Board.Lattice == tiling.Cube || s.layers() > 1
}

// frameOf lays out the picture of one tiling; it is the same for all tilings
// of a board. Layers go into as many columns as make their picture about
// three times as wide as high, and the rows equally long if they can be.
func (d *drawing) frameOf(s *scene) frame {
	width, height := float64(s.columns())*d.cell(), float64(s.rows())*d.cell()
	if !s.stacked() {
		return frame{width: width, height: height, across: 1, down: 1}
	}
	f := frame{stack: d.stackFrame(s), layerWidth: width + d.cell(), layerHeight: height + d.cell()}
	across := min(s.layers(), squarest(3*s.layers(), f.layerWidth, f.layerHeight))
	f.down = (s.layers() + across - 1) / across
	f.across = (s.layers() + f.down - 1) / f.down
	f.width = f.stack.width + d.cell() + float64(f.across)*f.layerWidth - d.cell()
	f.height = math.Max(f.stack.height, float64(f.down)*f.layerHeight)
	return f
}

// picture draws a scene into its frame.
func (d *drawing) picture(s *scene, f frame) {
	colours := s.paint()
	if !s.stacked() {
		d.layer(s, 0, colours)
		return
	}
	d.group("stack", f.stack.originX, f.stack.originY+(f.height-f.stack.height)/2)
	d.stack(s, colours)
	d.closeGroup()
	left := f.stack.width + d.cell()
	top := (f.height - float64(f.down)*f.layerHeight) / 2
	for layer := range s.layers() {
		x, y := float64(layer%f.across)*f.layerWidth, float64(layer/f.across)*f.layerHeight
		d.group(fmt.Sprintf("layer %d", layer), left+x, top+y)
		d.layer(s, layer, colours)
		d.text((f.layerWidth-d.cell())/2, f.layerHeight-d.cell()*0.6, d.cell()*0.36, black, fmt.Sprintf("layer %d", layer))
		d.closeGroup()
	}
}

// layer draws one layer: the emptiness first, so that the lines around the
// placements lie over it, then the placements, then what stands on them.
func (d *drawing) layer(s *scene, layer int, colours []colour) {
	edges, rim, dots := s.layerEdges(layer)
	d.printf("<g %s>\n", d.stroke(s.lineWidth()))
	for _, k := range slices.Backward(slices.Sorted(maps.Keys(edges))) {
		fill := fmt.Sprintf(`fill="%s"`, s.fill(k, colours).hex())
		d.path(trace(edges[k]), d.cell(), d.cell(), fill, s.nameOf(k))
	}
	d.closeGroup()
	if s.boardOnly() && len(rim) > 0 {
		d.path(trace(rim), d.cell(), d.cell(), `fill="none" `+d.stroke(thick), "")
	}
	d.dots(dots)
	if d.options.Letters {
		d.letters(s, layer, colours)
	}
}

// layerEdges returns the borders in a layer as directed edges, by the owner
// whose border they are (all cells of a bare board under empty), those that
// the board itself has, and the middles of its dotted cells in half cells.
func (s *scene) layerEdges(layer int) (edges map[int][]edge, rim []edge, dots []point) {
	edges = make(map[int][]edge)
	for c := range s.cells(layer) {
		if s.dot(c) {
			dots = append(dots, point{2*c[2] + 1, 2*c[1] + 1})
		}
		owner := min(s.at(c), s.empty())
		for k, side := range sides(point{c[2], c[1]}) {
			beyond := plus(c, around[k])
			if s.border(c, beyond) {
				edges[owner] = append(edges[owner], side)
			}
			if s.at(beyond) == hole {
				rim = append(rim, side)
			}
		}
	}
	return edges, rim, dots
}

// lineWidth is the width of a layer's lines: those of a bare board are a grid.
func (s *scene) lineWidth() float64 {
	if s.boardOnly() {
		return thin
	}
	return thick
}

// sides are the edges of the square whose top left corner is p, in the order
// of around: north, east, south, west.
func sides(p point) [4]edge {
	nw, ne, se, sw := p, point{p.x + 1, p.y}, point{p.x + 1, p.y + 1}, point{p.x, p.y + 1}
	return [4]edge{{nw, ne}, {ne, se}, {se, sw}, {sw, nw}}
}

// fill is the colour of a placement, or of what no placement owns.
func (s *scene) fill(k int, colours []colour) colour {
	if k < len(colours) {
		return colours[k]
	}
	return bare
}

// nameOf is the name of a placement's piece, or none.
func (s *scene) nameOf(k int) string {
	if k < len(s.placements) {
		return s.puzzle.Pieces[s.placements[k].Piece].Name
	}
	return ""
}

// dots marks cells, all in one path: a line of no length has round ends.
func (d *drawing) dots(at []point) {
	if len(at) == 0 {
		return
	}
	d.printf(`<path d="`)
	for _, p := range at {
		d.printf("M%s %sh0", number(float64(p.x)*d.cell()/2), number(float64(p.y)*d.cell()/2))
	}
	d.printf("\" stroke=\"#8a8a94\" stroke-width=\"%s\"/>\n", number(d.cell()*0.16))
}

// letters writes the label of each part of a layer at its anchor.
func (d *drawing) letters(s *scene, layer int, colours []colour) {
	for _, p := range s.parts(layer) {
		y, x := p.anchor()
		label := d.labels[s.placements[p.placement].Piece]
		size := d.cell() * 0.5 / math.Sqrt(float64(len([]rune(label))))
		d.text(float64(x)*d.cell()/2, float64(y)*d.cell()/2, size, colours[p.placement].legible(), label)
	}
}
