package render

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/pavage/pavage/render/pen"
)

// heatLayout is where things are on a heat-map, in pixels.
//
//	margins │ slot            │   │ slot            │
//	        │      name       │   │      name       │  nameHeight
//	        │    most 31 %    │   │    most 12 %    │  mostHeight
//	        │ ┌─────┐ ┌─────┐ │   │ ┌─────┐ ┌─────┐ │
//	        │ │layer│ │layer│ │   │ │     │ │     │ │  layerHeight
//	        │ └─────┘ └─────┘ │   │ └─────┘ └─────┘ │
//	        │ layer 0 layer 1 │   │                 │  layerCaption
//	        ├──── stepX ──────────┤
//	         what the numbers are
//	         ░░░░▒▒▒▒▓▓▓▓████████                        the scale
//	         0   10   20   30  %
type heatLayout struct {
	em                      float64 // size of names and of the scale's texts
	layerWidth, layerHeight float64
	layerGap                float64
	origin                  [2]float64 // of the coordinates of corners, in a layer
	layerCaption            float64    // 0: there is one layer
	boardWidth              float64    // all layers
	slot                    float64
	nameHeight, mostHeight  float64 // 0: none
	margins                 float64
	stepX, stepY            float64 // from a panel to the next
	across, down            int
	keyWidth, keyTop        float64
	width, height           float64
	numberSize              float64 // of the numbers in cells; 0: there are none
	decimals                int
	optional                bool // some cells may stay empty, and not all
}

// Least sizes of letters that can be read: in pixels, and in cm where the format has a unit of its
// own and shrinks a large picture.
const (
	leastName     = 12.0
	leastNumber   = 8.0
	leastNameCM   = 0.22
	leastNumberCM = 0.15 // four fifths of \tiny of LaTeX
	letterWidth   = 0.6  // of most letters, in multiples of the size of the font
)

// heatScreen is the width in pixels at which the numbers of a picture with cells of the default size must be
// readable, since screens and pages shrink pictures to about this width.
const heatScreen = 1200.0

// layOut finds the places of all things. The size of letters depends on how far the picture is shrunk,
// and that on the size of letters: two rounds are enough, for letters are a small part of it.
func (d *heatDrawing) layOut() {
	d.layerWidth, d.layerHeight, d.origin = d.layerBox(d.scene)
	d.em = 0.36 * d.cell()
	for range 2 {
		d.em = max(d.em, d.least(leastName, leastNameCM, d.width, d.height))
		d.arrange()
	}
	d.arrange()
	d.optional = slices.Contains(d.scene.dotted, true) && slices.Contains(d.scene.puzzle.Board.Optional, false)
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
			size *= 0.8 // lines meet where the numbers are
		}
		if size >= least || d.decimals == 0 && d.options.Label == numberLabels {
			d.numberSize = size
			return
		}
	}
}

// least is the least size of letters that can be read, in the unit of a picture of this size; 0 before the
// picture has a size.
func (d *drawing) least(pixels, cm, width, height float64) float64 {
	switch {
	case d.options.Format.Unit == 0:
		return pixels
	case width == 0:
		return 0
	}
	return cm / pen.Shrunk(width, height)
}

// arrange lays out the panels for a size of letters.
func (d *heatDrawing) arrange() {
	layers := float64(d.scene.layers())
	d.layerGap, d.margins = max(d.cell()*0.5, d.em*0.5), max(d.margin(), d.em*0.7)
	if d.heat.Heights != nil {
		d.margins = max(d.margins, 0.4*d.cell()) // numbers stand on the border
	}
	d.boardWidth = float64(layers*(d.layerWidth+d.layerGap)) - d.layerGap
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
	d.stepY = d.nameHeight + d.mostHeight + d.layerHeight + d.layerCaption + d.margins*1.5
	d.across, d.down = d.options.grid(len(d.heat.Panels), d.stepX, d.stepY)
	d.keyWidth = max(min(float64(float64(d.across)*d.stepX)-d.margins*2, 28*d.em), 10*d.em)
	d.keyTop = d.margins + float64(float64(d.down)*d.stepY)
	text := float64(utf8.RuneCountInString(d.heat.legend())) * letterWidth * d.em
	d.width = max(float64(float64(d.across)*d.stepX), d.keyWidth+2*d.margins, min(text, 40*d.em)+2*d.margins)
	d.height = d.keyTop + 4.2*d.em
}

// keySteps is the number of colours in the picture of the scale.
const keySteps = 64

// rectangle has its corners clockwise.
func rectangle(left, top, right, bottom float64) []pen.Point {
	return []pen.Point{{X: left, Y: top}, {X: right, Y: top}, {X: right, Y: bottom}, {X: left, Y: bottom}}
}

// tick is a place on a scale, from 0 to 1, with its text.
type tick struct {
	at   float64
	text string
}

// ticks are those of the scale: round numbers, or the ends where every panel has its own.
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
	if size := high - low; size < 1e-300 || size > 1e300 { // beyond floats
		return []tick{{0, "least"}, {1, "most"}}
	}
	ticks := roundTicks(low*times, high*times)
	const words = 1.0 / 3 // of the scale
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

// roundTicks are the multiples between two numbers of 1, 2 or 5 times a power of ten: at most seven.
func roundTicks(low, high float64) (all []tick) {
	step := math.Pow(10, math.Floor(math.Log10(high-low))-1)
	for _, times := range []float64{2, 2.5, 2, 2} { // 1, 2, 5, 10, 20 of the power
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
