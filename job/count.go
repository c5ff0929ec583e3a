package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/pavage/pavage/compiled"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/internal/kit/machine"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/verify"
)

// Count asks how many tilings a puzzle has.
type Count struct {
	Puzzle   Puzzle   `json:"puzzle"`
	Engine   string   `json:"engine,omitempty" doc:"auto, sweep, search, diagram, dimer or sat; auto if there is none" example:"auto"`
	Distinct Distinct `json:"distinct,omitempty" flag:"" alone:"usual" doc:"count also up to the symmetries of the board: usual (of solid boards only rotations), rotations or all" example:"usual"`
	Explain  bool     `json:"explain,omitempty" query:"-" flag:"" help:"write to standard error what each engine was expected to take, and why one was chosen" doc:"answer with the plan too"`
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

// key implements keyer.
func (r Count) key(p *sought) (any, bool) {
	how := r.Conditions.form(canonical)
	if r.Explain {
		how = literal
	}
	r.Puzzle, r.Engine, r.Distinct = p.digest(how), unlessAuto(r.Engine), p.upTo(r.Distinct)
	return r, true
}

// predict implements Predict. To count for one class of symmetries takes no more than
// to count all tilings.
func (r *Count) predict(ctx context.Context, m *tiling.Model) Forecast {
	if r.Engine == EngineSAT || r.Formula {
		return Forecast{}
	}
	s, err := r.Distinct.symmetry(ctx, m)
	if err != nil {
		return Forecast{}
	}
	p := count.Predict(ctx, m.Problem, count.Engine(r.Engine))
	if s != nil && p.Engine == count.Dimer { // quotients may have no determinants
		return forecast(count.PredictDistinct(ctx, m.Problem, s.group(), count.Engine(r.Engine)), 1)
	}
	return forecast(p, s.elements())
}

func (r *Count) do(ctx context.Context, w *work) (*Counted, error) {
	if err := w.limits.checkDisk(); err != nil {
		return nil, err
	}
	// The diagram of a compiled file answers, but a request with an engine and a count up to symmetry
	// count again.
	s, err := w.subject(ctx, &r.Puzzle, &r.Conditions, unlessAuto(r.Engine) == "" && r.Distinct == "")
	if err != nil {
		return nil, err
	}
	m := s.model
	if s.file != nil {
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
		answer := w.counted(m, result)
		answer.Conditions, answer.Derived = r.Puzzle.told(&r.Conditions), r.Puzzle.howDerived()
		if r.Formula {
			answer.Formula, err = w.formulaType(ctx, m)
		}
		return answer, err
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

// checkpoint is where a count leaves what it has come to, if anywhere.
type checkpoint struct {
	*count.Checkpoint // nil: nowhere
	w                 *work
	before            float64 // the fraction that was done when the work began
}

// HasCheckpoints reports whether the count can leave checkpoints: that of all tilings,
// by a sweep.
func (r *Count) HasCheckpoints() bool {
	return r.Distinct == "" && slices.Contains([]string{"", string(count.Auto), string(count.Sweep)}, r.Engine)
}

// openCheckpoint opens the directory that the limits name, unless the count cannot
// have checkpoints. It is closed, and after an answer removed, when the work ends.
func (w *work) openCheckpoint(r *Count) (*checkpoint, error) {
	c := &checkpoint{w: w}
	dir := w.limits.Checkpoint
	switch {
	case dir == "":
		return c, nil
	case r.Distinct != "":
		return nil, bad("both {distinct} and checkpoints in %q asked for, want one or the other: only a count of all tilings has checkpoints", dir)
	case !r.HasCheckpoints():
		return nil, bad("engine is %q with checkpoints in %q, want sweep or auto: only a sweep has checkpoints", r.Engine, dir)
	}
	var err error
	if c.Checkpoint, err = count.OpenCheckpoint(dir, w.limits.CheckpointEvery, c.tell); err != nil {
		return nil, err
	}
	w.atEnd = func(answered bool) error {
		defer c.Close()
		if answered {
			return c.Remove()
		}
		return nil
	}
	return c, nil
}

// tell notes what happens to the checkpoint.
func (c *checkpoint) tell(n count.CheckpointNotice) {
	switch n.Event {
	case count.Resumed:
		c.before = n.Fraction
		c.w.note(Notice, fmt.Sprintf("going on from level %d of %d, %s, as of %s",
			n.Level, n.Steps, human.Count(human.Grouped(int64(n.States)), "state"), n.Written.Format(time.DateTime)))
	case count.Saved:
		c.w.note(Detail, "checkpoint written", "file", n.File, "level", n.Level, "states", n.States, "bytes", n.Bytes, "seconds", n.Seconds)
	case count.Damaged:
		c.w.note(Warning, "checkpoint cannot be read, the one before is taken", "file", n.File, "error", n.Err)
	case count.Unsaved:
		c.w.note(Warning, "checkpoint could not be written, the count goes on", "file", n.File, "error", n.Err)
	}
}

// Prepared is a [Count] that is done elsewhere: the problem to be counted, and the part of the
// answer that is known without the count.
//
//	Count ──► Prepare ──► Problem ──► many machines ──► a number ──► Counted
type Prepared struct {
	Problem *cover.Problem

	request *Count
	model   *tiling.Model
	work    *work
}

// Prepare reads the puzzle and the conditions of a request that is then counted elsewhere. Its
// errors are those of Run. Distinct, Explain and Formula ask for more than one count, so they must
// not be there.
func (r *Count) Prepare(ctx context.Context, l Limits, w Watch) (*Prepared, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	const alone = "} does not go with a count on many machines, want none"
	switch {
	case r.Distinct != "":
		return nil, bad("{distinct" + alone)
	case r.Explain:
		return nil, bad("{explain" + alone)
	case r.Formula:
		return nil, bad("{formula" + alone)
	}
	k := &work{limits: l, watch: w, begun: time.Now()}
	m, err := k.conditioned(ctx, &r.Puzzle, &r.Conditions)
	if err != nil {
		return nil, explained(ctx, err)
	}
	return &Prepared{Problem: m.Problem, request: r, model: m, work: k}, nil
}

// Counted is the answer as Run gives it, for a count and what it took. Its seconds are those
// since Prepare.
func (p *Prepared) Counted(r *count.Result) *Counted {
	answer := p.work.counted(p.model, r)
	answer.Conditions = p.request.Puzzle.told(&p.request.Conditions)
	return answer
}

// Plan is what the engines were expected to take, and why one was chosen.
type Plan struct {
	Engine string          `json:"engine"`
	Reason string          `json:"reason"`
	Sweep  *SweepForecast  `json:"sweep,omitempty"`
	Search *SearchForecast `json:"search,omitempty"`
	Dimer  *DimerForecast  `json:"dimer,omitempty" doc:"absent where nobody looked, or where there are no determinants"`
	Orders []Order         `json:"orders" doc:"of a sweep, the one it took first, then others that were looked into"`
	Bounds *Bounds         `json:"bounds,omitempty" doc:"bounds on copies that multiply the states of a sweep; absent where they cost little"`

	Listed  bool    `json:"-"` // a diagram: it was made from a list of the solutions
	Seconds float64 `json:"-"` // what the work took; 0 before its end
}

// SweepForecast is what a sweep is expected to take.
type SweepForecast struct {
	States  float64 `json:"states"`
	Seconds float64 `json:"seconds"`
}

// SearchForecast is what a search is expected to take.
type SearchForecast struct {
	Tries   float64 `json:"tries"`
	Seconds float64 `json:"seconds"`
	Error   float64 `json:"error" doc:"relative standard error of the tries; 0: not known"`
}

// DimerForecast is what determinants are expected to take: the primes and products are certain.
type DimerForecast = count.DimerForecast

// Bounds are bounds on copies that multiply the states of a sweep.
type Bounds struct {
	Costs   []count.BoundCost `json:"costs" doc:"the dearest first"`
	Without *SweepForecast    `json:"without,omitempty" doc:"what a sweep would take if these pieces came in any number: of another count"`
}

func boundsOf(b *count.Bounds) *Bounds {
	if b == nil {
		return nil
	}
	o := &Bounds{Costs: b.Costs}
	if f := b.Without; f != nil {
		o.Without = &SweepForecast{f.States, f.Seconds}
	}
	return o
}

// Order is an order of the cells of a sweep.
type Order struct {
	Order  int     `json:"order"`
	Name   string  `json:"name"`
	States float64 `json:"states"`
}

// explain makes a count tell its plans to the watch: whole ones if that is wanted.
func (w *work) explain(whole bool, m *tiling.Model, o *count.Options) {
	o.Explain = whole
	if w.watch.Plan != nil {
		o.Planned = func(p *count.Plan) { w.watch.Plan(planOf(m, p)) }
	}
}

func planOf(m *tiling.Model, p *count.Plan) *Plan {
	o := &Plan{
		Engine: string(p.Engine), Reason: p.Reason, Orders: orders(m, p.Orders),
		Search: searchForecast(p.Search),
		Dimer:  p.Dimer, Bounds: boundsOf(p.Bounds), Listed: p.Listed,
		Seconds: p.Seconds,
	}
	if f := p.Sweep; f != nil {
		o.Sweep = &SweepForecast{f.States, f.Seconds}
	}
	return o
}

func searchForecast(f *count.Forecast) *SearchForecast {
	if f == nil {
		return nil
	}
	return &SearchForecast{f.States, f.Seconds, f.Error}
}

func orders(m *tiling.Model, from []count.OrderEstimate) []Order {
	all := []Order{}
	for _, o := range from {
		name := "from neighbour to neighbour"
		if o.Order < len(m.OrderNames) {
			name = m.OrderNames[o.Order]
		}
		all = append(all, Order{o.Order, name, o.States})
	}
	return all
}

// Estimate asks what counting a puzzle is expected to take, and does not count.
type Estimate struct {
	Puzzle Puzzle `json:"puzzle"`

	Conditions
}

// Kind implements [Request].
func (*Estimate) Kind() Kind { return "estimate" }

// Check implements [Request].
func (r *Estimate) Check() error { return cmp.Or(r.Conditions.check(), r.Puzzle.check()) }

// key implements keyer.
func (r Estimate) key(p *sought) (any, bool) {
	r.Puzzle = p.digest(literal)
	return r, true
}

func (r *Estimate) do(ctx context.Context, w *work) (*Estimation, error) {
	m, err := w.conditioned(ctx, &r.Puzzle, &r.Conditions)
	if err != nil {
		return nil, err
	}
	e, err := count.Estimate(ctx, m.Problem, w.options(Estimating))
	if err != nil {
		return nil, err
	}
	answer := &Estimation{
		Title: m.Puzzle.Title, Items: len(m.Problem.Items), Options: len(m.Problem.Options),
		Search: searchForecast(e.Search), Dimer: e.Dimer,
		Sooner: e.Sooner(), Conditions: r.Puzzle.told(&r.Conditions),
	}
	if f := e.Sweep; f != nil {
		answer.Sweep = &SweepEstimate{
			States: f.States, Error: f.Error, Exact: f.Exact, Levels: f.Levels,
			Bytes: f.Bytes, Seconds: f.Seconds, Orders: orders(m, e.Orders), Bounds: boundsOf(e.Bounds),
		}
		for i, n := range f.Levels {
			if n > f.Levels[answer.Sweep.Peak] {
				answer.Sweep.Peak = i
			}
		}
	}
	return answer, nil
}

// Estimation is the answer to [Estimate].
type Estimation struct {
	Title   string          `json:"title"`
	Items   int             `json:"items"`
	Options int             `json:"options"`
	Sweep   *SweepEstimate  `json:"sweep,omitempty" doc:"absent where no order of the items has states that are narrow enough, and where determinants are the only engine for so many cells"`
	Search  *SearchForecast `json:"search,omitempty"`
	Dimer   *DimerForecast  `json:"dimer,omitempty" doc:"absent where there are no determinants"`
	Sooner  bool            `json:"sooner,omitempty" doc:"a count is expected to take less than the estimate took"`

	Conditions *Conditions `json:"conditions,omitempty" doc:"those of the request: it is about a count of the tilings that keep them"`
}

// SweepEstimate is what a sweep is expected to take.
type SweepEstimate struct {
	States  float64   `json:"states"`
	Error   float64   `json:"error" doc:"relative standard error of the states"`
	Exact   int       `json:"exact" doc:"levels up to this one are certain, the others are expected from them"`
	Levels  []float64 `json:"levels" null:"if bounds cannot be met" doc:"states by level"`
	Peak    int       `json:"peak" doc:"the largest level"`
	Bytes   float64   `json:"bytes"`
	Seconds float64   `json:"seconds"`
	Orders  []Order   `json:"orders" doc:"that of the sweep first"`
	Bounds  *Bounds   `json:"bounds,omitempty" doc:"bounds on copies that multiply the states; absent where they cost little"`
}
