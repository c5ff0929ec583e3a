package render

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/pavage/pavage/render/pen"
)

// barsExample returns powers of a number, with a 0 among them.
func barsExample(base int64, n int) Bars {
	b := Bars{Title: "Powers", Axis: "exponent"}
	for k := range n {
		b.Labels = append(b.Labels, fmt.Sprint(k))
		b.Values = append(b.Values, new(big.Int).Exp(big.NewInt(base), big.NewInt(int64(k)), nil))
	}
	b.Values[1] = new(big.Int)
	return b
}

// heights returns the heights of the bars, by their titles.
func heights(t *testing.T, b Bars, o PictureOptions) map[string]float64 {
	t.Helper()
	var out bytes.Buffer
	if err := BarChart(&out, b, o); err != nil {
		t.Fatal(err)
	}
	checkSVG(t, out.Bytes())
	all := map[string]float64{}
	for _, f := range figuresOf(t, out.Bytes()) {
		if f.title != "" {
			all[f.title] = f.points[2].Y - f.points[0].Y
		}
	}
	return all
}

// TestBarsLinear: the lengths of bars are proportional to the counts, and a count of 0 has no bar.
func TestBarsLinear(t *testing.T) {
	b := barsExample(2, 5)
	b.Of = "boards"
	got := heights(t, b, PictureOptions{})
	if len(got) != 4 {
		t.Errorf("%v", got)
	}
	for k, v := range map[int]float64{0: 1, 2: 4, 3: 8, 4: 16} {
		h, there := got[fmt.Sprintf("exponent %d: ", k)+numberOf(fmt.Sprint(v), "boards")]
		if unit := got["exponent 4: 16 boards"] / 16; !there || math.Abs(h-v*unit) > 0.02 {
			t.Errorf("bar %d is %g long, want %g: %v", k, h, v*unit, got)
		}
	}
}

// TestBarsLogarithmic: equal factors are equal lengths, however large the counts.
func TestBarsLogarithmic(t *testing.T) {
	b := barsExample(1_000_000_007, 40)
	got := heights(t, b, PictureOptions{})
	at := func(k int) float64 {
		return got[fmt.Sprintf("exponent %d: %s", k, numberOf(counted(b.Values[k], longCount), "tilings"))]
	}
	for k := 3; k < 40; k++ {
		if d, want := at(k)-at(k-1), (at(39)-at(2))/37; math.Abs(d-want) > 0.05 || want <= 1 {
			t.Errorf("from bar %d to %d it is %g, on average %g", k-1, k, d, want)
		}
	}
	if len(got) != 39 || at(0) <= 0 {
		t.Errorf("%d bars, of 1 %g long", len(got), at(0))
	}
}

// TestBarScale: which scale is chosen, and its ticks.
func TestBarScale(t *testing.T) {
	for _, c := range []struct {
		least, most string
		log         bool
		want        string
	}{
		{"3", "120", false, "0 20 40 60 80 100 120"},
		{"3", "3", false, "0 1 2 3"},
		{"0", "0", false, "0 1"},
		{"3", "151", true, "1 10 100 1000"},
		{"1", "1000000", true, "1 10 100 1000 10^4 10^5 10^6"},
		{"12000000", "92109458286284989468604", true, "1 10^4 10^8 10^12 10^16 10^20"},
		{"92109458286284989468604", "92109458286284989468605", false, "0 2·10^22 4·10^22 6·10^22 8·10^22"},
	} {
		b := Bars{Labels: []string{"a", "b"}, Values: []*big.Int{number(t, c.least), number(t, c.most)}}
		b, err := b.check()
		if err != nil || b.scaleOf().log != c.log {
			t.Fatalf("%s, %s: logarithmic %v, %v", c.least, c.most, b.scaleOf().log, err)
		}
		var texts []string
		last := -1.0
		for _, tick := range b.scaleOf().ticks() {
			if tick.at <= last || tick.at > 1+1e-9 {
				t.Errorf("%s, %s: tick %s at %g", c.least, c.most, tick.text, tick.at)
			}
			last, texts = tick.at, append(texts, tick.text)
		}
		if got := strings.Join(texts, " "); got != c.want {
			t.Errorf("%s, %s: ticks %s, want %s", c.least, c.most, got, c.want)
		}
	}
}

func number(t *testing.T, s string) *big.Int {
	t.Helper()
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		t.Fatal(s)
	}
	return n
}

// TestBarsGolden has small charts in full.
func TestBarsGolden(t *testing.T) {
	for name, b := range map[string]Bars{"bars-linear": barsExample(2, 5), "bars-log": barsExample(1000, 12)} {
		var svg, tex, text bytes.Buffer
		if err := errors.Join(BarChart(&svg, b, PictureOptions{}), BarChart(&tex, b, PictureOptions{Format: pen.TikZ}), BarsText(&text, b, TextOptions{})); err != nil {
			t.Fatal(err)
		}
		golden(t, name+".svg", svg.Bytes())
		golden(t, name+".tex", tex.Bytes())
		golden(t, name+".txt", text.Bytes())
	}
}

// TestBarsThatCannotBe: every mistake is an error before anything is written.
func TestBarsThatCannotBe(t *testing.T) {
	one := []*big.Int{big.NewInt(1)}
	for _, c := range []struct {
		bars Bars
		want string
	}{
		{Bars{}, "there are 0 bars, expected 1 to 10000"},
		{Bars{Values: make([]*big.Int, maxBars+1)}, "10001 bars"},
		{Bars{Values: one}, "0 labels for 1 bars"},
		{Bars{Values: []*big.Int{nil}, Labels: []string{"a"}}, "bar 0 has no count"},
		{Bars{Values: []*big.Int{big.NewInt(-1)}, Labels: []string{"a"}}, "or a negative count"},
	} {
		var out bytes.Buffer
		wantInvalid(t, BarChart(&out, c.bars, PictureOptions{}), c.want)
		wantInvalid(t, BarsText(&out, c.bars, TextOptions{}), c.want)
		if out.Len() > 0 {
			t.Errorf("%s: %d bytes", c.want, out.Len())
		}
	}
	good := Bars{Values: one, Labels: []string{"a"}}
	wantInvalid(t, BarChart(io.Discard, good, PictureOptions{Cell: -1}), "sides of a cell have -1")
	err := BarChart(io.Discard, good, PictureOptions{Format: pen.PNG, Pixels: 100})
	if wantInvalid(t, err, "too large"); !errors.Is(err, pen.ErrTooLarge) {
		t.Errorf("%v", err)
	}
	if err := errors.Join(BarChart(full{}, good, PictureOptions{}), BarsText(full{}, good, TextOptions{})); !errors.Is(err, errFull) {
		t.Errorf("%v", err)
	}
}

// TestManyBars: a chart of many bars, with counts of many digits, has a limited size.
func TestManyBars(t *testing.T) {
	b := Bars{Axis: "k"}
	huge := new(big.Int).Lsh(big.NewInt(3), 300_000)
	for k := range 500 {
		b.Labels, b.Values = append(b.Labels, fmt.Sprint(k)), append(b.Values, new(big.Int).Rsh(huge, uint(k)))
	}
	var svg, text bytes.Buffer
	if err := errors.Join(BarChart(&svg, b, PictureOptions{}), BarsText(&text, b, TextOptions{})); err != nil {
		t.Fatal(err)
	}
	if svg.Len() > 200_000 || text.Len() > 200_000 {
		t.Errorf("%d and %d bytes", svg.Len(), text.Len())
	}
	for _, f := range figuresOf(t, svg.Bytes()) {
		for _, p := range f.points {
			if p.X > 1500 || p.X < -0.5 || p.Y < 0 || p.Y > 1000 {
				t.Fatalf("%v is far out", f)
			}
		}
	}
}
