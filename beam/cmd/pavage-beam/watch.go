package main

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/rs/zerolog"

	"github.com/pavage/pavage/beam/band"
	"github.com/pavage/pavage/beam/pipeline"
	"github.com/pavage/pavage/cmd/pavage/command"
	"github.com/pavage/pavage/job"
)

type watcher struct {
	log   zerolog.Logger
	watch job.Watch
	run   *band.Run

	told      bool  // whether a level was reported
	begun, at int   // numbers of the first and the last level that were reported
	swept     int64 // number of states that were swept after the first reported level
}

func (w *watcher) level(l *band.Level) {
	if !w.told {
		w.told, w.begun = true, l.At
		c := w.run.Plan.Cut
		w.log.Info().Str("folder", w.run.Folder).Int("at", l.At).Int("levels", w.run.Steps()).Int("band", c.Band).
			Int("bands", w.run.Bands(l)).Int("tasks", len(w.run.Tasks(l))).Int64("task_memory", c.Memory).Msg("the run goes on from a level")
	} else {
		s := l.Stage
		if s.Mended > 0 {
			w.log.Warn().Int("at", l.At).Int("slabs", s.Mended).Msg("slabs of the previous level were damaged or missing, and were made again")
		}
		w.log.Info().Int("at", l.At).Int("levels", w.run.Steps()).Int("tasks", s.Tasks).Int64("states", l.States).Int64("swept", s.Swept).
			Int64("bytes", s.Out).Int64("memory", s.Memory).Float64("seconds", milli(s.Seconds)).Float64("longest", milli(s.Longest)).Msg("a level is complete")
		w.swept += s.Swept
	}
	w.at = l.At
	if w.watch.Progress != nil && w.run.Steps() > 0 {
		all := float64(w.run.Steps())
		w.watch.Progress(job.Progress{
			Doing: job.Counting, Fraction: float64(w.at) / all, Before: float64(w.begun) / all,
			Step: w.at, Steps: w.run.Steps(), Done: w.swept, Unit: "states",
		})
	}
}

func milli(seconds float64) float64 { return math.Round(seconds*1000) / 1000 }

func (w *watcher) notice(n band.Notice) {
	if n.Event != band.Repeated {
		w.log.Warn().Str("file", n.File).Err(n.Err).Msg(n.Event.String())
	}
}

func (w *watcher) goOn(ctx context.Context, err error) error {
	kind := pipeline.KindOf(err)
	switch {
	case errors.Is(err, context.Canceled):
		err = errors.New("interrupted")
	case errors.Is(err, context.DeadlineExceeded):
		err = context.Cause(ctx)
	}
	if kind == job.BadInput || kind == job.Disagreement {
		return command.Fail(kind, err) // another attempt would fail in the same way
	}
	return command.Fail(kind, fmt.Errorf("%w; the same command goes on from level %d of %d", err, w.at, w.run.Steps()))
}
