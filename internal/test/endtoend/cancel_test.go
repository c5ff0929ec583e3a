package endtoend

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/job"
)

// few is the number of goroutines that come and go independently of canceled jobs, such as the
// goroutines of a connection of the database. It is less than the number of canceled jobs, so that
// a goroutine left by each job would be found.
const few = 8

// TestCancels: whatever the moment at which a job is canceled, it ends, and leaves no
// process, no goroutine and no file.
func TestCancels(t *testing.T) {
	onBoth(t, func(t *testing.T, database string) {
		v := fresh(t, database, often...).serve(t)
		v.works() // caches and connections are made before the goroutines are counted
		v.cancelFive(0)
		processes, goroutines := v.rest(), v.goroutines()
		for first := range rounds(database, 4, 30) {
			v.cancelFive(1 + first)
		}
		testkit.Until(t, "the end of all children", func() bool { return v.rest() <= processes })
		testkit.Until(t, "the end of all goroutines", func() bool { return v.goroutines() <= goroutines+few })
		v.leavesNothing(t)
		v.stop()
		v.untilGone(t)
	})
}

// works waits until the service has done a job in a child: then it has begun with all that it
// does.
func (v *service) works() {
	v.t.Helper()
	jobs := newJobs()
	if err := jobs.submit(v, tinies(v.t)[0]); err != nil {
		v.t.Fatal(err)
	}
	v.allOnce(jobs.accepted())
}

// cancelFive cancels jobs of five kinds beside each other.
func (v *service) cancelFive(round int) {
	var all sync.WaitGroup
	for kind := range 5 {
		rng := rand.New(rand.NewPCG(uint64(round), uint64(kind)))
		all.Go(func() { v.cancelAt(rng, kind) })
	}
	all.Wait()
}

// cancelAt submits a job and cancels it at some moment.
func (v *service) cancelAt(rng *rand.Rand, kind int) {
	c, ctx := v.client(), v.t.Context()
	requests := []job.Request{
		endless(), // with checkpoints
		&job.Count{Puzzle: job.Puzzle{Board: "8x8", Pieces: []string{"pentominoes", "O4"}}, Engine: "search"},
		&job.Certify{Puzzle: job.Puzzle{Board: "24x24", Pieces: []string{"domino=any"}}},
		&job.Sample{Puzzle: board, Number: 10_000_000},
		&job.List{Puzzle: board},
	}
	j, err := c.Submit(ctx, requests[kind], client.Limits{Threads: 1}, 0)
	if err != nil {
		v.t.Error(err)
		return
	}
	v.moment(rng, 60)
	if _, err = c.Cancel(ctx, j.ID); err != nil {
		v.t.Error(err)
	}
	if j, err = c.Wait(ctx, j.ID); err != nil || j.State != client.Canceled && j.State != client.Done {
		v.t.Errorf("%+v, %v", j, err)
	}
}

// rest returns the number of processes of the service.
func (v *service) rest() int { return len(v.processes()) }

var goroutinesLine = regexp.MustCompile(`(?m)^go_goroutines (\d+)$`)

// goroutines is the number of goroutines that the service reports, while only this request is
// connected.
func (v *service) goroutines() int {
	v.http.CloseIdleConnections()
	m := goroutinesLine.FindStringSubmatch(v.get("/metrics"))
	if m == nil {
		v.t.Fatal("the metrics have no go_goroutines")
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// BenchmarkCancel is the time from the wish to cancel a job that runs to its end, as a
// client sees both.
func BenchmarkCancel(b *testing.B) {
	v := fresh(b, "", often...).serve(b)
	c, ctx := v.client(), b.Context()
	var took []time.Duration
	for b.Loop() {
		j := must(c.Submit(ctx, endless(), client.Limits{Threads: 1}, 0))(b)
		for now, err := range c.Events(ctx, j.ID) {
			if err != nil {
				b.Fatal(err)
			}
			if now.Progress != nil {
				break
			}
		}
		begin := b.Elapsed()
		must(c.Cancel(ctx, j.ID))(b)
		must(c.Wait(ctx, j.ID))(b)
		took = append(took, b.Elapsed()-begin)
	}
	slices.Sort(took)
	for name, part := range map[string]int{"p50-ms": 50, "p99-ms": 99, "max-ms": 100} {
		b.ReportMetric(took[min(len(took)*part/100, len(took)-1)].Seconds()*1000, name)
	}
}
