package job

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"sync"
	"time"

	"github.com/pavage/pavage/compiled"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/query"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

// Sample asks for random tilings, uniform or by weights. Watch.Tiling receives the tilings.
type Sample struct {
	Puzzle   Puzzle   `json:"puzzle"`
	Number   Whole    `json:"number" query:"n" name:"number" short:"n" flag:"N" doc:"how many tilings" example:"10"`
	Seed     *Whole   `json:"seed,omitempty" flag:"N" doc:"seed of the random numbers, 0 to 2^64-1: the same seed draws the same tilings; without it every draw is new" example:"7"`
	Method   string   `json:"method,omitempty" flag:"METHOD" words:"auto diagram sweep dimer shuffling trees coupling determinants" doc:"how tilings are drawn: auto, diagram, sweep, dimer, or one method for dimers: shuffling, trees, coupling or determinants; auto by default" example:"auto"`
	Distinct Distinct `json:"distinct,omitempty" flag:"" alone:"usual" doc:"draw classes of tilings, up to the symmetries of the board: usual (of solid boards only rotations), rotations or all" example:"usual"`
	Unique   bool     `json:"unique,omitempty" flag:"" doc:"draw without replacement: no tiling comes twice"`
	Weights  []string `json:"weights,omitempty" query:"weight" flag:"PLACEMENTS=WEIGHT" doc:"the weight of these placements, such as domino=3/2, or volume=Q for dominoes and lozenges: tilings weigh Q^volume; several weights of one placement multiply; tilings are drawn in proportion to the product of the weights of their placements" example:"[\"X5=3/2\"]"`
	Tree     bool     `json:"tree,omitempty" flag:"" doc:"draw spanning trees in place of tilings: the cells are the vertices, and placements of two cells are the edges"`
	Ranked   bool     `json:"ranked,omitempty" doc:"draw tilings with ranks: then the method auto means diagram or sweep"`
	Grow     bool     `json:"grow,omitempty" query:"-" flag:"" doc:"for an Aztec diamond of order 300 at most: also draw the tilings of smaller orders out of which each tiling grows by domino shuffling, in the middle of the board"`
	Explain  bool     `json:"explain,omitempty" query:"-" flag:"" help:"write to standard error the forecast of each engine, and why an engine was chosen" doc:"add the plan to the answer"`

	Conditions
}

// AutoMethod is the value of a field Method that lets the program choose the method.
const AutoMethod = string(sample.Auto)

func (r *Sample) matches() bool { return r.Tree || r.method().Matches() }

func (r *Sample) method() sample.Method {
	if r.Grow {
		return sample.ByShuffling
	}
	return sample.Method(cmp.Or(r.Method, AutoMethod))
}

// Kind implements [Request].
func (*Sample) Kind() Kind { return "sample" }

func (r *Sample) check() error {
	switch {
	case r.Tree && (r.Distinct != "" || len(r.Weights) > 0 || r.Ranked || r.Grow || !r.Conditions.IsEmpty()):
		return bad("{tree} draws each spanning tree with the same probability, expected {tree} without {distinct}, {weights}, {grow} and conditions, and without ranks")
	case r.Tree && !slices.Contains([]string{"", AutoMethod, string(sample.ByTrees)}, r.Method):
		return bad("both {tree} and {method} %s given, expected {method} trees, or {tree} without {method}", r.Method)
	case r.Distinct != "" && sample.Method(r.Method) == sample.BySweep:
		return bad("both {distinct} and {method} sweep given, expected {method} diagram, or {distinct} without {method}")
	case r.Grow && r.Method != "" && r.Method != AutoMethod && r.Method != string(sample.ByShuffling):
		return bad("both {grow} and {method} %s given, expected {method} shuffling, or {grow} without {method}", r.Method)
	case r.Grow && r.Unique:
		return bad("both {grow} and {unique} given, expected one or the other")
	case r.matches() && r.Distinct != "":
		return bad("both {method} %s and {distinct} given, but this method draws tilings, not classes of tilings: expected one or the other", r.method())
	case r.matches() && r.Ranked:
		return bad("both {method} %s and {ranked} given, but this method draws tilings without ranks: expected one or the other", r.method())
	case len(r.Weights) > 0 && slices.Contains([]sample.Method{sample.ByTrees, sample.ByCoupling}, r.method()):
		return bad("both {method} %s and {weights} given, but this method draws all tilings with equal probability: expected one or the other", r.Method)
	case r.Distinct != "" && len(r.Weights) > 0:
		return bad("both {distinct} and {weights} given, expected one or the other")
	}
	return nil
}

func weightsOf(m *tiling.Model, texts []string) ([]*big.Rat, error) {
	weights, err := query.Weights(m, texts)
	if err != nil {
		return nil, bad("{weights}: %w", err)
	}
	return weights, nil
}

func aboutWeights(err error) error {
	if errors.Is(err, count.ErrWeights) {
		return bad("{weights}: %w", err)
	}
	return err
}

func (r *Sample) aboutDraws(err error) error {
	if errors.Is(err, count.ErrNoGrowth) {
		return bad("{grow}: %w", err)
	}
	if errors.Is(err, count.ErrNotDimers) {
		return bad("{method} %s: %w", r.method(), err)
	}
	return aboutWeights(err)
}

func (r *Sample) shared() bool { return r.Seed != nil }

func (r *Sample) predict(ctx context.Context, m *tiling.Model) Forecast {
	if r.Tree {
		cells := float64(len(m.Problem.Items))
		bytes := 64 * int64(len(m.Placements))
		return Forecast{Seconds: treeSeconds * cells * float64(1+r.Number), Bytes: bytes, Least: bytes, Known: true}
	}
	s, err := r.Distinct.symmetry(ctx, m)
	if err != nil {
		return Forecast{}
	}
	method, draw := r.method(), drawSeconds
	weights, err := weightsOf(m, r.Weights)
	if err != nil {
		return Forecast{}
	}
	o := count.Options{Limits: count.Limits{Memory: glanceMemory}, Weights: weights}
	var matchings *count.MatchingsForecast
	switch {
	case method.Matches():
		matchings = count.ForecastMatchings(ctx, m.Problem, count.DrawMethod(method), o)
	case method == sample.Auto && s == nil && !r.Ranked:
		matchings = count.ForecastMatchings(ctx, m.Problem, count.Fastest, o)
	}
	var p count.Prediction
	if !method.Matches() && (matchings == nil || !matchings.Preferred(0)) {
		if p, draw = predictSet(ctx, m, method, s != nil); matchings != nil && !matchings.Preferred(p.States) {
			matchings = nil
		}
	}
	n := float64(r.Number)
	if by := matchings; by != nil {
		return Forecast{Seconds: by.Seconds(n) + drawSeconds*n, Bytes: by.Bytes, Least: by.Bytes, Known: by.Known}
	}
	f := forecast(p, s.elements())
	f.Seconds += draw * n
	return f
}

// treeSeconds is the time to draw one cell of a spanning tree, and to write it as JSON.
const treeSeconds = 2e-7

// Sampled is the answer to [Sample], in addition to the tilings. Watch.Drawing receives it, too.
type Sampled struct {
	Title   string `json:"title"`
	Count   string `json:"count,omitempty" doc:"the number of all tilings; absent if they were not counted, as for draws by shuffling"`
	Classes string `json:"classes,omitempty" doc:"with distinct: the number of classes of tilings"`
	Weight  string `json:"weight,omitempty" doc:"with weights: the sum of the weights of all tilings, such as 7 or 3/2"`
	Drawn   Whole  `json:"drawn"`
	Method  string `json:"method"`
	Reason  string `json:"reason,omitempty" doc:"why this method was chosen"`
	Engine  string `json:"engine,omitempty"`
	Plan    *Plan  `json:"plan,omitempty"`
	Effort  Effort `json:"effort"`
	Bytes   int64  `json:"bytes" doc:"a bound on the memory of the work, in bytes"`

	Conditions *Conditions `json:"conditions,omitempty" doc:"the conditions in the request and in a compiled file: other tilings are not drawn"`
	Derived    string      `json:"derived,omitempty" doc:"how operations or a dump made the family of the compiled file; absent for other families"`
}

// A Source is a data structure for many draws of tilings of a [Sample]:
//
//	Sample ──► Prepare ──► Source ─┬─► Draw 1,000 tilings with seed 7
//	           (seconds)           ├─► Draw 10 tilings with seed 8
//	                               └─► Tiling of rank 12
//
// Draw and Tiling are safe for concurrent use. Draw returns the same tilings as Run.
type Source struct {
	model    *tiling.Model   // without a Problem if numbered is a *tiling.Pairs
	numbered render.Numbered // the model, or a *tiling.Pairs
	bytes    int64           // memory of numbered
	symmetry *symmetry       // nil if all tilings count as different
	from     *sample.Source
	about    Sampled // answer with Drawn 0
	asked    string  // method of the request
	partly   bool    // the source is a compiled file, which may lack some tilings of the model
	tree     bool
}

// Prepare makes the source of the tilings of a request. It returns the errors of Run. But
// only Draw and Tiling return ErrNoTiling, except if there is no spanning tree. The watch is not
// called after Prepare has returned.
func (r *Sample) Prepare(ctx context.Context, l Limits, w Watch) (*Source, error) {
	ctx, k, stop, err := limited(ctx, r, l, w)
	if err != nil {
		return nil, err
	}
	defer stop()
	s, err := r.prepare(ctx, k)
	if err != nil {
		return nil, explained(ctx, err)
	}
	if levels, ok := s.from.Set.(interface{ Settle() }); ok {
		levels.Settle()
	}
	return s, nil
}

func (r *Sample) prepare(ctx context.Context, w *work) (*Source, error) {
	if s, err := r.preparePairs(ctx, w); s != nil || err != nil {
		return s, err
	}
	inFile := r.Distinct == "" && r.Method != string(sample.BySweep) && !r.matches() // otherwise the diagram in the file is not used
	of, err := w.subject(ctx, &r.Puzzle, &r.Conditions, inFile)
	if err != nil {
		return nil, err
	}
	m := of.model
	s, err := r.Distinct.symmetry(ctx, m)
	if err != nil {
		return nil, err
	}
	weights, err := weightsOf(m, r.Weights)
	if err != nil {
		return nil, err
	}
	var from *sample.Source
	if r.Tree && (r.Puzzle.told(&r.Conditions) != nil || r.Puzzle.howDerived() != "") {
		return nil, bad("{tree} is given with a compiled file, which may have only some tilings of its puzzle: expected the puzzle in place of the compiled file")
	}
	if r.Tree {
		from, err = spanning(m, w.options(Compiling))
	} else if of.file != nil {
		set, reason, failed := of.set(ctx, w, weights, true)
		switch {
		case failed != nil:
			err = failed
		case weights == nil:
			from = sample.Of(set, reason)
		default:
			from = sample.OfWeighted(set, reason)
		}
		if from != nil {
			from.Threads = w.limits.Threads
		}
	} else {
		o := w.options(Compiling)
		w.explain(r.Explain, m, &o)
		from, err = sample.From(ctx, m.Problem, sample.Request{Method: sample.Method(r.Method), Group: s.group(), Weights: weights, Unranked: !r.Ranked, Grow: r.Grow}, o)
	}
	if err != nil {
		return nil, r.aboutDraws(err)
	}
	about := r.about(w, m, from, of.file == nil)
	return &Source{m, m, m.Bytes(), s, from, about, r.asked(), of.file != nil, r.Tree}, nil // a compiled file may have only some of the tilings of m
}

func (r *Sample) about(w *work, m *tiling.Model, from *sample.Source, made bool) Sampled {
	result := from.Result
	if made {
		w.note(Detail, "the source of draws is ready; its method was chosen because "+from.Reason, "method", string(from.Method), "states", result.States,
			"nodes", result.Nodes, "bytes", result.Bytes, "count", numeral(result.Count), "to draw", numeral(from.Count()))
	}
	about := Sampled{
		Title: m.Puzzle.Title, Count: numeral(result.Count),
		Method: string(from.Method), Reason: from.Reason,
		Engine: string(result.Engine), Effort: result.Effort, Bytes: result.Bytes,
		Conditions: r.Puzzle.told(&r.Conditions), Derived: r.Puzzle.howDerived(),
	}
	if from.Classes != nil {
		about.Classes = from.Count().String()
	}
	if from.Weight != nil {
		about.Weight = from.Weight.RatString()
	}
	if made && r.Explain && result.Plan != nil {
		about.Plan = inWords(m, result.Plan)
	}
	return about
}

// spanning returns a source of spanning trees of cells or items. The edges are placements.
func spanning(m *tiling.Model, o count.Options) (*sample.Source, error) {
	vertex, vertices, err := verticesOf(m)
	if err != nil {
		return nil, err
	}
	ends := make([][2]int32, len(m.Problem.Options))
	for o, option := range m.Problem.Options {
		cells := 0
		for _, u := range option {
			if vertex[u.Item] == noVertex {
				continue
			}
			if cells < 2 {
				ends[o][cells] = vertex[u.Item]
			}
			cells++
		}
		switch {
		case cells == 2:
		case m.IsAbstract():
			return nil, bad("{tree}: option %d covers %s, expected 2 items: each option is an edge between two items", o, wording.Plural(cells, "item"))
		default:
			return nil, bad("{tree}: the piece %s has %s, expected 2 cells: each placement is an edge between two cells",
				m.Puzzle.Pieces[m.Placements[o].Piece].Name, wording.Plural(cells, "cell"))
		}
	}
	trees, err := count.SpanningTrees(vertices, ends, o.Limits)
	switch {
	case errors.Is(err, count.ErrNoTree):
		if m.IsAbstract() {
			return nil, noneLeft(err.Error() + ", since some items have no connection to the other items by options")
		}
		return nil, noneLeft(err.Error() + ", since some cells have no connection to the other cells by placements")
	case err != nil:
		return nil, err
	}
	return sample.OfMatchings(trees, trees.Reason, o), nil
}

const noVertex = int32(-1)

// verticesOf numbers the vertices of the trees: the cells of a board, or the items of a cover that
// are covered exactly once. It returns an error if bounds of other items may exclude a tree.
func verticesOf(m *tiling.Model) (vertex []int32, vertices int, err error) {
	uses := make([]int, len(m.Problem.Items))
	for _, option := range m.Problem.Options {
		for _, u := range option {
			uses[u.Item] += int(u.Times)
		}
	}
	cells := len(m.Problem.Items)
	if !m.IsAbstract() {
		cells = len(m.Puzzle.Board.Cells)
	}
	vertex = make([]int32, len(m.Problem.Items))
	for i, item := range m.Problem.Items {
		switch {
		case i < cells && item.Min == 1 && item.Max == 1:
			vertex[i] = int32(vertices)
			vertices++
		case (i >= cells || m.IsAbstract()) && item.Min == 0 && item.Max >= uses[i]:
			vertex[i] = noVertex
		case m.IsAbstract():
			return nil, 0, bad("{tree} draws a random spanning tree, expected each item to be covered exactly once, but the item %s has other bounds", item.Name)
		default:
			return nil, 0, bad("{tree} draws a random spanning tree, expected a puzzle that covers every cell, with any number of copies of each piece")
		}
	}
	return vertex, vertices, nil
}

func (r *Sample) do(ctx context.Context, w *work) (*Sampled, error) {
	s, err := r.prepare(ctx, w)
	if err != nil {
		return nil, err
	}
	answer, err := s.draw(ctx, w, r.Draws(limit.Left(w.limits.Memory, s.Bytes())))
	if answer == nil || errors.Is(err, ErrNoTiling) {
		return nil, err
	}
	return answer, err
}

func numeral(n *big.Int) string {
	if n == nil {
		return ""
	}
	return n.String()
}

// Bytes returns the memory that the source holds, in bytes.
func (s *Source) Bytes() int64 { return s.bytes + s.from.Bytes() }

// Draws selects the tilings that Draw draws from a source.
type Draws struct {
	Number Whole
	Seed   *Whole // if nil, each call has another random seed
	Unique bool   // no tiling is drawn twice
	Memory int64  // bytes for the record of drawn tilings if Unique is set; 0 means no limit
}

// Draws returns the argument of [Source.Draw] for the request, with the given Draws.Memory.
func (r *Sample) Draws(memory int64) Draws { return Draws{r.Number, r.Seed, r.Unique, memory} }

// Draw draws the same tilings as Run for a request with this number and seed. Without a seed, it
// draws new tilings. If an error occurs after the first tiling, Draw also returns an answer.
func (s *Source) Draw(ctx context.Context, d Draws, w Watch) (*Sampled, error) {
	answer, err := s.draw(ctx, &work{watch: w, begun: time.Now()}, d)
	return answer, explained(ctx, err)
}

func (s *Source) draw(ctx context.Context, w *work, d Draws) (*Sampled, error) {
	from, answer := s.from, s.About()
	if w.watch.Drawing != nil {
		w.watch.Drawing(answer)
	}
	if n := from.Count(); n != nil && n.Sign() == 0 {
		return answer, whyNone(ctx, s.model, s.about.Conditions, s.about.Derived)
	}
	all, what := from.Count(), "tilings"
	if s.symmetry != nil {
		what = "tilings that differ"
	}
	switch {
	case from.Check() != nil:
		return nil, noneLeft("every tiling has weight 0, so no tiling can be drawn")
	case d.Unique && all != nil && new(big.Int).SetUint64(uint64(d.Number)).Cmp(all) > 0:
		return nil, bad("{number} is %s, but {unique} draws each tiling only once: expected at most %s, the number of "+what, d.Number, all)
	}
	if err := w.begin(s.model.Puzzle); err != nil {
		return answer, err
	}
	if s.symmetry != nil {
		w.note(Remark, s.symmetry.classes())
	}
	if m, ok := from.Set.(*count.Matchings); ok && m.Forecast.Known && m.Forecast.Each > longSeconds {
		w.note(Notice, fmt.Sprintf("the method %[2]s needs about %[1]s of one core for each tiling", human.Time(m.Forecast.Each), m.Forecast.Method))
	}
	var watch sync.Mutex // for goroutines that report the progress of matchings
	if w.watch.Progress != nil {
		// Fraction counts tilings, since the total number of units is known only at the end.
		done := int64(0)
		from = from.Telling(func(units int64, unit string) {
			watch.Lock()
			defer watch.Unlock()
			w.watch.Progress(Progress{Doing: Drawing, Fraction: float64(answer.Drawn) / float64(d.Number), Done: done, Unit: unit})
			done += units
		})
	}
	src := sample.Fresh()
	if d.Seed != nil {
		src = sample.Seeded(uint64(*d.Seed))
	}
	bundles := from.Bundles(ctx, src, uint64(d.Number))
	if d.Unique {
		bundles = from.UniqueBundles(ctx, src, uint64(d.Number), d.Memory)
	}
	next := uint64(1) // number of the first tiling of the next bundle
	numbered := func(yield func(tilings) bool) {
		for b := range bundles {
			some := tilings{bundle: b, first: next}
			if next += uint64(b.Size); !yield(some) {
				return
			}
		}
	}
	draw := func(ctx context.Context, some tilings) tilings { return some.draw(ctx, s, w.lines) }
	for some := range sample.Map(ctx, from, numbered, draw) {
		watch.Lock()
		err := some.take(w, answer)
		watch.Unlock()
		if err != nil {
			return answer, err
		}
	}
	return answer, nil
}

type tilings struct {
	bundle sample.Bundle
	first  uint64 // number of the first tiling of the bundle; all draws are numbered from 1
	all    []render.Tiling
	part   *render.Part // lines of the tilings; nil if the tilings are in the field all
	drawn  Whole        // number of tilings in part
	err    error        // error that ended the bundle after these tilings
}

// draw sets t.part if lines is not nil and s does not stream; otherwise it sets t.all. It is safe
// for concurrent use.
func (t tilings) draw(ctx context.Context, s *Source, lines *render.Lines) tilings {
	var draws []sample.Draw
	draws, t.err = t.bundle.Make(ctx)
	if lines != nil && !s.streams() {
		t.part = lines.Part(t.first)
	}
	for _, d := range draws {
		one := atRank(s.from.Result.Engine, d.Rank)
		one.Tree = s.tree
		if lines == nil {
			t.all = append(t.all, of(s.numbered, d.Options, one))
			continue
		}
		one = forLines(s.numbered, d.Options, one)
		if t.part == nil {
			t.all = append(t.all, one)
			continue
		}
		if err := t.part.Add(one); err != nil {
			t.err = err
			break
		}
		t.drawn++
	}
	return t
}

// On boards of streamedCells cells or more, tilings are written one after another. On smaller
// boards, goroutines make lines in memory. The line of a tiling is about as large as all other data
// of its draw: 24 MB for 1000x1000 cells with dominoes.
const streamedCells = 1 << 19

func (s *Source) streams() bool {
	return s.model.Puzzle.Board != nil && len(s.model.Puzzle.Board.Cells) >= streamedCells
}

func (t tilings) take(w *work, answer *Sampled) error {
	if t.part != nil {
		if err := w.lines.Write(t.part); err != nil {
			return err
		}
		answer.Drawn += t.drawn
		return t.err
	}
	for _, one := range t.all {
		if err := w.tiling(one); err != nil {
			return err
		}
		answer.Drawn++
	}
	return t.err
}

// Puzzle returns the puzzle of the tilings.
func (s *Source) Puzzle() *tiling.Puzzle { return s.model.Puzzle }

// About describes the source of the tilings.
func (s *Source) About() *Sampled {
	about := s.about
	return &about
}

// Tiling returns the tiling with the given rank among all tilings, even if Draw draws classes of
// tilings. The rank is a number from 0, or "first" or "last". Draw numbers tilings in the same way.
func (s *Source) Tiling(ctx context.Context, rank string) (render.Tiling, error) {
	if err := checkRank("rank", rank); err != nil {
		return render.Tiling{}, err
	}
	from, all := s.from, s.from.Result.Count
	if all == nil {
		return render.Tiling{}, &Error{Kind: BadInput, err: ErrNoRank}
	}
	if all.Sign() == 0 {
		return render.Tiling{}, &Error{Kind: BadInput, err: whyNone(ctx, s.model, s.about.Conditions, s.about.Derived)}
	}
	k, err := rankOf("rank", rank, all)
	if err != nil {
		return render.Tiling{}, err
	}
	if from.Weight != nil {
		return render.Tiling{}, bad("both {rank} and {weights} given, expected one or the other: tilings that are drawn by weight have no rank")
	}
	options, err := count.At(ctx, from.Set, k)
	if err != nil {
		return render.Tiling{}, explained(ctx, err)
	}
	if from.Classes != nil {
		slices.Sort(options)
	}
	return of(s.numbered, options, atRank(from.Result.Engine, k)), nil
}

// whyNone is noTiling with the reason, if the model shows one.
func whyNone(ctx context.Context, m *tiling.Model, c *Conditions, derived string) error {
	err := noTiling(c, derived)
	if m.Problem == nil || derived != "" {
		return err
	}
	if reasons := m.Obstructions(ctx); len(reasons) > 0 {
		err = noneLeft(err.Error() + ": " + reasons[0].Text)
	}
	return err
}

func noTiling(c *Conditions, derived string) error {
	switch {
	case c != nil:
		return noneLeft("no tiling of the puzzle satisfies the conditions, so no tiling can be drawn")
	case derived != "":
		return noneLeft("the derived family has no tiling, so no tiling can be drawn")
	}
	return ErrNoTiling
}

func noneLeft(text string) error { return &told{text: text, is: []error{ErrNoTiling}} }

// Save writes a compiled file without a puzzle. Its field Derived is savedFamily, and its field
// Notes is a value of type facts.
const savedFamily = "a source of tilings for a request, without the puzzle of the request"

type facts struct {
	Asked string  `json:"asked"` // method of the request
	About Sampled `json:"about"`
}

var (
	// ErrNotSaved is wrapped if a source cannot be saved: it is not a diagram of all tilings.
	ErrNotSaved = errors.New("the source of tilings cannot be saved: only a diagram of all tilings can be saved")
	// errSaved is wrapped by errors of LoadSource about the bytes.
	errSaved = errors.New("the saved source of tilings cannot be used")
)

func (r *Sample) asked() string { return cmp.Or(r.Method, AutoMethod) }

// Save writes a source that [LoadSource] can read. An error wraps ErrNotSaved, or is an error of w.
func (s *Source) Save(w io.Writer) error {
	c, diagram := s.from.Set.(*count.Compiled)
	if !diagram || s.from.Classes != nil || s.partly {
		return &Error{Kind: Failure, err: ErrNotSaved}
	}
	notes, err := json.Marshal(facts{Asked: s.asked, About: s.about})
	if err != nil {
		return err
	}
	p := s.model.Problem
	return compiled.Write(context.Background(), w, &compiled.About{
		Title: s.about.Title, Derived: savedFamily, Options: len(p.Options),
		Digest: compiled.Digest(p), Notes: notes,
	}, c)
}

// LoadSource reads a source that Save wrote. The saved source must have the method of r, and the
// placements of r's puzzle in the same order. LoadSource checks the diagram and counts its tilings
// again. Errors about the bytes are Failures. Other errors are the errors of Prepare.
func LoadSource(ctx context.Context, r *Sample, from io.Reader, l Limits) (*Source, error) {
	if err := Validate(r); err != nil {
		return nil, err
	}
	if r.Distinct != "" || len(r.Weights) > 0 || r.Method == string(sample.BySweep) || r.matches() {
		return nil, &Error{Kind: Failure, err: ErrNotSaved}
	}
	w := &work{limits: l}
	m, err := w.conditioned(ctx, &r.Puzzle, &r.Conditions)
	if err != nil {
		return nil, explained(ctx, err)
	}
	s, err := r.load(ctx, m, from, w.limits)
	if errors.Is(err, compiled.ErrFile) {
		err = &Error{Kind: Failure, err: fmt.Errorf("%w: %w", errSaved, err)}
	}
	return s, explained(ctx, err)
}

func (r *Sample) load(ctx context.Context, m *tiling.Model, file io.Reader, l Limits) (*Source, error) {
	stored, err := compiled.Read(ctx, file, l.Memory)
	if err != nil {
		return nil, err
	}
	var f facts
	if err := json.Unmarshal(stored.Notes, &f); err != nil {
		return nil, fmt.Errorf("%w: the file's description of the draws is not JSON: %v", compiled.ErrFile, err)
	}
	if f.Asked != r.asked() {
		return nil, fmt.Errorf("%w: the file was made by the method %.40q, expected the method %q", compiled.ErrFile, f.Asked, r.asked())
	}
	if err := stored.Of(m.Problem); err != nil {
		return nil, err
	}
	c, err := stored.Load(ctx, m.Problem, limit.Left(l.Memory, stored.Length()))
	if err != nil {
		return nil, err
	}
	f.About.Title, f.About.Drawn = m.Puzzle.Title, 0
	if !r.Explain {
		f.About.Plan = nil
	}
	from := sample.Of(c, f.About.Reason)
	from.Threads = l.Threads
	return &Source{model: m, numbered: m, bytes: m.Bytes(), from: from, about: f.About, asked: f.Asked}, nil
}
