package band

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pavage/pavage/beam/store"
	"github.com/pavage/pavage/beam/store/storetest"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
)

// usual returns a board with several bands, and the options that cut it.
func usual(t testing.TB) (*cover.Problem, Options) {
	t.Helper()
	return puzzletest.Inline(t, "6x8", "tetrominoes=any", "monomino=0..2").Problem, Options{Band: 6, Tasks: 5, Least: 1}
}

// files returns the names of the files in a folder of a run.
func files(t testing.TB, s store.Store, r *Run, folder string) (names []string) {
	t.Helper()
	all, err := s.List(t.Context(), r.path(folder))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range all {
		names = append(names, path.Base(name))
	}
	return names
}

// TestAgain: tasks in another order, each twice and at the same time, some with random failures, make the
// same levels. The names of levels depend on their slabs.
func TestAgain(t *testing.T) {
	p, o := usual(t)
	m := storetest.New()
	r := create(t, m, p, o)
	want := local(t, r, Hooks{}).Count
	levels := files(t, m, r, levelsFolder)
	for seed := range uint64(testkit.Size(3, 30)) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var failed atomic.Int64
		m := storetest.New()
		var mu sync.Mutex
		m.Fail = func(c storetest.Call) error {
			mu.Lock()
			defer mu.Unlock()
			if rng.IntN(100) == 0 { // about one of five tasks
				failed.Add(1)
				return storetest.ErrPlanned
			}
			return nil
		}
		hooks := Hooks{
			Order: func(tasks []Task) []Task {
				twice := slices.Concat(tasks, tasks)
				rng.Shuffle(len(twice), func(i, j int) { twice[i], twice[j] = twice[j], twice[i] })
				return twice
			},
			Again: func(_ Task, err error) bool { return errors.Is(err, storetest.ErrPlanned) },
		}
		var a *Answer
		err := storetest.ErrPlanned
		for errors.Is(err, storetest.ErrPlanned) { // also outside of tasks
			var r *Run
			if r, err = Create(t.Context(), m, p, o); err == nil {
				a, err = Local(t.Context(), r, 4, hooks)
			}
		}
		if err != nil || a.Count.Cmp(want) != 0 {
			t.Fatalf("seed %d: %v, %v", seed, a, err)
		}
		m.Fail = nil
		if failed.Load() == 0 {
			t.Errorf("seed %d: nothing failed", seed)
		}
		if got := files(t, m, r, levelsFolder); !slices.Equal(got, levels) {
			t.Errorf("seed %d: levels %q, want %q", seed, got, levels)
		}
	}
}

// stopped does a run until this number of levels are complete.
func stopped(t testing.TB, r *Run, levels int) (last *Level) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	_, err := Local(ctx, r, 1, Hooks{Level: func(l *Level) {
		last = l
		if levels--; levels <= 0 {
			stop()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the run was not stopped: %v", err)
	}
	return last
}

// TestGoesOn: a run that was stopped continues from its last complete level with another cut.
func TestGoesOn(t *testing.T) {
	p, o := usual(t)
	want := counted(t, p)
	for _, other := range []Options{{Band: 6, Tasks: 5, Least: 1}, {Band: 6, Tasks: 9, Least: 1}, {Band: 4, Tasks: 2, Least: 1}, {Band: 100, States: 7}} {
		m := storetest.New()
		l := stopped(t, create(t, m, p, o), 3)
		begun := 0
		r := create(t, m, p, other)
		a := local(t, r, Hooks{Order: func(tasks []Task) []Task {
			if begun == 0 && tasks[0].Level != l.Name() {
				t.Errorf("it goes on from %s, want %s", tasks[0].Level, l.Name())
			}
			begun++
			return tasks
		}})
		if a.Count.String() != want {
			t.Errorf("%+v: %v, want %s", other, a.Count, want)
		}
		if want := 4 + (48-18+other.Band-1)/other.Band; len(a.Stages) != want {
			t.Errorf("%+v: %d stages, want %d", other, len(a.Stages), want)
		}
	}
}

// TestNothingIsDeletedEarly: when a level is complete, only its slabs and the slabs of the level before
// exist. At the end this is true even if a dead process has left a slab.
func TestNothingIsDeletedEarly(t *testing.T) {
	p, o := usual(t)
	m := storetest.New()
	r := create(t, m, p, o)
	var before *Level
	left := strings.Repeat("0", 64)
	local(t, r, Hooks{Level: func(l *Level) {
		want := named(l)
		if before != nil {
			want = named(l, before)
		}
		got := files(t, m, r, slabsFolder)
		for name := range want {
			if !slices.Contains(got, name) {
				t.Errorf("level %d is whole, and slab %s is missing", l.At, name)
			}
		}
		if l.At > 12 && !r.Done(l) {
			want[left] = true
		}
		if before != nil && before.Before != "" && len(got) != len(want) {
			t.Errorf("level %d is whole, and there are %d slabs, want %d", l.At, len(got), len(want))
		}
		before = l
		if l.At == 12 {
			m.Put(r.path(slabsFolder, left), []byte("left over"))
		}
	}})
}

// TestLate: tasks of old bands, which are repeated when their input slabs are deleted, find their
// receipts and do nothing.
func TestLate(t *testing.T) {
	p, o := usual(t)
	m := storetest.New()
	r := create(t, m, p, o)
	var tasks []Task
	local(t, r, Hooks{Order: func(some []Task) []Task { tasks = append(tasks, some...); return some }})
	there, commits := m.Names(), m.Calls("commit")
	late, err := Open(t.Context(), m, r.Folder)
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	late.Notice = func(n Notice) {
		if n.Event == Repeated {
			told++
		}
	}
	for _, task := range tasks {
		if made, err := late.Do(t.Context(), task); err != nil || made.Task != task {
			t.Errorf("%+v: %+v, %v", task, made, err)
		}
	}
	if told != len(tasks) || m.Calls("commit") != commits || !slices.Equal(m.Names(), there) {
		t.Errorf("%d of %d tasks were done already; %d files were written", told, len(tasks), m.Calls("commit")-commits)
	}
}

// TestOvertaken: a task reads so slowly that its input slabs are deleted meanwhile, since other workers
// have done the task and all later tasks. It reads the receipt, and makes no slab again.
func TestOvertaken(t *testing.T) {
	p, o := usual(t)
	m := storetest.New()
	slow, quick := create(t, m, p, o), create(t, m, p, o)
	task := slow.Tasks(stopped(t, slow, 2))[1]
	slow.Notice = func(n Notice) { t.Errorf("%+v", n) }
	var begun atomic.Bool
	m.Fail = func(c storetest.Call) error {
		if c.Kind == "range" && begun.CompareAndSwap(false, true) {
			local(t, quick, Hooks{})
		}
		return nil
	}
	made, err := slow.Do(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	m.Fail = nil
	want, err := quick.Do(t.Context(), task)
	if err != nil || made.Slab.Name != want.Slab.Name {
		t.Errorf("%+v, want %+v, %v", made, want, err)
	}
}

// Environment variables of a process that TestProcesses starts.
const (
	childFolder = "BAND_TEST_FOLDER"
	childDies   = "BAND_TEST_DIES" // number of calls to the store after which the process dies
)

// TestMain is also a worker in a process of its own, if the environment has childFolder.
func TestMain(m *testing.M) {
	if where := os.Getenv(childFolder); where != "" {
		os.Exit(child(where))
	}
	os.Exit(m.Run())
}

// child does the only run of a store, and prints the count.
func child(where string) int {
	ctx := context.Background()
	s, err := store.Open(ctx, where)
	if err != nil {
		return 3
	}
	if n, _ := strconv.Atoi(os.Getenv(childDies)); n > 0 {
		s = &mortal{Store: s, left: int64(n)}
	}
	r, err := Open(ctx, s, os.Getenv("BAND_TEST_RUN"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	a, err := Local(ctx, r, 2, Hooks{Order: func(tasks []Task) []Task {
		rand.Shuffle(len(tasks), func(i, j int) { tasks[i], tasks[j] = tasks[j], tasks[i] })
		return tasks
	}})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	fmt.Println(a.Count)
	return 0
}

// mortal is a store whose process dies at a call without a message.
type mortal struct {
	store.Store
	left int64
}

const died = 77

func (m *mortal) live() {
	if atomic.AddInt64(&m.left, -1) == 0 {
		os.Exit(died)
	}
}

func (m *mortal) Read(ctx context.Context, name string, most int64) ([]byte, error) {
	m.live()
	return m.Store.Read(ctx, name, most)
}

func (m *mortal) Stage(ctx context.Context) (store.Staged, error) {
	m.live()
	f, err := m.Store.Stage(ctx)
	return &mortalFile{f, m}, err
}

func (m *mortal) Remove(ctx context.Context, name string) error {
	m.live()
	return m.Store.Remove(ctx, name)
}

type mortalFile struct {
	store.Staged
	m *mortal
}

func (f *mortalFile) Write(p []byte) (int, error) { f.m.live(); return f.Staged.Write(p) }

func (f *mortalFile) Commit(ctx context.Context, name string) error {
	f.m.live()
	return f.Staged.Commit(ctx, name)
}

func start(t *testing.T, where string, r *Run, dies int) (wait func() (count string, code int)) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), exe)
	c.Env = append(os.Environ(), childFolder+"="+where, "BAND_TEST_RUN="+r.Folder, fmt.Sprint(childDies, "=", dies))
	var out strings.Builder
	c.Stdout, c.Stderr = &out, os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return func() (string, int) {
		_ = c.Wait()
		return strings.TrimSpace(out.String()), c.ProcessState.ExitCode()
	}
}

// shared returns a run of the usual problem in a folder that several processes share.
func shared(t testing.TB) (p *cover.Problem, where string, r *Run) {
	t.Helper()
	p, o := usual(t)
	where = t.TempDir()
	s, err := store.Open(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	return p, where, create(t, s, p, o)
}

// TestProcesses: processes that do a run at the same time return its count.
func TestProcesses(t *testing.T) {
	p, where, r := shared(t)
	var waits []func() (string, int)
	for range 3 {
		waits = append(waits, start(t, where, r, 0))
	}
	for _, wait := range waits {
		if got, code := wait(); code != 0 || got != counted(t, p) {
			t.Errorf("a process ends with %d and the count %q, want %s", code, got, counted(t, p))
		}
	}
}

// TestKilled: a process that dies again and again, at random calls to the store, returns the count, and
// no complete level is made again.
func TestKilled(t *testing.T) {
	p, where, r := shared(t)
	rng := rand.New(rand.NewPCG(9, 9))
	deaths := 0
	for {
		got, code := start(t, where, r, 5+rng.IntN(60))()
		if code == died {
			deaths++
			continue
		}
		if code != 0 || got != counted(t, p) {
			t.Errorf("after %d deaths the process ends with %d and the count %q, want %s", deaths, code, got, counted(t, p))
		}
		break
	}
	if deaths < 3 {
		t.Errorf("it died %d times", deaths)
	}
}
