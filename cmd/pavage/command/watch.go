package command

import (
	"fmt"
	"time"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

// watcher writes the progress and the remarks of a piece of work to standard error.
type watcher struct {
	*app
	bar     *bar
	quiet   bool          // only the answer is wanted: no remarks
	plan    *job.Plan     // the last plan; nil before the first
	drawing bool          // the source of the tilings is made
	out     render.Writer // of tilings; nil before the first can come
	remarks []string      // not written yet: an error makes them useless
}

func (a *app) newWatcher(doing string, quiet bool) *watcher {
	b := &bar{app: a, doing: doing, start: time.Now(), hidden: !wanted(a.config.Progress, a.Err)}
	return &watcher{app: a, bar: b, quiet: quiet}
}

// watch is the watcher as package job wants it.
func (w *watcher) watch() job.Watch {
	return job.Watch{
		Progress: w.bar.report,
		Plan:     func(p *job.Plan) { w.plan = p },
		Note:     w.note,
		Answer:   func(job.Answer) error { w.tell(); return nil },
	}
}

// tell writes the remarks. It comes before the answer, or before the first part of it.
func (w *watcher) tell() {
	w.bar.done()
	for _, text := range w.remarks {
		fmt.Fprintln(w.Err, text)
	}
	w.remarks = nil
}

// note writes remarks and notices for people, and logs the rest.
func (w *watcher) note(n job.Note) {
	switch n.Weight {
	case job.Detail:
		w.log.Info().Fields(n.Fields).Msg(n.Text)
	case job.Warning:
		w.log.Warn().Fields(n.Fields).Msg(n.Text)
	case job.Remark:
		if !w.quiet {
			w.remarks = append(w.remarks, n.Text)
		}
	case job.Notice:
		fmt.Fprintln(w.Err, w.name+": "+n.Text)
	}
}

// tilings makes the watch hand n tilings to an output, or at most n. The bar goes
// before the first.
func (w *watcher) tilings(watch *job.Watch, o *output, n uint64) {
	watch.Begin = func(p *tiling.Puzzle) (err error) {
		w.out, err = o.begin(w.app, p, n)
		return err
	}
	watch.Brief = o.format == nil || o.format.Most == 0
	watch.Tiling = func(t render.Tiling) error {
		w.tell()
		return w.out.Add(t)
	}
}

// close ends the output of tilings.
func (w *watcher) close() error {
	if w.out == nil {
		return nil
	}
	return w.out.Close()
}
