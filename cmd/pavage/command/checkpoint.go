package command

import (
	"errors"
	"fmt"
	"time"

	"github.com/pavage/pavage/count"
)

// checkpoint is where a count leaves what it has come to, if anywhere, and
// tells its user of it.
type checkpoint struct {
	*app
	*count.Checkpoint // nil: nowhere
	bar               *bar
}

// openCheckpoint opens the directory that the settings name, unless the count
// cannot have checkpoints.
func (v *countVerb) openCheckpoint(b *bar) (*checkpoint, error) {
	c := &checkpoint{app: v.app, bar: b}
	dir, engine := v.config.Checkpoint.Dir, count.Engine(v.config.Engine)
	switch {
	case dir == "" && v.given("checkpoint"):
		return nil, usage("--checkpoint is empty, want a directory")
	case dir == "" && v.given("checkpoint-every"):
		return nil, usage("--checkpoint-every given without --checkpoint")
	case dir == "":
		return c, nil
	case v.distinct != "":
		return nil, usage("both --distinct and checkpoints in %q asked for, want one or the other: only a count of all tilings has checkpoints", dir)
	case engine != count.Auto && engine != count.Sweep:
		return nil, usage("engine is %q with checkpoints in %q, want sweep or auto: only a sweep has checkpoints", engine, dir)
	}
	var err error
	c.Checkpoint, err = count.OpenCheckpoint(dir, v.config.Checkpoint.Every, c.tell)
	return c, err
}

// tell says on standard error what a person should know, and logs the rest.
func (c *checkpoint) tell(n count.CheckpointNotice) {
	switch n.Event {
	case count.Resumed:
		c.bar.before = n.Fraction
		fmt.Fprintf(c.Err, "pavage: going on from level %d of %d, %s, as of %s\n",
			n.Level, n.Steps, number(grouped(int64(n.States)), "state"), n.Written.Format(time.DateTime))
	case count.Saved:
		c.log.Info().Str("file", n.File).Int("level", n.Level).Int("states", n.States).
			Int64("bytes", n.Bytes).Float64("seconds", n.Seconds).Msg("checkpoint written")
	case count.Damaged:
		c.log.Warn().Str("file", n.File).Err(n.Err).Msg("checkpoint cannot be read, the one before is taken")
	case count.Unsaved:
		c.log.Warn().Str("file", n.File).Err(n.Err).Msg("checkpoint could not be written, the count goes on")
	}
}

// resumable adds to the end of a count before its time how to go on.
func (c *checkpoint) resumable(err error) error {
	var f *failure
	coded := c.coded(err)
	switch {
	case errors.Is(err, count.ErrForeign):
		return fail(codeUsage, fmt.Errorf("%w; want an empty directory, or the same puzzle again", err))
	case c.Checkpoint == nil || c.Level() < 0 || !errors.As(coded, &f) || f.code != codeLimit && f.code != codeInterrupted:
		return coded
	case errors.Is(err, count.ErrMemory):
		return fail(f.code, fmt.Errorf("%w; with more of it, the same command goes on from level %d of %d", f.err, c.Level(), c.Steps()))
	}
	return fail(f.code, fmt.Errorf("%w; the same command goes on from level %d of %d", f.err, c.Level(), c.Steps()))
}

// remove removes the checkpoint of a count whose result is written.
func (c *checkpoint) remove() error {
	if c.Checkpoint == nil {
		return nil
	}
	return c.Remove()
}

// close lets other processes have the directory.
func (c *checkpoint) close() {
	if c.Checkpoint != nil {
		c.Close()
	}
}
