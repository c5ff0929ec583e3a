package job

import (
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

// Count asks for the number of tilings of a puzzle.
type Count struct {
	Puzzle   Puzzle   `json:"puzzle"`
	Engine   string   `json:"engine,omitempty" words:"auto sweep search diagram dimer sat" doc:"auto, sweep, search, diagram, dimer or sat; auto by default" example:"auto"`
	Distinct Distinct `json:"distinct,omitempty" flag:"" alone:"usual" doc:"count also up to the symmetries of the board: usual (of solid boards only rotations), rotations or all" example:"usual"`
	Explain  bool     `json:"explain,omitempty" query:"-" flag:"" help:"write to standard error the forecast of each engine, and why an engine was chosen" doc:"add the plan to the answer"`
	UpTo     *Whole   `json:"up_to,omitempty" query:"up_to" flag:"N" doc:"stop at N tilings, 1 to 100000: a count of N then means N or more" example:"2"`
	Formula  bool     `json:"formula,omitempty" query:"-" doc:"add the type of the puzzle's formula to the answer"`

	Conditions
}

// mostUpTo is the largest value of UpTo. There is a limit, since all tilings found stay in memory.
const mostUpTo = 100_000

// EngineSAT lists all tilings with a SAT solver. It is not an engine of package count.
const EngineSAT = "sat"

// Kind implements [Request].
func (*Count) Kind() Kind { return "count" }

func (r *Count) check() error {
	if r.Engine == EngineSAT && r.Explain {
		return bad(`engine "sat" has no forecasts, expected another engine with {explain} or {estimate}`)
	}
	switch n := r.UpTo; {
	case n == nil:
	case *n < 1 || *n > mostUpTo:
		return bad("{up_to} is %d, expected 1 to %d", *n, mostUpTo)
	case unlessAuto(r.Engine) != "":
		return bad("both {up_to} and {engine} given, expected one or the other")
	case r.Distinct != "" || r.Explain || r.Formula:
		return bad("{up_to} cannot be combined with {distinct}, {explain} or {formula}")
	}
	return nil
}

// For a count up to symmetry, predict multiplies the forecast by the number of symmetries. A count
// of the tilings that one symmetry fixes takes at most as long as a count of all tilings.
func (r *Count) predict(ctx context.Context, m *tiling.Model) Forecast {
	if r.Engine == EngineSAT || r.Formula {
		return Forecast{}
	}
	s, err := r.Distinct.symmetry(ctx, m)
	if err != nil {
		return Forecast{}
	}
	p := count.Predict(ctx, m.Problem, count.Engine(r.Engine))
	if s != nil && p.Engine == count.Dimer { // the tilings that a symmetry fixes may need another engine
		return forecast(count.PredictDistinct(ctx, m.Problem, s.group(), count.Engine(r.Engine)), 1)
	}
	return forecast(p, s.elements())
}

func (r *Count) do(ctx context.Context, w *work) (*Counted, error) {
	if err := w.limits.checkDisk(); err != nil {
		return nil, err
	}
	s, err := w.subject(ctx, &r.Puzzle, &r.Conditions, unlessAuto(r.Engine) == "" && r.Distinct == "")
	if err != nil {
		return nil, err
	}
	var result *count.Result
	var distinct *DistinctCount
	switch {
	case s.file == nil:
		result, distinct, err = r.count(ctx, w, s.model)
	case s.conditions.IsEmpty() && s.file.Length() > compiled.Whole:
		result = s.file.Report() // has the count that is stored in the file
	default: // loading the diagram also counts its tilings
		var c *count.Compiled
		if c, err = s.load(ctx, w); err == nil {
			result = &c.Result
		}
	}
	if err != nil {
		return nil, err
	}
	return r.answer(ctx, w, s.model, result, distinct)
}

func (r *Count) count(ctx context.Context, w *work, m *tiling.Model) (*count.Result, *DistinctCount, error) {
	before := 0.0
	c, err := w.openCheckpoint(r, &before)
	if err != nil {
		return nil, nil, err
	}
	o := w.options(Counting)
	o.Progress = w.engine(Counting, &before)
	w.explain(r.Explain, m, &o)
	s, err := r.Distinct.symmetry(ctx, m)
	if err != nil {
		return nil, nil, err
	}
	var result *count.Result
	switch {
	case r.UpTo != nil:
		some, err := count.Some(ctx, m.Problem, int(*r.UpTo), o)
		return &count.Result{Count: big.NewInt(int64(len(some))), Engine: count.Auto}, nil, err
	case r.Engine == EngineSAT:
		return w.countSAT(ctx, m, s)
	case s != nil:
		both, err := count.Distinct(ctx, m.Problem, s.group(), count.Engine(r.Engine), o)
		if err != nil {
			return nil, nil, err
		}
		return both.Total, s.distinct(both), nil
	case c == nil:
		result, err = count.Count(ctx, m.Problem, count.Engine(r.Engine), o)
		return result, nil, err
	}
	result, err = c.Count(ctx, m.Problem, o)
	if e, ok := canGoOn(explained(ctx, err)); ok && c.Level() >= 0 {
		e.Level, e.Steps = c.Level(), c.Steps()
		err = e
	}
	return result, nil, err
}

func (r *Count) answer(ctx context.Context, w *work, m *tiling.Model, result *count.Result, distinct *DistinctCount) (*Counted, error) {
	a := &Counted{
		Title: m.Puzzle.Title, Count: result.Count.String(), Distinct: distinct, Engine: string(result.Engine),
		Items: len(m.Problem.Items), Options: len(m.Problem.Options), Effort: result.Effort,
		Seconds: w.seconds(), Peak: machine.PeakMemory(), Disk: result.Disk,
		Conditions: r.Puzzle.told(&r.Conditions), Derived: r.Puzzle.howDerived(),
	}
	w.note(Detail, "counted", "engine", a.Engine, "states", result.States, "nodes", result.Nodes,
		"bytes", result.Bytes, "disk", result.Disk, "seconds", a.Seconds)
	if result.Count.Sign() == 0 {
		a.Reasons = w.reasons(ctx, m)
	}
	if r.UpTo != nil && result.Count.Cmp(new(big.Int).SetUint64(uint64(*r.UpTo))) >= 0 {
		a.Count, a.More = r.UpTo.String(), true
	}
	if r.Explain && result.Plan != nil {
		a.Plan = inWords(m, result.Plan)
	}
	a.Parts = coverParts(result.Parts)
	if !r.Formula {
		return a, nil
	}
	// A formula that is too large to encode has long clauses, which make it Projected.
	switch f, err := verify.Encode(ctx, m.Problem, w.limits.Memory); {
	case errors.Is(err, verify.ErrTooLarge), errors.Is(err, cover.ErrMemory):
		a.Formula = verify.Projected
	case err != nil:
		return a, err
	default:
		a.Formula = f.Type()
	}
	return a, nil
}

// Counted is the answer to [Count]. A count can have any number of digits, so it is a string.
type Counted struct {
	Title    string         `json:"title"`
	Count    string         `json:"count"`
	More     bool           `json:"more,omitempty" doc:"the count ended early, at the number in the request: there may be more tilings"`
	Distinct *DistinctCount `json:"distinct,omitempty"`
	Engine   string         `json:"engine"`
	Plan     *Plan          `json:"plan,omitempty"`
	Formula  string         `json:"formula,omitempty" doc:"the type of the formula that convert writes: mc if each variable is a placement; pmc (with projected models) if there are other variables too"`
	Items    int            `json:"items"`
	Options  int            `json:"options"`
	Parts    []CoverPart    `json:"parts,omitempty" doc:"the parts of the simplified cover, which have no item in common; equal parts have one entry; absent if the simplification changed nothing; engine and plan belong to the part with the most options"`
	Effort   Effort         `json:"effort"`
	Seconds  float64        `json:"seconds"`
	Peak     int64          `json:"peak_memory_bytes"`
	Disk     int64          `json:"disk_bytes,omitempty" doc:"bytes of the levels that did not fit in memory"`

	Conditions *Conditions `json:"conditions,omitempty" doc:"the conditions in the request and in a compiled file: other tilings are not counted"`
	Derived    string      `json:"derived,omitempty" doc:"how operations or a dump made the family of the compiled file; absent for other families"`

	Reasons []tiling.Obstruction `json:"reasons,omitempty" doc:"why there is no tiling, as far as that can be seen without a search"`

	Stages []Stage `json:"stages,omitempty" doc:"the stages of a sweep on many machines, one for each band of levels; then \"seconds\" and \"peak_memory_bytes\" belong to the program that waited for the stages"`
}

// CoverPart describes equal parts of a cover. No two parts share an item, so each is counted alone.
// The count of the cover is the product of Count^Times over all CoverParts.
type CoverPart struct {
	Times   int    `json:"times" doc:"the number of equal parts"`
	Items   int    `json:"items" doc:"items of each part"`
	Options int    `json:"options" doc:"options of each part"`
	Count   string `json:"count,omitempty" doc:"solutions of each part; absent from an estimate"`
	Engine  string `json:"engine,omitempty" doc:"the engine that counted each part; absent from an estimate"`
}

func coverParts(parts []count.PartResult) (all []CoverPart) {
	for _, p := range parts {
		part := CoverPart{Times: p.Times, Items: p.Items, Options: p.Options, Engine: string(p.Engine)}
		if p.Count != nil {
			part.Count = p.Count.String()
		}
		all = append(all, part)
	}
	return all
}

// Stage describes consecutive steps of a sweep on many machines. Each task does all these steps.
type Stage struct {
	From    int     `json:"from" doc:"the level that was read"`
	To      int     `json:"to" doc:"the level that was written"`
	Tasks   int     `json:"tasks"`
	Read    int64   `json:"read" doc:"states that were read; a state in several files is counted once for each file"`
	Swept   int64   `json:"swept" doc:"states of the levels after the level \"from\", up to and including the level \"to\"; a state that several tasks made is counted once for each task"`
	Written int64   `json:"written" doc:"states that were written"`
	Loaded  int64   `json:"bytes_read"`
	Stored  int64   `json:"bytes_written"`
	Seconds float64 `json:"seconds" doc:"seconds of all tasks, added"`
	Memory  int64   `json:"memory_bytes" doc:"memory of the task that needed the most memory"`
}

// reasons explains why a model has no tiling, as far as that can be seen without a search.
func (w *work) reasons(ctx context.Context, m *tiling.Model) []tiling.Obstruction {
	reasons := m.Obstructions(ctx)
	for _, o := range reasons {
		w.note(Remark, o.Text)
	}
	return reasons
}

func (w *work) options(doing string) count.Options {
	return count.Options{
		Limits: count.Limits{Threads: w.limits.Threads, Memory: w.limits.Memory, Disk: w.limits.Disk},
		Watch:  count.Watch{Progress: w.engine(doing, new(float64))},
	}
}

func (s *symmetry) distinct(r *count.DistinctResult) *DistinctCount {
	d := s.count(r.Count)
	for _, c := range r.Classes {
		d.Fix = append(d.Fix, Fix{
			s.Elements[c.Elements[0]].Motion, len(c.Elements), c.Fixed.Count.String(), string(c.Fixed.Engine),
		})
	}
	return d
}

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

// HasCheckpoints reports whether the count can save checkpoints. Only a sweep of all tilings can.
func (r *Count) HasCheckpoints() bool {
	return r.Distinct == "" && r.UpTo == nil && slices.Contains([]string{"", string(count.Auto), string(count.Sweep)}, r.Engine)
}

// openCheckpoint opens the checkpoint. The work closes it at the end, and removes it if there is an
// answer. If an earlier run saved a checkpoint, *before is set to the share of work that is done.
func (w *work) openCheckpoint(r *Count, before *float64) (*count.Checkpoint, error) {
	dir := w.limits.Checkpoint
	switch {
	case dir == "":
		return nil, nil
	case r.Distinct != "":
		return nil, bad("{distinct} and checkpoints in %q are both given, expected only one of them: only a count of all tilings has checkpoints", dir)
	case !r.HasCheckpoints():
		return nil, bad("{engine} is %q with checkpoints in %q, expected sweep or auto: only a sweep has checkpoints", r.Engine, dir)
	}
	c, err := count.OpenCheckpoint(dir, w.limits.CheckpointEvery, func(n count.CheckpointNotice) {
		switch n.Event {
		case count.Resumed:
			*before = n.Fraction
			w.note(Notice, fmt.Sprintf("continuing from level %d of %d, with %s, saved at %s",
				n.Level, n.Steps, human.Count(human.Grouped(int64(n.States)), "state"), n.Written.Format(time.DateTime)))
		case count.Saved:
			w.note(Detail, "checkpoint written", "file", n.File, "level", n.Level, "states", n.States, "bytes", n.Bytes, "seconds", n.Seconds)
		case count.Damaged:
			w.note(Warning, "checkpoint cannot be read, so the checkpoint before it is used", "file", n.File, "error", n.Err)
		case count.Unsaved:
			w.note(Warning, "checkpoint could not be written, but the count continues", "file", n.File, "error", n.Err)
		}
	})
	if err != nil {
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

// Prepared has the problem of a [Count], for a caller that counts its solutions on many machines.
type Prepared struct {
	Problem *cover.Problem

	request *Count
	model   *tiling.Model
	work    *work
}

// Prepare reads the puzzle of the request, but does not count. It returns the errors of Run, and an
// error if Distinct, Explain or Formula is set: these need a count on one machine.
func (r *Count) Prepare(ctx context.Context, l Limits, w Watch) (*Prepared, error) {
	if err := Validate(r); err != nil {
		return nil, err
	}
	const alone = "} does not go with a count on many machines"
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

// Counted makes the answer from the caller's result. Its Seconds include the time since Prepare.
func (p *Prepared) Counted(r *count.Result) *Counted {
	answer, _ := p.request.answer(context.Background(), p.work, p.model, r, nil) // only a formula can cause an error
	return answer
}

// These types of package count describe a count: its effort, its plan and forecasts.
type (
	Effort         = count.Effort
	Plan           = count.Plan
	SweepForecast  = count.SweepForecast
	SearchForecast = count.SearchForecast
	DimerForecast  = count.DimerForecast
	Bounds         = count.Bounds
	Order          = count.Order
)

func (w *work) explain(whole bool, m *tiling.Model, o *count.Options) {
	o.Explain = whole
	told := false
	o.Planned = func(p *Plan) {
		if long := p.Engine == count.Dimer && p.Dimer.Seconds > longSeconds; long && !told {
			told = true
			w.note(Notice, fmt.Sprintf("determinants are expected to take about %s", human.Time(p.Dimer.Seconds)))
		}
		if w.watch.Plan != nil {
			w.watch.Plan(inWords(m, p))
		}
	}
}

// If the forecast for determinants is over longSeconds, the work sends a notice.
const longSeconds = 60

func inWords(m *tiling.Model, p *Plan) *Plan {
	also := *p
	also.Orders = make([]Order, len(p.Orders))
	for i, o := range p.Orders {
		o.Name = "from neighbour to neighbour"
		if o.Order < len(m.OrderNames) {
			o.Name = m.OrderNames[o.Order]
		}
		also.Orders[i] = o
	}
	return &also
}

// Estimate asks for a forecast of the count of a puzzle, without counting.
type Estimate struct {
	Puzzle Puzzle `json:"puzzle"`

	Conditions
}

// Kind implements [Request].
func (*Estimate) Kind() Kind { return "estimate" }

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
		Search: e.Search, Dimer: e.Dimer,
		Parts:  coverParts(e.Parts),
		Sooner: e.Sooner(), Conditions: r.Puzzle.told(&r.Conditions),
	}
	if f := e.Sweep; f != nil {
		answer.Sweep = &SweepEstimate{
			States: f.States, Error: f.Error, Exact: f.Exact, Levels: f.Levels,
			Bytes: f.Bytes, Seconds: f.Seconds, Orders: inWords(m, e).Orders, Bounds: e.Bounds,
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
	Sweep   *SweepEstimate  `json:"sweep,omitempty" doc:"absent if no order of the items has states of 511 bits or less, or if determinants are the only engine for a board of this size"`
	Search  *SearchForecast `json:"search,omitempty"`
	Dimer   *DimerForecast  `json:"dimer,omitempty" doc:"absent if no forecast was made, or if determinants cannot count the tilings"`
	Parts   []CoverPart     `json:"parts,omitempty" doc:"as in the answer of a count; the orders, levels and bounds of the sweep belong to the part with the most options"`
	Sooner  bool            `json:"sooner,omitempty" doc:"a count is expected to be faster than this estimate was"`

	Conditions *Conditions `json:"conditions,omitempty" doc:"the conditions in the request: the forecast is for a count of the tilings that meet them"`
}

// SweepEstimate is the forecast of a sweep.
type SweepEstimate struct {
	States  float64   `json:"states"`
	Error   float64   `json:"error" doc:"relative standard error of the states"`
	Exact   int       `json:"exact" doc:"levels up to this level are exact; the other levels are forecast from them"`
	Levels  []float64 `json:"levels" null:"if bounds cannot be met" doc:"states by level"`
	Peak    int       `json:"peak" doc:"the largest level"`
	Bytes   float64   `json:"bytes"`
	Seconds float64   `json:"seconds"`
	Orders  []Order   `json:"orders" doc:"orders of the items, with the order of the sweep first"`
	Bounds  *Bounds   `json:"bounds,omitempty" doc:"bounds on copies that multiply the states; absent where they cost little"`
}
