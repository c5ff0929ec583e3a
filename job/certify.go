package job

import (
	"cmp"
	"context"
	"slices"

	"github.com/pavage/pavage/count"
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
func (*Certify) Kind() Kind { return "certify" }

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
	m, s, err := w.onDisk(ctx, &r.Puzzle, &r.Conditions, r.Distinct)
	if err != nil {
		return nil, err
	}
	var answer *Counted
	e, o := count.Engine(r.Engine), w.options(Counting)
	if s == nil {
		result, err := count.Certify(ctx, m.Problem, out, e, o)
		if err != nil {
			return nil, err
		}
		answer = w.counted(m, result)
	} else {
		result, err := count.CertifyDistinct(ctx, m.Problem, s.group(), out, e, o)
		if err != nil {
			return nil, err
		}
		answer = w.counted(m, result.Total)
		answer.Distinct = s.distinct(result)
	}
	answer.Conditions = r.Puzzle.told(&r.Conditions)
	if r.Formula {
		answer.Formula, err = w.formulaType(ctx, m)
	}
	return answer, err
}
