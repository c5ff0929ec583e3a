package sweep

import (
	"context"
	"slices"

	"github.com/pavage/pavage/internal/automaton"
	"github.com/pavage/pavage/internal/poll"
)

// What an arc takes: while a step collects it (append makes room for a quarter
// more, and holds the old room until it has copied) and while it is sorted, 27
// bytes; then, returned, 8.
const (
	arcBytes     = 12 + 15
	lentArcBytes = 8
	startBytes   = 4 // of a state in Start, and again in its copy
)

// transpose orders the step's arcs by their source: by variable first, then,
// keeping that order, by source.
func (s *stepping[K]) transpose(ctx context.Context) (*Arcs, error) {
	if !s.c.Arcs {
		return nil, nil
	}
	states := int64(s.in.n) + 1
	if err := s.store.take(2 * states * startBytes); err != nil {
		return nil, err
	}
	arcs, err := s.byVariable(ctx)
	if err != nil {
		return nil, err
	}
	s.arcs = nil // makes room for what is returned
	t := &Arcs{
		Next: s.out.n, Start: make([]uint32, states),
		Variable: make([]uint32, len(arcs)), Child: make([]uint32, len(arcs)),
	}
	if err := t.fill(ctx, arcs); err != nil {
		return nil, err
	}
	lent := int64(len(arcs))*lentArcBytes + states*startBytes
	s.lent += lent
	s.store.used.Add(lent - int64(len(arcs))*arcBytes - 2*states*startBytes)
	return t, nil
}

// fill distributes arcs, sorted by variable, to their sources.
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

// byVariable sorts the arcs by variable, automaton.Skip last, into another array.
func (s *stepping[K]) byVariable(ctx context.Context) ([]partArc, error) {
	first := uint32(automaton.Skip)
	for _, st := range s.Streams {
		first = min(first, st.Variable)
	}
	buckets := uint32(len(s.Streams))
	bucket := func(variable uint32) uint32 { // those of a step follow each other
		return min(variable-first, buckets)
	}
	at := make([]int, buckets+2)
	if err := eachArc(ctx, s.arcs, func(a partArc) { at[bucket(a.variable)+1]++ }); err != nil {
		return nil, err
	}
	for i := 1; i < len(at); i++ {
		at[i] += at[i-1]
	}
	sorted := make([]partArc, len(s.arcs))
	return sorted, eachArc(ctx, s.arcs, func(a partArc) {
		b := bucket(a.variable)
		sorted[at[b]] = a
		at[b]++
	})
}

// eachArc calls do with every arc, and looks at the context now and then.
func eachArc(ctx context.Context, arcs []partArc, do func(partArc)) error {
	for some := range slices.Chunk(arcs, poll.Every) {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, a := range some {
			do(a)
		}
	}
	return nil
}
