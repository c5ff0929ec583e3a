package job

import (
	"context"
	"slices"

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
	Puzzle    Puzzle        `json:"puzzle"`
	Rank      []GivenTiling `json:"rank,omitempty" doc:"question: which ranks these tilings have"`
	Unrank    []string      `json:"unrank,omitempty" doc:"question: the tilings of these ranks, each a number from 0, first or last"`
	Marginals string        `json:"marginals,omitempty" doc:"question: in how many tilings each cell is covered by each of the pieces, orientations, kinds or placements: one of these words"`
	ByCopies  []string      `json:"by_copies,omitempty" doc:"question: how many tilings have how many copies of these pieces; all means all pieces"`
	Pairs     []string      `json:"pairs,omitempty" doc:"question: in how many tilings two selectors occur together: texts such as X5@0,1 and a comma and V5"`
	Correlate string        `json:"correlate,omitempty" doc:"question: how the cells depend on this selector, such as 0,0=domino; marginals may say by what"`
	Best      *Whole        `json:"best,omitempty" doc:"question: so many tilings of the largest weight"`
	Worst     *Whole        `json:"worst,omitempty" doc:"question: so many tilings of the smallest weight"`
	Weights   []string      `json:"weights,omitempty" doc:"weights of placements, such as domino=3/2: the weight of a tiling is the product of its placements'; without a question: the total weight, expected copies and the entropy"`
	Method    string        `json:"method,omitempty" doc:"how to answer: auto, diagram or levels; auto if there is none"`
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
	all := []struct {
		name  string
		asked bool
		is    question
	}{
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
	q := question((*weightQuestion)(r))
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
	m, err := w.model(ctx, &r.Puzzle)
	if err != nil {
		return nil, err
	}
	answer := &Queried{Title: m.Puzzle.Title, Puzzle: m.Puzzle}
	if err := q.answer(ctx, w, m, answer); err != nil {
		return nil, err
	}
	answer.Seconds = w.seconds()
	return answer, nil
}

// Queried is the answer to [Query], beside tilings. A number that counts tilings has any
// number of digits, and is a string.
type Queried struct {
	Title  string   `json:"title"`
	Count  string   `json:"count,omitempty" doc:"of all tilings; not there if weights are asked about and it was not counted"`
	Weight string   `json:"weight,omitempty" doc:"with weights: that of all tilings together, such as 7 or 3/2; the numbers below are weights, too"`
	Ranks  []string `json:"ranks,omitempty" doc:"of the tilings that were given, in their order"`

	Groups     []string         `json:"groups,omitempty" doc:"the names in by, in their order, but for those of placements"`
	Cells      []CellTally      `json:"cells,omitempty" doc:"of the board, with marginals and correlate"`
	Placements []PlacementTally `json:"placements,omitempty" doc:"with marginals by placements"`
	Event      string           `json:"event,omitempty" doc:"with correlate: how many tilings have the selector"`
	Pieces     []string         `json:"pieces,omitempty" doc:"the names in copies, in their order"`
	ByCopies   []CopiesTally    `json:"by_copies,omitempty" doc:"how many tilings have these numbers of copies; none has others"`
	Pairs      []PairTally      `json:"pairs,omitempty"`
	Expected   []Expected       `json:"expected,omitempty" doc:"copies of each piece in a tiling that is drawn by its weight"`
	Entropy    *Entropy         `json:"entropy,omitempty" doc:"of such a tiling"`

	Written Whole   `json:"written" doc:"how many tilings were written beside the answer"`
	Method  string  `json:"method" doc:"diagram or levels"`
	Reason  string  `json:"reason,omitempty" doc:"why that method"`
	Effort  Effort  `json:"effort"`
	Bytes   int64   `json:"bytes" doc:"a bound on what the work held"`
	Seconds float64 `json:"seconds"`

	Puzzle *tiling.Puzzle `json:"-"` // to be drawn
	Marked []int          `json:"-"` // cells that all placements of correlate's selector cover
}
