package sweep

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/pavage/pavage/internal/engine/key"
)

// assembly builds a level. Workers claim ranges of keys and make a part for each range. The worker
// whose part is next in order appends this part, and then the parts that waited for it:
//
//	ranges   0  1  2  3  4  5  6 …      next: 6
//	made     ■  ■  ■     ■              4 waits for 3
//	out      ■■■■■■■■                   done: 3
//
// A worker reserves room for a part under the lock, and copies the states of the part without the
// lock, so that several workers copy at the same time.
type assembly[K key.Key] struct {
	step     *Step[K]
	cuts     []Bounds[K] // ranges of keys in rising order; together they cover all keys
	chunk    int         // approximate number of arcs in a range
	store    *store
	workers  []*Worker[K]
	progress func(share float64)

	next   atomic.Int64 // the next range to make
	failed atomic.Bool

	mu      sync.Mutex       // protects the fields below
	moved   *sync.Cond       // signals that done has grown or err is set
	spare   *spareParts[K]   // parts whose memory is used again
	out     Level[K]         // the new level, with the states of the ranges made so far
	arcs    []partArc        // arcs to out, if wanted; the field child is an index in out
	along   []gathered       // the same arcs, grouped by child for a record, if wanted
	made    int64            // number of arcs to out and to pruned states
	pruned  int64            // number of states left out because they have no future
	pending map[int]*Part[K] // parts made before their turn; the keys are indices in cuts
	copied  []int            // number of states copied to each slab of out
	done    int              // number of ranges appended to out
	err     error
}

func newAssembly[K key.Key](s *Step[K], cuts []Bounds[K], out Level[K]) *assembly[K] {
	m := &assembly[K]{step: s, cuts: cuts, out: out, pending: map[int]*Part[K]{}}
	m.moved = sync.NewCond(&m.mu)
	return m
}

func (m *assembly[K]) all(ctx context.Context) error {
	threads := min(len(m.workers), len(m.cuts))
	var wg sync.WaitGroup
	for _, w := range m.workers[1:threads] {
		wg.Go(func() { m.work(ctx, w) })
	}
	m.work(ctx, m.workers[0])
	wg.Wait()
	for _, p := range m.pending { // if the step failed, some parts were not placed
		m.spare.put(p)
	}
	m.spare.trim(waitingParts * len(m.workers))
	if m.err == nil {
		m.err = m.putAwayRest()
	}
	return m.err
}

func (m *assembly[K]) work(ctx context.Context, w *Worker[K]) {
	p := m.sparePart()
	defer func() {
		w.Leave()
		m.putBack(p)
	}()
	for !m.failed.Load() {
		c := int(m.next.Add(1)) - 1
		if c >= len(m.cuts) {
			return
		}
		m.waitFor(c)
		before := w.bytes()
		failed := m.step.Part(w, m.cuts[c], p)
		err := m.store.use(w.bytes() - before + p.grown())
		p = m.deliver(c, p, cmp.Or(ctx.Err(), failed, err))
	}
}

// deliver appends the parts whose turn has come, if any, and returns a part to be filled.
func (m *assembly[K]) deliver(c int, p *Part[K], err error) *Part[K] {
	for _, next := range m.place(c, p, err) {
		if m.large() {
			next.copyOut()
		}
		m.putAwayFull(next)
		clear(next.room) // drops the references to slabs
		m.putBack(next)
	}
	return m.sparePart()
}

func (m *assembly[K]) putBack(p *Part[K]) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.spare.put(p)
}

func (m *assembly[K]) sparePart() *Part[K] {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.spare.get()
}

// large reports whether all slabs of out have full size. If not, out has one slab, which may move.
func (m *assembly[K]) large() bool { return m.chunk*len(m.cuts) >= SlabStates }

// waitFor waits until range c is near enough to the first missing range, so that not too many parts
// wait for their turn. The worker of the first missing range never waits.
func (m *assembly[K]) waitFor(c int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for c-m.done > waitingParts*len(m.workers) && m.err == nil {
		m.moved.Wait()
	}
}

// fail keeps the first error of the step. The caller holds the lock.
func (m *assembly[K]) fail(err error) {
	if err != nil && m.err == nil {
		m.err = err
		m.failed.Store(true)
		m.moved.Broadcast()
	}
}

func (m *assembly[K]) place(c int, p *Part[K], err error) (placed []*Part[K]) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pending[c] = p
	for m.err == nil && err == nil {
		p, ok := m.pending[m.done]
		if !ok {
			break
		}
		delete(m.pending, m.done)
		m.done++
		if err = m.appendPart(p); err == nil && !m.large() {
			p.copyOut() // now, since the next part may move the only slab of out
		}
		placed = append(placed, p)
	}
	m.fail(err)
	m.moved.Broadcast()
	if m.progress != nil && m.err == nil {
		m.progress(float64(m.done) / float64(len(m.cuts)))
	}
	return placed
}

func (m *assembly[K]) appendPart(p *Part[K]) error {
	if m.out.n > maxStates-len(p.lows) || len(m.arcs) > math.MaxUint32-len(p.arcs) {
		return fmt.Errorf("%w: a level has over 2^32 states or arcs", ErrMemory)
	}
	m.made += int64(p.all)
	m.pruned += int64(p.pruned)
	if err := m.appendArcs(p); err != nil {
		return err
	}
	first := m.out.n
	var err error
	if p.room, err = m.out.reserve(m.store, p.room[:0], len(p.lows), m.large()); err != nil {
		return err
	}
	return m.out.addBlocks(m.store, first, &p.blocks, len(p.lows))
}

func (m *assembly[K]) appendArcs(p *Part[K]) error {
	base := uint32(m.out.n)
	if m.step.want.noted {
		p.along.first = m.out.n
		if err := m.store.take(p.along.bytes()); err != nil {
			return err
		}
		m.along = append(m.along, p.along)
	}
	if m.step.want.Arcs {
		if err := m.store.take(int64(len(p.arcs)) * arcBytes); err != nil {
			return err
		}
		for _, a := range p.arcs {
			a.child += base
			m.arcs = append(m.arcs, a)
		}
	}
	return nil
}

func (m *assembly[K]) putAwayFull(p *Part[K]) {
	if m.out.shelf() == nil {
		return
	}
	for _, r := range p.room {
		m.mu.Lock()
		for len(m.copied) <= r.slab {
			m.copied = append(m.copied, 0)
		}
		m.copied[r.slab] += len(r.lows)
		full := m.copied[r.slab] == SlabStates
		m.mu.Unlock()
		if !full {
			continue
		}
		if err := m.putAway(r.slab); err != nil {
			m.mu.Lock()
			m.fail(err)
			m.mu.Unlock()
		}
	}
}

func (m *assembly[K]) putAway(i int) error {
	m.mu.Lock()
	lows, counts := m.out.lows[i], m.out.counts[i]
	m.mu.Unlock()
	if err := m.out.shelf().put(i, lows, counts); err != nil {
		return err
	}
	m.mu.Lock()
	m.out.lows[i], m.out.counts[i] = nil, nil
	m.mu.Unlock()
	m.store.putSlab(lows, counts, m.out.words)
	return nil
}

func (m *assembly[K]) putAwayRest() error {
	if m.out.shelf() == nil {
		return nil
	}
	for i, lows := range m.out.lows {
		if lows != nil {
			if err := m.putAway(i); err != nil {
				return err
			}
		}
	}
	return nil
}
