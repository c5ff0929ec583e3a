package sweep

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/pavage/pavage/internal/key"
)

// Rows of a board repeat, and so do levels: from some row on, the states at
// the third cell of a row are the same as at the third cell of the row before,
// only with other counts. A step between levels of the same states has the
// same arcs, which need not be merged again:
//
//	row 4   level 42 ── merge ──► level 43        the states are noted
//	row 5   level 52 ── merge ──► level 53        the same again: arcs are kept
//	row 6   level 62 ── gather ─► level 63        counts are summed along them
//
// Nothing is assumed of the board: steps repeat if their moves are equal, and
// levels if their keys are, all of them.

// repeatBytes is what a run may keep for repetition: 10x10 tetrominoes want 60
// MB, 16x16 monomer-dimer 25.
const repeatBytes = 64 << 20

// worthKeeping is how many times a step must be expected to come again, if it
// goes on as it began, for its arcs to be kept. A gathered step takes a third
// or a quarter of the time of a merged one, noting its arcs as much again.
const worthKeeping = 2

// repeats knows which steps were seen. A step is looked up by its kind and the
// print of the level it begins with: from one row to the next the cells of a
// row may be of one kind and their levels differ, or levels come back only
// every other row (tetrominoes on ten columns).
type repeats[K key.Key] struct {
	kinds []int // by step; -1: not to be repeated
	left  []int // by kind: steps still to come, the present one included
	seen  map[stepPrint]*record[K]
	bytes int64
	times int // steps repeated
}

type stepPrint struct {
	kind  int
	level uint64
}

// record is a step that came once, and may come again.
type record[K key.Key] struct {
	first int  // step
	kept  bool // it came twice, and the following is known
	in    Level[K]
	out   Level[K] // keys alone
	parts []gathered
	arcs  int64
}

// gathered is the arcs to some consecutive states.
type gathered struct {
	first  int      // state
	degree []uint16 // by state
	from   []uint32 // sources, those of a state together
}

func (g *gathered) bytes() int64 { return int64(2*cap(g.degree) + 4*cap(g.from)) }

// findRepeats sorts steps into kinds. Steps after which states may be dropped
// do not take part.
func (r *Sweep[K]) findRepeats() {
	t := &r.repeats
	t.kinds = slices.Repeat([]int{-1}, r.a.Steps())
	if r.c.once || !r.c.Counts || r.c.Arcs || r.a.HasPockets() {
		return
	}
	byPrint := map[uint64][]int{} // the first steps of kinds
	for i := range r.a.Steps() {
		if !r.a.AllKept(i) || r.a.Moves(i) >= math.MaxUint16 /* and one arc more */ {
			continue
		}
		print := r.a.StepPrint(i)
		alike := byPrint[print]
		k := slices.IndexFunc(alike, func(j int) bool { return r.a.Alike(i, j) })
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
}

// print tells levels apart, mostly. It says when it is worth to keep the arcs
// of a step; they are used only where the keys are compared.
func (l *Level[K]) print() uint64 {
	h := uint64(l.n)
	for b, k := range l.blocks.heads {
		for w := range len(k) {
			h = key.Mix(h, k[w])
		}
		h = key.Mix(h, uint64(l.blocks.first[b]))
	}
	return h
}

// sameKeys compares whole levels, which mostly share their slabs.
func sameKeys[K key.Key](a, b *Level[K]) bool {
	return a.n == b.n && slices.Equal(a.blocks.first, b.blocks.first) && slices.Equal(a.blocks.heads, b.blocks.heads) &&
		slices.EqualFunc(a.lows, b.lows, func(x, y []uint16) bool {
			return len(x) == len(y) && (&x[0] == &y[0] || slices.Equal(x, y))
		})
}

// repeat is what is known of the coming step: a record to gather along, or
// one to fill, or neither.
func (r *Sweep[K]) repeat() (known, fill *record[K]) {
	t := &r.repeats
	kind := t.kinds[r.at]
	if kind < 0 {
		return nil, nil
	}
	at := stepPrint{kind, r.in.print()}
	rec := t.seen[at]
	switch {
	case rec == nil:
		if t.left[kind] > 2 {
			t.seen[at] = &record[K]{first: r.at}
		}
	case rec.kept && sameKeys(&rec.in, &r.in):
		return rec, nil
	case !rec.kept && rec.first < r.at && r.roomFor() && r.a.Steps()-r.at > worthKeeping*(r.at-rec.first):
		return nil, rec
	}
	return nil, nil
}

// roomFor reports whether the coming step may be kept: as many arcs and states
// as the steps before it have for each state, and as much again in doubt.
func (r *Sweep[K]) roomFor() bool {
	each := float64(r.effort.Arcs) / float64(r.effort.States)
	states := float64(r.in.n)
	expected := 2 * states * (4*each + 2 + float64(StateBytes(1, 0)))
	return float64(r.repeats.bytes)+expected < RoomForRepeats(r.c.Memory)
}

// RoomForRepeats is how many bytes a run that may take so many (0: no limit)
// keeps for repetition, at most.
func RoomForRepeats(memory int64) float64 {
	if memory > 0 {
		return min(repeatBytes, float64(memory)/4)
	}
	return repeatBytes
}

// forget drops all records, since the levels need their room, and keeps none
// from now on.
func (r *Sweep[K]) forget() {
	slabs := map[*uint16]int64{} // of low bits, which records share
	blocks := map[*K]int64{}
	each := func(l *Level[K], do func(slab *uint16, bytes int64)) {
		for _, slab := range l.lows {
			do(&slab[:1][0], StateBytes(cap(slab), 0))
		}
	}
	for _, rec := range r.repeats.seen {
		for _, l := range []*Level[K]{&rec.in, &rec.out} {
			each(l, func(slab *uint16, bytes int64) { slabs[slab] = bytes })
			if len(l.blocks.heads) > 0 {
				blocks[&l.blocks.heads[0]] = l.blocks.bytes()
			}
		}
		for i := range rec.parts {
			r.store.used.Add(-rec.parts[i].bytes())
		}
	}
	each(&r.in, func(slab *uint16, _ int64) { delete(slabs, slab) }) // the present level's are its own again
	if r.in.n > 0 {
		delete(blocks, &r.in.blocks.heads[0])
	}
	for _, size := range slabs {
		r.store.used.Add(-size)
	}
	for _, size := range blocks {
		r.store.used.Add(-size)
	}
	for _, p := range r.spare { // have listed arcs
		p.arcs, p.along = nil, gathered{}
		r.store.used.Add(p.grown())
	}
	r.in.lent = false
	r.repeats = repeats[K]{kinds: slices.Repeat([]int{-1}, r.a.Steps())}
}

// note fills a record with a step that was made, whose levels share their
// keys with it from now on.
func (r *Sweep[K]) note(rec *record[K], s *stepping[K]) {
	rec.kept, rec.parts = true, s.along
	rec.in, rec.out = r.in.lend(), s.out.lend()
	rec.arcs = s.made
	var size int64
	for i := range rec.parts {
		size += rec.parts[i].bytes()
	}
	for _, slab := range rec.out.lows {
		size += StateBytes(cap(slab), 0)
	}
	size += rec.out.blocks.bytes()
	r.repeats.bytes += size
}

// lend is a level of the same keys and no counts.
func (l *Level[K]) lend() Level[K] {
	l.lent = true
	return Level[K]{n: l.n, blocks: l.blocks, lows: l.lows, lent: true}
}

// along makes the next level along the arcs of a record.
func (r *Sweep[K]) along(ctx context.Context, rec *record[K]) error {
	out := rec.out.lend()
	out.limbs = r.store.limbs
	out.counts = make([][]uint64, len(out.lows))
	for i, lows := range out.lows {
		slab, err := r.store.countSlab(cap(lows), out.limbs)
		if err != nil {
			out.lows = out.lows[:i]
			r.store.recycle(&out)
			return err
		}
		out.counts[i] = slab[:len(lows)*out.limbs]
	}
	var next atomic.Int64
	var narrow atomic.Bool
	var wg sync.WaitGroup
	for range min(len(r.workers), len(rec.parts)) {
		wg.Go(func() {
			for ctx.Err() == nil && !narrow.Load() {
				k := int(next.Add(1)) - 1
				if k >= len(rec.parts) {
					break
				}
				if !rec.parts[k].sum(out.counts, r.in.counts, out.limbs, r.in.limbs, r.c.Moduli) {
					narrow.Store(true)
				}
			}
		})
	}
	wg.Wait()
	err := ctx.Err()
	if narrow.Load() {
		err = errNarrow
	}
	if err != nil {
		r.store.recycle(&out)
		return err
	}
	r.effort.States += int64(out.n)
	r.effort.Arcs += rec.arcs
	r.repeats.times++
	r.advance(out)
	return nil
}
