package job

import (
	"context"
	"errors"
	"math/big"

	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/kit/recurrence"
	"github.com/pavage/pavage/job/sequence"
)

// Recurrence asks for the linear recurrence that the counts of all heights of one
// section obey, or for the count of one height.
type Recurrence struct {
	Boxes
	Terms  int    `json:"terms,omitempty" doc:"count at most this number of heights to find a recurrence and to prove it, 2 to 100000; 8192 if there is none"`
	Height *Whole `json:"height,omitempty" flag:"N" doc:"the count of this height by the recurrence, for boards of one width: 0 to 1000000, with modulo to 10^18"`
	Modulo *Whole `json:"modulo,omitempty" flag:"M" doc:"with height: the remainder of the count modulo this number, 1 to 2^63"`
}

// Kind implements [Request].
func (*Recurrence) Kind() Kind { return "recurrence" }

// Check implements [Request].
func (r *Recurrence) Check() error {
	switch {
	case r.Modulo != nil && r.Height == nil:
		return bad("{modulo} given without {height}")
	case r.Modulo != nil && (*r.Modulo < 1 || *r.Modulo > recurrence.MaxModulus):
		return bad("{modulo} is %d, want 1 to %d", *r.Modulo, uint64(recurrence.MaxModulus))
	case r.Modulo != nil && *r.Height > sequence.MaxFarHeight:
		return bad("{height} is %d, want at most %d", *r.Height, sequence.MaxFarHeight)
	case r.Height != nil && r.Modulo == nil && *r.Height > sequence.MaxHeight:
		return bad("{height} is %d, want at most %d, or {modulo}", *r.Height, sequence.MaxHeight)
	case r.Terms != 0 && (r.Terms < 2 || r.Terms > sequence.MaxTerms):
		return bad("{terms} is %d, want 2 to %d", r.Terms, sequence.MaxTerms)
	}
	return r.check()
}

// Run does the work.
func (r *Recurrence) Run(ctx context.Context, l Limits, w Watch) (*Recurred, error) {
	return run[Recurred](ctx, r, l, w)
}

func (r *Recurrence) do(ctx context.Context, w *work) (Answer, error) {
	f, err := interrupt.Await(ctx, r.family)
	if err != nil {
		return nil, err
	}
	sides, err := r.sides()
	if err != nil {
		return nil, err
	}
	h := &sequence.Heights{Family: f, Sides: sides, Terms: r.Terms, Height: (*uint64)(r.Height), Command: r.command() + " --recurrence" + r.digest()}
	if h.Terms == 0 {
		h.Terms = sequence.UsualTerms
	}
	found, err := h.Find(ctx, w.options(Counting))
	if err != nil {
		return nil, err
	}
	w.note(Detail, "found", "terms", found.Terms(), "states", found.States(), "proved", found.Proved())
	a := &Recurred{}
	var n *big.Int
	certain := true
	switch {
	case r.Height == nil:
		if a.Object, err = found.Object(); err == nil {
			a.Text, err = found.Text()
		}
	case r.Modulo != nil:
		n, certain, err = found.Residue(ctx, uint64(*r.Modulo))
	default:
		n, certain, err = found.Term(ctx, w.limits.Memory)
	}
	if errors.Is(err, sequence.ErrFew) {
		err = &Error{Kind: Limit, err: err}
	}
	if err != nil {
		return nil, err
	}
	if r.Height != nil {
		a.Height = &Height{Height: *r.Height, Modulo: r.Modulo, Count: n.String(), Certain: certain}
	}
	if !certain {
		w.note(Remark, "not proved: "+found.Established())
	}
	return a, nil
}

// Recurred is the answer to [Recurrence]: the recurrence, or the count of the
// height that was asked for.
type Recurred struct {
	*sequence.Object
	Height *Height `json:"height,omitempty"`

	Text string `json:"-"` // the recurrence for people
}

// Height is the count of one height.
type Height struct {
	Height  Whole  `json:"height"`
	Modulo  *Whole `json:"modulo,omitempty"`
	Count   string `json:"count"`
	Certain bool   `json:"certain" doc:"false if a recurrence tells it that is not proved"`
}
