package worker

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

	"github.com/rs/zerolog"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/child"
	"github.com/pavage/pavage/server/queue"
)

var (
	// errTry ends work that is too long for the short lane.
	errTry = errors.New("the work takes longer than a job of the short lane may")
	// errSweep ends a count that is planned to be a long sweep: it begins again, and
	// leaves checkpoints.
	errSweep = errors.New("the count is a long sweep")
)

// bySweep is the engine that leaves checkpoints.
const bySweep = "sweep"

// worthSaving is the forecast of a sweep in seconds from which on a count is begun again
// to leave checkpoints.
const worthSaving = 10

// attempts does the work of a job, again where that helps.
func (t *task) attempts(s *share) error {
	if t.saves = t.beginsSaving(); t.saves && t.plans != nil {
		t.claim.Plan(t.plans)
	}
	for {
		err := t.attempt(s)
		switch {
		case errors.Is(err, errSweep):
			t.saves, t.planned = true, true
		case errors.Is(err, job.ErrMemory) && t.hasRoom(s):
			if err := s.widen(t.claim.Context(), t.most(s)); err != nil {
				return err
			}
		case t.saves && t.isAuto() && (errors.Is(err, job.ErrMemory) || errors.Is(err, job.ErrTooWide)):
			t.saves, t.planned = false, true // an engine that leaves no checkpoints may count it
			t.removeFolder(t.job.ID)
		default:
			return err
		}
	}
}

// most is the largest share that the job may have in its lane.
func (t *task) most(s *share) int64 {
	most := s.pool.most()
	if mine := t.job.Limits.Memory; mine > 0 {
		most = min(most, mine)
	}
	return most
}

// hasRoom reports whether the job can have a larger share.
func (t *task) hasRoom(s *share) bool { return t.job.Lane == queue.Long && s.memory < t.most(s) }

// attempt does the work once, in a child, and keeps what it makes.
func (t *task) attempt(s *share) error {
	ctx, stop := context.WithCancelCause(t.claim.Context())
	defer stop(nil)
	if t.job.Lane == queue.Short {
		end := time.AfterFunc(t.tryTime, func() { stop(errTry) })
		defer end.Stop()
	}
	err := t.keep(ctx, t.job.Kind, t.key, func(out io.Writer, answer func(json.RawMessage) error) error {
		return t.inChild(ctx, s, child.Sink{
			Progress: t.progress(), Plan: t.plan(stop), Note: t.note,
			Tilings: func(lines []byte) error { _, err := out.Write(lines); return err },
			Output:  out, Answer: answer,
		})
	})
	cause := context.Cause(ctx)
	switch {
	case err == nil:
		return nil
	case errors.Is(cause, errTry), errors.Is(cause, errSweep):
		return cause
	case t.job.Lane == queue.Short && (errors.Is(err, job.ErrMemory) || job.KindOf(err) == job.Limit && t.job.Limits.Time == 0):
		return errTry // of the share of a short job; a limit of time is its owner's
	}
	return err
}

// inChild has a child do the work.
func (t *task) inChild(ctx context.Context, s *share, sink child.Sink) error {
	limits := t.childLimits(s.memory, s.threads)
	limits.Time = t.job.Limits.Time
	if t.saves {
		limits.Checkpoint, limits.CheckpointEvery = t.folder(t.job.ID), t.options.CheckpointEvery
	}
	c, err := t.startChild(s.pool.weight(s.memory))
	if err != nil {
		return err
	}
	_, err = c.Run(ctx, child.Task{Kind: t.job.Kind, Request: t.job.Request, Limits: limits}, sink)
	c.close(err)
	return err
}

// isAuto reports whether the engine of a count is the program's choice.
func (t *task) isAuto() bool {
	r, ok := t.request.(*job.Count)
	return ok && r.Engine != bySweep
}

// beginsSaving reports whether the work leaves checkpoints from its beginning: of a
// count by a sweep, and of one that has done so.
func (t *task) beginsSaving() bool {
	r, ok := t.request.(*job.Count)
	if !ok || !r.HasCheckpoints() {
		return false
	}
	if !t.isAuto() {
		return true
	}
	_, err := os.Stat(t.folder(t.job.ID))
	return err == nil
}

// plan takes plans. A checkpoint wants a sweep from the beginning, whatever engine would
// be best, so a count is begun with one only when it is seen that a sweep is best, and
// that it is long.
func (t *task) plan(stop context.CancelCauseFunc) func(*job.Plan) {
	if t.saves {
		return nil // such a count does not plan
	}
	r, ok := t.request.(*job.Count)
	may := ok && r.HasCheckpoints() && !t.planned
	return func(p *job.Plan) {
		t.claim.Plan(p)
		if !may || p.Engine != bySweep || p.Sweep == nil || p.Sweep.Seconds < worthSaving {
			return
		}
		if t.job.Lane == queue.Short {
			stop(errTry)
		} else {
			stop(errSweep)
		}
	}
}

// progress takes progress, and says how long it will go on.
func (t *task) progress() func(job.Progress) {
	tell := counted(t.observer, t.job.Kind)
	var doing string
	var begun time.Time
	return func(p job.Progress) {
		tell(p)
		if p.Doing != doing {
			doing, begun = p.Doing, time.Now()
		}
		left, _ := p.Left(time.Since(begun))
		t.claim.Progress(client.Progress{Progress: p, Left: left})
	}
}

// note logs what went wrong without ending the work; and, for who looks closely, which
// checkpoints were written and gone on from.
func (t *task) note(n job.Note) {
	if t.spies.note != nil {
		t.spies.note(t, n)
	}
	if n.Weight == job.Remark {
		return // it is about the puzzle
	}
	event := t.log.Debug()
	if n.Weight == job.Warning {
		event = t.log.Warn()
	}
	event.Str("job", t.job.ID).Dict("note", zerolog.Dict().Fields(n.Fields)).Msg(n.Text)
}
