package sequence

import (
	"context"
	"math"
	"math/big"
	"slices"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/tiling"
)

// maxValues is the largest number of values of a table. All values are in memory.
const maxValues = 1 << 20

// Spec defines the values of a table.
type Spec struct {
	Family   *tiling.Family
	Sides    [3]Range // layers, rows, columns; boards are flat if no layers are given
	Diagonal bool     // the boards are only squares or cubes
	Distinct bool     // values also have the count up to symmetry
	// Reflections reports whether mirror images count as the same for Distinct.
	Reflections bool
	// Conditions, if not nil, adds conditions to a model. Each board is then counted alone.
	Conditions func(context.Context, *tiling.Model) (*tiling.Model, error)
	Kept       string // description of the conditions
	// PerCell asks for the logarithm of each count, divided by the number of cells. Text has it in
	// place of the count; CSV and JSON have both; a b-file cannot have it.
	PerCell bool
	Engine  count.Engine // engine for boards that are counted alone; "" means auto
	Format  Format       // defines the order of the sizes
	Command string       // command that makes the table; files begin with it
}

// Table has the sizes to count, in the order in which the format writes them.
type Table struct {
	Spec
	flat   bool
	sizes  [][3]int
	groups []int // for each line of a text table, the number of sizes up to its end
	free   int   // the only axis along which sizes vary; -1 if they vary along several
}

// Value is the count of a size. If Spec.Distinct is set, it also has the count up to symmetry.
type Value struct{ Count, Distinct *big.Int }

func (v Value) shown() *big.Int {
	if v.Distinct != nil {
		return v.Distinct
	}
	return v.Count
}

// New returns the table of a Spec. Its errors are *Error.
func New(s Spec) (*Table, error) {
	t := &Table{Spec: s}
	for axis, side := range t.Sides {
		if axis > 0 && !side.Given() {
			return nil, bad("no %s given, expected ranges A..B of %s and columns, or only one of the two ranges for a recurrence", SideNames[axis], SideNames[1])
		}
	}
	if !t.Sides[0].Given() {
		t.Sides[0] = Range{1, 1}
		t.flat = true
	}
	if !slices.Contains(t.Format.Choices(), string(t.Format)) {
		return nil, bad("unknown format %q, expected text, csv, json or bfile", t.Format)
	}
	if t.PerCell && t.Format == BFile {
		return nil, bad("a b-file has only whole numbers and no logarithms, expected the format text, csv or json")
	}
	for axis, side := range t.Sides {
		if t.Conditions != nil && side.Least == 0 {
			return nil, bad("the range of %s begins with 0, but a board without cells has no placements for the conditions: expected a range from at least 1", SideNames[axis])
		}
	}
	return t, t.plan()
}

// Flat reports whether the boards are flat, since Spec.Sides has no range of layers.
func (t *Table) Flat() bool { return t.flat }

// Sizes returns the number of values of the table.
func (t *Table) Sizes() int { return len(t.sizes) }

// Size returns the numbers of layers, rows and columns of the board of value i. A flat board has
// one layer.
func (t *Table) Size(i int) [3]int { return t.sizes[i] }

func (t *Table) plan() error {
	values := 1
	for _, s := range t.Sides {
		values *= s.len() // the product is at most 2^37
	}
	if values > maxValues {
		return bad("the table has %d sizes, expected at most %d", values, maxValues)
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
			return bad("the diagonal needs ranges of all sides with a number in common")
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
			return bad("a b-file of solid boards needs boards with one number of layers, or with two fixed sides, or the diagonal")
		case rows.Least != columns.Least:
			return bad("the rows begin with %d and the columns with %d, but a b-file of a table, read by antidiagonals, needs the same first number", rows.Least, columns.Least)
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

// Taker receives value i of a table, in the order of i. row is true if the value completes a row.
type Taker func(i int, v Value, row bool) error

// Count counts the values of the table, and passes each of them to the function take. It does not
// count the first values, which known has. It returns the first error of a count or of take.
func (t *Table) Count(ctx context.Context, known []Value, take Taker, o count.Options) error {
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
		row := i+1 == t.groups[group]
		if row {
			group++
		}
		if err := take(i, v, row); err != nil {
			return err
		}
	}
	return nil
}

// boxes counts the boxes of a table. One sweep can count several heights of a section.
type boxes struct {
	*Table
	options count.Options
	known   map[box]Value
	wanted  map[tiling.Section][]int // heights to count, without duplicates
	sweeps  map[tiling.Section]*heights
	met     int64 // number of states of all finished counts
	// The weight of each section whose sweep has not begun. Section{} is for boards counted alone.
	waiting map[tiling.Section]float64

	// The weight of each task, which is its expected work, and the share of the task that is done,
	// 0..1. total is the sum of the weights, and done is the sum of weight times share.
	weights, shares map[box]float64
	total, done     float64
}

// A box stands for boards with equal counts. In a box that stands for a sweep over all heights, the
// height is 0.
type box struct {
	section tiling.Section
	height  int
}

type heights struct {
	*count.Heights
	at     int   // last height that was counted
	memory int64 // bytes reserved for this sweep; 0 means no limit
}

func newBoxes(t *Table, o count.Options) *boxes {
	return &boxes{
		Table: t, options: o,
		known: map[box]Value{}, wanted: map[tiling.Section][]int{}, sweeps: map[tiling.Section]*heights{},
		weights: map[box]float64{}, shares: map[box]float64{}, waiting: map[tiling.Section]float64{},
	}
}

func empty(size [3]int) bool { return size[0]*size[1]*size[2] == 0 }

func (b *boxes) box(size [3]int) box {
	if b.Conditions != nil { // conditions may name cells, so turned boards can differ
		axis := slices.Index(size[:], slices.Max(size[:]))
		s := tiling.Section{Size: size, Axis: axis}
		s.Size[axis] = 0
		return box{s, size[axis]}
	}
	s, h := b.Family.Section(size)
	return box{s, h}
}

func (b *boxes) want(sizes [][3]int) {
	seen := map[box]bool{}
	for _, size := range sizes {
		if empty(size) {
			continue
		}
		x := b.box(size)
		if _, known := b.known[x]; !known && !seen[x] {
			seen[x] = true
			b.wanted[x.section] = append(b.wanted[x.section], x.height)
		}
	}
	for s, heights := range b.wanted {
		highest := 0
		for _, h := range heights {
			highest = max(highest, h)
			if !b.swept(box{s, h}) {
				b.weigh(box{s, h}, h)
				alone := tiling.Section{}
				b.waiting[alone] = max(b.waiting[alone], b.weights[box{s, h}])
			}
		}
		if b.swept(box{s, highest}) {
			b.weigh(box{section: s}, highest)
			b.waiting[s] = b.weights[box{section: s}]
		}
	}
}

// Each further cell of a section multiplies the number of states by about statesPerCell: by 2 for
// dominoes, and by 3.4 for tetrominoes.
const statesPerCell = 3

func (b *boxes) weigh(task box, height int) {
	area := float64(task.section.Area())
	// The bound of 300 cells keeps the weight finite. Larger sections cannot be counted.
	b.weights[task] = math.Pow(statesPerCell, min(area, 300)) * area * float64(height)
	b.total += b.weights[task]
}

// swept reports whether x is counted with the other heights of its section, in one sweep. If there
// is only one height, it is counted alone in a better order of the cells, unless the board has too
// many cells for a model. For determinants, counts up to symmetry, conditions, and sections of more
// than maxSwept cells, each board is counted alone, too.
func (b *boxes) swept(x box) bool {
	if b.Engine == count.Dimer || b.Distinct || b.Conditions != nil || x.section.Area() > maxSwept {
		return false
	}
	high := len(b.wanted[x.section]) > 1 || x.section.Area()*x.height > tiling.MaxBoxCells
	return high && b.Family.Unbounded() && b.Family.Repeats(x.section)
}

// maxSwept is the largest area of a section in a sweep. Dominoes then have up to 2^40 states.
const maxSwept = 40

func (b *boxes) count(ctx context.Context, size [3]int) (Value, error) {
	if empty(size) { // a board without cells has one tiling, or none if a piece is required
		v := Value{Count: big.NewInt(1)}
		if slices.ContainsFunc(b.Family.Pieces, func(p tiling.Piece) bool { return p.Min > 0 }) {
			v.Count = new(big.Int)
		}
		if b.Distinct {
			v.Distinct = v.Count
		}
		return v, nil
	}
	x := b.box(size)
	if v, known := b.known[x]; known {
		return v, nil
	}
	var err error
	if b.swept(x) {
		err = b.sweep(ctx, x)
	} else {
		err = b.alone(ctx, x)
	}
	return b.known[x], err
}

func (b *boxes) alone(ctx context.Context, x box) error {
	p, err := b.Family.Puzzle(x.section.Box(x.height))
	if err != nil {
		return err
	}
	o := b.of(x)
	m, err := p.ModelWithin(ctx, o.Memory)
	if err != nil {
		return err
	}
	if b.Conditions != nil {
		if m, err = b.Conditions(ctx, m); err != nil {
			return err
		}
	}
	o.Memory = limit.Left(o.Memory, m.Bytes())
	if b.Distinct {
		d, err := count.Distinct(ctx, m.Problem, m.Group(b.Reflections).Symmetries(), b.Engine, o)
		if err != nil {
			return err
		}
		b.known[x] = Value{d.Total.Count, d.Count}
		b.met += d.Total.States
		return nil
	}
	r, err := count.Count(ctx, m.Problem, b.Engine, o)
	if err != nil {
		return err
	}
	b.known[x] = Value{Count: r.Count}
	b.met += r.States
	return nil
}

func (b *boxes) sweep(ctx context.Context, x box) error {
	h, err := b.begin(ctx, x.section)
	if err != nil {
		return err
	}
	for h.at < x.height {
		n, err := h.Next(ctx)
		if err != nil {
			return err
		}
		h.at++
		b.known[box{x.section, h.at}] = Value{Count: n}
	}
	if slices.Max(b.wanted[x.section]) <= h.at { // the sweep is complete
		states, _ := h.Effort()
		b.met += states
		delete(b.sweeps, x.section)
	}
	return nil
}

func (b *boxes) begin(ctx context.Context, s tiling.Section) (*heights, error) {
	if h := b.sweeps[s]; h != nil {
		return h, nil
	}
	o := b.of(box{section: s})
	if o.Memory > 0 {
		// Half of the memory is divided equally, and half by weight, since wide sections need more.
		sum := 0.0
		for _, weight := range b.waiting {
			sum += weight
		}
		part := 1/float64(len(b.waiting)) + b.waiting[s]/sum
		o.Memory = max(1, int64(float64(o.Memory)/2*part))
	}
	strip, err := b.Family.Strip(ctx, s, o.Memory)
	if err != nil {
		return nil, err
	}
	highest := 0
	for _, h := range b.wanted[s] {
		highest = max(highest, h)
	}
	h, err := count.NewHeights(ctx, strip.Model.Problem, strip.Order, strip.Period, highest, false, o)
	if err != nil {
		return nil, err
	}
	b.sweeps[s] = &heights{Heights: h, memory: o.Memory}
	delete(b.waiting, s)
	return b.sweeps[s], nil
}

func (b *boxes) of(task box) count.Options {
	o := b.options
	o.Progress = func(p count.Progress) { b.report(task, p) }
	for _, h := range b.sweeps {
		o.Memory = limit.Left(o.Memory, h.memory)
	}
	return o
}

func (b *boxes) report(task box, p count.Progress) {
	b.done += b.weights[task] * (p.Fraction - b.shares[task])
	b.shares[task] = p.Fraction
	p.Fraction = min(1, b.done/b.total)
	p.Done += b.met
	if b.options.Progress != nil {
		b.options.Progress(p)
	}
}
