package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/store"
)

const (
	looking      = time.Second // time limit of a forecast; the forecast for 100x100 cells takes 300 ms
	quickSeconds = 0.05
	quickTime    = 2 * time.Second
	quickWait    = 250 * time.Millisecond
	quickMemory  = 64 << 20
)

type quick struct {
	slots  chan struct{} // has one element for each slot in use
	wait   time.Duration // longest wait for a slot
	look   time.Duration // time limit of a forecast
	source time.Duration // longest wait of a caller for a source
	limits job.Limits    // limits of quick work
	calls  singleflight.Group
	open   sync.RWMutex // quick work holds a read lock, and Close the write lock
	closed bool
}

// newQuick gives quick work at most an eighth of the memory, and half of the threads.
func newQuick(l job.Limits) *quick {
	slots := max(1, l.Threads/2)
	mine := int64(quickMemory)
	if l.Memory > 0 {
		mine = max(1, min(mine, l.Memory/8/int64(slots)))
	}
	return &quick{
		slots: make(chan struct{}, slots), wait: quickWait, look: looking,
		source: makeWait,
		limits: job.Limits{Memory: mine, Threads: 1, Time: quickTime},
	}
}

func (q *quick) slot(wait time.Duration) (leave func(), ok bool) {
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	leave, err := q.seat(ctx)
	return leave, err == nil
}

func (q *quick) seat(ctx context.Context) (leave func(), err error) {
	select {
	case q.slots <- struct{}{}:
		return func() { <-q.slots }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

type asked struct {
	key      store.Key
	done     bool         // the store has the answer
	forecast job.Forecast // forecast for a request that must become a job
}

var errClosed = job.NewError(job.Interruption, errors.New("the service is being stopped"))

// once shares the work among callers with the same key. The work continues if a caller leaves.
func once[T any](ctx context.Context, w *Worker, key string, work func() (T, error)) (made T, err error) {
	c := w.quick.calls.DoChan(key, func() (any, error) {
		w.quick.open.RLock()
		defer w.quick.open.RUnlock()
		if w.quick.closed {
			return nil, errClosed
		}
		return safely(w, work)
	})
	select {
	case result := <-c:
		made, _ = result.Val.(T)
		return made, result.Err
	case <-ctx.Done():
		return made, context.Cause(ctx)
	}
}

func (w *Worker) tryQuickly(r job.Request, key store.Key, work bool) (asked, error) {
	ctx := context.Background() // never ends, since w.quick limits the time of the work
	leave, ok := w.quick.slot(w.quick.wait)
	if !ok {
		return asked{key: key}, nil
	}
	defer leave()
	f := w.predict(ctx, r)
	isQuick := work && f.Known && f.Seconds <= quickSeconds && f.Bytes <= w.quick.limits.Memory/2
	if !isQuick {
		return asked{key: key, forecast: f}, nil
	}
	err := w.keep(ctx, r.Kind(), key, func(out io.Writer) (json.RawMessage, error) {
		watch := job.Lines(out)
		watch.Output, watch.Answer = out, nil
		watch.Progress = counted(w.observer, r.Kind())
		return safely(w, func() (json.RawMessage, error) {
			a, err := job.Run(ctx, r, w.quick.limits, watch)
			if err != nil {
				return nil, err
			}
			return marshal(a)
		})
	})
	if job.KindOf(err) == job.Limit {
		return asked{key: key}, nil // the forecast was too low, so it is not returned
	}
	if err == nil {
		w.observer.Quick(r.Kind())
	}
	return asked{key: key, done: err == nil}, err
}

// predict forecasts the cost of a request. Its caller must hold a slot.
func (w *Worker) predict(ctx context.Context, r job.Request) job.Forecast {
	if w.spies.forecast != nil {
		return w.spies.forecast(r)
	}
	ctx, cancel := context.WithTimeout(ctx, w.quick.look)
	defer cancel()
	return job.Predict(ctx, r, w.limits)
}

func safely[T any](w *Worker, do func() (T, error)) (made T, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("internal error (a panic): %v", v)
			w.log.Error().Err(err).Bytes("stack", debug.Stack()).Msg("work in the service has panicked")
		}
	}()
	return do()
}
