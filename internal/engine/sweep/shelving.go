package sweep

import (
	"context"
	"errors"

	"github.com/pavage/pavage/internal/engine/blockfile"
)

type shelves struct {
	on    bool    // levels go to shelves
	at    int     // level of the last step that ran out of memory
	share float64 // share of the free memory that slabs read from a shelf may use
}

// shelves.share begins at mostShare. It is halved if the rest of the memory is not enough.
const (
	mostShare  = 0.5
	leastShare = mostShare / 32
)

// shelf returns l.away if it is a shelf, and nil otherwise. Steps do not write to other Sources.
func (l *Level[K]) shelf() *shelf {
	h, _ := l.away.(*shelf)
	return h
}

func (l *Level[K]) putBack() {
	if h := l.shelf(); h != nil {
		h.putBack()
	}
}

func (r *Sweep[K]) canShelve() bool {
	return r.c.Disk != "" && (r.c.Keep == KeepNothing || r.c.Keep == KeepLevel) && r.c.Value != nil && r.weights == nil &&
		(!r.shelves.on || r.shelves.at < r.at || r.shelves.share > leastShare || len(r.workers) > 1)
}

func (r *Sweep[K]) shelve(ctx context.Context) error {
	r.spare.trim(0)
	switch s := &r.shelves; {
	case !s.on:
		r.startShelving()
	case s.at == r.at && s.share > leastShare:
		s.share /= 2
	case s.at == r.at: // halve the number of workers, since each reads one slab for each class
		rest := len(r.workers) - len(r.workers)/2
		for _, w := range r.workers[rest:] {
			r.store.give(w.bytes())
		}
		r.workers = r.workers[:rest:rest]
		s.share = mostShare
	}
	r.shelves.at = r.at
	if r.in.away != nil {
		r.in.putBack() // more slabs may be in memory than are allowed now
		r.store.trim(0)
		return nil
	}
	h, err := newShelf(&r.store, r.c.Disk, r.in.width)
	if err != nil {
		return err
	}
	r.store.trim(0) // frees memory for the bitmaps and samples of the shelf
	for i, lows := range r.in.lows {
		if err := errors.Join(ctx.Err(), h.put(i, lows, r.in.counts[i])); err != nil {
			h.Close()
			return err
		}
	}
	for i, lows := range r.in.lows {
		r.store.putSlab(lows, r.in.counts[i], r.in.words)
		r.in.lows[i], r.in.counts[i] = nil, nil
	}
	r.in.away = h
	return nil
}

func (r *Sweep[K]) startShelving() {
	r.shelves = shelves{on: true, at: r.at, share: mostShare}
	r.repeats = neverRepeated[K](r.a)
}

// shelveLarge makes a shelf for the present level if two levels of this size would fill the memory.
func (r *Sweep[K]) shelveLarge(states int) error {
	if r.c.Memory <= 0 || !r.canShelve() || 2*StateBytes(states, r.in.words) < r.c.Memory {
		return nil
	}
	r.startShelving()
	return r.putOnShelf(&r.in)
}

func (r *Sweep[K]) putOnShelf(l *Level[K]) error {
	h, err := newShelf(&r.store, r.c.Disk, l.width)
	if err == nil {
		l.away = h
	}
	return err
}

func (r *Sweep[K]) addShelved(keys []K, counts []uint64, states int) error {
	words := r.in.words
	for from := 0; from < len(keys); from += blockfile.States {
		to := min(len(keys), from+blockfile.States)
		if err := r.in.append(&r.store, keys[from:to], counts[from*words:to*words]); err != nil {
			return err
		}
		if err := r.shelveFull(r.in.n == states); err != nil {
			return err
		}
	}
	return nil
}

func (r *Sweep[K]) shelveFull(end bool) error {
	i := len(r.in.lows) - 1
	if r.in.shelf() == nil || !end && len(r.in.lows[i]) < SlabStates {
		return nil
	}
	return r.shelveSlab(i)
}

func (r *Sweep[K]) shelveSlab(i int) error {
	lows, counts := r.in.lows[i], r.in.counts[i]
	if err := r.in.shelf().put(i, lows, counts); err != nil {
		return err
	}
	r.store.putSlab(lows, counts, r.in.words)
	r.in.lows[i], r.in.counts[i] = nil, nil
	return nil
}

// addBegun adds states to the present level, which goes to a shelf when half of the memory is full.
func (r *Sweep[K]) addBegun(keys []K, counts []uint64) error {
	words := r.in.words
	for len(keys) > 0 {
		n := min(len(keys), SlabStates-r.in.n&slabMask) // up to the end of a slab
		if err := r.in.append(&r.store, keys[:n], counts[:n*words]); err != nil {
			return err
		}
		keys, counts = keys[n:], counts[n*words:]
		if r.in.n&slabMask > 0 {
			continue
		}
		if r.in.away != nil {
			if err := r.shelveFull(false); err != nil {
				return err
			}
		} else if err := r.shelveBegun(); err != nil {
			return err
		}
	}
	return nil
}

func (r *Sweep[K]) shelveBegun() error {
	if err := r.shelveLarge(r.in.n + SlabStates); err != nil || r.in.away == nil {
		return err
	}
	for i := range r.in.lows {
		if err := r.shelveSlab(i); err != nil {
			return err
		}
	}
	return nil
}

func (r *Sweep[K]) allow() {
	h := r.in.shelf()
	if h == nil {
		return
	}
	free := r.c.Memory - r.store.used.Load() + int64(len(r.store.lows)+h.atHand)*h.slabBytes()
	h.allowed = int(max(1, r.shelves.share*float64(free)/float64(h.slabBytes())))
	r.store.trim(h.allowed - h.atHand)
}

func (r *Sweep[K]) makeShelf(out *Level[K]) error {
	r.allow()
	if r.shelves.at < r.at && 4*StateBytes(r.in.n, out.words) < r.c.Memory {
		r.shelves.on = false
	}
	if !r.shelves.on {
		return nil
	}
	if err := r.store.lend(int64(len(r.workers)) * StateBytes(SlabStates, out.words)); err != nil {
		return err
	}
	return r.putOnShelf(out)
}
