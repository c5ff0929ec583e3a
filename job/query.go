package job

import (
	"context"
	"slices"

	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

// Query asks one question about all tilings of a puzzle together. No answer needs a list
// of the tilings:
//
//	2x3, dominoes          rank 0   rank 1   rank 2
//	                       ab c     a bc     a b c
//	                       de f     d ef     d e f
//
//	unrank 1               the tiling in the middle
//	rank of the last one   2
type Query struct {
	Puzzle Puzzle        `json:"puzzle"`
	Rank   []GivenTiling `json:"rank,omitempty" doc:"question: which ranks these tilings have"`
	Unrank []string      `json:"unrank,omitempty" doc:"question: the tilings of these ranks, each a number from 0, first or last"`
	Method string        `json:"method,omitempty" doc:"how to answer: auto, diagram or levels; auto if there is none"`
}

// The methods of a query.
const (
	queryDiagram = "diagram"
	queryLevels  = "levels"
)

// QueryMethods are the values of Query.Method.
func QueryMethods() []string { return []string{AutoMethod, queryDiagram, queryLevels} }

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
	if err := q.check(); err != nil {
		return err
	}
	return r.Puzzle.check()
}

// question is a kind of question about the tilings of a puzzle.
type question interface {
	// check says what is wrong with it, as far as no puzzle is needed for that.
	check() error
	// answer fills in what the kind of question is about.
	answer(ctx context.Context, w *work, m *tiling.Model, to *Queried) error
}

// question is the one that the request asks.
func (r *Query) question() (question, error) {
	var asked []question
	var names []string
	for _, q := range []struct {
		name  string
		asked bool
		is    question
	}{
		{"rank", len(r.Rank) > 0, (*rankQuestion)(r)},
		{"unrank", len(r.Unrank) > 0, (*unrankQuestion)(r)},
	} {
		names = append(names, "{"+q.name+"}")
		if q.asked {
			asked = append(asked, q.is)
		}
	}
	if len(asked) != 1 {
		return nil, bad("%d questions are asked, want one of "+list(names), len(asked))
	}
	return asked[0], nil
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
	m, err := w.model(ctx, &r.Puzzle)
	if err != nil {
		return nil, err
	}
	answer := &Queried{Title: m.Puzzle.Title}
	if err := q.answer(ctx, w, m, answer); err != nil {
		return nil, err
	}
	answer.Seconds = w.seconds()
	return answer, nil
}

// Queried is the answer to [Query], beside tilings. A number that counts tilings has any
// number of digits, and is a string.
type Queried struct {
	Title   string   `json:"title"`
	Count   string   `json:"count" doc:"of all tilings"`
	Ranks   []string `json:"ranks,omitempty" doc:"of the tilings that were given, in their order"`
	Written Whole    `json:"written" doc:"how many tilings were written beside the answer"`
	Method  string   `json:"method" doc:"diagram or levels"`
	Reason  string   `json:"reason,omitempty" doc:"why that method"`
	Effort  Effort   `json:"effort"`
	Bytes   int64    `json:"bytes" doc:"a bound on what the work held"`
	Seconds float64  `json:"seconds"`
}

// source makes the structure in which each tiling has its rank.
func (r *Query) source(ctx context.Context, w *work, m *tiling.Model, to *Queried) (*sample.Source, error) {
	o := w.options(new(float64))
	o.Progress = w.engine(Compiling, new(float64))
	from, err := sample.From(ctx, m.Problem, sample.Request{Method: r.sampling()}, o)
	if err != nil {
		return nil, err
	}
	to.Count, to.Reason = from.Count().String(), from.Reason
	to.Method, to.Effort, to.Bytes = queryDiagram, effortOf(from.Result), from.Result.Bytes
	if from.Method == sample.ByWalk {
		to.Method = queryLevels
	}
	return from, nil
}

// sampling is the method in the words of package sample.
func (r *Query) sampling() sample.Method {
	if r.Method == queryLevels {
		return sample.ByWalk
	}
	return sample.Method(r.Method)
}
