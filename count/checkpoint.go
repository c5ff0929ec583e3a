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
	// ErrForeign is wrapped when a checkpoint is of another problem or of an incompatible version.
	ErrForeign = sweep.ErrForeign
	// ErrInUse is wrapped when another process holds the lock of the directory.
	ErrInUse = errors.New("is in use by another process")
)

// Checkpoint is a directory in which a sweep saves levels, so that a later process can resume:
//
//	DIR/level-000118.pavage               written at 17:05, level 118
//	DIR/level-000124.pavage               written at 17:10, level 124
//	DIR/level-000131.pavage.00000000.tmp  being written; when it is on disk, it is
//	                                      renamed, and level-000118 is removed
//
// Each saved level is a generation. Each of the two newest generations suffices to resume. The
// directory needs disk space for three generations. Package sweep defines the files. Only one
// process at a time can lock the directory.
type Checkpoint struct {
	dir    string
	every  time.Duration
	notify func(CheckpointNotice)
	lock   *os.File
	kept   []string // undamaged generations, the newest last
	saved  saved
}

type saved struct {
	at    time.Time // end of the last attempt to write, or start of the sweep
	level int       // level of the newest generation; -1 if there is none
	steps int
}

// CheckpointNotice describes an event of a checkpoint.
type CheckpointNotice struct {
	Event        CheckpointEvent
	File         string
	Level, Steps int     // level of File, and number of steps of the sweep
	Fraction     float64 // share of the work done at this level
	States       int     // number of states of the level
	Bytes        int64
	Seconds      float64
	Written      time.Time
	Err          error // cause of Damaged or Unsaved
}

// CheckpointEvent is the kind of a CheckpointNotice.
type CheckpointEvent int

const (
	Resumed CheckpointEvent = iota // the sweep resumes from File
	Saved                          // File was written
	Damaged                        // File is damaged; the sweep resumes from an older generation
	Unsaved                        // File could not be written; the sweep continues
)

const (
	checkpointForm = "level-%06d.pavage"
	checkpointGlob = "level-*.pavage"
	unfinishedGlob = checkpointGlob + "*" + atomicfile.Suffix
	generations    = 2
)

// OpenCheckpoint creates dir if it does not exist, locks it and checks that it is writable. The
// error wraps ErrInUse if another process has locked it. The parameter every is the least duration
// between two saved levels. Count saves a level only at the end of a step. Unless notify is nil,
// Count calls it for each event, in the goroutine of the caller.
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

// Close unlocks the directory.
func (c *Checkpoint) Close() error { return c.lock.Close() }

// Level returns the level of the newest generation, or -1 if there is none.
func (c *Checkpoint) Level() int { return c.saved.level }

// Steps returns the number of steps of the sweep, or 0 before the first generation.
func (c *Checkpoint) Steps() int { return c.saved.steps }

// Remove removes all generations, once the result of the count is saved elsewhere. If c has neither
// read nor written a generation, it removes nothing: the files belong to another count.
func (c *Checkpoint) Remove() error {
	if len(c.kept) == 0 {
		return nil
	}
	c.kept, c.saved.level = nil, -1
	return c.prune()
}

// Count checks the problem and counts by a sweep that resumes from the newest undamaged generation,
// if there is one, and saves levels. It returns the errors of the function [Count], and an
// error that wraps ErrForeign, or sweep.ErrDamaged if there are generations but all are damaged.
func (c *Checkpoint) Count(ctx context.Context, p *cover.Problem, o Options) (*Result, error) {
	start := time.Now()
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	s, err := newSweeperOfParts(ctx, p, o)
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
	return fmt.Errorf("%s: %w (no other checkpoint is intact: to start again, delete the files in %s)", damaged[0].File, damaged[0].Err, c.dir)
}

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

// save writes the present level, unless it is saved, and removes all but the two newest
// generations.
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
	c.saved.at = time.Now() // c.every excludes the time of writing
	n.Seconds, n.Written = time.Since(start).Seconds(), time.Now()
	c.notify(n)
}

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

func (c *Checkpoint) files(pattern string) ([]string, error) {
	entries, err := os.ReadDir(c.dir) // not filepath.Glob, for which dir would be a pattern
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
