package sequence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pavage/pavage/internal/kit/atomicfile"
	"github.com/pavage/pavage/internal/kit/logarithm"
)

// Format is the format of a table.
type Format string

// The formats. Text is for people; the other formats have a line for each value.
const (
	Text  Format = "text"
	CSV   Format = "csv"
	JSON  Format = "json"
	BFile Format = "bfile"
)

// Choices returns all values of a Format.
func (Format) Choices() []string {
	return []string{string(Text), string(CSV), string(JSON), string(BFile)}
}

func (t *Table) columns() (sides []string, counts []string) {
	sides, counts = SideNames[:], []string{"count"}
	if t.flat {
		sides = sides[1:]
	}
	if t.Distinct {
		counts = append(counts, "distinct")
	}
	if t.PerCell {
		counts = append(counts, "per_cell")
	}
	return sides, counts
}

// formula matches a line of CSV if a spreadsheet may read a cell after a comma as a formula.
var formula = regexp.MustCompile(`,"?[=+@-]`)

func (t *Table) header() string {
	switch t.Format {
	case CSV:
		sides, counts := t.columns()
		comment := "# " + t.Command
		if formula.MatchString(comment) {
			comment = `"` + strings.ReplaceAll(comment, `"`, `""`) + `"` // makes it a single cell
		}
		return comment + "\n" + strings.Join(append(append([]string{}, sides...), counts...), ",") + "\n"
	case JSON:
		var line strings.Builder
		e := json.NewEncoder(&line)
		e.SetEscapeHTML(false)
		_ = e.Encode(struct { // a strings.Builder returns no errors
			Command string `json:"command"`
			Values  int    `json:"values"`
		}{t.Command, len(t.sizes)})
		return line.String()
	}
	return "# " + t.Command + "\n# " + t.title() + "\n"
}

func (t *Table) title() string {
	const counted = "number of tilings of the board of "
	fixed := func(axis int) string { return fmt.Sprintf("%d %s", t.Sides[axis].Least, SideNames[axis]) }
	switch {
	case t.Diagonal && t.flat:
		return "a(n) is the " + counted + "n rows and n columns" + t.upTo()
	case t.Diagonal:
		return "a(n) is the " + counted + "n layers, n rows and n columns" + t.upTo()
	case t.free < 0:
		return "T(n,k) is the " + counted + "n rows and k columns" + t.upTo() + ", read by antidiagonals, T(n,k) before T(n+1,k-1)"
	}
	text := "a(n) is the " + counted + "n " + SideNames[t.free]
	for axis := range SideNames {
		if axis != t.free && (axis > 0 || !t.flat) {
			text += " and " + fixed(axis)
		}
	}
	return text + t.upTo()
}

func (t *Table) upTo() string {
	text := ""
	switch {
	case t.Distinct && t.Reflections:
		text = " up to its rotations and reflections"
	case t.Distinct:
		text = " up to its rotations"
	}
	if t.Kept != "" {
		text += " with conditions: " + t.Kept
	}
	return text
}

func (t *Table) template(i int) string {
	s, sides := t.sizes[i], t.sizes[i][:]
	if t.flat {
		sides = s[1:]
	}
	switch t.Format {
	case CSV, JSON:
		names, counts := t.columns()
		var fields []string
		for k, n := range sides {
			if t.Format == JSON {
				fields = append(fields, fmt.Sprintf("%q:%d", names[k], n))
			} else {
				fields = append(fields, fmt.Sprint(n))
			}
		}
		for _, name := range counts {
			of := mark
			if name == "per_cell" {
				of = logMark
			}
			if t.Format == JSON {
				fields = append(fields, fmt.Sprintf(`%q:"%s"`, name, of))
			} else {
				fields = append(fields, of)
			}
		}
		line := strings.Join(fields, ",")
		if t.Format == JSON {
			line = "{" + line + "}"
		}
		return line + "\n"
	}
	n := i + 1
	switch {
	case t.Diagonal:
		n = s[2]
	case t.free >= 0:
		n = s[t.free]
	}
	return fmt.Sprintf("%d %s\n", n, mark)
}

// mark stands for a count in the template of a line. It occurs nowhere else in a line.
const mark = "COUNT"

const logMark = "LOGARITHM"

func (t *Table) line(i int, v Value) string {
	text := t.template(i)
	numbers := []*big.Int{v.shown()} // counts for the marks, in order
	if t.Distinct && (t.Format == CSV || t.Format == JSON) {
		numbers = []*big.Int{v.Count, v.Distinct}
	}
	for _, n := range numbers {
		text = strings.Replace(text, mark, n.String(), 1)
	}
	return t.withLogarithm(text, i, v.Count)
}

func (t *Table) withLogarithm(text string, i int, count *big.Int) string {
	if !t.PerCell {
		return text
	}
	return strings.Replace(text, logMark, perCell(count, t.cells(i)), 1)
}

// perCell returns the natural logarithm of count, divided by cells, or "-" if count or cells is 0.
func perCell(count *big.Int, cells int) string {
	if count.Sign() == 0 || cells == 0 {
		return "-"
	}
	return logarithm.Sum(logarithm.Term{Factor: big.NewRat(1, int64(cells)), Of: new(big.Rat).SetInt(count)})
}

// Logarithm returns the natural logarithm of the count of value i, divided by the number of cells
// of its board. It returns "" if PerCell is false, or if the count or the number of cells is 0.
func (t *Table) Logarithm(i int, v Value) string {
	if !t.PerCell || v.Count == nil {
		return ""
	}
	return strings.Trim(perCell(v.Count, t.cells(i)), "-")
}

func (t *Table) cells(i int) int {
	s := t.sizes[i]
	return s[0] * s[1] * s[2]
}

func (t *Table) parse(i int, line string) (Value, bool) {
	var numbers []*big.Int
	rest := line
	parts := strings.Split(t.template(i), mark)
	for _, part := range parts[:len(parts)-1] {
		after, found := strings.CutPrefix(rest, part)
		digits := after[:len(after)-len(strings.TrimLeft(after, "0123456789"))]
		n, ok := new(big.Int).SetString(digits, 10)
		if !found || !ok {
			return Value{}, false
		}
		numbers, rest = append(numbers, n), after[len(digits):]
	}
	v := Value{Count: numbers[0]}
	switch {
	case t.Distinct && len(numbers) == 1:
		v = Value{Distinct: numbers[0]}
	case t.Distinct:
		v.Distinct = numbers[1]
	}
	return v, t.line(i, v) == line
}

// Writer writes the values of a table in order.
type Writer interface {
	Take(i int, v Value, row bool) error // see Taker
	Close() error                        // must be called even after an error
	Written() int                        // number of values in the output, including earlier runs
}

type lineWriter struct {
	out   io.Writer
	table *Table
	lines int
}

// NewLines writes the beginning of a table in any format except Text.
func NewLines(out io.Writer, t *Table) (Writer, error) {
	_, err := io.WriteString(out, t.header())
	return &lineWriter{out: out, table: t}, err
}

func (w *lineWriter) Take(i int, v Value, _ bool) error {
	if _, err := io.WriteString(w.out, w.table.line(i, v)); err != nil {
		return err
	}
	w.lines++
	return nil
}

func (w *lineWriter) Close() error { return nil }
func (w *lineWriter) Written() int { return w.lines }

type fileWriter struct {
	lineWriter
	file *os.File
}

// Take writes a value. At the end of a row, it also syncs the file.
func (w *fileWriter) Take(i int, v Value, row bool) error {
	err := w.lineWriter.Take(i, v, row)
	if err == nil && row {
		err = w.file.Sync()
	}
	return err
}

func (w *fileWriter) Close() error { return errors.Join(w.file.Sync(), w.file.Close()) }

// Open opens the file of a table and returns the values in the file. In a new file, or in a file
// that ends within the header, it writes the header. It removes an incomplete last line. If the
// file has other lines than this table would have, Open returns an [Error] and does not change the
// file.
func Open(path string, t *Table) (Writer, []Value, error) {
	if t.Format == Text {
		return nil, nil, bad("the format text cannot be continued later, so an output file cannot have it: expected the format csv, json or bfile")
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, fmt.Errorf("output: %w", err)
	}
	w := &fileWriter{lineWriter{out: file, table: t}, file}
	values, err := w.resume(path)
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return w, values, nil
}

func (w *fileWriter) resume(path string) ([]Value, error) {
	info, err := w.file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, bad("output %s is not a regular file, expected a regular file or standard output", path)
	}
	header := w.table.header()
	start := make([]byte, len(header)+mostClipped) // do not read all of a large file of another kind
	n, err := io.ReadFull(w.file, start)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	start = start[:n]
	if n < len(header) && strings.HasPrefix(header, string(start)) {
		if err := w.cut(0); err != nil {
			return nil, err
		}
		_, err := io.WriteString(w.file, header)
		return nil, errors.Join(err, atomicfile.SyncFolder(filepath.Dir(path))) // the file may be new
	}
	have, wanted := slices.Collect(strings.Lines(string(start))), slices.Collect(strings.Lines(header))
	for i, want := range wanted {
		if have[i] != want {
			return nil, bad("%s:%d: the line %s belongs to another sequence, expected %s; use another output file, or the command that began this file",
				path, i+1, clip(have[i]), clip(want))
		}
	}
	rest, err := io.ReadAll(io.MultiReader(bytes.NewReader(start[len(header):]), w.file))
	if err != nil {
		return nil, err
	}
	var values []Value
	end := len(header)
	for line := range strings.Lines(string(rest)) {
		if !strings.HasSuffix(line, "\n") {
			break
		}
		number := len(wanted) + len(values) + 1
		if len(values) == len(w.table.sizes) {
			return nil, bad("%s:%d: the line %s follows the last value of the table, expected the end of the file", path, number, clip(line))
		}
		v, ok := w.table.parse(len(values), line)
		if !ok {
			return nil, bad("%s:%d: the line %s is damaged, expected %s; delete this line and all later lines, then give the same command again",
				path, number, clip(line), clip(w.table.template(len(values))))
		}
		values, end = append(values, v), end+len(line)
	}
	w.lines = len(values)
	return values, w.cut(int64(end))
}

func (w *fileWriter) cut(offset int64) error {
	if err := w.file.Truncate(offset); err != nil {
		return err
	}
	_, err := w.file.Seek(offset, io.SeekStart)
	return err
}

const mostClipped = 200

func clip(line string) string {
	line = strings.TrimRight(line, "\n")
	if len(line) > mostClipped {
		line = line[:mostClipped] + "…"
	}
	return fmt.Sprintf("%q", strings.ToValidUTF8(line, "?"))
}

type textWriter struct {
	out    io.Writer
	table  *Table
	width  int // largest number of characters in a line; 0 means no limit
	values []string
}

// NewText returns a Writer that writes the table as text when it is closed, even if the last row is
// incomplete. Lines have at most width characters, or any number if width is 0.
func NewText(out io.Writer, t *Table, width int) Writer {
	return &textWriter{out: out, table: t, width: width}
}

func (w *textWriter) Take(i int, v Value, _ bool) error {
	text := v.shown().String()
	if w.table.PerCell {
		text = perCell(v.Count, w.table.cells(i))
	}
	w.values = append(w.values, text)
	return nil
}

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

// writeAligned writes columns flush right, in lines of at most width characters; 0 means no limit.
// If not all columns fit, it writes the first columns of all rows, and then the others below.
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
				continue // the row has none of these columns
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
