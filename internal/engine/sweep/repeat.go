package sweep

import (
	"context"
	"math"
	"slices"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
)

// Steps repeat if their moves are equal, and levels if all their keys are, on any board:
//
//	row 4   level 42 ── merge ──► level 43        the states are noted
//	row 5   level 52 ── merge ──► level 53        the same again: arcs are kept
//	row 6   level 62 ── gather ─► level 63        counts are summed along them

// repeatBytes bounds the memory of records: 10x10 tetrominoes use 60 MB, 16x16 monomer-dimer 25.
const repeatBytes = 64 << 20

// worthKeeping repetitions must be expected: gathering, and recording, cost a third of a merge.
const worthKeeping = 2

// repeats finds steps by kind and level: a row's levels may differ, or come back every other row.
type repeats[K key.Key] struct {
	kinds []int // by step; -1: not to be repeated
	left  []int // by kind: steps still to come, the present one included
	seen  map[stepPrint]*record[K]
	bytes int64 // of the records
	times int   // steps repeated
}

type stepPrint struct {
	kind  int
	level uint64
}

type record[K key.Key] struct {
	first int  // step
	kept  bool // the step was met twice, and the following fields are set
	in    Level[K]
	out   Level[K] // keys alone
	parts []gathered
	arcs  int64
}

func neverRepeated[K key.Key](a *automaton.Automaton) repeats[K] {
	return repeats[K]{kinds: slices.Repeat([]int{-1}, a.Steps())}
}

func newRepeats[K key.Key](a *automaton.Automaton) repeats[K] {
	t := neverRepeated[K](a)
	byPrint := map[uint64][]int{} // the first steps of kinds
	for i := range a.Steps() {
		if !a.Recurs(i) || a.Moves(i) >= math.MaxUint16 /* and one arc more */ {
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

// find returns the record to gather along or, if there is room, a record to fill, or neither.
func (t *repeats[K]) find(at int, in *Level[K], room func() bool) (known, fill *record[K]) {
	kind := t.kinds[at]
	if kind < 0 || in.away != nil { // its keys are not at hand
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

// comesAgain reports whether the step is the same worthKeeping rounds on. (Else 21 MB never
// served.)
func (t *repeats[K]) comesAgain(kind, first, at int) bool {
	last := at + worthKeeping*(at-first)
	return first < at && last < len(t.kinds) && t.kinds[last] == kind
}

// RoomForRepeats returns the most bytes kept for repetition with this limit of memory (0: no
// limit).
func RoomForRepeats(memory int64) float64 {
	if memory > 0 {
		return min(repeatBytes, float64(memory)/4)
	}
	return repeatBytes
}

// note fills a record with a step, whose levels share their keys with it from now on.
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

// forget drops all records and keeps none from now on. The present level's keys are its own again.
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
