package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/kit/limit"
)

var errTooLarge = fmt.Errorf("%w: too large to search", limit.ErrMemory)

// Space is a problem prepared for a search. It is immutable.
//
// Of the options of an item, it may keep one of each orbit. A square of 2x2 cells has 49 places on
// the chessboard, 7 in each row. They form 10 orbits:
//
//	1 2 3 4 . . .       weights 4 8 8 4     (place 4 is in the middle of an edge:
//	. 5 6 7 . . .                 4 8 4      its orbit has four places)
//	. . 8 9 . . .                   4 4
//	. . . 10 . .                      1
type Space struct {
	engine  engine
	options []int32  // options of the problem, indexed by option of the engine
	weights []uint32 // number of options for which an option of the engine stands
	free    []int    // options of the problem that do not affect others: each doubles the count
	never   bool     // some lower bound cannot be reached, so there is no solution
	parts   [][]int  // options of the given problem, indexed by option; nil without bundles

	restrictions []restriction
}

// engine is one way to walk a tree of partial covers. The options of an engine are
// indices into Space.options.
type engine interface {
	walkers(c *pool) []worker
	whole(c *pool) parcel
	bytes(walkers int) int64
	crowds(rng *rand.Rand) crowds
}

// Bytes returns a bound on the bytes that this number of walkers use, including their memo.
func (s *Space) Bytes(walkers int) int64 { return s.engine.bytes(walkers) }

const (
	// trialPlaces is the number of places found between two forecasts. They need about 0.5 ms.
	trialPlaces = 1 << 12
	fewPlaces   = 1 << 14
	placeNanos  = 500
	// If the walk needs less than smallWalk seconds, the search in matrices is not forecast.
	smallWalk    = 15e-3
	walkProbes   = 16
	matrixProbes = 32
	matrixWork   = time.Millisecond / 5
	seedOfChoice = 1
)

// Compile prepares a validated problem for counting, in matrices or a chart. It leaves out options
// that do not affect others; each of them doubles the count. With symmetries, listed in p or found,
// it keeps one option of each orbit for some items. It fails with cover.ErrMemory if a matrix would
// have more than 65535 rows, with the error of cover.Problem.AllImages if p lists a symmetry that
// is not one, or with the error of ctx.
func Compile(ctx context.Context, p *cover.Problem) (*Space, error) {
	return compile(ctx, p, bundlesSave, fewSeconds)
}

// compile is Compile with two limits as arguments: save is for bundled, few for restrictFound.
func compile(ctx context.Context, p *cover.Problem, save, few float64) (*Space, error) {
	p, parts, err := bundled(ctx, p, save)
	if err != nil {
		return nil, err
	}
	c, err := newCompiler(ctx, p, false)
	if c.parts = parts; err != nil || c.never {
		return c.Space, err
	}
	b, singles := c.newBuilder(), IsOfSingles(p)
	var chart *chart
	walk := 0.0 // expected time of the walk in seconds
	finish := func(most float64) {
		for step := trialPlaces; !b.explore(step); step += trialPlaces {
			if ctx.Err() != nil || b.forecast() > most {
				return
			}
		}
		if chart = b.chart(); chart == nil {
			b = nil // the ground cannot be covered
			return
		}
		e, _ := (&Space{engine: chart}).Prober(seedOfChoice).Probe(ctx, walkProbes, 0)
		walk, chart.merges = e.Seconds, singles && e.Seconds > longWalk
	}
	if b != nil {
		finish(fewPlaces)
	}
	if chart != nil && walk < smallWalk {
		c.engine = chart
		return c.Space, ctx.Err()
	}
	m, err := c.matrices()
	if err != nil {
		return nil, err
	}
	m.prune(func() bool { return ctx.Err() != nil })
	again, err := c.restrictFound(ctx, m, few)
	if err == nil && again && !c.never {
		if m, err = c.matrices(); err == nil {
			m.prune(func() bool { return ctx.Err() != nil })
		}
	}
	if err != nil {
		return nil, err
	}
	// A large chart is used only if IsOfSingles(p).
	if b != nil && singles && (chart != nil || b.forecast() <= mostPlaces) {
		e, err := c.Prober(seedOfChoice).Probe(ctx, matrixProbes, matrixWork)
		if chart == nil && e.Probes > 0 {
			finish(min(mostPlaces, e.Seconds/2*1e9/placeNanos))
		}
		if err == nil && chart != nil && walk < e.Seconds {
			c.engine = chart
		}
	}
	return c.Space, ctx.Err()
}

// IsOfSingles reports whether each option uses an item that has Max 1 and is not in p.Orders[0].
func IsOfSingles(p *cover.Problem) bool {
	if len(p.Orders) == 0 {
		return false
	}
	single := make([]bool, len(p.Items))
	for i, it := range p.Items {
		single[i] = it.Max == 1
	}
	for _, i := range p.Orders[0] {
		single[i] = false
	}
	return !slices.ContainsFunc(p.Options, func(o cover.Option) bool {
		return !slices.ContainsFunc(o, func(u cover.Use) bool { return single[u.Item] })
	})
}

func compileList(ctx context.Context, p *cover.Problem) (*Space, *matrices, error) {
	c, err := newCompiler(ctx, p, true)
	if err != nil || c.never {
		return c.Space, nil, err
	}
	m, err := c.matrices()
	if err != nil {
		return nil, nil, err
	}
	return c.Space, m, ctx.Err()
}

// maxPrune limits the number of blocks that prune looks at. So many blocks need about 50 ms.
const maxPrune = 1 << 24

// After a round, prune makes another round if it removed more than 1/pruneAgain of the number of
// options left. (6x10 pentominoes have 2,032 options. A round removes 266, a second one 10 more.)
const pruneAgain = 4

// prune removes options after which some item cannot be used often enough, such as placements that
// isolate a cell. (Of 2,327 options of 8x8 pentominoes and a square it leaves 1,920.)
func (m *matrices) prune(stop func() bool) {
	work := len(m.all) * len(m.all) / blockBits * m.rows
	for gone := len(m.all); gone > len(m.all)/pruneAgain && work <= maxPrune; {
		before := m.all
		w := &walker{matrices: m, account: account{stop: stop}}
		w.begin(m.root(stop))
		m.all = nil
		for k, o := range before {
			if w.descend(0, k) != dead {
				m.all = append(m.all, o)
			}
			w.path = w.path[:0]
		}
		gone = len(before) - len(m.all)
	}
}

type compiler struct {
	*Space
	problem *cover.Problem
	looks   interrupt.Watch
	usable  []bool   // false for an option that exceeds a bound or that a restriction excludes
	weight  []uint32 // number of options for which an option stands
	most    int      // bound on the number of solutions for which one solution stands
	items   []boundItem
}

type boundItem struct {
	total         int64 // number of uses by all options; number of options if each has the same number of uses
	least, most   int   // least and largest number of uses by an option
	bound         bound // in the unit of total
	colour        int32 // colour of the first use
	coloured      bool  // some use has another colour
	binds, single bool
}

func newCompiler(ctx context.Context, p *cover.Problem, withFree bool) (*compiler, error) {
	c := &compiler{
		Space: &Space{engine: &matrices{}}, problem: p, looks: interrupt.Context(ctx),
		usable: make([]bool, len(p.Options)), items: make([]boundItem, len(p.Items)),
		weight: slices.Repeat([]uint32{1}, len(p.Options)), most: 1,
	}
	for o, option := range p.Options {
		if err := c.looks.Work(len(option)); err != nil {
			return c, err
		}
		c.usable[o] = !slices.ContainsFunc(option, func(u cover.Use) bool { return int(u.Times) > p.Items[u.Item].Max })
		if !c.usable[o] {
			continue
		}
		for _, u := range option {
			it := &c.items[u.Item]
			if it.total == 0 {
				it.least, it.colour = int(u.Times), u.Colour
			}
			it.coloured = it.coloured || u.Colour != it.colour
			it.total += int64(u.Times)
			it.least, it.most = min(it.least, int(u.Times)), max(it.most, int(u.Times))
		}
	}
	for i := range c.items {
		it, item := &c.items[i], p.Items[i]
		c.never = c.never || it.total < int64(item.Min)
		it.bound = bound{int32(item.Min), int32(item.Max)}
		if t := it.least; t > 1 && t == it.most {
			it.bound = bound{int32((item.Min + t - 1) / t), int32(item.Max / t)}
			it.total /= int64(t)
			c.never = c.never || it.bound.need > it.bound.room
		}
		agree := it.colour != 0 && !it.coloured // all uses have one colour
		it.binds = item.Min > 0 || it.total > int64(it.bound.room) && !agree
		it.single = it.bound.room == 1
	}
	if c.never {
		return c, nil
	}
	if err := c.restrictListed(ctx); err != nil {
		return c, err
	}
	c.gather(withFree)
	return c, nil
}

func (c *compiler) gather(withFree bool) {
	p := c.problem
	c.options, c.weights, c.free = nil, nil, nil
	uses := make([]int64, len(p.Items))
	for o, option := range p.Options {
		if !c.usable[o] {
			continue
		}
		for _, u := range option {
			uses[u.Item] += int64(u.Times)
		}
		if !withFree && !slices.ContainsFunc(option, func(u cover.Use) bool { return c.items[u.Item].binds }) {
			c.free = append(c.free, o)
			continue
		}
		c.options = append(c.options, int32(o))
		c.weights = append(c.weights, c.weight[o])
	}
	for i, item := range p.Items { // the representatives may use an item less than Min times
		c.never = c.never || uses[i] < int64(item.Min)
	}
}

func (c *compiler) scaled(u cover.Use) cover.Use {
	if it := c.items[u.Item]; it.least == it.most {
		u.Times = 1
	}
	return u
}
