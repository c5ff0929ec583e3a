package command

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/pavage/pavage/internal/atomicfile"
)

// valueWriter takes the values of a table in order.
type valueWriter interface {
	value(i int, n *big.Int) error
	sync() error  // a row is complete
	close() error // after an error too
	written() int // values that are in the output to stay
}

// streamWriter writes a line a value, at once.
type streamWriter struct {
	out   io.Writer
	table *table
	lines int
}

func newStreamWriter(out io.Writer, t *table) (*streamWriter, error) {
	_, err := io.WriteString(out, t.header())
	return &streamWriter{out: out, table: t}, err
}

func (w *streamWriter) value(i int, n *big.Int) error {
	before, after := w.table.frame(i)
	if _, err := io.WriteString(w.out, before+n.String()+after); err != nil {
		return err
	}
	w.lines++
	return nil
}

func (w *streamWriter) sync() error  { return nil }
func (w *streamWriter) close() error { return nil }
func (w *streamWriter) written() int { return w.lines }

// fileWriter is a streamWriter to a file that was gone on with.
type fileWriter struct {
	streamWriter
	file *os.File
}

func (w *fileWriter) sync() error  { return w.file.Sync() }
func (w *fileWriter) close() error { return errors.Join(w.file.Sync(), w.file.Close()) }

// openResumable opens the file of a table and returns the values that it has.
// A new file, or one that ends within the header, begins anew; a last line that
// was cut short is dropped. Anything else that this table would not have
// written is an error, and the file stays as it is.
func openResumable(path string, t *table) (*fileWriter, []*big.Int, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, fmt.Errorf("output: %w", err)
	}
	w := &fileWriter{streamWriter{out: file, table: t}, file}
	values, err := w.resume(path)
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return w, values, nil
}

func (w *fileWriter) resume(path string) ([]*big.Int, error) {
	info, err := w.file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, usage("--output %s is no ordinary file, which going on wants; standard output is the place for pipes", path)
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
		return nil, errors.Join(err, atomicfile.SyncFolder(filepath.Dir(path))) // the file may be a new one
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
			return false, usage("%s:%d: %s is not the file of this sequence, which has %s here; want another --output, or the same call as before",
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
func (t *table) read(in *lineReader) ([]*big.Int, error) {
	var values []*big.Int
	for {
		line, complete, err := in.next()
		if err != nil || !complete {
			return values, err
		}
		if len(values) == len(t.sizes) {
			return nil, usage("%s:%d: %s behind the last value, want the end of the file", in.path, in.number, clip(line))
		}
		before, after := t.frame(len(values))
		digits, ok := strings.CutPrefix(line, before)
		if ok {
			digits, ok = strings.CutSuffix(digits, after)
		}
		n, isNumber := parseCount(digits)
		if !ok || !isNumber {
			return nil, usage("%s:%d: %s is damaged, want %s; cut the file off before this line to go on from there",
				in.path, in.number, clip(line), clip(before+"COUNT"+after))
		}
		in.offset += int64(len(line))
		values = append(values, n)
	}
}

// parseCount reads decimal digits, as they are written.
func parseCount(digits string) (*big.Int, bool) {
	if digits == "" || strings.Trim(digits, "0123456789") != "" || len(digits) > 1 && digits[0] == '0' {
		return nil, false
	}
	return new(big.Int).SetString(digits, 10)
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
			return "", false, usage("%s:%d: a line of over %d bytes, want the file of a sequence", r.path, r.number, maxLine)
		}
	}
}

// alignedWriter keeps the values of a table until it can be aligned.
type alignedWriter struct {
	out    io.Writer
	table  *table
	values []string
}

func (w *alignedWriter) value(_ int, n *big.Int) error {
	w.values = append(w.values, n.String())
	return nil
}

func (w *alignedWriter) sync() error  { return nil }
func (w *alignedWriter) written() int { return len(w.values) }

// close writes all rows that are there, the last perhaps in part.
func (w *alignedWriter) close() error {
	var out bytes.Buffer
	t := w.table
	if t.diagonal || t.free >= 0 {
		w.list(&out)
	} else {
		from := 0
		for k, end := range t.groups {
			rows := t.sides[1].len()
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

// list writes a line a value.
func (w *alignedWriter) list(out *bytes.Buffer) {
	var cells [][]string
	for i, n := range w.values {
		cells = append(cells, []string{w.table.family.SizeName(w.table.sizes[i]), n})
	}
	writeAligned(out, cells)
}

// layer writes the table of the values from..to-1, rows and columns labelled.
func (w *alignedWriter) layer(out *bytes.Buffer, from, to int) {
	t := w.table
	corner := "n\\k"
	if !t.flat {
		if from > 0 {
			out.WriteByte('\n')
		}
		corner = fmt.Sprintf("%d: n\\k", t.sizes[from][0])
	}
	cells := [][]string{{corner}}
	for c := t.sides[2].least; c <= t.sides[2].most; c++ {
		cells[0] = append(cells[0], fmt.Sprint(c))
	}
	width := t.sides[2].len()
	for ; from < to; from += width {
		row := []string{fmt.Sprint(t.sizes[from][1])}
		cells = append(cells, append(row, w.values[from:min(from+width, to)]...))
	}
	writeAligned(out, cells)
}

// writeAligned writes columns flush right, two blanks apart.
func writeAligned(out *bytes.Buffer, cells [][]string) {
	var widths []int
	for _, row := range cells {
		for k, c := range row {
			if k == len(widths) {
				widths = append(widths, 0)
			}
			widths[k] = max(widths[k], len(c))
		}
	}
	for _, row := range cells {
		for k, c := range row {
			gap := widths[k]
			if k > 0 {
				gap += 2
			}
			fmt.Fprintf(out, "%*s", gap, c)
		}
		out.WriteByte('\n')
	}
}
