package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/pavage/pavage/internal/kit/atomicfile"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

type watcher struct {
	*Call
	job.Watch
	bar     *bar
	quiet   bool
	plan    *job.Plan     // the last plan; nil before the first plan
	out     render.Writer // writer of tilings; nil before Begin
	remarks []string      // remarks that are not written yet; after an error they are dropped
}

func (c *Call) watch(doing string, quiet bool) *watcher {
	b := &bar{Call: c, doing: doing, start: time.Now(), hidden: !wanted(c.Config.Progress, c.Err)}
	w := &watcher{Call: c, bar: b, quiet: quiet}
	w.Watch = job.Watch{
		Progress: b.report,
		Plan:     func(p *job.Plan) { w.plan = p },
		Note:     w.note,
		Answer:   func(job.Answer) error { w.tell(); return nil },
	}
	return w
}

func do[A any](ctx context.Context, w *watcher, r job.RequestFor[A]) (*A, error) {
	a, err := job.Do(ctx, r, w.Limits, w.Watch)
	w.bar.done()
	return a, err
}

// toFile does a request and writes the output to the file at path. If the request fails, no part of
// the file stays. The argument flag is the name of the flag that has set the path, for errors.
func toFile[A any](ctx context.Context, w *watcher, flag, path string, r job.RequestFor[A]) (a *A, err error) {
	if path == "-" {
		return nil, usage("--%s is -, but standard output is for the answer, expected a file", flag)
	}
	err = atomicfile.WriteDurable(path, func(out io.Writer) (err error) {
		w.Output = out
		a, err = job.Do(ctx, r, w.Limits, w.Watch)
		return err
	})
	w.bar.done()
	var wrong *fs.PathError
	if errors.As(err, &wrong) && strings.HasPrefix(wrong.Path, path) {
		err = fmt.Errorf("--%s %s: %w", flag, path, wrong.Err)
	}
	if err != nil {
		a = nil
	}
	return a, err
}

type jsonFlag struct {
	AsJSON bool `flag:"" name:"json" doc:"write one JSON object"`
}

// answer writes the result of a request unless it is nil, and returns err. If err is not nil, the
// result may be partial.
func answer[A any](c *Call, o jsonFlag, text func(*A) error, a *A, err error) error {
	switch {
	case a == nil:
		return err
	case o.AsJSON:
		return errors.Join(err, c.JSON(a))
	}
	return errors.Join(err, text(a))
}

func (w *watcher) tell() {
	w.bar.done()
	for _, text := range w.remarks {
		fmt.Fprintln(w.Err, text)
	}
	w.remarks = nil
}

// Write writes the remarks to standard error, and then b to standard output.
func (w *watcher) Write(b []byte) (int, error) {
	w.tell()
	return w.Call.Out.Write(b)
}

func (w *watcher) note(n job.Note) {
	switch n.Weight {
	case job.Detail:
		w.Log.Info().Fields(n.Fields).Msg(n.Text)
	case job.Warning:
		w.Log.Warn().Fields(n.Fields).Msg(n.Text)
	case job.Remark:
		if !w.quiet {
			w.remarks = append(w.remarks, n.Text)
		}
	case job.Notice:
		fmt.Fprintln(w.Err, w.name+": "+n.Text)
	}
}

func (w *watcher) tilings(o *output, n uint64) {
	w.Begin = func(p *tiling.Puzzle) (err error) {
		w.out, err = o.begin(w, p, n)
		return err
	}
	w.Lines = func() *render.Lines {
		lines, _ := w.out.(*render.Lines)
		return lines
	}
	w.Tiling = func(t render.Tiling) error {
		w.tell()
		return w.out.Add(t)
	}
}

// close closes the writer of tilings if err is nil or has a cursor to continue the list.
func (w *watcher) close(err error) error {
	var e *job.Error
	if w.out == nil || err != nil && !(errors.As(err, &e) && e.Cursor != "") {
		return err
	}
	return cmp.Or(w.out.Close(), err)
}
