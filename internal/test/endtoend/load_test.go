package endtoend

import (
	"flag"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/test/testkit"
)

// TestMany: 200 small jobs of several clients are all done once, and right.
func TestMany(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		rng := rand.New(rand.NewPCG(1, 200))
		v := fresh(t, database).serve(t)
		var todo []wanted
		for range rounds(database, 200, 200) {
			todo = append(todo, tiny(t, rng))
		}
		jobs := newJobs()
		var all sync.WaitGroup
		for part := range 4 {
			all.Go(func() {
				for i := part; i < len(todo); i += 4 {
					if err := jobs.submit(v, todo[i]); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		v.allOnce(jobs.accepted())
		if n := len(jobs.accepted()); n != len(todo) {
			t.Errorf("%d jobs of %d requests", n, len(todo))
		}
		for id, lines := range v.traces() {
			if n := number(lines, func(l line) bool { return l.Message == begun }); n > 1 {
				t.Errorf("job %s was begun %d times: %+v", id, n, lines)
			}
		}
		v.stop()
		v.untilGone(t)
		v.leavesNothing(t)
	})
}

// jobs are those whose Submit has returned.
type jobs struct {
	mu  sync.Mutex
	all map[string]wanted
}

func newJobs() *jobs { return &jobs{all: map[string]wanted{}} }

// submit submits a count, and notes its job if the service has accepted it.
func (j *jobs) submit(v *service, w wanted) error {
	accepted, err := v.client().Submit(v.t.Context(), w.r, w.limits, 0)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.all[accepted.ID] = w
	return nil
}

func (j *jobs) accepted() map[string]wanted {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.all
}

// load submits one job after another until the service is gone, and then returns how many
// it has accepted.
func (j *jobs) load(v *service, next func() wanted) (n int) {
	for j.submit(v, next()) == nil {
		n++
	}
	return n
}

// moment waits for a random line of the log, and then a little. It asks for something again
// and again, which is logged, so that there is always a next line.
func (v *service) moment(rng *rand.Rand, lines int) {
	after := v.log.after(1 + rng.IntN(lines))
	for waiting := v.url != ""; waiting; {
		select {
		case <-after:
			waiting = false
		case <-v.ended:
			waiting = false
		default:
			v.get("/healthz")
		}
	}
	for range rng.IntN(2000) {
		runtime.Gosched()
	}
}

// times makes chance try more: with 10, the long run kills a service at 150 moments.
var times = flag.Int("times", 1, "a factor on the number of things done at random moments")

// rounds is the number of times that a test does something to a service on the database: on
// Postgres a fifth of the long run, since the runs with SQLite test most of the same code.
func rounds(database string, short, long int) int {
	if database != "" {
		long = max(1, long/5)
	}
	return testkit.Size(short, long) * *times
}

// stateOf is the state of a job now.
func (v *service) stateOf(id string) client.State {
	return must(v.client().Get(v.t.Context(), id))(v.t).State
}
