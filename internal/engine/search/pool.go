package search

import (
	"math/big"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// pollEvery is how many nodes a walker decides between two looks at the pool:
// about half a millisecond. A power of two.
const pollEvery = 1 << 11

// shareable is how many active options a frame must have at least for its
// choices to be given away: less is done before another walker has begun.
const shareable = 32

// pool is several walkers on one tree. A walker that has nothing to do takes a
// parcel, a choice of another's frame, so that no part of the tree is ever
// given out twice and none is left out. Parcels are only made when somebody is
// hungry, from the highest frame of whoever sees it first; a large subtree is
// so divided again and again.
type pool struct {
	space    *Space
	walkers  int
	progress func(share float64, nodes, tries int64)

	limit  int64 // of tries; 0: none
	greedy bool  // everything is given away, for tests

	starving atomic.Bool // more walkers wait than parcels are there
	stopped  atomic.Bool

	mu        sync.Mutex
	wake      *sync.Cond
	parcels   []*parcel
	given     int // parcels made
	waiting   int
	sum       sum
	nodes     int64
	tries     int64
	done      float64
	shown     float64
	satisfied bool // stopped by whoever visits the solutions
	resting   bool // the limit is reached
	parked    int  // walkers that have noticed
	gone      int  // walkers that will not come back
	quiet     chan struct{}
}

// parcel is a choice to be walked by someone else.
type parcel struct {
	options []int32 // active
	open    []uint16
	bounds  []bound
	weight  uint64
	path    []int32
	take    int32
	share   float64
	blind   bool
}

func newPool(s *Space, walkers int, progress func(share float64, nodes, tries int64)) *pool {
	c := &pool{space: s, walkers: walkers, progress: progress, quiet: make(chan struct{}, 1)}
	c.wake = sync.NewCond(&c.mu)
	return c
}

// hungry is cheap; a lone walker has no pool.
func (c *pool) hungry() bool { return c != nil && (c.greedy || c.starving.Load()) }

// give makes a parcel of the last choice of the first frame, down to d, that
// has one left: the largest part of the tree that can be spared.
func (w *walker) give(d int) {
	for e, f := range w.frames[:d+1] {
		if f.next+1 < len(f.columns) && (count(f.active) >= shareable || w.pool.greedy) {
			w.pool.accept(w.parcel(f))
			for _, f := range w.frames[:e+1] { // others count some of the solutions below
				f.keyed = false
			}
			return
		}
	}
}

func (w *walker) parcel(f *frame) *parcel {
	last := len(f.columns) - 1
	p := &parcel{
		open: slices.Clone(f.open), bounds: slices.Clone(f.bounds),
		weight: f.weight, path: slices.Clone(w.path[:f.path]),
		take: f.matrix.options[f.columns[last]], share: f.part,
		blind: f.blind || f.drops && uint32(f.branch) != slackItem,
	}
	active := f.active
	if f.drops { // the choices between the present one and the last come before it
		f.active = slices.Clone(active)
		for _, column := range f.columns[f.next:last] {
			f.active[column/blockBits].clear(int(column))
		}
	}
	p.options = f.options(nil)
	f.active = active
	f.columns = f.columns[:last]
	f.rest -= f.part
	return p
}

func (c *pool) accept(p *parcel) {
	c.mu.Lock()
	c.parcels = append(c.parcels, p)
	c.given++
	c.starving.Store(c.waiting > len(c.parcels))
	c.mu.Unlock()
	c.wake.Signal()
}

// next waits for a parcel. There is none any more when all walkers wait.
func (c *pool) next() *parcel {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting++
	for (len(c.parcels) == 0 && c.waiting < c.walkers || c.resting) && !c.stopped.Load() {
		c.starving.Store(len(c.parcels) == 0)
		c.hush()
		c.wake.Wait()
	}
	if len(c.parcels) == 0 || c.stopped.Load() {
		c.wake.Broadcast()
		return nil
	}
	c.waiting--
	p := c.parcels[len(c.parcels)-1]
	c.parcels = c.parcels[:len(c.parcels)-1]
	c.starving.Store(c.waiting > len(c.parcels))
	return p
}

func (c *pool) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.halt()
}

// halt stops the pool, whose lock is held.
func (c *pool) halt() {
	c.stopped.Store(true)
	c.wake.Broadcast()
}

// poll hands in what a walker has done so far; it reports whether to go on.
func (w *walker) poll() bool {
	if w.pool == nil {
		return true
	}
	w.report()
	w.pool.enforceLimit()
	w.ended = w.ended || w.pool.stopped.Load()
	return !w.ended
}

// stopped ends the walk if the pool has been stopped, or if it is late.
func (w *walker) stopped() bool {
	w.ended = w.ended || w.pool != nil && w.pool.stopped.Load() || w.late != nil && w.late()
	return w.ended
}

// report hands in what a walker has done since its last report.
func (w *walker) report() {
	w.pool.take(effort{w.sum.minus(w.handed), w.nodes - w.reported, w.tries, w.done}, w.ended)
	w.reported, w.handed, w.tries, w.done = w.nodes, w.sum, 0, 0
}

// effort is what a walker has done since its last report.
type effort struct {
	sum          sum
	nodes, tries int64
	done         float64 // share of the whole tree
}

// take adds what a walker reports, who may have ended the walk.
func (c *pool) take(e effort, ended bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sum.addSum(e.sum)
	c.nodes += e.nodes
	c.tries += e.tries
	c.done += e.done
	if c.progress != nil {
		c.shown = max(c.shown, min(1, c.done))
		c.progress(c.shown, c.nodes, c.tries)
	}
	if ended && !c.stopped.Load() {
		c.satisfied = true
		c.halt()
	}
}

// finish says that all is done, of which rounding may have lost some.
func (c *pool) finish() {
	if c.progress != nil {
		c.progress(1, c.nodes, c.tries)
	}
}

// enforceLimit has a walker rest when all have made too many tries, until they may go on or are
// stopped.
func (c *pool) enforceLimit() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.resting = c.resting || c.limit > 0 && c.tries > c.limit
	for c.resting && !c.stopped.Load() {
		c.parked++
		c.hush()
		c.wake.Wait()
		c.parked--
	}
}

// hush says that the pool rests, if all do.
func (c *pool) hush() {
	if c.resting && c.parked > 0 && c.parked+c.waiting+c.gone == c.walkers {
		select {
		case c.quiet <- struct{}{}:
		default:
		}
	}
}

// leave says that a walker has nothing to do any more.
func (c *pool) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.gone++
	c.hush()
}

// goOn lets the pool work up to so many tries in all; 0: to the end.
func (c *pool) goOn(limit int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.limit, c.resting = limit, false
	select {
	case <-c.quiet:
	default:
	}
	c.wake.Broadcast()
}

// sum is a number of solutions below 2^128, which no search outlives.
type sum struct{ lo, hi uint64 }

func (s *sum) add(n uint64) {
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, n, 0)
	s.hi += carry
}

func (s *sum) addSum(t sum) {
	s.add(t.lo)
	s.hi += t.hi
}

// minus is s-t, for a t that has grown to s.
func (s sum) minus(t sum) sum {
	lo, borrow := bits.Sub64(s.lo, t.lo, 0)
	return sum{lo, s.hi - t.hi - borrow}
}

func (s sum) big() *big.Int {
	n := new(big.Int).SetUint64(s.hi)
	return n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(s.lo))
}
