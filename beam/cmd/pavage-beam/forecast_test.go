package main

import (
	"math"
	"testing"

	"github.com/pavage/pavage/beam/band"
	"github.com/pavage/pavage/beam/store/storetest"
	"github.com/pavage/pavage/job"
)

// TestForecast: the forecast from the true levels of a board is near the cost of its run.
func TestForecast(t *testing.T) {
	r := &job.Count{Puzzle: job.Puzzle{Board: "8x8", Pieces: []string{"tetrominoes=any"}}}
	e, err := job.Do(t.Context(), &job.Estimate{Puzzle: r.Puzzle}, job.Limits{Threads: 1}, job.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Prepare(t.Context(), job.Limits{}, job.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	o := band.Options{Tasks: 8, Least: 64, Band: 4}
	m := storetest.New()
	run, err := band.Create(t.Context(), m, p.Problem, o)
	if err != nil {
		t.Fatal(err)
	}
	a, err := band.Local(t.Context(), run, 1, band.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	cut, err := band.CutOf(t.Context(), p.Problem, o)
	if err != nil || cut != run.Plan.Cut {
		t.Fatalf("cut %+v, %v, want the run's, %+v", cut, err, run.Plan.Cut)
	}
	f := foresee(e, cut)
	var all band.Stage
	for _, s := range a.Stages[1:] {
		all.Tasks += s.Tasks
		all.Swept += s.Swept
		all.In += s.In
		all.Out += s.Out
		all.Memory = max(all.Memory, s.Memory)
	}
	if f.Bands != len(a.Stages)-1 {
		t.Errorf("%d bands in the forecast, %d in the run", f.Bands, len(a.Stages)-1)
	}
	for _, c := range []struct {
		what          string
		foreseen, was float64
		factor        float64
	}{
		{"tasks", f.Tasks, float64(all.Tasks), 1.3},
		{"states", f.States, float64(all.Swept), 1.5},
		{"bytes read", f.Read, float64(all.In), 2.5}, // slabs are small, and have a root each
		{"bytes written", f.Written, float64(all.Out), 2.5},
		{"memory of a task", f.Memory, float64(all.Memory), 2.5},
		{"requests", f.Requests, float64(m.Calls("range", "read", "commit", "size")), 2.5},
	} {
		if x := c.foreseen / c.was; x > c.factor || x < 1/c.factor {
			t.Errorf("%s: %.3g in the forecast, %.3g in the run", c.what, c.foreseen, c.was)
		}
	}
}

// TestForecastGrows: more tasks of the same levels are smaller, and ask the store more; more
// machines need less time, and more hours together.
func TestForecastGrows(t *testing.T) {
	var levels []float64
	for range 101 {
		levels = append(levels, 1e9)
	}
	e := &job.Estimation{Sweep: &job.SweepEstimate{States: 1.01e11, Levels: levels, Peak: 1, Seconds: 3300}}
	var last *forecast
	for _, tasks := range []int{100, 1000, 10000} {
		f := foresee(e, band.Cut{Band: 10, Tasks: tasks, Least: 1, States: 1})
		if f.Bands != 10 || f.Most != float64(tasks) || math.Abs(f.Part*float64(tasks)-1e9) > 1 {
			t.Errorf("%d tasks: %+v", tasks, f)
		}
		for i := 1; i < len(f.Machines); i++ {
			if f.Machines[i].Seconds > f.Machines[i-1].Seconds || f.Machines[i].Hours < f.Machines[i-1].Hours {
				t.Errorf("%d tasks: %+v", tasks, f.Machines)
			}
		}
		if last != nil && (f.Memory >= last.Memory || f.Requests < 50*last.Requests || f.Read <= last.Read || f.Written != last.Written) {
			t.Errorf("%d tasks: %+v, with fewer %+v", tasks, f, last)
		}
		last = f
	}
	if f := foresee(&job.Estimation{Sweep: &job.SweepEstimate{}}, band.Cut{Band: 1}); f.Bands != 0 || f.Machines[0].Hours != 0 {
		t.Errorf("without levels: %+v", f)
	}
}
