package search

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"math/bits"
	"sync"
	"sync/atomic"
)

// ErrLimit is returned by [Hunt.Run] when the tries are used up.
var ErrLimit = errors.New("the search needs more tries than allowed")

// Result is a count, and the numbers of nodes and tries of the search.
type Result struct {
	Count *big.Int
	Nodes int64 // number of nodes visited
	Tries int64 // number of choices tried; most fail at once
}

// Hunt is a search that can pause. During a pause the walkers keep their places in the tree.
type Hunt struct {
	ctx     context.Context
	space   *Space
	pool    *pool
	release func() bool
}

// Hunt prepares a search, which ends soon after ctx does. The caller must call End. yield, if not
// nil, is called with every solution, in no particular order, until it returns false. A solution is
// an ascending list of options, valid during the call. Calls of yield do not overlap.
func (s *Space) Hunt(ctx context.Context, o Options, yield func(options []int) bool) *Hunt {
	var visit visit
	if yield != nil {
		var mu sync.Mutex
		ended := false
		visit = func(path []int32, _ uint64) bool {
			mu.Lock()
			defer mu.Unlock()
			ended = ended || !s.expand(path, yield)
			return !ended
		}
	}
	c := newPool(o, visit)
	return &Hunt{ctx: ctx, space: s, pool: c, release: context.AfterFunc(ctx, c.stop)}
}

// Run continues the hunt until it has made about this number of tries since it began, or to
// the end if tries is 0. If the hunt does not end, Run returns ErrLimit and the Result so far.
func (h *Hunt) Run(tries int64) (Result, error) { return h.run(tries, false) }

// RunAlone is Run with one walker at a time. The result does not depend on the number of threads.
func (h *Hunt) RunAlone(tries int64) (Result, error) { return h.run(tries, true) }

func (h *Hunt) run(tries int64, alone bool) (Result, error) {
	c := h.pool
	if h.space.never {
		c.finish()
		return Result{Count: new(big.Int)}, h.ctx.Err()
	}
	c.mu.Lock()
	c.limit, c.alone, c.resting = tries, alone, false
	c.starve()
	c.wake.Broadcast()
	if !c.begun {
		c.begun = true
		go c.walk(h.space.engine)
	}
	for !c.over && !c.quietNow() {
		c.quiet.Wait()
	}
	over, r := c.over, Result{Count: c.sum.big(), Nodes: c.nodes, Tries: c.tries}
	c.mu.Unlock()
	r.Count.Lsh(r.Count, uint(len(h.space.free)))
	switch err := h.ctx.Err(); {
	case !over:
		return r, cmp.Or(err, ErrLimit)
	case c.satisfied:
		return r, nil
	case err != nil:
		return r, err
	}
	c.finish()
	return r, nil
}

// Share returns the share of the tree that is done, 0 to 1. Choices of a node have equal shares.
func (h *Hunt) Share() float64 {
	h.pool.mu.Lock()
	defer h.pool.mu.Unlock()
	return min(1, h.pool.done)
}

// End ends the hunt at any time. When End returns, no worker is left.
func (h *Hunt) End() {
	h.release()
	c := h.pool
	c.mu.Lock()
	defer c.mu.Unlock()
	c.halt()
	for c.begun && !c.over {
		c.quiet.Wait()
	}
}

// pollEvery is the number of nodes between two polls, about half a millisecond. It is a power of 2.
const pollEvery = 1 << 11

// pollTries limits the tries between two polls. (2^11 nodes of nonominoes on 6x6 need 0.3 s.)
const pollTries = 1 << 13

type parcel any

type worker interface{ do(p parcel) }

// visit is called with each solution. It returns false to end the walk.
type visit func(path []int32, weight uint64) bool

// Options are the options of a Hunt.
type Options struct {
	Threads int // number of walkers; 0 means 1
	// Progress, if not nil, is called with the share of the tree that is done, from 0 to 1. The
	// share never falls. Calls do not overlap.
	Progress func(share float64, nodes, tries int64)

	forgetful bool // no memo, so nodes and tries do not depend on the number of walkers
	greedy    bool // for tests: every choice that can be given away is given away
}

// pool has several workers on one tree. A waiting worker gets a parcel of another worker.
type pool struct {
	Options
	visit visit
	limit int64 // largest number of tries; 0 means no limit

	starving atomic.Bool // more workers wait than there are parcels
	stopped  atomic.Bool

	mu      sync.Mutex
	wake    sync.Cond
	quiet   sync.Cond // signals that all workers rest, or that the search is over
	begun   bool
	over    bool
	parcels []parcel
	waiting int // workers that have no parcel
	effort
	satisfied bool // visit ended the search
	alone     bool // only one worker has a parcel
	resting   bool // the limit is reached
	parked    int  // workers that wait because the limit is reached
}

func newPool(o Options, visit visit) *pool {
	c := &pool{Options: o, visit: visit}
	c.Threads = max(1, c.Threads)
	c.wake.L, c.quiet.L = &c.mu, &c.mu
	return c
}

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
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	c.quiet.Broadcast()
}

func (c *pool) starve() { c.starving.Store(!c.alone && c.waiting > len(c.parcels)) }

func (c *pool) hungry() bool { return c.greedy || c.starving.Load() }

func (c *pool) accept(p parcel) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.parcels = append(c.parcels, p)
	c.starve()
	c.wake.Signal()
}

// next waits for a parcel and returns it. It returns nil if the search has stopped or all wait.
func (c *pool) next() parcel {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting++
	for ((len(c.parcels) == 0 || c.alone) && c.waiting < c.Threads || c.resting) && !c.stopped.Load() {
		c.starve()
		c.rest()
	}
	if len(c.parcels) == 0 || c.stopped.Load() {
		c.wake.Broadcast()
		return nil
	}
	c.waiting--
	p := c.parcels[len(c.parcels)-1]
	c.parcels = c.parcels[:len(c.parcels)-1]
	c.starve()
	return p
}

func (c *pool) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.halt()
}

// halt stops the pool. The caller holds the lock.
func (c *pool) halt() {
	c.stopped.Store(true)
	c.wake.Broadcast()
}

func (c *pool) take(e effort, ended bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sum.addSum(e.sum)
	c.nodes += e.nodes
	c.tries += e.tries
	c.done += e.done
	if c.Progress != nil {
		c.Progress(min(1, c.done), c.nodes, c.tries)
	}
	if ended && !c.stopped.Load() {
		c.satisfied = true
		c.halt()
	}
}

// finish reports the share 1, since the sum of the shares may be a little less.
func (c *pool) finish() {
	if c.Progress != nil {
		c.Progress(1, c.nodes, c.tries)
	}
}

func (c *pool) enforceLimit() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.resting = c.resting || c.limit > 0 && c.tries > c.limit
	for c.resting && !c.stopped.Load() {
		c.parked++
		c.rest()
		c.parked--
	}
}

func (c *pool) quietNow() bool { return c.resting && c.parked+c.waiting == c.Threads }

func (c *pool) rest() {
	if c.quietNow() {
		c.quiet.Signal()
	}
	c.wake.Wait()
}

type effort struct {
	sum          sum
	nodes, tries int64
	done         float64 // share of the whole tree that is done
}

func (e effort) minus(t effort) effort {
	return effort{e.sum.minus(t.sum), e.nodes - t.nodes, e.tries - t.tries, e.done - t.done}
}

type account struct {
	effort
	told  effort
	pool  *pool       // nil for a lone walker
	stop  func() bool // reports whether the walk must end, without a result
	ended bool
}

func (c *pool) account() account { return account{pool: c, stop: c.stopped.Load} }

func (a *account) report() {
	a.pool.take(a.effort.minus(a.told), a.ended)
	a.told = a.effort
}

func (a *account) poll() bool {
	a.report()
	a.pool.enforceLimit()
	return !a.stopped()
}

func (a *account) stopped() bool {
	a.ended = a.ended || a.stop()
	return a.ended
}

// sum is a number of solutions, as two words. No search finds 2^128 solutions.
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

func (s sum) minus(t sum) sum {
	lo, borrow := bits.Sub64(s.lo, t.lo, 0)
	return sum{lo, s.hi - t.hi - borrow}
}

func (s sum) big() *big.Int {
	n := new(big.Int).SetUint64(s.hi)
	return n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(s.lo))
}
