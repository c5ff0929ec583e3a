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

	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/job"
)

var cellNumber = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?(/[0-9]+)?$`)

// writeCSV puts an apostrophe before text such as =1+1, so that a spreadsheet does not compute it.
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

type rowsFound struct {
	having  string
	csv     bool
	written int
}

func (f *rowsFound) add(w *watcher, pieces []string, copies []int, tilings string) error {
	f.written++
	if f.csv {
		lines := [][]string{append(slices.Clone(pieces), "tilings"), append(numerals(copies), tilings)}
		if f.written > 1 {
			lines = lines[1:]
		}
		return writeCSV(w, lines)
	}
	line := tilings
	for k, name := range pieces {
		switch copies[k] {
		case 0:
		case 1:
			line += " " + name
		default:
			line += fmt.Sprintf(" %s=%d", name, copies[k])
		}
	}
	_, err := io.WriteString(w, line+"\n")
	return err
}

func (f *rowsFound) end(w *watcher, q *job.Queried) error {
	w.tell()
	switch {
	case f.written > 0:
		return nil
	case f.csv:
		return writeCSV(w, tableOf(q)[:1])
	}
	_, err := fmt.Fprintln(w.Err, "no choice of copies has a number of tilings in the range of --having "+f.having)
	return err
}

func writeNumbers(w io.Writer, q *job.Queried) error {
	text := ""
	if q.Count != "" {
		text += human.Count(q.Count, "tiling") + "\n"
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

func all(q *job.Queried) string {
	if q.Weight != "" {
		return q.Weight
	}
	return q.Count
}

func tableOf(q *job.Queried) [][]string {
	switch {
	case q.Placements != nil && q.Puzzle.Board == nil:
		return table([]string{"number", "items", "solutions"}, q.Placements, func(p job.PlacementTally) []string {
			return []string{strconv.Itoa(p.Number), strings.Join(p.Items, " "), p.Count}
		})
	case q.Placements != nil:
		return table([]string{"number", "piece", "orientation", "cells", "tilings"}, q.Placements, func(p job.PlacementTally) []string {
			return []string{strconv.Itoa(p.Number), p.Piece, strconv.Itoa(p.Orientation), wordsOfCells(p.Cells), p.Count}
		})
	case q.Cells != nil:
		return table(append(q.Puzzle.Board.Lattice.Axes(), q.Groups...), q.Cells, func(c job.CellTally) []string {
			line, by := numerals(c.Cell), c.By
			if q.Event != "" {
				by = c.Excess
			}
			for _, name := range q.Groups {
				line = append(line, by[name])
			}
			return line
		})
	case q.Heights != nil:
		return table([]string{"row", "column", "mean height"}, q.Heights, func(h job.HeightTally) []string {
			return append(numerals(h.Corner), h.Height)
		})
	case q.Pieces != nil:
		lines := [][]string{append(slices.Clone(q.Pieces), "tilings")}
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
		return lines
	case q.Pairs != nil:
		return table([]string{"first", "second", "with first", "with second", "with both"}, q.Pairs, func(p job.PairTally) []string {
			return slices.Concat(p.Pair, p.Counts, []string{p.Both})
		})
	case q.Expected != nil:
		return table([]string{"piece", "expected copies"}, q.Expected, func(e job.Expected) []string { return []string{e.Piece, e.Copies} })
	case q.Ranks != nil:
		return table([]string{"rank"}, q.Ranks, func(r string) []string { return []string{r} })
	case q.Weight != "": // the query is for a cover
		return [][]string{{"weight"}, {q.Weight}}
	}
	return [][]string{{"tilings"}, {q.Count}} // without a tiling there is no entropy
}

func table[R any](head []string, rows []R, line func(R) []string) [][]string {
	lines := [][]string{head}
	for _, r := range rows {
		lines = append(lines, line(r))
	}
	return lines
}

func numerals(numbers []int) (words []string) {
	for _, n := range numbers {
		words = append(words, strconv.Itoa(n))
	}
	return words
}

func wordsOfCells(cells [][]int) string {
	var words []string
	for _, c := range cells {
		words = append(words, strings.Join(numerals(c), ","))
	}
	return strings.Join(words, " ")
}

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
	if q.PerCell == "" { // the query is for a cover
		return lines
	}
	lines = append(lines, []string{"entropy in nats per cell", "", q.Entropy.PerCell})
	if q.Weight != "" {
		lines = append(lines, []string{"ln(total weight) per cell", "", q.PerCell})
	}
	return lines
}

const maxExact = 24 // an exact number with more characters is not written

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

func decimal(text string) string {
	r, ok := new(big.Rat).SetString(text)
	if !ok || r.IsInt() && len(text) < 10 {
		return text
	}
	return new(big.Float).SetPrec(64).SetRat(r).Text('g', 6)
}
