package job

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"slices"

	"github.com/pavage/pavage/compiled"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/machine"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/verify"
)

// Count asks how many tilings a puzzle has.
type Count struct {
	Puzzle   Puzzle   `json:"puzzle"`
	Engine   string   `json:"engine,omitempty" doc:"auto, sweep, search, diagram, dimer or sat; auto if there is none" example:"auto"`
	Distinct Distinct `json:"distinct,omitempty" doc:"count also up to the symmetries of the board: usual, rotations or all" example:"usual"`
	Explain  bool     `json:"explain,omitempty" query:"-" doc:"answer with the plan too"`
	Formula  bool     `json:"formula,omitempty" query:"-" doc:"answer with the type of the puzzle's formula too"`

	Conditions
}

// EngineSAT is the engine that package count has not: it lists all tilings with a
// SAT solver.
const EngineSAT = "sat"

// Engines are the values of Count.Engine.
func Engines() []string {
	var all []string
	for _, e := range count.Engines() {
		all = append(all, string(e))
	}
	return append(all, EngineSAT)
}

// Kind implements [Request].
func (*Count) Kind() Kind { return "count" }

// Check implements [Request].
func (r *Count) Check() error {
	switch {
	case r.Engine != "" && !slices.Contains(Engines(), r.Engine):
		return bad("{engine} is %.40q, want one of %q", r.Engine, Engines())
	case r.Engine == EngineSAT && r.Explain:
		return bad("engine is sat, want another one with {explain} or {estimate}: there are no forecasts for sat")
	}
	return cmp.Or(r.Distinct.check(), r.Conditions.check(), r.Puzzle.check())
}

// Run does the work.
func (r *Count) Run(ctx context.Context, l Limits, w Watch) (*Counted, error) {
	return run[Counted](ctx, r, l, w)
}

func (r *Count) do(ctx context.Context, w *work) (Answer, error) {
	if err := w.limits.checkDisk(); err != nil {
		return nil, err
	}
	// The diagram of a compiled file answers, but a request with an engine and a count up to symmetry
	// count again.
	if r.Puzzle.opened != nil && unlessAuto(r.Engine) == "" && r.Distinct == "" {
		s, err := w.compiledFamily(ctx, &r.Puzzle, &r.Conditions)
		if err != nil {
			return nil, err
		}
		// The nodes of a file in memory are counted again. Of a larger file the stored count of the
		// root is the answer.
		result := s.file.Report()
		if !s.conditions.IsEmpty() || s.file.Length() <= compiled.Whole {
			c, err := s.load(ctx, w)
			if err != nil {
				return nil, err
			}
			result = &c.Result
		}
		answer := w.counted(s.model, result)
		answer.Conditions, answer.Derived = r.Puzzle.told(&r.Conditions), r.Puzzle.howDerived()
		if r.Formula {
			answer.Formula, err = w.formulaType(ctx, s.model)
		}
		return answer, err
	}
	m, err := w.conditioned(ctx, &r.Puzzle, &r.Conditions)
	if err != nil {
		return nil, err
	}
	c, err := w.openCheckpoint(r)
	if err != nil {
		return nil, err
	}
	answer, err := r.count(ctx, w, m, c)
	if err == nil {
		return answer, nil
	}
	err = explained(ctx, err)
	if e, ok := canGoOn(err); ok && c.Checkpoint != nil && c.Level() >= 0 {
		e.Level, e.Steps = c.Level(), c.Steps()
		return nil, e
	}
	return nil, err
}

// count counts the tilings as the request wants them.
func (r *Count) count(ctx context.Context, w *work, m *tiling.Model, c *checkpoint) (*Counted, error) {
	o := w.options(Counting)
	o.Progress = w.engine(Counting, &c.before)
	w.explain(r.Explain, m, &o)
	s, err := r.Distinct.symmetry(ctx, m)
	if err != nil {
		return nil, err
	}
	var result *count.Result
	var distinct *DistinctCount
	switch {
	case r.Engine == EngineSAT:
		result, distinct, err = w.countSAT(ctx, m, s)
	case s != nil:
		var both *count.DistinctResult
		if both, err = count.Distinct(ctx, m.Problem, s.group(), count.Engine(r.Engine), o); err == nil {
			result, distinct = both.Total, s.distinct(both)
		}
	case c.Checkpoint != nil:
		result, err = c.Count(ctx, m.Problem, o)
	default:
		result, err = count.Count(ctx, m.Problem, count.Engine(r.Engine), o)
	}
	if err != nil {
		return nil, err
	}
	answer := w.counted(m, result)
	answer.Distinct, answer.Conditions = distinct, r.Puzzle.told(&r.Conditions)
	if r.Explain {
		answer.Plan = planOf(m, result.Plan)
	}
	if r.Formula {
		answer.Formula, err = w.formulaType(ctx, m)
	}
	return answer, err
}

// Counted is the answer to [Count]. A count has any number of digits and is a
// string.
type Counted struct {
	Title    string         `json:"title"`
	Count    string         `json:"count"`
	Distinct *DistinctCount `json:"distinct,omitempty"`
	Engine   string         `json:"engine"`
	Plan     *Plan          `json:"plan,omitempty"`
	Formula  string         `json:"formula,omitempty" doc:"mc: each variable of the formula that convert writes is a placement; pmc: there are others, so models are projected"`
	Items    int            `json:"items"`
	Options  int            `json:"options"`
	Effort   Effort         `json:"effort"`
	Seconds  float64        `json:"seconds"`
	Peak     int64          `json:"peak_memory_bytes"`
	Disk     int64          `json:"disk_bytes,omitempty" doc:"of levels that did not fit in memory"`

	Conditions *Conditions `json:"conditions,omitempty" doc:"those of the request, and of a compiled file: other tilings are not counted"`
	Derived    string      `json:"derived,omitempty" doc:"how the family of a compiled file was made, if it is not the tilings of a puzzle under conditions"`

	Reasons []tiling.Obstruction `json:"reasons,omitempty" doc:"why there is no tiling, as far as that can be seen without a search"`

	Stages []Stage `json:"stages,omitempty" doc:"of a sweep on many machines, one for each band of levels; seconds and peak_memory_bytes are then those of the program that waited for them"`
}

// Stage is a band of steps of a sweep on many machines, with what all its tasks together took.
type Stage struct {
	From    int     `json:"from" doc:"the level that was read"`
	To      int     `json:"to" doc:"the level that was written"`
	Tasks   int     `json:"tasks"`
	Read    int64   `json:"read" doc:"states; a state that several files hold is counted for each"`
	Swept   int64   `json:"swept" doc:"states of the levels behind from, up to to; a state that several tasks made is counted for each"`
	Written int64   `json:"written" doc:"states"`
	Loaded  int64   `json:"bytes_read"`
	Stored  int64   `json:"bytes_written"`
	Seconds float64 `json:"seconds" doc:"of all tasks, one after the other"`
	Memory  int64   `json:"memory_bytes" doc:"of the task that needed most"`
}

// Effort is what a count took.
type Effort struct {
	States int64 `json:"states" doc:"of a sweep's levels; of a search: partial covers that it branched on"`
	Tries  int64 `json:"tries,omitempty" doc:"of a search, as the plan forecasts them"`
	Nodes  int64 `json:"nodes" doc:"of the reduced diagram, terminals included; 0 where none is built"`

	Primes   int   `json:"primes,omitempty" doc:"modulo which determinants were found"`
	Products int64 `json:"products,omitempty" doc:"multiplications modulo them"`
}

// reasons tells why a model has no tiling, as far as that can be seen without a search.
func (w *work) reasons(m *tiling.Model) []tiling.Obstruction {
	reasons := m.Obstructions()
	for _, o := range reasons {
		w.note(Remark, o.Text)
	}
	return reasons
}

// counted is the answer without what not all counts have.
func (w *work) counted(m *tiling.Model, r *count.Result) *Counted {
	seconds := w.seconds()
	w.note(Detail, "counted", "engine", string(r.Engine), "states", r.States, "nodes", r.Nodes,
		"bytes", r.Bytes, "disk", r.Disk, "seconds", seconds)
	var reasons []tiling.Obstruction
	if r.Count.Sign() == 0 {
		reasons = w.reasons(m)
	}
	return &Counted{
		Title:   m.Puzzle.Title,
		Count:   r.Count.String(),
		Engine:  string(r.Engine),
		Items:   len(m.Problem.Items),
		Options: len(m.Problem.Options),
		Effort:  effortOf(r),
		Seconds: seconds,
		Peak:    machine.PeakMemory(),
		Disk:    r.Disk,
		Reasons: reasons,
	}
}

func effortOf(r *count.Result) Effort {
	return Effort{States: r.States, Tries: r.Tries, Nodes: r.Nodes, Primes: r.Primes, Products: r.Products}
}

// options are the limits in the form of package count, and the progress of the work.
func (w *work) options(doing string) count.Options {
	return count.Options{
		Limits: count.Limits{Threads: w.limits.Threads, Memory: w.limits.Memory, Disk: w.limits.Disk},
		Watch:  count.Watch{Progress: w.engine(doing, new(float64))},
	}
}

// distinct is a count with what it is made of.
func (s *symmetry) distinct(r *count.DistinctResult) *DistinctCount {
	d := s.count(r.Count)
	for _, c := range r.Classes {
		d.Fix = append(d.Fix, Fix{
			s.Elements[c.Elements[0]].Motion, len(c.Elements), c.Fixed.Count.String(), string(c.Fixed.Engine),
		})
	}
	return d
}

// countSAT counts by listing all tilings with a SAT solver.
func (w *work) countSAT(ctx context.Context, m *tiling.Model, s *symmetry) (*count.Result, *DistinctCount, error) {
	p := *m.Problem
	if s != nil {
		p.Symmetries = s.group()
	}
	o := verify.Options{Threads: w.limits.Threads, Memory: w.limits.Memory, Classes: s != nil}
	if w.watch.Progress != nil {
		o.Progress = func(p verify.Progress) {
			w.watch.Progress(Progress{Doing: Counting, Fraction: p.Fraction, Done: p.Solutions, Unit: "tilings"})
		}
	}
	r, err := verify.Count(ctx, &p, o)
	if err != nil {
		return nil, nil, err
	}
	result := &count.Result{Engine: EngineSAT, Count: big.NewInt(r.Solutions)}
	if s == nil {
		return result, nil, nil
	}
	return result, s.count(big.NewInt(r.Listed)), nil
}

// formulaType is what the c t line of the puzzle's DIMACS file says. A formula that
// is too large to be made has long clauses, and those want helpers.
func (w *work) formulaType(ctx context.Context, m *tiling.Model) (string, error) {
	f, err := verify.Encode(ctx, m.Problem, w.limits.Memory)
	switch {
	case errors.Is(err, verify.ErrTooLarge), errors.Is(err, cover.ErrMemory):
		return verify.Projected, nil
	case err != nil:
		return "", err
	}
	return f.Type(), nil
}
