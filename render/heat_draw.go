package render

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// HeatMap draws panels of p's board, and the scale. Each panel has its name and its largest number.
// Cells show numbers if there is room, always with the Label "numbers", and never with "none".
// In SVG the exact number of a cell is shown under the pointer. Errors are as for Picture.
func HeatMap(w io.Writer, p *tiling.Puzzle, h Heat, o PictureOptions) error {
	o, err := o.checked()
	if err != nil {
		return err
	}
	m, err := h.on(p)
	if err != nil {
		return err
	}
	d := &heatDrawing{drawing: newDrawing(w, o, p.Pieces), boardHeat: m}
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
			d.text(d.slot/2, d.em*0.7, d.em, pen.Black, shortened(pen.Printable(panel.Name), int(d.slot/d.em/letterWidth)))
		}
		if d.mostHeight > 0 {
			d.text(d.slot/2, d.nameHeight+d.em*0.5, d.em*0.8, pen.Ink, "most "+d.most(d.ranges[k]))
		}
		left := (d.slot - d.boardWidth) / 2
		for layer := range d.scene.layers() {
			x := left + float64(float64(layer)*(d.box.width+d.layerGap))
			d.group("", x+d.box.origin[0], d.nameHeight+d.mostHeight+d.box.origin[1])
			d.heatLayer(k, layer)
			d.CloseGroup()
			if d.layerCaption > 0 {
				d.text(x+d.box.width/2, d.nameHeight+d.mostHeight+d.box.height+d.em*0.8, d.em*0.8, pen.Ink, fmt.Sprintf("layer %d", layer))
			}
		}
		d.CloseGroup()
	}
	d.group("scale", d.margins, d.keyTop)
	most := int(max(d.width-2*d.margins, d.em)/d.em/letterWidth + 0.01)
	d.textFrom(0, d.em*0.5, d.em, shortened(d.heat.legend(), most))
	top, bottom := 1.3*d.em, 2.3*d.em
	for k := range keySteps { // the rectangles overlap, so that there are no gaps
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

// heatDrawing is a picture of a heat-map that is being made. Lengths are in units of the picture.
//
//	margins │ slot            │   │ slot            │
//	        │      name       │   │      name       │  nameHeight
//	        │    most 31 %    │   │    most 12 %    │  mostHeight
//	        │ ┌─────┐ ┌─────┐ │   │ ┌─────┐ ┌─────┐ │
//	        │ │layer│ │layer│ │   │ │     │ │     │ │  box.height
//	        │ └─────┘ └─────┘ │   │ └─────┘ └─────┘ │
//	        │ layer 0 layer 1 │   │                 │  layerCaption
//	        ├──── stepX ──────────┤
//	         the meaning of the numbers
//	         ░░░░▒▒▒▒▓▓▓▓████████                        the scale
//	         0   10   20   30  %
type heatDrawing struct {
	*drawing
	*boardHeat

	em                     float64 // font size of names and of the texts of the scale
	box                    frame
	layerGap               float64
	layerCaption           float64 // height of the text below a layer; 0 if there is none
	boardWidth             float64
	slot                   float64
	nameHeight, mostHeight float64 // heights of the two lines above a panel; 0 for a line without text
	margins                float64
	stepX, stepY           float64 // distance from a panel to the next
	across, down           int
	keyWidth, keyTop       float64
	width, height          float64
	numberSize             float64 // font size of the numbers in cells; 0 if cells show none
	decimals               int
	optional               bool // whether some cells, but not all, may stay empty
}

type boardHeat struct {
	scene   *scene
	heat    Heat
	ranges  []heatRange // range of each panel and, last, of all panels together
	colours colourScale
}

func (h Heat) on(p *tiling.Puzzle) (*boardHeat, error) {
	s, err := newScene(p, nil)
	if err == nil {
		err = h.check(p)
	}
	if err != nil {
		return nil, err
	}
	h = h.withTens().withScale()
	return &boardHeat{s, h, h.ranges(), h.scale()}, nil
}

func (m *boardHeat) overall() heatRange { return m.ranges[len(m.ranges)-1] }

func (m *boardHeat) rangeOf(panel int) heatRange {
	if m.heat.Own {
		return m.ranges[panel]
	}
	return m.overall()
}

// words describes the picture for people who cannot see it.
func (d *heatDrawing) words() string {
	text := fmt.Sprintf("Numbers by cell on %s in %s: %s.", d.scene.describeBoard(), wording.Plural(len(d.heat.Panels), "panel"), d.heat.legend())
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

func (h Heat) legend() string {
	switch {
	case h.Legend != "":
		return pen.Printable(h.Legend) + timesTens(h.tens)
	case h.Signed:
		return "numbers around 0" + timesTens(h.tens)
	case h.Plain:
		return "numbers"
	case h.Count == nil:
		return "percent of all " + cmp.Or(h.Of, "tilings")
	}
	return "percent of " + numberOf(total(h.Count, shortCount), cmp.Or(h.Of, "tilings"))
}

func (h Heat) short(v *big.Rat, decimals int) string {
	switch {
	case h.Signed:
		return signed(v, h.tens)
	case h.Plain:
		return asItIs(v, decimals)
	}
	return percent(v, decimals)
}

// detail returns the full text of a cell, such as F5 at 2,3: 37.2117 % (48064 of 129168).
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

func (d *heatDrawing) most(r heatRange) string {
	switch {
	case r.greatest == nil:
		return "nothing"
	case d.heat.Signed, d.heat.Plain:
		return d.heat.short(r.greatest, 1)
	}
	return percent(r.greatest, 1) + " %"
}

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
			d.spot(d.scene, c, back)
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
			d.Dots(pen.Dots{At: dots[ink], Width: d.side * 0.09, Colour: ink})
		}
	}
	if d.heat.Heights != nil {
		d.rim(d.scene, layer, 2*thin)
		d.heights(panel)
		return
	}
	for c := range d.scene.cells(layer) {
		// Without room for numbers, a bar shows a number below 0. A cross shows that there is no number.
		//
		//	┌────┐ ┌────┐
		//	│ ── │ │ ╲╱ │
		//	└────┘ │ ╱╲ │
		//	       └────┘
		v := values[d.scene.at(c)-1]
		x, y := d.scale(d.scene)
		m := middle(d.scene.lattice.Outline(c))
		at := pen.Point{X: float64(m.x) * x / fine, Y: float64(m.y) * y / fine}
		reach := d.room(d.scene) * 0.3
		if v == nil {
			d.strokes(0.04*d.side, pen.Ink, [2]pen.Point{{X: at.X - reach, Y: at.Y - reach}, {X: at.X + reach, Y: at.Y + reach}}, [2]pen.Point{{X: at.X + reach, Y: at.Y - reach}, {X: at.X - reach, Y: at.Y + reach}})
			continue
		}
		ink := d.colours.at(r.place(v)).Legible()
		switch {
		case d.numberSize > 0:
			d.text(at.X, at.Y, d.numberSize, ink, d.heat.short(v, d.decimals))
		case v.Sign() < 0:
			d.strokes(0.04*d.side, ink, [2]pen.Point{{X: at.X - reach, Y: at.Y}, {X: at.X + reach, Y: at.Y}})
		}
	}
	d.rim(d.scene, layer, 2*thin)
	x, y = d.scale(d.scene)
	for _, i := range slices.Sorted(slices.Values(d.heat.Panels[panel].Marked)) {
		if c := d.scene.puzzle.Board.Cells[i]; c[0] == layer {
			d.path(d.scene.around(c), x, y, pen.Path{Bare: true, Line: 0.2 * d.side, Stroke: &pen.White})
			d.path(d.scene.around(c), x, y, pen.Path{Bare: true, Line: 0.1 * d.side})
		}
	}
}

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

func (d *heatDrawing) heights(panel int) {
	x, y := d.scale(d.scene)
	h, r := d.heat.Heights[panel], d.rangeOf(panel)
	if s, err := newScene(d.scene.puzzle, h.Over); len(h.Over) > 0 && err == nil { // no error: Heights checks Over
		var all []edge
		of, _, _ := s.layerEdges(0)
		for k := range s.placements {
			all = append(all, of[k]...)
		}
		d.path(all, x, y, pen.Path{Bare: true, Line: thick * d.side})
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
		d.Dots(pen.Dots{At: []pen.Point{at}, Width: 1.15 * width, Colour: back})
		d.text(at.X, at.Y, d.numberSize, back.Legible(), d.heat.short(h.Values[k], d.decimals))
	}
}

// The least font sizes that can be read: in pixels, or in cm for formats that shrink pictures.
const (
	leastName     = 12.0
	leastNumber   = 8.0
	leastNameCM   = 0.22
	leastNumberCM = 0.15 // four fifths of \tiny of LaTeX
)

// heatScreen is the width of a screen in pixels. If no option sets the size of cells, numbers are
// readable after a screen has shrunk a wider picture to this width.
const heatScreen = 1200.0

// layOut computes all lengths. If a picture is shrunk, its size and the font size depend on each
// other, so layOut calls arrange several times.
func (d *heatDrawing) layOut() {
	d.box = d.layerBox(d.scene)
	d.em = 0.36 * d.side
	for range 2 {
		d.em = max(d.em, d.least(leastName, leastNameCM, d.width, d.height))
		d.arrange()
	}
	d.arrange()
	optional := d.scene.puzzle.Board.Optional
	d.optional = slices.Contains(optional, true) && slices.Contains(optional, false)
	d.numberSize = 0
	if d.options.Label == noLabel || d.tiny() {
		return
	}
	room, least := d.room(d.scene), d.least(leastNumber, leastNumberCM, d.width, d.height)
	if d.options.usual && d.options.Label != numberLabels && d.options.Format.Unit == 0 {
		least *= max(1, d.width/heatScreen)
	}
	for d.decimals = 1; d.decimals >= 0; d.decimals-- {
		n := float64(d.heat.longest(d.decimals))
		size := min(0.7*room, 2.5*room/n)
		if d.heat.Plain {
			size *= 0.8 // numbers are at corners, where lines meet
		}
		if size >= least || d.decimals == 0 && d.options.Label == numberLabels {
			d.numberSize = size
			return
		}
	}
}

// least returns the least font size that can be read, in units of the picture. If the format
// shrinks pictures, this is the length cm in these units. It is 0 if width is 0 (not yet known).
func (d *drawing) least(pixels, cm, width, height float64) float64 {
	switch {
	case d.options.Format.Unit == 0:
		return pixels
	case width == 0:
		return 0
	}
	return cm / pen.Shrunk(width, height)
}

func (d *heatDrawing) arrange() {
	layers := float64(d.scene.layers())
	d.layerGap, d.margins = max(d.side*0.5, d.em*0.5), max(d.margin(), d.em*0.7)
	if d.heat.Heights != nil {
		d.margins = max(d.margins, 0.4*d.side) // numbers are drawn on the border
	}
	d.boardWidth = float64(layers*(d.box.width+d.layerGap)) - d.layerGap
	d.slot = max(d.boardWidth, 9*d.em)
	d.nameHeight, d.mostHeight, d.layerCaption = 0, 0, 0
	for _, p := range d.heat.Panels {
		if p.Name != "" {
			d.nameHeight = 1.5 * d.em
		}
	}
	if len(d.heat.Panels) > 1 && d.heat.Heights == nil {
		d.mostHeight = 1.4 * d.em
	}
	if d.scene.layers() > 1 {
		d.layerCaption = 1.4 * d.em
	}
	d.stepX = d.slot + d.margins*2
	d.stepY = d.nameHeight + d.mostHeight + d.box.height + d.layerCaption + d.margins*1.5
	d.across, d.down = sheetGrid(len(d.heat.Panels), d.stepX, d.stepY)
	d.keyWidth = max(min(float64(float64(d.across)*d.stepX)-d.margins*2, 28*d.em), 10*d.em)
	d.keyTop = d.margins + float64(float64(d.down)*d.stepY)
	text := float64(utf8.RuneCountInString(d.heat.legend())) * letterWidth * d.em
	d.width = max(float64(float64(d.across)*d.stepX), d.keyWidth+2*d.margins, min(text, 40*d.em)+2*d.margins)
	d.height = d.keyTop + 4.2*d.em
}

const keySteps = 64

func rectangle(left, top, right, bottom float64) []pen.Point {
	return []pen.Point{{X: left, Y: top}, {X: right, Y: top}, {X: right, Y: bottom}, {X: left, Y: bottom}}
}

// tick is a mark on a scale: its place, 0 at the beginning and 1 at the end, and its text.
type tick struct {
	at   float64
	text string
}

// ticks returns round numbers or, if each panel has its own scale, words for the ends of the scale.
func (d *heatDrawing) ticks() []tick {
	r, times := d.overall(), 100.0
	switch {
	case d.heat.Plain:
		times = 1
	case d.heat.Signed:
		times = math.Pow(10, float64(d.heat.tens))
	}
	if d.heat.Own && d.heat.Scale != fullScale {
		switch {
		case d.heat.Signed:
			return []tick{{0, "-most"}, {0.5, "0"}, {1, "most of the panel"}}
		case d.heat.Scale == aroundMean:
			return []tick{{0, "less"}, {1, "more than the mean"}}
		case d.heat.Scale == fromLeast:
			return []tick{{0, "least"}, {1, "most of the panel"}}
		}
		return []tick{{0, "0"}, {1, "most of the panel"}}
	}
	low, _ := r.low.Float64()
	high, _ := r.high.Float64()
	if size := high - low; size < 1e-300 || size > 1e300 { // floats could overflow or be divided by 0
		return []tick{{0, "least"}, {1, "most"}}
	}
	ticks := roundTicks(low*times, high*times)
	const words = 1.0 / 3 // share of the scale that the text at an end needs
	if r.below {
		ticks = slices.DeleteFunc(ticks, func(t tick) bool { return t.at < words })
		ticks = slices.Insert(ticks, 0, tick{0, fmt.Sprintf("%.3g or less", low*times)})
	}
	if r.above {
		ticks = slices.DeleteFunc(ticks, func(t tick) bool { return t.at > 1-words })
		ticks = append(ticks, tick{1, fmt.Sprintf("%.3g or more", high*times)})
	}
	return ticks
}

// roundTicks returns at most seven multiples of 1, 2 or 5 times a power of ten.
func roundTicks(low, high float64) (all []tick) {
	step := math.Pow(10, math.Floor(math.Log10(high-low))-1)
	for _, times := range []float64{2, 2.5, 2, 2} { // steps of 1, 2, 5, 10 and 20 times the power of ten
		if (high-low)/step <= 6 {
			break
		}
		step *= times
	}
	for k := math.Ceil(low/step - 1e-9); k*step <= high*(1+1e-9); k++ {
		all = append(all, tick{(k*step - low) / (high - low), strconv.FormatFloat(k*step+0, 'g', 6, 64)})
	}
	return all
}
