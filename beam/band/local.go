package band

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// Hooks observe or disturb a run in one process. Each function may be nil.
type Hooks struct {
	Level func(*Level)                 // called when a level is complete
	Order func([]Task) []Task          // returns the tasks in another order, or some tasks twice
	Again func(t Task, err error) bool // reports whether a task that failed is tried again
}

// Local continues a run from its last complete level, with this number of workers.
func Local(ctx context.Context, r *Run, workers int, h Hooks) (*Answer, error) {
	l, err := r.Last(ctx)
	for err == nil && !r.Done(l) {
		var receipts []*Receipt
		tasks := r.Tasks(l)
		if h.Order != nil {
			tasks = h.Order(tasks)
		}
		if receipts, err = r.all(ctx, tasks, workers, h); err != nil {
			break
		}
		if l, err = r.Join(ctx, receipts); err == nil && h.Level != nil {
			h.Level(l)
		}
	}
	if err != nil {
		return nil, err
	}
	return r.Answer(ctx)
}

func (r *Run) all(ctx context.Context, tasks []Task, workers int, h Hooks) ([]*Receipt, error) {
	receipts := make([]*Receipt, len(tasks))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, workers))
	for i, t := range tasks {
		g.Go(func() (err error) {
			for {
				receipts[i], err = r.Do(ctx, t)
				if err == nil || ctx.Err() != nil || h.Again == nil || !h.Again(t, err) {
					return err
				}
			}
		})
	}
	return receipts, g.Wait()
}
