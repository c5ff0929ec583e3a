package pipeline

import (
	"context"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/pavage/pavage/beam/band"
)

func init() {
	register.DoFn3x1[context.Context, band.Task, func(band.Task), error](&do{})
	register.DoFn3x1[context.Context, Tasks, func(band.Task), error](&join{})
	register.Combiner2[Tasks, band.Task](&collect{})
	register.Emitter1[band.Task]()
}

type mixer func(beam.Scope, beam.PCollection) beam.PCollection

func build(at Place, tasks []band.Task, bands int, mix mixer) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	todo := beam.CreateList(s, tasks)
	for range bands {
		todo = beam.Reshuffle(s, todo)
		if mix != nil {
			todo = mix(s, todo)
		}
		done := beam.ParDo(s, &do{Place: at}, todo)
		todo = beam.ParDo(s, &join{Place: at}, beam.Combine(s, &collect{}, done))
	}
	return p
}

// do does the tasks of a bundle. ProcessElement waits until the process has room for a task, so
// that engines give other tasks to other workers. FinishBundle waits for all tasks.
type do struct {
	Place
	bundle *bundle // nil between bundles
}

// Setup opens the run early, so that an error of the store is reported at once.
func (f *do) Setup(ctx context.Context) error {
	_, err := f.open(ctx)
	return mark(err)
}

func (f *do) StartBundle(ctx context.Context, _ func(band.Task)) error {
	r, err := f.open(ctx)
	if err != nil {
		return mark(err)
	}
	f.bundle = r.begin(ctx)
	return nil
}

func (f *do) ProcessElement(_ context.Context, t band.Task, _ func(band.Task)) error {
	return mark(f.bundle.do(t))
}

func (f *do) FinishBundle(_ context.Context, emit func(band.Task)) error {
	done, err := f.bundle.tasks, f.bundle.group.Wait()
	f.bundle = nil
	if err != nil {
		return mark(err)
	}
	for _, t := range done {
		emit(t)
	}
	return nil
}

// Tasks lists completed tasks of a band.
type Tasks struct {
	Done []band.Task
}

type collect struct{}

func (*collect) AddInput(all Tasks, t band.Task) Tasks {
	all.Done = append(all.Done, t)
	return all
}

func (*collect) MergeAccumulators(a, b Tasks) Tasks {
	a.Done = append(a.Done, b.Done...)
	return a
}

type join struct{ Place }

func (f *join) ProcessElement(ctx context.Context, all Tasks, emit func(band.Task)) error {
	r, err := f.open(ctx)
	if err != nil {
		return mark(err)
	}
	l, err := r.join(ctx, all.Done)
	if err != nil {
		return mark(err)
	}
	for _, t := range r.Tasks(l) {
		emit(t)
	}
	return nil
}
