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

// Options has the settings of a [Worker].
type Options struct {
	Limits          job.Limits    // memory and threads of the whole service, see job.Resolve
	Data            string        // New makes the folders checkpoints and tmp in it; if "", counts write no checkpoints
	Child           child.Options // if Temp is "", New sets it to tmp in Data
	CheckpointEvery time.Duration // time between two checkpoints of a count; 30 s if 0
	Try             time.Duration // time limit of a try in the lane for short jobs; 5 s if 0
	More            string        // advice in the error for a job that needs too much memory
	Log             zerolog.Logger
	Metrics         Observer
}

// Queue is the table of jobs: a [queue.Queue].
type Queue interface {
	Add(ctx context.Context, j queue.Job, most int) (queue.Job, error)
	Get(ctx context.Context, id, owner string) (queue.Job, error)
	Work(ctx context.Context, admit func(queue.Job) queue.Task, idle func(queue.Lane))
}

// Store keeps answers, outputs and diagrams: it is a [store.Store].
type Store interface {
	Has(store.Kind, store.Key) bool
	Get(store.Kind, store.Key) ([]byte, error)
	Open(store.Kind, store.Key) (store.Reader, error)
	Put(context.Context, store.Kind, store.Key, func(io.Writer) error) error
}

// Worker does the work of a service. Its methods may be called by several goroutines at once.
type Worker struct {
	queue    Queue
	store    Store
	options  Options
	limits   job.Limits
	log      zerolog.Logger
	observer Observer

	disk    string        // folder for levels of a sweep that do not fit in memory; may be ""
	tryTime time.Duration // time limit of a try in the lane for short jobs
	spies   spies

	budget  budget
	quick   *quick
	reading reading
	damaged sync.Map // the keys of damaged outputs
	sources *sources

	background sync.WaitGroup // the goroutines that Close waits for
}

// spies lets tests see inner events. Each function may be nil.
type spies struct {
	forecast func(job.Request) job.Forecast // called in place of job.Predict
	child    func(pid int, alive bool)      // called when a child was started or has ended
	output   io.Writer                      // receives the output of a child
	note     func(*task, job.Note)          // called for a note of a running job
}

const checkpoints, temporary = "checkpoints", "tmp"

// New returns a worker. It claims no jobs before a call of Work.
func New(q Queue, s Store, o Options) (*Worker, error) {
	if m := o.Limits.Memory; m > 0 && m < leastMemory {
		return nil, fmt.Errorf("the memory limit for all processes of the service is %s, expected at least %s", human.Size(m), human.Size(leastMemory))
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

// stopGrace is the time in which a child can write a checkpoint of 1 GB to a slow disk. By default,
// the service has twice this time to shut down.
const stopGrace = 10 * time.Second

// Held returns two functions, which return the bytes of memory for children and for sources.
func (w *Worker) Held() map[string]func() int64 {
	return map[string]func() int64{"children": w.budget.held, "sources": w.sources.held}
}

// Close waits for the work in this process. Work must have returned before Close is called.
func (w *Worker) Close() error {
	w.quick.open.Lock() // waits for quick work to end
	w.quick.closed = true
	w.quick.open.Unlock()
	w.background.Wait()
	return nil
}
