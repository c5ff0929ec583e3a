package endtoend

import (
	"math/rand/v2"
	"testing"

	"github.com/pavage/pavage/internal/test/queuetest"
	"github.com/pavage/pavage/internal/test/testkit"
)

// TestWorkers: a server and two workers share sixty jobs. One worker is killed, and the server is
// restarted. All jobs are done once.
func TestWorkers(t *testing.T) {
	t.Parallel()
	for _, on := range []struct {
		name     string
		database func(testing.TB) string
	}{
		{"sqlite", func(testing.TB) string { return "" }},
		{"postgres", queuetest.Postgres},
	} {
		t.Run(on.name, func(t *testing.T) {
			if on.name == "sqlite" {
				testkit.Long(t)
			}
			t.Parallel()
			testWorkers(t, fresh(t, on.database(t), often...))
		})
	}
}

func testWorkers(t *testing.T, s *setup) {
	rng, jobs, strips := rand.New(rand.NewPCG(7, 100)), newJobs(), longs()
	v := s.serve(t)
	workers := []*service{s.work(t), s.work(t)}
	victim := workers[rng.IntN(2)]
	isBegun := func(l line) bool { return l.Message == begun }
	doers := func() (n int) {
		for _, w := range s.started {
			if w.did(isDone) {
				n++
			}
		}
		return n
	}
	for i, n := 0, testkit.Size(24, 60); i < n || !victim.did(isBegun) || doers() < 2 && i < 1000; i++ {
		want := tiny(t, rng)
		want.limits.Threads = 1
		if i%8 == 0 {
			want = strips.next()
		}
		if err := jobs.submit(v, want); err != nil {
			t.Fatal(err)
		}
	}
	victim.moment(rng, 20)
	victim.kill()
	v.moment(rng, 20)
	v.kill()
	v = s.serve(t)
	v.allOnce(jobs.accepted())
	if by := doers(); by < 2 {
		t.Errorf("%d processes have done jobs", by)
	}
	v.stop()
	for _, w := range workers {
		if w != victim {
			w.stop()
		}
	}
	s.untilGone(t)
	s.leavesNothing(t)
}

// did reports whether the process has logged such a line.
func (v *service) did(such func(line) bool) bool { return number(v.log.about(), such) > 0 }

// TestDrain: after a signal at any moment a service ends with code 0, and no try is lost: the jobs
// go on after the next start, from where they were.
func TestDrain(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		rng := rand.New(rand.NewPCG(8, 20))
		s, jobs, strips := fresh(t, database, often...), newJobs(), longs()
		cut := 0
		for range rounds(database, 2, 6) {
			cut += s.drainOnce(t, rng, jobs, strips)
		}
		v := s.serve(t)
		v.allOnce(jobs.accepted())
		for id := range jobs.accepted() {
			if j := must(v.client().Get(t.Context(), id))(t); j.Attempts > 1 {
				t.Errorf("job %s took %d attempts", id, j.Attempts)
			}
		}
		if cut == 0 {
			t.Error("no count was stopped on its way")
		}
		v.stop()
		s.untilGone(t)
		s.leavesNothing(t)
	})
}

// drainOnce starts a service, gives it work, and stops it. It returns the number of counts that
// were interrupted.
func (s *setup) drainOnce(t *testing.T, rng *rand.Rand, jobs *jobs, strips *strips) (cut int) {
	t.Helper()
	before := s.newest()
	v := s.serve(t)
	for range 3 {
		if err := jobs.submit(v, strips.next()); err != nil {
			t.Fatal(err)
		}
	}
	loaded := make(chan int)
	go func() {
		some := tinies(t)
		i := 0
		loaded <- jobs.load(v, func() wanted { i++; return some[i%len(some)] })
	}()
	v.until(written)
	v.moment(rng, 30)
	v.stop()
	<-loaded
	s.untilGone(t)
	for id, level := range before {
		goesOn(t, id, linesOf(v, id), level)
	}
	return len(s.newest())
}
