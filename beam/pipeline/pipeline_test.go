package pipeline

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"github.com/pavage/pavage/beam/band"
	"github.com/pavage/pavage/beam/store"
	"github.com/pavage/pavage/beam/store/storetest"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/boards"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
)

func init() {
	register.DoFn2x0[band.Task, func(band.Task)](&twice{})
}

func TestMain(m *testing.M) {
	beam.Init()
	slog.SetDefault(slog.New(slog.DiscardHandler)) // the failures in tests make Prism log long texts
	temp, err := os.MkdirTemp("", "pavage-beam-*") // Beam leaves a file there for each job
	if err != nil || os.Setenv("TMPDIR", temp) != nil {
		panic("no directory for temporary files")
	}
	code := m.Run()
	os.RemoveAll(temp)
	os.Exit(code)
}

// twice returns each task of a bundle twice, in another order.
type twice struct{ tasks []band.Task }

func (f *twice) ProcessElement(t band.Task, _ func(band.Task)) { f.tasks = append(f.tasks, t, t) }

func (f *twice) FinishBundle(emit func(band.Task)) {
	rand.New(rand.NewPCG(1, uint64(len(f.tasks)))).Shuffle(len(f.tasks), func(i, j int) {
		f.tasks[i], f.tasks[j] = f.tasks[j], f.tasks[i]
	})
	for _, t := range f.tasks {
		emit(t)
	}
	f.tasks = nil
}

func mixTwice(s beam.Scope, tasks beam.PCollection) beam.PCollection {
	return beam.ParDo(s, &twice{}, tasks)
}

// counted returns the count of a problem by package count.
func counted(t testing.TB, p *cover.Problem) string {
	t.Helper()
	r, err := count.Count(t.Context(), p, count.Auto, count.Options{Limits: count.Limits{Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return r.Count.String()
}

var stores atomic.Int64

// driver returns the driver of a run in a store in memory. The workers of this process already have the
// run open, at a place that does not exist.
func driver(t testing.TB, m *storetest.Memory, p *cover.Problem, o band.Options) *Driver {
	t.Helper()
	r, err := band.Create(t.Context(), m, p, o)
	if err != nil {
		t.Fatal(err)
	}
	d := &Driver{Engine: "prism", Store: m, Where: fmt.Sprintf("test://%d", stores.Add(1)), Run: r}
	process.mu.Lock()
	defer process.mu.Unlock()
	d.place().keep(r)
	return d
}

// drive does a run and compares its count.
func drive(t testing.TB, d *Driver, want string) *band.Answer {
	t.Helper()
	a, err := d.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if a.Count.String() != want {
		t.Errorf("count %v, want %s", a.Count, want)
	}
	return a
}

// same checks that a store has the files of a run in a single process: the content of levels and slabs
// determines their names, and the bounds determine the names of receipts.
func same(t testing.TB, m *storetest.Memory, p *cover.Problem, o band.Options) {
	t.Helper()
	alone := storetest.New()
	r, err := band.Create(t.Context(), alone, p, o)
	if err == nil {
		_, err = band.Local(t.Context(), r, 1, band.Hooks{})
	}
	if err != nil {
		t.Fatal(err)
	}
	got := m.Names()
	if m.Fail != nil { // files that could not be removed at the end have stayed
		got = slices.DeleteFunc(got, func(name string) bool {
			return strings.Contains(name, "/slabs/") && !slices.Contains(alone.Names(), name)
		})
	}
	if want := alone.Names(); !slices.Equal(got, want) {
		t.Errorf("the store has the files %q, want %q", got, want)
	}
}

// few returns the boards of the short run.
func few(t testing.TB) []boards.Board {
	if testkit.IsLong() {
		return boards.All(t)
	}
	return slices.DeleteFunc(boards.Some(t), func(b boards.Board) bool { return !strings.HasPrefix(b.Name, "[") })
}

// TestBoards: boards cut into several numbers of tasks have the counts of package count, and the files of
// a run in one process.
func TestBoards(t *testing.T) {
	for i, b := range few(t) {
		want := counted(t, b.Problem)
		for k, tasks := range []int{1, 3, 16, 64} {
			if !testkit.IsLong() && (i+k)%4 != 0 {
				continue
			}
			m, o := storetest.New(), band.Options{Band: max(1, len(b.Problem.Items)/(2+(i+k)%5)), Tasks: tasks, Least: 1}
			if a := drive(t, driver(t, m, b.Problem, o), want); a != nil && t.Failed() {
				t.Fatalf("%s, %d tasks", b.Name, tasks)
			}
			same(t, m, b.Problem, o)
		}
	}
}

// TestTwice: every task comes twice, in another order.
func TestTwice(t *testing.T) {
	p := puzzletest.Inline(t, "7x7", "tetrominoes=any", "monomino=1..3").Problem
	m, o := storetest.New(), band.Options{Band: 12, Tasks: 7, Least: 1}
	d := driver(t, m, p, o)
	d.mix = mixTwice
	drive(t, d, counted(t, p))
	same(t, m, p, o)
}

// TestFailing: a fifth of the tasks fail at random points, and the job with them. Started again until
// it is done, the run comes to the same count, and to the same files.
func TestFailing(t *testing.T) {
	p := puzzletest.Inline(t, "6x6", "tetrominoes=any").Problem
	want := counted(t, p)
	for seed := range uint64(testkit.Size(2, 20)) {
		m, o := storetest.New(), band.Options{Band: 7, Tasks: 5, Least: 1}
		d := driver(t, m, p, o)
		rng := rand.New(rand.NewPCG(seed, 4))
		var mu sync.Mutex
		m.Fail = func(c storetest.Call) error {
			mu.Lock()
			defer mu.Unlock()
			if rng.IntN(50) == 0 { // a task makes about ten calls
				return storetest.ErrPlanned
			}
			return nil
		}
		failed := 0
		for ; failed < 1000; failed++ {
			a, err := d.Do(t.Context())
			if err == nil {
				if a.Count.String() != want {
					t.Errorf("count %v, want %s", a.Count, want)
				}
				break
			}
			if !strings.Contains(err.Error(), storetest.ErrPlanned.Error()) {
				t.Fatal(err)
			}
		}
		t.Logf("started %d times", 1+failed)
		same(t, m, p, o)
	}
}

// TestLevels: all levels are reported, each once, however soon they come after one another.
func TestLevels(t *testing.T) {
	p := puzzletest.Inline(t, "6x6", "tetrominoes=any").Problem
	d := driver(t, storetest.New(), p, band.Options{Band: 4, Tasks: 3, Least: 1})
	var at, want []int
	d.Level = func(l *band.Level) { at = append(at, l.At) }
	drive(t, d, counted(t, p))
	for i := 0; i <= 36; i += 4 {
		want = append(want, i)
	}
	if !slices.Equal(at, want) {
		t.Errorf("reported levels %v, want %v", at, want)
	}
}

// TestOwnCut: workers cut a run as their driver does, even if a later driver cuts it in another way.
func TestOwnCut(t *testing.T) {
	where := t.TempDir()
	s, err := store.Open(t.Context(), where)
	if err != nil {
		t.Fatal(err)
	}
	p := puzzletest.Inline(t, "4x6", "tetrominoes=any").Problem
	r, err := band.Create(t.Context(), s, p, band.Options{Band: 4, Tasks: 3, Least: 1})
	if err == nil {
		_, err = band.Create(t.Context(), s, p, band.Options{Band: 9})
	}
	if err != nil {
		t.Fatal(err)
	}
	a := drive(t, &Driver{Engine: "prism", Store: s, Where: where, Run: r}, counted(t, p))
	if len(a.Stages) != 7 {
		t.Errorf("%d stages, want level 0 and 6 bands", len(a.Stages))
	}
}
