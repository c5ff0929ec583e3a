package render

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// drawn is a path or a text of an SVG, with the sum of all origins.
type drawn struct {
	title, text, fill, stroke string
	points                    []pen.Point // of the first outline; of a text its middle
	width                     string      // of the line
}

// figuresOf reads an SVG that package pen wrote.
func figuresOf(t *testing.T, doc []byte) (all []drawn) {
	t.Helper()
	origins := []pen.Point{{}}
	var open []string
	for d := xml.NewDecoder(bytes.NewReader(doc)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			attr := map[string]string{}
			for _, a := range e.Attr {
				attr[a.Name.Local] = a.Value
			}
			origin := origins[len(origins)-1]
			var move pen.Point
			if n, _ := fmt.Sscanf(attr["transform"], "translate(%g %g)", &move.X, &move.Y); n == 2 {
				origin = pen.Point{X: origin.X + move.X, Y: origin.Y + move.Y}
			}
			origins, open = append(origins, origin), append(open, e.Name.Local)
			switch e.Name.Local {
			case "path":
				all = append(all, drawn{fill: attr["fill"], stroke: attr["stroke"], width: attr["stroke-width"], points: outlineOf(attr["d"], origin)})
			case "text":
				x, _ := strconv.ParseFloat(attr["x"], 64)
				y, _ := strconv.ParseFloat(attr["y"], 64)
				size, _ := strconv.ParseFloat(attr["font-size"], 64)
				all = append(all, drawn{fill: attr["fill"], points: []pen.Point{{X: origin.X + x, Y: origin.Y + y - 0.35*size}}})
			}
		case xml.EndElement:
			origins, open = origins[:len(origins)-1], open[:len(open)-1]
		case xml.CharData:
			switch n := len(open); {
			case n > 1 && open[n-1] == "title" && open[n-2] == "path":
				all[len(all)-1].title += string(e)
			case n > 0 && open[n-1] == "text":
				all[len(all)-1].text += string(e)
			}
		}
	}
}

// outlineOf returns the points of the first outline of a path.
func outlineOf(d string, origin pen.Point) (all []pen.Point) {
	d, _, _ = strings.Cut(d[1:], "M")
	at := pen.Point{}
	for _, word := range strings.FieldsFunc(strings.NewReplacer("H", "|H", "V", "|V", "L", "|L", "Z", "").Replace("L"+d), func(r rune) bool { return r == '|' }) {
		switch word[0] {
		case 'H':
			at.X, _ = strconv.ParseFloat(word[1:], 64)
		case 'V':
			at.Y, _ = strconv.ParseFloat(word[1:], 64)
		default:
			fmt.Sscanf(word[1:], "%g %g", &at.X, &at.Y)
		}
		all = append(all, pen.Point{X: at.X + origin.X, Y: at.Y + origin.Y})
	}
	return all
}

// centre returns the middle of some points.
func centre(points []pen.Point) (c pen.Point) {
	for _, p := range points {
		c.X, c.Y = c.X+p.X/float64(len(points)), c.Y+p.Y/float64(len(points))
	}
	return c
}

// heatExample returns random numbers for a puzzle, from a seed.
func heatExample(p *tiling.Puzzle, seed uint64, signed bool, names ...string) Heat {
	rng := rand.New(rand.NewPCG(seed, 9))
	h := Heat{Count: big.NewRat(1000, 1), Signed: signed}
	for _, name := range names {
		panel := HeatPanel{Name: name}
		for range p.Board.Cells {
			v := big.NewRat(rng.Int64N(1001), 1000)
			if signed && rng.IntN(2) == 0 {
				v.Neg(v)
			}
			panel.Values = append(panel.Values, v)
		}
		h.Panels = append(h.Panels, panel)
	}
	return h
}

func wordsPuzzle(t *testing.T, w puzzlefile.Words) *tiling.Puzzle {
	t.Helper()
	p, err := w.Puzzle()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// heatPuzzles returns boards of all kinds.
func heatPuzzles(t *testing.T) map[string]*tiling.Puzzle {
	return map[string]*tiling.Puzzle{
		"squares":   puzzle("Holes & more", board("####o #..## #.### #####"), "a"),
		"cubes":     puzzle("Cubes", board("### #.#", "### ###"), "a"),
		"hexagons":  wordsPuzzle(t, puzzlefile.Words{Lattice: "hexagon", Board: "3x4", Pieces: []string{"tetrahexes"}}),
		"triangles": wordsPuzzle(t, puzzlefile.Words{Lattice: "triangle", Board: "3x7", Pieces: []string{"hexiamonds"}}),
		"wrapped":   wordsPuzzle(t, puzzlefile.Words{Board: "3x4", Wrap: "both", Pieces: []string{"domino=any"}}),
	}
}

func heatMap(t *testing.T, p *tiling.Puzzle, h Heat, o PictureOptions) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := HeatMap(&out, p, h, o); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestHeatMap: on every lattice, each cell of each panel is drawn once, in the colour of its number
// and with the number as its title, also in PNG; numbers stand in the middle of their cells and can
// be read.
func TestHeatMap(t *testing.T) {
	for name, p := range heatPuzzles(t) {
		for _, signed := range []bool{false, true} {
			h := heatExample(p, 1, signed, "F5", "two")
			doc := heatMap(t, p, h, PictureOptions{Cell: 60})
			checkSVG(t, doc)
			all := figuresOf(t, doc)
			r := h.rangeOf(h.numbers(false, h.Panels...))
			plain := decodedPNG(t, heatMap(t, p, h, PictureOptions{Cell: 60, Label: noLabel, Format: pen.PNG}))
			met := 0
			for k, panel := range h.Panels {
				for i, v := range panel.Values {
					cell := findCell(t, all, h.detail(h.Panels[k], i, newSceneOf(t, p)))
					met++
					if count := new(big.Int).Div(new(big.Int).Mul(v.Num(), big.NewInt(1000)), v.Denom()); !signed && !strings.HasSuffix(cell.title, fmt.Sprintf("(%s of 1000)", count)) {
						t.Errorf("%s: %q, want %s of 1000", name, cell.title, count)
					}
					want := h.scale().at(r.place(v))
					if cell.fill != want.Hex() || cell.stroke != want.Hex() {
						t.Errorf("%s: %s is %s, want %s", name, cell.title, cell.fill, want.Hex())
					}
					at := centre(cell.points)
					checkNumber(t, all, at, h.short(v, 1), want)
					if v.Sign() >= 0 { // no bar there
						checkPixel(t, plain, at, want)
					}
				}
			}
			titles := 0
			for _, f := range all {
				if f.title != "" {
					titles++
				}
			}
			if titles != met || met != 2*len(p.Board.Cells) {
				t.Errorf("%s: %d titles of %d cells", name, titles, met)
			}
		}
	}
}

func newSceneOf(t *testing.T, p *tiling.Puzzle) *scene {
	t.Helper()
	s, err := newScene(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// findCell returns the path with a title.
func findCell(t *testing.T, all []drawn, title string) drawn {
	t.Helper()
	for _, f := range all {
		if f.title == title {
			return f
		}
	}
	t.Fatalf("no cell says %q", title)
	return drawn{}
}

// checkNumber requires at a place a text that is readable on the colour of its cell.
func checkNumber(t *testing.T, all []drawn, at pen.Point, text string, back pen.Colour) {
	t.Helper()
	for _, f := range all {
		if f.text != "" && max(abs(f.points[0].X-at.X), abs(f.points[0].Y-at.Y)) < 0.05 {
			ink := pen.Black
			if f.fill == pen.White.Hex() {
				ink = pen.White
			}
			if f.text != text || f.fill != ink.Hex() || ink.Contrast(back) < 4.5 {
				t.Errorf("%q in %s on %s, want %q", f.text, f.fill, back.Hex(), text)
			}
			return
		}
	}
	t.Errorf("no number at %v, want %q", at, text)
}

func abs(v float64) float64 { return max(v, -v) }

func decodedPNG(t *testing.T, doc []byte) image.Image {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

func checkPixel(t *testing.T, picture image.Image, at pen.Point, want pen.Colour) {
	t.Helper()
	got := color.RGBAModel.Convert(picture.At(int(at.X), int(at.Y))).(color.RGBA)
	if got != (color.RGBA{uint8(want[0]), uint8(want[1]), uint8(want[2]), 255}) {
		t.Errorf("the pixel at %v is %v, want %s", at, got, want.Hex())
	}
}

// TestHeatHoles: holes are white inside and the board has its outline.
func TestHeatHoles(t *testing.T) {
	p := puzzle("", board("### #.# ###"), "a")
	h := heatExample(p, 3, false, "")
	doc := decodedPNG(t, heatMap(t, p, h, PictureOptions{Cell: 20, Label: noLabel, Format: pen.PNG}))
	d := &heatDrawing{drawing: newDrawing(io.Discard, PictureOptions{Cell: 20, Format: pen.PNG}, nil), boardHeat: &boardHeat{scene: newSceneOf(t, p), heat: h}}
	d.layOut()
	x, y := d.margins+(d.slot-d.boardWidth)/2, d.margins
	checkPixel(t, doc, pen.Point{X: x + 30, Y: y + 30}, pen.White)
	checkPixel(t, doc, pen.Point{X: x, Y: y + 30}, pen.Ink)
	checkPixel(t, doc, pen.Point{X: x + 20, Y: y + 30}, pen.Ink)
}

// TestHeatScales: with one scale equal numbers have one colour in all panels, with scales of their own the
// greatest number of each has the last colour.
func TestHeatScales(t *testing.T) {
	p := puzzle("", board("##"), "a")
	share := func(n int64) *big.Rat { return big.NewRat(n, 100) }
	h := Heat{Panels: []HeatPanel{{"a", []*big.Rat{share(20), share(80)}, nil}, {"b", []*big.Rat{share(20), share(40)}, nil}}}
	for _, c := range []struct {
		own    bool
		scale  HeatScale
		want   [4]float64
		legend string
	}{
		{false, "", [4]float64{0.25, 1, 0.25, 0.5}, "80"},
		{false, fromZero, [4]float64{0.25, 1, 0.25, 0.5}, "80"},
		{false, fromLeast, [4]float64{0, 1, 0, 1. / 3}, "80"},
		{false, fullScale, [4]float64{0.2, 0.8, 0.2, 0.4}, "100"},
		{true, "", [4]float64{0.25, 1, 0.5, 1}, "most of the panel"},
		{true, fromLeast, [4]float64{0, 1, 0, 1}, "most of the panel"},
		{true, fullScale, [4]float64{0.2, 0.8, 0.2, 0.4}, "100"},
	} {
		h.Own, h.Scale = c.own, c.scale
		all := figuresOf(t, heatMap(t, p, h, PictureOptions{}))
		var fills, texts []string
		for _, f := range all {
			if f.title != "" {
				fills = append(fills, f.fill)
			}
			texts = append(texts, f.text)
		}
		for k, place := range c.want {
			if want := shareScale().at(place).Hex(); fills[k] != want {
				t.Errorf("own %v, scale %q: number %d is %s, want %s", c.own, c.scale, k, fills[k], want)
			}
		}
		if all := strings.Join(texts, "|") + "|"; !strings.Contains(all, "|"+c.legend+"|") || !strings.Contains(all, "|most 40.0 %|") {
			t.Errorf("own %v, scale %q: texts %s", c.own, c.scale, all)
		}
	}
}

// TestHeatAroundMean: on a large board whose numbers lie near their mean the scale is around the mean, and
// numbers beyond the scale have the colours of its ends. On other boards, and with fromZero, the scale begins at
// 0.
func TestHeatAroundMean(t *testing.T) {
	values := func(n int, far int64) (all []*big.Rat) {
		for k := range n {
			switch k % 16 {
			case 0:
				all = append(all, big.NewRat(50-far, 100))
			case 1:
				all = append(all, big.NewRat(50+far, 100))
			default:
				all = append(all, big.NewRat(1, 2))
			}
		}
		return all
	}
	for _, c := range []struct {
		cells int
		far   int64
		scale HeatScale
		first string // colour of the cell 0,0
		tick  string
	}{
		{256, 20, "", shareScale().at(0).Hex(), "35.9 or less"}, // the standard deviation is 20/sqrt(8)
		{256, 20, autoScale, shareScale().at(0).Hex(), "64.1 or more"},
		{256, 20, fromZero, shareScale().at(3. / 7).Hex(), "60"},
		{256, 45, "", shareScale().at(5. / 95).Hex(), "80"}, // too far from the mean
		{256, 0, "", shareScale().at(1).Hex(), "50"},        // all are equal
		{16, 20, "", shareScale().at(3. / 7).Hex(), "60"},   // the board is small
		{16, 20, aroundMean, shareScale().at(0).Hex(), "35.9 or less"},
		{16, 0, aroundMean, shareScale().at(1).Hex(), "50"},
	} {
		row := strings.Repeat("#", 16)
		p := puzzle("", board(strings.TrimSpace(strings.Repeat(row+" ", c.cells/16))), "a")
		h := Heat{Scale: c.scale, Panels: []HeatPanel{{"", values(c.cells, c.far), nil}}}
		first, texts := "", "|"
		for _, f := range figuresOf(t, heatMap(t, p, h, PictureOptions{})) {
			if f.title != "" && first == "" {
				first = f.fill
			}
			texts += f.text + "|"
		}
		if first != c.first || !strings.Contains(texts, "|"+c.tick+"|") {
			t.Errorf("%+v: the first cell is %s, texts %.300s", c, first, texts)
		}
	}
}

// TestHeatNumbersHaveRoom: a picture that screens must shrink has no numbers, unless an option sets labels or the
// size of cells.
func TestHeatNumbersHaveRoom(t *testing.T) {
	for _, c := range []struct {
		side    int
		options PictureOptions
		want    bool
	}{
		{20, PictureOptions{}, true},
		{60, PictureOptions{}, false},
		{60, PictureOptions{Cell: 40}, true},
		{60, PictureOptions{Label: numberLabels}, true},
		{30, PictureOptions{Format: pen.TikZ}, false},
		{12, PictureOptions{Format: pen.TikZ}, true},
	} {
		row := strings.Repeat("#", c.side)
		p := puzzle("", board(strings.TrimSpace(strings.Repeat(row+" ", c.side))), "a")
		h := Heat{Panels: []HeatPanel{{"", slices.Repeat([]*big.Rat{big.NewRat(3, 7)}, c.side*c.side), nil}}}
		text := string(heatMap(t, p, h, c.options))
		if got := strings.Count(text, "42.9<") + strings.Count(text, "{42.9}"); (got == c.side*c.side) != c.want {
			t.Errorf("side %d, %+v: %d numbers", c.side, c.options, got)
		}
	}
}

// TestHeatGolden has small pictures and tables in full.
func TestHeatGolden(t *testing.T) {
	dominoes := puzzle("2x3 with dominoes", board("### ###"), "domino")
	third := func(n ...int64) (all []*big.Rat) {
		for _, v := range n {
			all = append(all, big.NewRat(v, 3))
		}
		return all
	}
	h := Heat{Count: big.NewRat(3, 1), Panels: []HeatPanel{{"domino lying", third(2, 2, 1, 2, 2, 1), nil}, {"domino standing", third(1, 0, 2, 1, 0, 2), []int{4}}}}
	h.Panels[0].Values[5] = nil
	signed := heatExample(heatPuzzles(t)["squares"], 4, true, "")
	signed.Panels[0].Marked = []int{3}
	cubes := heatExample(heatPuzzles(t)["cubes"], 5, false, "a", "b")
	hexagons := heatExample(heatPuzzles(t)["hexagons"], 5, false, "a")
	for _, c := range []struct {
		name   string
		puzzle *tiling.Puzzle
		heat   Heat
	}{
		{"heat-dominoes", dominoes, h},
		{"heat-signed", heatPuzzles(t)["squares"], signed},
		{"heat-cubes", heatPuzzles(t)["cubes"], cubes},
		{"heat-hexagons", heatPuzzles(t)["hexagons"], hexagons},
	} {
		golden(t, c.name+".svg", heatMap(t, c.puzzle, c.heat, PictureOptions{Cell: 30}))
		for suffix, o := range map[string]TextOptions{".txt": {width: 50}, "-colour.txt": {Color: true}} {
			var out bytes.Buffer
			if err := HeatText(&out, c.puzzle, c.heat, o); err != nil {
				t.Fatal(err)
			}
			golden(t, c.name+suffix, out.Bytes())
		}
	}
	golden(t, "heat-dominoes.tex", heatMap(t, dominoes, h, PictureOptions{Format: pen.TikZ}))
}

// TestHeatText: if percent with a decimal do not fit, numbers have fewer characters.
func TestHeatText(t *testing.T) {
	p := puzzle("", tiling.NewBoard(tiling.Square, [3]int{1, 1, 10}), "a")
	h := Heat{Panels: []HeatPanel{{"", nil, nil}}}
	for k := range int64(10) {
		h.Panels[0].Values = append(h.Panels[0].Values, big.NewRat(k*k*k+1, 2001))
	}
	h.Panels[0].Values[9] = big.NewRat(1_000_000, 1_000_001)
	for width, want := range map[int]string{
		80: "percent of all tilings\n\n       0     1     2     3     4     5     6     7     8     9\n0   <0.1   0.1   0.4   1.4   3.2   6.3  10.8  17.2  25.6 >99.9\n",
		60: "per mille of all tilings\n\n      0    1    2    3    4    5    6    7    8    9\n0    <1    1    4   14   32   63  108  172  256 >999\n",
		50: "percent of all tilings\n\n     0   1   2   3   4   5   6   7   8   9\n0   <1  <1  <1   1   3   6  11  17  26 >99\n",
	} {
		var out strings.Builder
		if err := HeatText(&out, p, h, TextOptions{width: width}); err != nil || out.String() != want {
			t.Errorf("%v, in %d columns\n%swant\n%s", err, width, out.String(), want)
		}
	}
}

// TestHeatThatCannotBe: every mistake is an error before anything is written.
func TestHeatThatCannotBe(t *testing.T) {
	p := puzzle("", board("##"), "a")
	one := big.NewRat(1, 2)
	good := []*big.Rat{one, one}
	for _, c := range []struct {
		puzzle *tiling.Puzzle
		heat   Heat
		want   string
	}{
		{nil, Heat{}, "the puzzle has no board"},
		{p, Heat{}, "0 panels, expected 1 to 1000 panels"},
		{p, Heat{Panels: make([]HeatPanel, maxPanels+1)}, "1001 panels"},
		{p, Heat{Panels: []HeatPanel{{"", good, nil}, {"", good[:1], nil}}}, "panel 1 has 1 values for 2 cells, expected one value for each cell"},
		{p, Heat{Panels: []HeatPanel{{"", []*big.Rat{one, big.NewRat(-1, 9)}, nil}}}, "panel 0: the share of cell 1 is negative"},
		{p, Heat{Panels: []HeatPanel{{"", good, []int{2}}}}, "cell 2 is marked"},
		{p, Heat{Panels: []HeatPanel{{"", good, []int{-1}}}}, "cell -1 is marked"},
		{p, Heat{Scale: "log", Panels: []HeatPanel{{"", good, nil}}}, `scale is "log", expected auto, zero, mean, fit or full`},
		{bigBoard(), Heat{Panels: make([]HeatPanel, 17)}, "17 panels with 65536 cells"},
	} {
		var out bytes.Buffer
		wantInvalid(t, HeatMap(&out, c.puzzle, c.heat, PictureOptions{}), c.want)
		wantInvalid(t, HeatText(&out, c.puzzle, c.heat, TextOptions{}), c.want)
		if out.Len() > 0 {
			t.Errorf("%s: %d bytes", c.want, out.Len())
		}
	}
	h := Heat{Panels: []HeatPanel{{"", good, nil}}}
	wantInvalid(t, HeatMap(io.Discard, p, h, PictureOptions{Cell: 1001}), "sides of a cell have 1001")
	err := HeatMap(io.Discard, p, h, PictureOptions{Format: pen.PNG, Pixels: 100, Cell: 40})
	if wantInvalid(t, err, "too large"); !errors.Is(err, pen.ErrTooLarge) {
		t.Errorf("%v", err)
	}
	for _, f := range pen.Formats {
		if err := HeatMap(full{}, p, h, PictureOptions{Format: f}); !errors.Is(err, errFull) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	if err := HeatText(full{}, p, h, TextOptions{}); !errors.Is(err, errFull) {
		t.Errorf("%v", err)
	}
}

// bigBoard returns a board of 256x256 cells.
func bigBoard() *tiling.Puzzle {
	return puzzle("", tiling.NewBoard(tiling.Square, [3]int{1, 256, 256}))
}

// TestHeatExtremes draws heat maps without a usual range: only zeros, no numbers, tiny and huge
// numbers.
func TestHeatExtremes(t *testing.T) {
	p := puzzle("", board("##"), "a")
	huge := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(5000), nil))
	tiny := new(big.Rat).Inv(huge)
	for _, values := range [][]*big.Rat{{new(big.Rat), new(big.Rat)}, {nil, nil}, {tiny, new(big.Rat)}, {huge, tiny}, {huge, huge}} {
		for _, scale := range HeatScale("").Choices() {
			for _, signed := range []bool{false, true} {
				h := Heat{Count: huge, Scale: HeatScale(scale), Signed: signed, Panels: []HeatPanel{{"", values, nil}}}
				doc := heatMap(t, p, h, PictureOptions{})
				checkSVG(t, doc)
				if len(doc) > 60000 {
					t.Errorf("%d bytes", len(doc))
				}
				heatMap(t, p, h, PictureOptions{Format: pen.PNG})
				if err := HeatText(io.Discard, p, h, TextOptions{}); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// TestSmallCells: small cells have numbers only if these are readable, or are requested.
func TestSmallCells(t *testing.T) {
	p := puzzle("", board("###"), "a")
	h := Heat{Panels: []HeatPanel{{"", []*big.Rat{big.NewRat(1, 3), big.NewRat(1, 7), big.NewRat(1, 5)}, nil}}}
	for _, c := range []struct {
		cell  int
		label Label
		want  string
	}{{40, "", "33.3"}, {24, "", "33"}, {10, "", ""}, {40, noLabel, ""}, {10, numberLabels, "33"}} {
		got := ""
		for _, f := range figuresOf(t, heatMap(t, p, h, PictureOptions{Cell: c.cell, Label: c.label})) {
			if strings.HasPrefix(f.text, "33") {
				got = f.text
			}
		}
		if got != c.want {
			t.Errorf("cell %d, label %q: %q, want %q", c.cell, c.label, got, c.want)
		}
	}
}

// TestHeatOfSmallNumbers: signed numbers that are all small are written times a power of ten.
func TestHeatOfSmallNumbers(t *testing.T) {
	p := puzzle("", board("##"), "a")
	for _, c := range []struct {
		a, b, want, legend string
		marked             []int
	}{
		{"1/4", "1/1000", "[250.0] 1.0", "numbers around 0 (times 1000)", []int{0}},
		{"1/4", "0", "[0.25] 0", "numbers around 0", []int{0}},
		{"1/10", "-1/1000", "0.10 0.00", "numbers around 0", nil},
		{"-3/40", "1/1000", "-75.0 1.0", "numbers around 0 (times 1000)", nil},
		{"-3/4000", "1/40000", "-750.0 25.0", "numbers around 0 (times 10^6)", nil},
		{"-1/1000", "0", "-1.0 0", "numbers around 0 (times 1000)", nil},
		{"0", "0", "0 0", "numbers around 0", nil},
	} {
		h := Heat{Signed: true, Panels: []HeatPanel{{"", nil, c.marked}}}
		for _, text := range []string{c.a, c.b} {
			v, _ := new(big.Rat).SetString(text)
			h.Panels[0].Values = append(h.Panels[0].Values, v)
		}
		var out strings.Builder
		if err := HeatText(&out, p, h, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(out.String(), "\n")
		if got := strings.Join(strings.Fields(lines[len(lines)-2])[1:], " "); got != c.want || lines[0] != c.legend {
			t.Errorf("%s, %s: %s under %q, want %s under %q", c.a, c.b, got, lines[0], c.want, c.legend)
		}
		if doc := string(heatMap(t, p, h, PictureOptions{})); !strings.Contains(doc, ">"+c.legend+"<") || !strings.Contains(doc, ">"+strings.Trim(strings.Fields(c.want)[0], "[]")+"<") {
			t.Errorf("%s, %s: no %q or %s in\n%s", c.a, c.b, c.legend, c.want, doc)
		}
	}
}

func TestNumbers(t *testing.T) {
	rat := func(s string) *big.Rat {
		v, ok := new(big.Rat).SetString(s)
		if !ok {
			t.Fatal(s)
		}
		return v
	}
	for _, c := range []struct {
		share    string
		decimals int
		want     string
	}{
		{"0", 1, "0"},
		{"1", 1, "100"},
		{"1/3", 1, "33.3"},
		{"1/3", 0, "33"},
		{"1/100000", 1, "<0.1"},
		{"1/1000", 0, "<1"},
		{"1/2000", 1, "0.1"},
		{"99999/100000", 1, ">99.9"},
		{"999/1000", 0, ">99"},
		{"999/1000", 1, "99.9"},
		{"3/2", 1, "150.0"},
		{"1/2", 4, "50.0000"},
	} {
		if got := percent(rat(c.share), c.decimals); got != c.want {
			t.Errorf("%s with %d decimals is %q, want %q", c.share, c.decimals, got, c.want)
		}
	}
	for number, want := range map[string]string{"0": "0", "-1/2": "-0.50", "1/1000": "0.00", "-1/1000": "0.00", "-1": "-1.00"} {
		if got := signed(rat(number), 0); got != want {
			t.Errorf("%s is %q, want %q", number, got, want)
		}
	}
	for number, want := range map[string]string{"0": "0", "123456": "123456", "1234567": "1.23·10^6", "9999999": "1.00·10^7", "5/2": "2.5", "10000000000000/7": "1.43·10^12", "1/1000000000": "1.00·10^-9"} {
		if got := total(rat(number), 6); got != want {
			t.Errorf("%s is %q, want %q", number, got, want)
		}
	}
	if got := shortened("a long name", 7); got != "a long…" {
		t.Errorf("%q", got)
	}
}
