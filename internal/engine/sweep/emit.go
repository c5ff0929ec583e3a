package sweep

import (
	"slices"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
)

// emit appends the block of sums to the part. It reports whether all counts fit in their limbs.
func (s *Step[K]) emit(w *Worker[K], p *Part[K], base K) bool {
	t := w.sorter
	mask := key.Low[K](s.from.blocks.low)
	high := key.Without(base, mask)
	p.addTo(high, mask)
	half := uint16(base[0] & mask[0])
	summary := t.summary[:1+mask[0]>>1>>12]
	first := len(p.lows)
	if s.lone != nil {
		p.readAlive(t, summary, half, high[0], s.lone)
	} else {
		p.readAll(t, summary, half)
	}
	if s.keep != nil {
		p.prune(t, summary, first, high, s.keep)
	}
	p.dropEmpty()
	p.all += len(t.images)
	if s.want.Arcs || s.want.noted {
		p.list(t)
	}
	wide := true
	if s.want.Limbs > 0 {
		wide = p.add(t, w.counts, s.want, s.from.limbs())
	}
	t.wipe(len(summary))
	return wide
}

func (p *Part[K]) list(t *sorter) {
	p.arcs = slices.Grow(p.arcs, len(t.images))
	for i, m := range t.images {
		child, ok := t.index(m.low)
		if !ok {
			continue
		}
		variable := uint32(automaton.Skip)
		if i < len(t.variables) {
			variable = t.variables[i]
		}
		p.arcs = append(p.arcs, partArc{m.source, variable, child})
	}
}

func (p *Part[K]) group() {
	p.along = gathered{degree: make([]uint16, len(p.lows)), from: make([]uint32, len(p.arcs))}
	for _, a := range p.arcs {
		p.along.degree[a.child]++
	}
	at := make([]uint32, len(p.lows))
	sum := uint32(0)
	for child, d := range p.along.degree {
		at[child] = sum
		sum += uint32(d)
	}
	for _, a := range p.arcs {
		p.along.from[at[a.child]] = a.source
		at[a.child]++
	}
	p.arcs = p.arcs[:0]
}

func (p *Part[K]) add(t *sorter, in [][]uint64, want Want, inLimbs int) bool {
	from, to := len(p.counts), len(p.lows)*newWidth(want.Limbs, want.Value.check()).words
	p.counts = slices.Grow(p.counts, to-from)[:to]
	clear(p.counts[from:])
	return want.Value.add(t, p.counts, in, want.Limbs, inLimbs) == 0
}
