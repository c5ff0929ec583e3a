package job

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"strconv"
	"strings"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

// Query asks one question about all tilings of a puzzle. Watch.Tiling receives the tilings of the
// answer. If a search for ByCopies ends early, Run returns an error and an answer, which has the
// rows so far and the cursor for After. If Watch.Copies received the rows, the error has the
// cursor, too. A rank is the number of a tiling in a fixed order:
//
//	2x3, three dominoes    rank 0   rank 1   rank 2
//	a, b and c             abc      abb      aab
//	(diagram)              abc      acc      ccb
//
//	unrank 1                  the tiling in the middle
//	rank of the last tiling   2
type Query struct {
	Puzzle    Puzzle        `json:"puzzle"`
	Entropy   bool          `json:"entropy,omitempty" flag:"" doc:"the natural logarithm of the number of tilings, also divided by the number of cells; with weights also Shannon's entropy of a tiling that is drawn by its weight"`
	Rank      []GivenTiling `json:"rank,omitempty" doc:"the ranks of these tilings"`
	Unrank    []string      `json:"unrank,omitempty" flag:"K" doc:"the tiling with this rank: a number from 0, or the word first or last" example:"[\"12\"]"`
	Marginals string        `json:"marginals,omitempty" flag:"WHAT" words:"pieces orientations kinds placements heights" alone:"pieces" doc:"in how many tilings each cell is covered by each piece (pieces), by each orientation of a piece (orientations), or by each orientation and colour of its first cell on a chessboard (kinds); in how many tilings each placement is used (placements); or the mean height of each corner, for dominoes or lozenges (heights)"`
	ByCopies  []string      `json:"by_copies,omitempty" flag:"PIECE" list:"," doc:"count tilings by the number of copies of these pieces (all means all pieces), or by the number of these placements, such as domino:1"`
	Having    string        `json:"having,omitempty" flag:"RANGE" doc:"only choices of copies with this number of tilings: K, A..B or A..; with 0, also choices of copies without a tiling that fit the bounds of the pieces and the cells of the board" example:"\"1..5\""`
	After     *string       `json:"after,omitempty" flag:"CURSOR" doc:"continue after the choice of copies with this cursor"`
	Pairs     []string      `json:"pairs,omitempty" flag:"A,B" doc:"how many tilings have a placement of A and one of B, such as 0,0=domino:1,7,7=domino:2"`
	Correlate string        `json:"correlate,omitempty" flag:"PLACEMENTS" doc:"how the cover of each cell depends on these placements, such as 0,0=domino; for each piece, or for each orientation if there is only one piece; a value of marginals chooses other objects"`
	Of        []string      `json:"of,omitempty" flag:"PLACEMENTS" doc:"marginals and correlations of these placements only, such as X5 or domino:2"`
	Best      *Whole        `json:"best,omitempty" flag:"N" doc:"the N tilings of largest weight, the largest first"`
	Worst     *Whole        `json:"worst,omitempty" flag:"N" doc:"the N tilings of smallest weight, the smallest first"`
	Weights   []string      `json:"weights,omitempty" query:"weight" flag:"PLACEMENTS=WEIGHT" doc:"the weight of these placements, such as domino=3/2, or volume=Q for dominoes and lozenges: tilings weigh Q^volume; several weights of one placement multiply; the weight of a tiling is the product of the weights of its placements"`
	Method    string        `json:"method,omitempty" flag:"METHOD" words:"auto diagram sweep dimer search" help:"how to answer: auto, diagram, sweep, dimer, or, only with --by-copies, search, which lists the tilings of many choices of copies at a time; auto by default" doc:"how to answer: auto, diagram, sweep, dimer or search; auto by default; search is only for by_copies, and lists the tilings of many choices of copies at a time"`

	Conditions
}

const (
	queryDiagram = string(count.Diagram)
	querySweep   = string(count.Sweep)
	queryDimer   = string(count.Dimer)
	querySearch  = string(count.Search)
)

func (r *Query) engine() count.Engine {
	if r.Method == AutoMethod {
		return ""
	}
	return count.Engine(r.Method)
}

// Kind implements [Request].
func (*Query) Kind() Kind { return "query" }

func (r *Query) check() error {
	q, err := r.question()
	if err != nil {
		return err
	}
	switch {
	case r.Method == queryDimer && !q.determined:
		return bad("{method} is %s, but this method answers only {entropy}, {marginals}, {correlate}, {pairs} and {weights}: expected {method} %s", queryDimer, AutoMethod)
	case r.Method == querySearch && q.name != "by_copies":
		return bad("{method} is %s, but this method answers only {by_copies}: expected {method} %s", querySearch, AutoMethod)
	case r.Correlate != "" && (r.Marginals == byPlacements || r.Marginals == byHeights):
		return bad("{marginals} is %s, but with {correlate} only the words %s, %s and %s are allowed", r.Marginals, byPieces, byOrientations, byKinds)
	case len(r.ByCopies) > 0 && len(r.Weights) > 0:
		return bad("both {by_copies} and {weights} given, expected one or the other: {weights} alone gives the total weight and the mean numbers of copies")
	case len(r.Pairs) > maxPairs:
		return bad("{pairs} has %d pairs, expected at most %d", len(r.Pairs), maxPairs)
	case r.Best != nil && *r.Best > maxBest:
		return bad("{best} is %d, expected at most %d", *r.Best, maxBest)
	case r.Worst != nil && *r.Worst > maxBest:
		return bad("{worst} is %d, expected at most %d", *r.Worst, maxBest)
	case cmp.Or(r.Best, r.Worst) != nil && r.Method == querySweep:
		return bad("{method} is %s, but only a diagram lists tilings in the order of their weights: expected {method} %s or %s", querySweep, AutoMethod, queryDiagram)
	case cmp.Or(r.Best, r.Worst) != nil && len(r.Weights) == 0:
		return bad("{" + q.name + "} given without {weights}: then all tilings have the same weight")
	case len(r.Of) > 0 && r.Marginals == byHeights:
		return bad("{of} is given with {marginals}=%s, but a height depends on all placements: expected {marginals}=%[1]s without {of}", byHeights)
	case len(r.Of) > maxConditions:
		return bad("{of} has %d entries, expected at most %d", len(r.Of), maxConditions)
	}
	if _, err := r.having(); err != nil {
		return err
	}
	for i, t := range r.Rank {
		if t.Placements == nil && t.Options == nil && t.Numbers == nil && t.Cursor == "" {
			return bad("{rank}: entry %d has no tiling, expected the placements of a tiling, the numbers of the placements, or a cursor", i+1)
		}
	}
	for _, k := range r.Unrank {
		if err := checkRank("unrank", k); err != nil {
			return err
		}
	}
	return nil
}

type question struct {
	name       string // JSON name of the field of the request
	asked      bool
	answer     func(r *Query, ctx context.Context, w *work, s *subject, to *Queried) error
	eitherWay  bool // a diagram and levels give the same answer
	determined bool // determinants give the answer for puzzles of dimers
}

func (r *Query) question() (question, error) {
	all := []question{
		{"entropy", r.Entropy, (*Query).answerEntropy, true, true},
		{"rank", len(r.Rank) > 0, (*Query).answerRank, false, false}, // a diagram and levels have different orders of tilings
		{"unrank", len(r.Unrank) > 0, (*Query).answerUnrank, false, false},
		{"marginals", r.Marginals != "" && r.Correlate == "", (*Query).answerMarginals, true, true},
		{"by_copies", len(r.ByCopies) > 0, (*Query).answerCopies, true, false},
		{"pairs", len(r.Pairs) > 0, (*Query).answerPairs, true, true},
		{"correlate", r.Correlate != "", (*Query).answerCorrelate, true, true},
		{"best", r.Best != nil, (*Query).answerBest, false, false}, // only a diagram can order tilings by weight
		{"worst", r.Worst != nil, (*Query).answerBest, false, false},
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
	case r.Having != "" && len(r.ByCopies) == 0:
		return q, bad("{having} is given without {by_copies}, expected both")
	case r.After != nil && len(r.ByCopies) == 0:
		return q, bad("{after} is given without {by_copies}, expected both")
	case len(r.Of) > 0 && r.Marginals == "" && r.Correlate == "":
		return q, bad("{of} is given without {marginals} and without {correlate}, expected one of these two with {of}")
	case len(asked) > 1:
		return q, bad("both " + asked[0] + " and " + asked[1] + " given, expected one question")
	case len(asked) == 0 && len(r.Weights) == 0:
		names = append(names, "{weights}")
		return q, bad("the request has no question, expected " + wording.List(names))
	case len(r.Weights) > 0 && len(r.Rank)+len(r.Unrank) > 0:
		return q, bad("both " + asked[0] + " and {weights} given, expected one or the other: ranks do not depend on weights")
	}
	return q, nil
}

func (r *Query) predict(ctx context.Context, m *tiling.Model) Forecast {
	var rows count.Rows
	if len(r.ByCopies) > 0 {
		_, rows.Sets, _ = setsOf(m, r.ByCopies) // ignores the error: the work returns it, too
		if rows.Searches(m.Problem, r.engine()) {
			return Forecast{} // the time of a search is not known before the first rows are counted
		}
	}
	var p count.Prediction // forecast of a diagram, of levels or of determinants
	each, dimers := drawSeconds, false
	if q, err := r.question(); err == nil && q.determined && (r.Method == queryDimer || cmp.Or(r.Method, AutoMethod) == AutoMethod) {
		p = count.Predict(ctx, m.Problem, cmp.Or(r.engine(), count.Auto))
		dimers = p.Engine == count.Dimer || r.Method == queryDimer
	}
	if !dimers {
		method := sample.Method(r.Method)
		if len(r.ByCopies) > 0 && method != sample.ByDiagram {
			method = sample.BySweep // count.ByCopies uses a sweep
		}
		p, each = predictSet(ctx, m, method, false)
	}
	f := forecast(p, 1)
	// The factors times and room are for the time and the memory of the diagram or the levels.
	times, room, tilings := 1.0, 1.0, float64(len(r.Unrank)+len(r.Rank))
	switch {
	case len(r.ByCopies) > 0: // each count becomes a number with a digit for each choice of copies
		digits := rows.Digits(m.Problem)
		times, room = 2+digits/8, 1+digits
	case len(r.Pairs) > 0: // parts of the diagram are made again for each pair
		times = 1 + 3*float64(len(r.Pairs))
	case r.Correlate != "":
		times, room = max(6, 2*p.Counts), 2
	case r.Marginals != "":
		times, room = max(3, p.Counts), 2
	case r.Best != nil:
		tilings = float64(*r.Best)
	case r.Worst != nil:
		tilings = float64(*r.Worst)
	}
	if len(r.Weights) > 0 { // sums of weights have more digits than counts
		times, room = weightTimes*times, weightTimes*room
	}
	f.Seconds *= times
	f.Bytes, f.Least = bytesOf(float64(f.Bytes)*room), bytesOf(float64(f.Least)*room)
	f.Seconds += each * tilings
	return f
}

// weightTimes is the factor by which sums of weights take more time and memory than counts.
const weightTimes = 3

func (r *Query) do(ctx context.Context, w *work) (*Queried, error) {
	q, err := r.question()
	if err != nil {
		return nil, err
	}
	again := *w
	answer, err := r.answered(ctx, w, q)
	f := r.Puzzle.opened
	if errors.Is(err, cover.ErrMemory) && q.eitherWay && f != nil && f.Derived == "" && cmp.Or(r.Method, AutoMethod) == AutoMethod {
		// Count the puzzle in the file by levels, which need less memory than its diagram.
		levels := *r
		levels.Method, again.watch.Note = querySweep, nil // the notes were sent before
		if answer, err = levels.answered(ctx, &again, q); err == nil {
			answer.Reason = "the diagram of the file does not fit in memory"
		}
	}
	if err != nil && (answer == nil || answer.Cursor == "") {
		return nil, err
	}
	answer.Seconds = w.seconds()
	return answer, err
}

func (r *Query) answered(ctx context.Context, w *work, q question) (*Queried, error) {
	inFile := r.Method != querySweep && r.Method != queryDimer
	s, err := w.subject(ctx, &r.Puzzle, &r.Conditions, inFile)
	if err != nil {
		return nil, err
	}
	m := s.model
	answer := &Queried{Title: m.Puzzle.Title, Conditions: r.Puzzle.told(&r.Conditions), Derived: r.Puzzle.howDerived(), Puzzle: m.Puzzle}
	err = q.answer(r, ctx, w, s, answer)
	if err == nil && answer.Count == "0" {
		w.reasons(ctx, m)
	}
	return answer, err
}

// solutions returns the set of all tilings. It sets the method, count and weight of the answer.
func (r *Query) solutions(ctx context.Context, w *work, s *subject, use count.Use, to *Queried) (count.Set, error) {
	weights, err := weightsOf(s.model, r.Weights)
	if err != nil {
		return nil, err
	}
	var set count.Set
	switch {
	case s.file == nil:
		o := w.options(Compiling)
		o.Engine, o.Weights = r.engine(), weights
		set, to.Reason, err = count.Solve(ctx, s.model.Problem, use, o)
	default:
		ranks := use == count.ForRanks && weights == nil
		if set, to.Reason, err = s.set(ctx, w, weights, ranks); !ranks {
			to.Reason = "the compiled file has the diagram"
		}
	}
	if errors.Is(err, count.ErrNotDimers) {
		err = bad("{method} is %s: %w", queryDimer, err)
	}
	if err != nil {
		return nil, aboutWeights(err)
	}
	report := set.Report()
	to.Method = string(report.Engine)
	to.Effort, to.Bytes, to.Count = report.Effort, report.Bytes, numeral(set.Count())
	if weights != nil {
		to.Weight = set.Weight().RatString()
	}
	return set, nil
}

// Queried is the answer to [Query], in addition to tilings. Numbers of tilings are strings.
type Queried struct {
	Title  string   `json:"title"`
	Count  string   `json:"count,omitempty" doc:"the number of tilings that meet the conditions; absent with weights, if they were not counted"`
	Weight string   `json:"weight,omitempty" doc:"with weights: the sum of the weights of all tilings, such as 7 or 3/2; with weights, all counts except the field count are sums of weights too"`
	Ranks  []string `json:"ranks,omitempty" doc:"the ranks of the given tilings, in the order of the request"`

	Groups     []string         `json:"groups,omitempty" doc:"the names in the fields 'by', in order; absent with marginals by placements"`
	Cells      []CellTally      `json:"cells,omitempty" doc:"with marginals and correlate: the cells of the board"`
	Placements []PlacementTally `json:"placements,omitempty" doc:"with marginals by placements: the placements"`
	Heights    []HeightTally    `json:"heights,omitempty" doc:"with marginals by heights: the mean heights of the corners of the board"`
	Event      string           `json:"event,omitempty" doc:"with correlate: how many tilings have at least one of the placements"`
	Pieces     []string         `json:"pieces,omitempty" doc:"the names in the field copies, in order"`
	ByCopies   []CopiesTally    `json:"by_copies,omitempty" flag:"PIECE" list:"," doc:"how many tilings have these numbers of copies; no tiling has other numbers of copies, unless the field 'having' excludes them; an answer of a search has at most 16,384 rows, and a cursor if there are more rows"`
	Seen       string           `json:"seen,omitempty" doc:"with the method search: how many choices of copies were counted, by this request and before the cursor in the field 'after'"`
	Choices    string           `json:"choices,omitempty" doc:"with the method search: how many choices of copies have cells and colours that fit the board"`
	Cursor     string           `json:"cursor,omitempty" doc:"the cursor of the last choice of copies that was counted, for the field 'after'; absent if there are no more choices"`
	Pairs      []PairTally      `json:"pairs,omitempty"`
	PerCell    string           `json:"per_cell,omitempty" doc:"with entropy: the natural logarithm of count or, with weights, of weight (the free energy: the logarithm of the partition function), divided by the number of cells of the board, to 20 digits after the decimal point, all of them correct; absent if no tiling has a weight above 0, and for a cover"`
	Expected   []Expected       `json:"expected,omitempty" doc:"with entropy and weights: expected copies of each piece in a tiling that is drawn by weight"`
	Entropy    *Entropy         `json:"entropy,omitempty" doc:"the entropy of a tiling that is drawn uniformly or, with weights, by its weight"`

	Written Whole   `json:"written" doc:"how many tilings were written beside the answer"`
	Method  string  `json:"method" doc:"diagram, sweep, dimer or search"`
	Reason  string  `json:"reason,omitempty" doc:"why this method was chosen"`
	Effort  Effort  `json:"effort"`
	Bytes   int64   `json:"bytes" doc:"a bound on the memory of the work, in bytes"`
	Seconds float64 `json:"seconds"`

	Conditions *Conditions `json:"conditions,omitempty" doc:"the conditions in the request and in a compiled file: other tilings are not asked about"`
	Derived    string      `json:"derived,omitempty" doc:"how operations or a dump made the family of the compiled file; absent for other families"`

	Puzzle *tiling.Puzzle `json:"-"` // puzzle for a picture
	Marked []int          `json:"-"` // cells that all placements of Correlate cover

	MeanHeights *tiling.Heights `json:"-"` // heights for a picture
}

// CellTally has, for one cell, the number of tilings in which each group of placements covers it.
type CellTally struct {
	Cell []int             `json:"cell" doc:"row, column; on a cube board, layer, row, column"`
	By   map[string]string `json:"by" doc:"in how many tilings the cell is covered by the piece, the orientation, the kind or the placement of that name; with correlate: only in tilings that have one of the placements asked about"`

	Alone  map[string]string `json:"alone,omitempty" doc:"with correlate: the numbers of the field 'by', but in all tilings"`
	Excess map[string]string `json:"excess,omitempty" doc:"with correlate: by/count - alone/count * event/count; 0 if the cell and the placements are independent"`
}

// HeightTally is the mean height of a corner of a cell.
type HeightTally struct {
	Corner []int  `json:"corner" doc:"row, column: on squares, from the first corner of the first cell; on triangles, a column is half a side wide"`
	Height string `json:"height" doc:"the mean over all tilings, exact, such as 1 or 3/2"`
}

// PlacementTally is the number of tilings that have a placement.
type PlacementTally struct {
	Number      int      `json:"number" doc:"the number of the placement, or of the option of a cover, from 0"`
	Piece       string   `json:"piece,omitempty"`
	Orientation int      `json:"orientation,omitempty" doc:"the number of the orientation of the piece, from 1"`
	Cells       [][]int  `json:"cells,omitempty"`
	Items       []string `json:"items,omitempty" doc:"the items of an option of a cover"`
	Count       string   `json:"count"`
}

// PairTally has the numbers of tilings with a placement of A, with one of B, and with both.
type PairTally struct {
	Pair   []string `json:"pair" doc:"the placements A and B, as the question has them"`
	Counts []string `json:"counts" doc:"the number of tilings with a placement of A, and with a placement of B"`
	Both   string   `json:"both" doc:"the number of tilings with a placement of A and a placement of B"`
}

// CopiesTally is the number of tilings in which each of some pieces has a given number of copies.
type CopiesTally struct {
	Copies map[string]int `json:"copies" doc:"the numbers of copies, by the names of the pieces or the words for the placements"`
	Count  string         `json:"count"`
}

// Expected is the mean number of copies of a piece in a tiling drawn by its weight.
type Expected struct {
	Piece  string `json:"piece"`
	Copies string `json:"copies" doc:"the mean number of copies, exact, such as 7 or 3/2"`
}

// Entropy is Shannon's entropy -Σ p·log p over all tilings. p is the probability of a tiling: 1
// divided by the count or, with weights, the weight divided by the total weight.
type Entropy struct {
	Nats    float64 `json:"nats"`
	Bits    float64 `json:"bits"`
	PerCell string  `json:"per_cell,omitempty" doc:"nats divided by the number of cells of the board, to 20 digits after the decimal point, all of them correct; absent for a cover"`
}

// Drawable returns an error that wraps ErrNoTiling if there is no tiling to draw.
func (q *Queried) Drawable() error {
	if cmp.Or(q.Count, q.Weight) != "0" {
		return nil
	}
	return noTiling(q.Conditions, q.Derived)
}

// Heat returns the tallies of cells as a heat-map with a panel for each group, or the mean heights
// as a heat-map. ok is false if the answer has neither.
func (q *Queried) Heat() (h render.Heat, ok bool) {
	if q.MeanHeights != nil {
		h.Legend = "mean heights"
		h.AddHeights(q.Puzzle, "", render.CornerHeights{Heights: q.MeanHeights})
		return h, true
	}
	if len(q.Groups) == 0 {
		return h, false
	}
	h.Count, h.Signed = number(q.Count), q.Event != ""
	if q.Weight != "" {
		h.Count, h.Of = number(q.Weight), "(total weight)"
	}
	if h.Signed {
		h.Count, h.Legend = nil, "covariance with the chosen placements"
	}
	for _, name := range q.Groups {
		panel := render.HeatPanel{Name: name, Marked: q.Marked}
		for _, c := range q.Cells {
			all := number(cmp.Or(q.Weight, q.Count))
			switch {
			case q.Event != "":
				panel.Values = append(panel.Values, number(c.Excess[name]))
			case all == nil || all.Sign() == 0:
				panel.Values = append(panel.Values, nil)
			default:
				panel.Values = append(panel.Values, all.Quo(number(c.By[name]), all))
			}
		}
		h.Panels = append(h.Panels, panel)
	}
	return h, true
}

// Bars returns a chart of the rows of ByCopies. ok is false if the answer has no rows.
func (q *Queried) Bars() (b render.Bars, ok bool) {
	if len(q.ByCopies) == 0 {
		return b, false
	}
	b.Title, b.Axis = q.Title, "copies of "+strings.Join(q.Pieces, ", ")
	for _, row := range q.ByCopies {
		var words []string
		for _, name := range q.Pieces {
			words = append(words, strconv.Itoa(row.Copies[name]))
		}
		b.Labels = append(b.Labels, strings.Join(words, " "))
		b.Values = append(b.Values, number(row.Count).Num())
	}
	return b, true
}

func number(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}
	return r
}
