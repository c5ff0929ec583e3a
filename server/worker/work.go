package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/child"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/store"
)

const (
	// tryTime is how long a job may be in the short lane.
	tryTime = 5 * time.Second
	// moreTime is how many times as long it may be there if it is more than half done and
	// nobody waits.
	moreTime = 3
	// maxDeaths is the number of children whose deaths without a checkpoint between them
	// end a job.
	maxDeaths = 2
	// maxLapses is the number of deaths of the service, without a checkpoint between them,
	// that end a job. A service is killed for reasons of its own, so this number is larger
	// than maxDeaths; but a job that kills each service that does it must end.
	maxLapses = 20
	// patience is how long the database may take to write how a job has ended.
	patience = 10 * time.Second
)

// Work takes jobs and does them until ctx ends. Then the children leave checkpoints and
// end, and their jobs are queued again.
func (w *Worker) Work(ctx context.Context) {
	stop := w.sweep(ctx)
	defer stop()
	// The short lane has more slots than seats, since a job that goes over to the long lane keeps its
	// slot.
	short, long := int(w.budget[queue.Short].seats), int(w.budget[queue.Long].seats)
	w.queue.Work(ctx, map[queue.Lane]int{queue.Short: short + long, queue.Long: long}, w.do)
}

// task is a job on its way through this process.
type task struct {
	*Worker
	job      queue.Job
	request  job.Request
	key      store.Key
	source   store.Key // of a sample
	claim    claim
	saves    bool        // the count leaves checkpoints
	planned  bool        // it has begun again because of its plan
	plans    *job.Plan   // of the last try; nil: none. A count that goes on from a checkpoint makes none
	deadline time.Time   // of all tries; zero: none
	half     atomic.Bool // more than half of the counting is done
}

// The queue calls do with a job that is still queued, and renews the lease of the offer. do
// waits for the turn and the memory of the job, and then claims the job.
func (w *Worker) do(ctx context.Context, j queue.Job, right func() (*queue.Claim, error)) {
	w.offer(ctx, j, func() (claim, error) { return right() })
}

// claim is the right to do a job: a [queue.Claim].
type claim interface {
	Context() context.Context
	Job() queue.Job
	Progress(client.Progress)
	Plan(*job.Plan)
	Move(ctx context.Context, l queue.Lane) error
	Done(ctx context.Context, key string) error
	Failed(context.Context, client.Problem) error
	Canceled(context.Context) error
	Saved(ctx context.Context, checkpoint string) error
	Requeue(ctx context.Context, l queue.Lane, why queue.Pause) error
}

func (w *Worker) offer(ctx context.Context, j queue.Job, right func() (claim, error)) {
	t := &task{Worker: w, job: j}
	shared, wrong := t.read()
	give, err := w.turns.take(ctx, t.key)
	if err != nil {
		return
	}
	defer give()
	known := wrong == nil && shared && w.knows(j.Kind, t.key)
	if wrong == nil && !known && j.Lapses >= maxLapses && t.newest() <= j.Checkpoint {
		wrong = notAgain("the service died %d times while it did the work, without a checkpoint between", j.Lapses)
	}
	if wrong != nil || known {
		t.begin(right, func() error { return wrong })
		return
	}
	s := w.shareFor(j, j.Lane)
	if s.take(ctx, s.memory) != nil {
		return
	}
	defer s.release()
	s.threads = w.budget.threads(j.Lane, w.limits.Threads, j.Limits.Threads)
	t.begin(right, func() error { return t.attempts(s) })
}

// read reads the job's request.
func (t *task) read() (shared bool, err error) {
	t.key = freshKey()
	if t.request, err = job.Decode(t.job.Kind, t.job.Request); err != nil {
		return false, err
	}
	key, shared, err := keyOf(t.request)
	if err != nil {
		return false, err
	}
	if r, ok := t.request.(*job.Sample); ok {
		if t.source, _, err = sourceKey(r); err != nil {
			return false, err
		}
	}
	if t.job.Kind == "estimate" && t.job.Limits != (queue.Limits{}) {
		return false, nil // it is made with less care within limits: others are to have a better one
	}
	t.key = key
	return shared, nil
}

// begin claims the job, does its work, and says how that ended.
func (t *task) begin(right func() (claim, error), work func() error) {
	var err error
	if t.claim, err = right(); err != nil {
		if !errors.Is(err, queue.ErrTaken) && !errors.Is(err, queue.ErrCanceled) && !errors.Is(err, queue.ErrStopping) {
			t.log.Error().Err(err).Str("job", t.job.ID).Msg("a job could not be claimed")
		}
		return
	}
	if json.Unmarshal(t.job.Plan, &t.plans) != nil {
		t.plans = nil
	}
	t.job = t.claim.Job()
	t.progressed()
	begun := time.Now()
	t.log.Info().Str("job", t.job.ID).Str("kind", string(t.job.Kind)).Str("lane", string(t.job.Lane)).
		Int("attempt", t.job.Attempts).Msg("job begun")
	err = work()
	if dead := (*child.Died)(nil); errors.As(err, &dead) {
		t.progressed()
	}
	end := t.ending(err)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.claim.Context()), patience)
	defer cancel()
	if failed := end.tell(ctx, t.claim); failed != nil {
		t.log.Error().Err(failed).Str("job", t.job.ID).Str("end", end.name).Msg("the end of a job could not be written")
		return
	}
	ended := end.last
	if !ended { // a job that was put back has ended at once, if there was a request to cancel it
		j, err := t.queue.Get(ctx, t.job.ID, "")
		ended = err == nil && j.State.Ended()
	}
	if ended {
		t.removeFolder(t.job.ID)
	}
	message := "job ended"
	if end.name == tooLong {
		message = movedOn
	}
	t.log.Info().Str("job", t.job.ID).Str("kind", string(t.job.Kind)).Str("lane", string(t.job.Lane)).
		Float64("seconds", time.Since(begun).Seconds()).Str("end", end.name).Msg(message)
}

// ending is how the work on a job has ended, and what to tell the queue.
type ending struct {
	name string // for the log
	last bool   // the job never changes again
	tell func(context.Context, claim) error
}

const (
	tooLong = "too long for the short lane"
	movedOn = "job goes over to the long lane"
)

// ending decides what becomes of the job. The first case that fits counts: a job that
// another process has is left alone, then a job whose answer is stored is done.
func (t *task) ending(err error) ending {
	cause := context.Cause(t.claim.Context())
	var dead *child.Died
	switch {
	case errors.Is(cause, queue.ErrLost):
		return ending{"lost", false, func(context.Context, claim) error { return nil }}
	case err == nil:
		return ending{"done", true, func(ctx context.Context, c claim) error { return c.Done(ctx, t.key.String()) }}
	case errors.Is(cause, queue.ErrCanceled):
		return ending{"canceled", true, func(ctx context.Context, c claim) error { return c.Canceled(ctx) }}
	case errors.Is(cause, queue.ErrStopping), errors.Is(err, job.ErrInUse):
		return again("stopped", t.job.Lane, queue.Stopped)
	case errors.Is(err, errTry):
		return again(tooLong, queue.Long, queue.Stopped)
	case errors.As(err, &dead) && t.job.Deaths+1 < maxDeaths:
		return again("died", t.job.Lane, queue.Died)
	case errors.As(err, &dead):
		return failed(notAgain("%v; %d processes died without a checkpoint between", err, t.job.Deaths+1))
	}
	return failed(t.problem(err))
}

// notAgain is the problem of a job whose work is given up because processes died.
func notAgain(format string, args ...any) *client.Problem {
	return &client.Problem{
		Title: "the process that did the work died", Status: problems[job.Failure].status,
		Detail: fmt.Sprintf(format, args...) + ", and the work is not tried again",
	}
}

// problem is ProblemOf, but where there was too little memory, it tells what can be done.
func (t *task) problem(err error) *client.Problem {
	p := ProblemOf(err)
	if p.Status >= http.StatusInternalServerError {
		t.log.Error().Err(err).Str("job", t.job.ID).Msg("a job failed")
	}
	if !errors.Is(err, limit.ErrMemory) {
		return p
	}
	t.log.Debug().Err(err).Str("job", t.job.ID).Msg("the memory was too little")
	most := t.budget[queue.Long].most()
	if mine := t.job.Limits.Memory; mine > 0 && mine < most {
		p.Detail = fmt.Sprintf("the job needs more memory than the %s that its limits allow: allow it more, or ask for a smaller board", human.Bytes(float64(mine)))
	} else {
		p.Detail = fmt.Sprintf("the service gives a job at most %s of memory, and this one needs more: ask for a smaller board, or run the service with more --memory", human.Bytes(float64(most)))
	}
	return p
}

func again(name string, l queue.Lane, why queue.Pause) ending {
	return ending{name, false, func(ctx context.Context, c claim) error { return c.Requeue(ctx, l, why) }}
}

func failed(p *client.Problem) ending {
	return ending{"failed", true, func(ctx context.Context, c claim) error { return c.Failed(ctx, *p) }}
}
