package sequence

import (
	"bytes"
	"fmt"
	"io"
)

// textWriter keeps the values of a table until it can be aligned.
type textWriter struct {
	out    io.Writer
	table  *Table
	width  int // of a line, in characters; 0: any
	values []string
}

// NewText writes a table for people when it is closed: all rows that are there,
// the last perhaps in part. Tables wider than width characters are broken
// between columns; a width of 0 breaks none.
func NewText(out io.Writer, t *Table, width int) Writer {
	return &textWriter{out: out, table: t, width: width}
}

func (w *textWriter) Value(i int, v Value) error {
	text := v.shown().String()
	if w.table.PerCell {
		text = perCell(v.Count, w.table.cells(i))
	}
	w.values = append(w.values, text)
	return nil
}

func (w *textWriter) Sync() error  { return nil }
func (w *textWriter) Written() int { return len(w.values) }

func (w *textWriter) Close() error {
	var out bytes.Buffer
	t := w.table
	if t.Diagonal || t.free >= 0 {
		var cells [][]string
		for i, n := range w.values {
			cells = append(cells, []string{w.table.Family.SizeName(w.table.sizes[i]), n})
		}
		writeAligned(&out, cells, w.width)
	} else {
		from := 0
		for k, end := range t.groups {
			rows := t.Sides[1].len()
			if k%rows == 0 && from < len(w.values) {
				layer := t.groups[min(k+rows, len(t.groups))-1]
				w.layer(&out, from, min(layer, len(w.values)))
			}
			from = end
		}
	}
	_, err := w.out.Write(out.Bytes())
	return err
}

// layer writes the table of the values from..to-1, rows and columns labelled.
func (w *textWriter) layer(out *bytes.Buffer, from, to int) {
	t := w.table
	corner := "n\\k"
	if !t.flat {
		if from > 0 {
			out.WriteByte('\n')
		}
		corner = fmt.Sprintf("%d: n\\k", t.sizes[from][0])
	}
	cells := [][]string{{corner}}
	for c := t.Sides[2].Least; c <= t.Sides[2].Most; c++ {
		cells[0] = append(cells[0], fmt.Sprint(c))
	}
	width := t.Sides[2].len()
	for ; from < to; from += width {
		row := []string{fmt.Sprint(t.sizes[from][1])}
		cells = append(cells, append(row, w.values[from:min(from+width, to)]...))
	}
	writeAligned(out, cells, w.width)
}

// writeAligned writes columns flush right, two blanks apart. What is wider than
// width, if that is not 0, goes on below, under the first column again.
func writeAligned(out *bytes.Buffer, cells [][]string, width int) {
	var widths []int
	for _, row := range cells {
		for k, c := range row {
			if k == len(widths) {
				widths = append(widths, 0)
			}
			widths[k] = max(widths[k], len(c))
		}
	}
	for from := 1; from < len(widths); {
		to, line := from, widths[0]
		for to < len(widths) && (to == from || width == 0 || line+2+widths[to] <= width) {
			line += 2 + widths[to]
			to++
		}
		if from > 1 {
			out.WriteByte('\n')
		}
		for _, row := range cells {
			if from > 1 && from >= len(row) {
				continue // a row that ends before these columns
			}
			fmt.Fprintf(out, "%*s", widths[0], row[0])
			for k := from; k < min(to, len(row)); k++ {
				fmt.Fprintf(out, "%*s", 2+widths[k], row[k])
			}
			out.WriteByte('\n')
		}
		from = to
	}
}
