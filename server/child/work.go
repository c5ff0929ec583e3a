package child

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/internal/kit/machine"
	"github.com/pavage/pavage/job"
)

func do(a *assigned, s *sender) error {
	answer, err := patiently(a, s)
	if err == nil {
		err = s.tell(anAnswer, answer)
	}
	return s.tell(theEnd, job.ErrorOf(err))
}

// patience is the longest wait for the folder of checkpoints. If a parent was killed, its child may
// use the folder for another second.
const patience = 5 * lastMoment

func patiently(a *assigned, s *sender) (job.Answer, error) {
	r, err := job.Decode(a.Kind, a.Request)
	if err != nil {
		return nil, err
	}
	if a.Limits.Threads > 0 {
		runtime.GOMAXPROCS(a.Limits.Threads)
	}
	machine.Collect(a.Limits.Memory, false)
	for end := time.Now().Add(patience); ; {
		answer, err := work(a.ctx, r, &a.Task, s, watch(a, s))
		if !errors.Is(err, job.ErrInUse) || time.Now().After(end) {
			return answer, err
		}
		select {
		case <-a.ctx.Done():
		case <-time.After(patience / 100):
		}
	}
}

func work(ctx context.Context, r job.Request, t *Task, s *sender, to job.Watch) (job.Answer, error) {
	l := t.Limits
	sample, ok := r.(*job.Sample)
	if !ok || t.Keep == 0 {
		var answer job.Answer
		to.Answer = func(of job.Answer) error { answer = of; return errLeft }
		if _, err := job.Run(ctx, r, l, to); answer == nil {
			return nil, err
		}
		return answer, nil
	}
	ctx, cancel := job.WithTimeLimit(ctx, l.Time)
	defer cancel()
	from, err := sample.Prepare(ctx, l, to)
	if err != nil {
		return nil, err
	}
	if from.Bytes() <= t.Keep {
		if err := s.save(from); err != nil && !errors.Is(err, job.ErrNotSaved) {
			to.Note(job.Note{Weight: job.Warning, Text: "the source of tilings could not be saved", Fields: []any{"error", err}})
		}
	}
	answer, err := from.Draw(ctx, sample.Draws(limit.Left(l.Memory, from.Bytes())), to)
	if errors.Is(err, job.ErrNoTiling) {
		return nil, err
	}
	return answer, err
}

// errLeft is the error of Watch.Answer, after which job.Run does not remove the checkpoints: the
// store does not have the answer yet.
var errLeft = errors.New("the checkpoints are not removed")

func watch(a *assigned, s *sender) job.Watch {
	w := job.Lines(s)
	w.Progress = func(p job.Progress) {
		now := time.Now()
		if p.Doing == s.doing && now.Sub(s.told) < pace {
			return
		}
		s.doing, s.told = p.Doing, now
		_ = s.tell(aProgress, p) // after an error here, sending the answer fails, too
	}
	w.Plan = func(p *job.Plan) { _ = s.tell(aPlan, p) }
	w.Note = func(n job.Note) {
		fields := slices.Clone(n.Fields)
		for i, f := range fields {
			if err, ok := f.(error); ok {
				fields[i] = err.Error()
			}
		}
		_ = s.tell(aNote, job.Note{Weight: n.Weight, Text: n.Text, Fields: fields})
	}
	w.Output = s
	return w
}
