package job

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/bdd/interchange"
	"github.com/pavage/pavage/compiled"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/internal/kit/machine"
	"github.com/pavage/pavage/tiling"
)

// Compile asks for a compiled file, which is written to Watch.Output. The file has the diagram of a
// family of tilings. The Operations make this family from all tilings of the puzzle, or from the
// tilings in a dump. After an error, the bytes in Watch.Output are no valid file.
type Compile struct {
	Puzzle Puzzle `json:"puzzle"`
	Conditions

	Operations []Operation `json:"operations,omitempty" doc:"operations on the family, applied in this order"`

	// The work reads the dump from Watch.Input.
	Dump       string `json:"dump,omitempty" doc:"read the family from a dump, which has this name in errors"`
	DumpFormat string `json:"dump_format,omitempty" flag:"FORMAT" words:"graphillion sapporo" doc:"the format of the dump: graphillion or sapporo; graphillion by default"`
}

// Operation combines a family of tilings with the family in a compiled file of the same puzzle.
type Operation struct {
	Do   string `json:"do" doc:"union, intersect or minus"`
	With Puzzle `json:"with" doc:"a compiled file"`
}

var operations = map[string]bdd.Operation{"union": bdd.Union, "intersect": bdd.Intersect, "minus": bdd.Difference}

var dumps = map[string]func(context.Context, io.Reader, int, bdd.Limits) (*bdd.Diagram, error){
	"": interchange.ReadGraphillion, "graphillion": interchange.ReadGraphillion, "sapporo": interchange.ReadSAPPORO,
}

// Kind implements [Request].
func (*Compile) Kind() Kind { return "compile" }

func (r *Compile) check() error {
	for _, o := range r.Operations {
		switch _, known := operations[o.Do]; {
		case !known:
			return bad("{operations} has %.40q, expected union, intersect or minus", o.Do)
		case o.With.opened == nil && o.With.called() == "":
			return bad("{" + o.Do + "} is a puzzle, expected a compiled file; a service combines no files")
		case o.With.opened == nil:
			return bad("{"+o.Do+"} is %s, which is not a compiled file: compile it first", o.With.called())
		}
		if err := o.With.check(); err != nil {
			return err
		}
	}
	return nil
}

// Compiled is the answer to [Compile], in addition to the file.
type Compiled struct {
	Title   string `json:"title"`
	Count   string `json:"count" doc:"how many tilings the file holds"`
	Derived string `json:"derived,omitempty" doc:"how operations or a dump made the family; absent for the family of all tilings that meet the conditions"`
	Options int    `json:"options" doc:"the number of placements of the puzzle"`
	Effort  Effort `json:"effort"`
	Bytes   int64  `json:"bytes" doc:"bytes of the file"`

	Conditions *Conditions `json:"conditions,omitempty" doc:"the conditions in the request, and in the compiled file that the request names"`

	Seconds float64 `json:"seconds"`
	Peak    int64   `json:"peak_memory_bytes"`
}

func (r *Compile) predict(ctx context.Context, m *tiling.Model) Forecast {
	f := forecast(count.Predict(ctx, m.Problem, count.Diagram), 1)
	f.Known = f.Known && len(r.Operations) == 0 && r.Dump == ""
	return f
}

func (r *Compile) do(ctx context.Context, w *work) (*Compiled, error) {
	out, err := w.output()
	if err != nil {
		return nil, err
	}
	f, err := r.first(ctx, w)
	if err != nil {
		return nil, err
	}
	for _, o := range r.Operations {
		if err := f.combine(ctx, w, o); err != nil {
			return nil, err
		}
	}
	source, data, err := r.Puzzle.inside().source()
	if err != nil {
		return nil, err
	}
	if len(f.derived) > maxDerived {
		return nil, errors.New("the description of the family is too long: use fewer operations")
	}
	about := &compiled.About{
		Puzzle: source, Data: data, Title: f.model.Puzzle.Title, Conditions: f.conditions,
		Derived: f.derived,
		Options: len(f.model.Problem.Options),
		Digest:  compiled.Digest(f.model.Problem),
	}
	to := &counted{to: out}
	if err := compiled.Write(ctx, to, about, f.compiled); err != nil {
		return nil, err
	}
	result := f.compiled.Result
	if result.Count.Sign() == 0 && f.derived == "" {
		w.reasons(ctx, f.model)
	}
	return &Compiled{
		Title: about.Title, Count: result.Count.String(), Derived: f.derived,
		Conditions: tellWords(f.conditions), Options: about.Options,
		Effort: result.Effort, Bytes: to.bytes, Seconds: w.seconds(),
		Peak: machine.PeakMemory(),
	}, nil
}

type counted struct {
	to    io.Writer
	bytes int64
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.to.Write(b)
	c.bytes += int64(n)
	return n, err
}

type made struct {
	model      *tiling.Model // model of the puzzle without conditions
	compiled   *count.Compiled
	name       string   // name of the family in errors, and in the text derived
	conditions []string // conditions that all tilings of the family meet
	derived    string   // how operations made the family; "" if it has all tilings that meet the conditions
}

func (r *Compile) first(ctx context.Context, w *work) (*made, error) {
	f := &made{name: r.Puzzle.base(), conditions: r.Conditions.words()}
	if r.Puzzle.opened != nil {
		s, err := w.subject(ctx, &r.Puzzle, &r.Conditions, true)
		if err != nil {
			return nil, err
		}
		f.model, f.conditions, f.derived = s.model, slices.Concat(s.file.Conditions, f.conditions), s.file.Derived
		if f.compiled, err = s.load(ctx, w); err != nil {
			return nil, err
		}
		f.name = described(f.name, s.file)
		if f.derived != "" && !r.Conditions.IsEmpty() {
			f.derived = f.name + " with conditions (" + r.Conditions.spelt() + ")"
			f.name, f.conditions = f.derived, s.file.Conditions
		}
	} else {
		var err error
		if f.model, err = w.own(ctx, &r.Puzzle); err != nil {
			return nil, err
		}
		var bounds []cover.Bound
		if bounds, f.conditions, err = r.Puzzle.bounds(f.model, &r.Conditions); err != nil {
			return nil, err
		}
		m, err := f.model.WithBounds(ctx, bounds)
		if err != nil {
			return nil, err
		}
		if f.compiled, err = w.compile(ctx, m); err != nil {
			return nil, err
		}
	}
	switch {
	case r.Dump == "":
		return f, nil
	case w.watch.Input == nil:
		return nil, bad("{dump} is given, but a request to a service cannot contain a dump: send the request without {dump}")
	}
	all, name := f.compiled, filepath.Base(r.Dump)
	left := limit.Left(w.limits.Memory, all.Result.Bytes)
	d, err := dumps[r.DumpFormat](ctx, w.watch.Input, len(all.Options), bdd.Limits{Bytes: left})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if f.compiled, err = count.OfDiagram(ctx, f.model.Problem, d, all.Options, left); err != nil {
		return nil, err
	}
	others, err := f.compiled.Combine(ctx, bdd.Difference, all, limit.Left(left, f.compiled.Result.Bytes))
	if err != nil {
		return nil, err
	}
	for set := range others.Diagram.AllSets() {
		return nil, bad(`%s: the set %s is not a tiling, expected only tilings; "convert --to universe" writes the placement of each number`, name, places(set))
	}
	f.name, f.derived = name, "read from "+name
	return f, nil
}

// places returns a text with the first 20 variables of a set, numbered from 1, as in dumps.
func places(set []int) string {
	var b strings.Builder
	for i, v := range set {
		if i == 20 {
			b.WriteString(" …")
			break
		}
		fmt.Fprintf(&b, " %d", v+1)
	}
	return "{" + strings.TrimSpace(b.String()) + "}"
}

func (f *made) combine(ctx context.Context, w *work, o Operation) error {
	op := operations[o.Do]
	name := o.With.base()
	if err := f.same(ctx, w, &o.With, name); err != nil {
		return err
	}
	with, err := o.With.opened.Load(ctx, f.model.Problem, limit.Left(w.limits.Memory, f.compiled.Result.Bytes))
	if err != nil {
		return err
	}
	left := limit.Left(w.limits.Memory, f.compiled.Result.Bytes+with.Result.Bytes)
	if f.compiled, err = f.compiled.Combine(ctx, op, with, left); err != nil {
		return err
	}
	f.derived = f.name + " " + o.Do + " " + described(name, o.With.opened)
	f.name, f.conditions = f.derived, nil // the result may have tilings that do not meet the conditions
	w.note(Detail, "combined", "operation", o.Do, "with", name, "nodes", f.compiled.Result.Nodes, "count", f.compiled.Result.Count.String())
	return nil
}

func (p *Puzzle) base() string {
	if name := p.called(); name != "" {
		return filepath.Base(name)
	}
	return "the puzzle"
}

func described(name string, f *compiled.File) string {
	if f.Derived == "" {
		return name
	}
	return fmt.Sprintf("%s (%s)", name, f.Derived)
}

// same returns an error if p, the puzzle of a compiled file, has other options than f.model.
func (f *made) same(ctx context.Context, w *work, p *Puzzle, name string) error {
	other, err := w.own(ctx, p)
	if err != nil {
		return err
	}
	a, b := f.model, other
	switch {
	case len(a.Problem.Options) != len(b.Problem.Options):
		return bad("%s belongs to another puzzle: it has %d placements, expected %d placements, as in %s",
			name, len(b.Problem.Options), len(a.Problem.Options), f.name)
	case compiled.Digest(a.Problem) == compiled.Digest(b.Problem):
		return nil
	}
	for o := range a.Problem.Options {
		if x, y := placementName(a, o), placementName(b, o); x != y {
			return bad("%s belongs to another puzzle: its placement %d is %s, expected %s, as in %s", name, o, y, x, f.name)
		}
	}
	for i := range min(len(a.Problem.Items), len(b.Problem.Items)) {
		if x, y := a.Problem.Items[i], b.Problem.Items[i]; x != y {
			return bad("%s belongs to another puzzle: its item %d is %s with the bounds %s, expected %s with the bounds %s, as in %s", name, i, y.Name, y.Bounds(), x.Name, x.Bounds(), f.name)
		}
	}
	return bad("%s and %s belong to different puzzles: in the two puzzles, some placement uses different items, or the same item different numbers of times", name, f.name)
}

const maxDerived = 1 << 16
