package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/store"
	"github.com/pavage/pavage/server/worker"
)

var (
	_ worker.Queue = (*Jobs)(nil)
	_ worker.Store = (*Files)(nil)
)

// memory is a journal in memory.
type memory struct {
	mu   sync.Mutex
	kept map[string]Record
}

func newMemory() *memory { return &memory{kept: map[string]Record{}} }

func (m *memory) Keep(kind, key string, record []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept[kind+" "+key] = Record{kind, key, slices.Clone(record)}
}

func (m *memory) Drop(kind, key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.kept, kind+" "+key)
}

func (m *memory) records() []Record {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Collect(maps.Values(m.kept))
}

// doing is a task that needs no memory.
type doing func(queue.Claim)

func (do doing) Do(c queue.Claim) { do(c) }
func (doing) Release()            {}

// work does the jobs in the background until stop is called.
func work(jobs *Jobs, do func(queue.Claim)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var going sync.WaitGroup
	going.Go(func() {
		jobs.Work(ctx, func(queue.Job) queue.Task { return doing(do) }, func(queue.Lane) {})
	})
	return func() { cancel(); going.Wait() }
}

func add(t *testing.T, jobs *Jobs, of queue.Job) queue.Job {
	t.Helper()
	j, err := jobs.Add(t.Context(), of, 0)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func key(n int) string { return fmt.Sprintf("%064d", n) }

// restore is [Restore] with a clock that a test moves.
func restore(m *memory) (jobs *Jobs, files *Files, clock *time.Duration) {
	jobs, files = Restore(m.records(), m)
	clock = new(time.Duration)
	jobs.now = func() time.Time { return time.Unix(0, 0).Add(*clock) }
	return jobs, files, clock
}

// TestJobsAreDoneInTurn: jobs of a lane end in their order, one with a running key waits, and a watch
// sees each end.
func TestJobsAreDoneInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		jobs, _, clock := restore(newMemory())
		claims := make(chan queue.Claim)
		release := make(chan bool)
		var want []string
		for range 3 {
			want = append(want, add(t, jobs, queue.Job{Key: key(1)}).ID)
			*clock += time.Second
		}
		stop := work(jobs, func(c queue.Claim) {
			claims <- c
			<-release
			c.Progress(client.Progress{Left: 1})
			if err := c.Done(t.Context(), c.Job().Key); err != nil {
				t.Error(err)
			}
		})
		for _, id := range want {
			c := <-claims
			if c.Job().ID != id {
				t.Errorf("job %s is done, want %s", c.Job().ID, id)
			}
			synctest.Wait()
			select {
			case other := <-claims:
				t.Errorf("jobs %s and %s with the same key run", id, other.Job().ID)
			default:
			}
			release <- true
			for seen := int64(0); ; {
				j, err := jobs.Watch(t.Context(), id, seen)
				if err != nil || j.Version <= seen {
					t.Fatalf("version %d after %d, %v", j.Version, seen, err)
				}
				if seen = j.Version; j.State.Ended() {
					break
				}
			}
		}
		stop()
	})
}

// TestCancel: a queued job is canceled at once, a running one when its holder has stopped.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		jobs, _ := Restore(nil, newMemory())
		first := add(t, jobs, queue.Job{Owner: "a"})
		if _, err := jobs.Cancel(t.Context(), first.ID, "b"); !errors.Is(err, queue.ErrAbsent) {
			t.Errorf("canceled by another owner: %v", err)
		}
		if j, err := jobs.Cancel(t.Context(), first.ID, "a"); err != nil || j.State != client.Canceled {
			t.Errorf("%s, %v", j.State, err)
		}
		stop := work(jobs, func(c queue.Claim) {
			<-c.Context().Done()
			if cause := context.Cause(c.Context()); cause != queue.ErrCanceled {
				t.Error(cause)
			}
			if err := c.Canceled(context.Background()); err != nil {
				t.Error(err)
			}
			if err := c.Done(context.Background(), key(1)); !errors.Is(err, queue.ErrLost) {
				t.Errorf("done after the end: %v", err)
			}
		})
		second := add(t, jobs, queue.Job{})
		synctest.Wait()
		if j, err := jobs.Cancel(t.Context(), second.ID, ""); err != nil || j.State != client.Running {
			t.Errorf("%s, %v", j.State, err)
		}
		synctest.Wait()
		stop()
		if j, err := jobs.Get(t.Context(), second.ID, ""); err != nil || j.State != client.Canceled || j.Ended.IsZero() {
			t.Errorf("%+v, %v", j, err)
		}
	})
}

// TestRequeue: a job that was stopped counts as one attempt, a child that died as another, and a task
// that returns without an end is queued again.
func TestRequeue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		jobs, _ := Restore(nil, newMemory())
		j := add(t, jobs, queue.Job{})
		tries := 0
		stop := work(jobs, func(c queue.Claim) {
			switch tries++; tries {
			case 1:
				_ = c.Requeue(t.Context(), queue.Stopped)
			case 2:
				_ = c.Requeue(t.Context(), queue.Died)
			case 3: // no end
			default:
				_ = c.Failed(t.Context(), client.Problem{Title: "no"})
			}
		})
		synctest.Wait()
		stop()
		j, err := jobs.Get(t.Context(), j.ID, "")
		if err != nil || j.State != client.Failed || j.Attempts != 3 || j.Deaths != 1 || j.Lapses != 1 || !strings.Contains(string(j.Failure), "no") {
			t.Errorf("%+v, %v", j, err)
		}
	})
}

// TestPanic: a job whose task panics has failed, and others go on.
func TestPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		jobs, _, _ := restore(newMemory())
		stop := work(jobs, func(c queue.Claim) {
			if c.Job().Kind == "list" {
				panic("a mistake")
			}
			_ = c.Done(t.Context(), key(1))
		})
		bad, good := add(t, jobs, queue.Job{Kind: "list"}), add(t, jobs, queue.Job{Kind: "count"})
		synctest.Wait()
		stop()
		bad, _ = jobs.Get(t.Context(), bad.ID, "")
		good, _ = jobs.Get(t.Context(), good.ID, "")
		if bad.State != client.Failed || !strings.Contains(string(bad.Failure), "a mistake") || good.State != client.Done {
			t.Errorf("%s %s, %s", bad.State, bad.Failure, good.State)
		}
	})
}

// TestList: pages have all jobs, the newest first.
func TestList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		jobs, _, clock := restore(newMemory())
		var want []string
		for k := range 7 {
			of := queue.Job{Kind: "count", Request: json.RawMessage("{}")}
			if k == 3 {
				of.Kind = "list"
			}
			j := add(t, jobs, of)
			if k != 3 {
				want = append([]string{j.ID}, want...)
			}
			if k%2 == 0 {
				*clock += time.Second // some jobs have the same time
			}
		}
		var got []string
		for cursor := ""; ; {
			page, next, err := jobs.List(t.Context(), queue.Filter{Kind: "count", Limit: 2, Cursor: cursor})
			if err != nil {
				t.Fatal(err)
			}
			for _, j := range page {
				got = append(got, j.ID)
				if j.Request != nil {
					t.Error("a list has requests")
				}
			}
			if cursor = next; cursor == "" {
				break
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		if _, _, err := jobs.List(t.Context(), queue.Filter{Cursor: "x"}); !errors.Is(err, queue.ErrCursor) {
			t.Error(err)
		}
		if _, err := jobs.Add(t.Context(), queue.Job{}, 7); err == nil {
			t.Error("more jobs than an owner may have")
		}
	})
}

// TestRestore: ended jobs and their files are there again, a job that was running is queued, and what
// no job has is dropped.
func TestRestore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		jobs, files := Restore([]Record{{"job", "x", []byte("no JSON")}, {"answer", key(9), nil}}, m)
		stop := work(jobs, func(c queue.Claim) {
			if c.Job().Key == key(1) {
				_ = c.Done(t.Context(), key(1))
			} else {
				<-c.Context().Done()
			}
		})
		done := add(t, jobs, queue.Job{Kind: job.Kind("count"), Key: key(1), Request: json.RawMessage(`{"a":1}`), Limits: queue.Limits{Time: time.Second}})
		going := add(t, jobs, queue.Job{Key: key(2), Lane: queue.Long})
		for n := range 3 {
			k, _ := store.ParseKey(key(n))
			err := files.Put(t.Context(), store.Answer, k, func(to io.Writer) error { _, err := fmt.Fprint(to, "answer ", n); return err })
			if err != nil {
				t.Error(err)
			}
		}
		synctest.Wait()
		again, kept, clock := restore(m)
		*clock = 100 * 365 * 24 * time.Hour // later than the clock of the synctest
		stop()
		first, err := again.Get(t.Context(), done.ID, "")
		if err != nil || first.State != client.Done || string(first.Request) != `{"a":1}` || first.Limits.Time != time.Second {
			t.Errorf("%+v, %v", first, err)
		}
		if j, err := again.Get(t.Context(), going.ID, ""); err != nil || j.State != client.Queued || j.Lane != queue.Long {
			t.Errorf("%+v, %v", j, err)
		}
		for n, want := range []bool{false, true, true} {
			k, _ := store.ParseKey(key(n))
			text, err := kept.Get(store.Answer, k)
			if kept.Has(store.Answer, k) != want || want && string(text) != fmt.Sprint("answer ", n) || !want && !errors.Is(err, store.ErrAbsent) {
				t.Errorf("file %d: %q, %v", n, text, err)
			}
		}
		for range MostEnded {
			add(t, again, queue.Job{State: client.Done, Key: key(1)})
			*clock += time.Second
		}
		last, _ := Restore(m.records(), m)
		if _, err := last.Get(t.Context(), done.ID, ""); !errors.Is(err, queue.ErrAbsent) {
			t.Errorf("the oldest of %d ended jobs: %v", MostEnded+1, err)
		}
		if len(last.rows) != MostEnded+1 {
			t.Errorf("%d jobs, want those that have not ended and %d others", len(last.rows), MostEnded)
		}
	})
}
