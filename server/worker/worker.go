package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/internal/kit/machine"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/child"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/store"
)

// Options are the settings of a [Worker].
type Options struct {
	Limits          job.Limits    // of the whole service: memory and threads, see job.Resolve
	Data            string        // folder of checkpoints and tmp, made by New; "": counts leave no checkpoints
	Child           child.Options // without a Temp it is tmp in Data
	CheckpointEvery time.Duration // of counting; 0: 30 s
	Try             time.Duration // in the short lane; 0: 5 s
	More            string        // advice for a job that needs more memory than any job gets
	Log             zerolog.Logger
	Metrics         Observer
}

// Queue is the table of jobs: a [queue.Queue].
type Queue interface {
	Add(ctx context.Context, j queue.Job, most int) (queue.Job, error)
	Get(ctx context.Context, id, owner string) (queue.Job, error)
	Work(ctx context.Context, admit func(queue.Job) queue.Task, idle func(queue.Lane))
}

// Store is where answers, outputs and diagrams are kept: a [store.Store].
type Store interface {
	Has(store.Kind, store.Key) bool
	Get(store.Kind, store.Key) ([]byte, error)
	Open(store.Kind, store.Key) (store.Reader, error)
	Put(context.Context, store.Kind, store.Key, func(io.Writer) error) error
}

// Worker does the work of a service. Its methods may be called by many goroutines at once.
type Worker struct {
	queue    Queue
	store    Store
	options  Options
	limits   job.Limits
	log      zerolog.Logger
	observer Observer

	disk    string        // where levels go that do not fit in memory; "": they must fit
	tryTime time.Duration // longest time of a try in the short lane
	spies   spies

	budget  budget
	quick   *quick
	reading reading
	damaged sync.Map // the keys of outputs that were found damaged
	sources *sources

	background sync.WaitGroup // what Close waits for
}

// spies let tests see inner events. Each may be nil.
type spies struct {
	forecast func(job.Request) job.Forecast // in place of job.Predict
	child    func(pid int, alive bool)      // was started, or has ended
	output   io.Writer                      // gets what a child writes
	note     func(*task, job.Note)          // of a job, while it works
}

const checkpoints, temporary = "checkpoints", "tmp"

// New makes a worker. It claims no jobs before Work.
func New(q Queue, s Store, o Options) (*Worker, error) {
	if m := o.Limits.Memory; m > 0 && m < leastMemory {
		return nil, fmt.Errorf("memory is %s for all processes of the service, expected at least %s", human.Size(m), human.Size(leastMemory))
	}
	if o.Data != "" {
		o.Child.Temp = cmp.Or(o.Child.Temp, filepath.Join(o.Data, temporary))
		for _, dir := range []string{filepath.Join(o.Data, checkpoints), o.Child.Temp} {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return nil, fmt.Errorf("worker: %w", err)
			}
		}
	}
	if o.Child.GraceFor == nil {
		o.Child.GraceFor = func(cause error) time.Duration {
			if errors.Is(cause, queue.ErrStopping) {
				return stopGrace
			}
			return 0
		}
	}
	o.CheckpointEvery = cmp.Or(o.CheckpointEvery, 30*time.Second)
	o.More = cmp.Or(o.More, "run the service with more --memory")
	w := &Worker{
		queue: q, store: s, options: o, log: o.Log, observer: o.Metrics,
		tryTime: cmp.Or(o.Try, tryTime),
		limits:  job.Limits{Memory: o.Limits.Memory, Threads: max(1, o.Limits.Threads)},
	}
	if o.Data != "" && machine.OnDisk(o.Child.Temp) {
		w.disk = o.Child.Temp
	}
	w.budget = newBudget(w.limits.Memory, w.limits.Threads)
	w.quick = newQuick(w.limits)
	w.reading = newReading()
	w.sources = newSources(w.limits.Memory / 8)
	return w, nil
}

// A child writes its last level: a gigabyte on a slow disk. Config.Drain is by default twice as
// long.
const stopGrace = 10 * time.Second

// Held returns how many bytes of memory the worker holds, by purpose.
func (w *Worker) Held() map[string]func() int64 {
	return map[string]func() int64{"children": w.budget.held, "sources": w.sources.held}
}

// Close waits for the work in this process. Work must have returned.
func (w *Worker) Close() error {
	w.quick.open.Lock() // waits for the work under way
	w.quick.closed = true
	w.quick.open.Unlock()
	w.background.Wait()
	return nil
}
