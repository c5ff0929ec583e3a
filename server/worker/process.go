package worker

import (
	"errors"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/child"
)

// process is a child with its weight in the budget.
type process struct {
	*child.Child
	worker *Worker
	weight int64 // what it may take of the budget
}

// startChild starts a child. The caller has taken its memory from the budget.
func (w *Worker) startChild(weight int64) (*process, error) {
	c, err := child.Start(w.options.Child)
	if err != nil {
		return nil, err
	}
	w.observer.Child("started")
	p := &process{c, w, weight}
	if w.spies.child != nil {
		w.spies.child(p, true)
	}
	return p, nil
}

// close ends the child. err is the error of its last work.
func (p *process) close(err error) {
	event := "ended"
	var dead *child.Died
	if errors.As(err, &dead) {
		event = "died"
		if dead.Signal != "" {
			event = dead.Signal
		}
	}
	if err := p.Close(); err != nil {
		p.worker.log.Warn().Err(err).Msg("a child did not end well")
	}
	p.worker.observer.Child(event)
	if p.worker.spies.child != nil {
		p.worker.spies.child(p, false)
	}
}

// childLimits are the limits of work in a child.
func (w *Worker) childLimits(memory int64, threads int) job.Limits {
	l := job.Limits{Memory: memory, Threads: threads, Disk: w.disk}
	if memory > noLimit/4 {
		l.Memory = 0 // it is not known how much memory the machine has
	}
	return l
}
