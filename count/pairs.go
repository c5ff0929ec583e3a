package count

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pavage/pavage/internal/engine/dimer"
	"github.com/pavage/pavage/internal/engine/shuffle"
	"github.com/pavage/pavage/internal/kit/limit"
)

// Pairs is an exact cover of the cells of a plane grid by options of two cells. It needs no
// cover.Problem. Making one would take most of the time of a draw.
type Pairs struct {
	places  [][2]int32
	diamond *shuffle.Board // nil unless the cells are a whole Aztec diamond; edge e is option e
	graph   *dimer.Graph   // nil if the cells are a whole Aztec diamond
	bytes   int64          // bound on the bytes of the graph, or of the diamond and a draw
}

const (
	// pairBytes is a bound on the bytes for each option in the graph and in draws by Trees.
	pairBytes = 200
	// pairSeconds is the time per option to read the options and to prepare draws by Trees.
	pairSeconds = 2.5e-7
	// leastDiamond is the least order of a diamond that is drawn by shuffling.
	leastDiamond = 16
	// Shuffling needs diamondSeconds for each cell before the first draw. A draw needs this time
	// again, and coinSeconds for each cell and level.
	diamondSeconds, coinSeconds = 5e-8, 4e-11
)

// ReadPairs reads a cover of at least one cell. It gets the row and column of each cell, sorted by
// rows, and the two cells of each option. If a cell has fewer than two options, it returns nil,
// since Split can simplify the cover. Errors wrap ErrNotDimers or cover.ErrMemory.
func ReadPairs(ctx context.Context, places, options [][2]int32, o Options) (*Pairs, error) {
	p := &Pairs{places: places}
	order := shuffle.DiamondOrder(len(places), len(options))
	p.bytes = pairBytes * int64(len(options))
	if order >= leastDiamond {
		p.bytes = shuffle.FairBytes(order)
	}
	if err := limit.Check(o.Memory, p.bytes, fmt.Sprintf("the graph of %d cells", len(places))); err != nil {
		return nil, err
	}
	if order >= leastDiamond {
		b, err := newGrid(places)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNotDimers, err)
		}
		for e, ends := range options {
			b.join(int32(e), ends)
		}
		if b.IsDiamond() {
			p.diamond = b.Board
			return p, ctx.Err()
		}
	}
	degrees := make([]int32, len(places))
	for _, ends := range options {
		degrees[ends[0]]++
		degrees[ends[1]]++
	}
	if slices.Min(degrees) < 2 {
		return nil, ctx.Err()
	}
	p.graph = dimer.FromPairs(len(places), options)
	return p, ctx.Err()
}

func (p *Pairs) breadth() int {
	if p.diamond != nil {
		return p.diamond.Rows
	}
	return p.graph.Breadth()
}

// Preferred reports whether Solve with ForDraws returns a single Matchings for the whole cover.
func (p *Pairs) Preferred() bool {
	return p.breadth() > uncountedBreadth && (p.diamond != nil || p.graph.Connected())
}

// Because returns the reason that Solve returns together with m if Preferred is true.
func (p *Pairs) Because(m *Matchings) string { return broad(p.breadth(), m) }

// Match is like the function Match, for the cover without weights.
func (p *Pairs) Match(ctx context.Context, method DrawMethod, o Options) (*Matchings, error) {
	if p.diamond == nil {
		return match(ctx, newMatcher(p.places, p.graph, o), method)
	}
	if method != Fastest && method != Shuffling {
		return nil, fmt.Errorf("%w: the board is an Aztec diamond, expected the method shuffling or no method, not %s", ErrNotDimers, method)
	}
	s, err := shuffle.New(ctx, p.diamond, shuffle.Config{Threads: o.threads(), Memory: o.Memory})
	if err != nil {
		return nil, err
	}
	m := &Matchings{Forecast: *p.Forecast(ctx, method), draw: &numbered{s, len(p.places)}, Reason: because(s)}
	if method != Fastest {
		m.Reason = askedFor
	}
	return m, nil
}

// Forecast returns the cost of draws after Match, or nil if no method draws from the cover.
func (p *Pairs) Forecast(ctx context.Context, method DrawMethod) *MatchingsForecast {
	if p.diamond == nil {
		f := forecastMatchings(ctx, newMatcher(p.places, p.graph, Options{}), method)
		if f != nil {
			f.First += pairSeconds * float64(len(p.graph.Edges))
			f.Bytes += p.bytes
		}
		return f
	}
	cells := float64(len(p.places))
	each := diamondSeconds*cells + coinSeconds*math.Pow(cells/2, 1.5)
	return &MatchingsForecast{Method: Shuffling, First: diamondSeconds * cells, Each: each, Known: true, Bytes: p.bytes, breadth: p.breadth()}
}

type numbered struct {
	*shuffle.Sampler
	cells int
}

func (s *numbered) draw(ctx context.Context, keys [][32]byte, progress func(levels int64)) ([][]int, error) {
	matchings, err := s.Draw(ctx, keys, progress)
	all := make([][]int, len(matchings))
	for k, edges := range matchings {
		all[k] = make([]int, len(edges))
		for i, e := range edges {
			all[k][i] = int(e)
		}
		slices.Sort(all[k])
		matchings[k] = nil
	}
	return all, err
}

type grid struct {
	*shuffle.Board
	low    [2]int32
	places [][2]int32
}

func newGrid(places [][2]int32) (*grid, error) {
	if len(places) == 0 {
		return nil, errors.New("there is no cell in the list, expected at least one cell")
	}
	low, high := places[0], places[0]
	for _, at := range places {
		low = [2]int32{min(low[0], at[0]), min(low[1], at[1])}
		high = [2]int32{max(high[0], at[0]), max(high[1], at[1])}
	}
	b, err := shuffle.NewBoard(int(high[0]-low[0])+1, int(high[1]-low[1])+1)
	if err != nil {
		return nil, err
	}
	g := &grid{b, low, places}
	for i := range places {
		if b.In[g.at(i)] {
			return nil, fmt.Errorf("two cells are in row %d, column %d", places[i][0], places[i][1])
		}
		b.In[g.at(i)] = true
	}
	return g, nil
}

func (g *grid) at(i int) int {
	return int(g.places[i][0]-g.low[0])*g.Cols + int(g.places[i][1]-g.low[1])
}

func (g *grid) join(number int32, ends [2]int32) bool {
	one, two := g.at(int(ends[0])), g.at(int(ends[1]))
	one, two = min(one, two), max(one, two)
	switch {
	case two == one+1 && two%g.Cols > 0:
		g.Right[one] = number
	case two == one+g.Cols:
		g.Down[one] = number
	default:
		return false
	}
	return true
}
