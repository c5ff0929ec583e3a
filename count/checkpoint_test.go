package count

import (
	"bytes"
	"context"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/sweep"
	"github.com/pavage/pavage/internal/kit/atomicfile"
)

// notices collects the notices of a checkpoint.
type notices []CheckpointNotice

func (n *notices) add(x CheckpointNotice) { *n = append(*n, x) }

func (n notices) of(e CheckpointEvent) (found notices) {
	for _, x := range n {
		if x.Event == e {
			found = append(found, x)
		}
	}
	return found
}

func openCheckpoint(t *testing.T, dir string, every time.Duration) (*Checkpoint, *notices) {
	t.Helper()
	var n notices
	c, err := OpenCheckpoint(dir, every, n.add)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c, &n
}

// files are the names in a directory.
func files(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// ending ends its context after this number of reports of progress, in the middle of a step.
func ending(reports int) (context.Context, func(Progress)) {
	ctx, cancel := context.WithCancel(context.Background())
	return ctx, func(Progress) {
		if reports--; reports == 0 {
			cancel()
		}
	}
}

func checkpointed(t *testing.T, dir string, p *cover.Problem, reports int) (*Result, *notices, error) {
	t.Helper()
	c, n := openCheckpoint(t, dir, 0) // every level
	defer c.Close()
	ctx, report := ending(reports)
	r, err := c.Count(ctx, p, Options{Limits: Limits{Threads: 2}, Watch: Watch{Progress: report}})
	if err == nil {
		if err := c.Remove(); err != nil {
			t.Error(err)
		}
	}
	return r, n, err
}

// TestCheckpoint breaks a count again and again; it continues each time from
// its last level, and leaves nothing behind in the end.
func TestCheckpoint(t *testing.T) {
	p := inline(t, "6x6", "tetrominoes=any", "domino=any")
	want, err := Count(context.Background(), p, Sweep, Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "new", "directory")
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // because a collection closes forgotten files
	descriptors, goroutines := openFiles(), runtime.NumGoroutine()
	level := -1
	for breaks := 0; ; breaks++ {
		r, n, err := checkpointed(t, dir, p, 7)
		if resumed := n.of(Resumed); len(resumed) > 1 || (breaks > 0) != (len(resumed) == 1) || breaks > 0 && resumed[0].Level != level {
			t.Fatalf("break %d at level %d: gone on %+v", breaks, level, resumed)
		}
		if len(n.of(Damaged))+len(n.of(Unsaved)) > 0 {
			t.Fatalf("%+v", n)
		}
		if err == nil {
			if r.Count.Cmp(want.Count) != 0 || r.States != want.States || r.Arcs != want.Arcs || r.Engine != Sweep || breaks < 5 {
				t.Errorf("after %d breaks %+v, without %+v", breaks, r, want)
			}
			break
		}
		if saved := n.of(Saved); len(saved) == 0 || !errors.Is(err, context.Canceled) {
			t.Fatalf("break %d: saved %+v, error %v", breaks, saved, err)
		} else {
			level = saved[len(saved)-1].Level
		}
		if got := files(t, dir); breaks > 0 && strings.Count(got, ".pavage") != 2 || strings.Contains(got, atomicfile.Suffix) {
			t.Errorf("break %d leaves %s", breaks, got)
		}
	}
	if got := files(t, dir); got != "" {
		t.Errorf("left behind: %s", got)
	}
	if after := openFiles(); after > descriptors || runtime.NumGoroutine() > goroutines+1 {
		t.Errorf("%d open files, %d before; %d goroutines, %d before", after, descriptors, runtime.NumGoroutine(), goroutines)
	}
}

// openFiles is the number of descriptors of this process, 0 where the system has no list of them.
func openFiles() int {
	entries, _ := os.ReadDir("/proc/self/fd")
	return len(entries)
}

// interrupted leaves two generations of p in a new directory.
func interrupted(t *testing.T, p *cover.Problem) (dir string, generations []string) {
	t.Helper()
	dir = t.TempDir()
	if _, _, err := checkpointed(t, dir, p, 30); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(files(t, dir)) {
		generations = append(generations, filepath.Join(dir, name))
	}
	if len(generations) != 2 {
		t.Fatalf("generations %v", generations)
	}
	return dir, generations
}

func damage(t *testing.T, file string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 4
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestCheckpointGenerations damages the newer generation, then both.
func TestCheckpointGenerations(t *testing.T) {
	p := inline(t, "6x6", "tetrominoes=any", "domino=any")
	want, err := Count(context.Background(), p, Sweep, Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir, both := interrupted(t, p)
	damage(t, both[1])
	r, n, err := checkpointed(t, dir, p, 4)
	resumed, damaged := n.of(Resumed), n.of(Damaged)
	if len(resumed) != 1 || resumed[0].File != both[0] || len(damaged) != 1 || damaged[0].File != both[1] || !errors.Is(err, context.Canceled) {
		t.Fatalf("newer damaged: %+v, %v, %v", n, r, err)
	}
	if r, n, err = checkpointed(t, dir, p, 0); err != nil || r.Count.Cmp(want.Count) != 0 || len(n.of(Damaged)) > 0 {
		t.Errorf("after the newer was damaged: %v, %v, %+v", r, err, n.of(Damaged))
	}
	dir, both = interrupted(t, p)
	damage(t, both[0])
	damage(t, both[1])
	before := files(t, dir)
	_, _, err = checkpointed(t, dir, p, 0)
	if !errors.Is(err, sweep.ErrDamaged) || !strings.Contains(err.Error(), both[1]+": damaged checkpoint: block ") {
		t.Errorf("both damaged: %v", err)
	}
	if files(t, dir) != before {
		t.Errorf("both damaged: %s is now %s", before, files(t, dir))
	}
	for _, file := range both { // an empty directory is a new beginning
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	if r, _, err := checkpointed(t, dir, p, 0); err != nil || r.Count.Cmp(want.Count) != 0 {
		t.Errorf("begun again: %v, %v", r, err)
	}
}

// TestCheckpointForeign refuses the checkpoint of another puzzle, whatever of
// the two is different, and leaves it alone.
func TestCheckpointForeign(t *testing.T) {
	dir, both := interrupted(t, inline(t, "6x6", "tetrominoes=any", "domino=any"))
	before, err := os.ReadFile(both[1])
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range [][]string{
		{"6x7", "tetrominoes=any", "domino=any"},
		{"6x6", "tetrominoes=any", "domino=0..9"},
		{"6x6", "tetrominoes=any", "monomino=any"},
		{"2x1", "domino=any"},
		{"3x3", "domino=5"}, // has no tilings, and no checkpoint of its own to remove
	} {
		_, n, err := checkpointed(t, dir, inline(t, other[0], other[1:]...), 0)
		if other[0] == "3x3" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		if !errors.Is(err, ErrForeign) || !strings.HasPrefix(err.Error(), both[1]) || len(*n) > 0 {
			t.Errorf("%v: %v, %+v", other, err, n)
		}
	}
	after, err := os.ReadFile(both[1])
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the other's checkpoint was touched: %v", err)
	}
}

func TestCheckpointInfeasible(t *testing.T) {
	p := inline(t, "3x3", "domino=5")
	r, n, err := checkpointed(t, t.TempDir(), p, 0)
	if err != nil || r.Count.Sign() != 0 || len(*n) > 0 {
		t.Errorf("%v, %v, %+v", r, err, n)
	}
}

// TestCheckpointPlan: only a sweep has checkpoints, and that is its plan.
func TestCheckpointPlan(t *testing.T) {
	p := inline(t, "6x10", "pentominoes")
	c, _ := openCheckpoint(t, t.TempDir(), time.Hour)
	r, err := c.Count(context.Background(), p, Options{})
	if err != nil || r.Count.Cmp(big.NewInt(9356)) != 0 || r.Engine != Sweep || r.Plan == nil || r.Plan.Engine != Sweep {
		t.Errorf("auto: %+v, %v", r, err)
	}
	if _, err := c.Count(context.Background(), &cover.Problem{Items: []cover.Item{{Min: 1}}}, Options{}); !errors.Is(err, cover.ErrInvalid) {
		t.Errorf("an invalid problem: %v", err)
	}
}

// TestCheckpointUnwritable: a directory that cannot be used is an error before anything is
// counted; a directory that fails later costs its checkpoints only.
func TestCheckpointUnwritable(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{file, filepath.Join(file, "below"), "/proc/nothing", "/proc"} {
		if _, err := OpenCheckpoint(bad, time.Hour, nil); err == nil || !strings.HasPrefix(err.Error(), "checkpoint: ") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	p := inline(t, "5x5", "tetrominoes=any", "monomino=any")
	sub := filepath.Join(dir, "goes")
	c, n := openCheckpoint(t, sub, 0)
	want, err := Count(context.Background(), p, Sweep, Options{})
	if err != nil {
		t.Fatal(err)
	}
	gone := func(Progress) { os.Remove(sub) }
	r, err := c.Count(context.Background(), p, Options{Watch: Watch{Progress: gone}})
	if err != nil || r.Count.Cmp(want.Count) != 0 || len(n.of(Unsaved)) < 10 || len(n.of(Saved)) > 0 || c.Level() != -1 {
		t.Errorf("%v, %v, %+v", r, err, n)
	}
}

// TestCheckpointLocked: one process at a time.
func TestCheckpointLocked(t *testing.T) {
	dir := t.TempDir()
	c, _ := openCheckpoint(t, dir, 0)
	if _, err := OpenCheckpoint(dir, 0, nil); err == nil || !strings.Contains(err.Error(), "in use by another process") {
		t.Errorf("opened twice: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	openCheckpoint(t, dir, 0)
}

// TestCheckpointMemory: a count that runs out of memory continues with more.
func TestCheckpointMemory(t *testing.T) {
	p := inline(t, "7x7", "tetrominoes=any", "monomino=any")
	dir := t.TempDir()
	c, n := openCheckpoint(t, dir, time.Hour)
	if _, err := c.Count(context.Background(), p, Options{Limits: Limits{Memory: 1 << 20}}); !errors.Is(err, cover.ErrMemory) || c.Level() < 1 {
		t.Fatalf("level %d: %v", c.Level(), err)
	}
	if _, err := c.Count(context.Background(), p, Options{Limits: Limits{Memory: 1 << 10}}); !errors.Is(err, cover.ErrMemory) {
		t.Errorf("less memory than the checkpoint: %v", err)
	}
	r, err := c.Count(context.Background(), p, Options{})
	want, _ := Count(context.Background(), p, Sweep, Options{})
	if err != nil || r.Count.Cmp(want.Count) != 0 || len(n.of(Resumed)) != 1 {
		t.Errorf("%v, %v, %+v", r, err, n)
	}
}
