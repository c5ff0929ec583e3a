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
// The context of do ends when Work stops (ErrStopping), and when somebody else takes or
// cancels the job before do has claimed it. So do may wait for memory before it calls
// claim. claim gives the right to do the job, or ErrTaken. If do returns without having
// ended its claim, the job is put back. If do has never claimed the job, it stays queued
// and is offered again.
func (q *Queue) Work(ctx context.Context, slots map[Lane]int, do func(ctx context.Context, j Job, claim func() (*Claim, error))) error {
	stop, err := q.db.listen(ctx, slots, func(id string) { q.take(ctx, id, do) })
	if err != nil {
		return err
	}
	q.hub.works(true)
	defer q.hub.works(false)
	<-ctx.Done()
	return stop()
}

// take calls do with the job of a wake.
func (q *Queue) take(ctx context.Context, id string, do func(context.Context, Job, func() (*Claim, error))) {
	always := context.WithoutCancel(ctx)
	w := q.hub.enter(id)
	defer q.hub.leave(w)
	r, err := q.get(always, q.db, id, "")
	if err != nil || r.State != client.Queued {
		// If the database does not answer, upkeep later gives the job another wake.
		if !errors.Is(err, ErrAbsent) {
			q.report(q.background, "a job could not be read", err)
		}
		return
	}
	right, end := context.WithCancelCause(always)
	stopping := context.AfterFunc(ctx, func() { end(ErrStopping) })
	defer stopping()
	c := newClaim(q, r, right, end)
	background, stop := context.WithCancel(always)
	var keeping sync.WaitGroup
	keeping.Go(func() { c.keepUp(background, w) })
	if ctx.Err() == nil { // else the wake came while River was being stopped
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
		return c.q.rewake(ctx, tx, c.id, c.wake, "")
	})
	c.q.report(c.q.background, "a job could not be offered again", err)
}

// rewake gives a queued job another wake, if it still has this one and meets a
// condition.
func (q *Queue) rewake(ctx context.Context, tx transaction, id string, wake int64, condition string) error {
	var lane Lane
	err := askOne(ctx, tx, into(&lane), "UPDATE pavage_job SET lease = {now} + $3 WHERE id = $1 AND wake = $2 AND state = 'queued'"+
		condition+" RETURNING lane", id, wake, q.leaseMicros())
	if errors.Is(err, errNone) {
		return nil
	}
	if err != nil {
		return err
	}
	return wakeFor(ctx, tx, id, lane)
}

// wakeFor makes a wake for a queued job.
func wakeFor(ctx context.Context, tx transaction, id string, lane Lane) error {
	wake, err := tx.wake(ctx, id, lane)
	if err != nil {
		return err
	}
	return askOne(ctx, tx, into(&id), "UPDATE pavage_job SET wake = $2 WHERE id = $1 RETURNING id", id, wake)
}
