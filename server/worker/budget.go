package worker

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/queue"
)

const (
	program     = 24 << 20 // memory of a child before its work: 20 to 24 MiB were measured
	least       = 64 << 20
	head        = 64 << 20 // memory for the puzzle and its placements, which is not part of a forecast
	leastShort  = 96 << 20
	leastMemory = 96 << 20 // least memory of the service; then each lane has 36 MiB for children
	noLimit     = math.MaxInt64 / 16
)

type budget map[queue.Lane]*pool

func newBudget(memory int64, threads int) budget {
	if memory <= 0 {
		memory = noLimit
	}
	children := memory / 4 * 3
	short := min(max(children/4, leastShort), children/2)
	return budget{queue.Short: {size: short, seats: max(2, threads)}, queue.Long: {size: children - short, seats: threads}}
}

func (b budget) held() int64 {
	return b[queue.Short].held() + b[queue.Long].held()
}

type pool struct {
	size   int64
	seats  int
	wanted atomic.Bool // whether the oldest queued job of the lane waits for room

	mu    sync.Mutex
	taken int64 // bytes of the shares in use, with the memory of their programs
	jobs  int   // number of shares in use
}

func (p *pool) most() int64 { return max(1<<20, p.size-program) }

func (p *pool) weight(share int64) int64 { return min(share+program, p.size) }

// take reserves a share for a job, unless there is no room or the oldest queued job waits for room.
func (p *pool) take(share int64, oldest bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	fits := p.jobs < p.seats && p.taken+p.weight(share) <= p.size
	if oldest {
		p.wanted.Store(!fits)
	}
	if !fits || p.wanted.Load() {
		return false
	}
	p.taken += p.weight(share)
	p.jobs++
	return true
}

func (p *pool) held() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.taken
}

func (p *pool) give(share int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken -= p.weight(share)
	p.jobs--
}

type share struct {
	*pool
	memory  int64 // 0 after the share was given back
	threads int
}

func (w *Worker) share(j queue.Job, oldest bool) *share {
	p := w.budget[j.Lane]
	unknown := p.most()
	if j.Lane == queue.Short {
		unknown = least
	}
	f := job.Forecast{Seconds: j.Seconds, Bytes: j.Bytes, Known: j.Bytes > 0}
	if j.Lane == queue.Short && f.Seconds > shortSeconds {
		f = job.Forecast{} // a try ends before it needs as much memory as was forecast
	}
	memory := shareOf(f, unknown, p.most(), j.Limits.Memory)
	if !p.take(memory, oldest) {
		return nil
	}
	return &share{p, memory, w.budget.threads(j.Lane, w.limits.Threads, j.Limits.Threads)}
}

func (s *share) release() {
	if s.memory > 0 {
		s.give(s.memory)
	}
	s.memory = 0
}

func shareOf(f job.Forecast, unknown, most, allowed int64) int64 {
	share := unknown
	switch {
	case f.Bytes >= most/2: // the forecast may be only a lower bound
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

// threads divides all threads among the running jobs of the long lane. A short job gets one thread.
func (b budget) threads(lane queue.Lane, all, allowed int) int {
	n := 1
	if lane == queue.Long {
		long := b[queue.Long]
		long.mu.Lock()
		n = max(1, all/max(1, long.jobs))
		long.mu.Unlock()
	}
	if allowed > 0 {
		n = min(n, allowed)
	}
	return n
}
