//go:build !js

package queue

import (
	"context"
	"errors"
	"fmt"

	"github.com/pavage/pavage/client"
)

// Add accepts a job. When it returns nil, the job is committed. The job is queued; or
// it is done and has a Key, if its State is Done. Add sets ID, Version, Created and, of
// a job that is done, Started and Ended.
//
// The owner may have at most `most` jobs that are queued or running, this one included;
// 0: any number. If there would be more, the error is a *TooMany.
func (q *Queue) Add(ctx context.Context, j Job, most int) (Job, error) {
	if j.State == "" {
		j.State = client.Queued
	}
	if j.State != client.Queued && (j.State != client.Done || j.Key == "") {
		return Job{}, fmt.Errorf("a job is added as %s, expected queued, or done with a key", j.State)
	}
	if j.Lane == "" {
		j.Lane = Short
	}
	j.ID = NewID()
	var added row
	err := q.db.write(ctx, func(tx transaction) (err error) {
		if most > 0 && j.State == client.Queued {
			// Until the end of this transaction, no other adds a job of this owner.
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

// blob returns the argument for a column of bytes; nil becomes NULL.
func blob(b []byte) any {
	if b == nil {
		return nil
	}
	return b
}

// Get returns a job of the owner; "" sees all. The error is ErrAbsent if there is none.
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

// Cancel cancels a job. A queued job is canceled at once. The claim of a running job ends
// with ErrCanceled; until its holder has stopped, the job is running. A job that has ended
// stays as it is.
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
