package pipeline

import (
	"cmp"
	"context"
	"runtime"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"golang.org/x/sync/errgroup"

	"github.com/pavage/pavage/beam/band"
	"github.com/pavage/pavage/beam/store"
)

// Place has the values that a worker gets from the driver.
type Place struct {
	Store   string   // argument of store.Open
	Folder  string   // folder of the run in the store
	Disk    string   // local folder for levels that exceed the memory of a task; "" means the temporary folder
	Threads int      // tasks of a process at the same time; 0 means one for each core
	Cut     band.Cut // cut of this driver; a later driver may change the cut in the store
}

type run struct {
	*band.Run
	at      Place
	working chan struct{}
}

var process struct {
	mu      sync.Mutex
	runs    map[Place]*run
	drivers map[Place]*here
}

func (p Place) open(ctx context.Context) (*run, error) {
	process.mu.Lock()
	defer process.mu.Unlock()
	if r := process.runs[p]; r != nil {
		return r, nil
	}
	s, err := store.Open(ctx, p.Store)
	if err != nil {
		return nil, err
	}
	r, err := band.Open(ctx, s, p.Folder)
	if err != nil {
		return nil, err
	}
	r.Plan.Cut, r.Disk, r.Notice = p.Cut, p.Disk, p.notice
	return p.keep(r), nil
}

// keep records a run for all workers of this process. Its caller holds process.mu.
func (p Place) keep(r *band.Run) *run {
	if process.runs == nil {
		process.runs = map[Place]*run{}
	}
	process.runs[p] = &run{r, p, make(chan struct{}, cmp.Or(p.Threads, runtime.GOMAXPROCS(0)))}
	return process.runs[p]
}

func (p Place) notice(n band.Notice) {
	if h := p.driver(); h != nil && h.notice != nil {
		h.notice(n)
	} else if n.Event != band.Repeated {
		log.Warnf(context.Background(), "%s: %v: %v", n.File, n.Event, n.Err)
	}
}

type bundle struct {
	*run
	group *errgroup.Group
	ctx   context.Context // ends when a task of the bundle fails
	tasks []band.Task
}

func (r *run) begin(ctx context.Context) *bundle {
	b := &bundle{run: r}
	b.group, b.ctx = errgroup.WithContext(ctx)
	return b
}

func (b *bundle) do(t band.Task) error {
	select {
	case b.working <- struct{}{}:
	case <-b.ctx.Done():
		if err := b.group.Wait(); err != nil {
			return err
		}
		return b.ctx.Err()
	}
	b.tasks = append(b.tasks, t)
	b.group.Go(func() error {
		defer func() { <-b.working }()
		return b.at.until(b.ctx, func(ctx context.Context) error {
			_, err := b.Do(ctx, t)
			return err
		})
	})
	return nil
}

const readers = 32 // object stores answer slowly, so up to this number of receipts are read at once

// join makes the next level from the tasks' receipts. It does a task again if its receipt is lost.
func (r *run) join(ctx context.Context, tasks []band.Task) (l *band.Level, err error) {
	err = r.at.until(ctx, func(ctx context.Context) error {
		l, err = r.joined(ctx, tasks)
		return err
	})
	return l, err
}

func (r *run) joined(ctx context.Context, tasks []band.Task) (*band.Level, error) {
	receipts := make([]*band.Receipt, len(tasks))
	g, within := errgroup.WithContext(ctx)
	g.SetLimit(readers)
	for i, t := range tasks {
		g.Go(func() (err error) {
			receipts[i], err = r.Do(within, t)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return r.Join(ctx, receipts)
}
