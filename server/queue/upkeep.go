package queue

import (
	"context"
	"errors"
	"time"
)

// atOnce is how many jobs one round of upkeep changes at most.
const atOnce = 100

// upkeep puts back the jobs of processes that died and removes old jobs, after every third
// of a lease. Work then looks again for queued jobs: the lease of an offer may be over.
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

// overdue is a running job whose lease is over.
type overdue struct {
	id    string
	epoch int64
}

// reap puts back the running jobs whose leases are over.
func (q *Queue) reap(ctx context.Context) error {
	var jobs []overdue
	err := q.db.ask(ctx, func(s scanner) error {
		var o overdue
		err := s.Scan(&o.id, &o.epoch)
		jobs = append(jobs, o)
		return err
	}, "SELECT id, epoch FROM pavage_job WHERE state = 'running' AND lease < {now} ORDER BY lease LIMIT $1", int64(atOnce))
	for _, o := range jobs {
		err = errors.Join(err, q.putBackOverdue(ctx, o))
	}
	return err
}

// putBackOverdue puts back a job if its lease is still over: its holder may have
// renewed it late, or another process may have put it back already.
func (q *Queue) putBackOverdue(ctx context.Context, o overdue) error {
	err := q.db.write(ctx, func(tx transaction) error {
		return q.putBack(ctx, tx, o.id, o.epoch, "", Lapsed, " AND lease < {now}")
	})
	if errors.Is(err, errNone) {
		return nil
	}
	return err
}

// removeOld removes jobs that ended long ago.
func (q *Queue) removeOld(ctx context.Context) error {
	return q.db.write(ctx, func(tx transaction) error {
		return tx.do(ctx, `DELETE FROM pavage_job WHERE id IN (
				SELECT id FROM pavage_job WHERE ended > 0 AND ended < {now} - $1 ORDER BY ended LIMIT $2)`,
			q.options.Retention.Microseconds(), int64(atOnce))
	})
}
