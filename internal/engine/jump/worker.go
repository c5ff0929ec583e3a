package jump

import (
	"context"
	"math/bits"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

// worker makes parts of a step, one at a time.
type worker[K key.Key] struct {
	run   *Run[K]
	lists []list[K]  // by level: the states that it has sent there
	known []*fits[K] // by step
	sorter[K]
	tmp []entry[K]

	// Of the present step:
	from []page[K] // where the counts lie, if beside the entries
	fits *fits[K]
	keep func(K) bool // nil: all
	sum  []uint64     // of one state
	head uint64       // of the last state: see headBits
	Effort
}

// reserve makes tmp at least so long.
func (w *worker[K]) reserve(n int) error {
	if n <= cap(w.tmp) {
		w.tmp = w.tmp[:cap(w.tmp)]
		return nil
	}
	if err := w.run.take(bytesOf[K](n - cap(w.tmp))); err != nil {
		return err
	}
	w.tmp = make([]entry[K], n)
	return nil
}

// tooMany times partStates are in a range that is cut once more.
const tooMany = 4

func (w *worker[K]) cutUp(ctx context.Context, src, tmp []entry[K]) error {
	if len(src) > tooMany*partStates {
		if parts := distribute(tmp, [][]entry[K]{src}); len(parts) > 1 { // else all keys are equal
			first := 0
			for _, p := range parts {
				if err := w.cutUp(ctx, p, src[first:][:len(p)]); err != nil {
					return err
				}
				first += len(p)
			}
			return nil
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	sorted := w.sort(src, tmp)
	if w.run.pages.limbs > 0 {
		return w.meetLong(sorted)
	}
	return w.meet(sorted)
}

// meet adds the counts of equal states, each of one word, and sends them on.
func (w *worker[K]) meet(sorted []entry[K]) error {
	w.head = 0
	for i := 0; i < len(sorted); {
		k, count := sorted[i].key, sorted[i].value
		for i++; i < len(sorted) && sorted[i].key == k; i++ {
			var carry uint64
			if count, carry = bits.Add64(count, sorted[i].value, 0); carry != 0 {
				return ErrNarrow
			}
		}
		if !w.turn(k) {
			continue
		}
		if err := w.send(k, count, nil); err != nil {
			return err
		}
	}
	return nil
}

// headBits are those that the states of a block of an ordinary level may differ in.
const headBits = 16

// turn counts a state whose turn it is, which comes in order, and reports whether it is kept.
func (w *worker[K]) turn(k K) bool {
	if w.keep != nil && !w.keep(k) {
		w.Pruned++
		return false
	}
	w.States++
	if head := k[0] >> headBits; head != w.head {
		w.Heads++
		w.head = head
	}
	return true
}

// meetLong does so where counts are longer, or residues.
func (w *worker[K]) meetLong(sorted []entry[K]) error {
	w.head = 0
	for i := 0; i < len(sorted); {
		k := sorted[i].key
		w.sum = append(w.sum[:0], w.counts(sorted[i].value)...)
		for i++; i < len(sorted) && sorted[i].key == k; i++ {
			if !w.add(w.counts(sorted[i].value)) {
				return ErrNarrow
			}
		}
		if !w.turn(k) {
			continue
		}
		if err := w.send(k, 0, w.sum); err != nil {
			return err
		}
	}
	return nil
}

// counts are those that lie where a value says.
func (w *worker[K]) counts(value uint64) []uint64 {
	n := w.run.pages.limbs
	at := int(value&(pageStates-1)) * n
	return w.from[value>>pageBits].counts[at : at+n]
}

// add adds counts to the sum and reports whether that has limbs enough.
func (w *worker[K]) add(counts []uint64) bool {
	if moduli := w.run.c.Moduli; len(moduli) > 0 {
		limb.AddModulo(w.sum, counts, moduli)
		return true
	}
	return limb.Add(w.sum, counts) == 0
}

// send takes all options that fit a state.
func (w *worker[K]) send(k K, value uint64, counts []uint64) error {
	f := w.fits
	for word := range f.words {
		for set := f.set(k, word); set != 0; set &= set - 1 {
			s := &f.Streams[word<<6|bits.TrailingZeros64(set)]
			x := key.Sum(k, s.Add)
			if !key.Disjoint(x, s.Guard) {
				continue
			}
			w.Arcs++
			if err := w.wait(w.run.at+1, key.Shift(x, f.Window), value, counts); err != nil {
				return err
			}
		}
	}
	return nil
}

// wait sends a state of a level to where its turn is, unless nothing fits it there.
func (w *worker[K]) wait(level int, k K, value uint64, counts []uint64) error {
	d := min(key.TrailingOnes(k), w.run.a.Window)
	k = key.Slide(k, w.run.window, d)
	level += d
	if !automaton.Reached(k, w.run.floors[level]) {
		w.Pruned++
		return nil
	}
	if level < len(w.known) {
		f := w.known[level]
		if f == nil {
			var err error
			if f, err = w.run.fits(level); err != nil {
				return err
			}
			w.known[level] = f
		}
		if f.lone != nil && !f.lone.Alive(k[0]) || !f.any(k) {
			w.Pruned++
			return nil
		}
	}
	w.Sent++
	w.Steps += int64(level - w.run.at)
	return w.lists[level].add(&w.run.pages, k, value, counts)
}
