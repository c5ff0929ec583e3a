package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/beam/band"
	"github.com/pavage/pavage/beam/pipeline"
	"github.com/pavage/pavage/beam/store"
	"github.com/pavage/pavage/cmd/pavage/command"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/job"
)

type counting struct {
	*command.Call
	job.Conditions
	Store      string `flag:"PLACE" doc:"where the levels lie, PLACE: a folder that all machines share, gs://BUCKET/FOLDER or s3://BUCKET/FOLDER"`
	Runner     runner `flag:"ENGINE" doc:"which ENGINE hands out the tasks: {words}"`
	Tasks      int    `flag:"N" doc:"at most N tasks for a band; 0: one task for each 4 million states of the band's largest level, or more tasks so that each fits in --task-memory"`
	Band       int    `flag:"STEPS" doc:"how many STEPS a band has; 0: about half a row of the board"`
	TaskMemory string `flag:"SIZE" doc:"how much memory a task may use for levels, SIZE such as 2GiB, at least 64MiB; less memory means more tasks, and levels that still do not fit are kept in the folder --disk of the task's machine (default 2GiB; with prism a share of --memory)"`
	AsJSON     bool   `flag:"" name:"json" doc:"write one JSON object"`
	Estimate   bool   `flag:"" doc:"do not count, but forecast the cost of the count: tasks, bytes, machine hours"`
}

func newCount(c *command.Call) *cobra.Command {
	v := &counting{Call: c, Runner: "prism"}
	return c.Verb(&cobra.Command{
		Use:   "count PUZZLE",
		Short: "Count all tilings of a puzzle by a sweep on many machines",
		Long: `Count all tilings of a puzzle by a sweep whose levels lie in a store that all
machines share: --store is a folder that each of them has under the same path,
or gs://BUCKET/FOLDER, or s3://BUCKET/FOLDER. The answer is the same as from
"pavage count", and with --json it has the cost of each stage.

A level is cut into tasks. A task reads its part of the level out of the store,
sweeps it for --band steps, and writes the states that it reaches. Tasks run
side by side, in any order. When all tasks of a band are done, the next level is
whole. To go on with a run that was stopped, give the same command again, if you
like with other --tasks, --band or --runner. Finished tasks are not done again.
When the count is done, its last two levels and some small files stay in the
store, in a folder that the log names. Remove it when you have the answer.

--runner names the engine that hands out the tasks. The default, prism, works on
this machine, with nothing to install. universal, flink and spark need
--endpoint; dataflow needs --project, --region and --staging_location. Flags of
Beam work too: "pavage-beam engines" lists them. doc/many-machines.md shows how
to run the program on clusters.

--estimate does not count, but forecasts the tasks and their memory, the bytes
in the store and the requests to it, and the time of 10, 100 and 1,000 machines
with 8 cores and an object store. It needs no --store. The ± is one standard
error of the states: ±200% means a factor of three, ±1000% one of ten or more.`,
		Example: `  pavage-beam count --board 10x10 --piece tetrominoes=any --store states
  pavage-beam count --board 16x16 --piece tetrominoes=any --estimate
  pavage-beam count --board 18x18 --piece tetrominoes=any --tasks 500 \
      --store /nfs/states --runner flink --endpoint flink:8099 \
      --environment_type PROCESS
  pavage-beam count puzzle.yaml --store gs://bucket/states --runner dataflow \
      --project P --region R --staging_location gs://bucket/staging`,
	}, v.run, []string{"threads", "memory", "disk", "timeout"}, v)
}

func (v *counting) Flags(cmd *cobra.Command) { takeBeamFlags(cmd.Flags()) }

func usage(format string, args ...any) error {
	return command.Fail(job.BadInput, fmt.Errorf(format, args...))
}

func (v *counting) run(ctx context.Context) error {
	cut, err := v.check()
	if err != nil {
		return err
	}
	r := &job.Count{Puzzle: v.Puzzle, Conditions: v.Conditions}
	if v.Estimate {
		return v.foretell(ctx, r, cut)
	}
	if v.Store == "" {
		return usage("--store is missing, expected a folder that all machines share, gs://BUCKET/FOLDER or s3://BUCKET/FOLDER")
	}
	if err := v.Runner.lookEndpoint(ctx); err != nil {
		return err
	}
	return v.count(ctx, r, cut)
}

func (v *counting) check() (o band.Options, err error) {
	o = band.Options{Tasks: v.Tasks, Band: v.Band, Threads: v.Limits.Threads}
	switch {
	case v.Tasks < 0:
		return o, usage("--tasks is %d, expected 0 or more", v.Tasks)
	case v.Band < 0:
		return o, usage("--band is %d, expected 0 or more", v.Band)
	}
	if o.Memory, err = v.taskMemory(); err != nil {
		return o, err
	}
	if v.Estimate {
		return o, nil
	}
	return o, v.Runner.check()
}

const (
	usualMemory = 2 << 30 // bytes of memory of a task on machines that the driver cannot examine
	// A step needs a slab of 65,536 states in memory for each class of moves. For pentominoes these
	// are 24 slabs. They need 32 MiB if counts have one limb, and leastMemory if counts have two.
	// The other slabs of the levels can be on disk.
	leastMemory = 64 << 20
)

func (v *counting) taskMemory() (int64, error) {
	if v.TaskMemory == "" {
		if v.Runner == "prism" {
			return max(leastMemory, v.Limits.Memory/int64(v.Limits.Threads)), nil
		}
		return usualMemory, nil
	}
	size, err := human.ParseBytes(v.TaskMemory)
	if err != nil || size < leastMemory {
		return 0, usage("--task-memory is %.40q, expected a size such as 2GiB, at least 64MiB", v.TaskMemory)
	}
	return int64(size), nil
}

func (v *counting) count(ctx context.Context, r *job.Count, o band.Options) error {
	watch, done := v.Watch(job.Counting, v.AsJSON)
	defer done()
	p, err := r.Prepare(ctx, v.Limits, watch)
	if err != nil {
		return err
	}
	where := v.Store // an absolute path, which is the same for all processes on this machine
	if !strings.Contains(where, "://") {
		if where, err = filepath.Abs(where); err != nil {
			return err
		}
	}
	s, err := store.Open(ctx, where)
	if err != nil {
		return failed(err)
	}
	run, err := band.Create(ctx, s, p.Problem, o)
	if err != nil {
		return failed(err)
	}
	w := &watcher{log: v.Log, watch: watch, run: run}
	run.Disk, run.Notice = v.Limits.Disk, w.notice
	a, err := v.drive(ctx, &pipeline.Driver{Engine: string(v.Runner), Store: s, Where: where, Run: run, Threads: v.Config.Threads, Level: w.level})
	done()
	if err != nil {
		return w.goOn(ctx, err)
	}
	counted := answer(p, a)
	if v.AsJSON {
		return v.JSON(counted)
	}
	_, err = fmt.Fprintln(v.Out, counted.Count)
	return err
}

func (v *counting) drive(ctx context.Context, d *pipeline.Driver) (*band.Answer, error) {
	if err := prepareBeam(string(v.Runner), v.Log); err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "pavage-beam-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	if err := os.Setenv("TMPDIR", temp); err != nil {
		return nil, err
	}
	return d.Do(ctx)
}

func answer(p *job.Prepared, a *band.Answer) *job.Counted {
	r := &count.Result{Count: a.Count, Engine: count.Sweep}
	var stages []job.Stage
	from := 0
	for i, s := range a.Stages {
		if r.States += s.Swept; i == 0 {
			r.States += s.Merged // the merged states of every later stage are among the swept states of the previous stage
		}
		r.Disk += s.Disk
		if s.Level > from {
			stages = append(stages, job.Stage{
				From: from, To: s.Level, Tasks: s.Tasks, Read: s.Read, Swept: s.Swept, Written: s.Written,
				Loaded: s.In, Stored: s.Out, Seconds: s.Seconds, Memory: s.Memory,
			})
		}
		from = s.Level
	}
	counted := p.Counted(r)
	counted.Stages = stages
	return counted
}

func failed(err error) error {
	var known *job.Error
	if errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return command.Fail(pipeline.KindOf(err), err)
}
