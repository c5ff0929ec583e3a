//go:build !js

package queue

import (
	"context"
	"errors"
	"fmt"

	"github.com/pavage/pavage/client"
)

// Add commits a job that is queued, or that is Done and has a Key. It sets ID, Version, and the
// times of the job. If the parameter most is not 0, it limits the queued and running jobs of the
// owner. The error for a job above the limit is a *TooMany.
func (q *Queue) Add(ctx context.Context, j Job, most int) (Job, error) {
	if j.State == "" {
		j.State = client.Queued
	}
	if j.State != client.Queued && (j.State != client.Done || j.Key == "") {
		return Job{}, fmt.Errorf("a new job has the state %s, expected the state queued, or the state done if the job has a key", j.State)
	}
	if j.Lane == "" {
		j.Lane = Short
	}
	j.ID = NewID()
	var added row
	err := q.db.write(ctx, func(tx transaction) (err error) {
		if most > 0 && j.State == client.Queued {
			// No other transaction adds a job of this owner until this transaction ends.
			if err := q.db.alone(ctx, tx.tx, j.Owner); err != nil {
				return err
			}
			active := 0
			err := askOne(ctx, tx, into(&active), "SELECT count(*) FROM pavage_job WHERE owner = $1 AND state IN ('queued', 'running')", j.Owner)
			if err != nil {
				return err
			}
			if active >= most {
				return &TooMany{Active: active, Most: most}
			}
		}
		added, err = askRow(ctx, tx, `INSERT INTO pavage_job (id, owner, kind, request, memory, threads, timeout, lane, bytes, seconds, key,
				state, version, attempts, created, started, ended, canceling, epoch, worker, lease)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 1, 0, {now},
				CASE WHEN $13 = 1 THEN {now} ELSE 0 END, CASE WHEN $13 = 1 THEN {now} ELSE 0 END, 0, 0, $14, 0)
			RETURNING `+columns,
			j.ID, j.Owner, string(j.Kind), append([]byte{}, j.Request...), j.Limits.Memory, int64(j.Limits.Threads), int64(j.Limits.Time),
			string(j.Lane), j.Bytes, j.Seconds, j.Key, string(j.State), bit(j.State == client.Done), q.options.Worker)
		return err
	})
	q.hub.tell()
	return added.Job, err
}

func bit(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

func blob(b []byte) any {
	if b == nil {
		return nil
	}
	return b
}

// Get returns a job of the owner, or of any owner if owner is "". The error is ErrAbsent if there
// is no such job.
func (q *Queue) Get(ctx context.Context, id, owner string) (Job, error) {
	if !isID(id) {
		return Job{}, ErrAbsent
	}
	r, err := askRow(ctx, q.db, "SELECT "+columns+" FROM pavage_job WHERE id = $1 AND ($2 = '' OR owner = $2)", id, owner)
	if errors.Is(err, errNone) {
		err = ErrAbsent
	}
	return r.Job, err
}

// Cancel cancels a queued job, or ends the context of the claim of a running job with ErrCanceled.
func (q *Queue) Cancel(ctx context.Context, id, owner string) (Job, error) {
	if !isID(id) {
		return Job{}, ErrAbsent
	}
	r, err := q.db.changeRow(ctx, `UPDATE pavage_job SET version = version + 1, canceling = 1,
			ended = CASE WHEN state = 'queued' THEN {now} ELSE 0 END,
			state = CASE WHEN state = 'queued' THEN 'canceled' ELSE state END
		WHERE id = $1 AND ($2 = '' OR owner = $2) AND canceling = 0 AND state IN ('queued', 'running')
		RETURNING `+columns, id, owner)
	q.hub.tell()
	if errors.Is(err, errNone) {
		return q.Get(ctx, id, owner)
	}
	return r.Job, err
}
