package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/recurrence"
	"github.com/pavage/pavage/tiling"
)

const (
	// maxHeight is how far terms are told exactly.
	maxHeight = 1_000_000
	// maxFarHeight is how far they are told modulo a number.
	maxFarHeight = 1_000_000_000_000_000_000
	// maxTerms bounds --terms.
	maxTerms = 100_000
	// usualTerms are more than tetrominoes of width 6 take: order 1,056, 3,369
	// states, 24 s.
	usualTerms = 8192
)

// recurrenceFlags ask for a recurrence, or for what is told from one.
type recurrenceFlags struct {
	show                   bool
	height, modulus, terms whole
}

func (r *recurrenceFlags) flags(flags *pflag.FlagSet) {
	r.terms = usualTerms
	flags.BoolVar(&r.show, "recurrence", false, "find the recurrence of the counts of all heights, for boards of one width")
	flags.Var(&r.height, "height", "count the board of height `N` by the recurrence, for boards of one width")
	flags.Var(&r.modulus, "modulo", "with --height: give the remainder of the count modulo `M`")
	flags.Var(&r.terms, "terms", "count at most `N` heights to find and prove the recurrence")
	flags.Lookup("height").DefValue, flags.Lookup("modulo").DefValue = "", ""
}

func (r *recurrenceFlags) wanted(given *pflag.FlagSet) bool {
	return r.show || given.Changed("height") || given.Changed("modulo") || given.Changed("terms")
}

// check reports a wrong call.
func (v *sequenceVerb) checkRecurrence() error {
	r := &v.recurrence
	height, modulo := v.given.Changed("height"), v.given.Changed("modulo")
	switch {
	case v.diagonal || v.given.Changed("output"):
		return usage("--diagonal and --output are for tables, not for recurrences")
	case height && r.show:
		return usage("both --recurrence and --height given, want one or the other")
	case modulo && !height:
		return usage("--modulo given without --height")
	case !height && !r.show:
		return usage("--terms given without --recurrence or --height")
	case modulo && (r.modulus < 1 || r.modulus > recurrence.MaxModulus):
		return usage("--modulo is %d, want 1 to %d", r.modulus, uint64(recurrence.MaxModulus))
	case modulo && r.height > maxFarHeight:
		return usage("--height is %d, want at most %d", r.height, maxFarHeight)
	case height && !modulo && r.height > maxHeight:
		return usage("--height is %d, want at most %d, or --modulo", r.height, maxHeight)
	case r.terms < 2 || r.terms > maxTerms:
		return usage("--terms is %d, want 2 to %d", r.terms, maxTerms)
	case v.format != "" && (height || v.format != formatText && v.format != formatJSON):
		return usage("--format of a recurrence is text or json, and a height has none")
	}
	return nil
}

// section is the boards of all heights that are asked for: all sides are given
// but one.
func (v *sequenceVerb) section() (tiling.Section, error) {
	s := tiling.Section{Size: [3]int{1, 0, 0}, Axis: -1}
	flat := !v.sides[0].given()
	for axis, side := range v.sides {
		switch {
		case axis == 0 && flat:
		case !side.given() && s.Axis < 0:
			s.Axis = axis
			s.Size[axis] = 0
		case !side.given():
			return s, usage("two sides of the boards are open, want one: --columns W, or --rows H")
		case !side.single():
			return s, usage("--%s %v given for a recurrence, want one number", sideNames[axis], &side)
		default:
			s.Size[axis] = side.least
		}
	}
	if s.Axis < 0 {
		return s, usage("all sides of the board are given, a recurrence wants one open: --columns W alone, or --rows H alone")
	}
	return s, nil
}

func (v *sequenceVerb) runRecurrence(ctx context.Context, f *tiling.Family) error {
	if err := v.checkRecurrence(); err != nil {
		return err
	}
	s, err := v.section()
	if err != nil {
		return err
	}
	if !f.Unbounded() {
		return usage("some piece has bounds on its copies, for which there is no recurrence; want =any for every piece")
	}
	bar := v.newBar("counting")
	found, err := v.find(ctx, f, s, bar)
	bar.done()
	if err != nil {
		return err
	}
	v.log.Info().Int("terms", len(found.terms)).Int("states", found.states).Bool("proved", found.proved()).Msg("found")
	if v.given.Changed("height") {
		return v.writeHeight(ctx, found)
	}
	if found.Recurrence == nil {
		return found.none()
	}
	command := v.command() + " --recurrence"
	if v.format == formatJSON {
		return writeJSON(v.Out, found.object(command))
	}
	t := &table{sides: v.sides, flat: !v.sides[0].given(), free: s.Axis}
	_, err = io.WriteString(v.Out, found.text(command, t.title()))
	return err
}

// found is a recurrence and what is known of it.
type found struct {
	*recurrence.Recurrence // nil: there are not enough terms to say
	terms                  []*big.Int
	states                 int  // between periods
	known                  bool // those are all states there ever are
}

// proved: a recurrence whose order is the number of states holds for ever, and
// so does one that holds so many terms long, see package recurrence.
func (f *found) proved() bool {
	return f.Recurrence != nil && f.known && len(f.terms) >= f.Order()+f.states
}

func (f *found) none() error {
	bound := "all its states are not known yet"
	if f.known {
		bound = fmt.Sprintf("its order may be as large as %d", f.states)
	}
	return fail(codeLimit, fmt.Errorf("the first %d counts are too few to find a recurrence and to check it, %s; want more --terms", len(f.terms), bound))
}

// find counts heights until their recurrence is proved or, if that would take
// too many, checked on twice as many terms as determine it.
func (v *sequenceVerb) find(ctx context.Context, f *tiling.Family, s tiling.Section, b *bar) (*found, error) {
	strip, err := f.Strip(ctx, s)
	if err != nil {
		return nil, err
	}
	most, enough := int(v.recurrence.terms), maxTerms+2
	if v.given.Changed("height") {
		enough = int(min(v.recurrence.height, maxTerms+1)) + 1 // then that is one of the terms
	}
	progress := &termProgress{bar: b, period: strip.Period, most: most}
	h, err := count.NewHeights(ctx, strip.Model.Problem, strip.Order, strip.Period, most, true, v.options(progress.report))
	if err != nil {
		return nil, err
	}
	var finder recurrence.Finder
	finder.Add(big.NewInt(1)) // the board without a row has one tiling
	r := &found{}
	for {
		r.terms = finder.Terms()
		r.states, r.known = h.States()
		progress.terms = min(enough, wantedTerms(finder.Order(), r.states, r.known, most))
		if len(r.terms) >= progress.terms {
			break
		}
		n, err := h.Next(ctx)
		if err != nil {
			return nil, err
		}
		finder.Add(n)
	}
	if len(r.terms) == enough {
		return r, nil
	}
	r.Recurrence, err = finder.Recurrence(ctx)
	if err == nil && !r.proved() && len(r.terms) < 4*r.Order() {
		r.Recurrence = nil // nothing, or next to nothing, was left to check it on
	}
	if errors.Is(err, recurrence.ErrNone) {
		return r, nil
	}
	return r, err
}

// wantedTerms is how many terms a recurrence wants that seems to have the
// order, if there are so many states, as far as known.
func wantedTerms(order, states int, known bool, most int) int {
	// Four times the order: half of the terms determine the coefficients, the
	// other half check them. A few more, for orders that only seem small.
	const least = 64
	switch {
	case known && order+states <= most+1:
		return order + states
	case known || states > most:
		return min(most+1, max(4*order, least))
	}
	return most + 1 // the states must become known, or be too many
}

// termProgress turns a sweep's progress into that of the terms wanted.
type termProgress struct {
	bar                 *bar
	period, most, terms int
	shown               float64
}

func (t *termProgress) report(p count.Progress) {
	share := p.Fraction * float64(t.most) / float64(max(1, t.terms-1))
	t.shown = max(t.shown, min(1, share))
	p.Fraction = t.shown
	p.Steps = max(p.Step, (t.terms-1)*t.period)
	t.bar.levels(p)
}

// writeHeight tells one term.
func (v *sequenceVerb) writeHeight(ctx context.Context, f *found) error {
	r := &v.recurrence
	modulo := v.given.Changed("modulo")
	var n *big.Int
	switch {
	case r.height < whole(len(f.terms)):
		n = new(big.Int).Set(f.terms[r.height])
		if modulo {
			n.Mod(n, new(big.Int).SetUint64(uint64(r.modulus)))
		}
	case f.Recurrence == nil:
		return f.none()
	case modulo:
		rest, err := f.TermMod(ctx, uint64(r.height), uint64(r.modulus))
		if err != nil {
			return err
		}
		n = new(big.Int).SetUint64(rest)
	default:
		var err error
		if n, err = v.exact(ctx, f, int(r.height)); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintln(v.Out, n); err != nil {
		return err
	}
	if r.height >= whole(len(f.terms)) && !f.proved() {
		fmt.Fprintf(v.Err, "not proved: %s\n", f.established())
	}
	return nil
}

func (v *sequenceVerb) exact(ctx context.Context, f *found, height int) (*big.Int, error) {
	need, err := f.Bytes(ctx, height)
	if err != nil {
		return nil, err
	}
	if memory := v.options(nil).Memory; memory > 0 && need > memory {
		return nil, fmt.Errorf("%w: about %d bytes needed for a count of such a height, %d allowed; want a smaller --height, or --modulo",
			count.ErrMemory, need, memory)
	}
	return f.Term(ctx, height)
}

// established says what the terms show.
func (f *found) established() string {
	last, order := len(f.terms)-1, f.Order()
	text := fmt.Sprintf("found from a(0)..a(%d)", max(0, 2*order-1))
	if last >= 2*order {
		text += fmt.Sprintf(", holds for all terms counted, up to a(%d)", last)
	}
	switch {
	case f.proved():
		return text + fmt.Sprintf("; proved for all n: %d states between rows bound the order of a recurrence, so %d terms decide", f.states, order+f.states)
	case f.known:
		return text + fmt.Sprintf("; a proof would take %d terms", order+f.states)
	}
	return text + fmt.Sprintf("; a proof would take more than %d terms", f.states)
}

// text is the recurrence for people.
func (f *found) text(command, title string) string {
	numerator, denominator := f.Generating()
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n%s, a(0) = 1\n\n", command, title)
	fmt.Fprintf(&b, "order       %d\n", f.Order())
	fmt.Fprintf(&b, "recurrence  %v for n >= %d\n", f.Recurrence, f.Order())
	fmt.Fprintf(&b, "generating  (%s) / (%s)\n", recurrence.Polynomial(numerator), recurrence.Polynomial(denominator))
	fmt.Fprintf(&b, "terms       %s\n", strings.Join(texts(f.shown()), ", "))
	fmt.Fprintf(&b, "established %s\n", f.established())
	return b.String()
}

// shown are the terms that a reader wants: those that determine the rest, and
// some more.
func (f *found) shown() []*big.Int { return f.terms[:min(len(f.terms), f.Order()+8)] }

func texts(numbers []*big.Int) []string {
	all := make([]string, len(numbers))
	for i, n := range numbers {
		all[i] = n.String()
	}
	return all
}

// recurrenceJSON is the object of sequence --recurrence --format json. Numbers
// of any size are strings; polynomials have their lowest coefficient first.
type recurrenceJSON struct {
	Command     string   `json:"command"`
	Order       int      `json:"order"`
	Recurrence  []string `json:"recurrence"` // c1, …, cL of a(n) = c1 a(n-1) + … + cL a(n-L)
	Numerator   []string `json:"numerator"`
	Denominator []string `json:"denominator"`
	Terms       []string `json:"terms"`      // from a(0) = 1 on
	TermsUsed   int      `json:"terms_used"` // to determine the recurrence; the other checked it
	TermsTotal  int      `json:"terms_total"`
	States      int      `json:"states"` // between rows
	Proved      bool     `json:"proved"`
}

func (f *found) object(command string) recurrenceJSON {
	numerator, denominator := f.Generating()
	return recurrenceJSON{
		Command: command, Order: f.Order(), Recurrence: texts(f.Coefficients),
		Numerator: texts(numerator), Denominator: texts(denominator), Terms: texts(f.shown()),
		TermsUsed: min(2*f.Order(), len(f.terms)), TermsTotal: len(f.terms), States: f.states, Proved: f.proved(),
	}
}
