package command

import (
	"context"
	"math"
	"math/big"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/tiling"
)

// boxes counts boards of one family, each section in one sweep where several
// heights of it are wanted.
type boxes struct {
	*app
	family *tiling.Family
	bar    *bar
	known  map[box]*big.Int
	wanted map[tiling.Section][]int // heights, each once, not known yet
	sweeps map[tiling.Section]*heights
	met    int64 // states, of what is done

	// How far the work is: the shares of the tasks, and how much of them is
	// done, with the number of sections' cells to tell their weight.
	weights, shares map[box]float64
	total, done     float64
}

// box is a board of a family, the same for all that have as many tilings. As
// a task it has height 0 if all heights are one.
type box struct {
	section tiling.Section
	height  int
}

// heights is the sweep of a section.
type heights struct {
	*count.Heights
	at int // the height counted last
}

func newBoxes(a *app, f *tiling.Family, b *bar) *boxes {
	return &boxes{
		app: a, family: f, bar: b,
		known: map[box]*big.Int{}, wanted: map[tiling.Section][]int{}, sweeps: map[tiling.Section]*heights{},
		weights: map[box]float64{}, shares: map[box]float64{},
	}
}

func (b *boxes) box(size [3]int) box {
	s, h := b.family.Section(size)
	return box{s, h}
}

// learn takes in a count that is known.
func (b *boxes) learn(size [3]int, n *big.Int) { b.known[b.box(size)] = n }

// want says which sizes will be counted.
func (b *boxes) want(sizes [][3]int) {
	seen := map[box]bool{}
	for _, size := range sizes {
		x := b.box(size)
		if b.known[x] == nil && !seen[x] {
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
			}
		}
		if b.swept(box{s, highest}) {
			b.weigh(box{section: s}, highest)
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
// height alone is not, for then any order of the cells will do, unless the
// board is so high that it can only be counted as a strip.
func (b *boxes) swept(x box) bool {
	return b.family.Unbounded() && (len(b.wanted[x.section]) > 1 || x.section.Area()*x.height > tiling.MaxCells)
}

// count counts a size that is wanted.
func (b *boxes) count(ctx context.Context, size [3]int) (*big.Int, error) {
	x := b.box(size)
	if n := b.known[x]; n != nil {
		return n, nil
	}
	var err error
	if b.swept(x) {
		err = b.sweep(ctx, x)
	} else {
		err = b.alone(ctx, x)
	}
	return b.known[x], err
}

// alone counts a board for itself.
func (b *boxes) alone(ctx context.Context, x box) error {
	p, err := b.family.Puzzle(x.section.Box(x.height))
	if err != nil {
		return err
	}
	m, err := p.Model(ctx)
	if err != nil {
		return err
	}
	r, err := count.Count(ctx, m.Problem, b.app.engine(), b.options(x))
	if err != nil {
		return err
	}
	b.known[x] = r.Count
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
		b.known[box{x.section, h.at}] = n
	}
	b.close(x.section)
	return nil
}

// begin is the sweep of a section, which may be under way already.
func (b *boxes) begin(ctx context.Context, s tiling.Section) (*heights, error) {
	if h := b.sweeps[s]; h != nil {
		return h, nil
	}
	strip, err := b.family.Strip(ctx, s)
	if err != nil {
		return nil, err
	}
	highest := 0
	for _, h := range b.wanted[s] {
		highest = max(highest, h)
	}
	h, err := count.NewHeights(ctx, strip.Model.Problem, strip.Order, strip.Period, highest, false, b.options(box{section: s}))
	if err != nil {
		return nil, err
	}
	b.sweeps[s] = &heights{Heights: h}
	return b.sweeps[s], nil
}

// close lets go of a sweep that is at the end.
func (b *boxes) close(s tiling.Section) {
	h := b.sweeps[s]
	for _, wanted := range b.wanted[s] {
		if wanted > h.at {
			return
		}
	}
	states, _ := h.Effort()
	b.met += states
	delete(b.sweeps, s)
}

// options are those of a task; what other sweeps hold is not to be had.
func (b *boxes) options(task box) count.Options {
	o := b.app.options(func(p count.Progress) { b.report(task, p) })
	for _, h := range b.sweeps {
		if _, held := h.Effort(); o.Memory > 0 {
			o.Memory = max(1, o.Memory-held)
		}
	}
	return o
}

// report is told by a task, and tells the bar of all of them.
func (b *boxes) report(task box, p count.Progress) {
	b.done += b.weights[task] * (p.Fraction - b.shares[task])
	b.shares[task] = p.Fraction
	p.Fraction = min(1, b.done/b.total)
	p.Done += b.met
	b.bar.levels(p)
}

// states is how many were met in all.
func (b *boxes) states() int64 {
	met := b.met
	for _, h := range b.sweeps {
		states, _ := h.Effort()
		met += states
	}
	return met
}
