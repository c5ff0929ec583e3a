package sequence

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"strings"

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

// Formats are all values a Format may have.
func Formats() []Format { return []Format{Text, CSV, JSON, BFile} }

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
