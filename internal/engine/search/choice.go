package search

import "slices"

// shareable is how many active options a frame must have at least for its
// choices to be given away: less is done before another walker has begun.
const shareable = 32

// choice is a parcel of a tree of matrices: a choice of a frame, and what the frame has left.
type choice struct {
	options []int32 // active
	open    []uint16
	bounds  []bound
	weight  uint64
	path    []int32
	take    int32 // nothing: no choice, but all of the frame
	share   float64
	blind   bool
}

func (m *matrices) whole() parcel { return m.root() }

func (m *matrices) root() *choice {
	c := &choice{options: make([]int32, m.options), open: m.open, weight: 1, take: nothing, share: 1}
	for i := range c.options {
		c.options[i] = int32(i)
	}
	for _, item := range m.counted {
		c.bounds = append(c.bounds, item.bound)
	}
	return c
}

// give makes a parcel of the last choice of the first frame, down to d, that
// has one left: the largest part of the tree that can be spared.
func (w *walker) give(d int) {
	for e, f := range w.frames[:d+1] {
		if f.next+1 < len(f.columns) && (count(f.active) >= shareable || w.pool.greedy) {
			w.pool.accept(w.choice(f))
			for _, f := range w.frames[:e+1] { // others count some of the solutions below
				f.keyed = false
			}
			return
		}
	}
}

func (w *walker) choice(f *frame) *choice {
	last := len(f.columns) - 1
	p := &choice{
		open: slices.Clone(f.open), bounds: slices.Clone(f.bounds),
		weight: f.weight, path: slices.Clone(w.path[:f.path]),
		take: f.matrix.options[f.columns[last]], share: f.part,
		blind: f.blind || f.drops && uint32(f.branch) != slackItem,
	}
	active := f.active
	if f.drops { // the choices between the present one and the last come before it
		f.active = slices.Clone(active)
		for _, column := range f.columns[f.next:last] {
			f.active[column/blockBits].clear(int(column))
		}
	}
	p.options = f.options(nil)
	f.active = active
	f.columns = f.columns[:last]
	f.rest -= f.part
	return p
}

// poll hands in what a walker has done so far; it reports whether to go on.
func (w *walker) poll() bool {
	if w.pool == nil {
		return true
	}
	w.report()
	w.pool.enforceLimit()
	w.ended = w.ended || w.pool.stopped.Load()
	return !w.ended
}

// stopped ends the walk if the pool has been stopped, or if it is late.
func (w *walker) stopped() bool {
	w.ended = w.ended || w.pool != nil && w.pool.stopped.Load() || w.late != nil && w.late()
	return w.ended
}

// report hands in what a walker has done since its last report.
func (w *walker) report() {
	w.pool.take(effort{w.sum.minus(w.handed), w.nodes - w.reported, w.tries, w.done}, w.ended)
	w.reported, w.handed, w.tries, w.done = w.nodes, w.sum, 0, 0
}
