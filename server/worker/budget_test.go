package worker

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/store"
)

// TestBudget: three quarters are for children, and a part of that for short jobs alone.
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

// TestPool: no more is given away than there is, to whomever, and a large share comes in
// its turn.
func TestPool(t *testing.T) {
	p := newPool(10*program, 100)
	var held, most atomic.Int64
	var takers sync.WaitGroup
	for i := range 50 {
		share := rand.Int64N(12 * program)
		if i%10 == 0 {
			share = 100 * program // all there is
		}
		takers.Go(func() {
			if err := p.take(t.Context(), share); err != nil {
				t.Error(err)
				return
			}
			now := held.Add(min(share+program, p.size))
			for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
			}
			held.Add(-min(share+program, p.size))
			p.give(share)
		})
	}
	takers.Wait()
	if most.Load() > p.size || p.taken.Load() != 0 || p.waiting.Load() != 0 {
		t.Errorf("%d of %d given away at once, %d at the end", most.Load(), p.size, p.taken.Load())
	}
}

// TestPoolEnds: who does not want to wait any more has taken nothing.
func TestPoolEnds(t *testing.T) {
	p := newPool(10*program, 100)
	if err := p.take(t.Context(), 9*program); err != nil {
		t.Fatal(err)
	}
	if err := p.take(canceled(t), 1); !errors.Is(err, context.Canceled) || p.taken.Load() != 10*program {
		t.Fatal(err, p.taken.Load())
	}
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error)
	go func() { failed <- p.take(ctx, program) }()
	testkit.Until(t, "somebody waits", func() bool { return p.waiting.Load() == 1 })
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) || p.taken.Load() != 10*program {
		t.Error(err, p.taken.Load())
	}
	p.give(9 * program)
}

// canceled is a context that has ended.
func canceled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

func TestThreads(t *testing.T) {
	b := newBudget(1<<30, 2)
	for _, c := range []struct {
		running            int64
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
		b[queue.Long].jobs.Store(c.running)
		if got := b.threads(c.lane, c.all, c.allowed); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// TestWiden: a job that takes a larger share has none while it waits for it.
func TestWiden(t *testing.T) {
	b := newBudget(1<<30, 2)
	p := b[queue.Long]
	s := &share{pool: p, memory: 64 << 20}
	if err := s.take(t.Context(), s.memory); err != nil {
		t.Fatal(err)
	}
	if err := s.widen(canceled(t), p.most()); err != nil || b.held() != p.size || p.jobs.Load() != 1 {
		t.Fatal(err, b.held())
	}
	s.release()
	s.release()
	if b.held() != 0 || p.jobs.Load() != 0 {
		t.Error(b.held())
	}
	if err := p.take(t.Context(), p.most()); err != nil {
		t.Fatal(err)
	}
	if err := s.widen(canceled(t), 1<<20); err == nil || b.held() != p.size {
		t.Error("took what was not there", err)
	}
	s.release()
}

// TestTurns: two do not have the turn of a key at the same time.
func TestTurns(t *testing.T) {
	var turns turns
	give, err := turns.take(t.Context(), store.Key{1})
	if err != nil {
		t.Fatal(err)
	}
	other, err := turns.take(t.Context(), store.Key{2})
	if err != nil {
		t.Fatal(err)
	}
	other()
	if _, err := turns.take(canceled(t), store.Key{1}); err == nil {
		t.Fatal("two have the same turn")
	}
	next := make(chan func())
	go func() {
		give, err := turns.take(t.Context(), store.Key{1})
		if err != nil {
			t.Error(err)
		}
		next <- give
	}()
	testkit.Until(t, "somebody waits", func() bool { return turns.waiting.Load() == 1 })
	give()
	(<-next)()
	if len(turns.busy) != 0 {
		t.Error("a turn is left")
	}
}

// TestCounted: what was counted is told once, also by a count that goes on from a
// checkpoint.
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
