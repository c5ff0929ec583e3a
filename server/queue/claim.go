//go:build !js

package queue

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
)

type claim struct {
	q     *Queue
	row   row // the row at the time of the claim
	right context.Context
	end   context.CancelCauseFunc
	over  atomic.Bool // whether the job was ended, put back, or lost

	mu             sync.Mutex
	progress, plan []byte // JSON of the newest progress and plan; nil if there was none
	isNew          bool   // whether progress or plan must still be written
}

func newClaim(q *Queue, r row, ctx context.Context) *claim {
	right, end := context.WithCancelCause(ctx)
	return &claim{q: q, row: r, right: right, end: end}
}

func (c *claim) Context() context.Context { return c.right }
func (c *claim) Job() Job                 { return c.row.Job }

func (c *claim) Progress(p client.Progress) { c.keep(&c.progress, p) }

func (c *claim) Plan(p *job.Plan) { c.keep(&c.plan, p) }

func (c *claim) keep(at *[]byte, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		c.q.report(c.q.background, "progress could not be written as JSON", err)
		return
	}
	c.mu.Lock()
	*at, c.isNew = text, true
	c.mu.Unlock()
}

func (c *claim) news() (progress, plan any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return blob(c.progress), blob(c.plan)
}

func (c *claim) Done(ctx context.Context, key string) error {
	return c.close(ctx, client.Done, key, nil)
}

func (c *claim) Failed(ctx context.Context, p client.Problem) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return c.close(ctx, client.Failed, "", text)
}

func (c *claim) Canceled(ctx context.Context) error {
	return c.close(ctx, client.Canceled, "", nil)
}

// close may be called again after an error. It returns nil if an earlier call has ended the job.
func (c *claim) close(ctx context.Context, s client.State, key string, failure []byte) error {
	id, epoch := c.row.ID, c.row.epoch
	progress, plan := c.news()
	err := c.q.db.change(ctx, into(&id), `UPDATE pavage_job SET state = $3, key = $4, failure = $5, ended = {now}, version = version + 1,
			progress = coalesce($6, progress), plan = coalesce($7, plan)
		WHERE id = $1 AND epoch = $2 AND state = 'running' RETURNING id`, id, epoch, string(s), key, blob(failure), progress, plan)
	if errors.Is(err, errNone) {
		err = askOne(ctx, c.q.db, into(&id), "SELECT id FROM pavage_job WHERE id = $1 AND epoch = $2 AND state = $3 AND key = $4", id, epoch, string(s), key)
	}
	return c.ended(err)
}

func (c *claim) ended(err error) error {
	if errors.Is(err, errNone) {
		err = ErrLost
	}
	if err == nil || errors.Is(err, ErrLost) {
		c.over.Store(true)
		c.end(err)
		c.q.hub.tell()
	}
	return err
}

func (c *claim) Move(ctx context.Context, l Lane, bytes int64) error {
	c.mu.Lock()
	c.progress = nil
	c.mu.Unlock()
	err := c.update(ctx, "lane = $3, bytes = $4, version = version + 1, progress = NULL", string(l), bytes)
	c.q.hub.tell()
	return err
}

func (c *claim) Saved(ctx context.Context, checkpoint string) error {
	return c.update(ctx, "deaths = 0, lapses = 0, checkpoint = $3", checkpoint)
}

func (c *claim) update(ctx context.Context, set string, values ...any) error {
	var canceling int64
	err := c.q.db.change(ctx, into(&canceling), "UPDATE pavage_job SET "+set+" WHERE id = $1 AND epoch = $2 AND state = 'running' RETURNING canceling",
		append([]any{c.row.ID, c.row.epoch}, values...)...)
	switch {
	case errors.Is(err, errNone):
		c.end(ErrLost)
		return ErrLost
	case err == nil && canceling == 1:
		c.end(ErrCanceled)
	}
	return err
}

func (c *claim) Requeue(ctx context.Context, why Pause) error {
	return c.ended(c.q.putBack(ctx, why, "worked + {now} - started", "id = $4 AND epoch = $5", c.row.ID, c.row.epoch))
}

func (q *Queue) putBack(ctx context.Context, why Pause, worked, which string, values ...any) error {
	return q.db.change(ctx, into(new(string)), `UPDATE pavage_job SET version = version + 1, lease = 0, worked = `+worked+`,
			refund = $1, deaths = deaths + $2, lapses = lapses + $3,
			ended = CASE WHEN canceling = 1 THEN {now} ELSE 0 END,
			state = CASE WHEN canceling = 1 THEN 'canceled' ELSE 'queued' END
		WHERE state = 'running' AND `+which+` RETURNING id`, append([]any{bit(why == Stopped), bit(why == Died), bit(why == Lapsed)}, values...)...)
}

const progressPause = 500 * time.Millisecond

func (c *claim) keepUp(ctx context.Context) {
	renewal := time.NewTicker(c.q.options.Lease / 3)
	defer renewal.Stop()
	pause := time.NewTicker(progressPause)
	defer pause.Stop()
	for {
		news := c.q.hub.news()
		c.look(c.q.hub.seen(c.row.ID))
		select {
		case <-ctx.Done():
			return
		case <-news:
		case <-renewal.C:
			c.renew(ctx)
		case <-pause.C:
			c.mu.Lock()
			isNew := c.isNew
			c.mu.Unlock()
			if isNew {
				c.renew(ctx)
			}
		}
	}
}

func (c *claim) look(g glance) {
	switch {
	case g == unseen, g.version > 0 && (g.version < c.row.Version || g.epoch < c.row.epoch): // the hub has not read the row since the claim
	case g.epoch != c.row.epoch || g.state != client.Running:
		c.end(ErrLost)
	case g.canceling == 1:
		c.end(ErrCanceled)
	}
}

func (c *claim) renew(ctx context.Context) {
	c.mu.Lock()
	isNew := c.isNew
	c.isNew = false
	c.mu.Unlock()
	progress, plan := c.news()
	err := c.update(ctx, "lease = {now} + $3, version = version + $4, progress = coalesce($5, progress), plan = coalesce($6, plan)",
		c.q.leaseMicros(), bit(isNew), progress, plan)
	if err != nil && !errors.Is(err, ErrLost) {
		c.q.report(ctx, "the lease of a job could not be renewed", err)
		c.mu.Lock()
		c.isNew = c.isNew || isNew
		c.mu.Unlock()
	}
	if isNew {
		c.q.hub.tell()
	}
}
