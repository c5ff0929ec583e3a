package render

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/render/pen"
)

// Bars is a chart of counts, such as the numbers of tilings with 0, 1, 2, … copies of a piece.
//
//	10^3 ┤      ▄▄  ▄▄
//	10^2 ┤  ▄▄  ██  ██  ▄▄
//	10   ┤  ██  ██  ██  ██
//	1    ┴──██──██──██──██──
//	        0   1   2   3       dominoes
type Bars struct {
	Title  string
	Axis   string   // name of the axis, under the labels
	Of     string   // name of the counted things, a plural that ends in s; "" means tilings
	Labels []string // a label for each bar
	Values []*big.Int
}

const maxBars = 10_000

// The scale is logarithmic if the greatest count is over outOfSight times the least positive count.
const outOfSight = 50

func (b Bars) check() (Bars, error) {
	n := len(b.Values)
	if n < 1 || n > maxBars {
		return b, fmt.Errorf("%w: there are %d bars, expected 1 to %d bars", ErrInvalid, n, maxBars)
	}
	if len(b.Labels) != n {
		return b, fmt.Errorf("%w: there are %d labels for %d bars, expected one label for each bar", ErrInvalid, len(b.Labels), n)
	}
	for k, v := range b.Values {
		if v == nil || v.Sign() < 0 {
			return b, fmt.Errorf("%w: bar %d has no count or a negative count, expected a count of at least 0", ErrInvalid, k)
		}
	}
	b.Of = cmp.Or(b.Of, "tilings")
	return b, nil
}

func (b Bars) extremes() (least, most *big.Int) {
	counts := slices.DeleteFunc(slices.Clone(b.Values), func(v *big.Int) bool { return v.Sign() == 0 })
	if len(counts) == 0 {
		return new(big.Int), new(big.Int)
	}
	return slices.MinFunc(counts, (*big.Int).Cmp), slices.MaxFunc(counts, (*big.Int).Cmp)
}

type barScale struct {
	log bool
	// low and top are the ends of a logarithmic scale, as logarithms to base ten.
	low, top float64
	most     *big.Int // the greatest count, at least 1
}

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
	if s.low == log10(least) { // here the bar of the least count would have no height
		s.low -= max(0.5, (s.top-s.low)/20)
	}
	if s.top <= s.low {
		s.top = s.low + 1
	}
	return s
}

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

// ticks returns powers of ten or, on a linear scale, round numbers.
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
			continue // counts are integers, so a fraction is no tick
		}
		all = append(all, t)
	}
	return all
}

// BarChart draws upright bars, with an axis in powers of ten or in round numbers. In SVG the exact
// count of each bar is shown under the pointer. Errors are as for Picture.
func BarChart(w io.Writer, b Bars, o PictureOptions) error {
	o, err := o.checked()
	if err == nil {
		b, err = b.check()
	}
	if err != nil {
		return err
	}
	d, scale := newDrawing(w, o, nil), b.scaleOf()
	n, ticks := float64(len(b.Values)), scale.ticks()
	var em, step float64 // font size, and distance from a bar to the next
	var left, plotWidth, plotHeight, wide, high float64
	for range 3 {
		em = max(0.36*d.side, d.least(leastName, leastNameCM, wide, high))
		step = max(min(d.side, 72*em/n), em/10)
		plotWidth = max(n*step, 8*em)
		plotHeight = max(14*em, min(plotWidth*0.6, 24*em))
		widest := 1
		for _, t := range ticks {
			widest = max(widest, utf8.RuneCountInString(t.text))
		}
		left = (float64(float64(widest)*letterWidth) + 1.5) * em
		title := float64(utf8.RuneCountInString(b.name())) * letterWidth * em
		wide = max(left+plotWidth+1.5*em, min(title, 50*em)+2*em)
		high = float64(2.6*em) + plotHeight + 3.6*em
	}
	words := wording.Plural(len(b.Values), "bar") + ", all 0."
	_, most := b.extremes()
	if k := slices.Index(b.Values, most); k >= 0 {
		words = fmt.Sprintf("%s. The most, %s, are at %s %s.", wording.Plural(len(b.Values), "bar"), numberOf(counted(most, longCount), b.Of), b.Axis, b.Labels[k])
	}
	if err := d.open(wide, high, b.name(), words); err != nil {
		return err
	}
	d.textFrom(em, em*1.1, em, shortened(pen.Printable(b.name()), int((wide-2*em)/em/letterWidth)))
	d.group("", left, 2.6*em)
	for _, t := range ticks {
		y := plotHeight * (1 - t.at)
		d.strokes(0.06*em, barGrid, [2]pen.Point{{X: 0, Y: y}, {X: plotWidth, Y: y}})
		n := float64(utf8.RuneCountInString(t.text))
		d.text(-float64((float64(n*letterWidth)/2+0.3)*0.85*em), y, 0.85*em, pen.Black, t.text)
	}
	for k, v := range b.Values {
		if v.Sign() == 0 {
			continue
		}
		fill := shareScale().at(0.55)
		middle := (float64(k) + 0.5) * step
		half := step * barWidth / 2
		top := plotHeight * (1 - scale.length(v))
		d.Path(pen.Path{
			Outlines: [][]pen.Point{rectangle(middle-half, top, middle+half, plotHeight)},
			Fill:     &fill,
			Title:    fmt.Sprintf("%s %s: %s", b.Axis, b.Labels[k], numberOf(counted(v, longCount), b.Of)),
		})
	}
	d.strokes(0.08*em, pen.Ink, [2]pen.Point{{X: 0, Y: plotHeight}, {X: plotWidth, Y: plotHeight}})
	widest := b.columns("1", b.Labels)
	every := max(1, int(math.Ceil(float64(float64(widest)+1)*letterWidth*0.85*em/step)))
	for k := 0; k < len(b.Labels); k += every {
		d.text((float64(k)+0.5)*step, plotHeight+0.9*em, 0.85*em, pen.Black, pen.Printable(b.Labels[k]))
	}
	axis := pen.Printable(b.Axis)
	if scale.log {
		axis = strings.TrimSpace(axis + " (counts on a logarithmic scale)")
	}
	d.textFrom(0, plotHeight+2.3*em, 0.9*em, shortened(axis, int(plotWidth/em/letterWidth/0.9)))
	d.CloseGroup()
	return d.Close()
}

func (b Bars) name() string { return cmp.Or(b.Title, "Counts of "+b.Of) }

// barWidth is the width of a bar, as a share of the distance from a bar to the next.
const barWidth = 0.8

var barGrid = pen.Colour{0xd8, 0xd8, 0xde}

// BarsText writes the bars for a terminal, with exact counts if there is room. Errors are as for
// Text.
//
//	dominoes                      tilings
//	       0                            1  ▎
//	       1                            7  █████▎
func BarsText(w io.Writer, b Bars, o TextOptions) error {
	b, err := b.check()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	if b.Title != "" {
		fmt.Fprintln(out, pen.Printable(b.Title))
	}
	labels, counts := b.columns(b.Axis, b.Labels), make([]string, len(b.Values))
	for k, v := range b.Values {
		counts[k] = counted(v, longCount)
	}
	numbers := b.columns(b.Of, counts)
	room := max(barColumns, o.columns()-labels-numbers-5)
	head := fmt.Sprintf("%*s  %*s", labels, pen.Printable(b.Axis), numbers, b.Of)
	scale := b.scaleOf()
	if scale.log {
		head += "  (bars on a logarithmic scale)"
	}
	fmt.Fprintln(out, strings.TrimRight(head, " "))
	for k, v := range b.Values {
		length := scale.length(v) * float64(room)
		eighths := int(length*8 + 0.5)
		bar := strings.Repeat("█", eighths/8)
		if rest := eighths % 8; rest > 0 {
			bar += string([]rune("▏▎▍▌▋▊▉")[rest-1])
		}
		if bar == "" && v.Sign() > 0 {
			bar = "▏"
		}
		fmt.Fprintln(out, strings.TrimRight(fmt.Sprintf("%*s  %*s  %s", labels, pen.Printable(b.Labels[k]), numbers, counts[k], bar), " "))
	}
	return out.Flush()
}

const barColumns = 20

func (b Bars) columns(head string, texts []string) int {
	n := utf8.RuneCountInString(head)
	for _, t := range texts {
		n = max(n, utf8.RuneCountInString(t))
	}
	return n
}
