package worker

import (
	"context"
	"math"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/queue"
)

const (
	// program is the memory of a child before it works: 20 to 24 MiB were measured.
	program = 24 << 20
	// least is the smallest share, unless the whole budget is smaller.
	least = 64 << 20
	// head is added to forecasts for the puzzle and its placements, which forecasts leave
	// out.
	head = 64 << 20
	// leastShort is the least memory that is reserved for the short lane.
	leastShort = 96 << 20
	// leastMemory is the least that a service works with: a child of each lane has half of
	// three quarters of it, 12 MiB more than the program itself.
	leastMemory = 96 << 20
	// noLimit stands for the memory of a machine that does not say how much it has.
	noLimit = math.MaxInt64 / 16
)

// budget is the memory of all children of this process, and how it is divided:
//
//	├── short ──┬── long ──────────────────────┤     short + long = 3/4 of the memory
type budget map[queue.Lane]*pool

func newBudget(memory int64, threads int) budget {
	if memory <= 0 {
		memory = noLimit
	}
	children := memory / 4 * 3
	short := min(max(children/4, leastShort), children/2)
	return budget{queue.Short: newPool(short, max(2, threads)), queue.Long: newPool(children-short, threads)}
}

// held is the memory of all shares that are taken.
func (b budget) held() int64 { return b[queue.Short].taken.Load() + b[queue.Long].taken.Load() }

// pool is the memory for the children of a lane, and seats, which bound how many are at
// work at once. Those who wait get a seat, and then memory, in the order in which they
// came.
type pool struct {
	size, seats   int64
	room, free    *semaphore.Weighted // memory, seats
	taken         atomic.Int64        // bytes
	jobs, waiting atomic.Int64        // jobs at work, and jobs that wait
}

func newPool(size int64, seats int) *pool {
	return &pool{size: size, seats: int64(seats), room: semaphore.NewWeighted(size), free: semaphore.NewWeighted(int64(seats))}
}

// most is the largest share of the pool.
func (p *pool) most() int64 { return max(1<<20, p.size-program) }

// weight is how much a child with this share takes from the pool.
func (p *pool) weight(share int64) int64 { return min(share+program, p.size) }

// take waits for a seat and a share.
func (p *pool) take(ctx context.Context, share int64) error {
	if p.takeNow(share) {
		return nil
	}
	p.waiting.Add(1)
	defer p.waiting.Add(-1)
	if err := p.free.Acquire(ctx, 1); err != nil {
		return err
	}
	if err := p.room.Acquire(ctx, p.weight(share)); err != nil {
		p.free.Release(1)
		return err
	}
	p.begin(share)
	return nil
}

// takeNow takes a seat and a share that are free, and that no job waits for.
func (p *pool) takeNow(share int64) bool {
	if !p.free.TryAcquire(1) {
		return false
	}
	if !p.room.TryAcquire(p.weight(share)) {
		p.free.Release(1)
		return false
	}
	p.begin(share)
	return true
}

func (p *pool) begin(share int64) {
	p.taken.Add(p.weight(share))
	p.jobs.Add(1)
}

// give returns a seat and a share.
func (p *pool) give(share int64) {
	p.jobs.Add(-1)
	p.taken.Add(-p.weight(share))
	p.room.Release(p.weight(share))
	p.free.Release(1)
}

// share is the part of the machine that a job has: a seat, memory and threads.
type share struct {
	*pool
	memory  int64 // 0: it was given back
	threads int
}

// shareFor is the share of a job in a lane, which is still to be taken.
func (w *Worker) shareFor(j queue.Job, lane queue.Lane) *share {
	p := w.budget[lane]
	unknown := p.most()
	if lane == queue.Short {
		unknown = least
	}
	f := job.Forecast{Seconds: j.Seconds, Bytes: j.Bytes, Known: j.Bytes > 0}
	if lane == queue.Short && f.Seconds > shortSeconds {
		f = job.Forecast{} // it will hardly come so far that it needs what it would take
	}
	return &share{pool: p, memory: shareOf(f, unknown, p.most(), j.Limits.Memory)}
}

// release gives the share back. It may be called again.
func (s *share) release() {
	if s.memory > 0 {
		s.give(s.memory)
	}
	s.memory = 0
}

// widen gives this share back and waits for the largest one. A job that waits holds no
// share, so no two jobs wait for each other.
func (s *share) widen(ctx context.Context, most int64) error {
	s.release()
	err := s.take(ctx, most)
	if err == nil {
		s.memory = most
	}
	return err
}

// shareOf is the memory for work with a forecast: at most `most`, and at most what its
// owner allows, if that is not 0. Work without a known forecast gets unknown.
func shareOf(f job.Forecast, unknown, most, allowed int64) int64 {
	share := unknown
	switch {
	case f.Bytes >= most/2: // also if it is not known how much more
		share = most
	case f.Known:
		share = max(least, 2*f.Bytes+head)
	}
	share = min(share, most)
	if allowed > 0 {
		share = min(share, allowed)
	}
	return share
}

// threads is how many threads a job may use. The running jobs of the long lane share
// all threads. A job of the short lane gets one, since it is over soon.
func (b budget) threads(lane queue.Lane, all, allowed int) int {
	n := 1
	if lane == queue.Long {
		n = max(1, all/int(max(1, b[queue.Long].jobs.Load())))
	}
	if allowed > 0 {
		n = min(n, allowed)
	}
	return n
}
