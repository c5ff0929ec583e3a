package worker

import (
	"context"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/queue"
)

// share is what a job has of the machine.
type share struct {
	budget  *budget
	pool    *pool
	lane    queue.Lane
	memory  int64
	threads int
}

// take waits for the share of a job.
func (w *Worker) take(ctx context.Context, j queue.Job) (*share, error) {
	p := w.budget.pools[j.Lane]
	unknown := p.most()
	if j.Lane == queue.Short {
		unknown = least
	}
	f := job.Forecast{Seconds: j.Seconds, Bytes: j.Bytes, Known: j.Bytes > 0}
	s := &share{budget: w.budget, pool: p, lane: j.Lane, memory: shareOf(f, unknown, p.most(), j.Limits.Memory)}
	if err := s.take(ctx); err != nil {
		return nil, err
	}
	s.threads = w.budget.threads(j.Lane, w.limits.Threads, j.Limits.Threads)
	return s, nil
}

func (s *share) take(ctx context.Context) error {
	err := s.pool.take(ctx, s.memory)
	if err == nil && s.lane == queue.Long {
		s.budget.running.Add(1)
	}
	return err
}

// release gives the share back. It may be called again.
func (s *share) release() {
	if s.memory == 0 {
		return
	}
	if s.lane == queue.Long {
		s.budget.running.Add(-1)
	}
	s.pool.give(s.memory)
	s.memory = 0
}

// widen waits for the largest share in place of this one. Whoever waits has nothing, so
// that no two jobs wait for each other.
func (s *share) widen(ctx context.Context, most int64) error {
	s.release()
	s.memory = most
	err := s.take(ctx)
	if err != nil {
		s.memory = 0
	}
	return err
}
