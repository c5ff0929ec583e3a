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
type budget struct {
	pools   map[queue.Lane]*pool
	seats   map[queue.Lane]*seats
	running atomic.Int64 // long jobs at work
}

func newBudget(memory int64, threads int) *budget {
	if memory <= 0 {
		memory = noLimit
	}
	children := memory / 4 * 3
	short := min(max(children/4, leastShort), children/2)
	return &budget{pools: map[queue.Lane]*pool{
		queue.Short: newPool(short),
		queue.Long:  newPool(children - short),
	}, seats: map[queue.Lane]*seats{
		queue.Short: newSeats(max(2, threads)),
		queue.Long:  newSeats(threads),
	}}
}

// seats bound how many jobs of a lane are at work at once. A job that goes over to
// another lane takes a seat there.
type seats struct {
	number  int
	free    *semaphore.Weighted
	waiting atomic.Int64 // jobs that wait for a seat, or have one and wait for memory
}

func newSeats(n int) *seats { return &seats{number: n, free: semaphore.NewWeighted(int64(n))} }

// held is the memory of all shares that are taken.
func (b *budget) held() int64 {
	return b.pools[queue.Short].taken.Load() + b.pools[queue.Long].taken.Load()
}

// pool is memory for children. Those who wait for memory get it in the order in which
// they came.
type pool struct {
	size    int64
	room    *semaphore.Weighted
	taken   atomic.Int64
	waiting atomic.Int64
}

func newPool(size int64) *pool {
	return &pool{size: size, room: semaphore.NewWeighted(size)}
}

// most is the largest share of the pool.
func (p *pool) most() int64 { return max(1<<20, p.size-program) }

// weight is how much a child with this share takes from the pool.
func (p *pool) weight(share int64) int64 { return min(share+program, p.size) }

// take waits for a share.
func (p *pool) take(ctx context.Context, share int64) error {
	weight := p.weight(share)
	p.waiting.Add(1)
	defer p.waiting.Add(-1)
	if p.takeNow(share) {
		return nil
	}
	if err := p.room.Acquire(ctx, weight); err != nil {
		return err
	}
	p.taken.Add(weight)
	return nil
}

// takeNow takes a share that is there, and that nobody waits for.
func (p *pool) takeNow(share int64) bool {
	weight := p.weight(share)
	if !p.room.TryAcquire(weight) {
		return false
	}
	p.taken.Add(weight)
	return true
}

// give returns a share to the pool.
func (p *pool) give(share int64) {
	weight := p.weight(share)
	p.taken.Add(-weight)
	p.room.Release(weight)
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
func (b *budget) threads(lane queue.Lane, all, allowed int) int {
	n := 1
	if lane == queue.Long {
		n = max(1, all/int(max(1, b.running.Load())))
	}
	if allowed > 0 {
		n = min(n, allowed)
	}
	return n
}
