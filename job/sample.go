package job

import (
	"context"
	"errors"
	"slices"

	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

// Sample asks for uniformly random tilings of a puzzle.
type Sample struct {
	Puzzle   Puzzle   `json:"puzzle"`
	Number   Whole    `json:"number" doc:"how many tilings"`
	Seed     *Whole   `json:"seed,omitempty" doc:"the same seed draws the same tilings; without one others in every run"`
	Method   string   `json:"method,omitempty" doc:"what tilings are drawn from: auto, diagram or walk; auto if there is none"`
	Distinct Distinct `json:"distinct,omitempty" doc:"draw classes of tilings, up to the symmetries of the board: usual, rotations or all"`
	Explain  bool     `json:"explain,omitempty" doc:"answer with the plan too"`
}

// AutoMethod leaves the choice to the program.
const AutoMethod = string(sample.Auto)

// Methods are the values of Sample.Method.
func Methods() []string {
	var all []string
	for _, m := range sample.Methods() {
		all = append(all, string(m))
	}
	return all
}

// Kind implements [Request].
func (*Sample) Kind() Kind { return SampleKind }

// Check implements [Request].
func (r *Sample) Check() error {
	switch {
	case r.Method != "" && !slices.Contains(Methods(), r.Method):
		return bad("{method} is %.40q, want one of %q", r.Method, Methods())
	case r.Distinct != "" && sample.Method(r.Method) == sample.ByWalk:
		return bad("{distinct} draws from diagrams, want {method} auto or diagram with it")
	}
	if err := r.Distinct.check(); err != nil {
		return err
	}
	return r.Puzzle.check()
}

// Run does the work. Watch.Tiling takes the tilings.
func (r *Sample) Run(ctx context.Context, l Limits, w Watch) (*Sampled, error) {
	return run[Sampled](ctx, r, l, w)
}

func (r *Sample) do(ctx context.Context, w *work) (Answer, error) {
	m, err := w.model(ctx, &r.Puzzle)
	if err != nil {
		return nil, err
	}
	s, err := r.Distinct.symmetry(m)
	if err != nil {
		return nil, err
	}
	o := w.options(new(float64))
	o.Progress = w.engine(Compiling, new(float64))
	w.explain(r.Explain, m, &o)
	from, err := sample.From(ctx, m.Problem, sample.Request{Method: sample.Method(r.Method), Group: s.group()}, o)
	if err != nil {
		return nil, err
	}
	answer := r.sampled(w, m, from)
	if from.Check() != nil {
		return nil, errNoTiling
	}
	if err := w.begin(m.Puzzle); err != nil {
		return nil, err
	}
	if s != nil {
		w.note(Remark, s.classes())
	}
	return answer, r.draw(ctx, w, m, from, answer)
}

// errNoTiling is the error of a puzzle without a tiling, where one is wanted.
var errNoTiling = errors.New("the puzzle has no tiling, so there is none to draw")

// Sampled is the answer to [Sample], beside the tilings. Before the first of them
// it tells what they are drawn from.
type Sampled struct {
	Title   string `json:"title"`
	Count   string `json:"count" doc:"of all tilings"`
	Classes string `json:"classes,omitempty" doc:"of tilings, with distinct"`
	Drawn   Whole  `json:"drawn"`
	Method  string `json:"method"`
	Reason  string `json:"reason,omitempty" doc:"why that method"`
	Engine  string `json:"engine,omitempty"`
	Plan    *Plan  `json:"plan,omitempty"`
	Effort  Effort `json:"effort"`
	Bytes   int64  `json:"bytes" doc:"a bound on what the work held"`
}

// sampled tells what the tilings are drawn from.
func (r *Sample) sampled(w *work, m *tiling.Model, from *sample.Source) *Sampled {
	result := from.Result
	w.note(Detail, "made what is drawn from, since "+from.Reason, "method", string(from.Method), "states", result.States,
		"nodes", result.Nodes, "bytes", result.Bytes, "count", result.Count.String(), "to draw", from.Count().String())
	answer := &Sampled{
		Title: m.Puzzle.Title, Count: result.Count.String(), Method: string(from.Method), Reason: from.Reason,
		Engine: string(result.Engine), Effort: effortOf(result), Bytes: result.Bytes,
	}
	if from.Classes != nil {
		answer.Classes = from.Count().String()
	}
	if r.Explain && result.Plan != nil {
		answer.Plan = planOf(m, result.Plan)
	}
	if w.watch.Drawing != nil {
		w.watch.Drawing(answer)
	}
	return answer
}

// draw hands the tilings over, one at a time.
func (r *Sample) draw(ctx context.Context, w *work, m *tiling.Model, from sample.Sampler, answer *Sampled) error {
	src := sample.Fresh()
	if r.Seed != nil {
		src = sample.Seeded(uint64(*r.Seed))
	}
	for d, err := range from.Draws(ctx, src, uint64(r.Number)) {
		if err != nil {
			return err
		}
		t := of(m, d.Options, render.Tiling{Rank: d.Rank})
		if d.Order == sample.OfWalk {
			t.Rank, t.WalkRank = nil, d.Rank
		}
		if err := w.tiling(t); err != nil {
			return err
		}
		answer.Drawn++
	}
	return nil
}
