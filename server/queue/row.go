package queue

import (
	"time"
)

// row is a job with the fields that only this package sees.
type row struct {
	Job
	// canceling says that somebody has asked to cancel the running job.
	canceling bool
	// epoch rises with every offer. A holder writes only where the epoch is its own.
	epoch int64
	// lease is the time until which no other process touches the job. A running job whose
	// holder did not renew the lease by then is put back. A queued job is offered to a
	// worker then: the lease of a job that is not offered to any is 0.
	lease int64
	// The column refund is 1 if the next claim is no attempt of its own, since the last one
	// was put back without being spent.
}

// columns are the columns that scanRow reads. briefly is the same for lists, without
// the values that may be long.
const (
	columns = head + "request, plan" + tail
	briefly = head + "NULL, NULL" + tail

	head = "id, owner, kind, memory, threads, timeout, lane, bytes, seconds, key, state, version, attempts, "
	tail = ", progress, failure, created, started, ended, canceling, epoch, lease, worked, deaths, lapses, checkpoint, worker"
)

// scanner is a row of an answer of a database.
type scanner interface{ Scan(to ...any) error }

func scanRow(from scanner) (r row, err error) {
	var timeout, created, started, ended, canceling, worked int64
	var request, plan, progress, failure []byte
	err = from.Scan(&r.ID, &r.Owner, &r.Kind, &r.Limits.Memory, &r.Limits.Threads, &timeout, &r.Lane, &r.Bytes,
		&r.Seconds, &r.Key, &r.State, &r.Version, &r.Attempts, &request, &plan, &progress, &failure,
		&created, &started, &ended, &canceling, &r.epoch, &r.lease, &worked, &r.Deaths, &r.Lapses, &r.Checkpoint, &r.Worker)
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
