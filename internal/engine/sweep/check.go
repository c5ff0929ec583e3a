package sweep

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

var checkSteps = checkInvariants

func (r *Sweep[K]) checked() error {
	if !checkSteps {
		return nil
	}
	return r.check()
}

func (r *Sweep[K]) check() error {
	_, residues := r.c.Value.(Residues)
	if err := r.in.check(!residues); err != nil {
		return fmt.Errorf("level %d: %w", r.at, err)
	}
	if used, want := r.store.used.Load(), r.inUse()+r.store.lent; used != want && r.c.Keep != keepHistory {
		return fmt.Errorf("level %d: the counter of memory is at %d bytes, expected %d bytes", r.at, used, want)
	}
	return nil
}

// check returns an error if a field breaks its invariant. If counted is true, no count may be 0.
func (l *Level[K]) check(counted bool) error {
	if err := l.blocks.check(l.n); err != nil {
		return err
	}
	slabs := (l.n + slabMask) >> slabBits
	if len(l.lows) != slabs || len(l.counts) != slabs {
		return fmt.Errorf("%d states are in %d slabs of low bits and %d slabs of counts, expected %d slabs of each kind", l.n, len(l.lows), len(l.counts), slabs)
	}
	var last K
	b := 0
	for i := range slabs {
		lows, counts, err := l.peek(i)
		if err != nil {
			return err
		}
		if want := min(SlabStates, l.n-i<<slabBits); len(lows) != want || len(counts) != want*l.words {
			return fmt.Errorf("slab %d has %d states and %d words of counts, expected %d states and %d words", i, len(lows), len(counts), want, want*l.words)
		}
		for ; b < len(l.blocks.heads) && int(l.blocks.first[b])>>slabBits == i; b++ {
			first := int(l.blocks.first[b])
			if err := l.blocks.checkLows(b, lows[first&slabMask:][:l.end(b)-first], last); err != nil {
				return err
			}
			last = l.blocks.key(b, lows[(l.end(b)-1)&slabMask])
		}
		if at := zeroAt(counts, l.words, l.limbs()); counted && at >= 0 {
			return fmt.Errorf("state %d has the count 0", i<<slabBits+at)
		}
		if at := l.miscounted(counts); at >= 0 {
			return fmt.Errorf("the residue of state %d differs from the residue of its count", i<<slabBits+at)
		}
	}
	return l.checkAway()
}

func (l *Level[K]) peek(i int) ([]uint16, []uint64, error) {
	if h := l.shelf(); h != nil {
		return h.read(i, h.slabs[i], nil, nil)
	}
	lows, counts, err := l.source().Get(i)
	if err == nil {
		l.source().LetGo(i)
	}
	return lows, counts, err
}

func (b *blocks[K]) check(n int) error {
	mask := key.Low[K](b.low)
	switch {
	case b.low < 1 || b.low > maxLow:
		return fmt.Errorf("the states of a block differ in %d low bits, expected 1 to %d bits", b.low, maxLow)
	case n < 0 || n > maxStates:
		return fmt.Errorf("there are %d states, expected at most %d states", n, maxStates)
	case len(b.heads) != len(b.first) || (n == 0) != (len(b.heads) == 0):
		return fmt.Errorf("%d states have %d heads and %d blocks, expected one head for each block", n, len(b.heads), len(b.first))
	case n > 0 && b.first[0] != 0:
		return fmt.Errorf("the first block begins with state %d, expected state 0", b.first[0])
	}
	for i, head := range b.heads {
		end := n
		if i+1 < len(b.first) {
			end = int(b.first[i+1])
		}
		switch first := int(b.first[i]); {
		case first >= end:
			return fmt.Errorf("block %d begins with state %d, and the next block with state %d, expected a later state", i, first, end)
		case first>>slabBits != (end-1)>>slabBits:
			return fmt.Errorf("block %d, of states %d to %d, is in two slabs, expected one slab", i, first, end-1)
		case i > 0 && key.Less(key.Without(head, mask), key.Without(b.heads[i-1], mask)):
			return fmt.Errorf("head %d is less than head %d, expected ascending heads of blocks", i, i-1)
		case head[len(head)-1]>>63 != 0:
			return fmt.Errorf("the highest bit of head %d is set, expected 0", i)
		}
	}
	return nil
}

func (b *blocks[K]) checkLows(i int, lows []uint16, last K) error {
	common := uint16(b.heads[i][0]) & uint16(key.LowBits(int(b.low)))
	if i > 0 && !key.Less(last, b.key(i, lows[0])) {
		return fmt.Errorf("block %d: low bits %b are not above the last low bits of the block before", i, lows[0])
	}
	for k, low := range lows {
		switch {
		case bits.Len16(low) > int(b.low):
			return fmt.Errorf("block %d: low bits %b, expected at most %d bits", i, low, b.low)
		case low&common != common:
			return fmt.Errorf("block %d: low bits %b lack the bits %b of the head", i, low, common)
		case k > 0 && low <= lows[k-1]:
			return fmt.Errorf("block %d: low bits %b are not above the low bits before them", i, low)
		}
	}
	return nil
}

func zeroAt(counts []uint64, words, limbs int) int {
	for i := 0; i < len(counts); i += words {
		var or uint64
		for _, x := range counts[i : i+limbs] {
			or |= x
		}
		if or == 0 {
			return i / words
		}
	}
	return -1
}

func (l *Level[K]) checkAway() error {
	h := l.shelf()
	if h == nil {
		return nil
	}
	for i, s := range h.slabs {
		lows, counts, err := h.read(i, s, nil, nil)
		if err != nil {
			return err
		}
		odd := make([]uint64, oddWords(len(lows)))
		markOdd(odd, lows)
		if total := limb.Total([][]uint64{counts}, l.words, l.limbs()); !slices.Equal(odd, s.odd) || total.Cmp(s.total) != 0 {
			return fmt.Errorf("slab %d on disk differs from its summary in memory", i)
		}
		for k, x := range s.sample {
			if x != lows[k*sampleEvery] {
				return fmt.Errorf("slab %d on disk: state %d differs from its sample in memory",
					i, k*sampleEvery)
			}
		}
	}
	return nil
}

// inUse returns the bytes of all buffers of a run between two steps, except store.lent.
func (r *Sweep[K]) inUse() int64 {
	n := r.noted + int64(cap(r.odd))*wordBytes + r.children.bytes()
	c := newCensus[K]()
	c.add(&r.in)
	c.add(&r.before)
	c.add(&Level[K]{lows: append(slices.Clip(r.store.lows), r.store.small.lows), counts: append(slices.Clip(r.store.counts), r.store.small.counts)})
	for _, rec := range r.repeats.seen {
		c.add(&rec.in)
		c.add(&rec.out)
		for i := range rec.parts {
			n += rec.parts[i].bytes()
		}
	}
	for _, p := range r.spare.parts {
		n += p.held
	}
	n += r.spare.blocks.bytes()
	for _, w := range r.workers {
		n += w.bytes()
	}
	return n + c.bytes + r.in.onShelf() + r.before.onShelf()
}

func (l *Level[K]) onShelf() (n int64) {
	if h := l.shelf(); h != nil {
		n = int64(h.atHand) * h.slabBytes()
		for _, s := range h.slabs {
			n += s.bytes()
		}
	}
	return n
}
