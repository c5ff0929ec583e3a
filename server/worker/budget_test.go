package worker

import (
	"testing"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/queue"
)

// TestBudget: children get three quarters of the memory, and short jobs a part of this for themselves.
func TestBudget(t *testing.T) {
	for memory, want := range map[int64][2]int64{
		1 << 30:   {192 << 20, 576 << 20},
		512 << 20: {96 << 20, 288 << 20},
		128 << 20: {48 << 20, 48 << 20},
		0:         {noLimit / 4 * 3 / 4, noLimit/4*3 - noLimit/4*3/4},
	} {
		b := newBudget(memory, 2)
		if got := [2]int64{b[queue.Short].size, b[queue.Long].size}; got != want {
			t.Errorf("%d: %d, want %d", memory, got, want)
		}
	}
}

func TestShareOf(t *testing.T) {
	known := func(bytes int64) job.Forecast { return job.Forecast{Known: true, Bytes: bytes} }
	const m = 1 << 20
	for _, c := range []struct {
		f                            job.Forecast
		unknown, most, allowed, want int64
	}{
		{known(1), 100 * m, 500 * m, 0, 64*m + 2},
		{known(100 * m), 100 * m, 500 * m, 0, 264 * m},
		{known(240 * m), 100 * m, 500 * m, 0, 500 * m},
		{known(1 << 60), 100 * m, 500 * m, 0, 500 * m},
		{known(100 * m), 100 * m, 500 * m, 10 * m, 10 * m},
		{job.Forecast{Bytes: 7 * m}, 100 * m, 500 * m, 0, 100 * m},
		{job.Forecast{Bytes: 300 * m}, 100 * m, 500 * m, 0, 500 * m},
		{job.Forecast{}, 100 * m, 50 * m, 0, 50 * m},
		{job.Forecast{}, 100 * m, 500 * m, 700 * m, 100 * m},
	} {
		if got := shareOf(c.f, c.unknown, c.most, c.allowed); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// TestPool: the shares never exceed the memory, and a job that is not the oldest does not get what the
// oldest job waits for.
func TestPool(t *testing.T) {
	p := &pool{size: 10 * program, seats: 3}
	for i, c := range []struct {
		share        int64
		oldest, want bool
	}{
		{100 * program, true, true}, // all of the memory
		{1, true, false},
		{-100 * program, false, true},
		{1, true, true},
		{8 * program, true, false},
		{1, false, false},
		{4 * program, true, true},
		{4 * program, false, false},
		{program, false, true},
		{1, true, false}, // no free seat
	} {
		if c.share < 0 {
			p.give(-c.share)
		} else if got := p.take(c.share, c.oldest); got != c.want {
			t.Errorf("%d: %+v: %v", i, c, got)
		}
	}
	if want := 1 + program + 5*program + 2*program; p.taken != int64(want) || p.jobs != 3 {
		t.Errorf("%d of %d taken by %d jobs, want %d", p.taken, p.size, p.jobs, want)
	}
}

func TestThreads(t *testing.T) {
	b := newBudget(1<<30, 2)
	for _, c := range []struct {
		running            int
		lane               queue.Lane
		all, allowed, want int
	}{
		{0, queue.Long, 8, 0, 8},
		{1, queue.Long, 8, 0, 8},
		{2, queue.Long, 8, 0, 4},
		{9, queue.Long, 8, 0, 1},
		{1, queue.Long, 8, 3, 3},
		{2, queue.Long, 8, 7, 4},
		{1, queue.Short, 8, 0, 1},
	} {
		b[queue.Long].jobs = c.running
		if got := b.threads(c.lane, c.all, c.allowed); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// TestCounted: each counted state is reported once, also for a count that continues from a checkpoint.
func TestCounted(t *testing.T) {
	var sum sums
	tell := counted(&sum, "count")
	for _, p := range []job.Progress{
		{Doing: "counting", Done: 10},
		{Doing: "counting", Done: 15},
		{Doing: "checking", Done: 3},
		{Doing: "listing", Done: 100, Before: 0.5},
		{Doing: "listing", Done: 101, Before: 0.5},
	} {
		tell(p)
	}
	if sum.states != 19 {
		t.Errorf("%d, want 19", sum.states)
	}
}

type sums struct {
	nobody
	states int64
}

func (s *sums) Counted(_ job.Kind, n int64) { s.states += n }
