package job

import (
	"cmp"
	"context"
	"io"
	"slices"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/tiling"
)

// Certify asks for a count with a certificate, from which another program sees
// that the count is right. Watch.Output takes the certificate; it is of no use if
// there is an error.
type Certify struct {
	Puzzle   Puzzle   `json:"puzzle"`
	Engine   string   `json:"engine,omitempty" doc:"auto, sweep or diagram; auto if there is none"`
	Distinct Distinct `json:"distinct,omitempty" doc:"certify also the count up to the symmetries of the board: usual, rotations or all"`
	Formula  bool     `json:"formula,omitempty" doc:"answer with the type of the puzzle's formula too"`

	Conditions
}

// Kind implements [Request].
func (*Certify) Kind() Kind { return CertifyKind }

// Check implements [Request].
func (r *Certify) Check() error {
	if r.Engine != "" && !slices.Contains([]count.Engine{count.Auto, count.Sweep, count.Diagram}, count.Engine(r.Engine)) {
		return bad("engine is %.40s, want sweep or diagram: only these write certificates", r.Engine)
	}
	return cmp.Or(r.Distinct.check(), r.Conditions.check(), r.Puzzle.check())
}

// Run does the work.
func (r *Certify) Run(ctx context.Context, l Limits, w Watch) (*Counted, error) {
	return run[Counted](ctx, r, l, w)
}

func (r *Certify) do(ctx context.Context, w *work) (Answer, error) {
	out, err := w.output()
	if err != nil {
		return nil, err
	}
	if err := w.limits.checkDisk(); err != nil {
		return nil, err
	}
	m, err := w.conditioned(ctx, &r.Puzzle, &r.Conditions)
	if err != nil {
		return nil, err
	}
	s, err := r.Distinct.symmetry(ctx, m)
	if err != nil {
		return nil, err
	}
	result, distinct, err := certify(ctx, m, s, out, count.Engine(r.Engine), w.options(new(float64)))
	if err != nil {
		return nil, err
	}
	answer := w.counted(m, result)
	answer.Distinct, answer.Conditions = distinct, r.Puzzle.told(&r.Conditions)
	if r.Formula {
		answer.Formula, err = w.formulaType(ctx, m)
	}
	return answer, err
}

// certify counts and writes a certificate, also up to symmetry if there is one.
func certify(ctx context.Context, m *tiling.Model, s *symmetry, out io.Writer, e count.Engine, o count.Options) (*count.Result, *DistinctCount, error) {
	if s == nil {
		r, err := count.Certify(ctx, m.Problem, out, e, o)
		return r, nil, err
	}
	r, err := count.CertifyDistinct(ctx, m.Problem, s.group(), out, e, o)
	if err != nil {
		return nil, nil, err
	}
	return r.Total, s.distinct(r), nil
}
