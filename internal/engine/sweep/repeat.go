package sweep

import (
	"context"
	"math"
	"slices"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
)

// A step repeats an earlier step if both have equal moves, and levels with equal keys:
//
//	row 4   level 42 ── merge ──► level 43        a hash of level 42 is stored
//	row 5   level 52 ── merge ──► level 53        equal keys: the arcs are kept
//	row 6   level 62 ── gather ─► level 63        counts are summed along these arcs

// repeatBytes bounds the memory of records. The records for tetrominoes on 10x10 use 60 MB.
const repeatBytes = 64 << 20

// A record that replaces fewer than worthKeeping merges is not made. It costs a third of a merge.
const worthKeeping = 2

// repeats has records. Two steps are of one kind if they have equal moves.
type repeats[K key.Key] struct {
	kinds []int // kind of each step; -1 if the step is never repeated
	left  []int // number of steps of each kind from the present step on
	seen  map[stepPrint]*record[K]
	bytes int64
	times int // number of steps repeated
}

type stepPrint struct {
	kind  int
	level uint64
}

type record[K key.Key] struct {
	first int  // the first step of this kind whose level has this hash
	kept  bool // a second step was met, and the following fields are set
	in    Level[K]
	out   Level[K] // keys without counts
	parts []gathered
	arcs  int64
}

func neverRepeated[K key.Key](a *automaton.Automaton) repeats[K] {
	return repeats[K]{kinds: slices.Repeat([]int{-1}, a.Steps())}
}

func newRepeats[K key.Key](a *automaton.Automaton) repeats[K] {
	t := neverRepeated[K](a)
	byPrint := map[uint64][]int{} // first steps of kinds; the key is the result of StepPrint
	for i := range a.Steps() {
		if !a.Recurs(i) || a.Moves(i) >= math.MaxUint16 /* a state may have one arc more than moves */ {
			continue
		}
		print := a.StepPrint(i)
		alike := byPrint[print]
		k := slices.IndexFunc(alike, func(j int) bool { return a.Alike(i, j) })
		if k >= 0 {
			t.kinds[i] = t.kinds[alike[k]]
		} else {
			byPrint[print] = append(alike, i)
			t.kinds[i] = len(t.left)
			t.left = append(t.left, 0)
		}
		t.left[t.kinds[i]]++
	}
	t.seen = map[stepPrint]*record[K]{}
	return t
}

func (t *repeats[K]) pass(from, to int) {
	for _, kind := range t.kinds[from:to] {
		if kind >= 0 {
			t.left[kind]--
		}
	}
}

// find returns a record that has the arcs of the step, or a record to fill with them, or neither.
func (t *repeats[K]) find(at int, in *Level[K], room func() bool) (known, fill *record[K]) {
	kind := t.kinds[at]
	if kind < 0 || in.away != nil { // the keys are not in memory
		return nil, nil
	}
	print := stepPrint{kind, in.print()}
	rec := t.seen[print]
	switch {
	case rec == nil:
		if t.left[kind] > 2 {
			t.seen[print] = &record[K]{first: at}
		}
	case rec.kept && sameKeys(&rec.in, in):
		return rec, nil
	case !rec.kept && t.comesAgain(kind, rec.first, at) && room():
		return nil, rec
	}
	return nil, nil
}

// comesAgain guesses whether the step recurs worthKeeping times, with the period at-first.
func (t *repeats[K]) comesAgain(kind, first, at int) bool {
	last := at + worthKeeping*(at-first)
	return first < at && last < len(t.kinds) && t.kinds[last] == kind
}

// RoomForRepeats returns the largest number of bytes that records may use in a run. The argument is
// the limit of memory of the run in bytes; 0 means no limit.
func RoomForRepeats(memory int64) float64 {
	if memory > 0 {
		return min(repeatBytes, float64(memory)/4)
	}
	return repeatBytes
}

// note stores the arcs of a step in rec. Both levels of the step then share their keys with rec.
func (t *repeats[K]) note(rec *record[K], in *Level[K], m *assembly[K]) {
	rec.kept, rec.parts = true, m.along
	rec.in, rec.out = in.lend(), m.out.lend()
	rec.arcs = m.made
	for i := range rec.parts {
		t.bytes += rec.parts[i].bytes()
	}
	for _, slab := range rec.out.lows {
		t.bytes += StateBytes(cap(slab), 0)
	}
	t.bytes += rec.out.blocks.bytes()
}

// forget drops all records, and no more are made. The keys of the given level are no longer shared.
func (t *repeats[K]) forget(in *Level[K], b *budget) {
	c := newCensus[K]()
	for _, rec := range t.seen {
		c.add(&rec.in)
		c.add(&rec.out)
		for i := range rec.parts {
			b.give(rec.parts[i].bytes())
		}
	}
	c.forget(in)
	b.give(c.bytes)
	in.lent = false
	*t = repeats[K]{kinds: slices.Repeat([]int{-1}, len(t.kinds))}
}

func (rec *record[K]) along(ctx context.Context, in *Level[K], s *store, threads int, moduli []uint64) (Level[K], error) {
	out := rec.out.lend()
	out.words = s.words
	out.counts = make([][]uint64, len(out.lows))
	for i, lows := range out.lows {
		slab, err := s.countSlab(cap(lows), out.words)
		if err != nil {
			out.lows = out.lows[:i]
			out.recycle(s)
			return out, err
		}
		out.counts[i] = slab[:len(lows)*out.words]
	}
	err := each(threads, len(rec.parts), func(k int) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case !rec.parts[k].sum(out.counts, in.counts, out.words, in.words, moduli):
			return errNarrow
		}
		return nil
	})
	if err != nil {
		out.recycle(s)
	}
	return out, err
}
