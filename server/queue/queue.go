//go:build !js

package queue

import (
	"context"
	"sync"
)

// Queue gives one process access to the table of jobs.
type Queue struct {
	db         *database
	options    Options
	hub        *hub
	background context.Context // context of the goroutines in the background
	end        context.CancelFunc
	going      sync.WaitGroup
}

func newQueue(ctx context.Context, db *database, o Options) *Queue {
	ctx, end := context.WithCancel(context.WithoutCancel(ctx))
	q := &Queue{db: db, options: o.withDefaults(), background: ctx, end: end}
	q.hub = &hub{q: q, kick: make(chan struct{}, 1), waiting: map[string]*watched{}, changes: make(chan struct{})}
	q.going.Go(func() { q.hub.run(ctx) })
	q.going.Go(func() { q.upkeep(ctx) })
	return q
}

// Close ends the goroutines in the background. Work must have returned.
func (q *Queue) Close() error {
	q.end()
	q.going.Wait()
	return q.db.close()
}

// Ping returns nil if the database answers and has the table of jobs.
func (q *Queue) Ping(ctx context.Context) error {
	var one int
	return askOne(ctx, q.db, into(&one), "SELECT count(*) FROM (SELECT id FROM pavage_job LIMIT 1) AS a")
}

func (q *Queue) report(ctx context.Context, event string, err error) {
	if err != nil && ctx.Err() == nil {
		q.options.Report(event, err)
	}
}

func (q *Queue) leaseMicros() int64 { return q.options.Lease.Microseconds() }
