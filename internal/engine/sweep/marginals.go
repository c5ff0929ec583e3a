package sweep

import (
	"context"
	"fmt"
	"math/big"
	"sort"
	"sync/atomic"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

// How often a move is taken, in all ways from the beginning to the end together: by the
// pasts of the state that it leaves times the futures of the state that it comes to.
//
//	level 8     a 5 ●──3──► ●  c     pasts of a: 5     futures of c: 4
//	                 ╲      4        the move of weight 3 is in 5·3·4 = 60 ways
//	                  ╲              futures of a: 3·4 + 1·2 = 14
//	level 9            ●  d
//	                   2
//
// The levels have the pasts. Futures are found from the last level back: the only
// things to keep of them are those of two levels. The images of a block under a class of
// moves lie in one block of sums. So states of the next level are found as in a step
// forward, by a bitmap of that block: see classes.go. Ranges of states are tasks that
// depend on nothing else.

// Marginals implements History.
func (h *history[K]) Marginals(ctx context.Context, progress func(float64)) ([]*big.Int, error) {
	sums := make([]*big.Int, len(h.a.Variables))
	for v := range sums {
		sums[v] = new(big.Int)
	}
	if err := h.reach(ctx, h.a.Steps()); err != nil {
		return nil, err
	}
	last := &h.levels[len(h.levels)-1]
	if last.at < h.a.Steps() {
		return sums, nil
	}
	defer func() { h.besides = 0 }()
	w := &wayBack[K]{history: h, sums: sums, sorters: make([]sorter, h.c.threads())}
	next, err := w.ends(last.level.copied())
	for at := h.a.Steps() - 1; at >= 0 && err == nil; at-- {
		if err = h.reach(ctx, at); err != nil {
			break
		}
		if next, err = w.futures(ctx, at, next); err == nil && progress != nil {
			progress(1 - float64(at)/float64(h.a.Steps()))
		}
	}
	return sums, err
}

// wayBack is a history that is gone back through for marginals.
type wayBack[K key.Key] struct {
	*history[K]
	sums    []*big.Int // by variable
	sorters []sorter   // by thread
	spare   [][]uint64 // of the futures before the last, for those to come
}

// future is a level with the numbers of futures of its states, by slab.
type future[K key.Key] struct {
	level  Level[K] // its keys
	limbs  int
	counts [][]uint64
}

func (f *future[K]) bytes() int64 {
	return StateBytes(f.level.n, f.limbs) + f.level.blocks.bytes()
}

func (f *future[K]) of(i uint32) []uint64 {
	at := int(i&slabMask) * f.limbs
	return f.counts[i>>slabBits][at : at+f.limbs]
}

// ends are the futures of the last level: one for each state.
func (h *wayBack[K]) ends(last Level[K]) (*future[K], error) {
	f, err := h.newFuture(h.a.Steps(), last, 1)
	if err == nil {
		for _, slab := range f.counts {
			for i := range slab {
				slab[i] = 1
			}
		}
	}
	return f, err
}

// newFuture makes room for the futures of a level.
func (h *wayBack[K]) newFuture(at int, l Level[K], limbs int) (*future[K], error) {
	l.counts = nil
	f := &future[K]{level: l, limbs: limbs}
	if err := h.besideLevels(at, f.bytes()); err != nil {
		return nil, err
	}
	for i, lows := range l.lows {
		n := len(lows) * limbs
		if i < len(h.spare) && cap(h.spare[i]) >= n {
			f.counts = append(f.counts, h.spare[i][:n])
			clear(f.counts[i])
		} else {
			f.counts = append(f.counts, make([]uint64, n))
		}
	}
	h.spare = nil
	return f, nil
}

// besideLevels takes memory on the way back from a level, for which other levels are
// dropped if there is not enough: those passed, then every other one below.
func (h *history[K]) besideLevels(at int, bytes int64) error {
	h.besides += bytes
	for {
		used := h.bytes(h.levels) + h.besides
		if h.c.Memory <= 0 || used <= h.c.Memory {
			h.effort.Bytes = max(h.effort.Bytes, used)
			return nil
		}
		had := len(h.levels)
		h.whole.Store(false)
		h.dropIf(func(_, l int) bool { return l > at })
		if len(h.levels) == had {
			h.dropIf(func(i, l int) bool { return l < at && i%2 == 1 })
		}
		if len(h.levels) == had {
			return fmt.Errorf("%w: %d bytes needed, %d allowed", ErrMemory, used, h.c.Memory)
		}
	}
}

// futures are those of a level, by those of the next. To the sums by variable it adds
// in how many ways each move of the step is.
func (h *wayBack[K]) futures(ctx context.Context, at int, next *future[K]) (*future[K], error) {
	i, _ := h.find(at)
	in := h.levels[i].level.copied()
	t := automaton.NewTransition[K](h.a, at)
	s, err := NewStep(ctx, t, &in, Want{Value: h.c.Value})
	if err != nil {
		return nil, err
	}
	from, to := h.a.StepVariables(at)
	widest := 0 // bits of the largest number of next
	for _, slab := range next.counts {
		widest = max(widest, limb.BitLength(slab, next.limbs))
	}
	f, err := h.newFuture(at, in, (widest+h.weights.room(from, to, h.a.Moves(at)))/64+1)
	if err != nil {
		return nil, err
	}
	b := &backstep[K]{step: s, in: &in, next: next, out: f, from: from, to: to}
	workers := make([]*backWorker[K], min(len(h.sorters), in.n/backStates+1))
	if err := h.besideLevels(at, int64(len(workers))*b.workerBytes()); err != nil {
		return nil, err
	}
	err = each(len(workers), len(workers), func(k int) error {
		workers[k] = &backWorker[K]{
			backstep: b, sorter: &h.sorters[k],
			sums: make([]uint64, (to-from)*b.width()), at: make([]int, len(s.classes)),
		}
		return workers[k].work(ctx)
	})
	h.besides, h.spare = f.bytes(), next.counts
	if err != nil {
		return nil, err
	}
	for v := from; v < to; v++ {
		for _, w := range workers {
			h.sums[v].Add(h.sums[v], limb.Int(w.sum(v)))
		}
		h.sums[v].Mul(h.sums[v], h.weights.of(uint32(v)).value)
	}
	return f, nil
}

// backstep is a step that is gone back. Nothing of it changes but taken, and out by ranges of
// states.
type backstep[K key.Key] struct {
	step     *Step[K]
	in       *Level[K]
	next     *future[K]
	out      *future[K]
	from, to int // variables
	taken    atomic.Int64
}

// backStates are those of a task, about.
const backStates = 1 << 14

// width is how many limbs a sum over states of pasts times futures has.
func (b *backstep[K]) width() int { return b.in.limbs() + b.next.limbs + 1 }

func (b *backstep[K]) workerBytes() int64 {
	const sorterBytes = 1 << 16 // and images of a block under a class
	return int64(b.to-b.from)*int64(b.width())*wordBytes + sorterBytes + backStates*(imageBytes+4)
}

// backWorker makes the futures of ranges of states.
type backWorker[K key.Key] struct {
	*backstep[K]
	sorter  *sorter
	sums    []uint64 // by variable of the step: of pasts times futures
	at      []int    // by class: blocks of the next level that are passed
	targets target
}

// target is the states of the next level that a block is mapped to: their low bits, rising,
// and the index of the first.
type target struct {
	lows  [][]uint16 // in consecutive pieces
	first uint32
	half  uint32 // a bit that all of lows have and images do not
	n     int
}

// sum is that of a variable.
func (w *backWorker[K]) sum(v int) []uint64 {
	at := (v - w.from) * w.width()
	return w.sums[at : at+w.width()]
}

// work takes ranges until there are no more.
func (w *backWorker[K]) work(ctx context.Context) error {
	first := w.in.blocks.first
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		task := int(w.taken.Add(1)) - 1
		if task*backStates >= w.in.n {
			return nil
		}
		from := sort.Search(len(first), func(b int) bool { return int(first[b]) >= task*backStates })
		to := sort.Search(len(first), func(b int) bool { return int(first[b]) >= (task+1)*backStates })
		for block := from; block < to; block++ {
			w.block(block)
		}
	}
}

// block makes the futures of a block, class by class.
func (w *backWorker[K]) block(block int) {
	s, t := w.step, w.sorter
	first, end := w.in.blocks.first[block], uint32(w.in.end(block))
	lows := w.in.lows[first>>slabBits]
	for k := range s.classes {
		c := &s.classes[k]
		image, ok := c.Image(w.in.blocks.heads[block], s.Window)
		if !ok || !w.aim(k, image) {
			continue
		}
		t.images, t.variables = t.images[:0], t.variables[:0]
		for from := first; from < end; {
			last := min(end, from&^63+pickedStates)
			t.move(c.moves, lows, s.odd, from, last, &c.shared, c.parity, true)
			from = last
		}
		w.follow()
	}
}

// aim finds the states of the next level that a class maps a block to, and reports whether
// there are any.
func (w *backWorker[K]) aim(class int, image K) bool {
	blocks := &w.next.level.blocks
	mask, grain := key.Low[K](blocks.low), key.Low[K](blocks.low-1)
	high := key.Without(image, mask)
	below := func(b int) bool { return key.Less(key.Without(blocks.heads[b], mask), high) }
	b := gallop(w.at[class], len(blocks.heads), below)
	w.at[class] = b
	t := target{lows: w.targets.lows[:0], half: uint32(key.Without(image, grain)[0] & mask[0])}
	for ; b < len(blocks.heads) && key.Without(blocks.heads[b], mask) == high; b++ {
		first := blocks.first[b]
		lows := w.next.level.lows[first>>slabBits][first&slabMask:][:w.next.level.end(b)-int(first)]
		middle := sort.Search(len(lows), func(i int) bool { return uint64(lows[i]) > grain[0] })
		if t.half == 0 {
			lows = lows[:middle]
		} else {
			first, lows = first+uint32(middle), lows[middle:]
		}
		if t.n == 0 {
			t.first = first
		}
		if len(lows) > 0 {
			t.lows = append(t.lows, lows)
			t.n += len(lows)
		}
	}
	w.targets = t
	return t.n > 0
}

// gallop is the first index from at on, up to end, that is not below, where those below come first.
// It may also be before at, where a worker begins another range.
func gallop(at, end int, below func(int) bool) int {
	if at > 0 && !below(at-1) {
		return sort.Search(at, func(i int) bool { return !below(i) })
	}
	step := 1
	for at+step <= end && below(at+step-1) {
		at += step
		step *= 2
	}
	return at + sort.Search(min(step, end-at), func(i int) bool { return !below(at + i) })
}

// follow goes from the images of a block to the states of the next level that they are.
func (w *backWorker[K]) follow() {
	t := w.sorter
	w.mark()
	weights := w.step.weights
	for i, m := range t.images {
		at, ok := t.index(m.low)
		if !ok {
			continue // it has no future
		}
		v, variable := w.next.of(at), t.variables[i]
		weights.of(variable).add(w.out.of(m.source), v)
		if variable != automaton.Skip {
			limb.AddProduct(w.sum(int(variable)), w.in.Count(int(m.source)), v)
		}
	}
	t.wipe(len(t.summary))
}

// mark sets the bits of the targets.
func (w *backWorker[K]) mark() {
	t, at := w.sorter, w.targets.first
	for _, lows := range w.targets.lows {
		for _, low := range lows {
			x := uint32(low) - w.targets.half
			if t.words[x>>6] == 0 {
				t.below[x>>6] = at
			}
			t.set(x)
			at++
		}
	}
}
