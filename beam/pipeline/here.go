package pipeline

import (
	"context"
	"sync"
	"time"

	"github.com/pavage/pavage/beam/band"
)

// The type here is for a driver in this process. When ctx ends, the tasks end. The engine gets a
// context without a deadline, since Prism panics if the deadline of its context passes.
type here struct {
	ctx    context.Context
	notice func(band.Notice) // may be nil

	mu   sync.Mutex // no task begins while idle holds it
	busy sync.WaitGroup
}

// drive records a driver, which the method leave removes. If ctx has ended, leave does not remove
// the driver, so that later tasks fail.
func (p Place) drive(ctx context.Context, notice func(band.Notice)) *here {
	process.mu.Lock()
	defer process.mu.Unlock()
	if process.drivers == nil {
		process.drivers = map[Place]*here{}
	}
	h := &here{ctx: ctx, notice: notice}
	process.drivers[p] = h
	return h
}

func (p Place) leave(h *here) {
	process.mu.Lock()
	defer process.mu.Unlock()
	if h.ctx.Err() == nil && process.drivers[p] == h {
		delete(process.drivers, p)
	}
}

func (p Place) driver() *here {
	process.mu.Lock()
	defer process.mu.Unlock()
	return process.drivers[p]
}

// until calls work with a context that also ends with the context of a driver in this process.
func (p Place) until(ctx context.Context, work func(context.Context) error) error {
	h := p.driver()
	if h == nil {
		return work(ctx)
	}
	if err := h.enter(); err != nil {
		return err
	}
	defer h.busy.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(h.ctx, cancel)()
	return work(ctx)
}

func (h *here) enter() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.ctx.Err(); err != nil {
		return err
	}
	h.busy.Add(1)
	return nil
}

func (h *here) idle(most time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		h.busy.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(most):
	}
}
