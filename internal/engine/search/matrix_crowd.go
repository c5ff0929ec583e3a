package search

import "math/rand/v2"

// prober is the crowds of matrices.
type prober struct {
	*walker
	rng   *rand.Rand
	root  *frame // settled; nil: not yet, or nothing is left to decide
	top   probed // what is known of the root
	nanos float64
}

func (m *matrices) crowds(rng *rand.Rand) crowds {
	return &prober{walker: &walker{matrices: m}, rng: rng}
}

func (p *prober) work() (counted, all float64) {
	return p.nanos, max(p.nanos, lookNanos*float64(p.looked))
}

func (p *prober) crowd(size int, late func() bool) (found probed, ok bool) {
	p.stop, p.ended = late, false
	if p.top.tries == 0 && !p.settle() {
		return found, false
	}
	found = p.top
	if p.root == nil {
		return found, true
	}
	ok = crowd(p.rng, size, p.root.copyTo(&frame{}), func(f **frame, times float64, next *draw[*frame]) bool {
		p.expand(*f, times, &found, next)
		return !p.ended
	})
	return found, ok
}

// settle settles the root; it reports false if it gets late.
func (p *prober) settle() bool {
	f := p.matrices.root(p.stopped)
	p.nanos += fillNanos * float64(len(f.active)) * float64(p.rows)
	if p.stopped() {
		return false
	}
	v := p.descend(f, nothing)
	if p.stopped() {
		return false
	}
	p.top = probed{tries: 1, nanos: cost(f)}
	switch v {
	case solved:
		p.top.solutions = float64(p.frames[1].weight)
	case branched:
		p.root = p.frames[1].copyTo(&frame{})
	}
	return true
}

// cost is what a try of a frame is expected to cost, in nanoseconds.
func cost(f *frame) float64 { return tryNanos + blockNanos*float64(len(f.active)) }

// descend is the walker's from a frame outside its own, to its frame 1, and adds to the
// work.
func (p *prober) descend(f *frame, column int) verdict {
	p.begin(f)
	p.nanos += tryNanos + float64(len(f.active))*max(blockNanos, rowNanos*float64(len(f.open)))
	return p.walker.descend(0, column)
}

// expand tries all choices of a frame that stands for so many, and offers those that
// branch. If it gets late it leaves off.
func (p *prober) expand(f *frame, times float64, found *probed, next *draw[*frame]) {
	p.unfold(f)
	if uint32(f.branch) == slackItem {
		found.solutions += times * float64(f.weight)
	}
	for !p.stopped() && f.step(p.matrices) {
		found.tries += times
		found.nanos += times * cost(f)
		switch p.descend(f, f.column()) {
		case solved:
			found.solutions += times * float64(p.frames[1].weight)
		case branched:
			if place := next.offer(); place != nil {
				if *place == nil {
					*place = &frame{}
				}
				p.frames[1].copyTo(*place)
			}
		}
	}
}
