package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/test/queuetest"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/queue"
)

// each runs a test on both databases.
func each(t *testing.T, test func(*testing.T, settings)) {
	t.Run("sqlite", func(t *testing.T) { test(t, settings{}) })
	t.Run("postgres", func(t *testing.T) { test(t, settings{url: queuetest.Postgres(t)}) })
}

// endless returns a count that takes longer than any test.
func endless() *job.Count {
	return &job.Count{Puzzle: job.Puzzle{Board: "14x14", Pieces: []string{"tetrominoes=any"}}, Engine: bySweep}
}

// TestOvertake: short jobs are done while a long job uses all memory of its lane. The long job is then
// canceled, and leaves no files.
func TestOvertake(t *testing.T) {
	each(t, func(t *testing.T, set settings) {
		s := serve(t, set)
		s.known(1000, 1<<40)
		long := s.submit(endless())
		s.known(1, 1<<20)
		var short []queue.Job
		for _, board := range []string{"6x6", "8x8", "10x10"} {
			short = append(short, s.submit(dominoes(board)))
		}
		s.work()
		testkit.Until(t, "progress of the long job", func() bool { return s.row(long.ID).Progress != nil })
		for i, want := range []string{"6728", "12988816", "258584046368"} {
			if got := s.counted(s.ended(short[i].ID)); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
		j := s.row(long.ID)
		s.is(j, client.Running)
		var p client.Progress
		if err := json.Unmarshal(j.Progress, &p); err != nil || p.Doing != job.Counting {
			t.Error(p, err)
		}
		if _, err := s.queue.Cancel(t.Context(), long.ID, ""); err != nil {
			t.Fatal(err)
		}
		s.is(s.ended(long.ID), client.Canceled)
		s.clean()
	})
}

// wants is a request with parts of its answer and output.
type wants struct {
	r    job.Request
	want string
}

// mixed returns requests of all kinds. For a request that fails, the problem is given.
func mixed() []wants {
	seed, limit, after := job.Whole(7), job.Whole(3), "nothing"
	p := dominoes("4x4").Puzzle
	return []wants{
		{dominoes("4x4"), `"count":"36"`},
		{titled("mine"), `"title":"mine","count":"3"`},
		{titled("yours"), `"title":"yours","count":"3"`},
		{&job.Count{Puzzle: p, Engine: bySweep}, `"engine":"sweep"`},
		{&job.Count{Puzzle: p, Distinct: job.DistinctUsual}, `"group_order":8`},
		{&job.Residues{Puzzle: p, Moduli: []job.Whole{7}}, `"residue":"1"`},
		{&job.Certify{Puzzle: p}, `"count":"36"`},
		{&job.Estimate{Puzzle: p}, `"options":24`},
		{&job.Sample{Puzzle: p, Number: 5, Seed: &seed}, `"drawn":"5"`},
		{&job.List{Puzzle: p, Number: &limit}, `"limited":true`},
		{&job.Verify{Puzzle: p, Seed: &seed}, `"agrees":true`},
		{&job.Convert{Puzzle: p, To: "dimacs"}, "p cnf"},
		{&job.Show{Puzzle: p}, `"cells":16`},
		{&job.Count{Puzzle: job.Puzzle{Example: "soma"}, Distinct: job.DistinctUsual}, `"count":"480"`},
		{&job.Sample{Puzzle: job.Puzzle{Board: "1x1", Pieces: []string{"domino"}}, Number: 1, Seed: &seed}, "problem 422: the puzzle has no tiling"},
		{&job.Clues{Puzzle: job.Puzzle{Board: "2x2", Pieces: []string{"domino=any"}}, Number: 2, Seed: &seed, Kinds: []string{"wall"}}, `"next":"10"`},
		{&job.Clues{Puzzle: job.Puzzle{Board: "2x2", Pieces: []string{"domino=any"}}, Number: 1, Seed: &seed, Grade: "hard"}, "problem 422: found 0 puzzles, but the last 1000 random tilings gave no puzzle"},
		{&job.List{Puzzle: p, After: &after}, "problem 400: after is not the cursor of a tiling of this puzzle"},
	}
}

// TestMixed: jobs of all kinds, most of them twice, are done once each, within the memory.
func TestMixed(t *testing.T) {
	each(t, func(t *testing.T, set settings) {
		set.memory = 512 << 20
		s := serve(t, set)
		var most atomic.Int64
		s.spies.child = func(int, bool) {
			for now, m := s.budget.held(), most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
			}
		}
		all := mixed()
		var jobs []queue.Job
		for i := range 2 * len(all) {
			if s.unknown(); i%3 == 0 {
				s.known(1000, 30<<20)
			}
			jobs = append(jobs, s.submit(all[i%len(all)].r))
		}
		s.work()
		for i, j := range jobs {
			got, want := "", all[i%len(all)].want
			if j = s.ended(j.ID); j.State == client.Failed {
				got = problem(j)
			} else {
				text, err := s.Answer(t.Context(), j)
				if err == nil && HasOutput(j.Kind) {
					var more string
					more, err = s.all(j)
					text = append(text, more...)
				}
				if got = string(text); err != nil {
					t.Error(err)
				}
			}
			if !strings.Contains(got, want) || j.Attempts != 1 {
				t.Errorf("%s after %d attempts: %s, want %s", j.Kind, j.Attempts, got, want)
			}
		}
		s.clean()
		if most.Load() == 0 || most.Load() > 384<<20 || s.budget.held() != 0 {
			t.Errorf("children were given %d bytes at once, and %d at the end", most.Load(), s.budget.held())
		}
		if n := s.watched.of("started"); n >= len(jobs) {
			t.Errorf("%d children for %d jobs of which half are the same", n, len(jobs))
		}
	})
}

// TestTwo: two processes share jobs. Each job is done once, and each process finds the answers of the
// other.
func TestTwo(t *testing.T) {
	each(t, func(t *testing.T, set settings) {
		set.data = t.TempDir()
		a, b := serve(t, set), serve(t, set)
		a.unknown()
		b.unknown()
		a.work()
		b.work()
		var jobs []queue.Job
		for n := range 12 {
			s := []*service{a, b}[n%2]
			jobs = append(jobs, s.submit(dominoes(fmt.Sprintf("2x%d", n+1))))
		}
		for n, before, count := 0, 1, 1; n < 12; n, before, count = n+1, count, before+count {
			j := a.ended(jobs[n].ID)
			if got := b.counted(j); got != fmt.Sprint(count) || j.Attempts != 1 {
				t.Errorf("2x%d: %s after %d attempts, want %d", n+1, got, j.Attempts, count)
			}
		}
		a.done()
		b.clean()
	})
}

// problem returns the problem of a failed job as text.
func problem(j queue.Job) string {
	var p client.Problem
	if err := json.Unmarshal(j.Failure, &p); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("problem %d: %s", p.Status, p.Detail)
}

// TestSharedJobs: of jobs with the same key one works, and the others get its answer.
func TestSharedJobs(t *testing.T) {
	s := serve(t, settings{})
	s.unknown()
	var jobs []queue.Job
	for range 4 {
		jobs = append(jobs, s.submit(dominoes("8x8")))
	}
	s.work()
	for _, j := range jobs {
		if got := s.counted(s.ended(j.ID)); got != "12988816" {
			t.Error(got)
		}
	}
	if n := s.watched.of("started"); n != 1 {
		t.Errorf("%d children, want one", n)
	}
	s.clean()
}

// levels returns a note that calls do after a checkpoint of at least this level.
func levels(level int, do func(*task)) func(*task, job.Note) {
	return func(t *task, n job.Note) {
		for i := 0; i+1 < len(n.Fields); i += 2 {
			if n.Fields[i] == "level" && fmt.Sprint(n.Fields[i+1]) >= fmt.Sprint(level) && len(fmt.Sprint(n.Fields[i+1])) >= len(fmt.Sprint(level)) {
				do(t)
			}
		}
	}
}

// sweep returns a count by a sweep of about 140 levels.
func sweep() *job.Count {
	r := dominoes("12x12")
	r.Engine = bySweep
	return r
}

const swept = "53060477521960000"

// TestKilled: the child of a count is killed at a level. The count continues from its checkpoint, and is
// right.
func TestKilled(t *testing.T) {
	each(t, func(t *testing.T, set settings) {
		for _, level := range []int{40, 1, 140}[:testkit.Size(1, 3)] {
			s := serve(t, settings{url: set.url})
			s.unknown()
			var kill sync.Once
			var last atomic.Int64
			var resumed atomic.Bool
			s.spies.child = func(pid int, alive bool) { last.Store(int64(pid)) }
			s.spies.note = func(k *task, n job.Note) {
				if strings.HasPrefix(n.Text, "continuing from level") {
					resumed.Store(true)
				}
				levels(level, func(*task) {
					kill.Do(func() { _ = syscall.Kill(int(last.Load()), syscall.SIGKILL) })
				})(k, n)
			}
			s.work()
			j := s.ended(s.submit(sweep()).ID)
			if got := s.counted(j); got != swept || j.Attempts != 2 || s.watched.of("killed") != 1 {
				t.Errorf("level %d: count %s after %d attempts, events %v", level, got, j.Attempts, s.watched.events)
			}
			s.clean()
			if !resumed.Load() && s.watched.of("started") > 1 {
				t.Errorf("level %d: the count began anew", level)
			}
		}
	})
}

// TestKilledTwice: a job whose child dies twice fails, and its problem has the reason.
func TestKilledTwice(t *testing.T) {
	s := serve(t, settings{})
	s.unknown()
	s.spies.child = func(pid int, alive bool) {
		if alive && s.watched.of("started") <= 2 {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	s.work()
	j := s.ended(s.submit(sweep()).ID)
	s.is(j, client.Failed)
	if got, want := problem(j), `was ended by the signal "killed"; 2 processes in a row died without a new checkpoint, and the work is not tried again`; !strings.Contains(got, want) || j.Attempts != 2 {
		t.Errorf("%s after %d attempts, want %s", got, j.Attempts, want)
	}
	s.clean()
}

// TestDrain: a service that is stopped queues its jobs again. The next service continues from the
// checkpoint, and the stop does not count as an attempt.
func TestDrain(t *testing.T) {
	each(t, func(t *testing.T, set settings) {
		set.data = t.TempDir()
		s := serve(t, set)
		s.unknown()
		reached := make(chan bool)
		var once sync.Once
		s.spies.note = levels(10, func(k *task) {
			once.Do(func() { close(reached) })
			<-k.claim.Context().Done()
		})
		s.work()
		id := s.submit(sweep()).ID
		<-reached
		s.done()
		j := s.row(id)
		s.is(j, client.Queued)
		if left, err := os.ReadDir(s.folder(id)); j.Attempts != 1 || err != nil || len(left) == 0 {
			t.Errorf("%d attempts, checkpoints %v, %v", j.Attempts, left, err)
		}
		s.close()

		s = serve(t, set)
		resumed := make(chan bool, 1)
		s.spies.note = func(_ *task, n job.Note) {
			if strings.HasPrefix(n.Text, "continuing from level") {
				resumed <- true
			}
		}
		s.work()
		j = s.ended(id)
		if got := s.counted(j); got != swept || j.Attempts != 1 || len(resumed) != 1 {
			t.Errorf("count %s after %d attempts, resumed %d times", got, j.Attempts, len(resumed))
		}
		s.clean()
	})
}

// TestTry: a job without a forecast moves to the long lane if it takes too long for the short lane.
func TestTry(t *testing.T) {
	s := serve(t, settings{})
	s.unknown()
	s.tryTime = 1
	s.work()
	id := s.submit(endless()).ID
	testkit.Until(t, "the long lane", func() bool {
		j := s.row(id)
		return j.Lane == queue.Long && j.State == client.Running && j.Attempts == 1
	})
	testkit.Until(t, "the second child", func() bool { return s.watched.of("started") == 2 && s.watched.of("ended") == 1 })
	if j := s.row(id); j.Worked != 0 || s.budget[queue.Short].held() != 0 || s.budget[queue.Long].held() == 0 {
		t.Errorf("it was queued in between, or has a share of the short lane: %+v", j)
	}
	if _, err := s.queue.Cancel(t.Context(), id, ""); err != nil {
		t.Fatal(err)
	}
	s.is(s.ended(id), client.Canceled)
	s.clean()
}

// TestTryWaits: a job that is too long for the short lane is queued if the long lane has no room. Its
// attempts do not decrease, and the times of its tries are added.
func TestTryWaits(t *testing.T) {
	s := serve(t, settings{})
	s.unknown()
	s.tryTime = 1
	long := s.budget[queue.Long]
	long.take(long.most(), true)
	s.work()
	j, err := s.Submit(t.Context(), "somebody", 0, endless(), queue.Limits{Time: 24 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Until(t, "the long lane", func() bool {
		j = s.row(j.ID)
		return j.Lane == queue.Long && j.State == client.Queued
	})
	if j.Attempts != 1 || j.Worked == 0 {
		t.Errorf("%+v", j)
	}
	long.give(long.most())
	s.submit(dominoes("4x4")) // wakes Work
	testkit.Until(t, "the second try", func() bool { return s.row(j.ID).State == client.Running })
	if _, err := s.queue.Cancel(t.Context(), j.ID, ""); err != nil {
		t.Fatal(err)
	}
	if j = s.ended(j.ID); j.Attempts != 1 {
		t.Errorf("%d attempts", j.Attempts)
	}
	s.clean()
}

// TestMayTry: the time limit of a try.
func TestMayTry(t *testing.T) {
	for _, c := range []struct {
		parts              int
		half, wanted, want bool
	}{
		{tryParts, false, true, true},
		{tryParts + 1, false, false, false},
		{tryParts + 1, true, true, false},
		{tryParts + 1, true, false, true},
		{3 * tryParts, true, false, true},
		{3*tryParts + 1, true, false, false},
	} {
		tk := &task{}
		tk.half.Store(c.half)
		if got := tk.mayTry(c.parts, c.wanted); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestTimeOfAll: the time limit of an owner applies to the sum of all tries.
func TestTimeOfAll(t *testing.T) {
	s := serve(t, settings{})
	s.unknown()
	for worked, want := range map[time.Duration]string{0: "[done]", time.Hour: "[failed: the time limit of 1h0m0s was reached]"} {
		text, err := json.Marshal(dominoes("4x4"))
		if err != nil {
			t.Fatal(err)
		}
		f := &fake{ctx: t.Context(), job: queue.Job{ID: "abc", Kind: "count", Request: text, Lane: queue.Long, Attempts: 1}}
		f.job.Limits.Time, f.job.Worked = time.Hour, worked
		s.does(f)
		if fmt.Sprint(f.said) != want {
			t.Errorf("after %v: %v, want %s", worked, f.said, want)
		}
	}
}

// ends is a writer that calls the function.
type ends func()

func (e ends) Write(b []byte) (int, error) { e(); return len(b), nil }

// TestCursor: a list that a limit has cut short has a cursor to continue.
func TestCursor(t *testing.T) {
	s := serve(t, settings{})
	s.unknown()
	ctx, end := context.WithCancelCause(t.Context())
	text, err := json.Marshal(&job.List{Puzzle: dominoes("12x12").Puzzle})
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{ctx: ctx, job: queue.Job{ID: "abc", Kind: "list", Request: text, Lane: queue.Long, Attempts: 1}}
	s.spies.output = ends(func() { end(job.NewError(job.Limit, errors.New("the time is up"))) })
	s.does(f)
	if len(f.said) != 2 || f.said[0] != "failed: the time is up" || !strings.HasPrefix(f.said[1], "body.after: to go on after the last tiling that was found, set after to ") {
		t.Error(f.said)
	}
}

// TestLittleMemory: too little memory is an error of New, and with the least memory a job is done or its
// error has the memory that it needs.
func TestLittleMemory(t *testing.T) {
	_, err := New(nil, nil, Options{Limits: job.Limits{Memory: leastMemory - 1}})
	if err == nil || !strings.Contains(err.Error(), "expected at least 96MiB") {
		t.Error(err)
	}
	s := serve(t, settings{memory: leastMemory})
	s.unknown()
	s.disk = ""
	s.work()
	if got := s.counted(s.ended(s.submit(dominoes("8x8")).ID)); got != "12988816" {
		t.Error(got)
	}
	wide := &job.Count{Puzzle: job.Puzzle{Board: "20x20", Pieces: []string{"domino=any", "monomino=any"}}}
	j := s.ended(s.submit(wide).ID)
	if got, want := problem(j), "problem 422: the service gives a job at most 13 MB of memory, but this job needs more: ask for a smaller board, or run the service with more --memory"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	s.clean()
}

// TestPlan: a count whose plan is a long sweep begins again with checkpoints, and reports its plan.
func TestPlan(t *testing.T) {
	s := serve(t, settings{})
	s.known(1000, 100<<20)
	r := endless()
	r.Engine = ""
	r.Puzzle.Board = "16x16"
	saved := make(chan bool)
	var once sync.Once
	s.spies.note = levels(1, func(*task) { once.Do(func() { close(saved) }) })
	s.work()
	id := s.submit(r).ID
	<-saved
	testkit.Until(t, "the plan", func() bool { return s.row(id).Plan != nil })
	if _, err := s.queue.Cancel(t.Context(), id, ""); err != nil {
		t.Fatal(err)
	}
	s.is(s.ended(id), client.Canceled)
	s.clean()
}

// TestRoomElsewhere: a job goes to the process that has memory for it, also if a process without
// free memory saw the job first.
func TestRoomElsewhere(t *testing.T) {
	each(t, func(t *testing.T, set settings) {
		set.data = t.TempDir()
		full, idle := serve(t, set), serve(t, set)
		long := full.budget[queue.Long]
		long.take(long.most(), true)
		full.known(1000, 1<<20)
		full.work()
		j := full.submit(dominoes("8x8"))
		testkit.Until(t, "a look of the process without memory", func() bool { return long.wanted.Load() })
		idle.work()
		if got := full.counted(full.ended(j.ID)); got != "12988816" {
			t.Error(got)
		}
		testkit.Until(t, "a look that finds no job", func() bool { return !long.wanted.Load() })
		long.give(long.most())
		full.done()
		idle.clean()
	})
}

// TestEqualJobsWaitOutside: a job that waits for a running job with its key does not block the short
// lane.
func TestEqualJobsWaitOutside(t *testing.T) {
	s := serve(t, settings{})
	s.unknown()
	var jobs []queue.Job
	for range 5 {
		jobs = append(jobs, s.submit(dominoes("8x8")))
	}
	another := s.submit(dominoes("6x6"))
	s.spies.child = func(int, bool) {
		testkit.Until(t, "two children at once", func() bool { return s.watched.of("started") == 2 })
	}
	s.work()
	for i, j := range append(jobs, another) {
		if got := s.counted(s.ended(j.ID)); got != []string{"12988816", "6728"}[i/5] {
			t.Error(got)
		}
	}
	s.clean()
}
