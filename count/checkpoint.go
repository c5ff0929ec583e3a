package count

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/sweep"
	"github.com/pavage/pavage/internal/kit/atomicfile"
	"github.com/pavage/pavage/internal/kit/filelock"
)

var (
	// ErrForeign is wrapped when a checkpoint is another problem's, or of a
	// version that this one cannot go on with.
	ErrForeign = sweep.ErrForeign
	// ErrInUse is wrapped when another process has the directory.
	ErrInUse = errors.New("is in use by another process")
)

// Checkpoint is a directory in which a sweep leaves its present level now and
// then, so that a later process can go on from there:
//
//	DIR/level-000118.pavage               written at 17:05, level 118
//	DIR/level-000124.pavage               written at 17:10, level 124
//	DIR/level-000131.pavage.00000000.tmp  being written; on disk, then renamed;
//	                                      then level-000118 is removed
//
// So there are two generations, either of which will do, once there were two;
// and room for three is wanted. What a file holds is package sweep's to
// say. One process at a time has a directory, others fail to open it.
type Checkpoint struct {
	dir    string
	every  time.Duration
	notify func(CheckpointNotice)
	lock   *os.File
	kept   []string // sound generations, the newest last
	saved  saved
}

// saved is what a checkpoint knows of its newest generation.
type saved struct {
	at    time.Time // when it was written or read, or the sweep began
	level int       // -1: there is none
	steps int       // of the sweep
}

// CheckpointNotice is something that happened to a checkpoint.
type CheckpointNotice struct {
	Event        CheckpointEvent
	File         string
	Level, Steps int     // of the sweep
	Fraction     float64 // of the work, done by then
	States       int     // of the level
	Bytes        int64
	Seconds      float64
	Written      time.Time
	Err          error // of Damaged, and of Unsaved
}

// CheckpointEvent says what happened.
type CheckpointEvent int

// The events.
const (
	Resumed CheckpointEvent = iota // the sweep goes on from File
	Saved                          // File was written
	Damaged                        // File is of no use; another generation is looked for
	Unsaved                        // File could not be written; the sweep goes on without
)

const (
	checkpointForm = "level-%06d.pavage"
	checkpointGlob = "level-*.pavage"
	unfinishedGlob = checkpointGlob + "*" + atomicfile.Suffix
	generations    = 2
)

// OpenCheckpoint opens the directory, which it makes if need be, and tries
// that it can be written to. A checkpoint is written when a level is done and
// so much time has passed since the last one. notify, which may be nil, is
// told what happens, from the goroutine that counts.
func OpenCheckpoint(dir string, every time.Duration, notify func(CheckpointNotice)) (*Checkpoint, error) {
	if notify == nil {
		notify = func(CheckpointNotice) {}
	}
	c := &Checkpoint{dir: dir, every: every, notify: notify, saved: saved{level: -1}}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	var err error
	if c.lock, err = os.Open(dir); err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	if errors.Is(filelock.Alone(c.lock), filelock.ErrTaken) {
		return nil, errors.Join(fmt.Errorf("checkpoint: %s %w", dir, ErrInUse), c.Close())
	}
	halves, err := c.files(unfinishedGlob)
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	for _, file := range halves {
		filelock.RemoveDead(file, time.Now())
	}
	probe := c.path(0) + atomicfile.Suffix
	if err := errors.Join(os.WriteFile(probe, nil, 0o666), os.Remove(probe)); err != nil {
		return nil, errors.Join(fmt.Errorf("checkpoint: %s cannot be written to: %w", dir, err), c.Close())
	}
	if err := atomicfile.SyncFolder(filepath.Dir(filepath.Clean(dir))); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Close lets other processes have the directory.
func (c *Checkpoint) Close() error { return c.lock.Close() }

// Level is the level of the newest generation, -1 if there is none.
func (c *Checkpoint) Level() int { return c.saved.level }

// Steps is the last level of the sweep, once there is a generation.
func (c *Checkpoint) Steps() int { return c.saved.steps }

// Remove removes all generations of a count that is safe elsewhere. If it had
// none, whatever there is is another's.
func (c *Checkpoint) Remove() error {
	if len(c.kept) == 0 {
		return nil
	}
	c.kept, c.saved.level = nil, -1
	return c.prune()
}

// Count counts the solutions of a problem, which it validates first, by a sweep
// that goes on from the newest sound generation, if there is one, and leaves its
// levels in the directory. Errors are the function Count's and wrap ErrForeign or
// sweep.ErrDamaged for a checkpoint that cannot be gone on with.
func (c *Checkpoint) Count(ctx context.Context, p *cover.Problem, o Options) (*Result, error) {
	start := time.Now()
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	s, err := newSweeper(ctx, p, o, false)
	if err != nil {
		return nil, err
	}
	if s.run != nil {
		if err := c.resume(ctx, s, o); err != nil {
			return nil, err
		}
	}
	plan := &Plan{Engine: Sweep, Reason: "only a sweep has checkpoints"}
	o.told(*plan)
	r, err := c.finish(ctx, s)
	if err == nil {
		r.Plan = plan
		r.Plan.Seconds = time.Since(start).Seconds()
	}
	return r, err
}

// finish goes on to the end, or until it cannot; then the level it has come to
// is saved, too.
func (c *Checkpoint) finish(ctx context.Context, s *sweeper) (*Result, error) {
	c.saved.at = time.Now()
	for !s.done() {
		if err := s.step(ctx); err != nil {
			c.save(s)
			return nil, err
		}
		if time.Since(c.saved.at) >= c.every && !s.done() {
			c.save(s)
		}
	}
	return s.result(), nil
}

// resume puts a sweep to the newest sound generation, if there is any.
func (c *Checkpoint) resume(ctx context.Context, s *sweeper, o Options) error {
	files, err := c.files(checkpointGlob)
	if err != nil {
		return err
	}
	var damaged []CheckpointNotice
	for _, file := range slices.Backward(files) {
		run, err := c.load(ctx, file, s, o)
		switch {
		case err == nil:
			for _, n := range damaged {
				c.notify(n)
			}
			c.began(file, s, run)
			return nil
		case !errors.Is(err, sweep.ErrDamaged):
			return fmt.Errorf("%s: %w", file, err)
		}
		damaged = append(damaged, CheckpointNotice{Event: Damaged, File: file, Err: err})
	}
	if len(damaged) == 0 {
		return nil
	}
	return fmt.Errorf("%s: %w (no other checkpoint is whole: to start again, empty %s)", damaged[0].File, damaged[0].Err, c.dir)
}

// began makes a run that was saved in file the sweep's.
func (c *Checkpoint) began(file string, s *sweeper, run sweep.Run) {
	s.run = run
	s.meter.goOn(run.Level(), s.states())
	c.kept, c.saved.level, c.saved.steps = []string{file}, run.Level(), s.automaton.Steps()
	n := CheckpointNotice{Event: Resumed, File: file, Level: run.Level(), Steps: s.automaton.Steps(), States: run.States()}
	n.Fraction = s.meter.ends[run.Level()]
	if info, err := os.Stat(file); err == nil {
		n.Bytes, n.Written = info.Size(), info.ModTime()
	}
	c.notify(n)
}

func (c *Checkpoint) load(ctx context.Context, file string, s *sweeper, o Options) (sweep.Run, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return sweep.Resume(s.automaton, bufio.NewReaderSize(reading{ctx, f}, 1<<18), s.config(o))
}

// reading is a file that is read until ctx ends.
type reading struct {
	ctx  context.Context
	file *os.File
}

func (r reading) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.file.Read(b)
}

// save writes the present level, unless it was, and when it is on disk removes
// what is older than the generation before. If it cannot be written, what there
// was is there still.
func (c *Checkpoint) save(s *sweeper) {
	level, start := s.run.Level(), time.Now()
	if level == c.saved.level {
		return
	}
	n := CheckpointNotice{
		Event: Saved, File: c.path(level), Level: level, Steps: s.automaton.Steps(), States: s.run.States(),
	}
	if n.Bytes, n.Err = c.write(n.File, s.run); n.Err == nil {
		c.kept = append(c.kept, n.File)
		c.kept = c.kept[max(0, len(c.kept)-generations):]
		c.saved.level, c.saved.steps = level, n.Steps
		n.Err = c.prune()
	}
	if n.Err != nil {
		n.Event = Unsaved
	}
	c.saved.at = time.Now() // how long writing takes is not counted
	n.Seconds, n.Written = time.Since(start).Seconds(), time.Now()
	c.notify(n)
}

// write makes file durable, or leaves nothing of it.
func (c *Checkpoint) write(file string, run sweep.Run) (size int64, err error) {
	if err := atomicfile.WriteDurable(file, run.Save); err != nil {
		return 0, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// prune removes all generations that are not kept.
func (c *Checkpoint) prune() error {
	files, err := c.files(checkpointGlob)
	if err != nil {
		return err
	}
	for _, file := range files {
		if !slices.Contains(c.kept, file) {
			err = errors.Join(err, os.Remove(file))
		}
	}
	return errors.Join(err, atomicfile.SyncFolder(c.dir))
}

func (c *Checkpoint) path(level int) string {
	return filepath.Join(c.dir, fmt.Sprintf(checkpointForm, level))
}

// files are those of the directory that a pattern matches, sorted.
func (c *Checkpoint) files(pattern string) ([]string, error) {
	entries, err := os.ReadDir(c.dir) // sorted; filepath.Glob would take dir for a pattern
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	var files []string
	for _, e := range entries {
		if ok, _ := filepath.Match(pattern, e.Name()); ok {
			files = append(files, filepath.Join(c.dir, e.Name()))
		}
	}
	return files, nil
}
