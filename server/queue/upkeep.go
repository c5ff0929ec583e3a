package queue

import (
	"context"
	"errors"
	"time"
)

// atOnce is how many jobs one round of upkeep changes at most.
const atOnce = 100

// upkeep runs again and again. It puts back the jobs of processes that died, gives
// wakes to queued jobs that have none, and removes old jobs.
func (q *Queue) upkeep(ctx context.Context) {
	tick := time.NewTicker(q.options.Lease / 3)
	defer tick.Stop()
	for {
		q.report(ctx, "jobs of a process that died could not be put back", q.reap(ctx))
		q.report(ctx, "jobs without a wake could not be found", q.rewakeLost(ctx))
		q.report(ctx, "old jobs could not be removed", q.removeOld(ctx))
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// overdue is a job whose lease is over.
type overdue struct {
	id string
	of int64 // its epoch or wake
}

func (q *Queue) overdue(ctx context.Context, text string) (jobs []overdue, err error) {
	err = q.db.ask(ctx, func(s scanner) error {
		var o overdue
		err := s.Scan(&o.id, &o.of)
		jobs = append(jobs, o)
		return err
	}, text, int64(atOnce))
	return jobs, err
}

// reap puts back the running jobs whose leases are over.
func (q *Queue) reap(ctx context.Context) error {
	jobs, err := q.overdue(ctx, "SELECT id, epoch FROM pavage_job WHERE state = 'running' AND lease < {now} ORDER BY lease LIMIT $1")
	for _, o := range jobs {
		err = errors.Join(err, q.putBackOverdue(ctx, o))
	}
	if len(jobs) > 0 {
		q.hub.tell()
	}
	return err
}

// putBackOverdue puts back a job if its lease is still over: its holder may have
// renewed it late, or another process may have put it back already.
func (q *Queue) putBackOverdue(ctx context.Context, o overdue) error {
	err := q.db.write(ctx, func(tx transaction) error {
		return q.putBack(ctx, tx, o.id, o.of, "", Lapsed, " AND lease < {now}")
	})
	if errors.Is(err, errNone) {
		return nil
	}
	return err
}

// rewakeLost finds queued jobs whose wake was taken by a process that then died, or is
// gone for any other reason. A wake that waits for its turn is in one of four states.
func (q *Queue) rewakeLost(ctx context.Context) error {
	jobs, err := q.overdue(ctx, `SELECT id, wake FROM pavage_job WHERE state = 'queued' AND lease < {now} AND NOT EXISTS (
			SELECT 1 FROM river_job WHERE river_job.id = pavage_job.wake AND river_job.state IN ('available', 'pending', 'retryable', 'scheduled'))
		ORDER BY lease LIMIT $1`)
	for _, o := range jobs {
		err = errors.Join(err, q.db.write(ctx, func(tx transaction) error {
			return q.rewake(ctx, tx, o.id, o.of, " AND lease < {now}")
		}))
	}
	return err
}

// removeOld removes jobs that ended long ago.
func (q *Queue) removeOld(ctx context.Context) error {
	removed := 0
	err := q.db.write(ctx, func(tx transaction) error {
		return tx.ask(ctx, func(scanner) error { removed++; return nil }, `DELETE FROM pavage_job WHERE id IN (
				SELECT id FROM pavage_job WHERE ended > 0 AND ended < {now} - $1 ORDER BY ended LIMIT $2) RETURNING id`,
			q.options.Retention.Microseconds(), int64(atOnce))
	})
	if removed > 0 {
		q.hub.tell()
	}
	return err
}
