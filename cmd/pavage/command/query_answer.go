package command

import (
	"encoding/csv"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/internal/kit/atomicfile"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/render/pen"
)

// cellNumber matches an integer, a decimal or a fraction.
var cellNumber = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?(/[0-9]+)?$`)

// writeCSV writes a table. A text that a spreadsheet would compute as a formula, such as the piece
// name =1+1, begins with an apostrophe, which marks text in spreadsheets.
func writeCSV(w io.Writer, lines [][]string) error {
	for _, line := range lines {
		for i, cell := range line {
			if cell != "" && strings.Contains("=+-@\t\r", cell[:1]) && !cellNumber.MatchString(cell) {
				line[i] = "'" + cell
			}
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// draw writes a picture to the file that is named.
func (v *queryVerb) draw(picture func(io.Writer, render.PictureOptions) error) error {
	o := v.options(pen.Of(v.format.Extension))
	return atomicfile.Write(v.path, func(w io.Writer) error { return picture(w, o) })
}

// writeNumbers writes the sum of all, and a table if there is one.
func writeNumbers(w io.Writer, q *job.Queried) error {
	text := ""
	if q.Count != "" {
		text += q.Count + " tilings\n"
	}
	if q.Weight != "" {
		text += "total weight " + told(q.Weight) + "\n"
	}
	if q.Weight != "" && q.PerCell != "" {
		text += "ln(total weight) per cell " + q.PerCell + "\n"
	}
	if e := q.Entropy; e != nil {
		text += fmt.Sprintf("entropy %.6g nats, %.6g bits", e.Nats, e.Bits)
		if e.PerCell != "" {
			text += ", " + e.PerCell + " nats per cell"
		}
		text += "\n"
	}
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	table := tableOf(q)
	if len(table) < 2 || all(q) == "0" || q.Entropy != nil && q.Expected == nil {
		return nil
	}
	for i, line := range table {
		last := line[len(line)-1]
		switch {
		case (q.Expected != nil || q.Heights != nil) && i == 0:
			last = "exactly"
		case q.Heights != nil, q.Expected != nil:
			line[len(line)-1] = decimal(last)
			if len(last) > maxExact {
				last = "-"
			}
		case i == 0:
			last = "percent"
		default:
			last = percent(last, all(q))
		}
		for k, word := range line {
			if i > 0 && strings.Contains(word, "/") {
				if line[k] = word; len(word) > maxExact {
					line[k] = "about " + decimal(word)
				}
			}
		}
		table[i] = append(line, last)
	}
	return writeColumns(w, table)
}

// all is the number that is all tilings.
func all(q *job.Queried) string {
	if q.Weight != "" {
		return q.Weight
	}
	return q.Count
}

// tableOf are the numbers of an answer in lines of as many words each, under a head.
func tableOf(q *job.Queried) (lines [][]string) {
	switch {
	case q.Placements != nil:
		head := []string{"number", "piece", "orientation", "cells", "tilings"}
		if q.Puzzle.Board == nil {
			head = []string{"number", "items", "solutions"}
		}
		lines := [][]string{head}
		for _, p := range q.Placements {
			line := []string{strconv.Itoa(p.Number)}
			if q.Puzzle.Board == nil {
				line = append(line, strings.Join(p.Items, " "))
			} else {
				line = append(line, p.Piece, strconv.Itoa(p.Orientation), wordsOfCells(p.Cells))
			}
			lines = append(lines, append(line, p.Count))
		}
		return lines
	case q.Cells != nil:
		lines := [][]string{append(q.Puzzle.Board.Lattice.Axes(), q.Groups...)}
		for _, c := range q.Cells {
			var line []string
			for _, x := range c.Cell {
				line = append(line, strconv.Itoa(x))
			}
			by := c.By
			if q.Event != "" {
				by = c.Excess
			}
			for _, name := range q.Groups {
				line = append(line, by[name])
			}
			lines = append(lines, line)
		}
		return lines
	case q.Heights != nil:
		lines := [][]string{{"row", "column", "mean height"}}
		for _, h := range q.Heights {
			lines = append(lines, []string{strconv.Itoa(h.Corner[0]), strconv.Itoa(h.Corner[1]), h.Height})
		}
		return lines
	case q.Pieces != nil:
		lines = append(lines, append(slices.Clone(q.Pieces), "tilings"))
		for i, row := range q.ByCopies {
			if len(q.Pieces) == 1 && i > 0 {
				for n := q.ByCopies[i-1].Copies[q.Pieces[0]] + 1; n < row.Copies[q.Pieces[0]]; n++ {
					lines = append(lines, []string{strconv.Itoa(n), "0"})
				}
			}
			var line []string
			for _, name := range q.Pieces {
				line = append(line, strconv.Itoa(row.Copies[name]))
			}
			lines = append(lines, append(line, row.Count))
		}
	case q.Pairs != nil:
		lines = append(lines, []string{"first", "second", "with first", "with second", "with both"})
		for _, p := range q.Pairs {
			lines = append(lines, append(append(slices.Clone(p.Pair), p.Counts...), p.Both))
		}
	case q.Expected != nil:
		lines = append(lines, []string{"piece", "expected copies"})
		for _, e := range q.Expected {
			lines = append(lines, []string{e.Piece, e.Copies})
		}
	case q.Ranks != nil:
		lines = append(lines, []string{"rank"})
		for _, r := range q.Ranks {
			lines = append(lines, []string{r})
		}
	case q.Weight != "": // of a cover
		lines = append(lines, []string{"weight"}, []string{q.Weight})
	default: // no tilings, no entropy
		lines = append(lines, []string{"tilings"}, []string{q.Count})
	}
	return lines
}

// wordsOfCells are cells as selectors have them.
func wordsOfCells(cells [][]int) string {
	var words []string
	for _, c := range cells {
		var numbers []string
		for _, x := range c {
			numbers = append(numbers, strconv.Itoa(x))
		}
		words = append(words, strings.Join(numbers, ","))
	}
	return strings.Join(words, " ")
}

// percent is how much of all a number is, to a tenth; 0 and 100 stand for no and all alone.
func percent(part, all string) string {
	p, ok := new(big.Rat).SetString(part)
	a, good := new(big.Rat).SetString(all)
	switch {
	case !ok || !good || a.Sign() == 0:
		return "-"
	case p.Sign() == 0:
		return "0"
	case p.Cmp(a) == 0:
		return "100"
	}
	return p.Quo(p.Mul(p, big.NewRat(100, 1)), a).FloatString(1)
}

// tableOfEntropy has a line for each number: a decimal, and the exact value of a rational number.
func tableOfEntropy(q *job.Queried) [][]string {
	lines := [][]string{{"number", "exact", "about"}}
	if q.Weight == "" {
		lines = append(lines, []string{"tilings", q.Count, decimal(q.Count)})
	} else {
		lines = append(lines, []string{"total weight", q.Weight, decimal(q.Weight)})
	}
	for _, e := range q.Expected {
		lines = append(lines, []string{"expected copies of " + e.Piece, e.Copies, decimal(e.Copies)})
	}
	lines = append(lines, []string{"entropy in nats", "", fmt.Sprintf("%.6g", q.Entropy.Nats)}, []string{"entropy in bits", "", fmt.Sprintf("%.6g", q.Entropy.Bits)})
	if q.PerCell == "" { // of a cover
		return lines
	}
	lines = append(lines, []string{"entropy in nats per cell", "", q.Entropy.PerCell})
	if q.Weight != "" {
		lines = append(lines, []string{"ln(total weight) per cell", "", q.PerCell})
	}
	return lines
}

// maxExact is how many characters an exact number may have in text: longer ones hide the others.
const maxExact = 24

// told writes a number in a sentence: the decimal first, and the exact number if it is short.
func told(text string) string {
	about := decimal(text)
	switch {
	case about == text:
		return text
	case len(text) > maxExact:
		return "about " + about
	}
	return "about " + about + ", exactly " + text
}

// decimal is a number in few digits, if it has many or is a fraction.
func decimal(text string) string {
	r, ok := new(big.Rat).SetString(text)
	if !ok || r.IsInt() && len(text) < 10 {
		return text
	}
	return new(big.Float).SetPrec(64).SetRat(r).Text('g', 6)
}
