package worker

import (
	"context"
	"errors"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/child"
)

// process is a child with its weight in the budget.
type process struct {
	pid    int
	weight int64 // what it may take of the budget
}

// inChild does a task in a child with a share.
func (w *Worker) inChild(ctx context.Context, s *share, t child.Task, to child.Sink) error {
	var p *process
	seen := func(alive bool) {
		if w.spies.child != nil {
			w.spies.child(p, alive)
		}
	}
	to.Started = func(pid int) {
		p = &process{pid, s.weight(s.memory)}
		w.observer.Child("started")
		seen(true)
	}
	_, err := child.Run(ctx, w.options.Child, t, to)
	if p == nil {
		return err
	}
	event := "ended"
	var dead *child.Died
	if errors.As(err, &dead) {
		event = "died"
		if dead.Signal != "" {
			event = dead.Signal
		}
	}
	w.observer.Child(event)
	seen(false)
	return err
}

// childLimits are the limits of work in a child.
func (w *Worker) childLimits(memory int64, threads int) job.Limits {
	l := job.Limits{Memory: memory, Threads: threads, Disk: w.disk}
	if memory > noLimit/4 {
		l.Memory = 0 // it is not known how much memory the machine has
	}
	return l
}
