package worker

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/rs/zerolog"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/child"
	"github.com/pavage/pavage/server/queue"
)

var (
	errTry   = errors.New("the work takes longer than the short lane allows")
	errSweep = errors.New("the count is a long sweep, and starts again with checkpoints") // the next attempt writes checkpoints
	errShare = errors.New("the work needs more memory than its share of the memory limit")
)

const bySweep = "sweep"

// A count begins again with checkpoints if its plan is a sweep of at least worthSaving seconds.
const worthSaving = 10

// attempts does the job in one or more tries. The owner's time limit is for all tries together.
func (t *task) attempts() error {
	ctx := t.claim.Context()
	if most := t.job.Limits.Time; most > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, most-t.job.Worked, job.NewError(job.Limit, fmt.Errorf("the time limit of %v was reached", most)))
		defer cancel()
		ctx = limited
	}
	err := t.tries(ctx)
	var up *job.Error
	if err == nil || errors.Is(err, limit.ErrMemory) || !errors.As(context.Cause(ctx), &up) {
		return err
	}
	e := *up
	if of := (*job.Error)(nil); errors.As(err, &of) {
		e.Cursor, e.Level, e.Steps = of.Cursor, of.Level, of.Steps
	}
	return &e
}

func (t *task) tries(ctx context.Context) error {
	t.saves = t.beginsSaving()
	for {
		err := t.attempt(ctx)
		switch {
		case errors.Is(err, errSweep):
			t.saves, t.planned = true, true
			if t.job.Lane == queue.Short && !t.grows(ctx, t.job.Bytes) {
				return errTry
			}
		case errors.Is(err, errTry):
			if !t.grows(ctx, t.job.Bytes) {
				return err
			}
		case errors.Is(err, limit.ErrMemory) && t.job.Lane == queue.Long && t.share.memory < t.mostMemory(t.job.Limits):
			if !t.grows(ctx, t.share.most()) {
				return errShare
			}
		case t.saves && t.isAuto() && (errors.Is(err, limit.ErrMemory) || errors.Is(err, job.ErrTooWide)):
			t.saves, t.planned = false, true // without checkpoints, another engine may be able to count
			t.removeFolder(t.job.ID)
		default:
			return err
		}
	}
}

// grows replaces the share of the task by a share of the long lane. If the long lane has no room,
// grows returns false, and the job must be queued.
func (t *task) grows(ctx context.Context, bytes int64) bool {
	t.share.release()
	if ctx.Err() != nil {
		return false
	}
	was := t.job.Lane
	t.job.Lane, t.job.Bytes = queue.Long, bytes
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience) // if ctx ends, the write must still be done
	defer cancel()
	if err := t.claim.Move(ctx, queue.Long, bytes); err != nil && !errors.Is(err, queue.ErrLost) {
		t.log.Warn().Err(err).Str("job", t.job.ID).Msg("the lane of a job could not be written")
	}
	s := t.Worker.share(t.job, false)
	if s == nil {
		return false
	}
	t.share = s
	if was == queue.Short {
		t.log.Info().Str("job", t.job.ID).Str("kind", string(t.job.Kind)).Str("lane", string(queue.Long)).Msg(movedOn)
	}
	return true
}

func (t *task) attempt(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if t.job.Lane == queue.Short && !t.isBrief(t.job.Limits) {
		go t.endTry(ctx, stop)
	}
	err := t.keep(ctx, t.job.Kind, t.key, func(out io.Writer) (json.RawMessage, error) {
		limits := t.childLimits(t.share.memory, t.share.threads)
		if end, limited := ctx.Deadline(); limited && t.job.Kind == "estimate" {
			limits.Time = max(1, time.Until(end)) // an estimate is more accurate if it has more time
		}
		if t.saves {
			limits.Checkpoint, limits.CheckpointEvery = t.folder(t.job.ID), t.options.CheckpointEvery
		}
		var pid int
		if t.spies.output != nil {
			out = io.MultiWriter(t.spies.output, out)
		}
		answer, err := child.Run(ctx, t.options.Child, child.Task{Name: t.job.ID, Kind: t.job.Kind, Request: t.job.Request, Limits: limits, Keep: t.sources.most()}, child.Sink{
			Started:  func(of int) { pid = of; t.seen(pid, "started") },
			Progress: t.progress(), Plan: t.plan(stop), Note: t.note,
			Output: out,
			Source: func(from io.Reader) {
				t.save(t.source, func(to io.Writer) error { _, err := io.Copy(to, from); return err })
			},
		})
		event := "ended"
		if dead := (*child.Died)(nil); errors.As(err, &dead) {
			event = cmp.Or(dead.Signal, "died")
		}
		if pid > 0 {
			t.seen(pid, event)
		}
		return answer, err
	})
	cause := context.Cause(ctx)
	switch {
	case err == nil:
		return nil
	case errors.Is(cause, errTry), errors.Is(cause, errSweep):
		return cause
	case t.job.Lane == queue.Short && cause == nil && job.KindOf(err) == job.Limit:
		return errTry // cause is nil, so the limit was the share, and not the owner's time limit
	}
	return err
}

func (w *Worker) childLimits(memory int64, threads int) job.Limits {
	l := job.Limits{Memory: memory, Threads: threads, Disk: w.disk}
	if memory > noLimit/4 {
		l.Memory = 0 // no limit, since the memory of the machine is unknown
	}
	return l
}

func (w *Worker) seen(pid int, event string) {
	w.observer.Child(event)
	if w.spies.child != nil {
		w.spies.child(pid, event == "started")
	}
}

const tryParts = 10

func (t *task) endTry(ctx context.Context, stop context.CancelCauseFunc) {
	looks := time.NewTicker(max(1, t.tryTime/tryParts))
	defer looks.Stop()
	for n := 1; t.mayTry(n, t.budget[queue.Short].wanted.Load()); n++ {
		select {
		case <-ctx.Done():
			return
		case <-looks.C:
		}
	}
	stop(errTry)
}

// mayTry reports whether a try may begin part n, counted from 1. A try has tryParts parts. The try
// of a count that is more than half done has moreTime·tryParts parts, unless another job waits for
// room.
func (t *task) mayTry(n int, wanted bool) bool {
	return n <= tryParts || n <= moreTime*tryParts && t.half.Load() && !wanted
}

// newest returns the name of the newest checkpoint, which is the last name in order, or "".
func (t *task) newest() string {
	if t.options.Data == "" {
		return ""
	}
	files, _ := filepath.Glob(filepath.Join(t.folder(t.job.ID), "level-*.pavage")) // the pattern is valid
	if len(files) == 0 {
		return ""
	}
	return filepath.Base(files[len(files)-1])
}

// progressed records the name of the newest checkpoint in the row of the job. A process may have
// died after it wrote the checkpoint and before it recorded the name.
func (t *task) progressed() {
	newest := t.newest()
	if newest <= t.job.Checkpoint {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.claim.Context()), patience)
	defer cancel()
	if err := t.claim.Saved(ctx, newest); err == nil {
		t.job.Deaths, t.job.Lapses, t.job.Checkpoint = 0, 0, newest
	} else if !errors.Is(err, queue.ErrLost) {
		t.log.Warn().Err(err).Str("job", t.job.ID).Msg("the progress of a job could not be written")
	}
}

func (t *task) isAuto() bool {
	r, ok := t.request.(*job.Count)
	return ok && r.Engine != bySweep
}

func (t *task) maySave() bool {
	r, ok := t.request.(*job.Count)
	return ok && r.HasCheckpoints() && t.options.Data != ""
}

func (t *task) beginsSaving() bool {
	if !t.maySave() {
		return false
	}
	if !t.isAuto() {
		return true
	}
	_, err := os.Stat(t.folder(t.job.ID))
	return err == nil
}

// plan returns the function that receives the plan of a count. If the plan is a long sweep, the
// function ends the attempt, and the next attempt writes checkpoints.
func (t *task) plan(stop context.CancelCauseFunc) func(*job.Plan) {
	if t.saves {
		return nil // a count with checkpoints makes no plan
	}
	may := t.maySave() && !t.planned && !t.isBrief(t.job.Limits)
	return func(p *job.Plan) {
		t.claim.Plan(p)
		if !may || p.Engine != bySweep || p.Sweep == nil || p.Sweep.Seconds < worthSaving {
			return
		}
		stop(errSweep)
	}
}

func (t *task) progress() func(job.Progress) {
	tell := counted(t.observer, t.job.Kind)
	var doing string
	var begun time.Time
	return func(p job.Progress) {
		tell(p)
		if p.Doing != doing {
			doing, begun = p.Doing, time.Now()
		}
		t.half.Store(p.Doing == job.Counting && p.Fraction > 0.5)
		left, _ := p.Left(time.Since(begun))
		t.claim.Progress(client.Progress{Progress: p, Left: left})
	}
}

// note logs warnings at the level warn, and other events at the level debug.
func (t *task) note(n job.Note) {
	if t.spies.note != nil {
		t.spies.note(t, n)
	}
	if n.Weight == job.Remark {
		return // a remark describes the puzzle, so it is not logged
	}
	event := t.log.Debug()
	if n.Weight == job.Warning {
		event = t.log.Warn()
	}
	event.Str("job", t.job.ID).Dict("note", zerolog.Dict().Fields(n.Fields)).Msg(n.Text)
}
