package job

import (
	"fmt"
	"slices"
	"time"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/kit/human"
)

// checkpoint is where a count leaves what it has come to, if anywhere.
type checkpoint struct {
	*count.Checkpoint // nil: nowhere
	w                 *work
	before            float64 // the fraction that was done when the work began
}

// HasCheckpoints reports whether the count can leave checkpoints: that of all tilings,
// by a sweep.
func (r *Count) HasCheckpoints() bool {
	return r.Distinct == "" && slices.Contains([]string{"", string(count.Auto), string(count.Sweep)}, r.Engine)
}

// openCheckpoint opens the directory that the limits name, unless the count cannot
// have checkpoints. It is closed, and after an answer removed, when the work ends.
func (w *work) openCheckpoint(r *Count) (*checkpoint, error) {
	c := &checkpoint{w: w}
	dir := w.limits.Checkpoint
	switch {
	case dir == "":
		return c, nil
	case r.Distinct != "":
		return nil, bad("both {distinct} and checkpoints in %q asked for, want one or the other: only a count of all tilings has checkpoints", dir)
	case !r.HasCheckpoints():
		return nil, bad("engine is %q with checkpoints in %q, want sweep or auto: only a sweep has checkpoints", r.Engine, dir)
	}
	var err error
	if c.Checkpoint, err = count.OpenCheckpoint(dir, w.limits.CheckpointEvery, c.tell); err != nil {
		return nil, err
	}
	w.atEnd = func(answered bool) error {
		defer c.Close()
		if answered {
			return c.Remove()
		}
		return nil
	}
	return c, nil
}

// tell notes what happens to the checkpoint.
func (c *checkpoint) tell(n count.CheckpointNotice) {
	switch n.Event {
	case count.Resumed:
		c.before = n.Fraction
		c.w.note(Notice, fmt.Sprintf("going on from level %d of %d, %s, as of %s",
			n.Level, n.Steps, human.Count(human.Grouped(int64(n.States)), "state"), n.Written.Format(time.DateTime)))
	case count.Saved:
		c.w.note(Detail, "checkpoint written", "file", n.File, "level", n.Level, "states", n.States, "bytes", n.Bytes, "seconds", n.Seconds)
	case count.Damaged:
		c.w.note(Warning, "checkpoint cannot be read, the one before is taken", "file", n.File, "error", n.Err)
	case count.Unsaved:
		c.w.note(Warning, "checkpoint could not be written, the count goes on", "file", n.File, "error", n.Err)
	}
}
