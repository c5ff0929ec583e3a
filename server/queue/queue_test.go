package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/test/queuetest"
	"github.com/pavage/pavage/job"
)

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		beChild()
		return
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

// opener opens a database of a test, like one of several processes.
type opener struct {
	t    *testing.T
	name string // "sqlite" or "postgres"
	at   string // path or URL
}

// each runs a test on both databases.
func each(t *testing.T, test func(t *testing.T, o *opener)) {
	t.Run("sqlite", func(t *testing.T) {
		test(t, &opener{t: t, name: "sqlite", at: filepath.Join(t.TempDir(), "pavage.db")})
	})
	t.Run("postgres", func(t *testing.T) {
		test(t, &opener{t: t, name: "postgres", at: queuetest.Postgres(t)})
	})
}

// brisk has options for tests with frequent polls. A lease is longer than any pause of a running test
// process, so that it ends only on purpose.
func brisk() Options { return Options{Lease: time.Minute, Poll: 5 * time.Millisecond} }

func openAt(ctx context.Context, name, at string, o Options) (*Queue, error) {
	if name == "sqlite" {
		return OpenSQLite(ctx, at, o)
	}
	return OpenPostgres(ctx, at, o)
}

func (o *opener) open(options Options) *Queue {
	o.t.Helper()
	if options.Report == nil {
		options.Report = func(event string, err error) { o.t.Logf("reported: %s: %v", event, err) }
	}
	q, err := openAt(o.t.Context(), o.name, o.at, options)
	if err != nil {
		o.t.Fatal(err)
	}
	o.t.Cleanup(func() {
		if err := q.Close(); err != nil {
			o.t.Error(err)
		}
	})
	return q
}

// doing is a task that reserves nothing.
type doing func(Claim)

func (do doing) Do(c Claim) { do(c) }
func (doing) Release()      {}

// work runs Work until the test ends, or stop is called. It admits all jobs.
func (o *opener) work(q *Queue, do func(Claim)) (stop func()) {
	return o.admit(q, func(Job) Task { return doing(do) })
}

func (o *opener) admit(q *Queue, admit func(Job) Task) (stop func()) {
	ctx, cancel := context.WithCancel(o.t.Context())
	var working sync.WaitGroup
	working.Go(func() { q.Work(ctx, admit, func(Lane) {}) })
	stop = sync.OnceFunc(func() { cancel(); working.Wait() })
	o.t.Cleanup(stop)
	return stop
}

func example() Job {
	return Job{
		Owner: "ada", Kind: "count", Request: json.RawMessage(`{"kind":"count"}`), Lane: Long,
		Limits: Limits{Memory: 1 << 30, Threads: 2, Time: time.Minute}, Bytes: 5 << 20, Seconds: 1.5,
	}
}

func add(t *testing.T, q *Queue, j Job) Job {
	t.Helper()
	j, err := q.Add(t.Context(), j, 0)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func get(t *testing.T, q *Queue, id string) Job {
	t.Helper()
	j, err := q.Get(t.Context(), id, "")
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// await waits until a job is in a state.
func await(t *testing.T, q *Queue, id string, s client.State) Job {
	t.Helper()
	for after := int64(0); ; {
		j, err := q.Watch(t.Context(), id, after)
		if err != nil {
			t.Fatal(err)
		}
		if j.State == s {
			return j
		}
		if j.State.Ended() {
			t.Fatalf("the job is %s, want %s", j.State, s)
		}
		after = j.Version
	}
}

// TestAdd: when Add returns, the job is committed with all its fields: a process that opens the database
// sees it.
func TestAdd(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(brisk())
		want := add(t, q, example())
		if !isID(want.ID) || want.State != client.Queued || want.Version != 1 || want.Created.IsZero() || want.Attempts != 0 {
			t.Errorf("added: %+v", want)
		}
		done := example()
		done.State, done.Key = client.Done, "count/abc"
		if done = add(t, q, done); done.State != client.Done || done.Ended.IsZero() || done.Started.IsZero() || done.Key != "count/abc" {
			t.Errorf("added as done: %+v", done)
		}
		other := o.open(brisk())
		got := get(t, other, want.ID)
		if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
		e := example()
		e.ID, e.State, e.Version, e.Created = got.ID, got.State, got.Version, got.Created
		if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", e) {
			t.Errorf("got   %+v\nasked %+v", got, e)
		}
		for _, s := range []client.State{client.Done, client.Running, "x"} {
			bad := example()
			bad.State = s
			if _, err := q.Add(t.Context(), bad, 0); err == nil {
				t.Errorf("a job was added as %q without a key", s)
			}
		}
		if err := q.Ping(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestOwner: an owner cannot see or cancel the job of another owner. A malformed id does not exist.
func TestOwner(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(brisk())
		j := add(t, q, example())
		if got, err := q.Get(t.Context(), j.ID, "ada"); err != nil || got.ID != j.ID {
			t.Errorf("the owner: %+v, %v", got, err)
		}
		strange := []string{"", "x", "../" + j.ID, strings.ToUpper(j.ID), j.ID + "a", j.ID[1:] + "1", NewID(), strings.Repeat("a", 1<<20)}
		for _, who := range []struct{ id, owner string }{{j.ID, "eve"}, {j.ID, "ada "}} {
			if _, err := q.Get(t.Context(), who.id, who.owner); !errors.Is(err, ErrAbsent) {
				t.Errorf("Get by %q: %v", who.owner, err)
			}
			if _, err := q.Cancel(t.Context(), who.id, who.owner); !errors.Is(err, ErrAbsent) {
				t.Errorf("Cancel by %q: %v", who.owner, err)
			}
		}
		for _, id := range strange {
			_, e1 := q.Get(t.Context(), id, "")
			_, e2 := q.Cancel(t.Context(), id, "")
			_, e3 := q.Watch(t.Context(), id, 0)
			for _, err := range []error{e1, e2, e3} {
				if !errors.Is(err, ErrAbsent) {
					t.Errorf("id %.30q: %v", id, err)
				}
			}
		}
		if got := get(t, q, j.ID); got.State != client.Queued || got.Version != 1 {
			t.Errorf("after all that: %+v", got)
		}
	})
}

// TestMost: of many jobs that an owner adds at once, the allowed number is accepted. Jobs of other
// owners, jobs that have ended and jobs that are added as done do not count.
func TestMost(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(Options{})
		another := example()
		another.Owner = "eve"
		add(t, q, another)
		if _, err := q.Cancel(t.Context(), add(t, q, example()).ID, ""); err != nil {
			t.Fatal(err)
		}
		const most, tries = 3, 20
		var accepted, refused atomic.Int64
		var going sync.WaitGroup
		for range tries {
			going.Go(func() {
				_, err := q.Add(t.Context(), example(), most)
				var many *TooMany
				switch {
				case err == nil:
					accepted.Add(1)
				case errors.As(err, &many) && *many == TooMany{Active: most, Most: most}:
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		going.Wait()
		if accepted.Load() != most || refused.Load() != tries-most {
			t.Errorf("%d jobs accepted and %d refused, want %d and %d", accepted.Load(), refused.Load(), most, tries-most)
		}
		done := example()
		done.State, done.Key = client.Done, "k"
		if _, err := q.Add(t.Context(), done, most); err != nil {
			t.Errorf("a job that is done: %v", err)
		}
	})
}

// TestIDs: ids have 128 random bits in lower-case letters and digits, and differ.
func TestIDs(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		id := NewID()
		if seen[id] || !isID(id) || strings.ToLower(id) != id || len(id) != 26 {
			t.Fatal(id)
		}
		seen[id] = true
	}
}

// TestLife: a job has progress and a plan before it is done. Its version rises with each change, and a
// watcher in another process sees each change.
func TestLife(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q, other := o.open(brisk()), o.open(brisk())
		written := make(chan bool)
		o.work(q, func(c Claim) {
			ctx := c.Context()
			if j := c.Job(); j.State != client.Running || j.Attempts != 1 || j.Started.IsZero() || ctx.Err() != nil {
				t.Errorf("claimed: %+v", j)
			}
			c.Plan(&job.Plan{})
			for i := range 100 {
				c.Progress(client.Progress{Left: float64(i)})
			}
			<-written
			if err := c.Done(t.Context(), "key"); err != nil || !errors.Is(ctx.Err(), context.Canceled) {
				t.Error(err, ctx.Err())
			}
			if err := c.Failed(context.Background(), client.Problem{}); !errors.Is(err, ErrLost) {
				t.Errorf("failed after it was done: %v", err)
			}
		})
		j := add(t, q, example())
		versions, told := []int64{j.Version}, false
		for !j.State.Ended() {
			var err error
			if j, err = other.Watch(t.Context(), j.ID, j.Version); err != nil {
				t.Fatal(err)
			}
			if j.Version <= versions[len(versions)-1] {
				t.Errorf("version %d after %v", j.Version, versions)
			}
			versions = append(versions, j.Version)
			if strings.Contains(string(j.Progress), "99") && !told {
				told = true
				close(written)
			}
		}
		if j.State != client.Done || j.Key != "key" || j.Ended.IsZero() || len(j.Plan) == 0 || j.Attempts != 1 {
			t.Errorf("at the end: %+v", j)
		}
		if len(versions) > 8 {
			t.Errorf("versions %v: more writes than there is time for", versions)
		}
		if again, err := other.Watch(t.Context(), j.ID, j.Version+5); err != nil || again.Version != j.Version {
			t.Errorf("watched after its end: %+v, %v", again, err)
		}
	})
}

// TestFailed: a job that failed has its problem.
func TestFailed(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q := o.open(brisk())
		o.work(q, func(c Claim) {
			if c.Job().Lane == Short {
				panic("a mistake")
			}
			if err := c.Failed(t.Context(), client.Problem{Detail: "too large"}); err != nil {
				t.Error(err)
			}
		})
		long := example()
		if j := await(t, q, add(t, q, long).ID, client.Failed); !strings.Contains(string(j.Failure), "too large") {
			t.Errorf("failure %s", j.Failure)
		}
		short := example()
		short.Lane = Short
		if j := await(t, q, add(t, q, short).ID, client.Failed); !strings.Contains(string(j.Failure), "panic") {
			t.Errorf("failure %s", j.Failure)
		}
	})
}

// TestOneClaim: one of eight workers gets a job.
func TestOneClaim(t *testing.T) {
	each(t, func(t *testing.T, o *opener) {
		q, other := o.open(brisk()), o.open(brisk())
		j := add(t, q, example())
		var claims, taken testCounter
		var all sync.WaitGroup
		for i := range 8 {
			q := []*Queue{q, other}[i%2]
			all.Go(func() {
				switch _, err := q.claimFree(t.Context(), j); {
				case err == nil:
					claims.add()
				case errors.Is(err, errNone):
					taken.add()
				default:
					t.Error(err)
				}
			})
		}
		all.Wait()
		if claims.n != 1 || taken.n != 7 {
			t.Errorf("%d claims, %d taken", claims.n, taken.n)
		}
		if j := get(t, q, j.ID); j.Attempts != 1 || j.State != client.Running {
			t.Errorf("%+v", j)
		}
	})
}

type testCounter struct {
	mu sync.Mutex
	n  int
}

func (c *testCounter) add() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.n
}

func (c *testCounter) get() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

// TestAtOnce: a process that adds a job or puts it back also does it without waiting for a poll. Only
// SQLite can show this, since it has a change counter.
func TestAtOnce(t *testing.T) {
	options := brisk()
	options.Poll, options.Lease = time.Hour, time.Hour
	o := &opener{t: t, name: "sqlite", at: filepath.Join(t.TempDir(), "pavage.db")}
	q := o.open(options)
	do, made := claims()
	o.work(q, do)
	for _, l := range []Lane{Long, Short} {
		j := example()
		j.Lane = l
		for range 3 {
			add(t, q, j)
			c := <-made
			if err := c.Requeue(t.Context(), Stopped); err != nil {
				t.Error(err)
			}
			c.leave()
			c = <-made
			if err := c.Done(t.Context(), "x"); err != nil {
				t.Error(err)
			}
			c.leave()
		}
	}
}
