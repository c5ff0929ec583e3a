package job

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

// List asks for the tilings of a puzzle, one after another, always in the same
// order.
type List struct {
	Puzzle   Puzzle   `json:"puzzle"`
	Number   *Whole   `json:"number,omitempty" doc:"at most so many tilings; without it all"`
	After    *string  `json:"after,omitempty" doc:"a cursor: go on after its tiling"`
	Distinct Distinct `json:"distinct,omitempty" doc:"list one of the tilings that are the same, up to the symmetries of the board: usual, rotations or all"`

	Conditions
}

// Kind implements [Request].
func (*List) Kind() Kind { return ListKind }

// Check implements [Request].
func (r *List) Check() error {
	return cmp.Or(r.Distinct.check(), r.Conditions.check(), r.Puzzle.check())
}

// Run does the work. Watch.Tiling takes the tilings. Where a list is cut short, the
// error says behind which tiling it goes on.
func (r *List) Run(ctx context.Context, l Limits, w Watch) (*Listed, error) {
	return run[Listed](ctx, r, l, w)
}

func (r *List) do(ctx context.Context, w *work) (Answer, error) {
	l, err := r.listing(ctx, w)
	if err != nil {
		return nil, err
	}
	m := l.model
	if r.After != nil {
		var ok bool
		if l.after, ok = parseCursor(*r.After, m.Problem); !ok {
			return nil, bad("{after} is not a tiling of this puzzle, want the cursor of one")
		}
	}
	s, err := r.Distinct.symmetry(ctx, m)
	if err != nil {
		return nil, err
	}
	if err := w.begin(m.Puzzle); err != nil {
		return nil, err
	}
	err = l.list(ctx, s.group())
	w.note(Detail, "listed", "listed", l.listed, "cursor", l.cursor())
	if e, ok := canGoOn(explained(ctx, err)); ok {
		e.Cursor = l.cursor()
		return nil, e
	}
	if l.listed == 0 && r.After == nil && !l.full() {
		w.reasons(m)
	}
	answer := &Listed{
		Title: m.Puzzle.Title, Listed: l.listed, Cursor: l.cursor(), Limited: l.full() && l.listed > 0, Classes: s.classes(),
		Conditions: r.Puzzle.told(&r.Conditions), Derived: r.Puzzle.howDerived(),
	}
	return answer, err
}

// listing is that of the request, before its first tiling.
func (r *List) listing(ctx context.Context, w *work) (*listing, error) {
	if r.stored() {
		return r.listingStored(ctx, w)
	}
	m, err := w.conditioned(ctx, &r.Puzzle, &r.Conditions)
	return &listing{model: m, w: w, number: r.Number}, err
}

// Listed is the answer to [List], beside the tilings.
type Listed struct {
	Title   string `json:"title"`
	Listed  Whole  `json:"listed" doc:"how many tilings"`
	Cursor  string `json:"cursor,omitempty" doc:"of the last tiling; to go on behind it"`
	Limited bool   `json:"limited" doc:"the number of tilings that was asked for is reached, there may be more"`

	Conditions *Conditions `json:"conditions,omitempty" doc:"those of the request, and of a compiled file: other tilings are not listed"`
	Derived    string      `json:"derived,omitempty" doc:"how the family of a compiled file was made, if it is not the tilings of a puzzle under conditions"`

	Classes string `json:"-"` // which tilings are the same, with Distinct
}

// listing is a list under way.
type listing struct {
	model  *tiling.Model
	w      *work
	number *Whole // of tilings wanted; nil: all
	after  []int  // the tiling listed last; nil: none
	listed Whole

	from *sample.Source // of a derived family, whose ranks are listed; nil for a puzzle
}

// full reports whether as many are listed as are wanted.
func (l *listing) full() bool { return l.number != nil && l.listed >= *l.number }

// list hands the tilings over, one of each class under the group.
func (l *listing) list(ctx context.Context, group []cover.Symmetry) error {
	if l.full() {
		return nil
	}
	var failed error
	err := l.each(ctx, group, func(options []int) bool {
		l.after = append(l.after[:0], options...)
		failed = l.w.tiling(l.w.of(l.model, options, render.Tiling{Cursor: formatCursor(options)}))
		if failed != nil {
			return false
		}
		l.listed++
		return !l.full()
	})
	return errors.Join(failed, err)
}

// each calls do with each tiling that is still to be listed, until it returns false.
func (l *listing) each(ctx context.Context, group []cover.Symmetry, do func([]int) bool) error {
	if l.from != nil {
		return eachRank(ctx, l.from, l.after, do)
	}
	which := count.Listing{Group: group, After: l.after, Memory: l.w.limits.Memory}
	if l.number != nil {
		which.Number = uint64(*l.number)
	}
	return count.Each(ctx, l.model.Problem, which, do)
}

// cursor is that of the tiling listed last, empty if there is none.
func (l *listing) cursor() string {
	if l.after == nil {
		return ""
	}
	return formatCursor(l.after)
}

// A cursor is a tiling's options, ascending, in base 36 with dots between
// them. It holds for a puzzle, whatever lists it; the empty packing's is a dot.
const (
	cursorBase  = 36
	cursorDot   = "."
	emptyCursor = cursorDot
)

func formatCursor(options []int) string {
	if len(options) == 0 {
		return emptyCursor
	}
	var room [256]byte
	text := room[:0]
	for i, o := range options {
		if i > 0 {
			text = append(text, cursorDot...)
		}
		text = strconv.AppendInt(text, int64(o), cursorBase)
	}
	return string(text)
}

// parseCursor reports whether text is the cursor of a solution of p, and which.
// The solution is not nil.
func parseCursor(text string, p *cover.Problem) (options []int, ok bool) {
	options = []int{}
	if text != emptyCursor {
		for field := range strings.SplitSeq(text, cursorDot) {
			o, err := strconv.ParseInt(field, cursorBase, 32)
			if err != nil {
				return nil, false
			}
			options = append(options, int(o))
		}
	}
	return options, slices.IsSorted(options) && p.IsSolution(options)
}

// stored reports whether the ranks of the file are listed: only of a derived family, since
// a list is in the order of a search, and goes on in it.
func (r *List) stored() bool { return r.Puzzle.derived() != nil && r.Distinct == "" }

func (r *List) listingStored(ctx context.Context, w *work) (*listing, error) {
	s, err := w.stock(ctx, &r.Puzzle, &r.Conditions)
	if err != nil {
		return nil, err
	}
	l := &listing{model: s.model, w: w, number: r.Number}
	l.from, err = s.source(ctx, w, nil)
	return l, err
}

// eachRank calls do with the tilings of all ranks, or of those behind a tiling, until it
// returns false.
func eachRank(ctx context.Context, from *sample.Source, after []int, do func([]int) bool) error {
	rank, one, end := new(big.Int), big.NewInt(1), from.Count()
	if after != nil {
		last, err := from.Rank(ctx, after)
		switch {
		case errors.Is(err, bdd.ErrMember), errors.Is(err, sample.ErrMember):
			return bad("{after} is not a tiling of this family, want the cursor of one")
		case err != nil:
			return err
		}
		rank.Add(last, one)
	}
	for ; rank.Cmp(end) < 0; rank.Add(rank, one) {
		d, err := from.At(ctx, rank)
		if err != nil {
			return err
		}
		slices.Sort(d.Options) // as in the cursor of a tiling
		if !do(d.Options) {
			return nil
		}
	}
	return nil
}
