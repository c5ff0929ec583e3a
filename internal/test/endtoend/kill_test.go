package endtoend

import (
	"math/rand/v2"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/test/testkit"
)

// often is the shortest time between two checkpoints.
var often = []string{"--checkpoint-every", "10ms"}

// longs are counts that last: 0.2 s of CPU each and more, which leaves some checkpoints.
func longs() *strips { return newStrips(16, 22) }

// TestServerKilled: whatever the moment at which a service is killed, each job that it has
// accepted is done once after the next start, with the right count. It goes on from its
// last checkpoint.
func TestServerKilled(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		rng := rand.New(rand.NewPCG(2, 50))
		s, jobs, strips := fresh(t, database, often...), newJobs(), longs()
		cut := 0
		for round := range rounds(database, 4, 15) {
			cut += s.killOnce(t, rng, jobs, strips, round%2 == 0)
		}
		v := s.serve(t)
		v.allOnce(jobs.accepted())
		t.Logf("%d jobs, of which a kill has cut short %d", len(jobs.accepted()), cut)
		if cut == 0 {
			t.Error("no kill has cut a count short")
		}
		v.stop()
		s.untilGone(t)
		s.leavesNothing(t)
	})
}

// killOnce starts a service, gives it work, and kills it, in the middle of a count if late is set.
// It returns the number of counts that the kill has interrupted.
func (s *setup) killOnce(t *testing.T, rng *rand.Rand, jobs *jobs, strips *strips, late bool) (cut int) {
	t.Helper()
	before := s.newest()
	v := s.serve(t)
	var load sync.WaitGroup
	some := make([]wanted, 1000)
	for i := range some {
		some[i] = tinies(t)[rng.IntN(len(tinies(t)))]
	}
	for range 1 + rng.IntN(2) {
		if err := jobs.submit(v, strips.next()); err != nil {
			t.Fatal(err)
		}
	}
	load.Go(func() {
		i := 0
		jobs.load(v, func() wanted { i++; return some[i%len(some)] })
	})
	if rng.IntN(4) == 0 && len(before) > 0 && testkit.IsLong() { // until a count goes on
		v.until(`continuing from level`)
	}
	if late {
		v.untilWritten(jobs, strips)
	}
	v.moment(rng, 500)
	v.kill()
	load.Wait()
	s.untilGone(t)
	after, traces := s.newest(), v.traces()
	for id, level := range before {
		goesOn(t, id, linesOf(v, id), level)
	}
	for id, level := range after {
		if l := lastWritten(traces[id]); l > level {
			t.Errorf("job %s: level %d was written, and the newest checkpoint is of level %d", id, l, level)
		}
	}
	return len(after)
}

// untilWritten waits for a checkpoint. A count can end before it leaves one; so after each
// five hundred lines of the log without one there is another, larger count.
func (v *service) untilWritten(jobs *jobs, strips *strips) {
	v.t.Helper()
	for range 20 {
		more, isWritten := v.log.after(500), false
		testkit.Until(v.t, written, func() bool {
			isWritten = strings.Contains(v.log.String(), written)
			select {
			case <-more:
				return true
			default:
				return isWritten || v.hasEnded()
			}
		})
		if isWritten || jobs.submit(v, strips.next()) != nil {
			break
		}
	}
	v.until(written)
}

// linesOf are the lines of one log about a job.
func linesOf(v *service, id string) (lines []line) {
	for _, l := range v.log.about() {
		if l.Job == id {
			lines = append(lines, l)
		}
	}
	return lines
}

func lastWritten(lines []line) (level int) {
	for _, l := range lines {
		if l.Message == written {
			level = l.Level
		}
	}
	return level
}

// tinies are some small counts, always the same.
var tinies = func() func(testing.TB) []wanted {
	var all []wanted
	var once sync.Once
	return func(t testing.TB) []wanted {
		once.Do(func() {
			rng := rand.New(rand.NewPCG(3, 40))
			for range 40 {
				w := tiny(t, rng)
				w.limits.Threads = 1 // never counted at once
				all = append(all, w)
			}
		})
		return all
	}
}()

// TestChildKilled: whatever the moment at which the child of a count is killed, the count
// goes on from its last checkpoint, and is right.
func TestChildKilled(t *testing.T) {
	if !seesProcesses {
		t.Skip("cannot see which process counts")
	}
	onBoth(t, func(t *testing.T, database string) {
		rng := rand.New(rand.NewPCG(4, 50))
		s, jobs, strips := fresh(t, database, often...), newJobs(), longs()
		v := s.serve(t)
		killed, n := map[string]int{}, rounds(database, 4, 20)
		for tries := 0; len(killed) < n && tries < 10*n; tries++ { // on a busy machine counts end unseen
			want := strips.next()
			j := must(v.client().Submit(t.Context(), want.r, want.limits, 0))(t)
			jobs.all[j.ID] = want
			if level, ok := v.killChild(rng, j.ID); ok {
				killed[j.ID] = level
			}
		}
		v.allOnce(jobs.accepted())
		died := 0
		for id, level := range killed {
			lines := linesOf(v, id)
			for i, l := range lines {
				if l.Message == ended && l.End == "died" {
					died++
					goesOn(t, id, lines[i+1:], level)
				}
			}
		}
		t.Logf("%d children killed, %d jobs cut short", len(killed), died)
		if died < (n+1)/2 {
			t.Errorf("only %d jobs were cut short, expected %d", died, (n+1)/2)
		}
		v.stop()
		s.untilGone(t)
		s.leavesNothing(t)
	})
}

// killChild kills the child that counts a job after some checkpoints, and returns the level of the
// last checkpoint logged before; or false if the job ended earlier.
func (v *service) killChild(rng *rand.Rand, id string) (level int, ok bool) {
	v.t.Helper()
	wait, pid := rng.IntN(testkit.Size(4, 10)), 0
	testkit.Until(v.t, "a count with checkpoints", func() bool {
		if number(linesOf(v, id), func(l line) bool { return l.Message == written }) >= wait {
			pid = v.counterOf(id)
		}
		return pid != 0 || v.stateOf(id).Ended()
	})
	if pid == 0 {
		return 0, false
	}
	level = lastWritten(linesOf(v, id))
	return level, syscall.Kill(pid, syscall.SIGKILL) == nil
}

// TestChildKilledTwice: a job whose child dies twice, without a checkpoint between the deaths,
// fails with the reason.
func TestChildKilledTwice(t *testing.T) {
	t.Parallel()
	if !seesProcesses {
		t.Skip("cannot see which process counts")
	}
	v := fresh(t, "").serve(t)
	c, ctx := v.client(), t.Context()
	j := must(c.Submit(ctx, endless(), client.Limits{}, 0))(t)
	last := 0
	for range 2 {
		pid := 0
		testkit.Until(t, "a child", func() bool { pid = v.counterOf(j.ID); return pid != 0 && pid != last })
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		last = pid
	}
	j = must(c.Wait(ctx, j.ID))(t)
	if j.State != client.Failed || j.Attempts != 2 || j.Error == nil || !strings.Contains(j.Error.Detail, `signal "killed"`) {
		t.Errorf("%s after %d attempts: %v", j.State, j.Attempts, j.Error)
	}
	v.stop()
	v.untilGone(t)
	v.leavesNothing(t)
}
