package render

import (
	"fmt"
	"io"
	"math"
	"math/big"
	"strings"
	"unicode/utf8"

	"github.com/pavage/pavage/render/pen"
)

// Bars is a chart of counts: such as the number of tilings by how many copies of a piece they have.
//
//	10^3 ┤      ▄▄  ▄▄
//	10^2 ┤  ▄▄  ██  ██  ▄▄
//	10   ┤  ██  ██  ██  ██
//	1    ┴──██──██──██──██──
//	        0   1   2   3       dominoes
type Bars struct {
	Title  string
	Axis   string   // what the labels are
	Of     string   // what is counted, in the plural; "" is "tilings"
	Labels []string // by bar
	Values []*big.Int
}

// maxBars is the most bars of a chart.
const maxBars = 10_000

// outOfSight is the quotient of the greatest count and the least count above 0 at which a linear scale would
// hide the least: a bar of less than a fiftieth of the height is hard to see. Then the scale is logarithmic.
const outOfSight = 50

// check reports what cannot be drawn.
func (b Bars) check() (Bars, error) {
	n := len(b.Values)
	if n < 1 || n > maxBars {
		return b, fmt.Errorf("%w: %d bars, want 1..%d", ErrInvalid, n, maxBars)
	}
	if len(b.Labels) != n {
		return b, fmt.Errorf("%w: %d labels for %d bars", ErrInvalid, len(b.Labels), n)
	}
	for k, v := range b.Values {
		if v == nil || v.Sign() < 0 {
			return b, fmt.Errorf("%w: bar %d has no count, or one below 0", ErrInvalid, k)
		}
	}
	if b.Of == "" {
		b.Of = "tilings"
	}
	return b, nil
}

// extremes are the least count above 0 and the greatest count, both 0 if there is none above it.
func (b Bars) extremes() (least, most *big.Int) {
	least, most = new(big.Int), new(big.Int)
	for _, v := range b.Values {
		if v.Sign() > 0 && (least.Sign() == 0 || v.Cmp(least) < 0) {
			least = v
		}
		if v.Cmp(most) > 0 {
			most = v
		}
	}
	return least, most
}

// barScale turns counts into lengths, 0 to 1.
type barScale struct {
	log bool
	// Of the logarithm to base ten; low is below that of the least count
	low, top float64
	most     *big.Int // the greatest count, at least 1
}

// scaleOf is the scale of a chart that was checked.
func (b Bars) scaleOf() barScale {
	least, most := b.extremes()
	if most.Sign() == 0 {
		least, most = big.NewInt(1), big.NewInt(1)
	}
	s := barScale{log: new(big.Int).Mul(least, big.NewInt(outOfSight)).Cmp(most) < 0, most: most}
	s.low, s.top = math.Floor(log10(least)), math.Ceil(log10(most)-1e-12)
	if s.low > 0 && s.low <= s.top/2 {
		s.low = 0
	}
	if s.low == log10(least) { // a bar of its own for the least
		s.low -= max(0.5, (s.top-s.low)/20)
	}
	if s.top <= s.low {
		s.top = s.low + 1
	}
	return s
}

// length is that of a bar.
func (s barScale) length(v *big.Int) float64 {
	switch {
	case v.Sign() == 0:
		return 0
	case s.log:
		return (log10(v) - s.low) / (s.top - s.low)
	}
	f, _ := new(big.Rat).SetFrac(v, s.most).Float64()
	return f
}

// ticks are powers of ten, or round numbers.
func (s barScale) ticks() (all []tick) {
	if s.log {
		step := max(1, math.Ceil((s.top-max(0, math.Ceil(s.low)))/6))
		for power := math.Ceil(s.low); power <= s.top; power += step {
			if power >= 0 {
				all = append(all, tick{(power - s.low) / (s.top - s.low), powerOfTen(int(power))})
			}
		}
		return all
	}
	return s.linearTicks()
}

// linearTicks are round numbers. Where they are long, all have the same power of ten behind them.
func (s barScale) linearTicks() (all []tick) {
	power := 0
	if digits := digitsOf(s.most); digits > 6 {
		power = digits - 1
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(power)), nil)
	most, _ := new(big.Rat).SetFrac(s.most, unit).Float64()
	for _, t := range roundTicks(0, most) {
		switch {
		case power > 0 && t.text != "0":
			t.text = fmt.Sprintf("%s·10^%d", t.text, power)
		case strings.Contains(t.text, "."):
			continue // counts are whole
		}
		all = append(all, t)
	}
	return all
}

// BarChart draws the bars upright, with an axis in powers of ten or in round numbers. In SVG each bar says its
// exact count when one points at it. A bar and the gap after it are as wide as a cell of the
// options, or less where there are many. Errors are as for Picture.
func BarChart(w io.Writer, b Bars, o PictureOptions) error {
	o, err := o.checked()
	if err == nil {
		b, err = b.check()
	}
	if err != nil {
		return err
	}
	d := &barDrawing{drawing: newDrawing(w, o, nil), bars: b, scale: b.scaleOf()}
	n := float64(len(d.bars.Values))
	for range 3 {
		d.em = max(0.36*d.cell(), d.least(leastName, leastNameCM, d.wide, d.high))
		d.step = max(min(d.cell(), 72*d.em/n), d.em/10)
		d.plotWidth = max(n*d.step, 8*d.em)
		d.plotHeight = max(14*d.em, min(d.plotWidth*0.6, 24*d.em))
		widest := 1
		for _, t := range d.scale.ticks() {
			widest = max(widest, utf8.RuneCountInString(t.text))
		}
		d.left = (float64(float64(widest)*letterWidth) + 1.5) * d.em
		d.top = 2.6 * d.em
		title := float64(utf8.RuneCountInString(d.bars.name())) * letterWidth * d.em
		d.wide = max(d.left+d.plotWidth+1.5*d.em, min(title, 50*d.em)+2*d.em)
		d.high = d.top + d.plotHeight + 3.6*d.em
	}
	if err := d.open(d.wide, d.high, d.bars.name(), d.words()); err != nil {
		return err
	}
	d.Group(pen.Group{Left: true})
	d.text(d.em, d.em*1.1, d.em, pen.Black, shortened(strings.Map(printable, d.bars.name()), int((d.wide-2*d.em)/d.em/letterWidth)))
	d.CloseGroup()
	d.group("", d.left, d.top)
	for _, t := range d.scale.ticks() {
		y := d.plotHeight * (1 - t.at)
		d.line(0.06*d.em, barGrid, pen.Point{X: 0, Y: y}, pen.Point{X: d.plotWidth, Y: y})
		n := float64(utf8.RuneCountInString(t.text))
		d.text(-float64((float64(n*letterWidth)/2+0.3)*0.85*d.em), y, 0.85*d.em, pen.Black, t.text)
	}
	for k, v := range d.bars.Values {
		if v.Sign() == 0 {
			continue
		}
		fill := shareScale().at(0.55)
		middle := (float64(k) + 0.5) * d.step
		half := d.step * barWidth / 2
		top := d.plotHeight * (1 - d.scale.length(v))
		d.Path(pen.Path{
			Outlines: [][]pen.Point{rectangle(middle-half, top, middle+half, d.plotHeight)},
			Fill:     &fill,
			Title:    fmt.Sprintf("%s %s: %s %s", d.bars.Axis, d.bars.Labels[k], counted(v, longCount), d.bars.Of),
		})
	}
	// The axis; where there is no room for all labels, one of every few is drawn.
	d.line(0.08*d.em, pen.Ink, pen.Point{X: 0, Y: d.plotHeight}, pen.Point{X: d.plotWidth, Y: d.plotHeight})
	widest := 1
	for _, l := range d.bars.Labels {
		widest = max(widest, utf8.RuneCountInString(l))
	}
	every := max(1, int(math.Ceil(float64(float64(widest)+1)*letterWidth*0.85*d.em/d.step)))
	for k := 0; k < len(d.bars.Labels); k += every {
		d.text((float64(k)+0.5)*d.step, d.plotHeight+0.9*d.em, 0.85*d.em, pen.Black, strings.Map(printable, d.bars.Labels[k]))
	}
	axis := strings.Map(printable, d.bars.Axis)
	if d.scale.log {
		axis = strings.TrimSpace(axis + " (counts on a logarithmic scale)")
	}
	d.Group(pen.Group{Left: true})
	d.text(0, d.plotHeight+2.3*d.em, 0.9*d.em, pen.Black, shortened(axis, int(d.plotWidth/d.em/letterWidth/0.9)))
	d.CloseGroup()
	d.CloseGroup()
	return d.Close()
}

// name is the title, or what the chart is.
func (b Bars) name() string {
	if b.Title == "" {
		return "Counts of " + b.Of
	}
	return b.Title
}

// barDrawing is a chart in the making.
type barDrawing struct {
	*drawing
	bars       Bars
	scale      barScale
	em         float64
	step       float64 // from a bar to the next
	left, top  float64 // of the plot
	plotWidth  float64
	plotHeight float64
	wide, high float64
}

// barWidth is the share of a step that a bar takes.
const barWidth = 0.8

// words describe the chart for those who cannot see it.
func (d *barDrawing) words() string {
	_, most := d.bars.extremes()
	for k, v := range d.bars.Values {
		if v == most {
			return fmt.Sprintf("%s. The most, %s %s, are at %s %s.", plural(len(d.bars.Values), "bar"), counted(v, longCount), d.bars.Of, d.bars.Axis, d.bars.Labels[k])
		}
	}
	return plural(len(d.bars.Values), "bar") + ", all 0."
}

// barGrid is the colour of the lines across the chart.
var barGrid = pen.Colour{0xd8, 0xd8, 0xde}

// line is a straight one.
func (d *barDrawing) line(width float64, ink pen.Colour, from, to pen.Point) {
	d.Path(pen.Path{Outlines: [][]pen.Point{{from, to}}, Open: true, Line: width, Stroke: &ink})
}
