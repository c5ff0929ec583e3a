package worker

import (
	"context"
	"crypto/rand"
	"encoding/json"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/store"
)

const shortSeconds = 2

// Submit accepts a request as a job. If the store has the answer, or quick work can make the
// answer, the job is done at once. Otherwise it is queued. The parameter most limits the queued and
// running jobs of the owner; 0 means no limit. [ProblemOf] turns the errors into problems.
func (w *Worker) Submit(ctx context.Context, owner string, most int, r job.Request, l queue.Limits) (queue.Job, error) {
	mine := w.quick.limits
	within := (l.Memory == 0 || l.Memory >= mine.Memory) && (l.Time == 0 || mine.Time > 0 && l.Time >= mine.Time)
	a, err := w.ask(ctx, r, within) // quick work is allowed only if its limits are within the limits of the owner
	if err != nil {
		return queue.Job{}, err
	}
	if err := a.forecast.Check(w.mostOf(l)); err != nil {
		return queue.Job{}, err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return queue.Job{}, err
	}
	j := queue.Job{Owner: owner, Kind: r.Kind(), Request: text, Key: a.key.String(), Limits: l, State: client.Queued, Lane: w.laneOf(a.forecast, l)}
	if f := a.forecast; f.Known {
		j.Seconds, j.Bytes = f.Seconds, max(1, f.Bytes) // 0 bytes would mean unknown
	}
	switch {
	case a.done:
		j.State = client.Done
	case j.Kind == "estimate" && l != (queue.Limits{}):
		j.Key = freshKey().String() // limits make an estimate less accurate, so no other request may get this answer
	}
	if j, err = w.queue.Add(ctx, j, most); err != nil {
		return j, err
	}
	if j.State == client.Queued {
		w.observer.Queued(j.Kind)
	}
	w.log.Info().Str("job", j.ID).Str("kind", string(j.Kind)).Str("state", string(j.State)).
		Str("lane", string(j.Lane)).Float64("forecast_seconds", j.Seconds).Int64("forecast_bytes", j.Bytes).Msg("job accepted")
	return j, nil
}

// Count answers a request of any kind without a job. If ok is false, the caller should use Submit.
// Two answers with the same key differ only in their titles.
func (w *Worker) Count(ctx context.Context, r job.Request) (answer []byte, key [32]byte, ok bool, err error) {
	a, err := w.ask(ctx, r, true)
	if err != nil || !a.done {
		return nil, a.key, false, err
	}
	text, err := w.store.Get(store.Answer, a.key)
	if err == nil {
		text, err = w.entitle(ctx, text, r)
	}
	return text, a.key, err == nil, err
}

func (w *Worker) ask(ctx context.Context, r job.Request, work bool) (asked, error) {
	var key store.Key
	var shared bool
	err := w.reading.read(ctx, r, func() (err error) { key, shared, err = keyOf(r); return err })
	if err != nil {
		return asked{}, err
	}
	if shared && w.knows(r.Kind(), key) {
		w.observer.Known(r.Kind())
		return asked{key: key, done: true}, nil
	}
	if !work {
		return w.tryQuickly(r, key, false)
	}
	return once(ctx, w, key.String(), func() (asked, error) { return w.tryQuickly(r, key, true) })
}

func keyOf(r job.Request) (key store.Key, shared bool, err error) {
	key, shared, err = job.Key(r)
	if !shared {
		key = freshKey()
	}
	return key, shared, err
}

func freshKey() (key store.Key) {
	_, _ = rand.Read(key[:]) // never fails
	return key
}

func (w *Worker) mostMemory(l queue.Limits) int64 {
	most := w.budget[queue.Long].most()
	if l.Memory > 0 {
		most = min(most, l.Memory)
	}
	return most
}

// mostOf returns the limits that a forecast must not exceed. For a brief job, no time is too long.
func (w *Worker) mostOf(l queue.Limits) job.Limits {
	o := w.childLimits(w.mostMemory(l), w.limits.Threads)
	if !w.isBrief(l) {
		o.Time = l.Time
	}
	return o
}

// Most jobs with an unknown forecast are small, and are tried in the short lane.
func (w *Worker) laneOf(f job.Forecast, l queue.Limits) queue.Lane {
	seconds := float64(shortSeconds)
	if !f.Known {
		seconds = farMore * w.tryTime.Seconds()
	}
	if !w.isBrief(l) && (f.Seconds > seconds || f.Bytes > w.budget[queue.Short].most()) {
		return queue.Long
	}
	return queue.Short
}

// A job whose forecast is not Known goes to the long lane if the forecast is more than farMore
// times the time of a try.
const farMore = 100

// A brief job is always tried in the short lane, so that it does not wait for long jobs.
func (w *Worker) isBrief(l queue.Limits) bool { return l.Time > 0 && l.Time <= w.tryTime }

// Most returns the greatest limits that a job can have.
func (w *Worker) Most() queue.Limits {
	return queue.Limits{Memory: w.budget[queue.Long].most(), Threads: w.limits.Threads}
}
