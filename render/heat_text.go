package render

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// HeatText writes a table of numbers for each panel and layer, side by side if they fit. Shares are
// in percent with one decimal or, if the tables are too wide, in per mille or in whole percent.
// With o.Color, numbers have backgrounds in the colours of the scale. Errors are as for Text.
//
//	percent of 3 tilings
//	domino lying          domino standing
//	      0    1    2           0    1    2
//	0  66.7 66.7 66.7     0  33.3 33.3 33.3
//	1  66.7 66.7 66.7     1  33.3 33.3 33.3
func HeatText(w io.Writer, p *tiling.Puzzle, h Heat, o TextOptions) error {
	m, err := h.on(p)
	if err != nil {
		return err
	}
	t := &heatText{boardHeat: m, options: o}
	t.choose()
	out := bufio.NewWriter(w)
	legend := t.heat.legend()
	switch {
	case t.heat.Signed, t.heat.Plain:
	case t.heat.Legend == "":
		legend = t.unit.name + strings.TrimPrefix(legend, "percent")
	default:
		legend += ", in " + t.unit.name
	}
	fmt.Fprintln(out, legend)
	_, first := m.scene.lattice.TypedAt(tiling.Cell{})
	_, below := m.scene.lattice.TypedAt(tiling.Cell{0, 1, 0})
	straight := first == below // whether cells of a column are drawn below each other
	var tables [][]tableLine
	for k, panel := range t.heat.Panels {
		for layer := range t.scene.layers() {
			name := pen.Printable(panel.Name)
			if t.scene.layers() > 1 {
				name = strings.TrimSpace(fmt.Sprintf("%s layer %d", name, layer))
			}
			lines := []tableLine{plainLine(shortened(name, max(t.width(), 20)))}
			if name == "" && len(t.heat.Panels) == 1 {
				lines = nil
			}
			if straight {
				text := strings.Repeat(" ", t.labels+1)
				for x := range t.scene.columns() {
					text += fmt.Sprintf(" %*d", t.cell, x)
				}
				lines = append(lines, plainLine(text))
			}
			for row := range t.scene.rows() {
				lines = append(lines, t.row(k, panel, layer, row))
			}
			tables = append(tables, lines)
		}
		if t.scene.layers() > 1 || k == len(t.heat.Panels)-1 {
			width := 0
			for _, table := range tables {
				for _, l := range table {
					width = max(width, l.width)
				}
			}
			n := len(tables)
			across := min(n, max(1, (t.options.columns()+gap)/(width+gap)))
			down := (n + across - 1) / across
			across = (n + down - 1) / down
			for shelf := range slices.Chunk(tables, across) {
				writeTables(out, shelf, width+gap)
			}
			tables = nil
		}
	}
	return out.Flush()
}

type heatText struct {
	*boardHeat
	options TextOptions
	unit    heatUnit
	cell    int
	labels  int // width of the row numbers, in columns
}

type heatUnit struct {
	name     string // beginning of a title such as "NAME of 3 tilings"
	times    int64
	decimals int
}

// heatUnits are sorted by the width of numbers, the widest first.
var heatUnits = []heatUnit{{"percent", 100, 1}, {"per mille", 1000, 0}, {"percent", 100, 0}}

func (t *heatText) choose() {
	t.labels = len(fmt.Sprint(t.scene.rows() - 1))
	for _, t.unit = range heatUnits {
		n := len(fmt.Sprint(t.scene.columns() - 1))
		for _, panel := range t.heat.Panels {
			for i := range panel.Values {
				n = max(n, len(t.number(panel, i)))
			}
			for _, i := range panel.Marked {
				n = max(n, len(t.number(panel, i))+2) // room for brackets
			}
		}
		t.cell = n
		if width := t.width(); t.heat.Signed || width <= t.options.columns() {
			return
		}
	}
}

func (t *heatText) number(panel HeatPanel, cell int) string {
	switch v := panel.Values[cell]; {
	case v == nil:
		return "-"
	case t.heat.Signed, t.heat.Plain:
		return t.heat.short(v, t.unit.decimals)
	default:
		return rounded(v, t.unit.times, t.unit.decimals)
	}
}

func (t *heatText) column(c tiling.Cell) int {
	lattice := t.scene.lattice
	_, first := lattice.TypedAt(tiling.Cell{})
	_, second := lattice.TypedAt(tiling.Cell{0, 0, 1})
	_, at := lattice.TypedAt(c)
	return at * (t.step() + t.step()%(second-first)) / (second - first)
}

func (t *heatText) step() int { return t.cell + 1 }

func (t *heatText) width() int {
	most := 0
	for _, c := range t.scene.puzzle.Board.Cells {
		most = max(most, t.column(c)+t.cell)
	}
	return t.labels + 2 + most
}

// tableLine is a line and its width in columns; escape sequences have no width.
type tableLine struct {
	text  string
	width int
}

func (t *heatText) row(k int, panel HeatPanel, layer, row int) tableLine {
	r := t.rangeOf(k)
	text, at := fmt.Sprintf("%*d  ", t.labels, row), 0
	for c := range t.scene.cells(layer) {
		if c[1] != row {
			continue
		}
		i := t.scene.at(c) - 1
		column := t.column(c)
		text += strings.Repeat(" ", max(0, column-at))
		number := fmt.Sprintf("%*s", t.cell, t.number(panel, i))
		if slices.Contains(panel.Marked, i) {
			number = fmt.Sprintf("%*s", t.cell, "["+strings.TrimSpace(number)+"]")
		}
		at = column + utf8.RuneCountInString(number)
		if t.options.Color && panel.Values[i] != nil {
			number = colourSGR(t.colours.at(r.place(panel.Values[i]))) + number + plainSGR
		}
		text += number
	}
	return tableLine{text, t.labels + 2 + at}
}

func plainLine(text string) tableLine { return tableLine{text, utf8.RuneCountInString(text)} }

func writeTables(out *bufio.Writer, tables [][]tableLine, step int) {
	out.WriteByte('\n')
	lines := 0
	for _, table := range tables {
		lines = max(lines, len(table))
	}
	for y := range lines {
		line, at := "", 0
		for k, table := range tables {
			if y < len(table) && table[y].text != "" {
				line += strings.Repeat(" ", k*step-at) + table[y].text
				at = k*step + table[y].width
			}
		}
		out.WriteString(line + "\n")
	}
}
