package search

import "math/rand/v2"

// prober is the crowds of matrices.
type prober struct {
	rng   *rand.Rand
	w     *walker
	root  *frame // settled; nil: not yet, or nothing is left to decide
	top   probed // what is known of the root
	spare []*frame
	nanos float64 // of all probes
}

func (p *prober) work() (counted, all float64) {
	return p.nanos, max(p.nanos, lookNanos*float64(p.w.looked))
}

func (p *prober) crowd(size int, late func() bool) (found probed, ok bool) {
	w := p.w
	w.late, w.ended = late, false
	if !p.begin() {
		return found, false
	}
	found = p.top
	if p.root == nil {
		return found, true
	}
	members, times := []*frame{p.copyOf(p.root)}, 1.0
	for len(members) > 0 {
		next := draw[*frame]{rng: p.rng, size: size}
		for _, f := range members {
			p.expand(f, times, &found, &next)
			if w.ended {
				return found, false
			}
		}
		for _, f := range members {
			if f.matrix != &f.own { // else other frames may have its matrix
				p.spare = append(p.spare, f)
			}
		}
		members, times = next.drawn, times*next.each()
	}
	return found, true
}

// begin settles the root, once.
func (p *prober) begin() bool {
	if p.top.tries > 0 {
		return true
	}
	w := p.w
	w.start(w.root())
	root := w.frames[0]
	p.nanos += fillNanos * float64(len(root.active)) * float64(w.rows)
	if w.stopped() {
		return false
	}
	v := p.descend(root, nothing)
	if w.stopped() {
		return false
	}
	p.top = probed{tries: 1, nanos: cost(root)}
	switch v {
	case solved:
		p.top.solutions = float64(w.frames[1].weight)
	case branched:
		p.root = p.copyOf(w.frames[1])
	}
	return true
}

// cost is what a try of a frame is expected to cost, in nanoseconds.
func cost(f *frame) float64 { return tryNanos + blockNanos*float64(len(f.active)) }

// descend is the walker's from a frame outside its own, to its frame 1, and adds to the
// work.
func (p *prober) descend(f *frame, column int) verdict {
	p.w.reach(1)
	p.w.frames[0], p.w.path = f, p.w.path[:0]
	p.nanos += tryNanos + float64(len(f.active))*max(blockNanos, rowNanos*float64(len(f.open)))
	return p.w.descend(0, column)
}

// expand tries all choices of a frame that stands for so many, and offers those that
// branch. If it gets late it leaves off.
func (p *prober) expand(f *frame, times float64, found *probed, next *draw[*frame]) {
	w := p.w
	w.compact(f)
	if w.stopped() {
		return
	}
	found.nodes += times
	f.drops = f.columnsOf(w.matrices)
	if uint32(f.branch) == slackItem {
		found.solutions += times * float64(f.weight)
	}
	for k, column := range f.columns {
		if f.drops && k > 0 && !f.dropColumn(w.matrices, f.columns[k-1]) {
			return
		}
		if w.stopped() {
			return
		}
		found.tries += times
		found.nanos += times * cost(f)
		switch p.descend(f, int(column)) {
		case solved:
			found.solutions += times * float64(w.frames[1].weight)
		case branched:
			if place := next.offer(); place != nil {
				if *place != nil {
					p.spare = append(p.spare, *place)
				}
				*place = p.copyOf(w.frames[1])
			}
		}
	}
}

// copyOf is a copy of a frame that was just settled, with the matrix it has.
func (p *prober) copyOf(f *frame) *frame {
	g := &frame{}
	if n := len(p.spare); n > 0 {
		g, p.spare = p.spare[n-1], p.spare[:n-1]
	}
	g.matrix, g.branch, g.weight, g.blind = f.matrix, f.branch, f.weight, f.blind
	g.active = append(g.active[:0], f.active...)
	g.open = append(g.open[:0], f.open...)
	g.bounds = append(g.bounds[:0], f.bounds...)
	return g
}
