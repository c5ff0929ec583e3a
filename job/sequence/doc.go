// Package sequence counts the tilings of boxes of many sizes by the same pieces. It makes
// tables of the counts, and finds their linear recurrences.
//
// # Purpose
//
// People who study tilings want the counts of many sizes, as a table, as a
// b-file for the OEIS, or as a recurrence for all heights at once. A
// [Table] lists the sizes in the order in which a format writes them, and
// counts them with as little work as it can:
//
//	sizes       sections and heights                    counts
//	1x2 ──┐
//	2x1 ──┴──▶  the same box after a turn ───────────▶  one count for both
//	3x2 ──┐
//	4x2 ──┼──▶  section 2 wide, heights 3, 4, 5 ──────▶  one sweep (count.Heights)
//	5x2 ──┘
//	6x10 ────▶  one height only, or bounded copies ───▶  one count (count.Count)
//	0x7 ─────▶  no cell ──────────────────────────────▶  1, if no piece is required
//
// [Find] counts the heights of a section until their recurrence is found.
//
// # Words
//
// A size is (layers, rows, columns). Boxes that differ only in the length along one axis have the
// same section, see tiling.Section. This length is their height. A value is the number of tilings
// of a size. With Distinct it also has the number of tilings up to the symmetries of the box.
//
// # Formats
//
// CSV, JSON lines and b-files begin with the command that makes them and have a
// line for each value. [Open] continues such a file after its last whole line,
// and returns an error for a file of another table. The format Text is for people.
// It is written after the last value, and [NewText] splits wide tables into blocks.
//
// # Non-goals
//
// No boards with holes: their size cannot vary. No flags, no terminal.
//
// # Cost
//
// Nearly all time is spent on counts. A sweep over a section takes as long as a count of the
// highest box, and also counts all lower boxes.
//
// # References
//
// OEIS, "Format of b-files" (oeis.org/wiki/B-files). For recurrences see
// package internal/kit/recurrence.
package sequence

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pavage/pavage/tiling"
)

// Error reports a mistake in a request, such as an invalid size, or a file of another table.
type Error struct {
	Text string
	Few  bool // the terms are too few to find a recurrence and to check it
}

func (e *Error) Error() string { return e.Text }

func bad(format string, args ...any) error { return &Error{Text: fmt.Sprintf(format, args...)} }

// SideNames are the names of the sides of a box, indexed by axis.
var SideNames = [3]string{"layers", "rows", "columns"}

// Range is a range of the lengths of a side, 0 ≤ Least ≤ Most. If it is zero, no range is given.
type Range struct{ Least, Most int }

// ParseRange reads A..B or one number. The numbers are 0 to tiling.MaxSide. "0" and "0..0" are
// errors, since a board with a side of length 0 has no cell.
func ParseRange(text string) (Range, error) {
	from, to, isRange := strings.Cut(text, "..")
	if !isRange {
		to = from
	}
	least, err := strconv.ParseUint(from, 10, 32)
	most, err2 := strconv.ParseUint(to, 10, 32)
	switch {
	case err != nil || err2 != nil || most > tiling.MaxSide || strings.ContainsAny(text, "+_"):
		return Range{}, fmt.Errorf("expected A..B or one number, from 0 to %d", tiling.MaxSide)
	case most < least:
		return Range{}, fmt.Errorf("but the first number is larger than the last number: expected %d..%d", most, least)
	case most == 0:
		return Range{}, fmt.Errorf("expected a range whose last number is at least 1")
	}
	return Range{int(least), int(most)}, nil
}

// String returns the range in the form that ParseRange reads, or "" if no range is given.
func (r Range) String() string {
	switch {
	case !r.Given():
		return ""
	case r.single():
		return strconv.Itoa(r.Least)
	}
	return fmt.Sprintf("%d..%d", r.Least, r.Most)
}

// Given reports whether a range was given.
func (r Range) Given() bool { return r.Most > 0 }

func (r Range) single() bool { return r.Least == r.Most }
func (r Range) len() int     { return r.Most - r.Least + 1 }
