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
	// keepIdle is how long an idle child is kept.
	keepIdle = 5 * time.Minute
	// drawWait is how long a draw waits for memory, or for other draws from the same
	// child.
	drawWait = 30 * time.Second
)

// children are the children that are kept for more draws. Each has a source that is too
// large for this process. Their memory is a part of the budget. When somebody needs
// memory, idle children end, first the one whose last use was longest ago.
type children struct {
	worker *Worker

	begins turns // for each key, one child at a time is started

	mu     sync.Mutex
	kept   []*keptChild // in the order of their last use
	closed bool
	ending sync.WaitGroup // of children that were idle for long
}

// keptChild draws for one caller at a time.
type keptChild struct {
	*process
	key    store.Key
	pool   *pool
	memory int64
	turn   chan struct{} // full: a caller draws
	users  int           // callers that draw from it or wait for it
	idle   *time.Timer   // ends it after keepIdle
}

func newChildren(w *Worker) *children {
	c := &children{worker: w}
	for _, p := range w.budget.pools {
		p.shed = func() bool { return c.shed(p) }
	}
	return c
}

// busy is the problem about a draw that waited too long.
func busy(what string) error {
	return &client.Problem{
		Title: "the service is busy", Status: http.StatusServiceUnavailable,
		Detail: fmt.Sprintf("%s for %v: try again later, or submit a job of the kind sample", what, drawWait),
	}
}

var errBusy = busy("others had the memory that it takes, or drew from the same tilings,")

// take returns a child with the source of a key. Only the caller may use it, until it
// calls done with the error of the draw. A new child gets this much memory.
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
		leave(nil) // it died during the draw before
	}
}

// findOrStart returns the child that has the source, with one more user, or starts one.
// Other callers wait while it starts.
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

// find returns a child that already has the source, with one more user; nil if there is
// none.
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

// start starts a child. A small one takes its memory from the short lane's part of the
// budget.
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

// keep keeps a child, and reports whether it did: it does not after close.
func (c *children) keep(k *keptChild) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.kept = append(c.kept, k)
	}
	return !c.closed
}

// leave ends the use of a child. After the last user the child is idle; if somebody waits
// for its memory, it is ended. A dead child is ended in any case.
func (c *children) leave(k *keptChild, err error) {
	if c.left(k, errors.Is(err, job.ErrMemory)) {
		k.end(err)
	}
}

// left does the work of leave. A child is useless if it has no room for the source.
// left reports whether the caller must end the child.
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

// shed ends the idle child of a pool whose last use was longest ago. It returns false
// if there is none.
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

// close ends all children and their work.
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
