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

// boxes counts the boxes of a table, each section in one sweep where several
// heights of it are wanted.
type boxes struct {
	*Table
	options count.Options
	known   map[box]Value
	wanted  map[tiling.Section][]int // heights, each once, not known yet
	sweeps  map[tiling.Section]*heights
	met     int64 // states, of what is done
	// waiting are the weights of the sections to be swept whose sweep has not begun.
	// Section{} stands for all boards that are counted alone, with the largest weight.
	waiting map[tiling.Section]float64

	// How far the work is: the weight of each task, the share of it that is
	// done, and the sums of both.
	weights, shares map[box]float64
	total, done     float64
}

// box is a board of a family, the same for all that have as many tilings. As
// a task it has height 0 if one sweep counts all heights.
type box struct {
	section tiling.Section
	height  int
}

// heights is the sweep of a section.
type heights struct {
	*count.Heights
	at     int   // the height counted last
	memory int64 // its limit, which no other work has; 0: none
}

func newBoxes(t *Table, o count.Options) *boxes {
	return &boxes{
		Table: t, options: o,
		known: map[box]Value{}, wanted: map[tiling.Section][]int{}, sweeps: map[tiling.Section]*heights{},
		weights: map[box]float64{}, shares: map[box]float64{}, waiting: map[tiling.Section]float64{},
	}
}

// empty reports whether a box has no cell.
func empty(size [3]int) bool { return size[0]*size[1]*size[2] == 0 }

func (b *boxes) box(size [3]int) box {
	if b.Conditions != nil { // they may name cells, and tell rows from columns
		axis := slices.Index(size[:], slices.Max(size[:]))
		s := tiling.Section{Size: size, Axis: axis}
		s.Size[axis] = 0
		return box{s, size[axis]}
	}
	s, h := b.Family.Section(size)
	return box{s, h}
}

// want says which sizes will be counted.
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

// statesPerCell is how many times more states there are with a cell more in
// the section: 2 for dominoes, 3.4 for tetrominoes.
const statesPerCell = 3

func (b *boxes) weigh(task box, height int) {
	area := float64(task.section.Area())
	// Beyond 300 cells nothing can be counted anyway.
	b.weights[task] = math.Pow(statesPerCell, min(area, 300)) * area * float64(height)
	b.total += b.weights[task]
}

// swept reports whether x is counted with the other heights of its section. One
// height alone is counted by itself, in the best order of its cells, unless the
// board is so high that it can only be counted as a strip. Counts up to symmetry
// are of one board each, and so are conditions: what two rows may do depends on all others.
// Determinants know no heights, and no sweep is wide enough for sections of over maxSwept cells.
func (b *boxes) swept(x box) bool {
	if b.Engine == count.Dimer || b.Distinct || b.Conditions != nil || x.section.Area() > maxSwept {
		return false
	}
	high := len(b.wanted[x.section]) > 1 || x.section.Area()*x.height > tiling.MaxBoxCells
	return high && b.Family.Unbounded() && b.Family.Repeats(x.section)
}

// maxSwept is the most cells of a section that is swept. Dominoes have 2^40 states there.
const maxSwept = 40

// count counts a size that is wanted.
func (b *boxes) count(ctx context.Context, size [3]int) (Value, error) {
	if empty(size) { // the empty tiling is the only one, if no piece is demanded
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

// alone counts one board by itself.
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

// sweep goes on with the sweep of a section until it is at a height.
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
	if slices.Max(b.wanted[x.section]) <= h.at { // the sweep is at its end
		states, _ := h.Effort()
		b.met += states
		delete(b.sweeps, x.section)
	}
	return nil
}

// begin is the sweep of a section, which may be under way already.
func (b *boxes) begin(ctx context.Context, s tiling.Section) (*heights, error) {
	if h := b.sweeps[s]; h != nil {
		return h, nil
	}
	o := b.of(box{section: s})
	if o.Memory > 0 {
		// One half of the memory is divided evenly, the other by weights: a wide section has many times the
		// states of a narrow one.
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

// of are the options of a task. Its memory is what is not given to a sweep under way.
func (b *boxes) of(task box) count.Options {
	o := b.options
	o.Progress = func(p count.Progress) { b.report(task, p) }
	for _, h := range b.sweeps {
		o.Memory = limit.Left(o.Memory, h.memory)
	}
	return o
}

// report adds the progress of one task to the progress of the whole table.
func (b *boxes) report(task box, p count.Progress) {
	b.done += b.weights[task] * (p.Fraction - b.shares[task])
	b.shares[task] = p.Fraction
	p.Fraction = min(1, b.done/b.total)
	p.Done += b.met
	if b.options.Progress != nil {
		b.options.Progress(p)
	}
}
