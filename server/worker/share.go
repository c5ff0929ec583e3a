package worker

import (
	"context"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/queue"
)

// share is the part of the machine that a job has: a seat of its lane, memory and
// threads.
type share struct {
	budget  *budget
	pool    *pool
	lane    queue.Lane
	memory  int64 // 0: it was given back
	threads int
}

// shareFor is the share of a job in a lane, which is still to be taken.
func (w *Worker) shareFor(j queue.Job, lane queue.Lane) *share {
	p := w.budget.pools[lane]
	unknown := p.most()
	if lane == queue.Short {
		unknown = least
	}
	f := job.Forecast{Seconds: j.Seconds, Bytes: j.Bytes, Known: j.Bytes > 0}
	if lane == queue.Short && f.Seconds > shortSeconds {
		f = job.Forecast{} // it will hardly come so far that it needs what it would take
	}
	return &share{budget: w.budget, pool: p, lane: lane, memory: shareOf(f, unknown, p.most(), j.Limits.Memory)}
}

// take waits for the share of a job.
func (w *Worker) take(ctx context.Context, j queue.Job) (*share, error) {
	s := w.shareFor(j, j.Lane)
	if err := s.take(ctx); err != nil {
		return nil, err
	}
	s.threads = w.budget.threads(j.Lane, w.limits.Threads, j.Limits.Threads)
	return s, nil
}

func (s *share) take(ctx context.Context) error {
	seats := s.budget.seats[s.lane]
	seats.waiting.Add(1)
	defer seats.waiting.Add(-1)
	if !seats.free.TryAcquire(1) {
		if err := seats.free.Acquire(ctx, 1); err != nil {
			return err
		}
	}
	if err := s.pool.take(ctx, s.memory); err != nil {
		seats.free.Release(1)
		return err
	}
	s.begin()
	return nil
}

// takeNow takes a share that nobody has to wait for.
func (s *share) takeNow() bool {
	seats := s.budget.seats[s.lane]
	if !seats.free.TryAcquire(1) {
		return false
	}
	if !s.pool.takeNow(s.memory) {
		seats.free.Release(1)
		return false
	}
	s.begin()
	return true
}

func (s *share) begin() {
	if s.lane == queue.Long {
		s.budget.running.Add(1)
	}
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
	s.budget.seats[s.lane].free.Release(1)
	s.memory = 0
}

// widen gives this share back and waits for the largest one. A job that waits holds no
// share, so no two jobs wait for each other.
func (s *share) widen(ctx context.Context, most int64) error {
	s.release()
	s.memory = most
	err := s.take(ctx)
	if err != nil {
		s.memory = 0
	}
	return err
}
