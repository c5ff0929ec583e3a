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

// searchOptions converts o. Done in Progress counts partial covers if unit is "states", else tries.
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
	space     *search.Space // nil if it is not compiled, or too large for the memory
	prober    *search.Prober
	refused   bool            // whether the sweep left too little memory for a space
	probing   float64         // largest cost for which the method probe was called
	probed    *SearchForecast // forecast from the probes alone, or nil
	perTry    float64         // cost of a try in the probes
	solutions float64         // number of solutions that the probes predict
	promised  bool            // whether the search was ever expected to finish before the sweep

	hunt   *search.Hunt // the search in progress; nil before it begins
	effort search.Result
	hunted float64 // cost of the hunt so far
	over   bool
	shown  Progress
	report func(Progress)
}

// compileSpace compiles the search, if it fits in memory beside the sweep.
func (pl *planner) compileSpace(ctx context.Context) error {
	if pl.search.space != nil || pl.search.refused && pl.sweep != nil { // the sweep frees no memory
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
	pairCost   = 5e-8 // cost of pruning, for each pair of an item and an option
	pruneCost  = 0.05 // largest cost of pruning
	optionCost = 3e-6
	// symmetryCost is the cost per option of looking for symmetries.
	symmetryCost = 4e-6
	// chartCost is the cost of deciding whether the search has a small chart (see package search).
	chartCost = 1.5e-3
)

// probe makes a least number of probes. It makes more, up to the given cost, if they may improve
// the forecast. A search that does not fit in memory, or is too deep for a probe, gets no forecast.
func (pl *planner) probe(ctx context.Context, least int, cost float64) error {
	s := &pl.search
	if s.prober != nil && (pl.outOfReach() || least <= pl.fewProbes && cost < 2*s.probing) {
		return nil // the choice is clear, or so few new probes would not change the forecast
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

// searchForecast returns the forecast of a search whose cost rarely exceeds cost·most.
func (pl *planner) searchForecast(cost, most float64) *SearchForecast {
	tries := finite(cost / max(math.SmallestNonzeroFloat64, pl.search.perTry))
	return &SearchForecast{Seconds: cost / float64(pl.o.threads()), Tries: tries, cost: cost, most: most}
}

// foresee sets the plan's forecast of the search. It is the forecast from the probes until a better
// one is known: the cost of the hunt so far divided by the share of the tree that is done. The memo
// makes the tree smaller than the probes predict.
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
		if byShare < s.probed.cost { // the bound s.probed.most*s.probed.cost still holds
			most = min(most, s.probed.most*s.probed.cost/byShare)
		}
		pl.plan.Search = pl.searchForecast(byShare, most)
		pl.plan.Search.Tries = finite(float64(s.effort.Tries) * byShare / s.hunted)
	}
}

// huntMost is the factor by which a forecast from a part of the tree may be too low.
const huntMost = 3.0

// glimpse begins or continues the search between two levels of a sweep that counts. All
// glimpses together may cost as much as the first one (see glimpseCost), or 1/glimpseTurn of the
// sweep so far if that is more, but never more than 1/glimpseShare of the cost of the whole sweep.
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

// tryFor continues the search until it has cost at least 0.75·cost in all. Only one goroutine
// searches at a time, so that forecasts do not depend on the number of threads.
func (pl *planner) tryFor(ctx context.Context, cost float64) error {
	s := &pl.search
	for !s.over && s.hunted < 0.75*cost {
		rate := s.rate()
		if s.hunted == 0 { // assume that each of the first tries has a node
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
	// The first glimpse costs 1/glimpseFar of the rest of the sweep, but at most glimpseMost. It
	// costs at least glimpseCost, since a shorter search shows little.
	glimpseCost, glimpseMost, glimpseFar = 0.01, 0.05, 2000
	glimpseShare, glimpseTurn            = 100, 2
	// No glimpse is made if the rest of the search costs over farBehind times the sweep's rest.
	farBehind = 30
)

func finite(x float64) float64 { return min(x, math.MaxFloat64) }

// ofSearch returns the expected cost of the rest of the search. If the goal is a diagram, the cost
// includes the list of the solutions that the search finds.
func (pl *planner) ofSearch() float64 {
	return pl.plan.Search.cost - pl.search.hunted + pl.solution*pl.search.solutions
}

// cautious returns a cost that the rest of the search rarely exceeds.
func (pl *planner) cautious() float64 {
	f := pl.plan.Search
	return pl.ofSearch() + f.cost*(f.most-1)
}

// outOfReach reports whether the search is so slow that better probes would not change the choice.
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

func (s *searcher) rate() float64 {
	if s.hunted > 0 {
		return s.hunted / float64(s.effort.Tries)
	}
	return s.perTry
}

// spent sets the effort and the cost of the hunt so far. The cost of triesPerNode tries
// includes one node. A search with a memo may have more nodes. Each additional node costs nodeCost.
func (s *searcher) spent(r search.Result) {
	s.effort = r
	s.hunted = s.perTry*float64(r.Tries) + nodeCost*max(0, float64(r.Nodes)-float64(r.Tries)/triesPerNode)
}

const (
	nodeCost     = 1e-6
	triesPerNode = 4
)

// firstTurn returns the cost after which a search gives the sweep a turn. It is overrun times the
// expected cost of the search, but at most the cost of the rest of the sweep. It is at least
// pl.turn, at least twice the expected cost (if overrun ≥ 2), and at least 1/reach of the rest.
func (pl *planner) firstTurn(rest float64) float64 {
	f := pl.ofSearch()
	return max(pl.turn, min(2, pl.overrun)*f, min(pl.overrun*f, rest), rest/pl.reach)
}

// Listing selects the solutions that the function [Each] visits.
type Listing struct {
	// Group, if not empty, is a group of symmetries. [Each] visits only the solution of each class
	// whose ascending list of options is least.
	Group []cover.Symmetry
	// After, if not nil, is a solution. [Each] visits only the solutions that come after it.
	After []int
	// Number is the number of wanted solutions; 0 means all. It affects only the speed.
	Number uint64
	Memory int64 // limit in bytes; 0 means no limit
}

// Each calls yield with each solution of p until yield returns false. A solution is an ascending
// list of options in a reused slice. The order of the solutions depends only on p and the group.
// The error wraps cover.ErrInvalid if p or After is invalid, or cover.ErrMemory, or is the error of ctx.
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

// keptOptions limits the lists of solutions that are kept for parts: the number of solutions plus
// the number of their options. A part without a kept list is searched again for each pass.
const keptOptions = 1 << 20

func eachOfParts(ctx context.Context, p *cover.Problem, s *cover.Split, l Listing, yield func([]int) bool) error {
	if s.Impossible {
		return nil
	}
	canon, err := p.Canon(ctx, l.Group)
	if err != nil {
		return err
	}
	after := make([][]int, len(s.Parts)) // indexed by part
	if l.After != nil {
		if !p.IsSolution(l.After) {
			return fmt.Errorf("%w: the list cannot continue after the options %v, which are not a solution", cover.ErrInvalid, l.After)
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
	kept := make([][][]int, len(s.Parts)) // indexed by part; all solutions, or nil if not kept
	for k, part := range s.Parts {
		if len(part.Items) == 0 { // a solution may have its only option or not
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
			going = going && len(list) > 0 // if a part has no solution, p has none
		} else {
			room = before
		}
		return err
	}
	options, all := slices.Clone(s.Taken), []int{} // all is not nil, even if a solution has no options
	// each extends options by solutions of parts k, k+1, … If tight is set, it
	// skips solutions up to l.After.
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
