package sequence

import (
	"context"
	"math/big"
	"slices"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/tiling"
)

// maxValues bounds a table, whose values are all held in memory.
const maxValues = 1 << 20

// Spec says which values are wanted.
type Spec struct {
	Family   *tiling.Family
	Sides    [3]Range // layers, rows, columns; no layers: flat boards
	Diagonal bool     // squares or cubes only
	Distinct bool     // values up to symmetry, too
	// Reflections says that mirror images are the same for Distinct.
	Reflections bool
	// Conditions adds what tilings must keep to the model of a board, and Kept says it in words;
	// nil: all tilings are counted. Boards are counted one by one then, also those of sizes that
	// have as many tilings in all.
	Conditions func(context.Context, *tiling.Model) (*tiling.Model, error)
	Kept       string
	// PerCell says that text has the logarithm of each count, divided by the cells of the board, in place
	// of the count, and that CSV and JSON have it beside the count. Not with b-files.
	PerCell bool
	Engine  count.Engine // of boards that are counted alone; "": auto
	Format  Format       // decides the order of the sizes
	Command string       // what files of this table begin with
}

// Table is the sizes whose counts are wanted, in the order in which they are
// written.
type Table struct {
	Spec
	flat   bool // of one layer that nobody asked for
	sizes  [][3]int
	groups []int // the size that each line of a text table ends before
	free   int   // the only axis along which sizes vary; -1: several, or the diagonal
}

// Value is what is counted of a size. Distinct is nil unless Spec.Distinct.
type Value struct{ Count, Distinct *big.Int }

// shown is the number that text and b-files write.
func (v Value) shown() *big.Int {
	if v.Distinct != nil {
		return v.Distinct
	}
	return v.Count
}

// New lists the sizes. Its errors are *Error.
func New(s Spec) (*Table, error) {
	t := &Table{Spec: s}
	for axis, side := range t.Sides {
		if axis > 0 && !side.Given() {
			return nil, bad("no %s given, want %s and columns, A..B (or, with a recurrence, one of them)", SideNames[axis], SideNames[1])
		}
	}
	if !t.Sides[0].Given() {
		t.Sides[0] = Range{1, 1}
		t.flat = true
	}
	if !slices.Contains(Formats(), t.Format) {
		return nil, bad("unknown format %q, want text, csv, json or bfile", t.Format)
	}
	if t.PerCell && t.Format == BFile {
		return nil, bad("a b-file has whole numbers only, want text, csv or json with logarithms")
	}
	for axis, side := range t.Sides {
		if t.Conditions != nil && side.Least == 0 {
			return nil, bad("%s from 0, want 1 or more with conditions: a board without cells has no placements", SideNames[axis])
		}
	}
	return t, t.plan()
}

// Flat reports whether sizes have one layer that nobody asked for.
func (t *Table) Flat() bool { return t.flat }

// Sizes is how many values the table has.
func (t *Table) Sizes() int { return len(t.sizes) }

// Size is the size of value i: layers (1 on flat boards), rows, columns.
func (t *Table) Size(i int) [3]int { return t.sizes[i] }

func (t *Table) plan() error {
	values := 1
	for _, s := range t.Sides {
		values *= s.len() // at most 2^37
	}
	if values > maxValues {
		return bad("%d sizes wanted, want at most %d", values, maxValues)
	}
	t.free = -1
	varying := 0
	for axis, s := range t.Sides {
		if !s.single() {
			varying++
			t.free = axis
		}
	}
	switch {
	case t.Diagonal || varying > 1:
		t.free = -1
	case varying == 0:
		t.free = 2
	}
	switch {
	case t.Diagonal:
		n, most := 0, tiling.MaxSide
		for axis, s := range t.Sides {
			if axis > 0 || !t.flat {
				n, most = max(n, s.Least), min(most, s.Most)
			}
		}
		if n > most {
			return bad("the diagonal wants rows and columns that have a number in common")
		}
		for ; n <= most; n++ {
			size := [3]int{n, n, n}
			if t.flat {
				size[0] = 1
			}
			t.sizes = append(t.sizes, size)
			t.endGroup()
		}
		return nil
	case t.Format == BFile && t.free < 0:
		rows, columns := t.Sides[1], t.Sides[2]
		switch {
		case !t.Sides[0].single() || rows.single() || columns.single():
			return bad("a b-file of solid boards wants all sides but one fixed, or the diagonal")
		case rows.Least != columns.Least:
			return bad("a b-file of a table, read by antidiagonals, wants rows and columns from the same number, not %d and %d", rows.Least, columns.Least)
		}
		for d := range min(rows.len(), columns.len()) {
			for i := range d + 1 {
				t.sizes = append(t.sizes, [3]int{t.Sides[0].Least, rows.Least + i, rows.Least + d - i})
			}
			t.endGroup()
		}
		return nil
	}
	for l := t.Sides[0].Least; l <= t.Sides[0].Most; l++ {
		for r := t.Sides[1].Least; r <= t.Sides[1].Most; r++ {
			for c := t.Sides[2].Least; c <= t.Sides[2].Most; c++ {
				t.sizes = append(t.sizes, [3]int{l, r, c})
			}
			t.endGroup()
		}
	}
	return nil
}

func (t *Table) endGroup() { t.groups = append(t.groups, len(t.sizes)) }

// Taker takes the values of a table in order, as they are counted.
type Taker interface {
	Value(i int, v Value) error
	Sync() error // a row is complete
}

// Count counts the values behind the known ones, which are the first of the
// table, and hands each to w. It ends at the first error. Errors are those of
// count.Count and of w.
func (t *Table) Count(ctx context.Context, known []Value, w Taker, o count.Options) error {
	b := newBoxes(t, o)
	for i, v := range known {
		size := t.sizes[i]
		if !empty(size) {
			b.known[b.box(size)] = v
		}
	}
	b.want(t.sizes[len(known):])
	group, _ := slices.BinarySearch(t.groups, len(known)+1)
	for i := len(known); i < len(t.sizes); i++ {
		v, err := b.count(ctx, t.sizes[i])
		if err != nil {
			return err
		}
		if err := w.Value(i, v); err != nil {
			return err
		}
		if i+1 == t.groups[group] {
			group++
			if err := w.Sync(); err != nil {
				return err
			}
		}
	}
	return nil
}
