package queue

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
)

// Claim is the right to do a job, until its context ends.
//
//	offered ──claim──► held ──Done, Failed, Canceled, Requeue──► over
//	   ╲                 ╲────────── ErrLost ──────────────────► over
//	    ╲──── ErrTaken, or do returns ─────────────────────────► over
//
// Only do gets a Claim, and only once it is held. Before that, the claim keeps the
// lease of the queued job, so that other processes see that this one waits with it.
type Claim struct {
	q     *Queue
	id    string
	right context.Context
	end   context.CancelCauseFunc
	fresh chan struct{} // there is something to write

	mu       sync.Mutex
	row      row // as it was offered, and then as it was claimed
	phase    phase
	seen     glance // what the hub saw last
	progress []byte // not written yet; nil: nothing
	plan     []byte // not written yet; nil: nothing
}

type phase int

const (
	offered phase = iota
	claiming
	held
	over
)

func newClaim(q *Queue, r row, right context.Context, end context.CancelCauseFunc) *Claim {
	return &Claim{q: q, id: r.ID, row: r, right: right, end: end, fresh: make(chan struct{}, 1)}
}

func (c *Claim) in() phase {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.phase
}

func (c *Claim) claimed() bool { return c.in() == held }

// finish ends the claim, and its context.
func (c *Claim) finish(why error) {
	c.mu.Lock()
	c.phase = over
	c.mu.Unlock()
	c.end(why)
}

// claim gives the right to the job to this process, unless somebody else has it.
func (c *Claim) claim() (*Claim, error) {
	if c.right.Err() != nil {
		return nil, context.Cause(c.right)
	}
	c.mu.Lock()
	is := c.phase == offered
	if is {
		c.phase = claiming
	}
	c.mu.Unlock()
	if !is {
		return nil, ErrTaken
	}
	// The context ends only the work. This write goes on, since we must know whether it
	// claimed the job.
	ctx := context.WithoutCancel(c.right)
	var r row
	err := c.q.db.write(ctx, func(tx transaction) (err error) {
		r, err = askRow(ctx, tx, `UPDATE pavage_job SET state = 'running', version = version + 1, attempts = attempts + 1 - refund, refund = 0,
				started = {now}, worker = $3, lease = {now} + $4, progress = NULL, plan = NULL
			WHERE id = $1 AND epoch = $2 AND state = 'queued' RETURNING `+columns, c.id, c.epoch(), c.q.options.Worker, c.q.leaseMicros())
		return err
	})
	if errors.Is(err, errNone) {
		c.finish(ErrTaken)
		return nil, ErrTaken
	}
	if err != nil {
		c.settle(c.row, offered)
		return nil, err
	}
	c.settle(r, held)
	c.q.hub.tell()
	return c, nil
}

// settle ends an attempt to claim. It looks at what the hub saw during the attempt.
func (c *Claim) settle(r row, p phase) {
	c.mu.Lock()
	c.row, c.phase = r, p
	seen := c.seen
	c.mu.Unlock()
	if seen.version > r.Version {
		c.look(seen)
	}
}

// Context returns the context that do was given. It ends when the right to the job ends
// (ErrLost, ErrCanceled or ErrStopping), and when one of the methods ends the claim.
func (c *Claim) Context() context.Context { return c.right }

// Job returns the job as it was claimed. Its Attempts include this try.
func (c *Claim) Job() Job {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.row.Job
}

// Progress says how far the work is. It may be called often: only the last progress of
// each half second is written.
func (c *Claim) Progress(p client.Progress) { c.keep(&c.progress, p) }

// Plan says how the work is done. It is written as often as Progress.
func (c *Claim) Plan(p *job.Plan) { c.keep(&c.plan, p) }

func (c *Claim) keep(at *[]byte, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		c.q.report(c.q.background, "progress could not be written as JSON", err)
		return
	}
	c.mu.Lock()
	*at = text
	c.mu.Unlock()
	select {
	case c.fresh <- struct{}{}:
	default:
	}
}

// Done ends the job: its answer is in the store, with that key.
func (c *Claim) Done(ctx context.Context, key string) error {
	return c.close(ctx, client.Done, key, nil)
}

// Failed ends the job.
func (c *Claim) Failed(ctx context.Context, p client.Problem) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return c.close(ctx, client.Failed, "", text)
}

// Canceled ends the job, after its context said ErrCanceled.
func (c *Claim) Canceled(ctx context.Context) error {
	return c.close(ctx, client.Canceled, "", nil)
}

// close ends the job in a state. The caller may try again after an error: perhaps the
// first try was committed although it seemed to fail. Then this try finds that the job
// has ended as it should.
func (c *Claim) close(ctx context.Context, s client.State, key string, failure []byte) error {
	progress, plan := c.unwritten()
	id, epoch := c.id, c.epoch()
	err := c.write(func() error {
		return c.q.db.write(ctx, func(tx transaction) error {
			err := askOne(ctx, tx, into(&id), `UPDATE pavage_job SET state = $3, key = $4, failure = $5, ended = {now}, version = version + 1,
					progress = coalesce($6, progress), plan = coalesce($7, plan)
				WHERE id = $1 AND epoch = $2 AND state = 'running' RETURNING id`, id, epoch, string(s), key, blob(failure), blob(progress), blob(plan))
			if errors.Is(err, errNone) {
				err = askOne(ctx, tx, into(&id), "SELECT id FROM pavage_job WHERE id = $1 AND epoch = $2 AND state = $3 AND key = $4", id, epoch, string(s), key)
			}
			return err
		})
	})
	if err != nil {
		c.restore(progress, plan)
	}
	return err
}

// Move changes the lane of the job while it is held. If the job is put back, it waits in
// the new lane. Its progress begins again.
func (c *Claim) Move(ctx context.Context, l Lane) error {
	c.unwritten()
	err := c.update(ctx, "lane = $3, version = version + 1, progress = NULL", string(l))
	c.q.hub.tell()
	return err
}

// Saved records a new checkpoint of the work, and sets Deaths and Lapses to 0.
func (c *Claim) Saved(ctx context.Context, checkpoint string) error {
	return c.update(ctx, "deaths = 0, lapses = 0, checkpoint = $3", checkpoint)
}

// update changes columns of the job while it is held.
func (c *Claim) update(ctx context.Context, set, value string) error {
	id, epoch := c.id, c.epoch()
	err := c.q.db.write(ctx, func(tx transaction) error {
		return askOne(ctx, tx, into(&id), "UPDATE pavage_job SET "+set+" WHERE id = $1 AND epoch = $2 AND state = 'running' RETURNING id", id, epoch, value)
	})
	if errors.Is(err, errNone) {
		c.lost()
		return ErrLost
	}
	return err
}

// Pause is the reason why a running job is queued again.
type Pause int

// The reasons.
const (
	Stopped Pause = iota // its holder stopped the work: this try and the next count as one attempt
	Died                 // its child died, and its holder did not
	Lapsed               // its holder died, or returned without ending the claim
)

// Requeue puts the job back into a lane. Its Attempts never decrease. If there is a request to
// cancel the job, it is canceled.
func (c *Claim) Requeue(ctx context.Context, l Lane, why Pause) error {
	id, epoch := c.id, c.epoch()
	return c.write(func() error {
		return c.q.db.write(ctx, func(tx transaction) error {
			return c.q.putBack(ctx, tx, id, epoch, l, why, "")
		})
	})
}

// putBack queues a running job again, or cancels it if somebody has asked for that. It
// does so only if the job has this epoch and meets the condition. Without a condition the
// caller is its holder, and the time of its try is added to worked. With a condition the
// time is left out, since nobody knows when the work ended.
func (q *Queue) putBack(ctx context.Context, tx transaction, id string, epoch int64, l Lane, why Pause, condition string) error {
	return askOne(ctx, tx, into(&id), `UPDATE pavage_job SET version = version + 1, refund = $4, lease = 0,
			worked = worked + ({now} - started) * $5, deaths = deaths + $6, lapses = lapses + $7,
			lane = CASE WHEN $3 = '' THEN lane ELSE $3 END,
			ended = CASE WHEN canceling = 1 THEN {now} ELSE 0 END,
			state = CASE WHEN canceling = 1 THEN 'canceled' ELSE 'queued' END
		WHERE id = $1 AND epoch = $2 AND state = 'running'`+condition+` RETURNING id`, id, epoch, string(l), bit(why == Stopped), bit(condition == ""), bit(why == Died), bit(why == Lapsed))
}

// epoch is the epoch of the claim, which each of its writes must match.
func (c *Claim) epoch() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.row.epoch
}

// write does a write that ends the claim.
func (c *Claim) write(how func() error) error {
	if !c.claimed() {
		return ErrLost
	}
	err := how()
	if errors.Is(err, errNone) {
		err = ErrLost
	}
	if err == nil || errors.Is(err, ErrLost) {
		c.finish(err)
		c.q.hub.tell()
	}
	return err
}

// unwritten takes the progress and the plan that are still to be written.
func (c *Claim) unwritten() (progress, plan []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	progress, plan = c.progress, c.plan
	c.progress, c.plan = nil, nil
	return progress, plan
}

// progressPause is the least time between two writes of a job's progress.
const progressPause = 500 * time.Millisecond

// keepUp keeps the lease, writes progress, and watches the row of the job, until ctx ends.
func (c *Claim) keepUp(ctx context.Context, w *waiter) {
	renewal := time.NewTicker(c.q.options.Lease / 3)
	defer renewal.Stop()
	pause := time.NewTimer(0)
	defer pause.Stop()
	fresh, rested := false, false
	for {
		select {
		case <-ctx.Done():
			return
		case g := <-w.changed:
			c.look(g)
			continue
		case <-renewal.C:
		case <-c.fresh:
			fresh = true
			if !rested {
				continue
			}
		case <-pause.C:
			rested = true
			if !fresh {
				continue
			}
		}
		c.renew(ctx)
		fresh, rested = false, false
		pause.Reset(progressPause)
	}
}

// look compares a glance with what the claim knows of the job. During an attempt to
// claim, it leaves that to settle.
func (c *Claim) look(g glance) {
	c.mu.Lock()
	c.seen = g
	p, epoch, version := c.phase, c.row.epoch, c.row.Version
	c.mu.Unlock()
	switch {
	case g.version > 0 && (g.version < version || g.epoch < epoch): // the glance is older
	case p == offered && g.state == client.Canceled:
		c.finish(ErrCanceled)
	case p == offered && (g.state != client.Queued || g.epoch != epoch):
		c.finish(ErrTaken)
	case p == held && (g.epoch != epoch || g.state != client.Running):
		c.lost()
	case p == held && g.canceling == 1:
		c.end(ErrCanceled)
	}
}

// renew renews the lease, and writes the progress and the plan.
func (c *Claim) renew(ctx context.Context) {
	var err error
	id := c.id
	switch c.in() {
	case offered:
		err = c.q.db.write(ctx, func(tx transaction) error {
			return tx.do(ctx, "UPDATE pavage_job SET lease = {now} + $3 WHERE id = $1 AND epoch = $2 AND state = 'queued'",
				c.id, c.epoch(), c.q.leaseMicros())
		}) // if the job is claimed, by do or by another process, there is no such row
	case held:
		progress, plan := c.unwritten()
		epoch := c.epoch()
		isNew := progress != nil || plan != nil
		var canceling int64
		err = c.q.db.write(ctx, func(tx transaction) error {
			return askOne(ctx, tx, into(&canceling), `UPDATE pavage_job SET lease = {now} + $3, version = version + $4,
					progress = coalesce($5, progress), plan = coalesce($6, plan)
				WHERE id = $1 AND epoch = $2 AND state = 'running' RETURNING canceling`,
				id, epoch, c.q.leaseMicros(), bit(isNew), blob(progress), blob(plan))
		})
		switch {
		case errors.Is(err, errNone):
			c.lost()
			return
		case err != nil:
			c.restore(progress, plan)
		case canceling == 1:
			c.end(ErrCanceled)
		}
		if err == nil && isNew {
			c.q.hub.tell()
		}
	}
	c.q.report(ctx, "the lease of a job could not be renewed", err)
}

// lost ends the claim, unless do has ended it during the renewal.
func (c *Claim) lost() {
	if c.claimed() {
		c.finish(ErrLost)
	}
}

// restore keeps a progress and a plan that could not be written, unless there are newer
// ones.
func (c *Claim) restore(progress, plan []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.progress == nil {
		c.progress = progress
	}
	if c.plan == nil {
		c.plan = plan
	}
}
