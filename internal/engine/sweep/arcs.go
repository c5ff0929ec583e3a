package sweep

import (
	"context"
	"slices"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// Arcs has the arcs of one step. The arcs of state s have the indices Start[s] ≤ i < Start[s+1],
// sorted by variable, with automaton.Skip last. Until the next step, they count as memory in use.
type Arcs struct {
	Next     int      // number of states of the next level
	Start    []uint32 // index of the first arc of each state; then the number of all arcs
	Variable []uint32
	Child    []uint32
}

const (
	lentArcBytes = 8
	startBytes   = 4 // bytes of an element of Start
)

func (m *assembly[K]) transpose(ctx context.Context) (*Arcs, error) {
	if !m.step.want.Arcs {
		return nil, nil
	}
	states := int64(m.step.from.n) + 1
	if err := m.store.take(2 * states * startBytes); err != nil {
		return nil, err
	}
	arcs, err := m.byVariable(ctx)
	if err != nil {
		return nil, err
	}
	m.arcs = nil // frees memory for the returned arcs
	t := &Arcs{
		Next: m.out.n, Start: make([]uint32, states),
		Variable: make([]uint32, len(arcs)), Child: make([]uint32, len(arcs)),
	}
	if err := t.fill(ctx, arcs); err != nil {
		return nil, err
	}
	lent := int64(len(arcs))*lentArcBytes + states*startBytes
	m.store.lent += lent
	m.store.used.Add(lent - int64(len(arcs))*arcBytes - 2*states*startBytes)
	return t, nil
}

func (t *Arcs) fill(ctx context.Context, arcs []partArc) error {
	if err := eachArc(ctx, arcs, func(a partArc) { t.Start[a.source+1]++ }); err != nil {
		return err
	}
	for i := 1; i < len(t.Start); i++ {
		t.Start[i] += t.Start[i-1]
	}
	end := slices.Clone(t.Start[:len(t.Start)-1])
	return eachArc(ctx, arcs, func(a partArc) {
		at := end[a.source]
		t.Variable[at], t.Child[at] = a.variable, a.child
		end[a.source]++
	})
}

func (m *assembly[K]) byVariable(ctx context.Context) ([]partArc, error) {
	first, last := uint32(automaton.Skip), uint32(0)
	for _, st := range m.step.Streams {
		first = min(first, st.Variable)
		if st.Variable != automaton.Skip {
			last = max(last, st.Variable)
		}
	}
	buckets := max(first, last+1) - first    // some variables between first and last may have no move
	bucket := func(variable uint32) uint32 { // the variables of a step are consecutive
		return min(variable-first, buckets)
	}
	at := make([]int, buckets+2)
	if err := eachArc(ctx, m.arcs, func(a partArc) { at[bucket(a.variable)+1]++ }); err != nil {
		return nil, err
	}
	for i := 1; i < len(at); i++ {
		at[i] += at[i-1]
	}
	sorted := make([]partArc, len(m.arcs))
	return sorted, eachArc(ctx, m.arcs, func(a partArc) {
		b := bucket(a.variable)
		sorted[at[b]] = a
		at[b]++
	})
}

func eachArc(ctx context.Context, arcs []partArc, do func(partArc)) error {
	for some := range slices.Chunk(arcs, interrupt.Every) {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, a := range some {
			do(a)
		}
	}
	return nil
}
