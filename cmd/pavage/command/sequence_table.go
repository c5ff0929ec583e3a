package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pavage/pavage/tiling"
)

// The formats of a table.
const (
	formatText  = "text"
	formatCSV   = "csv"
	formatJSON  = "json"
	formatBFile = "bfile"
)

// table is the sizes whose counts are wanted, in the order in which they are
// written.
type table struct {
	family   *tiling.Family
	sides    [3]sides
	flat     bool // of one layer that nobody asked for
	diagonal bool
	format   string
	command  string
	sizes    [][3]int
	groups   []int // the size that each line of the table ends before
	free     int   // the only axis along which sizes vary; -1: several, or the diagonal
}

// plan lists the sizes.
func (t *table) plan() error {
	if !slices.Contains([]string{formatText, formatCSV, formatJSON, formatBFile}, t.format) {
		return usage("unknown --format %q, want text, csv, json or bfile", t.format)
	}
	values := 1
	for _, s := range t.sides {
		values *= s.len() // at most 2^36
	}
	if values > maxValues {
		return usage("%d sizes wanted, want at most %d", values, maxValues)
	}
	t.findFree()
	switch {
	case t.diagonal:
		return t.planDiagonal()
	case t.format == formatBFile && t.free < 0:
		return t.planAntidiagonals()
	}
	for l := t.sides[0].least; l <= t.sides[0].most; l++ {
		for r := t.sides[1].least; r <= t.sides[1].most; r++ {
			for c := t.sides[2].least; c <= t.sides[2].most; c++ {
				t.sizes = append(t.sizes, [3]int{l, r, c})
			}
			t.endGroup()
		}
	}
	return nil
}

func (t *table) endGroup() { t.groups = append(t.groups, len(t.sizes)) }

func (t *table) findFree() {
	t.free = -1
	varying := 0
	for axis, s := range t.sides {
		if !s.single() {
			varying++
			t.free = axis
		}
	}
	switch {
	case t.diagonal || varying > 1:
		t.free = -1
	case varying == 0:
		t.free = 2
	}
}

func (t *table) planDiagonal() error {
	n, most := 1, tiling.MaxSide
	for axis, s := range t.sides {
		if axis > 0 || !t.flat {
			n, most = max(n, s.least), min(most, s.most)
		}
	}
	if n > most {
		return usage("--diagonal wants rows and columns that have a number in common")
	}
	for ; n <= most; n++ {
		size := [3]int{n, n, n}
		if t.flat {
			size[0] = 1
		}
		t.sizes = append(t.sizes, size)
		t.endGroup()
	}
	return nil
}

func (t *table) planAntidiagonals() error {
	rows, columns := t.sides[1], t.sides[2]
	switch {
	case !t.sides[0].single() || rows.single() || columns.single():
		return usage("a b-file of solid boards wants all sides but one fixed, or --diagonal")
	case rows.least != columns.least:
		return usage("a b-file of a table, read by antidiagonals, wants rows and columns from the same number, not %d and %d", rows.least, columns.least)
	}
	for d := range min(rows.len(), columns.len()) {
		for i := range d + 1 {
			t.sizes = append(t.sizes, [3]int{t.sides[0].least, rows.least + i, rows.least + d - i})
		}
		t.endGroup()
	}
	return nil
}

// write counts the sizes from the given one on, one after another.
func (t *table) write(ctx context.Context, w valueWriter, b *boxes, from int) error {
	group, _ := slices.BinarySearch(t.groups, from+1)
	for i := from; i < len(t.sizes); i++ {
		n, err := b.count(ctx, t.sizes[i])
		if err != nil {
			return err
		}
		if err := w.value(i, n); err != nil {
			return err
		}
		if i+1 == t.groups[group] {
			group++
			if err := w.sync(); err != nil {
				return err
			}
		}
	}
	return nil
}

// header is what comes before the values, but for text.
func (t *table) header() string {
	switch t.format {
	case formatCSV:
		if t.flat {
			return "# " + t.command + "\nrows,columns,count\n"
		}
		return "# " + t.command + "\nlayers,rows,columns,count\n"
	case formatJSON:
		var line strings.Builder
		_ = writeJSON(&line, tableJSON{t.command, len(t.sizes)}) // a builder does not fail
		return line.String()
	}
	return "# " + t.command + "\n# " + t.title() + "\n"
}

// tableJSON is the first line of a table as JSON.
type tableJSON struct {
	Command string `json:"command"`
	Values  int    `json:"values"`
}

// title says what is counted, and what n is in a b-file.
func (t *table) title() string {
	const counted = "number of tilings of the board of "
	fixed := func(axis int) string { return fmt.Sprintf("%d %s", t.sides[axis].least, sideNames[axis]) }
	switch {
	case t.diagonal && t.flat:
		return "a(n) is the " + counted + "n rows and n columns"
	case t.diagonal:
		return "a(n) is the " + counted + "n layers, n rows and n columns"
	case t.free < 0:
		return "T(n,k) is the " + counted + "n rows and k columns, read by antidiagonals, T(n,k) before T(n+1,k-1)"
	}
	text := "a(n) is the " + counted + "n " + sideNames[t.free]
	for axis := range sideNames {
		if axis != t.free && (axis > 0 || !t.flat) {
			text += " and " + fixed(axis)
		}
	}
	return text
}

// frame is what stands before and after the count on the line of size i.
func (t *table) frame(i int) (before, after string) {
	s := t.sizes[i]
	switch {
	case t.format == formatJSON && t.flat:
		return fmt.Sprintf(`{"rows":%d,"columns":%d,"count":"`, s[1], s[2]), "\"}\n"
	case t.format == formatJSON:
		return fmt.Sprintf(`{"layers":%d,"rows":%d,"columns":%d,"count":"`, s[0], s[1], s[2]), "\"}\n"
	case t.format == formatCSV && t.flat:
		return fmt.Sprintf("%d,%d,", s[1], s[2]), "\n"
	case t.format == formatCSV:
		return fmt.Sprintf("%d,%d,%d,", s[0], s[1], s[2]), "\n"
	case t.diagonal:
		return fmt.Sprintf("%d ", s[2]), "\n"
	case t.free >= 0:
		return fmt.Sprintf("%d ", s[t.free]), "\n"
	}
	return fmt.Sprintf("%d ", i+1), "\n"
}
