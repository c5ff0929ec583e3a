package search

import (
	"sync"
	"sync/atomic"
)

// pollEvery is how many nodes a worker decides between two looks at the pool:
// about half a millisecond. A power of two.
const pollEvery = 1 << 11

// pool is several workers on one tree. The first parcel is the whole tree. A worker that has
// nothing to do takes a parcel that another has made of its own, so that no part of the tree is ever
// given out twice and none is left out. Walkers of matrices make them only when somebody is
// hungry, from the highest frame of whoever sees it first; a large subtree is
// so divided again and again.
type pool struct {
	Options
	visit visit // if not nil
	limit int64 // of tries; 0: none

	starving atomic.Bool // more workers wait than parcels are there
	stopped  atomic.Bool

	mu        sync.Mutex
	wake      *sync.Cond
	parcels   []parcel
	given     int // parcels made
	waiting   int
	effort    // of all
	shown     float64
	satisfied bool // stopped by whoever visits the solutions
	resting   bool // the limit is reached
	parked    int  // workers that have noticed
	quiet     chan struct{}
}

func newPool(o Options, visit visit) *pool {
	c := &pool{Options: o, visit: visit, quiet: make(chan struct{}, 1)}
	c.Threads = max(1, c.Threads)
	c.wake = sync.NewCond(&c.mu)
	return c
}

// walk has all workers walk the whole tree of an engine.
func (c *pool) walk(e engine) {
	c.parcels = []parcel{e.whole(c)}
	var workers sync.WaitGroup
	for _, w := range e.walkers(c) {
		workers.Go(func() {
			for p := c.next(); p != nil; p = c.next() {
				w.do(p)
			}
		})
	}
	workers.Wait()
}

// hungry is cheap.
func (c *pool) hungry() bool { return c.greedy || c.starving.Load() }

func (c *pool) accept(p parcel) {
	c.mu.Lock()
	c.parcels = append(c.parcels, p)
	c.given++
	c.starving.Store(c.waiting > len(c.parcels))
	c.mu.Unlock()
	c.wake.Signal()
}

// next waits for a parcel. There is none any more when all workers wait.
func (c *pool) next() parcel {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting++
	for (len(c.parcels) == 0 && c.waiting < c.Threads || c.resting) && !c.stopped.Load() {
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

// effort is what a worker has done since its last report.
type effort struct {
	sum          sum
	nodes, tries int64
	done         float64 // share of the whole tree
}

// minus is what was done since e was t.
func (e effort) minus(t effort) effort {
	return effort{e.sum.minus(t.sum), e.nodes - t.nodes, e.tries - t.tries, e.done - t.done}
}

// account is what a worker does, and tells its pool now and then.
type account struct {
	effort
	told  effort
	pool  *pool       // nil: a lone walker tells nobody
	stop  func() bool // true ends the walk: nobody wants what it finds
	ended bool
}

func (c *pool) account() account { return account{pool: c, stop: c.stopped.Load} }

// report hands in what was done since the last report.
func (a *account) report() {
	a.pool.take(a.effort.minus(a.told), a.ended)
	a.told = a.effort
}

// poll reports, and rests if the pool does; it reports whether to go on.
func (a *account) poll() bool {
	a.report()
	a.pool.enforceLimit()
	return !a.stopped()
}

func (a *account) stopped() bool {
	a.ended = a.ended || a.stop()
	return a.ended
}

// take adds what a worker reports, who may have ended the walk.
func (c *pool) take(e effort, ended bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sum.addSum(e.sum)
	c.nodes += e.nodes
	c.tries += e.tries
	c.done += e.done
	if c.Progress != nil {
		c.shown = max(c.shown, min(1, c.done))
		c.Progress(c.shown, c.nodes, c.tries)
	}
	if ended && !c.stopped.Load() {
		c.satisfied = true
		c.halt()
	}
}

// finish says that all is done, of which rounding may have lost some.
func (c *pool) finish() {
	if c.Progress != nil {
		c.Progress(1, c.nodes, c.tries)
	}
}

// enforceLimit has a worker rest when all have made too many tries, until they may go on or are
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
	if c.resting && c.parked > 0 && c.parked+c.waiting == c.Threads {
		select {
		case c.quiet <- struct{}{}:
		default:
		}
	}
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
