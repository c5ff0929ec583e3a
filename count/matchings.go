package count

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/dimer"
	"github.com/pavage/pavage/internal/engine/shuffle"
	"github.com/pavage/pavage/internal/engine/temperley"
	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/internal/kit/limit"
)

// Matchings is the set of all solutions of a problem of planar dimers of any size. It draws
// solutions without counting them: a domino tiling of 1000x1000 takes 4 s.
type Matchings struct {
	unanswered
	Forecast MatchingsForecast
	Reason   string // reason for the method, to be read after "since"

	draw       drawer // nil if no solution has a nonzero weight
	weightless bool   // all solutions have the weight 0
}

// Weight returns 0 if all solutions have the weight 0, else nil, since it is not computed.
func (m *Matchings) Weight() *big.Rat {
	if m.weightless {
		return new(big.Rat)
	}
	return nil
}

// DrawMethod is a method to draw perfect matchings of a planar graph.
type DrawMethod string

const (
	// Shuffling is generalised domino shuffling on weighted grids of squares, see package shuffle.
	Shuffling DrawMethod = "shuffling"
	// Trees is Wilson's algorithm with Temperley's bijection, see package temperley.
	Trees DrawMethod = "trees"
	// Coupling is coupling from the past, for bipartite planar graphs, see dimer.Coupling.
	Coupling DrawMethod = "coupling"
	// Determinants draws one edge after another, with probabilities from counts, see
	// dimer.Unranking. It supports planar graphs, bipartite tori, and weights. It is by far
	// the slowest method.
	Determinants DrawMethod = "determinants"
	// Fastest stands for the method with the shortest forecast time.
	Fastest DrawMethod = "dimer"
)

// MatchingsForecast is the expected cost of draws by a method.
type MatchingsForecast struct {
	Method DrawMethod
	First  float64 // seconds of one core before the first draw
	Each   float64 // seconds of one core for a draw
	Known  bool    // if false, Each may be far too low
	Bytes  int64

	breadth int // see dimer.Graph.Breadth
}

// Preferred reports whether Solve returns Matchings for draws if a sweep is expected to have the
// given number of states. The number is 0 if there is no forecast.
func (f *MatchingsForecast) Preferred(states float64) bool {
	return states > diagramStates || f.breadth > uncountedBreadth
}

// Seconds returns the seconds of one core for n draws.
func (f *MatchingsForecast) Seconds(n float64) float64 { return f.First + n*f.Each }

type drawer interface {
	draw(ctx context.Context, keys [][32]byte, progress func(units int64)) ([][]int, error)
}

const (
	// uncountedBreadth is the breadth of a graph, in cells, above which Solve chooses Matchings
	// without a plan for a sweep. For dominoes on 16x16, a diagram is built in 0.6 s. On 24x24, a
	// sweep needs 12 s and 4.8 GB, and a draw by Matchings needs milliseconds.
	uncountedBreadth = 16
	// plannedDraws is the number of draws whose cost decides between the methods. It is a constant,
	// so that the first draws of a seed do not depend on the requested number of draws.
	plannedDraws = 10
	// batchOptions is the largest number of options in all draws of a batch. So many need 64 MB.
	batchOptions = 1 << 23
	mostBatched  = 64
)

// Match prepares draws by a method, which may be Fastest. The probabilities of solutions are
// proportional to their weights, see Options.Weights. If no method is possible, the error wraps
// ErrNotDimers and gives the reason. Match also returns errors that wrap ErrWeights, and errors of
// Count.
func Match(ctx context.Context, p *cover.Problem, method DrawMethod, o Options) (*Matchings, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	if err := checkWeights(p, o.Weights); err != nil {
		return nil, err
	}
	g, err := dimer.Read(ctx, p)
	if err != nil {
		return nil, err
	}
	return match(ctx, newMatcher(p.Places, g, o), method)
}

// ForecastMatchings returns the cost of draws by Match, or nil if Match would fail. If coupling or
// determinants need more than Options.Memory, Known is false in their forecast.
func ForecastMatchings(ctx context.Context, p *cover.Problem, method DrawMethod, o Options) *MatchingsForecast {
	g, err := dimer.Read(ctx, p)
	if err != nil {
		return nil
	}
	return forecastMatchings(ctx, newMatcher(p.Places, g, o), method)
}

func forecastMatchings(ctx context.Context, m *matcher, method DrawMethod) *MatchingsForecast {
	all, _ := m.methods(ctx, method)
	if len(all) == 0 {
		return nil
	}
	for k := range all {
		s := &Matchings{Forecast: all[k].MatchingsForecast}
		if by := s.Forecast.Method; by != Coupling && by != Determinants {
			return &s.Forecast
		}
		// The forecasts of coupling and of determinants are complete only after prepare.
		if err := all[k].prepare(ctx, s); err == nil || errors.Is(err, cover.ErrMemory) {
			return &s.Forecast
		}
	}
	return nil
}

// match is Match for a graph. It prepares the cheapest method that is possible.
func match(ctx context.Context, m *matcher, method DrawMethod) (*Matchings, error) {
	all, err := m.methods(ctx, method)
	if err == nil && m.whole.Vertices == 0 { // all placements are forced
		only := func(context.Context, [32]byte, func(int64)) ([]int, error) { return slices.Clone(m.whole.Forced), nil }
		return &Matchings{Forecast: all[0].MatchingsForecast, draw: singly(only), Reason: "there is one tiling"}, nil
	}
	for k := range all {
		s := &Matchings{Forecast: all[k].MatchingsForecast}
		if err = all[k].prepare(ctx, s); err == nil {
			if method != Fastest {
				s.Reason = askedFor
			} else if s.draw == nil {
				s.Reason = "there is no perfect matching of the cells"
			}
			return s, nil
		}
		if !errors.Is(err, ErrNotDimers) && !errors.Is(err, cover.ErrMemory) {
			break
		}
	}
	return nil, err
}

const askedFor = "it was asked for"

type matcher struct {
	places  [][2]int32 // places of the items, see cover.Problem.Places
	whole   *dimer.Graph
	graph   *dimer.Bipartite // the same graph as whole, with its vertices in two colours
	weights []*big.Rat       // weights of the options; nil if all are 1
	config  dimer.Config
}

func newMatcher(places [][2]int32, g *dimer.Graph, o Options) *matcher {
	return &matcher{places: places, whole: g, weights: o.Weights, config: dimer.Config{Threads: o.threads(), Memory: o.Memory}}
}

type method struct {
	MatchingsForecast
	prepare func(context.Context, *Matchings) error // sets the drawer, Bytes and Reason
}

// methods returns the methods that can draw from the graph, the cheapest first. Unless the argument
// asked is Fastest, it considers only this method. If there is none, the error gives the reason.
func (m *matcher) methods(ctx context.Context, asked DrawMethod) (all []method, err error) {
	last := m.determinants()
	m.graph, err = m.whole.TwoColoured(ctx)
	switch {
	case asked == Determinants || asked == Fastest && errors.Is(err, ErrNotDimers):
		return []method{last}, nil
	case err != nil:
		return nil, err
	}
	var errs []error
	for _, find := range []struct {
		method   DrawMethod
		forecast func(context.Context) (method, error)
	}{{Trees, m.trees}, {Shuffling, m.shuffling}, {Coupling, m.coupling}} {
		if asked != Fastest && asked != find.method {
			continue
		}
		by, err := find.forecast(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		by.Method, by.breadth = find.method, m.whole.Breadth()
		all = append(all, by)
	}
	slices.SortStableFunc(all, func(a, b method) int {
		return cmp.Compare(a.Seconds(plannedDraws), b.Seconds(plannedDraws))
	})
	switch {
	case asked == Fastest:
		return append(all, last), nil
	case len(all) > 0:
		return all, nil
	case len(errs) == 0:
		return nil, fmt.Errorf("%w: unknown method %q", ErrNotDimers, asked)
	}
	return nil, errs[len(errs)-1]
}

func (m *matcher) coupling(ctx context.Context) (by method, err error) {
	if m.weights != nil {
		return by, fmt.Errorf("%w: coupling draws all tilings with equal probability, expected no weights", ErrNotDimers)
	}
	by.Each, by.Bytes = m.whole.CouplingSeconds(), m.whole.CouplingBytes()
	by.prepare = func(ctx context.Context, s *Matchings) error {
		chain, err := dimer.NewCoupling(ctx, m.whole, m.config)
		if errors.Is(err, dimer.ErrNoMatching) {
			return nil
		}
		if err != nil {
			return err
		}
		s.draw, s.Forecast.Bytes, s.Forecast.Known = singly(chain.Draw), chain.Bytes(), !chain.Cuts()
		s.Reason = "other methods are slower or do not draw from this graph"
		return nil
	}
	return by, nil
}

// longestDraw is the longest allowed draw by determinants, in seconds of one core. It is a week.
const longestDraw = 7 * 24 * 3600

func (m *matcher) determinants() method {
	by := method{MatchingsForecast: MatchingsForecast{Method: Determinants, breadth: m.whole.Breadth()}}
	by.prepare = func(ctx context.Context, s *Matchings) error {
		if err := limit.Check(m.config.Memory, graphBytes(len(m.whole.Edges), m.whole.Vertices), "the graph of cells"); err != nil {
			return err
		}
		u, err := dimer.NewUnranking(ctx, m.whole, scaled(m.weights), m.config)
		if err != nil {
			return err
		}
		cost := u.Cost()
		each := u.Counts() * seconds(cost)
		if each > longestDraw {
			return fmt.Errorf("%w: a draw by determinants would run for about %s, expected at most a week", ErrNotDimers, human.Time(each))
		}
		err = u.Count(ctx)
		if errors.Is(err, dimer.ErrNoMatching) && m.weights != nil {
			if u, err = dimer.NewUnranking(ctx, m.whole, nil, m.config); err == nil {
				err = u.Count(ctx)
			}
			if s.weightless = err == nil; s.weightless {
				return nil
			}
		}
		if errors.Is(err, dimer.ErrNoMatching) {
			return nil
		}
		if err != nil {
			return err
		}
		s.draw, s.Forecast.Each, s.Forecast.Known, s.Forecast.Bytes = singly(u.Draw), each, true, bytesFor(cost, max(1, m.config.Threads))
		s.Reason = "no other method draws from this graph"
		return nil
	}
	return by
}

func scaled(weights []*big.Rat) []*big.Int {
	if weights == nil {
		return nil
	}
	common := big.NewInt(1)
	for _, w := range weights {
		d := cmp.Or(w, unit).Denom()
		common.Mul(common, new(big.Int).Quo(d, new(big.Int).GCD(nil, nil, common, d)))
	}
	whole := make([]*big.Int, len(weights))
	for o, w := range weights {
		w = cmp.Or(w, unit)
		whole[o] = new(big.Int).Quo(common, w.Denom())
		whole[o].Mul(whole[o], w.Num())
	}
	return whole
}

type singly func(ctx context.Context, key [32]byte, progress func(units int64)) ([]int, error)

func (draw singly) draw(ctx context.Context, keys [][32]byte, progress func(units int64)) (all [][]int, err error) {
	for _, key := range keys {
		options, err := draw(ctx, key, progress)
		if err != nil {
			return nil, err
		}
		all = append(all, options)
	}
	return all, nil
}

func byTree(draw func(ctx context.Context, key [32]byte) ([]int, error)) singly {
	return func(ctx context.Context, key [32]byte, progress func(trees int64)) ([]int, error) {
		if progress != nil {
			progress(1)
		}
		return draw(ctx, key)
	}
}

func (m *matcher) trees(ctx context.Context) (by method, err error) {
	if m.weights != nil {
		return by, fmt.Errorf("%w: the method draws all spanning trees with equal probability, expected no weights", ErrNotDimers)
	}
	if m.graph.Black+m.graph.White == 0 {
		return by, nil
	}
	if m.graph.Black != m.graph.White { // no perfect matching, so no draws
		by.Known, by.prepare = true, func(context.Context, *Matchings) error { return nil }
		return by, nil
	}
	if err := limit.Check(m.config.Memory, temperley.EdgeBytes*int64(len(m.graph.Edges)), "the graph of trees"); err != nil {
		return by, err
	}
	s, err := temperley.New(ctx, m.graph)
	if err != nil {
		return by, fmt.Errorf("%w: %w", ErrNotDimers, err)
	}
	by.Each, by.Known, by.Bytes = s.Forecast(), true, s.Bytes()
	by.prepare = func(_ context.Context, of *Matchings) error {
		of.draw, of.Reason = byTree(s.Draw), "tilings of the board are spanning trees of a graph"
		return nil
	}
	return by, nil
}

// SpanningTrees prepares draws of uniform spanning trees of a graph, given the ends of its edges. A
// tree is a list of ascending indices of edges. Errors wrap ErrNoTree or cover.ErrMemory.
func SpanningTrees(vertices int, ends [][2]int32, l Limits) (*Matchings, error) {
	const perVertex, perEdge = 26, 18 // bytes for the graph and one draw
	need := perVertex*int64(vertices) + perEdge*int64(len(ends))
	if err := limit.Check(l.Memory, need, "the graph of trees"); err != nil {
		return nil, err
	}
	g, err := temperley.NewGraph(vertices, ends)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoTree, err)
	}
	return &Matchings{
		Forecast: MatchingsForecast{Method: Trees, Bytes: need},
		draw:     byTree(g.SpanningTree), Reason: "a spanning tree is drawn by Wilson's algorithm",
	}, nil
}

// ErrNoTree is wrapped by the error about a graph that has no spanning tree.
var ErrNoTree = errors.New("there is no spanning tree")

func (m *matcher) shuffling(ctx context.Context) (by method, err error) {
	whole, heavy, err := m.wholeWeights()
	if err != nil {
		return by, err
	}
	board, err := m.board(whole)
	if err != nil {
		return by, fmt.Errorf("%w: %w", ErrNotDimers, err)
	}
	by.First, by.Each, by.Bytes = board.Forecast()
	by.Known, by.Bytes = true, by.Bytes+heavy
	by.prepare = func(ctx context.Context, of *Matchings) error {
		weighted := *m.graph
		weighted.Edges = slices.DeleteFunc(slices.Clone(m.graph.Edges), func(e dimer.Link) bool {
			return whole != nil && sum(e.Options, whole).Sign() == 0
		})
		matching, err := weighted.Matching(ctx)
		if matching == nil && err == nil && len(weighted.Edges) < len(m.graph.Edges) {
			matching, err = m.graph.Matching(ctx)
			of.weightless = matching != nil
			return err
		}
		if matching == nil || err != nil {
			return err
		}
		s, err := shuffle.New(ctx, board, shuffle.Config{Threads: m.config.Threads, Memory: limit.Left(m.config.Memory, heavy)})
		if errors.Is(err, shuffle.ErrUnembedded) {
			err = fmt.Errorf("%w: %w", ErrNotDimers, err)
		}
		if err != nil {
			return err
		}
		of.draw, of.Forecast.Bytes = &shuffled{s, m.graph, whole}, s.Bytes()+heavy
		of.Reason = because(s)
		return nil
	}
	return by, nil
}

func because(s *shuffle.Sampler) string {
	return fmt.Sprintf("the board lies in an Aztec diamond of order %d", s.Order())
}

// wholeWeights returns the weights of the options as whole numbers, or nil if all are 1. It
// multiplies all weights at a black vertex by their common denominator. This keeps the ratios of
// the weights of matchings, since a matching has exactly one edge at the vertex. The result bytes
// is a bound on the size of the weights and of their sums. The error wraps cover.ErrMemory.
func (m *matcher) wholeWeights() (whole []*big.Int, bytes int64, err error) {
	if m.weights == nil {
		return nil, 0, nil
	}
	common := make([]*big.Int, len(m.graph.Item[0])) // indexed by black vertex; nil means 1
	each := func(do func(o int, w *big.Rat, at **big.Int)) {
		for _, e := range m.graph.Edges {
			for _, o := range e.Options {
				do(o, cmp.Or(m.weights[o], unit), &common[e.Black])
			}
		}
	}
	each(func(_ int, w *big.Rat, at **big.Int) {
		switch {
		case w.IsInt():
		case *at == nil:
			*at = w.Denom()
		default:
			rest := new(big.Int).Quo(w.Denom(), new(big.Int).GCD(nil, nil, *at, w.Denom()))
			*at = rest.Mul(rest, *at)
		}
	})
	each(func(_ int, w *big.Rat, at **big.Int) {
		bits := w.Num().BitLen()
		if *at != nil {
			bits += (*at).BitLen() - w.Denom().BitLen()
		}
		bytes += 2 * (40 + int64(bits)/8) // a big.Int for the weight, and one for the sum
	})
	if err := limit.Check(m.config.Memory, bytes, "a table of weights"); err != nil {
		return nil, 0, err
	}
	whole = make([]*big.Int, len(m.weights))
	each(func(o int, w *big.Rat, at **big.Int) {
		if whole[o] = w.Num(); *at != nil {
			whole[o] = new(big.Int).Quo(*at, w.Denom())
			whole[o].Mul(whole[o], w.Num())
		}
	})
	return whole, bytes, nil
}

// board returns the graph as a board of squares, or an error if an edge joins distant cells.
func (m *matcher) board(weights []*big.Int) (*shuffle.Board, error) {
	g := m.graph
	items := slices.Concat(g.Item[0], g.Item[1])
	places := make([][2]int32, len(items))
	for k, item := range items {
		if item >= len(m.places) {
			return nil, fmt.Errorf("%s has no place in a plane grid", m.whole.Name(item))
		}
		places[k] = m.places[item]
	}
	b, err := newGrid(places)
	if err != nil {
		return nil, err
	}
	counted := weights == nil && !slices.ContainsFunc(g.Edges, func(e dimer.Link) bool { return len(e.Options) > 1 })
	weight := big.NewInt(1)
	for e := range g.Edges {
		edge := &g.Edges[e]
		if !counted {
			if weight = big.NewInt(int64(len(edge.Options))); weights != nil {
				weight = sum(edge.Options, weights)
			}
			b.Weights = append(b.Weights, weight)
		}
		number := int32(e)
		if weight.Sign() == 0 {
			number = shuffle.None
		}
		if !b.join(number, [2]int32{edge.Black, int32(g.Black) + edge.White}) {
			black, white := g.Item[0][edge.Black], g.Item[1][edge.White]
			return nil, fmt.Errorf("%s and %s are no neighbours in a plane grid of squares", m.whole.Name(black), m.whole.Name(white))
		}
	}
	return b.Board, nil
}

type shuffled struct {
	*shuffle.Sampler
	graph   *dimer.Bipartite
	weights []*big.Int // weights of the options; nil if all are 1
}

func (s *shuffled) draw(ctx context.Context, keys [][32]byte, progress func(levels int64)) ([][]int, error) {
	matchings, err := s.Draw(ctx, keys, progress)
	if err != nil {
		return nil, err
	}
	all := make([][]int, len(keys))
	for k, edges := range matchings {
		all[k] = s.options(edges, keys[k])
	}
	return all, ctx.Err()
}

func (s *shuffled) options(edges []int32, key [32]byte) []int {
	src := rand.NewChaCha8(key)
	all := slices.Grow(slices.Clone(s.graph.Forced), len(edges))
	for _, e := range edges {
		options := s.graph.Edges[e].Options
		chosen := options[0]
		if len(options) > 1 {
			chosen = s.choose(options, src)
		}
		all = append(all, chosen)
	}
	slices.Sort(all)
	return all
}

func (s *shuffled) choose(options []int, src rand.Source) int {
	total := big.NewInt(int64(len(options)))
	if s.weights != nil {
		total = sum(options, s.weights)
	}
	rest := dimer.Below(total, src)
	for _, o := range options {
		weight := unit.Num()
		if s.weights != nil {
			weight = s.weights[o]
		}
		if rest.Cmp(weight) < 0 {
			return o
		}
		rest.Sub(rest, weight)
	}
	panic("count: a number below the total weight is beyond all options")
}

// Count returns 0 if there is no solution, else nil, since the number is not computed.
func (m *Matchings) Count() *big.Int {
	if m.draw == nil && !m.weightless {
		return new(big.Int)
	}
	return nil
}

// Draw returns a solution, as ascending options, for each key of 32 random bytes. If progress
// is not nil, Draw calls it before each piece of work with the number of units of the piece. The
// method Unit returns the name of the units. The error is ErrUnanswered if there is no solution.
func (m *Matchings) Draw(ctx context.Context, keys [][32]byte, progress func(units int64)) ([][]int, error) {
	if m.draw == nil {
		return nil, ErrUnanswered
	}
	return m.draw.draw(ctx, keys, progress)
}

// mostGrown is the largest order of a Growth. Its solutions together have 9 million options.
const mostGrown = 300

// ErrNoGrowth is wrapped if solutions do not grow out of smaller solutions, see Matchings.Growth.
var ErrNoGrowth = errors.New("these tilings do not grow from smaller tilings")

// Growth draws solutions of an Aztec diamond and the smaller solutions from which they grow.
type Growth struct{ by *shuffled }

// Growth prepares draws of solutions and of the smaller solutions from which they grow. The error
// wraps ErrNoGrowth unless the board is a whole Aztec diamond of order at most 300.
func (m *Matchings) Growth() (*Growth, error) {
	s, is := m.draw.(*shuffled)
	if !is || !s.Diamond() || len(s.graph.Forced) > 0 {
		return nil, fmt.Errorf("%w: the board is not an Aztec diamond of dominoes, or some placements are excluded", ErrNoGrowth)
	}
	if n := s.Order(); n > mostGrown {
		return nil, fmt.Errorf("%w: the Aztec diamond has the order %d, expected at most %d", ErrNoGrowth, n, mostGrown)
	}
	return &Growth{s}, nil
}

// Order returns the order of the diamond, which is the number of solutions that Draw returns.
func (g *Growth) Order() int { return g.by.Order() }

// Draw returns solutions for the diamonds of orders 1, 2, … in the middle of the board. Each grows
// from the solution before it, and the last is the solution that Matchings.Draw returns.
func (g *Growth) Draw(ctx context.Context, key [32]byte) ([][]int, error) {
	orders, err := g.by.Grow(ctx, key)
	if err != nil {
		return nil, err
	}
	all := make([][]int, len(orders))
	for k, edges := range orders {
		all[k] = g.by.options(edges, key)
	}
	return all, nil
}

// Keys returns the best number of keys for a call of Draw. Shuffling makes one pass for all keys.
func (m *Matchings) Keys() int {
	options := batchOptions
	switch s := m.draw.(type) {
	case *shuffled:
		options = len(s.graph.Item[0])
	case *numbered:
		options = s.cells / 2
	}
	return max(1, min(mostBatched, batchOptions/(1+options)))
}

// Unit returns the plural name of the units of progress.
func (m *Matchings) Unit() string {
	return map[DrawMethod]string{Shuffling: "levels", Trees: "trees", Coupling: "sweeps", Determinants: "counts"}[m.Forecast.Method]
}

func (m *Matchings) Bytes() int64 { return m.Forecast.Bytes }

func (m *Matchings) Report() *Result { return &Result{Count: m.Count(), Bytes: m.Bytes()} }
