package pipeline

import (
	"context"
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/pavage/pavage/beam/band"
	"github.com/pavage/pavage/beam/store"
)

// Driver lets an engine do a run.
type Driver struct {
	Engine  string // name that was registered with beam.RegisterRunner
	Store   store.Store
	Where   string // address at which the workers open the store
	Run     *band.Run
	Threads int // tasks of a process at the same time; 0 means one for each core
	// Level is called for the level from which the run continues, and then for each new level. It
	// may be nil.
	Level func(*band.Level)

	told *band.Level // the last level for which Level was called
	mix  mixer       // nil except in tests
}

func (d *Driver) place() Place {
	return Place{d.Where, d.Run.Folder, d.Run.Disk, d.Threads, d.Run.Plan.Cut}
}

const (
	lookEvery  = 2 * time.Second
	lookLonger = 5 * time.Second // after a stop, Do waits this long for running tasks, and then this long to read the last level
)

// Do does the remaining bands of the run, and returns the answer. Beam must have been initialized.
// After an error, another call continues from the last complete level.
func (d *Driver) Do(ctx context.Context) (*band.Answer, error) {
	l, err := d.Run.Last(ctx)
	if err != nil {
		return nil, err
	}
	d.tell(ctx, l)
	for !d.Run.Done(l) {
		p := build(d.place(), d.Run.Tasks(l), d.Run.Bands(l), d.mix)
		if err := d.execute(ctx, p, l); err != nil {
			d.tellLast(ctx)
			return nil, err
		}
		was := l.At
		if l, err = d.Run.Last(ctx); err != nil {
			return nil, err
		}
		if l.At <= was {
			return nil, fmt.Errorf("the engine %s has ended without an error, but the run is at level %d of %d", d.Engine, l.At, d.Run.Steps())
		}
		d.tell(ctx, l)
	}
	return d.Run.Answer(ctx)
}

func (d *Driver) tellLast(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookLonger)
	defer cancel()
	if l, err := d.Run.Last(ctx); err == nil {
		d.tell(ctx, l)
	}
}

func (d *Driver) tell(ctx context.Context, l *band.Level) {
	switch {
	case d.Level == nil || d.told != nil && l.At <= d.told.At:
		return
	case d.told == nil:
		d.Level(l)
	default:
		all := d.Run.Since(ctx, d.told.At, l)
		if ctx.Err() != nil {
			return // the method Since may have omitted levels, which a later call of tell reports
		}
		for _, one := range all {
			d.Level(one)
		}
	}
	d.told = l
}

func (d *Driver) execute(ctx context.Context, p *beam.Pipeline, l *band.Level) error {
	looking, stop := context.WithCancel(ctx)
	looked := make(chan struct{})
	go func() {
		defer close(looked)
		d.look(looking, l)
	}()
	err := d.begin(ctx, p)
	stop()
	<-looked
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil:
		return nil
	}
	if f := found(err.Error()); f != nil {
		return f
	}
	return fmt.Errorf("the engine %s: %w", d.Engine, err)
}

// begin runs the pipeline. If ctx ends, it waits up to lookLonger for the tasks of this process.
func (d *Driver) begin(ctx context.Context, p *beam.Pipeline) error {
	at := d.place()
	h := at.drive(ctx, d.Run.Notice)
	defer at.leave(h)
	done := make(chan error, 1)
	go func() {
		_, err := beam.Run(context.WithoutCancel(ctx), d.Engine, p)
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		h.idle(lookLonger)
		return ctx.Err()
	}
}

// look reports new levels while the engine works. It ignores errors: Do reads the levels again.
func (d *Driver) look(ctx context.Context, l *band.Level) {
	var seen []string
	for tick := time.NewTicker(lookEvery); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
		names, err := d.Store.List(ctx, d.Run.Folder+"/levels")
		if err != nil || slices.Equal(names, seen) || slices.IndexFunc(names, func(n string) bool { return path.Base(n) > l.Name() }) < 0 {
			continue
		}
		seen = names
		if next, err := d.Run.Last(ctx); err == nil && next.At > l.At {
			l = next
			d.tell(ctx, l)
		}
	}
}
