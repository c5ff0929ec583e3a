// Package facts holds the known answers that Pavage is tested against.
//
// # Purpose
//
// An engine may agree with our own slow solver because both make the same mistake. The numbers
// here have other origins: they are published, or at least two unrelated programs have computed
// them. The tables have only counts, and no text or code of other authors.
//
//	counts.tsv         a row for each puzzle: its count and often its count up to
//	                   symmetry, from OEIS, books and several programs
//	grid-tilings.tsv   rectangles tiled by any number of copies of some free
//	                   pieces: Kai Liang, arXiv 2503.17698 (2025)
//
// The running example is the row
//
//	dominoes-4x4   {board: 4x4, pieces: [{name: domino, copies: any}]}   36   9   D4   OEIS A004003
//
// which means: 36 tilings, 9 up to the 8 symmetries of the square.
//
// # Non-goals
//
// No puzzle is read here (package puzzlefile does), and nothing is computed.
package facts

import (
	_ "embed"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Row is the known answer to one puzzle.
type Row struct {
	ID       string
	Puzzle   string   // a puzzle file in one line of YAML
	Count    *big.Int // the number of tilings; nil if unknown
	Distinct *big.Int // the number of tilings up to the symmetries of Group; nil if unknown
	Group    string   // in words
	Source   string
}

// Grid is the number of tilings of a rectangle by any number of each of the named free pieces.
type Grid struct {
	Pieces        []string
	Rows, Columns int
	Count         *big.Int // 0 if there is no tiling
}

//go:embed counts.tsv
var countsTable string

//go:embed grid-tilings.tsv
var gridsTable string

// Counts returns the rows of counts.tsv. It panics if the table is malformed, which a test rules
// out.
func Counts() []Row { return must(parseCounts(countsTable)) }

// Grids returns the rows of grid-tilings.tsv. It panics if the table is malformed.
func Grids() []Grid { return must(parseGrids(gridsTable)) }

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func parseCounts(table string) ([]Row, error) {
	columns := []string{"id", "puzzle", "count", "distinct", "group", "source"}
	return parse("counts.tsv", table, columns, parseRow)
}

func parseRow(f []string) (Row, error) {
	count, err := parseCount(f[2])
	if err != nil {
		return Row{}, err
	}
	distinct, err := parseCount(f[3])
	if err != nil {
		return Row{}, err
	}
	return Row{ID: f[0], Puzzle: f[1], Count: count, Distinct: distinct, Group: f[4], Source: f[5]}, nil
}

func parseGrids(table string) ([]Grid, error) {
	columns := []string{"pieces_any_copies", "rows", "columns", "count"}
	return parse("grid-tilings.tsv", table, columns, parseGrid)
}

func parseGrid(f []string) (Grid, error) {
	rows, err := strconv.Atoi(f[1])
	if err != nil {
		return Grid{}, err
	}
	columns, err := strconv.Atoi(f[2])
	if err != nil {
		return Grid{}, err
	}
	count, err := parseCount(f[3])
	if err == nil && count == nil {
		err = errors.New("no count, expected one")
	}
	return Grid{Pieces: strings.Fields(f[0]), Rows: rows, Columns: columns, Count: count}, err
}

func parse[T any](name, table string, columns []string, row func(fields []string) (T, error)) ([]T, error) {
	var rows []T
	for i, line := range strings.Split(strings.TrimSuffix(table, "\n"), "\n") {
		fields := strings.Split(line, "\t")
		if len(fields) != len(columns) || (i == 0) != slices.Equal(fields, columns) {
			return nil, fmt.Errorf("%s:%d: %d columns %.60q, expected the header %q, then the same number of columns in each line", name, i+1, len(fields), line, columns)
		}
		if i == 0 {
			continue
		}
		r, err := row(fields)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func parseCount(s string) (*big.Int, error) {
	if s == "" {
		return nil, nil
	}
	n, ok := new(big.Int).SetString(s, 10)
	if !ok || n.Sign() < 0 {
		return nil, fmt.Errorf("count %q is not a number, expected decimal digits", s)
	}
	return n, nil
}
