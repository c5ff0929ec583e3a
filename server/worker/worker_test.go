package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/test/queuetest"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/child"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/store"
)

// childVariable makes this program a child.
const childVariable = "PAVAGE_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		os.Exit(child.Main(os.Stdin, os.Stdout))
	}
	code := queuetest.Main(m)
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Println("goroutines are left:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// service is a worker with the parts that it needs.
type service struct {
	*Worker
	t       *testing.T
	data    string
	queue   *queue.Queue
	store   *store.Store
	watched *watched
	done    func() // ends Work, and waits until it has returned
	closed  sync.Once
	begun   sync.Once
}

// nobody is an observer that ignores all calls.
type nobody struct{}

func (nobody) Known(job.Kind)          {}
func (nobody) Quick(job.Kind)          {}
func (nobody) Queued(job.Kind)         {}
func (nobody) Counted(job.Kind, int64) {}
func (nobody) Child(string)            {}

// watched counts the calls of a worker.
type watched struct {
	nobody
	mu     sync.Mutex
	events map[string]int
}

func (w *watched) count(event string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.events == nil {
		w.events = map[string]int{}
	}
	w.events[event]++
}

func (w *watched) of(event string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.events[event]
}

func (w *watched) Known(job.Kind)     { w.count("known") }
func (w *watched) Quick(job.Kind)     { w.count("quick") }
func (w *watched) Queued(job.Kind)    { w.count("queued") }
func (w *watched) Child(event string) { w.count(event) }

// settings of a service in tests.
type settings struct {
	data   string // "": a new folder
	memory int64
	url    string // URL of Postgres; "": SQLite
}

// serve makes a service. It takes jobs only after a call of work.
func serve(t *testing.T, set settings) *service {
	t.Helper()
	s := &service{t: t, data: set.data, watched: &watched{}, done: func() {}}
	if s.data == "" {
		s.data = t.TempDir()
	}
	if set.memory == 0 {
		set.memory = 1 << 30
	}
	o := queue.Options{Worker: fmt.Sprintf("%p", s), Lease: time.Minute, Poll: 5 * time.Millisecond, Report: func(event string, err error) { t.Logf("queue: %s: %v", event, err) }}
	var err error
	if set.url != "" {
		s.queue, err = queue.OpenPostgres(t.Context(), set.url, o)
	} else {
		s.queue, err = queue.OpenSQLite(t.Context(), filepath.Join(s.data, "pavage.db"), o)
	}
	if err != nil {
		t.Fatal(err)
	}
	if s.store, err = store.Open(filepath.Join(s.data, "store"), store.Options{Quota: 1 << 30, Keep: time.Hour}); err != nil {
		t.Fatal(err)
	}
	s.Worker, err = New(s.queue, s.store, Options{
		Limits: job.Limits{Memory: set.memory, Threads: 2}, Data: s.data, CheckpointEvery: time.Nanosecond,
		Child: child.Options{Env: []string{childVariable + "=1"}}, Log: zerolog.New(zerolog.NewTestWriter(t)), Metrics: s.watched,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.tryTime, s.quick.limits.Time, s.quick.wait, s.quick.look, s.quick.source = time.Hour, 0, time.Hour, time.Hour, time.Hour // a busy machine is slow
	t.Cleanup(s.close)
	return s
}

func (s *service) close() { s.closed.Do(s.end) }

func (s *service) end() {
	s.done()
	if err := s.Worker.Close(); err != nil {
		s.t.Error(err)
	}
	if err := s.queue.Close(); err != nil {
		s.t.Error(err)
	}
	if err := s.store.Close(); err != nil {
		s.t.Error(err)
	}
}

// work takes jobs until the test ends, or done is called.
func (s *service) work() *service {
	s.begun.Do(s.begin)
	return s
}

func (s *service) begin() {
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() { s.Work(ctx) })
	s.done = sync.OnceFunc(func() { cancel(); working.Wait() })
}

// Draw is Worker.Draw, but waits for the job of a large source.
func (s *service) Draw(ctx context.Context, r *job.Sample, l queue.Limits, watch job.Watch) (a *job.Sampled, err error) {
	err = s.ready(ctx, l, func() error {
		a, err = s.Worker.Draw(ctx, r, l, watch)
		return err
	})
	return a, err
}

// Tiling is Worker.Tiling, but waits for the job of a large source.
func (s *service) Tiling(ctx context.Context, p job.Puzzle, c job.Conditions, rank string, l queue.Limits) (f *Found, err error) {
	err = s.ready(ctx, l, func() error {
		f, err = s.Worker.Tiling(ctx, p, c, rank, l)
		return err
	})
	return f, err
}

func (s *service) ready(ctx context.Context, l queue.Limits, draw func() error) error {
	for {
		err := draw()
		var large *Large
		if !errors.As(err, &large) {
			return err
		}
		j, err := s.work().Submit(ctx, "somebody", 0, large.Request, l)
		if err != nil {
			return err
		}
		if j = s.ended(j.ID); j.State != client.Done {
			p := new(client.Problem)
			return errors.Join(json.Unmarshal(j.Failure, p), p)
		}
	}
}

// known makes this forecast the forecast of all requests.
func (s *service) known(seconds float64, bytes int64) {
	s.spies.forecast = func(job.Request) job.Forecast { return job.Forecast{Seconds: seconds, Bytes: bytes, Known: true} }
}

// unknown makes all forecasts unknown, so that nothing is quick.
func (s *service) unknown() {
	s.spies.forecast = func(job.Request) job.Forecast { return job.Forecast{} }
}

func (s *service) submit(r job.Request) queue.Job {
	s.t.Helper()
	j, err := s.Submit(s.t.Context(), "somebody", 0, r, queue.Limits{})
	if err != nil {
		s.t.Fatal(err)
	}
	return j
}

// row returns the present state of a job.
func (s *service) row(id string) queue.Job {
	s.t.Helper()
	j, err := s.queue.Get(s.t.Context(), id, "")
	if err != nil {
		s.t.Fatal(err)
	}
	return j
}

// ended waits until a job has ended.
func (s *service) ended(id string) queue.Job {
	s.t.Helper()
	testkit.Until(s.t, "the end of job "+id, func() bool { return s.row(id).State.Ended() })
	return s.row(id)
}

// is checks how a job has ended.
func (s *service) is(j queue.Job, want client.State) {
	s.t.Helper()
	if j.State != want {
		s.t.Errorf("job %s is %s %s, want %s", j.ID, j.State, j.Failure, want)
	}
}

// counted returns the count of a job that is done.
func (s *service) counted(j queue.Job) string {
	s.t.Helper()
	s.is(j, client.Done)
	text, err := s.Answer(s.t.Context(), j)
	if err != nil {
		s.t.Fatal(err)
	}
	var a struct{ Count string }
	if err := json.Unmarshal(text, &a); err != nil {
		s.t.Fatal(err)
	}
	return a.Count
}

// clean checks that no job has left a file behind.
func (s *service) clean() {
	s.t.Helper()
	s.done()
	for _, dir := range []string{checkpoints, temporary} {
		left, err := os.ReadDir(filepath.Join(s.data, dir))
		if err != nil || len(left) > 0 {
			s.t.Errorf("%s has %v, %v, want nothing", dir, left, err)
		}
	}
}

func dominoes(board string) *job.Count {
	return &job.Count{Puzzle: job.Puzzle{Board: board, Pieces: []string{"domino=any"}}}
}

// titled returns a request to count a 2x3 board of dominoes with this title.
func titled(title string) *job.Count {
	return &job.Count{Puzzle: job.Puzzle{Text: fmt.Sprintf("title: %s\nboard: 2x3\npieces:\n  - name: domino\n    shape: \"##\"\n    copies: any\n", title)}}
}
