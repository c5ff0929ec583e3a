package count

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"time"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/search"
	"github.com/pavage/pavage/internal/kit/limit"
)

func searched(ctx context.Context, p *cover.Problem, o Options) (*Result, error) {
	if Unbalanced(p) {
		return &Result{Count: new(big.Int), Engine: Search}, nil
	}
	s, err := space(ctx, p, o)
	if err != nil {
		return nil, err
	}
	h := s.Hunt(ctx, searchOptions(o, "tries"), nil)
	defer h.End()
	r, err := h.Run(0)
	if err != nil {
		return nil, err
	}
	return searchResult(s, r, o), nil
}

func space(ctx context.Context, p *cover.Problem, o Options) (*search.Space, error) {
	s, err := search.Compile(ctx, p)
	if err != nil {
		return nil, err
	}
	return s, limit.Check(o.Memory, s.Bytes(o.threads()), "the search")
}

func searchResult(s *search.Space, r search.Result, o Options) *Result {
	return &Result{Count: r.Count, Engine: Search, Effort: Effort{States: r.Nodes, Tries: r.Tries}, Bytes: s.Bytes(o.threads())}
}

// searchOptions returns options whose progress counts tries or, for "states", partial covers.
func searchOptions(o Options, unit string) search.Options {
	so := search.Options{Threads: o.threads()}
	if o.Progress != nil {
		so.Progress = func(share float64, nodes, tries int64) {
			p := Progress{Fraction: share, Done: tries, Unit: "tries"}
			if unit == "states" {
				p.Done, p.Unit = nodes, "states"
			}
			o.Progress(p)
		}
	}
	return so
}

type searcher struct {
	space     *search.Space // nil: not compiled, or too large for the memory
	prober    *search.Prober
	refused   bool            // no memory for a space beside the sweep
	probing   float64         // largest cost given to the probes so far
	probed    *SearchForecast // from the probes alone; nil: unknown
	perTry    float64         // cost of a try
	solutions float64         // expected number of solutions, from the probes
	promised  bool            // at some time it was expected to finish before the sweep

	hunt   *search.Hunt  // nil: not begun yet
	effort search.Result // of the hunt so far
	hunted float64       // cost of effort
	over   bool          // the hunt has ended
	shown  Progress      // last progress
	report func(Progress)
}

// compileSpace compiles the search, if it fits in memory beside the sweep.
func (pl *planner) compileSpace(ctx context.Context) error {
	if pl.search.space != nil || pl.search.refused && pl.sweep != nil { // a later sweep is not smaller
		return nil
	}
	s, err := space(ctx, pl.p, pl.besideSweep())
	if errors.Is(err, cover.ErrMemory) {
		pl.search.refused = true
		return nil
	}
	if err == nil {
		pl.search.space, pl.search.prober = s, s.Prober(probeSeed)
	}
	return err
}

// probeSeed is the seed of all probes, so that a problem always has the same plan.
const probeSeed = 1

func (pl *planner) besideSweep() Options {
	o := pl.o
	if pl.sweep != nil && pl.sweep.run != nil {
		o.Memory = limit.Left(o.Memory, pl.sweep.run.Effort().Bytes)
	}
	return o
}

// probeCost returns the cost of compiling a search and of a few probes. (7 + 6 ms for 6x10
// pentominoes; 1.2 + 2 ms for a Soma cube, searched in 3 ms; 15 + 2 ms for 20x20 dominoes.)
func (pl *planner) probeCost() float64 {
	options, items := float64(len(pl.p.Options)), float64(len(pl.p.Items))
	cost := min(pruneCost, pairCost*options*items) + optionCost*options
	if len(pl.p.Orders) > 0 {
		cost += chartCost
	} else if len(pl.p.Symmetries) == 0 {
		cost += symmetryCost * options
	}
	return cost
}

const (
	pairCost   = 5e-8 // cost of a pair of an item and an option, in pruning
	pruneCost  = 0.05 // largest cost of pruning
	optionCost = 3e-6
	// symmetryCost is the cost of an option in the search for symmetries. (2,401 options: 10 of 45 ms)
	symmetryCost = 4e-6
	// chartCost is the cost of a check for a small chart. (Triangles on 9x7 take 2 ms without it.)
	chartCost = 1.5e-3
)

// probe makes at least least probes, and more up to the cost if they may improve the forecast. A
// search that does not fit, or is too deep for a probe, gets no forecast.
func (pl *planner) probe(ctx context.Context, least int, cost float64) error {
	s := &pl.search
	if s.prober != nil && (pl.outOfReach() || least <= pl.fewProbes && cost < 2*s.probing) {
		return nil // more probes would change nothing, or are too few to matter
	}
	if err := pl.compileSpace(ctx); err != nil || s.space == nil {
		return err
	}
	s.probing = max(s.probing, cost)
	work := time.Duration(min(cost, 3600) * float64(time.Second))
	e, err := s.prober.Probe(ctx, least, work)
	if err == nil && e.Probes > 0 {
		pl.learn(e)
	}
	return err
}

func (pl *planner) learn(e search.Estimate) {
	s := &pl.search
	s.perTry, s.solutions = e.Seconds/max(1, e.Tries), finite(e.Solutions)
	s.probed = pl.searchForecast(finite(e.Seconds*pl.probesSay), finite(e.Most))
	if e.Error < math.Inf(1) {
		s.probed.Error = e.Error
	}
	pl.foresee()
}

// searchForecast returns the forecast of a search whose cost rarely exceeds cost times most.
func (pl *planner) searchForecast(cost, most float64) *SearchForecast {
	tries := finite(cost / max(math.SmallestNonzeroFloat64, pl.search.perTry))
	return &SearchForecast{Seconds: cost / float64(pl.o.threads()), Tries: tries, cost: cost, most: most}
}

// foresee sets the plan's forecast of the search: from the probes or, once the search has begun,
// its cost divided by the share of the tree that is done. The memo makes the tree smaller than the
// probes predict.
func (pl *planner) foresee() {
	s := &pl.search
	pl.plan.Search = s.probed
	if s.hunt == nil || s.hunted == 0 {
		return
	}
	byShare := s.hunted
	if !s.over {
		byShare = finite(s.hunted / max(math.SmallestNonzeroFloat64, s.hunt.Share()))
	}
	if s.over || byShare < s.probed.cost || s.hunted >= s.probed.cost {
		most := huntMost
		if byShare < s.probed.cost { // a memo never enlarges the tree, so the bound by the probes holds
			most = min(most, s.probed.most*s.probed.cost/byShare)
		}
		pl.plan.Search = pl.searchForecast(byShare, most)
		pl.plan.Search.Tries = finite(float64(s.effort.Tries) * byShare / s.hunted)
	}
}

// huntMost is the factor by which a forecast from a share of the tree may be too low.
const huntMost = 3.0

// glimpse begins or continues a search between two levels, for glimpseCost or, in a long sweep, for
// a part of the sweep's cost so far, at most 1/glimpseShare of the whole. A list has no glimpse.
func (pl *planner) glimpse(ctx context.Context, rest float64) error {
	s := &pl.search
	if pl.inFirstOrder || s.probed == nil || s.hunted >= glimpseCost && pl.ofSearch() > farBehind*rest {
		return nil
	}
	swept := pl.sweep.cost()
	first := max(glimpseCost, min(glimpseMost, rest/glimpseFar))
	upTo := min(max(first, swept/glimpseTurn), (swept+rest)/glimpseShare)
	if upTo < s.hunted+glimpseCost {
		return nil
	}
	return pl.tryFor(ctx, upTo)
}

// tryFor searches for about this cost, with one walker, so that forecasts do not depend on threads.
func (pl *planner) tryFor(ctx context.Context, cost float64) error {
	s := &pl.search
	for !s.over && s.hunted < 0.75*cost {
		rate := s.rate()
		if s.hunted == 0 { // each try may have a node
			rate += nodeCost
		}
		tries := s.effort.Tries + int64((cost-s.hunted)/rate) + 1
		_, err := pl.searchFor((*search.Hunt).RunAlone, ctx, tries)
		if err != nil && !errors.Is(err, search.ErrLimit) {
			return err
		}
	}
	return nil
}

const (
	// The first glimpse costs 10 ms, since a shorter one shows little, and up to 50 ms if that is
	// 1/glimpseFar of the sweep: this is a whole search of many parts of networks of 30 to 150
	// edges (10^5 to 10^10 tries by the probes, and with the memo 10^3 to 10^5).
	glimpseCost, glimpseMost, glimpseFar = 0.01, 0.05, 2000
	// Glimpses cost at most 1/glimpseShare of the sweep, and 1/glimpseTurn of its levels.
	glimpseShare, glimpseTurn = 100, 2
	// Glimpses end if the rest of the search costs farBehind times the rest of the sweep.
	farBehind = 30
)

func finite(x float64) float64 { return min(x, math.MaxFloat64) }

// ofSearch returns the expected cost of the rest of the search, with the list if the goal needs it.
func (pl *planner) ofSearch() float64 {
	return pl.plan.Search.cost - pl.search.hunted + pl.solution*pl.search.solutions
}

// cautious returns a cost that the rest of the search rarely exceeds.
func (pl *planner) cautious() float64 {
	f := pl.plan.Search
	return pl.ofSearch() + f.cost*(f.most-1)
}

// outOfReach reports whether better probes would not change the choice.
func (pl *planner) outOfReach() bool {
	p := pl.plan
	return p.Sweep != nil && p.Search != nil && p.Search.cost > clearly*pl.sweeps*p.Sweep.cost
}

// clearly is the ratio of the costs of search and sweep above which a search is out of reach.
const clearly = 1000

func (pl *planner) probeLong(ctx context.Context) error {
	return pl.probe(ctx, pl.manyProbes, 0.1)
}

func (pl *planner) tries(cost float64) int64 {
	return int64(min(1e18, max(pl.leastTries, cost/max(1e-12, pl.search.rate()))))
}

// rate returns the cost of a try and its nodes, from the hunt so far, or else from the probes.
func (s *searcher) rate() float64 {
	if s.hunted > 0 {
		return s.hunted / float64(s.effort.Tries)
	}
	return s.perTry
}

// spent sets the cost of the hunt so far. The cost of a try includes 1/triesPerNode nodes; with a
// memo nearly every try has a node. (Seconds for a million tries, with the nodes and without: Latin
// squares of order 8 with one block 0.7 and 0.2, squares on 11x11 0.8 and 0.3.)
func (s *searcher) spent(r search.Result) {
	s.effort = r
	s.hunted = s.perTry*float64(r.Tries) + nodeCost*max(0, float64(r.Nodes)-float64(r.Tries)/triesPerNode)
}

const (
	nodeCost     = 1e-6
	triesPerNode = 4
)

// firstTurn returns the cost after which a search gives the sweep a turn: overrun times the
// forecast of the search, or the rest of the sweep if less, but at least 1/reach of this rest.
func (pl *planner) firstTurn(rest float64) float64 {
	f := pl.ofSearch()
	return max(pl.turn, min(2, pl.overrun)*f, min(pl.overrun*f, rest), rest/pl.reach)
}

// Listing selects the solutions that Each visits.
type Listing struct {
	// Group, if not empty, is a group of symmetries. Each visits only the solution of each class
	// whose ascending list of options is least.
	Group []cover.Symmetry
	// After, if not nil, is a solution: Each visits only the solutions after it.
	After []int
	// Number is the number of wanted solutions, 0 for all. It affects only the choice of a method.
	Number uint64
	Memory int64 // bytes; 0: no limit
}

// Each calls yield with each solution of p, as an ascending list of options that is reused, in an
// order that depends only on p and the group, until yield returns false. Errors wrap
// cover.ErrInvalid, also for a wrong After, or cover.ErrMemory, or are errors of ctx.
func Each(ctx context.Context, p *cover.Problem, l Listing, yield func(options []int) bool) error {
	if err := p.Check(ctx); err != nil {
		return err
	}
	if Unbalanced(p) {
		return nil
	}
	s, err := apart(ctx, p, Auto, false)
	if err != nil {
		return err
	}
	if s == nil {
		return search.Each(ctx, p, search.Listing(l), yield)
	}
	return eachOfParts(ctx, p, s, l, yield)
}

// keptOptions is the largest number of options and solutions of all parts for which a list is kept,
// 8 to 32 MB. Otherwise the search is compiled again for each pass.
const keptOptions = 1 << 20

func eachOfParts(ctx context.Context, p *cover.Problem, s *cover.Split, l Listing, yield func([]int) bool) error {
	if s.Impossible {
		return nil
	}
	canon, err := p.Canon(ctx, l.Group)
	if err != nil {
		return err
	}
	after := make([][]int, len(s.Parts)) // by part
	if l.After != nil {
		if !p.IsSolution(l.After) {
			return fmt.Errorf("%w: the list cannot go on after the options %v, which are not a solution", cover.ErrInvalid, l.After)
		}
		least := canon.Least(slices.Sorted(slices.Values(l.After)))
		for k, part := range s.Parts {
			after[k] = []int{}
			for index, o := range part.Options {
				if _, in := slices.BinarySearch(least, o); in {
					after[k] = append(after[k], index)
				}
			}
		}
	}
	kept := make([][][]int, len(s.Parts)) // by part: all solutions, or nil if they are not kept
	for k, part := range s.Parts {
		if len(part.Items) == 0 { // an option without items is in the solution or not
			kept[k] = [][]int{{}, {0}}
		}
	}
	going, room := true, keptOptions
	solutions := func(k int, after []int, yield func([]int) bool) error {
		if kept[k] != nil {
			behind := after == nil
			for _, solution := range kept[k] {
				if behind && !yield(solution) {
					break
				}
				behind = behind || slices.Equal(solution, after)
			}
			return nil
		}
		list, before, whole := [][]int{}, room, after == nil
		err := search.Each(ctx, s.Parts[k].Problem, search.Listing{After: after, Number: l.Number, Memory: l.Memory}, func(solution []int) bool {
			if room -= 1 + len(solution); room > 0 {
				list = append(list, slices.Clone(solution))
			}
			whole = whole && room > 0
			if !yield(solution) {
				whole = false
				return false
			}
			return true
		})
		if whole && err == nil {
			kept[k] = list
			going = going && len(list) > 0 // if a part has no solution, the whole has none
		} else {
			room = before
		}
		return err
	}
	options, all := slices.Clone(s.Taken), []int{} // all is not nil, even if a solution has no options
	// each visits the solutions with the options so far; if tight is set, those after l.After.
	var each func(k int, tight bool) error
	with := func(k int, solution []int, tight bool) error {
		before := len(options)
		for _, index := range solution {
			options = append(options, s.Parts[k].Options[index])
		}
		err := each(k+1, tight)
		options = options[:before]
		return err
	}
	each = func(k int, tight bool) error {
		if k == len(s.Parts) {
			if all = append(all[:0], options...); !tight {
				slices.Sort(all)
				going = len(l.Group) > 0 && !canon.IsLeast(all) || yield(all)
			}
			return nil
		}
		var from []int
		if tight {
			from = after[k]
			if err := with(k, from, true); err != nil || !going {
				return err
			}
		}
		var below error
		err := solutions(k, from, func(solution []int) bool {
			below = with(k, solution, false)
			return below == nil && going
		})
		return cmp.Or(below, err)
	}
	return each(0, l.After != nil)
}
