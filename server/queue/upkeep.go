//go:build !js

package queue

import (
	"context"
	"errors"
	"time"
)

const atOnce = 100

func (q *Queue) upkeep(ctx context.Context) {
	tick := time.NewTicker(q.options.Lease / 3)
	defer tick.Stop()
	for {
		q.report(ctx, "jobs of a process that died could not be put back", q.reap(ctx))
		q.report(ctx, "old jobs could not be removed", q.removeOld(ctx))
		q.hub.tell()
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// reap puts back jobs whose lease is over. Worked omits the last try, whose end is unknown.
func (q *Queue) reap(ctx context.Context) error {
	err := q.putBack(ctx, Lapsed, "worked", "lease < {now}")
	if errors.Is(err, errNone) {
		return nil
	}
	return err
}

func (q *Queue) removeOld(ctx context.Context) error {
	return q.db.write(ctx, func(tx transaction) error {
		return tx.do(ctx, `DELETE FROM pavage_job WHERE id IN (
				SELECT id FROM pavage_job WHERE ended > 0 AND ended < {now} - $1 ORDER BY ended LIMIT $2)`,
			q.options.Retention.Microseconds(), int64(atOnce))
	})
}
