package jump

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

// A level whose states wait holds the same states as an ordinary one, and each can be turned
// into the other:
//
//	ordinary level 7        level of its turn
//	    …0110            ◄─►  7   …0110      its present item is free
//	    …0011            ◄─►  9     …00      two items are covered, which the shift drops
//
// A state that waits in level j is that of level i with j-i ones below. Nothing is lost, so that
// a sweep can begin to jump at any level and end it at any level, and what is saved is always an
// ordinary level. Only dead states, which were dropped, are missing.

// Add sends states of the present ordinary level to where their turn is, and returns how many it
// dropped. Their counts have the run's limbs.
func (r *Run[K]) Add(keys []K, counts []uint64) (dropped int64, err error) {
	w, limbs := r.workers[0], r.c.Limbs
	for i, k := range keys {
		value, long := counts[i*limbs], counts[i*limbs:(i+1)*limbs]
		if r.pages.limbs == 0 {
			long = nil
		}
		if err := w.wait(r.at, k, value, long); err != nil {
			return 0, err
		}
	}
	dropped = w.Pruned
	w.Effort = Effort{}
	return dropped, nil
}

// Size is the number of states of the present ordinary level, and of the limbs that their counts
// need: a count may need more than those of the ways to it that wait.
func (r *Run[K]) Size(ctx context.Context) (states, limbs int, err error) {
	for limbs = r.c.Limbs; ; limbs++ {
		states = 0
		err = r.Each(ctx, limbs, func(keys []K, _ []uint64) error {
			states += len(keys)
			return nil
		})
		if !errors.Is(err, ErrNarrow) {
			return states, limbs, err
		}
	}
}

// Each calls do with the states of the present ordinary level, sorted, some at a time; keys and
// counts, of so many limbs, are good for the call. It goes through what waits once for each
// range of keys, so that it needs little memory of its own. It fails with ErrNarrow if a count
// needs more limbs.
func (r *Run[K]) Each(ctx context.Context, limbs int, do func(keys []K, counts []uint64) error) error {
	all := r.everything()
	cuts := r.cuts(all)
	x := &outlet[K]{run: r, limbs: limbs, do: do}
	for i := range cuts {
		if err := ctx.Err(); err != nil {
			return err
		}
		entries, err := r.between(all, cuts[i:min(i+2, len(cuts))])
		if err != nil {
			return err
		}
		if err := x.let(all, r.workers[0].sort(entries, r.workers[0].tmp)); err != nil {
			return err
		}
	}
	return nil
}

// Total is the sum of the counts of all states that wait. There are no moduli.
func (r *Run[K]) Total() *big.Int {
	total := new(big.Int)
	for _, p := range r.everything() {
		counts, limbs := p.counts, r.pages.limbs
		if limbs == 0 {
			limbs = 1
			for _, e := range p.entries {
				counts = append(counts, e.value)
			}
		}
		total.Add(total, limb.Total([][]uint64{counts}, limbs, limbs))
	}
	return total
}

// waiting is a page and how many steps ahead its states wait.
type waiting[K key.Key] struct {
	page[K]
	ahead int
}

func (r *Run[K]) everything() (all []waiting[K]) {
	for _, w := range r.workers {
		for level := r.at; level < len(w.lists); level++ {
			w.lists[level].each(func(p page[K]) { all = append(all, waiting[K]{p, level - r.at}) })
		}
	}
	return all
}

// eachStates are in a range of keys, about, and maxRanges is how many ranges there are at most.
const (
	eachStates = 1 << 13
	maxRanges  = 32
	samples    = 32 // for each range
)

// cuts are the lower ends of ranges of keys of about as many states each.
func (r *Run[K]) cuts(all []waiting[K]) []K {
	n := 0
	for _, p := range all {
		n += len(p.entries)
	}
	ranges := min(maxRanges, n/eachStates) + 1
	stride := max(1, n/(ranges*samples))
	var sample []K
	at := 0
	for _, p := range all {
		for ; at < len(p.entries); at += stride {
			sample = append(sample, key.SlideBack(p.entries[at].key, r.window, p.ahead))
		}
		at -= len(p.entries)
	}
	slices.SortFunc(sample, key.Compare)
	var least K
	cuts := []K{least}
	for i := samples; i < len(sample); i += samples {
		if key.Less(cuts[len(cuts)-1], sample[i]) {
			cuts = append(cuts, sample[i])
		}
	}
	return cuts
}

// between are the states that are not below the first bound, and below the second, if there is
// one. Values of long counts say where they lie.
func (r *Run[K]) between(all []waiting[K], bounds []K) ([]entry[K], error) {
	found := r.buffer[:0]
	for p, x := range all {
		for i, e := range x.entries {
			e.key = key.SlideBack(e.key, r.window, x.ahead)
			if key.Less(e.key, bounds[0]) || len(bounds) > 1 && !key.Less(e.key, bounds[1]) {
				continue
			}
			if r.pages.limbs > 0 {
				e.value = uint64(p<<pageBits | i)
			}
			if c := cap(found); len(found) == c {
				want := max(pageStates, 2*c)
				if err := r.take(bytesOf[K](want - c)); err != nil {
					return nil, err
				}
				found = append(make([]entry[K], 0, want), found...)
				r.buffer = found
			}
			found = append(found, e)
		}
	}
	r.buffer = found
	return found, r.workers[0].reserve(len(found))
}

// outlet gives sorted states to who wants them, equal ones together.
type outlet[K key.Key] struct {
	run    *Run[K]
	limbs  int
	do     func(keys []K, counts []uint64) error
	keys   []K
	counts []uint64
}

// let lets out what was found in some pages.
func (x *outlet[K]) let(all []waiting[K], sorted []entry[K]) error {
	x.keys, x.counts = x.keys[:0], x.counts[:0]
	for i, e := range sorted {
		if i == 0 || e.key != sorted[i-1].key {
			x.keys = append(x.keys, e.key)
			x.counts = append(x.counts, x.of(all, &sorted[i])...)
			for len(x.counts) < len(x.keys)*x.limbs {
				x.counts = append(x.counts, 0)
			}
			continue
		}
		total := x.counts[len(x.counts)-x.limbs:]
		switch v := x.of(all, &sorted[i]); {
		case len(x.run.c.Moduli) > 0:
			limb.AddModulo(total, v, x.run.c.Moduli)
		case limb.Add(total, v) != 0:
			return ErrNarrow
		}
	}
	if len(x.keys) == 0 {
		return nil
	}
	return x.do(x.keys, x.counts)
}

// of is the count of a state.
func (x *outlet[K]) of(all []waiting[K], e *entry[K]) []uint64 {
	n := x.run.pages.limbs
	if n == 0 {
		return []uint64{e.value}
	}
	at := int(e.value&(pageStates-1)) * n
	return all[e.value>>pageBits].counts[at : at+n]
}

// Widen gives counts one limb more. If there is no memory for it, the run is as it was.
func (r *Run[K]) Widen() error {
	wide := pages[K]{memory: r.c.Memory, limbs: r.c.Limbs + 1}
	count := make([]uint64, wide.limbs)
	var widened [][]list[K]
	for _, w := range r.workers {
		lists := make([]list[K], len(w.lists))
		widened = append(widened, lists)
		for level := range w.lists {
			err := r.widenList(&lists[level], &w.lists[level], &wide, count)
			if err != nil {
				for _, lists := range widened {
					dropAll(lists, &wide)
				}
				return err
			}
		}
	}
	for i, w := range r.workers {
		dropAll(w.lists, &r.pages)
		w.lists = widened[i]
	}
	r.c.Limbs = wide.limbs
	r.pages.limbs, r.pages.free = wide.limbs, wide.free
	return nil
}

// widenList copies a list with wider counts.
func (r *Run[K]) widenList(to, from *list[K], wide *pages[K], count []uint64) (err error) {
	n := r.pages.limbs
	from.each(func(p page[K]) {
		for i, e := range p.entries {
			count[0] = e.value
			if n > 0 {
				copy(count, p.counts[i*n:(i+1)*n])
			}
			if err == nil {
				err = to.add(wide, e.key, 0, count)
			}
		}
	})
	return err
}

// dropAll gives the pages of lists, and all that are free, back.
func dropAll[K key.Key](lists []list[K], p *pages[K]) {
	for i := range lists {
		lists[i].cut(p, 0)
	}
	p.trim()
}
