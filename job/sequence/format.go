package sequence

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/pavage/pavage/internal/kit/atomicfile"
	"github.com/pavage/pavage/internal/kit/logarithm"
)

// Format is how a table is written.
type Format string

// The formats. Text is for people, the others have a line for each value.
const (
	Text  Format = "text"
	CSV   Format = "csv"
	JSON  Format = "json"
	BFile Format = "bfile"
)

// Choices are all values a Format may have.
func (Format) Choices() []string {
	return []string{string(Text), string(CSV), string(JSON), string(BFile)}
}

// columns are the names of the fields of a line, and of the numbers of a size.
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

// formula matches a line in which a spreadsheet would read a formula after a comma.
var formula = regexp.MustCompile(`,"?[=+@-]`)

// header is what comes before the values, but for text.
func (t *Table) header() string {
	switch t.Format {
	case CSV:
		sides, counts := t.columns()
		comment := "# " + t.Command
		if formula.MatchString(comment) {
			comment = `"` + strings.ReplaceAll(comment, `"`, `""`) + `"` // one cell
		}
		return comment + "\n" + strings.Join(append(append([]string{}, sides...), counts...), ",") + "\n"
	case JSON:
		var line strings.Builder
		e := json.NewEncoder(&line)
		e.SetEscapeHTML(false)
		_ = e.Encode(tableJSON{t.Command, len(t.sizes)}) // a builder does not fail
		return line.String()
	}
	return "# " + t.Command + "\n# " + t.title() + "\n"
}

// tableJSON is the first line of a table as JSON.
type tableJSON struct {
	Command string `json:"command"`
	Values  int    `json:"values"`
}

// title says what is counted, and what n is in a b-file.
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

// upTo says which tilings are counted once, and which are counted at all.
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

// template is the line of a size with a mark in place of each count.
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

// mark stands for a count in a template. No format has it elsewhere.
const mark = "COUNT"

// logMark stands for the logarithm of a count, which comes behind the counts of a line.
const logMark = "LOGARITHM"

// line is the line of a value.
func (t *Table) line(i int, v Value) string {
	text := t.template(i)
	numbers := []*big.Int{v.shown()} // in the order of the marks
	if t.Distinct && (t.Format == CSV || t.Format == JSON) {
		numbers = []*big.Int{v.Count, v.Distinct}
	}
	for _, n := range numbers {
		text = strings.Replace(text, mark, n.String(), 1)
	}
	return t.withLogarithm(text, i, v.Count)
}

// withLogarithm replaces the mark of the logarithm, if there is one.
func (t *Table) withLogarithm(text string, i int, count *big.Int) string {
	if !t.PerCell {
		return text
	}
	return strings.Replace(text, logMark, perCell(count, t.cells(i)), 1)
}

// perCell is the natural logarithm of a count, divided by a number of cells; "-" if there is none.
func perCell(count *big.Int, cells int) string {
	if count.Sign() == 0 || cells == 0 {
		return "-"
	}
	return logarithm.Sum(logarithm.Term{Factor: big.NewRat(1, int64(cells)), Of: new(big.Rat).SetInt(count)})
}

// Logarithm is that of the count of value i, divided by the cells of the board; "" if it is not
// wanted, or if there is none.
func (t *Table) Logarithm(i int, v Value) string {
	if !t.PerCell || v.Count == nil {
		return ""
	}
	return strings.Trim(perCell(v.Count, t.cells(i)), "-")
}

// cells is how many cells the board of value i has.
func (t *Table) cells(i int) int {
	s := t.sizes[i]
	return s[0] * s[1] * s[2]
}

// parse reads the value of line i, as line wrote it.
func (t *Table) parse(i int, line string) (Value, bool) {
	var numbers []*big.Int
	rest := line
	parts := strings.Split(t.template(i), mark)
	for k, part := range parts {
		if k == len(parts)-1 && k > 0 {
			part = t.withLogarithm(part, i, numbers[0])
		}
		after, ok := strings.CutPrefix(rest, part)
		if !ok {
			return Value{}, false
		}
		rest = after
		if k+1 == len(parts) {
			break
		}
		digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		n, ok := new(big.Int).SetString(digits, 10)
		if !ok || len(digits) > 1 && digits[0] == '0' { // line writes no zeros before a number
			return Value{}, false
		}
		numbers, rest = append(numbers, n), rest[len(digits):]
	}
	switch {
	case rest != "":
		return Value{}, false
	case !t.Distinct:
		return Value{Count: numbers[0]}, true
	case len(numbers) == 1:
		return Value{Distinct: numbers[0]}, true
	}
	return Value{numbers[0], numbers[1]}, true
}

// Writer writes the values of a table in order.
type Writer interface {
	Taker
	Close() error // after an error too
	Written() int // values that are in the output to stay
}

// lineWriter writes a line for each value, at once.
type lineWriter struct {
	out   io.Writer
	table *Table
	lines int
}

// NewLines begins a table in one of the formats of lines, which are all but Text.
func NewLines(out io.Writer, t *Table) (Writer, error) {
	_, err := io.WriteString(out, t.header())
	return &lineWriter{out: out, table: t}, err
}

func (w *lineWriter) Value(i int, v Value) error {
	if _, err := io.WriteString(w.out, w.table.line(i, v)); err != nil {
		return err
	}
	w.lines++
	return nil
}

func (w *lineWriter) Sync() error  { return nil }
func (w *lineWriter) Close() error { return nil }
func (w *lineWriter) Written() int { return w.lines }

// fileWriter is a lineWriter to a file that may be continued later.
type fileWriter struct {
	lineWriter
	file *os.File
}

func (w *fileWriter) Sync() error  { return w.file.Sync() }
func (w *fileWriter) Close() error { return errors.Join(w.file.Sync(), w.file.Close()) }

// Open opens the file of a table and returns the values that it has. A new
// file, or one that ends within the header, begins anew. A last line that was
// cut short is dropped. Anything else that this table would not have written is
// an [Error], and the file stays as it is.
func Open(path string, t *Table) (Writer, []Value, error) {
	if t.Format == Text {
		return nil, nil, bad("the format text is for reading, a file that can be continued wants csv, json or bfile")
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
		return nil, bad("output %s is no ordinary file, which a table that can be continued wants; write to standard output for pipes", path)
	}
	in := &lineReader{in: bufio.NewReader(w.file), path: path}
	whole, err := w.checkHeader(in)
	if err != nil {
		return nil, err
	}
	if !whole {
		if err := w.cut(0); err != nil {
			return nil, err
		}
		_, err := io.WriteString(w.file, w.table.header())
		// The file may be a new one
		return nil, errors.Join(err, atomicfile.SyncFolder(filepath.Dir(path)))
	}
	values, err := w.table.read(in)
	if err != nil {
		return nil, err
	}
	w.lines = len(values)
	return values, w.cut(in.offset)
}

// cut drops what is behind an offset, where writing goes on.
func (w *fileWriter) cut(offset int64) error {
	if err := w.file.Truncate(offset); err != nil {
		return err
	}
	_, err := w.file.Seek(offset, io.SeekStart)
	return err
}

// checkHeader reports whether the header is there, or only its beginning.
func (w *fileWriter) checkHeader(in *lineReader) (whole bool, err error) {
	for want := range strings.Lines(w.table.header()) {
		line, complete, err := in.next()
		switch {
		case err != nil:
			return false, err
		case !complete && strings.HasPrefix(want, line):
			return false, nil
		case line != want:
			return false, bad("%s:%d: %s is not the file of this sequence, which has %s here; want another output, or the same call as before",
				in.path, in.number, clip(line), clip(want))
		}
		in.offset += int64(len(line))
	}
	return true, nil
}

// clip is a line for an error.
func clip(line string) string {
	const most = 200
	line = strings.TrimRight(line, "\n")
	if len(line) > most {
		line = line[:most] + "…"
	}
	if !utf8.ValidString(line) {
		line = strings.ToValidUTF8(line, "?")
	}
	return fmt.Sprintf("%q", line)
}

// read reads the values of complete lines.
func (t *Table) read(in *lineReader) ([]Value, error) {
	var values []Value
	for {
		line, complete, err := in.next()
		if err != nil || !complete {
			return values, err
		}
		if len(values) == len(t.sizes) {
			return nil, bad("%s:%d: %s behind the last value, want the end of the file", in.path, in.number, clip(line))
		}
		v, ok := t.parse(len(values), line)
		if !ok {
			return nil, bad("%s:%d: %s is damaged, want %s; cut the file off before this line to continue from there",
				in.path, in.number, clip(line), clip(t.template(len(values))))
		}
		in.offset += int64(len(line))
		values = append(values, v)
	}
}

// lineReader reads lines of a file that may be none of ours.
type lineReader struct {
	in     *bufio.Reader
	path   string
	number int   // of the line read last, from 1
	offset int64 // behind the lines that count
}

// maxLine is more than a count of the largest board has digits.
const maxLine = 1 << 20

// next is the next line with its end; complete is false where the file ends
// before the line does.
func (r *lineReader) next() (line string, complete bool, err error) {
	r.number++
	var text []byte
	for {
		part, err := r.in.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case err == nil:
			return string(text), true, nil
		case errors.Is(err, io.EOF):
			return string(text), false, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return "", false, err
		case len(text) > maxLine:
			return "", false, bad("%s:%d: a line of over %d bytes, want the file of a sequence", r.path, r.number, maxLine)
		}
	}
}

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
