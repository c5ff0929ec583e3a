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
	kept map[Name][]byte
}

func newMemory() *memory { return &memory{kept: map[Name][]byte{}} }

func (m *memory) Keep(of Name, record []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kept[of] = append([]byte{}, record...)
}

func (m *memory) Drop(n Name) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.kept, n)
}

func (m *memory) Names() []Name {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Collect(maps.Keys(m.kept))
}

func (m *memory) Read(n Name) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept[n]
}

// bytes returns the sum of the bytes of the files.
func (m *memory) bytes() (sum int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for n, record := range m.kept {
		if n.Kind != ofJobs {
			sum += len(record)
		}
	}
	return sum
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

// most is the largest number of bytes of the files of a test.
const most = 4000

// restore is [Restore] with a clock that a test moves.
func restore(m *memory) (jobs *Jobs, files *Files, clock *time.Duration) {
	jobs, files = Restore(m, most)
	clock = new(time.Duration)
	jobs.now = func() time.Time { return time.Unix(0, 0).Add(*clock) }
	return jobs, files, clock
}

// TestJobsAreDoneInTurn: the jobs of a lane end in order, a job with a running key waits, and a watch
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

// TestCancel: a job is canceled at once, whether it is queued or running, and it stays canceled when the
// page is closed before the holder has stopped.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		jobs, _, _ := restore(m)
		first := add(t, jobs, queue.Job{Owner: "a", Key: key(1)})
		if _, err := jobs.Cancel(t.Context(), first.ID, "b"); !errors.Is(err, queue.ErrAbsent) {
			t.Errorf("canceled by another owner: %v", err)
		}
		release := make(chan bool)
		stop := work(jobs, func(c queue.Claim) {
			<-c.Context().Done()
			if cause := context.Cause(c.Context()); cause != queue.ErrCanceled {
				t.Error(cause)
			}
			<-release
			if err := c.Canceled(context.Background()); err != nil {
				t.Error(err)
			}
			if err := c.Done(context.Background(), key(1)); !errors.Is(err, queue.ErrLost) {
				t.Errorf("done after the end: %v", err)
			}
		})
		synctest.Wait()
		second := add(t, jobs, queue.Job{Owner: "a", Key: key(1)})
		for _, id := range []string{second.ID, first.ID} { // queued, running
			j, err := jobs.Cancel(t.Context(), id, "a")
			if err != nil || j.State != client.Canceled || j.Ended.IsZero() {
				t.Errorf("%+v, %v", j, err)
			}
			if j, err := jobs.Cancel(t.Context(), id, "a"); err != nil || j.Version > 3 {
				t.Errorf("canceled again: %+v, %v", j, err)
			}
			again, _, _ := restore(m)
			if j, err := again.Get(t.Context(), id, ""); err != nil || j.State != client.Canceled {
				t.Errorf("after the page was closed: %s, %v", j.State, err)
			}
		}
		close(release)
		synctest.Wait()
		stop()
		if j, err := jobs.Get(t.Context(), first.ID, ""); err != nil || j.State != client.Canceled || j.Version != 3 {
			t.Errorf("%+v, %v", j, err)
		}
	})
}

// TestCrash: a job that ends the program at each visit is given up by its number of lapses, which rises
// although the program writes nothing when it dies.
func TestCrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		jobs, _, _ := restore(m)
		id := add(t, jobs, queue.Job{}).ID
		for visit := range 4 {
			stop := work(jobs, func(c queue.Claim) {
				if c.Job().Lapses != visit {
					t.Errorf("%d lapses at visit %d", c.Job().Lapses, visit)
				}
				<-c.Context().Done()
			})
			synctest.Wait()
			m = &memory{kept: maps.Clone(m.kept)} // the program is dead: it writes no more
			jobs, _, _ = restore(m)
			if j, err := jobs.Get(t.Context(), id, ""); err != nil || j.State != client.Queued || j.Lapses != visit+1 {
				t.Errorf("%s, %d lapses, %v", j.State, j.Lapses, err)
			}
			stop()
		}
	})
}

// TestProgress: watchers see the last progress, even after the end of the job.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		jobs, _, _ := restore(newMemory())
		end := make(chan bool)
		stop := work(jobs, func(c queue.Claim) {
			for n := range 10 {
				c.Progress(client.Progress{Left: float64(n)})
			}
			<-end
			c.Progress(client.Progress{Left: 10})
			_ = c.Done(t.Context(), key(1))
		})
		j := add(t, jobs, queue.Job{})
		left := func() (p client.Progress) {
			if err := json.Unmarshal(j.Progress, &p); err != nil {
				t.Error(err)
			}
			return p
		}
		for range 2 { // first the claim, then the progress
			j, _ = jobs.Watch(t.Context(), j.ID, j.Version)
		}
		if left().Left != 9 {
			t.Errorf("%v, want the last of ten", left())
		}
		close(end)
		synctest.Wait()
		stop()
		if j, _ = jobs.Get(t.Context(), j.ID, ""); left().Left != 10 || j.Version != 4 {
			t.Errorf("%v in version %d, want the progress before the end", left(), j.Version)
		}
	})
}

// TestRequeue: a job that was stopped counts as one attempt, a child that died as another, and a task
// that returns without an end is queued again.
func TestRequeue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		jobs, _, _ := restore(newMemory())
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

// TestPanic: a job whose task panics fails, and other jobs continue.
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

// TestRestore: ended jobs and their files are restored, a running job is queued, and files without a job
// are dropped.
func TestRestore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		m.Keep(Name{"job", "x"}, []byte("no JSON"))
		m.Keep(Name{"answer", key(9)}, nil)
		jobs, files, _ := restore(m)
		if left := m.Names(); len(left) > 0 {
			t.Errorf("%v are left", left)
		}
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
		for range mostEnded {
			add(t, again, queue.Job{State: client.Done, Key: key(1)})
			*clock += time.Second
		}
		last, _, _ := restore(m)
		if _, err := last.Get(t.Context(), done.ID, ""); !errors.Is(err, queue.ErrAbsent) {
			t.Errorf("the oldest of %d ended jobs: %v", mostEnded+1, err)
		}
		if len(last.rows) != mostEnded+1 {
			t.Errorf("%d jobs, want those that have not ended and %d others", len(last.rows), mostEnded)
		}
	})
}

// put adds an answer of n bytes.
func put(t *testing.T, files *Files, k, n int) error {
	t.Helper()
	of, err := store.ParseKey(key(k))
	if err != nil {
		t.Fatal(err)
	}
	return files.Put(t.Context(), store.Answer, of, func(to io.Writer) error {
		for ; n > 0; n -= 100 {
			if _, err := fmt.Fprintf(to, "%0*d", min(n, 100), k); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestFull: Put of a too large file fails early and keeps the other files. The bytes of files that are
// written at the same time are added.
func TestFull(t *testing.T) {
	m := newMemory()
	_, files, _ := restore(m)
	if err := put(t, files, 1, most/4); err != nil {
		t.Fatal(err)
	}
	k, _ := store.ParseKey(key(2))
	written := 0
	err := files.Put(t.Context(), store.Output, k, func(to io.Writer) error {
		for range 1 << 20 {
			n, err := to.Write(make([]byte, 100))
			if written += n; err != nil {
				return err
			}
		}
		return nil
	})
	if !errors.Is(err, store.ErrFull) || written > most/4 {
		t.Errorf("%d bytes were written, %v", written, err)
	}
	if first, _ := store.ParseKey(key(1)); !files.Has(store.Answer, first) || files.Has(store.Output, k) || files.bytes != most/4 {
		t.Errorf("%d bytes are kept", files.bytes)
	}
	var full error
	var nested func(n int) error
	nested = func(n int) error { // n files, each of which is complete before the one around it
		of, _ := store.ParseKey(key(100 + n))
		return files.Put(t.Context(), store.Answer, of, func(to io.Writer) error {
			_, full = to.Write(make([]byte, most/4))
			if n == 1 || full != nil {
				return full
			}
			return nested(n - 1)
		})
	}
	if err := nested(4); err != nil {
		t.Error(err)
	}
	if err := nested(5); !errors.Is(err, store.ErrFull) || files.bytes > most {
		t.Errorf("%d bytes are kept, %v", files.bytes, err)
	}
}

// TestDiagrams: diagrams are kept in memory, make room before other files, and are not in the journal.
func TestDiagrams(t *testing.T) {
	m := newMemory()
	_, files, _ := restore(m)
	of := func(n int) store.Key { k, _ := store.ParseKey(key(n)); return k }
	for n := range 4 {
		if err := put(t, files, n, most/5); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 2 { // the second file replaces the first
		err := files.Put(t.Context(), store.Diagram, of(n), func(to io.Writer) error { _, err := to.Write(make([]byte, most/5)); return err })
		if err != nil || !files.Has(store.Diagram, of(n)) || m.bytes() != 4*most/5 {
			t.Errorf("diagram %d: %v, %d bytes in the journal", n, err, m.bytes())
		}
	}
	if err := put(t, files, 4, most/5); err != nil || files.Has(store.Diagram, of(0)) || files.Has(store.Diagram, of(1)) || !files.Has(store.Answer, of(0)) {
		t.Errorf("%v, %d files", err, len(files.files))
	}
}

// TestRoom: the least recently used files make room for new ones, in memory and in the journal, and the
// next visit has the same files.
func TestRoom(t *testing.T) {
	m := newMemory()
	jobs, files, clock := restore(m)
	for n := range 5 {
		if err := put(t, files, n, most/5); err != nil {
			t.Fatal(err)
		}
		add(t, jobs, queue.Job{State: client.Done, Key: key(n)})
		*clock += time.Second
	}
	has := func(files *Files) (all string) {
		for n := range 9 {
			if of, _ := store.ParseKey(key(n)); files.files[nameOf(store.Answer, of)] != nil {
				all += fmt.Sprint(n)
			}
		}
		return all
	}
	first, _ := store.ParseKey(key(0))
	if _, err := files.Get(store.Answer, first); err != nil { // now 1 is the least recently used file
		t.Error(err)
	}
	for i, want := range []string{"02345", "03456"} {
		n := 5 + i
		if err := put(t, files, n, most/5); err != nil || has(files) != want || m.bytes() != most {
			t.Errorf("files %s with %d bytes, want %s, %v", has(files), m.bytes(), want, err)
		}
		add(t, jobs, queue.Job{State: client.Done, Key: key(n)})
		*clock += time.Second
	}
	if err := put(t, files, 6, 1); err != nil || has(files) != "0456" || m.bytes() != 3*most/5+1 || files.bytes != int64(m.bytes()) {
		t.Errorf("files %s with %d bytes, %v", has(files), m.bytes(), err)
	}
	_, again, _ := restore(m)
	if has(again) != "0456" || again.bytes != files.bytes {
		t.Errorf("files %s with %d bytes, want 0456 with %d", has(again), again.bytes, files.bytes)
	}
	if err := put(t, again, 7, most/5); err != nil || has(again) != "04567" {
		t.Errorf("%s, %v", has(again), err)
	}
	if err := put(t, again, 8, most/5); err != nil || has(again) != "45678" {
		t.Errorf("%s, %v, want without the oldest", has(again), err)
	}
	for n := range 20 {
		m.Keep(Name{"answer", key(n)}, make([]byte, most/5))
		add(t, jobs, queue.Job{State: client.Done, Key: key(n)})
		*clock += time.Second
	}
	_, less, _ := restore(m)
	if len(less.files) != 5 || less.bytes != most || m.bytes() != most {
		t.Errorf("%d files with %d bytes of a journal that has more than may be kept", len(less.files), less.bytes)
	}
}
