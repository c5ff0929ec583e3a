package store

import (
	"context"
	"sync/atomic"
	"time"
)

// Attempts is the number of attempts of an operation.
const Attempts = attempts

// CountWaits makes a store of objects try again without waiting, and counts how often it does.
func CountWaits(s Store) *atomic.Int64 {
	var n atomic.Int64
	s.(*objects).retries.wait = func(ctx context.Context, _ int) error {
		n.Add(1)
		return ctx.Err()
	}
	return &n
}

// LimitCalls sets the time limit of calls of a store of objects.
func LimitCalls(s Store, limit time.Duration) { s.(*objects).limit = limit }
