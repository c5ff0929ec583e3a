package job

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/wording"
)

// Kind implements [Request].
func (*Query) Kind() Kind { return "query" }

// Check implements [Request].
func (r *Query) Check() error {
	if r.Method != "" && !slices.Contains(QueryMethods(), r.Method) {
		return bad("{method} is %.40q, want one of %q", r.Method, QueryMethods())
	}
	q, err := r.question()
	if err != nil {
		return err
	}
	if r.Method == queryDimer && !q.determined {
		return bad("{method} is %s, and determinants only answer {entropy}, {marginals}, {correlate}, {pairs} and {weights}: want %s, %s or %s", queryDimer, AutoMethod, queryDiagram, queryLevels)
	}
	switch {
	case len(r.Of) > 0 && r.Marginals == "" && r.Correlate == "":
		err = bad("{of} is given, and it is for {marginals} and {correlate}")
	case len(r.Of) > 0 && r.Marginals == byHeights:
		err = bad("{of} is given, and {marginals} is %s: heights are those of all placements together", byHeights)
	case len(r.Of) > maxConditions:
		err = bad("{of} has %d selectors, want at most %d", len(r.Of), maxConditions)
	}
	return cmp.Or(q.check(), err, checkWeights(r.Weights), r.Conditions.check(), r.Puzzle.check())
}

// question is a kind of question about the tilings of a puzzle.
type question struct {
	asker
	name       string // the field of the request
	asked      bool
	eitherWay  bool // a diagram and levels have the same answer
	determined bool // determinants have the answer, where there are any
}

// asker is a request with a question of one kind.
type asker interface {
	// check returns an error if the question is wrong for every puzzle.
	check() error
	// answer fills in the part of the answer that belongs to the kind of question.
	answer(ctx context.Context, w *work, s *subject, to *Queried) error
}

// question is the one that the request asks.
func (r *Query) question() (question, error) {
	all := []question{
		{(*entropyQuestion)(r), "entropy", r.Entropy, true, true},
		{(*rankQuestion)(r), "rank", len(r.Rank) > 0, false, false}, // their orders differ
		{(*unrankQuestion)(r), "unrank", len(r.Unrank) > 0, false, false},
		{(*marginalsQuestion)(r), "marginals", r.Marginals != "" && r.Correlate == "", true, true},
		{(*copiesQuestion)(r), "by_copies", len(r.ByCopies) > 0, true, false},
		{(*pairsQuestion)(r), "pairs", len(r.Pairs) > 0, true, true},
		{(*correlateQuestion)(r), "correlate", r.Correlate != "", true, true},
		{(*bestQuestion)(r), "best", r.Best != nil, false, false}, // levels know no order of weights
		{(*bestQuestion)(r), "worst", r.Worst != nil, false, false},
	}
	var asked, names []string
	q := all[0]
	for _, one := range all {
		names = append(names, "{"+one.name+"}")
		if one.asked {
			asked, q = append(asked, "{"+one.name+"}"), one
		}
	}
	switch {
	case len(asked) > 1:
		return q, bad("both " + asked[0] + " and " + asked[1] + " given, want one question")
	case len(asked) == 0 && len(r.Weights) == 0:
		names = append(names, "{weights}")
		return q, bad("no question is asked, want " + wording.List(names))
	case len(r.Weights) > 0 && len(r.Rank)+len(r.Unrank) > 0:
		return q, bad("both " + asked[0] + " and {weights} given, want no weights: ranks do not depend on them")
	}
	return q, nil
}

// Run does the work. Watch.Tiling takes the tilings of a question whose answer has any.
func (r *Query) Run(ctx context.Context, l Limits, w Watch) (*Queried, error) {
	return run[Queried](ctx, r, l, w)
}

func (r *Query) do(ctx context.Context, w *work) (Answer, error) {
	q, err := r.question()
	if err != nil {
		return nil, err
	}
	again := *w
	answer, err := r.answered(ctx, w, q)
	f := r.Puzzle.opened
	if errors.Is(err, cover.ErrMemory) && q.eitherWay && f != nil && f.Derived == "" && cmp.Or(r.Method, AutoMethod) == AutoMethod {
		// The puzzle in the file can answer in place of the diagram.
		if _, e := r.Puzzle.kept(); e == nil {
			levels := *r
			levels.Method, again.watch.Note = queryLevels, nil // the notes were sent with the file
			if q, err = levels.question(); err != nil {
				return nil, err
			}
			if answer, err = levels.answered(ctx, &again, q); err == nil {
				answer.Reason = "the diagram of the file does not fit in memory"
			}
		}
	}
	if err != nil {
		return nil, err
	}
	answer.Seconds = w.seconds()
	return answer, nil
}

// answered answers the question.
func (r *Query) answered(ctx context.Context, w *work, q question) (*Queried, error) {
	s, err := r.subject(ctx, w)
	if err != nil {
		return nil, err
	}
	m := s.model
	answer := &Queried{Title: m.Puzzle.Title, Conditions: r.Puzzle.told(&r.Conditions), Derived: r.Puzzle.howDerived(), Puzzle: m.Puzzle}
	err = q.answer(ctx, w, s, answer)
	if err == nil && answer.Count == "0" {
		w.reasons(m)
	}
	return answer, err
}

// subject is the compiled file, unless levels are asked for, or the puzzle.
func (r *Query) subject(ctx context.Context, w *work) (*subject, error) {
	if r.Puzzle.opened == nil || r.Method == queryLevels || r.Method == queryDimer {
		m, err := w.conditioned(ctx, &r.Puzzle, &r.Conditions)
		return &subject{model: m}, err
	}
	s, err := w.compiledFamily(ctx, &r.Puzzle, &r.Conditions)
	if err != nil {
		return nil, err
	}
	return &subject{model: s.model, compiled: s, work: w}, nil
}
