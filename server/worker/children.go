package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/server/store"
)

const (
	// keepIdle is how long an idle child is kept.
	keepIdle = 5 * time.Minute
	// keepFor is how long an idle child is kept while other work waits for its memory, so that the
	// requests that waited for its source can draw, and a client can read a portion.
	keepFor = 2 * time.Second
	// drawWait is how long a draw waits for the portions of others. A portion needs some 250 ms.
	drawWait = 30 * time.Second
)

// children are the children of samples that are kept for more draws. Each has a source that
// is too large for this process. Their memory is a part of the budget. When other work needs
// memory, idle children end, the least recently used child first.
type children struct {
	worker *Worker
	grace  time.Duration // see keepFor
	draws  atomic.Int64  // the number of the last draw

	mu     sync.Mutex
	kept   []*keptChild // in the order of their last use
	closed bool
	ending sync.WaitGroup // of children that were idle for long
}

// keptChild makes one portion of a draw at a time.
type keptChild struct {
	*process
	key    store.Key
	pool   *pool
	memory int64
	turn   chan struct{} // full: a portion is made
	users  int           // portions that are made or waited for
	used   time.Time     // when the child was last idle while no other work waited for its memory
	over   []int64       // draws that end before their last portion
	idle   *time.Timer   // calls endIdle
}

var (
	errBusy = Busy(fmt.Sprintf("other requests drew from the same tilings for %v", drawWait) + orSample)
	// errSlow ends a draw whose child was ended between two portions to give its memory to other work.
	errSlow = Busy("other work needed the memory of the source before the client had all tilings" + orSample)
)

const orSample = ": try again later, or submit a job of the kind sample"

// take returns the child with the source of a key, or errLarge if there is none, or if the
// child is not before, the child of the last portion. Only the caller may use the child, until the
// caller calls done with the error of the portion.
func (c *children) take(ctx context.Context, key store.Key, before *keptChild) (k *keptChild, done func(error), err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, drawWait, errBusy)
	defer cancel()
	if k = c.find(key, before); k == nil {
		return nil, nil, errLarge
	}
	select {
	case k.turn <- struct{}{}:
	case <-ctx.Done():
		c.leave(k, nil)
		return nil, nil, context.Cause(ctx)
	}
	done = func(err error) {
		<-k.turn
		c.leave(k, err)
	}
	if !k.Alive() { // it died during the portion before
		done(nil)
		return nil, nil, errLarge
	}
	return k, done, nil
}

// has reports whether there is a child with the source.
func (c *children) has(key store.Key) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.of(key) != nil
}

// of returns the child with the source for a new draw, or nil. A child for whose
// memory other work waits accepts no new draws after drawWait, so that jobs do not wait forever
// while clients draw from the child. The caller holds the lock.
func (c *children) of(key store.Key) *keptChild {
	if i := slices.IndexFunc(c.kept, func(k *keptChild) bool {
		return k.key == key && k.Alive() && (k.pool.waiting.Load() == 0 || time.Since(k.used) < drawWait)
	}); i >= 0 {
		return c.kept[i]
	}
	return nil
}

// find returns the child of take, with one more user; nil if there is none.
func (c *children) find(key store.Key, before *keptChild) *keptChild {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := before
	if k == nil {
		k = c.of(key)
	}
	if k == nil || !slices.Contains(c.kept, k) {
		return nil
	}
	k.users++
	k.idle.Stop()
	return k
}

// keep keeps the child of a job that has made a source, and reports whether it keeps the child:
// only one child is kept for each source. The child then has the memory of the job's share.
func (c *children) keep(p *process, key store.Key, s *share) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.of(key) != nil {
		return false
	}
	k := &keptChild{process: p, key: key, pool: s.pool, memory: s.memory, turn: make(chan struct{}, 1), used: time.Now()}
	c.kept = append(c.kept, k)
	k.idle = time.AfterFunc(c.grace, func() { c.endIdle(k) })
	s.lent = true
	return true
}

// leave ends the use of a child. After the last user the child is idle. A dead child is ended.
func (c *children) leave(k *keptChild, err error) {
	if c.left(k, errors.Is(err, limit.ErrMemory)) {
		k.end(err)
	}
}

// left does the work of leave. A child is useless if it has no room for the source. left reports
// whether the caller must end the child.
func (c *children) left(k *keptChild, useless bool) (ends bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k.users--
	switch {
	case !k.Alive(), k.users == 0 && useless:
		return c.remove(k)
	case k.users == 0 && c.remove(k):
		c.kept = append(c.kept, k)
		if k.pool.waiting.Load() == 0 {
			k.used = time.Now()
		}
		k.idle.Reset(max(0, c.grace-time.Since(k.used)))
	}
	return false
}

// taken returns the draws that ends recorded since the last call.
func (c *children) taken(k *keptChild) (over []int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	over, k.over = k.over, nil
	return over
}

// remove forgets a child. If it returns true, the caller must end the child.
func (c *children) remove(k *keptChild) bool {
	i := slices.Index(c.kept, k)
	if i >= 0 {
		c.kept = slices.Delete(c.kept, i, i+1)
	}
	return i >= 0
}

func (k *keptChild) end(err error) {
	k.close(err)
	k.pool.give(k.memory)
}

// endIdle ends an idle child if other work waits for its memory, or if the child was idle for
// keepIdle; else endIdle is called again after keepIdle.
func (c *children) endIdle(k *keptChild) {
	c.mu.Lock()
	if k.users > 0 || !slices.Contains(c.kept, k) {
		c.mu.Unlock()
		return
	}
	left := keepIdle - time.Since(k.used)
	ends := left <= 0 || k.pool.waiting.Load() > 0
	if ends {
		c.remove(k)
		c.ending.Add(1)
	} else {
		k.idle.Reset(max(left, c.grace))
	}
	c.mu.Unlock()
	if ends {
		k.end(nil)
		c.ending.Done()
	}
}

// shed ends the idle child of a pool whose last use was longest ago. It returns false
// if there is none.
func (c *children) shed(p *pool) bool {
	c.mu.Lock()
	i := slices.IndexFunc(c.kept, func(k *keptChild) bool { return k.pool == p && k.users == 0 && time.Since(k.used) >= c.grace })
	var k *keptChild
	if i >= 0 {
		k = c.kept[i]
		k.idle.Stop()
		c.remove(k)
	}
	c.mu.Unlock()
	if k != nil {
		k.end(nil)
	}
	return k != nil
}

// close ends all children and their work.
func (c *children) close() {
	c.mu.Lock()
	all := c.kept
	c.closed, c.kept = true, nil
	c.mu.Unlock()
	for _, k := range all {
		k.idle.Stop()
		k.end(nil)
	}
	c.ending.Wait()
}
