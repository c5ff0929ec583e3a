package worker

import "github.com/pavage/pavage/job"

// Observer counts events. Its methods may be called by several goroutines at once.
type Observer interface {
	Known(kind job.Kind)                 // an answer was in the store
	Quick(kind job.Kind)                 // an answer was made in this process
	Queued(kind job.Kind)                // a request became a job in the queue
	Counted(kind job.Kind, states int64) // the work has made this number of states, tries or tilings
	Child(event string)                  // a child started, ended, or died of the signal with this name
}

func counted(o Observer, kind job.Kind) func(job.Progress) {
	var last job.Progress
	return func(p job.Progress) {
		if p.Doing != last.Doing {
			last = job.Progress{}
			if p.Before > 0 {
				last.Done = p.Done
			}
		}
		if n := p.Done - last.Done; n > 0 {
			o.Counted(kind, n)
		}
		last = p
	}
}
