package job

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

// List asks for the tilings of a puzzle, always in the same order. Watch.Tiling receives the
// tilings. If a list ends early, the error has the cursor with which the list can be continued.
type List struct {
	Puzzle   Puzzle   `json:"puzzle"`
	Number   *Whole   `json:"number,omitempty" short:"n" flag:"N" doc:"at most this number of tilings; all by default"`
	After    *string  `json:"after,omitempty" flag:"CURSOR" doc:"continue after the tiling with this cursor"`
	Distinct Distinct `json:"distinct,omitempty" flag:"" alone:"usual" doc:"one tiling of each class up to symmetries of the board: usual (of solid boards only rotations), rotations or all"`

	Conditions
}

// Kind implements [Request].
func (*List) Kind() Kind { return "list" }

// predict forecasts a search for all tilings or, if Number is set, for this number of tilings.
func (r *List) predict(ctx context.Context, m *tiling.Model) Forecast {
	s, err := r.Distinct.symmetry(ctx, m)
	if err != nil {
		return Forecast{}
	}
	p := count.Predict(ctx, m.Problem, count.Search)
	listed, share := p.Solutions, 1.0
	if r.Number != nil && float64(*r.Number) < listed {
		listed = float64(*r.Number)
		share = listed / p.Solutions
	} else if r.Number != nil && listed == 0 {
		return Forecast{} // the length of the list is not known
	}
	f := forecast(p, share)
	f.Seconds += drawSeconds*listed + classSeconds*(s.elements()-1)*p.Solutions
	return f
}

func (r *List) do(ctx context.Context, w *work) (*Listed, error) {
	derived := r.Puzzle.derived() != nil && r.Distinct == ""
	of, err := w.subject(ctx, &r.Puzzle, &r.Conditions, derived)
	if err != nil {
		return nil, err
	}
	m := of.model
	var set count.Set // a family that operations made, which is listed by rank; nil for all other tilings
	if derived {
		if set, _, err = of.set(ctx, w, nil, true); err != nil {
			return nil, err
		}
	}
	var after []int // options of the tiling listed last; nil if there is none
	if r.After != nil {
		var ok bool
		if after, ok = parseCursor(*r.After, m.Problem); !ok {
			return nil, bad("{after} is not the cursor of a tiling of this puzzle, expected a cursor that list has written")
		}
	}
	s, err := r.Distinct.symmetry(ctx, m)
	if err != nil {
		return nil, err
	}
	if err := w.begin(m.Puzzle); err != nil {
		return nil, err
	}
	var listed Whole
	var failed error // error that w.tiling returned
	full := func() bool { return r.Number != nil && listed >= *r.Number }
	take := func(options []int) bool {
		after = append(after[:0], options...)
		if failed = w.tiling(w.of(m, options, render.Tiling{Cursor: formatCursor(options)})); failed != nil {
			return false
		}
		listed++
		return !full()
	}
	switch {
	case full():
	case set != nil:
		err = eachRank(ctx, set, after, take)
	default:
		which := count.Listing{Group: s.group(), After: after, Memory: w.limits.Memory}
		if r.Number != nil {
			which.Number = uint64(*r.Number)
		}
		err = count.Each(ctx, m.Problem, which, take)
	}
	err = errors.Join(failed, err)
	cursor := ""
	if after != nil {
		cursor = formatCursor(after)
	}
	w.note(Detail, "listed", "listed", listed, "cursor", cursor)
	if e, ok := canGoOn(explained(ctx, err)); ok {
		e.Cursor = cursor
		return nil, e
	}
	if listed == 0 && r.After == nil && !full() {
		w.reasons(ctx, m)
	}
	answer := &Listed{
		Title: m.Puzzle.Title, Listed: listed, Cursor: cursor,
		Limited: full() && listed > 0, Classes: s.classes(),
		Conditions: r.Puzzle.told(&r.Conditions), Derived: r.Puzzle.howDerived(),
	}
	return answer, err
}

// Listed is the answer to [List], in addition to the tilings.
type Listed struct {
	Title   string `json:"title"`
	Listed  Whole  `json:"listed" doc:"the number of tilings in the list"`
	Cursor  string `json:"cursor,omitempty" doc:"the cursor of the last tiling; a list with this cursor in the field \"after\" continues after this tiling"`
	Limited bool   `json:"limited" doc:"the list has as many tilings as the request asks for, so there may be more tilings"`

	Conditions *Conditions `json:"conditions,omitempty" doc:"the conditions in the request and in a compiled file: other tilings are not listed"`
	Derived    string      `json:"derived,omitempty" doc:"how operations or a dump made the family of the compiled file; absent for other families"`

	Classes string `json:"-"` // words for the symmetries, if Distinct is set
}

// A cursor is a list of numbers in base 36 with dots between them. An empty list is one dot. The
// numbers are the ascending options of a tiling or, for Query.ByCopies, the copies in a row.
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

func parseCursor(text string, p *cover.Problem) (options []int, ok bool) {
	options, ok = parseNumbers(text)
	return options, ok && slices.IsSorted(options) && p.IsSolution(options)
}

func parseNumbers(text string) (numbers []int, ok bool) {
	numbers = []int{}
	if text == emptyCursor {
		return numbers, true
	}
	for field := range strings.SplitSeq(text, cursorDot) {
		n, err := strconv.ParseInt(field, cursorBase, 32)
		if err != nil || n < 0 {
			return nil, false
		}
		numbers = append(numbers, int(n))
	}
	return numbers, true
}

func eachRank(ctx context.Context, set count.Set, after []int, do func([]int) bool) error {
	rank, one, end := new(big.Int), big.NewInt(1), set.Ranks()
	if after != nil {
		last, err := set.Rank(ctx, after)
		switch {
		case errors.Is(err, count.ErrMember):
			return bad("{after} is not the cursor of a tiling of this family, expected a cursor that list has written")
		case err != nil:
			return err
		}
		rank.Add(last, one)
	}
	for ; rank.Cmp(end) < 0; rank.Add(rank, one) {
		options, err := count.At(ctx, set, rank)
		if err != nil {
			return err
		}
		slices.Sort(options) // a cursor has ascending options
		if !do(options) {
			return nil
		}
	}
	return nil
}
