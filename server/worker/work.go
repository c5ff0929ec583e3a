package worker

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
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
	tryTime   = 5 * time.Second
	moreTime  = 3 // a count that is more than half done has moreTime times the time of a try
	maxDeaths = 2
	// A job that kills every service must fail, but a few deaths may have other causes.
	maxLapses = 20
	patience  = 10 * time.Second // longest time of a write to the database or the store
)

// Work does jobs until ctx ends. Then the children write checkpoints, and their jobs are queued again.
func (w *Worker) Work(ctx context.Context) {
	var sweeping sync.WaitGroup
	if w.options.Data != "" {
		sweeping.Go(func() { w.sweep(ctx) })
	}
	w.queue.Work(ctx, w.admit, func(l queue.Lane) { w.budget[l].wanted.Store(false) })
	sweeping.Wait()
}

func (w *Worker) admit(j queue.Job) queue.Task {
	s := w.share(j, true)
	if s == nil {
		return nil
	}
	return &task{Worker: w, share: s}
}

func (t *task) Do(c queue.Claim) { t.do(c) }

func (t *task) Release() { t.share.release() }

type task struct {
	*Worker
	share   *share
	claim   queue.Claim
	job     queue.Job
	request job.Request
	key     store.Key
	source  store.Key   // key of the source, for a job that draws samples
	saves   bool        // whether the count writes checkpoints
	planned bool        // if true, the attempt continues even if the plan is a long sweep
	half    atomic.Bool // whether more than half of the counting is done
}

func (t *task) do(c queue.Claim) {
	t.claim, t.job = c, c.Job()
	t.progressed()
	begun := time.Now()
	t.log.Info().Str("job", t.job.ID).Str("kind", string(t.job.Kind)).Str("lane", string(t.job.Lane)).
		Int("attempt", t.job.Attempts).Msg("job begun")
	err := t.read()
	switch {
	case err != nil || t.knows(t.job.Kind, t.key):
	case t.job.Lapses >= maxLapses:
		err = notAgain("the service died %d times in a row while it did the work, without a new checkpoint", t.job.Lapses)
	default:
		err = t.attempts()
	}
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
	// Requeue may have ended the job: it cancels a job for which a caller has called Cancel.
	if j, err := t.queue.Get(ctx, t.job.ID, ""); err == nil && j.State.Ended() {
		t.removeFolder(t.job.ID)
	}
	message := "job ended"
	if end.name == tooLong {
		message = movedOn
	}
	t.log.Info().Str("job", t.job.ID).Str("kind", string(t.job.Kind)).Str("lane", string(t.job.Lane)).
		Float64("seconds", time.Since(begun).Seconds()).Str("end", end.name).Msg(message)
}

// read sets key, request and source. A job without a key, which only earlier versions added, gets a
// random key.
func (t *task) read() (err error) {
	if t.key, err = store.ParseKey(t.job.Key); err != nil {
		t.key = freshKey()
	}
	if t.request, err = job.Decode(t.job.Kind, t.job.Request); err != nil {
		return err
	}
	if r, ok := t.request.(*job.Sample); ok {
		t.source, err = sourceKey(r)
	}
	return err
}

type ending struct {
	name string
	tell func(context.Context, queue.Claim) error
}

const (
	tooLong = "too long for the short lane"
	movedOn = "job goes over to the long lane"
)

// ending returns how the job ends. If another process has the job, ending.tell writes nothing.
func (t *task) ending(err error) ending {
	cause := context.Cause(t.claim.Context())
	var dead *child.Died
	switch {
	case errors.Is(cause, queue.ErrLost):
		return ending{"lost", func(context.Context, queue.Claim) error { return nil }}
	case err == nil:
		return ending{"done", func(ctx context.Context, c queue.Claim) error { return c.Done(ctx, t.key.String()) }}
	case errors.Is(cause, queue.ErrCanceled):
		return ending{"canceled", func(ctx context.Context, c queue.Claim) error { return c.Canceled(ctx) }}
	case errors.Is(cause, queue.ErrStopping), errors.Is(err, job.ErrInUse):
		return again("stopped", queue.Stopped)
	case errors.Is(err, errTry):
		return again(tooLong, queue.Stopped)
	case errors.Is(err, errShare):
		return again("too large for its share", queue.Stopped)
	case errors.As(err, &dead) && t.job.Deaths+1 < maxDeaths:
		return again("died", queue.Died)
	case errors.As(err, &dead):
		return failed(notAgain("%v; %d processes in a row died without a new checkpoint", err, t.job.Deaths+1))
	}
	return failed(t.problem(err))
}

func notAgain(format string, args ...any) *client.Problem {
	return &client.Problem{
		Title: "the process that did the work died", Status: problems[job.Failure].status,
		Detail: fmt.Sprintf(format, args...) + ", and the work is not tried again",
	}
}

func (t *task) problem(err error) *client.Problem {
	p := ProblemOf(err)
	if p.Status >= http.StatusInternalServerError {
		t.log.Error().Err(err).Str("job", t.job.ID).Msg("a job failed")
	}
	if !errors.Is(err, limit.ErrMemory) {
		return p
	}
	t.log.Debug().Err(err).Str("job", t.job.ID).Msg("a job needs more memory than its share")
	most := t.budget[queue.Long].most()
	if mine := t.job.Limits.Memory; mine > 0 && mine < most {
		p.Detail = fmt.Sprintf("the job needs more memory than the %s that its limits allow: raise the limit, or ask for a smaller board", human.Bytes(float64(mine)))
	} else {
		p.Detail = fmt.Sprintf("the service gives a job at most %s of memory, but this job needs more: ask for a smaller board, or %s", human.Bytes(float64(most)), t.options.More)
	}
	return p
}

func again(name string, why queue.Pause) ending {
	return ending{name, func(ctx context.Context, c queue.Claim) error { return c.Requeue(ctx, why) }}
}

func failed(p *client.Problem) ending {
	return ending{"failed", func(ctx context.Context, c queue.Claim) error { return c.Failed(ctx, *p) }}
}
