package sequence

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/internal/kit/recurrence"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

const (
	MaxHeight    = 1_000_000                 // largest Heights.Height for an exact count
	MaxFarHeight = 1_000_000_000_000_000_000 // largest Heights.Height for a count modulo a number
	MaxTerms     = 100_000                   // largest value of Heights.Terms
	// UsualTerms is enough for tetrominoes on boards of width 6. Their recurrence has order 1,056,
	// the sweep has 3,369 states, and the proof needs 24 s.
	UsualTerms = 8192
)

// Heights asks for the counts of boxes with heights 0, 1, 2, … and the same other sides.
type Heights struct {
	Family *tiling.Family
	Sides  [3]Range // one number for each side of the board except the height
	Terms  int      // largest number of terms to count, 2 to MaxTerms
	// Height, if not nil, is the only height to count. It is at most MaxHeight, or MaxFarHeight for
	// a count modulo a number.
	Height  *uint64
	Command string // command that makes the recurrence, for Found.Text and Found.Object
}

// Found is a recurrence with terms and a proof.
type Found struct {
	*recurrence.Recurrence // nil if there are not enough terms
	terms                  []*big.Int
	states                 int // first result of count.Heights.States
	known                  bool
	request                *Heights
	title                  string
}

// Proved reports whether the recurrence is proved for all heights. For a proof, all states must be
// known, and the number of terms must be at least the order plus the number of states. See package
// recurrence.
func (f *Found) Proved() bool {
	return f.Recurrence != nil && f.known && len(f.terms) >= f.Order()+f.states
}

func (f *Found) none() error {
	bound := "no bound on the order of the recurrence is known yet"
	if f.known {
		bound = fmt.Sprintf("the order of the recurrence may be as large as %d", f.states)
	}
	return &Error{Few: true, Text: fmt.Sprintf("the counts of heights 0 to %d are too few to find a recurrence and to check it: %s, expected a number of terms above %d", len(f.terms)-1, bound, f.request.Terms)}
}

// Terms returns the number of heights that were counted. The first is height 0.
func (f *Found) Terms() int { return len(f.terms) }

// States returns the number of different states found so far, see count.Heights.States.
func (f *Found) States() int { return f.states }

// Find counts heights until their recurrence is proved. If a proof needs more than r.Terms heights,
// Find only checks the recurrence by further counts, at least as many as determine it. An error is
// an *Error, or an error of count.NewHeights.
func (r *Heights) Find(ctx context.Context, o count.Options) (*Found, error) {
	if r.Sides[1].Given() && r.Sides[2].Given() {
		return nil, bad("both rows and columns given, expected one of them with a recurrence")
	}
	s := tiling.Section{Size: [3]int{1, 0, 0}, Axis: -1}
	for axis, side := range r.Sides {
		switch {
		case axis == 0 && !side.Given(): // flat boards have no layers
		case !side.Given() && s.Axis < 0:
			s.Axis = axis
			s.Size[axis] = 0
		case !side.Given():
			return nil, bad("two sides of the boards have no given length, expected a length for all sides but one, such as columns without rows")
		case !side.single():
			return nil, bad("the range of %s is %v, but a recurrence needs one number in place of a range", SideNames[axis], side)
		default:
			s.Size[axis] = side.Least
		}
	}
	if !r.Family.Unbounded() {
		return nil, bad("a piece has bounds on the number of its copies, but a recurrence needs any number of copies of every piece")
	}
	strip, err := r.Family.Strip(ctx, s, o.Memory)
	if err != nil {
		return nil, err
	}
	progress := &termProgress{to: o.Progress, period: strip.Period, most: r.Terms}
	if o.Progress != nil {
		o.Progress = progress.report
	}
	h, err := count.NewHeights(ctx, strip.Model.Problem, strip.Order, strip.Period, r.Terms, true, o)
	if err != nil {
		return nil, err
	}
	t := &Table{Spec: Spec{Sides: r.Sides}, flat: !r.Sides[0].Given(), free: s.Axis}
	f := &Found{request: r, title: t.title()}
	return f, f.search(ctx, h, progress)
}

func (f *Found) search(ctx context.Context, h *count.Heights, progress *termProgress) error {
	most, enough := f.request.Terms, MaxTerms+2
	if f.request.Height != nil {
		enough = int(min(*f.request.Height, MaxTerms+1)) + 1
	}
	var finder recurrence.Finder
	finder.Add(big.NewInt(1)) // the board without a row has one tiling
	for {
		f.terms = finder.Terms()
		f.states, f.known = h.States()
		progress.terms = min(enough, wantedTerms(finder.Order(), f.states, f.known, most))
		if len(f.terms) >= progress.terms {
			break
		}
		n, err := h.Next(ctx)
		if err != nil {
			return err
		}
		finder.Add(n)
	}
	if len(f.terms) == enough {
		return nil
	}
	var err error
	f.Recurrence, err = finder.Recurrence(ctx)
	if err == nil && !f.Proved() && len(f.terms) < 4*f.Order() {
		f.Recurrence = nil // too few terms are left to check it
	}
	if errors.Is(err, recurrence.ErrNone) {
		return nil
	}
	return err
}

func wantedTerms(order, states int, known bool, most int) int {
	// A recurrence of order L needs 2L terms for its coefficients, and 2L more to check them. With
	// fewer than 64 terms, a recurrence of too small an order may fit by chance.
	const least = 64
	switch {
	case known && order+states <= most+1:
		return order + states
	case known || states > most:
		return min(most+1, max(4*order, least))
	}
	return most + 1 // count until all states are known, or are too many for a proof
}

type termProgress struct {
	to                  func(count.Progress)
	period, most, terms int
	shown               float64
}

func (t *termProgress) report(p count.Progress) {
	share := p.Fraction * float64(t.most) / float64(max(1, t.terms-1))
	t.shown = max(t.shown, min(1, share))
	p.Fraction = t.shown
	p.Steps = max(p.Step, (t.terms-1)*t.period)
	t.to(p)
}

// Term returns the number of tilings at the requested height. If modulus is not 0, it returns the
// remainder of this number after division by modulus, which is at most recurrence.MaxModulus.
// certain is false if the count was computed by a recurrence that is not proved. memory is a limit
// in bytes; 0 means no limit. The error is an *Error, wraps limit.ErrMemory, or is an error of ctx.
func (f *Found) Term(ctx context.Context, modulus uint64, memory int64) (n *big.Int, certain bool, err error) {
	height := *f.request.Height
	switch {
	case height < uint64(len(f.terms)):
		n = new(big.Int).Set(f.terms[height])
		if modulus > 0 {
			n.Mod(n, new(big.Int).SetUint64(modulus))
		}
		return n, true, nil
	case f.Recurrence == nil:
		return nil, false, f.none()
	case modulus > 0:
		rest, err := f.TermMod(ctx, height, modulus)
		return new(big.Int).SetUint64(rest), f.Proved(), err
	}
	need, err := f.Bytes(ctx, int(height))
	if err != nil {
		return nil, false, err
	}
	if memory > 0 && need > memory {
		return nil, false, fmt.Errorf("%w: the count of the board of this height needs about %d bytes of memory, but only %d bytes are left; use a smaller height, or a modulus",
			limit.ErrMemory, need, memory)
	}
	n, err = f.Recurrence.Term(ctx, int(height))
	return n, f.Proved(), err
}

// Established says which terms determine the recurrence, which check it, and whether it is proved.
func (f *Found) Established() string {
	last, order := len(f.terms)-1, f.Order()
	text := fmt.Sprintf("found from a(0)..a(%d)", max(0, 2*order-1))
	if last >= 2*order {
		text += fmt.Sprintf(", holds for all terms counted, up to a(%d)", last)
	}
	switch {
	case f.Proved():
		return text + fmt.Sprintf("; proved for all n: the sweep has %s, so this recurrence, which holds for %d terms, always holds", wording.Plural(f.states, "state"), order+f.states)
	case f.known:
		return text + fmt.Sprintf("; a proof would need %d terms", order+f.states)
	}
	return text + fmt.Sprintf("; a proof would need more than %d terms", f.states)
}

// Text returns the recurrence as text for people. The error is an *Error.
func (f *Found) Text() (string, error) {
	if f.Recurrence == nil {
		return "", f.none()
	}
	numerator, denominator := f.Generating()
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n%s, a(0) = 1\n\n", f.request.Command, f.title)
	fmt.Fprintf(&b, "order       %d\n", f.Order())
	fmt.Fprintf(&b, "recurrence  %v for n >= %d\n", f.Recurrence, f.Order())
	fmt.Fprintf(&b, "generating  (%s) / (%s)\n", recurrence.Polynomial(numerator), recurrence.Polynomial(denominator))
	fmt.Fprintf(&b, "terms       %s\n", strings.Join(texts(f.shown()), ", "))
	fmt.Fprintf(&b, "established %s\n", f.Established())
	return b.String(), nil
}

func (f *Found) shown() []*big.Int { return f.terms[:min(len(f.terms), f.Order()+8)] }

func texts(numbers []*big.Int) []string {
	all := make([]string, len(numbers))
	for i, n := range numbers {
		all[i] = n.String()
	}
	return all
}

// Object is a recurrence in JSON. Numbers are strings. Polynomials begin with the constant term.
type Object struct {
	Command string `json:"command"`
	Order   int    `json:"order"`
	// Recurrence is c1, …, cL for the recurrence a(n) = c1 a(n-1) + … + cL a(n-L).
	Recurrence  []string `json:"recurrence"`
	Numerator   []string `json:"numerator"`
	Denominator []string `json:"denominator"`
	Terms       []string `json:"terms"` // first terms, beginning with a(0) = 1
	// TermsUsed is the number of terms that determine the recurrence. The other terms check it.
	TermsUsed  int  `json:"terms_used"`
	TermsTotal int  `json:"terms_total"`
	States     int  `json:"states"` // number of states between rows
	Proved     bool `json:"proved"`
}

// Object returns the recurrence as JSON for programs. The error is an *Error.
func (f *Found) Object() (*Object, error) {
	if f.Recurrence == nil {
		return nil, f.none()
	}
	numerator, denominator := f.Generating()
	return &Object{
		Command: f.request.Command, Order: f.Order(), Recurrence: texts(f.Coefficients),
		Numerator: texts(numerator), Denominator: texts(denominator), Terms: texts(f.shown()),
		TermsUsed: min(2*f.Order(), len(f.terms)), TermsTotal: len(f.terms), States: f.states, Proved: f.Proved(),
	}, nil
}
