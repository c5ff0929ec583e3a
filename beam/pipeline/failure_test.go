package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/pavage/pavage/beam/band"
	"github.com/pavage/pavage/beam/store"
	"github.com/pavage/pavage/beam/store/storetest"
	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/job"
)

// TestFound: found finds the text of an error of a worker, whatever text an engine adds.
func TestFound(t *testing.T) {
	for _, err := range []error{
		errors.New(`slab "a" of C:\states is damaged`),
		fmt.Errorf("%w: two lines\nand } some {\"more\"}", band.ErrDisagree),
		fmt.Errorf("task 7: %w", limit.ErrMemory),
		fmt.Errorf("%w: x", store.ErrPlace),
	} {
		said := mark(err).Error()
		for range 4 {
			f := found("process bundle failed:\n\tcaused by: " + said + "stack of 40 lines: {")
			if f == nil || f.Text != err.Error() || f.Kind != KindOf(err) {
				t.Fatalf("in %s: %+v, want %v", said, f, err)
			}
			said = fmt.Sprintf("%q", said)
		}
	}
	for _, text := range []string{"", "some error", marker, marker + ";", marker + "e30", marker + "x;", marker + "!;" + marker + "bnVsbA"} {
		if f := found(text); f != nil {
			t.Errorf("in %s: %v", text, f)
		}
	}
	if mark(nil) != nil {
		t.Error("no error is marked")
	}
}

// TestKinds: errors have the kinds for the exit codes of the command line.
func TestKinds(t *testing.T) {
	for err, want := range map[error]job.ErrorKind{
		context.Canceled:                            job.Interruption,
		store.ErrPlace:                              job.BadInput,
		store.ErrMissing:                            job.Failure,
		band.ErrDisagree:                            job.Disagreement,
		limit.ErrMemory:                             job.Limit,
		&Failure{Kind: job.Disagreement}:            job.Disagreement,
		fmt.Errorf("%w", &Failure{Kind: job.Limit}): job.Limit,
	} {
		if got := KindOf(err); got != want {
			t.Errorf("%v is of kind %d, want %d", err, got, want)
		}
	}
}

// TestFailure: a task that always fails ends the run with its error, in one line.
func TestFailure(t *testing.T) {
	m := storetest.New()
	d := driver(t, m, puzzletest.Inline(t, "4x5", "tetrominoes=any").Problem, band.Options{Band: 5})
	if _, err := d.Run.Last(t.Context()); err != nil {
		t.Fatal(err)
	}
	m.Fail = func(c storetest.Call) error {
		if c.Kind == "commit" {
			return limit.ErrMemory
		}
		return nil
	}
	var at []int
	d.Level = func(l *band.Level) { at = append(at, l.At) }
	_, err := d.Do(t.Context())
	if err == nil || KindOf(err) != job.Limit || !strings.Contains(err.Error(), limit.ErrMemory.Error()) || len(err.Error()) > 200 {
		t.Errorf("error %v", err)
	}
	if len(at) != 1 {
		t.Errorf("reported levels %v, want one", at)
	}
}

// TestAway: a run that workers cannot open is an error.
func TestAway(t *testing.T) {
	m := storetest.New()
	d := driver(t, m, puzzletest.Inline(t, "4x5", "tetrominoes=any").Problem, band.Options{Band: 5})
	d.Where = t.TempDir() // there is no run in this folder
	if _, err := d.Do(t.Context()); err == nil || !strings.Contains(err.Error(), "plan: there is no such file in the store") {
		t.Errorf("error %v", err)
	}
	d.Where = "odd://place"
	if _, err := d.Do(t.Context()); err == nil || KindOf(err) != job.BadInput {
		t.Errorf("error %v", err)
	}
}

// TestEnds: a run whose context ends returns the context's error.
func TestEnds(t *testing.T) {
	m := storetest.New()
	d := driver(t, m, puzzletest.Inline(t, "8x8", "tetrominoes=any").Problem, band.Options{Band: 5})
	ctx, cancel := context.WithCancel(t.Context())
	m.Fail = func(c storetest.Call) error {
		if c.Kind == "commit" && strings.Contains(c.Name, "levels/00000020") {
			cancel()
		}
		return nil
	}
	if _, err := d.Do(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestTimeUp: a run that is ended at any write returns only the cause of its end, whatever the engine
// does at this moment. The next call continues the run.
func TestTimeUp(t *testing.T) {
	p := puzzletest.Inline(t, "8x8", "tetrominoes=any").Problem
	want := counted(t, p)
	for i := range testkit.Size(12, 60) {
		m, o := storetest.New(), band.Options{Band: 5, Tasks: 6, Least: 1}
		d := driver(t, m, p, o)
		ctx, cancel := context.WithCancel(t.Context())
		var writes atomic.Int64
		m.Fail = func(c storetest.Call) error {
			if c.Kind == "commit" && writes.Add(1) == int64(5*i) {
				cancel()
			}
			return nil
		}
		if a, err := d.Do(ctx); err == nil && a.Count.String() != want || err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		drive(t, d, want)
		cancel()
	}
}

// TestEndless: the context of an engine never ends, since Prism panics if a deadline ends its
// connections. The driver abandons the engine.
func TestEndless(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	seen := make(chan context.Context, 1)
	beam.RegisterRunner("endless", func(ctx context.Context, _ *beam.Pipeline) (beam.PipelineResult, error) {
		seen <- ctx
		cancel()
		select {}
	})
	d := driver(t, storetest.New(), puzzletest.Inline(t, "4x5", "tetrominoes=any").Problem, band.Options{Band: 5})
	d.Engine = "endless"
	if _, err := d.Do(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if ctx := <-seen; ctx.Done() != nil {
		t.Error("the engine's context can end")
	}
	err := d.place().until(t.Context(), func(context.Context) error { return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a task that the engine begins later: %v", err)
	}
}

// TestBundleEnds: a task that was not begun, because the context had ended, does not count as done.
func TestBundleEnds(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	end()
	b := (&run{working: make(chan struct{})}).begin(ctx)
	if err := b.do(band.Task{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
