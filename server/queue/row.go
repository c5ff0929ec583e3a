//go:build !js

package queue

import (
	"time"
)

type row struct {
	Job
	epoch int64
}

// The table also has these columns, which only SQL reads:
//
// 	canceling   1 if a caller has asked to cancel the running job
// 	lease       time after which another process may put back the running job
// 	refund      1 if the last holder stopped the work, so that the next claim is no new attempt

// The constant briefly has NULL in place of the columns request and plan, which may be long.
const (
	columns = head + "request, plan" + tail
	briefly = head + "NULL, NULL" + tail

	head = "id, owner, kind, memory, threads, timeout, lane, bytes, seconds, key, state, version, attempts, "
	tail = ", progress, failure, created, started, ended, epoch, worked, deaths, lapses, checkpoint, worker"
)

type scanner interface{ Scan(to ...any) error }

func scanRow(from scanner) (r row, err error) {
	var timeout, created, started, ended, worked int64
	var request, plan, progress, failure []byte
	err = from.Scan(&r.ID, &r.Owner, &r.Kind, &r.Limits.Memory, &r.Limits.Threads, &timeout, &r.Lane, &r.Bytes,
		&r.Seconds, &r.Key, &r.State, &r.Version, &r.Attempts, &request, &plan, &progress, &failure,
		&created, &started, &ended, &r.epoch, &worked, &r.Deaths, &r.Lapses, &r.Checkpoint, &r.Worker)
	r.Limits.Time = time.Duration(timeout)
	r.Worked = time.Duration(worked) * time.Microsecond
	r.Request, r.Plan, r.Progress, r.Failure = request, plan, progress, failure
	r.Created, r.Started, r.Ended = moment(created), moment(started), moment(ended)
	return r, err
}

func moment(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}
