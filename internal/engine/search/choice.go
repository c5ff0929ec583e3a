package search

import "slices"

// shareable is how many active options a frame must have at least for its
// choices to be given away: less is done before another walker has begun.
const shareable = 32

// choice is a parcel of a tree of matrices: a choice of a frame, which no other walker has.
type choice struct {
	frame  *frame
	path   []int32
	column int // nothing: no choice, but all of the frame
	share  float64
}

func (m *matrices) whole(c *pool) parcel {
	return &choice{frame: m.root(c.stopped.Load), column: nothing, share: 1}
}

// root is the frame of the whole tree, with nothing settled. If the walk ends meanwhile, it is
// no good.
func (m *matrices) root(stop func() bool) *frame {
	f := &frame{matrix: &matrix{options: m.all}, open: slices.Clone(m.open), weight: 1}
	f.matrix.fill(m, stop)
	f.active = f.matrix.all(nil)
	for _, item := range m.counted {
		f.bounds = append(f.bounds, item.bound)
	}
	return f
}

// copyTo makes g a copy of what a frame has left, in the matrix that the frame has.
func (f *frame) copyTo(g *frame) *frame {
	g.matrix, g.branch, g.weight, g.path, g.blind = f.matrix, f.branch, f.weight, f.path, f.blind
	g.active = append(g.active[:0], f.active...)
	g.open = append(g.open[:0], f.open...)
	g.bounds = append(g.bounds[:0], f.bounds...)
	return g
}

// give makes a parcel of the last choice of the first frame, down to d, that
// has one left: the largest part of the tree that can be spared.
func (w *walker) give(d int) {
	for e, f := range w.frames[:d+1] {
		if last := len(f.columns) - 1; f.next < last && (count(f.active) >= shareable || w.pool.greedy) {
			c := &choice{f.copyTo(&frame{}), slices.Clone(w.path[:f.path]), int(f.columns[last]), f.part}
			if f.drops { // the choices between the present one and the last come before it
				for _, column := range f.columns[f.next:last] {
					c.frame.active[column/blockBits].clear(int(column))
				}
				c.frame.blind = f.blind || uint32(f.branch) != slackItem
			}
			f.columns = f.columns[:last]
			f.rest -= f.part
			w.pool.accept(c)
			for _, f := range w.frames[:e+1] {
				f.keyed = false // others count some of the solutions below
				f.own = nil     // others have the matrix
			}
			return
		}
	}
}
