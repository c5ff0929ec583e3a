package worker

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/pavage/pavage/server/store"
)

// turns makes jobs with the same key work one after another, so that the second one
// finds the answer of the first.
type turns struct {
	waiting atomic.Int64
	mu      sync.Mutex
	busy    map[store.Key]chan struct{} // closed when the turn ends
}

// take waits until no other job has the key. give ends the turn.
func (t *turns) take(ctx context.Context, key store.Key) (give func(), err error) {
	t.waiting.Add(1)
	defer t.waiting.Add(-1)
	for {
		mine, others := t.ask(key)
		if mine != nil {
			return func() {
				t.mu.Lock()
				defer t.mu.Unlock()
				delete(t.busy, key)
				close(mine)
			}, nil
		}
		select {
		case <-others:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// ask returns the caller's own turn, or else the turn of another job.
func (t *turns) ask(key store.Key) (mine, others chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if others, taken := t.busy[key]; taken {
		return nil, others
	}
	if t.busy == nil {
		t.busy = map[store.Key]chan struct{}{}
	}
	mine = make(chan struct{})
	t.busy[key] = mine
	return mine, nil
}
