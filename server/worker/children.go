package worker

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/store"
)

const (
	// keepIdle is how long a child is kept that nobody draws from.
	keepIdle = 5 * time.Minute
	// drawWait is how long a draw waits for memory, or for others who draw from the same.
	drawWait = 30 * time.Second
)

// children are kept for more draws: each has a source that is too large for this process.
// Their memory is that of the budget. One that is idle ends when somebody wants its
// memory, the one that was used longest ago first.
type children struct {
	worker *Worker

	begins turns // one child at a time is begun for a key

	mu     sync.Mutex
	kept   []*keptChild // the one used last at the end
	closed bool
	ending sync.WaitGroup // of children that were idle for long
}

// keptChild draws for one caller at a time.
type keptChild struct {
	*process
	key    store.Key
	pool   *pool
	memory int64
	turn   chan struct{} // full: somebody draws
	users  int           // who draw or wait for it
	idle   *time.Timer   // ends it when it was idle for long
}

func newChildren(w *Worker) *children {
	c := &children{worker: w}
	for _, p := range w.budget.pools {
		p.shed = func() bool { return c.shed(p) }
	}
	return c
}

// busy is the problem of a draw that waited too long.
func busy(what string) error {
	return &client.Problem{
		Title: "the service is busy", Status: http.StatusServiceUnavailable,
		Detail: fmt.Sprintf("%s for %v: try again later, or submit a job of the kind sample", what, drawWait),
	}
}

var errBusy = busy("others had the memory that it takes, or drew from the same tilings,")

// take is a child with the source of a key, for its caller alone until done is called
// with the error of the draw. A new one gets so much memory.
func (c *children) take(ctx context.Context, key store.Key, memory int64) (k *keptChild, done func(error), err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, drawWait, errBusy)
	defer cancel()
	for {
		if k, err = c.findOrStart(ctx, key, memory); err != nil {
			return nil, nil, err
		}
		select {
		case k.turn <- struct{}{}:
		case <-ctx.Done():
			c.leave(k, nil)
			return nil, nil, context.Cause(ctx)
		}
		leave := func(err error) {
			<-k.turn
			c.leave(k, err)
		}
		if k.Alive() {
			return k, leave, nil
		}
		leave(nil) // it died with the draw before
	}
}

// findOrStart is the child that has the source, for one more user, or a new one. Those who
// come while it is begun wait for it.
func (c *children) findOrStart(ctx context.Context, key store.Key, memory int64) (*keptChild, error) {
	give, err := c.begins.take(ctx, key)
	if err != nil {
		return nil, err
	}
	defer give()
	if k := c.find(key); k != nil {
		return k, nil
	}
	return c.start(ctx, key, memory)
}

// has reports whether there is a child with the source.
func (c *children) has(key store.Key) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.kept, func(k *keptChild) bool { return k.key == key })
}

// find is a child that has the source already, with one more user; nil if there is none.
func (c *children) find(key store.Key) *keptChild {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.kept {
		if k.key == key && k.Alive() {
			k.users++
			if k.idle != nil {
				k.idle.Stop()
			}
			return k
		}
	}
	return nil
}

// start starts a child, in the short lane's part of the budget if it takes little of it.
func (c *children) start(ctx context.Context, key store.Key, memory int64) (*keptChild, error) {
	p := c.worker.budget.pools[queue.Short]
	if p.weight(memory) > p.size/2 {
		p = c.worker.budget.pools[queue.Long]
	}
	if err := p.take(ctx, memory); err != nil {
		return nil, context.Cause(ctx)
	}
	started, err := c.worker.startChild(p.weight(memory))
	if err != nil {
		p.give(memory)
		return nil, err
	}
	k := &keptChild{process: started, key: key, pool: p, memory: memory, turn: make(chan struct{}, 1), users: 1}
	if !c.keep(k) {
		k.end(nil)
		return nil, errClosed
	}
	return k, nil
}

// keep keeps a child, unless no more are kept.
func (c *children) keep(k *keptChild) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.kept = append(c.kept, k)
	}
	return !c.closed
}

// leave is what a user says at the end. The last one leaves the child idle, or ends it if
// somebody waits for its memory. A child that is dead ends in any case.
func (c *children) leave(k *keptChild, err error) {
	if c.left(k, errors.Is(err, job.ErrMemory)) {
		k.end(err)
	}
}

// left is leave of a child that may be useless, since it has no room for the source. It
// says whether the caller has to end it.
func (c *children) left(k *keptChild, useless bool) (ends bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k.users--
	switch {
	case !k.Alive(), k.users == 0 && (useless || k.pool.waiting.Load() > 0):
		return c.remove(k)
	case k.users == 0 && c.remove(k):
		c.kept = append(c.kept, k)
		k.idle = time.AfterFunc(keepIdle, func() { c.endIdle(k) })
	}
	return false
}

// remove forgets a child. Whoever it says yes to has to end it.
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

// endIdle ends a child unless it is in use again.
func (c *children) endIdle(k *keptChild) {
	c.mu.Lock()
	ends := !c.closed && k.users == 0 && c.remove(k)
	if ends {
		c.ending.Add(1)
	}
	c.mu.Unlock()
	if ends {
		k.end(nil)
		c.ending.Done()
	}
}

// shed ends the idle child of a pool that was used longest ago; false if there is none.
func (c *children) shed(p *pool) bool {
	c.mu.Lock()
	i := slices.IndexFunc(c.kept, func(k *keptChild) bool { return k.pool == p && k.users == 0 })
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

// close ends all children, and what they do.
func (c *children) close() {
	c.mu.Lock()
	all := c.kept
	c.closed, c.kept = true, nil
	c.mu.Unlock()
	for _, k := range all {
		if k.idle != nil {
			k.idle.Stop()
		}
		k.end(nil)
	}
	c.ending.Wait()
}
