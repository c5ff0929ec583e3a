package band

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pavage/pavage/beam/slab"
)

// Receipt describes the result of a task. All fields but Cost are a function of the task.
type Receipt struct {
	Name    string   `json:"name"` // name of the file of the receipt
	Task    Task     `json:"task"`
	From    string   `json:"from"`    // first key of the range, in hex; "" if the range has no lower bound
	Below   string   `json:"below"`   // first key above the range, in hex; "" if the range has no upper bound
	States  int64    `json:"states"`  // states that were read from all slabs
	Residue uint64   `json:"residue"` // sum of the residues of the counts of these states
	Slab    slab.Ref `json:"slab"`
	Cost    Cost     `json:"cost"`
}

const receiptKind, receiptsFolder, slabsFolder = "receipt", "tasks", "slabs"

type reading struct {
	Run, Level  string
	To, Then    int
	From, Below string
}

type job struct {
	task Task
	from *Level // level to read; nil for the task that makes level 0
	span span
}

func (r *Run) job(ctx context.Context, t Task) (*job, error) {
	if t.Index < 0 || t.Index >= t.Of || t.To < 0 || t.To > t.Then || t.Then > r.a.Steps() || t.Level == "" && t.To > 0 {
		return nil, fmt.Errorf("the task %+v does not belong to a run of %d steps", t, r.a.Steps())
	}
	if t.Level == "" {
		return &job{task: t}, nil
	}
	l, err := r.level(ctx, t.Level)
	if err != nil {
		return nil, err
	}
	if t.To <= l.At {
		return nil, fmt.Errorf("the task %+v ends at level %d, expected a level after level %d, where the task begins", t, t.To, l.At)
	}
	return &job{t, l, l.span(t.Index, t.Of)}, nil
}

// Do does a task and returns its receipt. If the store has the receipt, Do only reads it. A slab is
// committed before its receipt. Do makes damaged and missing slabs of the level again.
func (r *Run) Do(ctx context.Context, t Task) (*Receipt, error) {
	j, err := r.job(ctx, t)
	if err != nil {
		return nil, err
	}
	name := digest(reading{r.Folder, t.Level, t.To, t.Then, j.span.lo, j.span.hi})[:32]
	switch was, err := r.receipt(ctx, name, t); {
	case err == nil:
		r.tell(Notice{Event: Repeated, File: r.path(receiptsFolder, name), Task: t})
		return was, nil
	case !damaged(err):
		return nil, err
	case errors.Is(err, ErrDamaged):
		r.tell(Notice{Event: PassedOver, File: r.path(receiptsFolder, name), Task: t, Err: err})
	}
	start := time.Now()
	made, err := r.make(ctx, j, name)
	if err != nil || made.Name != "" {
		return made, err
	}
	made.Name, made.Task, made.From, made.Below = name, t, j.span.lo, j.span.hi
	made.Cost.Seconds = time.Since(start).Seconds()
	return made, write(ctx, r.store, r.path(receiptsFolder, name), receiptKind, made)
}

// receipt reads a receipt. It replaces the task in the receipt by t, since the cut may be new.
func (r *Run) receipt(ctx context.Context, name string, t Task) (*Receipt, error) {
	made := &Receipt{}
	file := r.path(receiptsFolder, name)
	err := read(ctx, r.store, file, receiptKind, made)
	if err == nil && made.Name != name {
		err = fmt.Errorf("%s: %w: the file is the receipt %s, expected the receipt %s", file, ErrDamaged, made.Name, name)
	}
	made.Task = t
	return made, err
}

const mostMended = 3 // greatest number of attempts to make a slab again; then the task fails

// make sweeps the range of a job into a slab. If a slab of the level cannot be read, make looks for
// a receipt from another worker, which may have done the job before the slab was deleted. If there
// is no receipt, make makes the unreadable slab again.
func (r *Run) make(ctx context.Context, j *job, name string) (*Receipt, error) {
	mended, tried := 0, map[string]int{}
	for {
		made, err := r.machine.make(ctx, r, j)
		var bad *unreadable
		switch {
		case err == nil:
			made.Cost.Mended = mended
			return made, nil
		case !errors.As(err, &bad) || tried[bad.made.Slab.Name] == mostMended:
			return nil, err
		}
		if name != "" {
			if was, err := r.receipt(ctx, name, j.task); err == nil {
				return was, nil
			}
		}
		tried[bad.made.Slab.Name]++
		again, failed := r.mend(ctx, bad)
		if failed != nil {
			if damaged(failed) {
				failed = fmt.Errorf("%w; delete %s: the run then goes on from an earlier level", failed, r.path(levelsFolder, j.task.Level))
			}
			return nil, fmt.Errorf("%w; the slab could not be made again: %w", err, failed)
		}
		if again {
			mended++
		}
	}
}

type unreadable struct {
	made Made
	err  error
}

func (u *unreadable) Error() string { return fmt.Sprintf("slab %s: %v", u.made.Slab.Name, u.err) }
func (u *unreadable) Unwrap() error { return u.err }

// mend makes a slab again, under the same name. All tasks of a band detect a damaged slab at about
// the same time. In each process, one task makes the slab again, and the other tasks wait. If the
// context of the first task ends, one of the waiting tasks makes the slab.
func (r *Run) mend(ctx context.Context, bad *unreadable) (again bool, err error) {
	mine := false
	_, err, _ = r.mending.Do(bad.made.Slab.Name, func() (any, error) {
		mine = true
		if r.machine.check(ctx, r, bad.made) == nil {
			return nil, nil
		}
		again = true
		r.tell(Notice{Event: MadeAgain, File: r.path(slabsFolder, bad.made.Slab.Name), Task: bad.made.Task, Err: bad.err})
		j, err := r.job(ctx, bad.made.Task)
		if err != nil {
			return nil, err
		}
		made, err := r.make(ctx, j, "")
		if err == nil && made.Slab.Name != bad.made.Slab.Name {
			err = fmt.Errorf("%w: slab %s was made again, but the result is slab %s",
				ErrDisagree, bad.made.Slab.Name, made.Slab.Name)
		}
		return nil, err
	})
	ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	if ended && !mine && ctx.Err() == nil {
		return r.mend(ctx, bad)
	}
	return again, err
}
