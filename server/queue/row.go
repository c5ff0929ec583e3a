package queue

import (
	"time"
)

// row is a job with what only this package sees of it.
type row struct {
	Job
	// canceling says that somebody wants the running job canceled.
	canceling bool
	// epoch rises with every claim. A holder writes only where the epoch is its own.
	epoch int64
	// lease is until when somebody looks after the job. If it is running, that is its
	// holder, or else it is put back. If it is queued, a process that waits for memory
	// for it, or its wake; or else it is given another wake.
	lease int64
	// The column refund is 1 if the next claim is no attempt of its own, since the last one
	// was put back without being spent.

	// wake is the id of River's job that tells of this one. It need not be there.
	wake int64
}

// columns are those that scanRow reads; briefly are the same for lists, with nothing
// that may be long.
const (
	columns = head + "request, plan" + tail
	briefly = head + "NULL, NULL" + tail

	head = "id, owner, kind, memory, threads, timeout, lane, bytes, seconds, key, state, version, attempts, "
	tail = ", progress, failure, created, started, ended, canceling, epoch, lease, wake, worked"
)

// scanner is a row of an answer of a database.
type scanner interface{ Scan(to ...any) error }

func scanRow(from scanner) (r row, err error) {
	var timeout, created, started, ended, canceling, worked int64
	var request, plan, progress, failure []byte
	err = from.Scan(&r.ID, &r.Owner, &r.Kind, &r.Limits.Memory, &r.Limits.Threads, &timeout, &r.Lane, &r.Bytes,
		&r.Seconds, &r.Key, &r.State, &r.Version, &r.Attempts, &request, &plan, &progress, &failure,
		&created, &started, &ended, &canceling, &r.epoch, &r.lease, &r.wake, &worked)
	r.Limits.Time = time.Duration(timeout)
	r.Worked = time.Duration(worked) * time.Microsecond
	r.Request, r.Plan, r.Progress, r.Failure = request, plan, progress, failure
	r.Created, r.Started, r.Ended = moment(created), moment(started), moment(ended)
	r.canceling = canceling == 1
	return r, err
}

// moment is a time of the database; 0 is the zero time.
func moment(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}
