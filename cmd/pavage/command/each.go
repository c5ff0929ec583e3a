package command

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pavage/pavage/job"
)

// writeTable writes a line for each puzzle. If there are two parameters and no counts up to
// symmetry, it writes a table with a line for each value of the first parameter and a column for
// each value of the second parameter.
func (v *countVerb) writeTable(t *job.Table) error {
	if len(t.Rows) == 0 {
		return nil
	}
	var lines [][]string
	if len(t.Parameters) == 2 && t.Rows[0].Distinct == nil {
		// The first line has the values of the second parameter. A dash marks a missing puzzle.
		rows, columns := map[string]int{}, map[string]int{}
		lines = [][]string{{t.Parameters[0] + `\` + t.Parameters[1]}}
		for _, r := range t.Rows {
			if _, met := columns[r.Values[1]]; !met {
				columns[r.Values[1]] = len(lines[0])
				lines[0] = append(lines[0], r.Values[1])
			}
		}
		for _, r := range t.Rows {
			at, met := rows[r.Values[0]]
			if !met {
				at = len(lines)
				rows[r.Values[0]] = at
				line := append([]string{r.Values[0]}, slices.Repeat([]string{"-"}, len(columns))...)
				lines = append(lines, line)
			}
			lines[at][columns[r.Values[1]]] = r.Count
		}
		return writeColumns(v.Out, lines)
	}
	head := append(slices.Clone(t.Parameters), "count")
	if t.Rows[0].Distinct != nil {
		head = append(head, "distinct")
	}
	lines = append(lines, head)
	for _, r := range t.Rows {
		line := append(slices.Clone(r.Values), r.Count)
		if r.Distinct != nil {
			line = append(line, r.Distinct.Count)
		}
		lines = append(lines, line)
	}
	return writeColumns(v.Out, lines)
}

func writeColumns(w io.Writer, lines [][]string) error {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, word := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(word))
		}
	}
	for _, line := range lines {
		var b strings.Builder
		for i, word := range line {
			if i > 0 {
				b.WriteString("  ")
			}
			b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(word)))
			b.WriteString(word)
		}
		if _, err := fmt.Fprintln(w, b.String()); err != nil {
			return err
		}
	}
	return nil
}
