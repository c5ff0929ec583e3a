//go:build !js

package queue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/pavage/pavage/client"
)

// Work does jobs until ctx ends, and waits for their tasks. In each lane, it calls admit with the
// oldest queued job, which lacks Request and Plan. It calls Do of the returned task in a goroutine.
// If admit returns nil, there is no room, and Work calls admit again after a change. It skips a job
// while another job with the same key is running. If no job of a lane is left, it calls idle.
func (q *Queue) Work(ctx context.Context, admit func(Job) Task, idle func(Lane)) {
	var going sync.WaitGroup
	for _, lane := range []Lane{Short, Long} {
		going.Go(func() {
			for ctx.Err() == nil {
				news := q.hub.news() // before the poll, so that a job that is added after the poll is noticed
				r, t, err := q.next(ctx, lane, admit, idle)
				if t != nil {
					going.Go(func() { q.hold(ctx, r, t) })
				}
				switch {
				case err == nil:
				case errors.Is(err, errNone):
					select {
					case <-ctx.Done():
					case <-news:
					}
				default:
					q.report(ctx, "the queue could not be read", err)
					select {
					case <-ctx.Done():
					case <-time.After(awayPause):
					}
				}
			}
		})
	}
	going.Wait()
}

const awayPause = time.Second

// free selects the queued jobs for which no job with the same key is running.
const free = " state = 'queued' AND key NOT IN (SELECT key FROM pavage_job WHERE state = 'running' AND key <> '') "

// next claims the oldest job of a lane. Task and error are nil if another process was faster.
func (q *Queue) next(ctx context.Context, lane Lane, admit func(Job) Task, idle func(Lane)) (row, Task, error) {
	r, err := askRow(ctx, q.db, "SELECT "+briefly+" FROM pavage_job WHERE lane = $1 AND"+free+"ORDER BY created, id LIMIT 1", string(lane))
	if errors.Is(err, errNone) {
		idle(lane)
	}
	if err != nil {
		return r, nil, err
	}
	t := admit(r.Job)
	if t == nil {
		return r, nil, errNone
	}
	// This write continues after ctx ends, since its result tells whether the job is claimed.
	r, err = q.claimFree(context.WithoutCancel(ctx), r.Job)
	if err == nil {
		return r, t, nil
	}
	t.Release()
	if errors.Is(err, errNone) {
		err = nil
	}
	return r, nil, err
}

func (q *Queue) claimFree(ctx context.Context, j Job) (r row, err error) {
	err = q.db.write(ctx, func(tx transaction) error {
		if err := q.db.alone(ctx, tx.tx, j.Key); err != nil { // a claim in the other lane may have the same key
			return err
		}
		r, err = askRow(ctx, tx, `UPDATE pavage_job SET state = 'running', version = version + 1, epoch = epoch + 1, attempts = attempts + 1 - refund,
				refund = 0, started = {now}, worker = $2, lease = {now} + $3, progress = NULL
			WHERE id = $1 AND`+free+`RETURNING `+columns, j.ID, q.options.Worker, q.leaseMicros())
		return err
	})
	return r, err
}

func (q *Queue) hold(ctx context.Context, r row, t Task) {
	always := context.WithoutCancel(ctx)
	c := newClaim(q, r, always)
	defer c.end(nil)
	defer context.AfterFunc(ctx, func() { c.end(ErrStopping) })()
	q.hub.enter(r.ID)
	q.hub.tell()
	holding, stop := context.WithCancel(always)
	var keeping sync.WaitGroup
	keeping.Go(func() { c.keepUp(holding) })
	c.run(t)
	stop()
	keeping.Wait()
	q.hub.leave(r.ID)
	if !c.over.Load() {
		why := Lapsed
		if ctx.Err() != nil {
			why = Stopped
		}
		if err := c.Requeue(always, why); !errors.Is(err, ErrLost) {
			q.report(q.background, "a job could not be put back", err)
		}
	}
	t.Release()
	q.hub.tell() // another job may now have room
}

// run calls t.Do. If Do panics, the job fails, since another try would panic too.
func (c *claim) run(t Task) {
	defer func() {
		if p := recover(); p != nil {
			c.q.report(c.q.background, "a job made the program panic", fmt.Errorf("job %s: %v", c.row.ID, p))
			c.Failed(c.q.background, client.Problem{Status: 500, Title: "failure", Detail: "internal error (a panic)"})
		}
	}()
	t.Do(c)
}
