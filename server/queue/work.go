package queue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/pavage/pavage/client"
)

// Work takes jobs until ctx ends and calls do for each, for at most slots of each lane
// at once. Then it waits until all calls of do have returned. A queue has one Work at a
// time.
//
// The context of do ends when Work stops (ErrStopping), and when another process takes or
// cancels the job before do has claimed it. So do may wait for memory before it calls
// claim. claim gives the right to do the job, or ErrTaken. If do returns without having
// ended its claim, the job is put back. If do has never claimed the job, it stays queued
// and is offered again.
func (q *Queue) Work(ctx context.Context, slots map[Lane]int, do func(ctx context.Context, j Job, claim func() (*Claim, error))) {
	q.hub.works(true)
	defer q.hub.works(false)
	var going sync.WaitGroup
	for lane, n := range slots {
		free := make(chan struct{}, n)
		going.Go(func() {
			for {
				news := q.hub.news() // before the offer: a job that comes after it is news
				select {
				case <-ctx.Done():
					return
				case free <- struct{}{}:
				}
				r, err := q.offer(context.WithoutCancel(ctx), lane)
				if err == nil {
					going.Go(func() { q.take(ctx, r, do); <-free })
					continue
				}
				<-free
				if errors.Is(err, errNone) {
					select {
					case <-ctx.Done():
					case <-news:
					}
					continue
				}
				q.report(q.background, "the queue could not be read", err)
				select {
				case <-ctx.Done():
				case <-time.After(awayPause):
				}
			}
		})
	}
	going.Wait()
}

// awayPause is how long Work waits after an error of the database.
const awayPause = time.Second

// offer gives the oldest job of a lane to this process, so that no other process is
// offered the job while this one renews its lease. errNone says that no job waits.
func (q *Queue) offer(ctx context.Context, lane Lane) (r row, err error) {
	const oldest = "SELECT id FROM pavage_job WHERE lane = $1 AND state = 'queued' AND lease <= {now} ORDER BY created, id LIMIT 1"
	// Mostly there is none, and a look is cheaper than a write.
	if err := askOne(ctx, q.db, into(new(string)), oldest, string(lane)); err != nil {
		return r, err
	}
	err = q.db.write(ctx, func(tx transaction) (err error) {
		r, err = askRow(ctx, tx, "UPDATE pavage_job SET epoch = epoch + 1, lease = {now} + $2 WHERE id = ("+oldest+" {skip}) RETURNING "+columns,
			string(lane), q.leaseMicros())
		return err
	})
	return r, err
}

// take calls do with a job that was offered.
func (q *Queue) take(ctx context.Context, r row, do func(context.Context, Job, func() (*Claim, error))) {
	always := context.WithoutCancel(ctx)
	w := q.hub.enter(r.ID)
	defer q.hub.leave(w)
	q.hub.tell() // the job may have changed since the offer
	right, end := context.WithCancelCause(always)
	stopping := context.AfterFunc(ctx, func() { end(ErrStopping) })
	defer stopping()
	c := newClaim(q, r, right, end)
	background, stop := context.WithCancel(always)
	var keeping sync.WaitGroup
	keeping.Go(func() { c.keepUp(background, w) })
	if ctx.Err() == nil { // else Work ended during the offer
		c.run(do)
	}
	c.leave(always, ctx.Err() != nil)
	stop()
	keeping.Wait()
}

// run calls do. If that panics, the job fails: the next try would panic, too.
func (c *Claim) run(do func(context.Context, Job, func() (*Claim, error))) {
	defer func() {
		if p := recover(); p != nil {
			c.q.report(c.q.background, "a job made the program panic", fmt.Errorf("job %s: %v", c.id, p))
			c.claim() // or it would be offered again
			c.Failed(c.q.background, client.Problem{Status: 500, Title: "failure", Detail: "the program made a mistake (a panic)"})
		}
	}()
	do(c.right, c.Job(), c.claim)
}

// leave runs when do has returned. It puts the job back if do has not ended the claim.
func (c *Claim) leave(ctx context.Context, stopping bool) {
	if c.claimed() {
		why := Lapsed
		if stopping {
			why = Stopped
		}
		if err := c.Requeue(ctx, "", why); !errors.Is(err, ErrLost) {
			c.q.report(c.q.background, "a job could not be put back", err)
		}
		return
	}
	if c.in() == over {
		return
	}
	if !stopping { // do may return again at once
		select {
		case <-time.After(c.q.options.Poll):
		case <-c.right.Done():
		}
	}
	err := c.q.db.write(ctx, func(tx transaction) error {
		return tx.do(ctx, "UPDATE pavage_job SET lease = 0 WHERE id = $1 AND epoch = $2 AND state = 'queued'", c.id, c.epoch())
	})
	c.q.report(c.q.background, "a job could not be offered again", err)
	c.q.hub.tell()
}
