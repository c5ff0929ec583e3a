package job

import (
	"cmp"
	"context"
	"errors"
	"slices"
)

// Kind implements [Request].
func (*Query) Kind() Kind { return QueryKind }

// Check implements [Request].
func (r *Query) Check() error {
	if r.Method != "" && !slices.Contains(QueryMethods(), r.Method) {
		return bad("{method} is %.40q, want one of %q", r.Method, QueryMethods())
	}
	q, err := r.question()
	if err != nil {
		return err
	}
	if r.Method == queryDimer && !q.determined() {
		return bad("{method} is %s, and determinants only answer {entropy}, {marginals}, {correlate}, {pairs} and {weights}: want %s, %s or %s", queryDimer, AutoMethod, queryDiagram, queryLevels)
	}
	return cmp.Or(q.check(), r.checkOf(), checkWeights(r.Weights), r.Conditions.check(), r.Puzzle.check())
}

// question is a kind of question about the tilings of a puzzle.
type question interface {
	// check says what is wrong with it, as far as no puzzle is needed for that.
	check() error
	// answer fills in what the kind of question is about.
	answer(ctx context.Context, w *work, s *subject, to *Queried) error
	// eitherWay reports whether a diagram and levels have the same answer.
	eitherWay() bool
	// determined reports whether determinants have the answer, where there are any.
	determined() bool
}

func (*rankQuestion) eitherWay() bool      { return false } // their orders differ
func (*unrankQuestion) eitherWay() bool    { return false }
func (*bestQuestion) eitherWay() bool      { return false } // levels know no order of weights
func (*marginalsQuestion) eitherWay() bool { return true }
func (*copiesQuestion) eitherWay() bool    { return true }
func (*pairsQuestion) eitherWay() bool     { return true }
func (*correlateQuestion) eitherWay() bool { return true }
func (*entropyQuestion) eitherWay() bool   { return true }

func (*rankQuestion) determined() bool      { return false }
func (*unrankQuestion) determined() bool    { return false }
func (*bestQuestion) determined() bool      { return false }
func (*copiesQuestion) determined() bool    { return false }
func (*marginalsQuestion) determined() bool { return true }
func (*pairsQuestion) determined() bool     { return true }
func (*correlateQuestion) determined() bool { return true }
func (*entropyQuestion) determined() bool   { return true }

// question is the one that the request asks.
func (r *Query) question() (question, error) {
	all := []struct {
		name  string
		asked bool
		is    question
	}{
		{"entropy", r.Entropy, (*entropyQuestion)(r)},
		{"rank", len(r.Rank) > 0, (*rankQuestion)(r)},
		{"unrank", len(r.Unrank) > 0, (*unrankQuestion)(r)},
		{"marginals", r.Marginals != "" && r.Correlate == "", (*marginalsQuestion)(r)},
		{"by_copies", len(r.ByCopies) > 0, (*copiesQuestion)(r)},
		{"pairs", len(r.Pairs) > 0, (*pairsQuestion)(r)},
		{"correlate", r.Correlate != "", (*correlateQuestion)(r)},
		{"best", r.Best != nil, (*bestQuestion)(r)},
		{"worst", r.Worst != nil, (*bestQuestion)(r)},
	}
	var asked, names []string
	q := question((*entropyQuestion)(r))
	for _, one := range all {
		names = append(names, "{"+one.name+"}")
		if one.asked {
			asked, q = append(asked, "{"+one.name+"}"), one.is
		}
	}
	switch {
	case len(asked) > 1:
		return nil, bad("both " + asked[0] + " and " + asked[1] + " given, want one question")
	case len(asked) == 0 && len(r.Weights) == 0:
		return nil, bad("no question is asked, want " + list(append(names, "{weights}")))
	}
	if len(r.Weights) > 0 && len(r.Rank)+len(r.Unrank) > 0 {
		return nil, bad("both " + asked[0] + " and {weights} given, want no weights: ranks do not depend on them")
	}
	return q, nil
}

// list are words as a sentence has them.
func list(words []string) string {
	text := words[0]
	for i, w := range words[1:] {
		if i == len(words)-2 {
			text += " or " + w
		} else {
			text += ", " + w
		}
	}
	return text
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
	if errors.Is(err, ErrMemory) && q.eitherWay() && r.mayTakeLevels() {
		answer, err = r.byLevels(ctx, &again)
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

// mayTakeLevels reports whether the puzzle in a compiled file can answer in place of its
// diagram.
func (r *Query) mayTakeLevels() bool {
	f := r.Puzzle.opened
	if f == nil || f.Derived != "" || cmp.Or(r.Method, AutoMethod) != AutoMethod {
		return false
	}
	_, err := r.Puzzle.kept()
	return err == nil
}

// byLevels answers without the diagram of a file, which does not fit in memory.
func (r *Query) byLevels(ctx context.Context, w *work) (*Queried, error) {
	levels := *r
	levels.Method, w.watch.Note = queryLevels, nil // what there is to note, the file has said
	q, err := levels.question()
	if err != nil {
		return nil, err
	}
	answer, err := levels.answered(ctx, w, q)
	if err == nil {
		answer.Reason = "the diagram of the file does not fit in memory"
	}
	return answer, err
}

// subject is the compiled file, unless levels are asked for, or the puzzle.
func (r *Query) subject(ctx context.Context, w *work) (*subject, error) {
	if r.Puzzle.opened == nil || r.Method == queryLevels || r.Method == queryDimer {
		m, err := w.conditioned(ctx, &r.Puzzle, &r.Conditions)
		return &subject{model: m}, err
	}
	s, err := w.stock(ctx, &r.Puzzle, &r.Conditions)
	if err != nil {
		return nil, err
	}
	return &subject{model: s.model, stock: s, work: w}, nil
}
