package render

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// frame is the size of a drawn layer, stack or board, in units of the picture.
type frame struct {
	width, height float64
	origin        [2]float64 // the origin of the lattice, from the top left corner
}

// figure is a layer, a side or a piece, drawn beside other figures; on sheets, also the board.
type figure struct {
	*scene
	layer         int   // for a cube board, the layer to draw
	frame         frame // without the caption
	caption       string
	width, height float64 // with the caption
	x, y          float64
}

func (s *scene) stacked() bool {
	return s.lattice.Dimensions() == 3
}

// frameOf returns the frame of a scene. It is the same for all tilings of a board.
func (d *drawing) frameOf(s *scene) frame {
	f := d.layerBox(s)
	if s.stacked() {
		stack := d.stackFrame(s.lifted)
		_, width, height := d.beside(s)
		f.width, f.height = stack.width+width, math.Max(stack.height, height)
	}
	return f
}

// beside returns the parts of a picture beside the stack: the layers, the sides or nothing. The
// layers are in rows, which together are about three times as wide as high.
func (d *drawing) beside(s *scene) (parts []figure, width, height float64) {
	box := d.layerBox(s)
	x, y := box.width+d.side, box.height+d.side
	across := min(s.layers(), squarest(3*s.layers(), x, y))
	down := (s.layers() + across - 1) / across
	across = (s.layers() + down - 1) / down
	switch d.options.View {
	case stackView:
		return nil, 0, 0
	case sideView:
		return s.sideScenes(d.side), float64(s.columns()+2+s.rows()) * d.side, float64(s.rows()+s.layers()+2) * d.side
	}
	for layer := range s.layers() {
		parts = append(parts, figure{
			scene: s, layer: layer, caption: fmt.Sprintf("layer %d", layer), width: box.width, height: box.height,
			x: d.side + float64(float64(layer%across)*x), y: float64(layer/across) * y,
		})
	}
	return parts, float64(across) * x, float64(down) * y
}

func (d *drawing) layerBox(s *scene) frame {
	least, most := s.extent()
	x, y := d.scale(s)
	return frameAround(least, most, x, y)
}

func frameAround(least, most point, x, y float64) frame {
	return frame{width: float64(most.x-least.x) * x, height: float64(most.y-least.y) * y, origin: [2]float64{float64(-least.x) * x, float64(-least.y) * y}}
}

func (s *scene) extent() (least, most point) {
	if s.grid() {
		return point{}, point{s.columns(), s.rows()}
	}
	var edges []edge
	for _, c := range slices.Concat(s.puzzle.Board.Cells, s.openPlaces) {
		edges = append(edges, s.around(c)...)
	}
	return boxOf(edges)
}

func boxOf(edges []edge) (least, most point) {
	for i, e := range edges {
		if i == 0 {
			least, most = e.from, e.from
		}
		least = point{min(least.x, e.from.x), min(least.y, e.from.y)}
		most = point{max(most.x, e.from.x), max(most.y, e.from.y)}
	}
	return least, most
}

// grid reports whether the cells of a layer are squares in rows and columns.
func (s *scene) grid() bool {
	return slices.Equal(s.lattice.Outline(tiling.Cell{}), []tiling.Corner{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 1, Y: 1}, {X: 0, Y: 1}})
}

// scale returns the lengths in the picture of one step in Corner.X and of one step in Corner.Y.
func (d *drawing) scale(s *scene) (x, y float64) {
	x, y = s.lattice.Unit()
	return x * d.side, y * d.side
}

// room returns the radius of the largest circle in a cell. It is the font size of a single letter.
func (d *drawing) room(s *scene) float64 {
	outline := s.lattice.Outline(tiling.Cell{})
	inner, side := middle(outline), between(outline[0], outline[1])
	x, y := d.scale(s)
	return math.Hypot(float64(side.x-inner.x)*x, float64(side.y-inner.y)*y) / fine
}

func (d *drawing) picture(s *scene, f frame) {
	if !s.stacked() {
		if f.origin != [2]float64{} {
			d.group("", f.origin[0], f.origin[1])
			defer d.CloseGroup()
		}
		if s.loops != nil {
			d.double(s)
			return
		}
		d.layer(s, 0, s.paint(d.options.ColorBy))
		d.branches(s)
		return
	}
	colours := s.paint(d.options.ColorBy)
	stack := d.stackFrame(s.lifted)
	d.group("stack", stack.origin[0], stack.origin[1]+(f.height-stack.height)/2)
	d.stack(s.lifted, colours)
	d.CloseGroup()
	parts, _, height := d.beside(s)
	for _, p := range parts {
		d.group(p.caption, stack.width+p.x, (f.height-height)/2+p.y)
		d.layer(p.scene, p.layer, colours)
		d.text(p.width/2, p.height+0.4*d.side, d.side*0.36, pen.Black, p.caption)
		d.CloseGroup()
	}
}

func (d *drawing) branches(s *scene) {
	if len(s.tree) == 0 {
		return
	}
	x, y := d.scale(s)
	p := pen.Path{Open: true, Line: 0.2 * d.side}
	for _, e := range s.tree {
		ends := make([]pen.Point, 2)
		for k, c := range e.Cells {
			m := middle(s.lattice.Outline(s.puzzle.Board.Cells[c]))
			ends[k] = pen.Point{X: float64(m.x) * x / fine, Y: float64(m.y) * y / fine}
		}
		p.Outlines = append(p.Outlines, ends)
	}
	if d.tiny() {
		p.Line = max(1, p.Line) // at least a pixel
	}
	d.Path(p)
}

// layer draws a layer, empty cells first, so that the lines around placements lie over them.
func (d *drawing) layer(s *scene, layer int, colours []pen.Colour) {
	if d.tiny() {
		for c := range s.cells(layer) {
			d.spot(s, c, s.back(c, colours))
		}
		return
	}
	edges, _, dots := s.layerEdges(layer)
	x, y := d.scale(s)
	line := s.lineWidth() * d.side
	if s.beyond != nil {
		line = 0
	}
	d.Group(pen.Group{Line: line})
	var places []edge
	for _, c := range s.openPlaces {
		if c[0] == layer {
			places = append(places, s.around(c)...)
		}
	}
	d.path(places, x, y, pen.Path{Fill: &pen.White, Line: thin * d.side})
	for _, k := range slices.Backward(slices.Sorted(maps.Keys(edges))) {
		fill := s.fill(k, colours)
		d.path(edges[k], x, y, pen.Path{Fill: &fill, Title: s.nameOf(k)})
	}
	cells := s.coloured(layer)
	for _, k := range slices.Sorted(maps.Keys(cells)) {
		var edges []edge
		spots := pen.Dots{Width: d.side * 0.17, Colour: pen.Ink}
		for _, c := range cells[k] {
			if s.boardCell(c) >= 0 {
				edges = append(edges, s.around(c)...)
				continue
			}
			at := s.corner(c)
			spots.At = append(spots.At, pen.Point{X: at.X * x, Y: at.Y * y})
		}
		fill := s.tint(k)
		d.path(edges, x, y, pen.Path{Fill: &fill, Title: s.puzzle.Colours[k-1]})
		if spots.At != nil {
			d.Dots(spots)
			spots.Width, spots.Colour = d.side*0.12, s.named(k)
			d.Dots(spots)
		}
	}
	d.CloseGroup()
	if s.beyond != nil {
		lines, _, _ := s.layerLines(layer)
		d.trail(chains(lines), x, y, pen.Path{Open: true, Line: s.lineWidth() * d.side})
	}
	if s.beyond != nil || s.boardOnly() {
		d.rim(s, layer, thin)
	}
	if len(dots) > 0 {
		all := pen.Dots{Width: d.side * 0.16, Colour: dotted}
		for _, p := range dots {
			all.At = append(all.At, pen.Point{X: float64(p.x) * x / fine, Y: float64(p.y) * y / fine})
		}
		d.Dots(all)
	}
	if s.clues != nil {
		d.clueLines(s, layer)
		d.clueTexts(s, layer, colours)
	}
	d.cellNames(s, layer, x, y, colours)
	d.digits(s, layer, x, y, colours)
	if d.options.Label.some() || s.marks != nil {
		d.letters(s, layer, colours)
	}
}

func (d *drawing) spot(s *scene, c tiling.Cell, fill pen.Colour) {
	x, y := d.scale(s)
	outline := d.outline[:0]
	for _, corner := range s.lattice.Outline(c) {
		outline = append(outline, pen.Point{X: float64(corner.X) * x, Y: float64(corner.Y) * y})
	}
	d.outline = outline
	d.Path(pen.Path{Outlines: [][]pen.Point{outline}, Fill: &fill, Crisp: true})
}

// double draws two tilings as loops: lines from cell to cell or, if cells are tiny, areas.
func (d *drawing) double(s *scene) {
	x, y := d.scale(s)
	x, y = x/fine, y/fine
	colours := s.paintLoops()
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

// rim draws the outline of the board in a layer. On a board that wraps, the outline is dashed where
// a placement continues at another border. Dashed lines have the width seam, in sides of a cell.
//
//	╶─┬───┬──
//	  │   ┊       the domino at the dashed side continues at the left border
//	──┴───┼──
func (d *drawing) rim(s *scene, layer int, seam float64) {
	x, y := d.scale(s)
	if s.beyond == nil {
		_, rim, _ := s.layerEdges(layer)
		d.path(rim, x, y, pen.Path{Bare: true, Line: thick * d.side})
		return
	}
	_, rims, seams := s.layerLines(layer)
	d.trail(chains(rims), x, y, pen.Path{Open: true, Line: thick * d.side})
	d.trail(chains(seams), x, y, pen.Path{Open: true, Line: seam * d.side, Cut: true})
}

// layerLines returns the sides to draw in a layer of a board that wraps: sides between two owners,
// sides at holes, and seams (see seamSide). With a tiling, sides at holes are in lines.
func (s *scene) layerLines(layer int) (lines, rims, seams []edge) {
	for c := range s.cells(layer) {
		sides := s.around(c)
		for k, step := range s.sideSteps(c) {
			beyond, side := c.Plus(step), sides[k]
			switch state := s.state(s.side(c, beyond)); {
			case state == seamSide:
				seams = append(seams, side)
			case state == openSide:
			case s.boardOnly() && s.at(beyond) == hole:
				rims = append(rims, side)
			case s.at(beyond) == hole || before(c, beyond):
				lines = append(lines, side)
			}
		}
	}
	return lines, rims, seams
}

// layerEdges returns, for each owner, the sides between its cells and cells of other owners. rim
// has the sides at holes. dots has the places of dots, in twelfths of a lattice unit. The owner
// s.empty() has all cells without a placement.
func (s *scene) layerEdges(layer int) (edges map[int][]edge, rim []edge, dots []point) {
	edges = make(map[int][]edge)
	for c := range s.cells(layer) {
		if s.dot(c) && s.puzzle.Board.Names[c] == "" {
			dots = append(dots, middle(s.lattice.Outline(c)))
		}
		owner := min(s.at(c), s.empty())
		sides := s.around(c)
		for k, step := range s.sideSteps(c) {
			beyond, side := c.Plus(step), sides[k]
			if s.at(c) != s.at(beyond) {
				edges[owner] = append(edges[owner], side)
			}
			if s.at(beyond) == hole {
				rim = append(rim, side)
			}
		}
	}
	return edges, rim, dots
}

func (s *scene) lineWidth() float64 {
	if s.boardOnly() {
		return thin
	}
	return thick
}

func (s *scene) fill(k int, colours []pen.Colour) pen.Colour {
	if k < len(colours) {
		return colours[k]
	}
	return bare
}

func (s *scene) nameOf(k int) string {
	if k < len(s.placements) {
		return s.puzzle.Pieces[s.placements[k].Piece].Name
	}
	return ""
}

func (d *drawing) letters(s *scene, layer int, colours []pen.Colour) {
	x, y := d.scale(s)
	room := d.room(s)
	for _, p := range s.parts(layer) {
		piece := s.placements[p.placement].Piece
		label := d.labels[piece]
		if !d.options.Label.some() && !s.unmarked(s.placements[p.placement]) || s.mark(p.cells[0]) != "" {
			continue // there is no label, or a digit in place of the label
		}
		n := float64(len([]rune(label)))
		at := s.anchor(p, n > 3)
		size := min(room/math.Sqrt(n), 3*room/n) // so that n letters fit in the circle: see letterWidth
		d.text(float64(at.x)*x/fine, float64(at.y)*y/fine, size, colours[p.placement].Legible(), label)
	}
}
