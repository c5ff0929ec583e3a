package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/pavage/pavage/beam/band"
	"github.com/pavage/pavage/cmd/pavage/command"
	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/job"
)

func (v *counting) foretell(ctx context.Context, r *job.Count, o band.Options) error {
	watch, done := v.Watch(job.Estimating, true)
	defer done()
	limits := v.Limits
	limits.Threads = 1 // the forecast is in seconds of one core
	e, err := job.Do(ctx, &job.Estimate{Puzzle: r.Puzzle, Conditions: r.Conditions}, limits, watch)
	if err != nil {
		return err
	}
	if e.Sweep == nil {
		return command.Fail(job.Limit, errors.New("no order of the items has states of 511 bits or less, so a sweep is not possible"))
	}
	p, err := r.Prepare(ctx, v.Limits, job.Watch{})
	if err != nil {
		return err
	}
	cut, err := band.CutOf(ctx, p.Problem, o)
	if err != nil {
		return failed(err)
	}
	done()
	f := foresee(e, cut)
	if v.AsJSON {
		return v.JSON(f)
	}
	return writeForecast(v.Out, f)
}

// writeForecast writes the forecast as text:
//
//	states  about 530 million (±30%) in 145 levels, at most 7.2 million in one, level 74
//	bands   25 of 6 steps, at most 2 tasks each, 35 tasks in all
//	task    at most 3.6 million states of a level, 470 MB of memory, 1.2 s of a core
//	store   at most 120 MB; 1 GB are written and 1 GB read, by 320 requests
//	work    1.1 minutes of a core
//
//	10 machines of 8 cores     2.3 minutes  0.38 machine hours
//	…
func writeForecast(w io.Writer, f *forecast) error {
	if f.Levels == 0 {
		_, err := fmt.Fprintln(w, "no states, since the bounds of some item cannot be met")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "states\tabout %s (±%.0f%%) in %d levels, at most %s in one, level %d\n",
		human.Number(f.States), max(1, 100*f.Error), f.Levels, human.Number(f.Largest), f.Peak)
	fmt.Fprintf(t, "bands\t%d of %s, at most %s each, %s tasks in all\n",
		f.Bands, human.Count(fmt.Sprint(f.Band), "step"), human.Count(human.Number(f.Most), "task"), human.Number(f.Tasks))
	fmt.Fprintf(t, "task\tat most %s of a level, %s of memory, %s of a core\n",
		human.Count(human.Number(f.Part), "state"), human.Bytes(f.Memory), human.Time(f.Seconds))
	fmt.Fprintf(t, "store\tat most %s; %s are written and %s read, by %s\n",
		human.Bytes(f.Store), human.Bytes(f.Written), human.Bytes(f.Read), human.Count(human.Number(f.Requests), "request"))
	fmt.Fprintf(t, "work\t%s of a core\n\n", human.Time(f.Core))
	if err := t.Flush(); err != nil {
		return err
	}
	for _, m := range f.Machines {
		fmt.Fprintf(t, "%s machines of %d cores\t%s\t%s machine hours\n", human.Grouped(int64(m.Number)), m.Cores, human.Time(m.Seconds), hours(m.Hours))
	}
	return t.Flush()
}

func hours(x float64) string {
	if x < 10 {
		return fmt.Sprintf("%.2g", x)
	}
	return human.Number(x)
}
