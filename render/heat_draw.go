package render

import (
	"cmp"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// HeatMap draws a heat-map of p's board: the panels in a grid, each with its name and its largest number,
// and below them the scale. The layers of a cube board stand in a row. Where cells have room, their numbers
// are in them; o.Label noLabel leaves them out, and Numbers writes them in any room. In SVG each cell says its exact
// number when one points at it. Errors are as for Picture.
func HeatMap(w io.Writer, p *tiling.Puzzle, h Heat, o PictureOptions) error {
	o, err := o.checked()
	if err != nil {
		return err
	}
	s, err := newScene(p, nil)
	if err == nil {
		err = h.check(p)
	}
	if err != nil {
		return err
	}
	h = h.withTens().withScale()
	d := &heatDrawing{drawing: newDrawing(w, o, p.Pieces), scene: s, heat: h, ranges: h.ranges(), colours: h.scale()}
	d.layOut()
	if d.shrink(d.width, d.height) {
		d.layOut()
	}
	if err := d.open(d.width, d.height, title(p), d.words()); err != nil {
		return err
	}
	for k := range h.Panels {
		panel := d.heat.Panels[k]
		d.group(panel.Name, d.margins+float64(float64(k%d.across)*d.stepX), d.margins+float64(float64(k/d.across)*d.stepY))
		if d.nameHeight > 0 {
			d.text(d.slot/2, d.em*0.7, d.em, pen.Black, shortened(strings.Map(printable, panel.Name), int(d.slot/d.em/letterWidth)))
		}
		if d.mostHeight > 0 {
			d.text(d.slot/2, d.nameHeight+d.em*0.5, d.em*0.8, pen.Ink, "most "+d.most(d.ranges[k]))
		}
		left := (d.slot - d.boardWidth) / 2
		for layer := range d.scene.layers() {
			x := left + float64(float64(layer)*(d.layerWidth+d.layerGap))
			d.group("", x+d.origin[0], d.nameHeight+d.mostHeight+d.origin[1])
			d.heatLayer(k, layer)
			d.CloseGroup()
			if d.layerCaption > 0 {
				d.text(x+d.layerWidth/2, d.nameHeight+d.mostHeight+d.layerHeight+d.em*0.8, d.em*0.8, pen.Ink, fmt.Sprintf("layer %d", layer))
			}
		}
		d.CloseGroup()
	}
	d.group("scale", d.margins, d.keyTop)
	d.Group(pen.Group{Left: true})
	most := int(max(d.width-2*d.margins, d.em)/d.em/letterWidth + 0.01)
	d.text(0, d.em*0.5, d.em, pen.Black, shortened(d.heat.legend(), most))
	d.CloseGroup()
	top, bottom := 1.3*d.em, 2.3*d.em
	for k := range keySteps { // each as far as the end, so that there are no gaps
		fill := d.colours.at((float64(k) + 0.5) / keySteps)
		d.Path(pen.Path{Outlines: [][]pen.Point{rectangle(d.keyWidth*float64(k)/keySteps, top, d.keyWidth, bottom)}, Fill: &fill})
	}
	d.Path(pen.Path{Outlines: [][]pen.Point{rectangle(0, top, d.keyWidth, bottom)}, Bare: true, Line: 0.06 * d.em})
	for _, t := range d.ticks() {
		x := d.keyWidth * t.at
		d.Path(pen.Path{Outlines: [][]pen.Point{{{X: x, Y: bottom}, {X: x, Y: bottom + 0.3*d.em}}}, Open: true, Line: 0.06 * d.em})
		half := float64(utf8.RuneCountInString(t.text)) * letterWidth / 2 * 0.85 * d.em
		d.text(min(max(x, half), d.width-2*d.margins-half), bottom+0.95*d.em, 0.85*d.em, pen.Black, t.text)
	}
	d.CloseGroup()
	return d.Close()
}

// heatDrawing is a heat-map in the making.
type heatDrawing struct {
	*drawing
	scene   *scene
	heat    Heat
	ranges  []heatRange // by panel, and last of all together
	colours colourScale
	heatLayout
}

// overall is the range of all panels together.
func (d *heatDrawing) overall() heatRange { return d.ranges[len(d.ranges)-1] }

// rangeOf is the range that a panel is drawn with.
func (d *heatDrawing) rangeOf(panel int) heatRange {
	if d.heat.Own {
		return d.ranges[panel]
	}
	return d.overall()
}

// words describe the picture for those who cannot see it.
func (d *heatDrawing) words() string {
	text := fmt.Sprintf("Numbers by cell on %s in %s: %s.", d.scene.describeBoard(), plural(len(d.heat.Panels), "panel"), d.heat.legend())
	r := d.overall()
	if r.greatest == nil {
		return text
	}
	for _, panel := range d.heat.Panels {
		for c, v := range panel.Values {
			if v != nil && new(big.Rat).Abs(v).Cmp(r.greatest) == 0 {
				return text + " The largest is " + d.heat.detail(panel, c, d.scene) + "."
			}
		}
	}
	return text
}

// legend says what the numbers are.
func (h Heat) legend() string {
	switch {
	case h.Legend != "":
		return strings.Map(printable, h.Legend) + timesTens(h.tens)
	case h.Signed:
		return "numbers around 0" + timesTens(h.tens)
	case h.Plain:
		return "numbers"
	case h.Count == nil:
		return "percent of all " + h.of()
	}
	return fmt.Sprintf("percent of %s %s", total(h.Count, shortCount), h.of())
}

// short is a number in few letters, without a unit.
func (h Heat) short(v *big.Rat, decimals int) string {
	switch {
	case h.Signed:
		return signed(v, h.tens)
	case h.Plain:
		return asItIs(v, decimals)
	}
	return percent(v, decimals)
}

// detail says all about a cell: F5 at 2,3: 37.2117 % (48064 of 129168).
func (h Heat) detail(panel HeatPanel, cell int, s *scene) string {
	c := s.puzzle.Board.Cells[cell]
	var at []string
	for _, n := range s.lattice.Coordinates(c) {
		at = append(at, fmt.Sprint(n))
	}
	text := strings.Join(at, ",")
	if name := s.puzzle.Board.Names[c]; name != "" {
		text += " " + name
	}
	if panel.Name != "" {
		text = panel.Name + " at " + text
	}
	v := panel.Values[cell]
	switch {
	case v == nil:
		return text + ": no number"
	case h.Signed:
		return text + ": " + v.FloatString(6+h.tens)
	case h.Plain:
		return text + ": " + asItIs(v, 6)
	case h.Count == nil:
		return text + ": " + percent(v, 4) + " %"
	}
	part := new(big.Rat).Mul(v, h.Count)
	return fmt.Sprintf("%s: %s %% (%s of %s)", text, percent(v, 4), total(part, longCount), total(h.Count, shortCount))
}

// most writes the largest number of a range.
func (d *heatDrawing) most(r heatRange) string {
	switch {
	case r.greatest == nil:
		return "nothing"
	case d.heat.Signed, d.heat.Plain:
		return d.heat.short(r.greatest, 1)
	}
	return percent(r.greatest, 1) + " %"
}

// heatLayer draws one layer of a panel: its cells, then what stands on them, then the outline of the
// board and of marked cells.
func (d *heatDrawing) heatLayer(panel, layer int) {
	x, y := d.scale(d.scene)
	r := d.rangeOf(panel)
	values := d.heat.Panels[panel].Values
	dots := map[pen.Colour][]pen.Point{}
	d.Group(pen.Group{Line: d.line(thin)})
	for c := range d.scene.cells(layer) {
		i := d.scene.at(c) - 1
		back := bare
		if values[i] != nil {
			back = d.colours.at(r.place(values[i]))
		}
		if d.tiny() {
			d.spot(d.scene, c, x, y, back)
			continue
		}
		d.path(d.scene.around(c), x, y, pen.Path{Fill: &back, Stroke: &back, Title: d.heat.detail(d.heat.Panels[panel], i, d.scene)})
		if d.optional && d.scene.dot(c) {
			at := d.scene.corner(c)
			dots[back.Legible()] = append(dots[back.Legible()], pen.Point{X: at.X * x, Y: at.Y * y})
		}
	}
	d.CloseGroup()
	if d.tiny() {
		return
	}
	for _, ink := range []pen.Colour{pen.Black, pen.White} {
		if len(dots[ink]) > 0 {
			d.Dots(pen.Dots{At: dots[ink], Width: d.cell() * 0.09, Colour: ink})
		}
	}
	if d.heat.Heights != nil {
		d.rim(layer)
		d.heights(panel)
		return
	}
	for c := range d.scene.cells(layer) {
		// Without room a number below 0 has a bar. A cell without a number always has a cross.
		//
		//	┌────┐ ┌────┐ ┌────┐
		//	│12.5│ │ ── │ │ ╲╱ │
		//	└────┘ └────┘ │ ╱╲ │
		//	              └────┘
		v := values[d.scene.at(c)-1]
		x, y := d.scale(d.scene)
		m := middle(d.scene.lattice.Outline(c))
		at := pen.Point{X: float64(m.x) * x / fine, Y: float64(m.y) * y / fine}
		reach := d.room(d.scene) * 0.3
		if v == nil {
			d.strokes(pen.Ink, [2]pen.Point{{X: at.X - reach, Y: at.Y - reach}, {X: at.X + reach, Y: at.Y + reach}}, [2]pen.Point{{X: at.X + reach, Y: at.Y - reach}, {X: at.X - reach, Y: at.Y + reach}})
			continue
		}
		ink := d.colours.at(r.place(v)).Legible()
		switch {
		case d.numberSize > 0:
			d.text(at.X, at.Y, d.numberSize, ink, d.heat.short(v, d.decimals))
		case v.Sign() < 0:
			d.strokes(ink, [2]pen.Point{{X: at.X - reach, Y: at.Y}, {X: at.X + reach, Y: at.Y}})
		}
	}
	d.rim(layer)
	x, y = d.scale(d.scene)
	for _, i := range slices.Sorted(slices.Values(d.heat.Panels[panel].Marked)) {
		if c := d.scene.puzzle.Board.Cells[i]; c[0] == layer {
			d.path(d.scene.around(c), x, y, pen.Path{Bare: true, Line: 0.2 * d.cell(), Stroke: &pen.White})
			d.path(d.scene.around(c), x, y, pen.Path{Bare: true, Line: 0.1 * d.cell()})
		}
	}
}

// strokes are straight lines.
func (d *heatDrawing) strokes(ink pen.Colour, lines ...[2]pen.Point) {
	p := pen.Path{Open: true, Line: 0.04 * d.cell(), Stroke: &ink}
	for _, l := range lines {
		p.Outlines = append(p.Outlines, l[:])
	}
	d.Path(p)
}

// rim draws the outline of the board in a layer, dashed where a board that wraps goes on elsewhere.
func (d *heatDrawing) rim(layer int) {
	x, y := d.scale(d.scene)
	if d.scene.beyond == nil {
		if _, rim, _ := d.scene.layerEdges(layer); len(rim) > 0 {
			d.path(rim, x, y, pen.Path{Bare: true, Line: thick * d.cell()})
		}
		return
	}
	_, rims, seams := d.scene.layerLines(layer)
	if len(rims) > 0 {
		d.trail(chains(rims), x, y, pen.Path{Open: true, Line: thick * d.cell()})
	}
	if len(seams) > 0 {
		d.trail(chains(seams), x, y, pen.Path{Open: true, Line: 2 * thin * d.cell(), Cut: true})
	}
}

// longest is the number of letters of the longest number.
func (h Heat) longest(decimals int) (n int) {
	for k, panel := range h.Panels {
		numbers := panel.Values
		if h.Heights != nil {
			numbers = h.Heights[k].Values
		}
		for _, v := range numbers {
			if v != nil {
				n = max(n, len(h.short(v, decimals)))
			}
		}
	}
	return cmp.Or(n, 1)
}

// heights writes the heights at the corners, over the outlines of the placements.
func (d *heatDrawing) heights(panel int) {
	x, y := d.scale(d.scene)
	h, r := d.heat.Heights[panel], d.rangeOf(panel)
	if s, err := newScene(d.scene.puzzle, h.Over); len(h.Over) > 0 && err == nil { // Heights has reported an error
		var all []edge
		of, _, _ := s.layerEdges(0)
		for k := range s.placements {
			all = append(all, of[k]...)
		}
		d.path(all, x, y, pen.Path{Bare: true, Line: thick * d.cell()})
	}
	if d.numberSize == 0 {
		return
	}
	width := max(float64(d.heat.longest(d.decimals))*letterWidth, 1) * d.numberSize
	for k, c := range h.Corners {
		at, back := pen.Point{X: float64(c.X) * x, Y: float64(c.Y) * y}, pen.White
		if len(h.Over) == 0 {
			back = d.colours.at(r.place(h.Values[k]))
		}
		// Lines meet there
		d.Dots(pen.Dots{At: []pen.Point{at}, Width: 1.15 * width, Colour: back})
		d.text(at.X, at.Y, d.numberSize, back.Legible(), d.heat.short(h.Values[k], d.decimals))
	}
}
