package sample

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/limit"
)

// Method is the name of a method of drawing.
type Method string

// Auto lets From choose among the other methods.
const (
	Auto      = Method(count.Auto)
	ByDiagram = Method(count.Diagram) // from a diagram or, with Request.Group, from several
	BySweep   = Method(count.Sweep)   // backwards through the levels of a sweep
	// Methods for planar dimers, see count.DrawMethod.
	ByDimer     = Method(count.Fastest)
	ByShuffling = Method(count.Shuffling)
	ByTrees     = Method(count.Trees)
	ByCoupling  = Method(count.Coupling)

	ByDeterminants = Method(count.Determinants)
)

// Methods returns all values of Method, Auto first.
func Methods() []Method {
	return []Method{Auto, ByDiagram, BySweep, ByDimer, ByShuffling, ByTrees, ByCoupling, ByDeterminants}
}

// Matches reports whether the method draws from count.Matchings, so that draws have no ranks.
func (m Method) Matches() bool {
	return m == ByDimer || m == ByShuffling || m == ByTrees || m == ByCoupling || m == ByDeterminants
}

// ErrMethod is wrapped when a method is not in Methods, or cannot satisfy a Request.
var ErrMethod = errors.New("the method cannot draw")

// Request describes the draws. The zero value requests solutions with equal probability.
type Request struct {
	Method Method // "" means Auto
	// Group is a group of symmetries. If it is not empty, draws are classes of solutions.
	Group []cover.Symmetry
	// Weights, if not nil, has a weight for each option; a nil entry is 1. The probability of a
	// solution is proportional to the product of the weights of its options. Draws have no rank.
	Weights []*big.Rat
	// Unranked allows draws without a rank, so that Auto may use count.Matchings.
	Unranked bool
	// If Grow is true, each tiling of an Aztec diamond comes after smaller ones, from which it grew.
	Grow bool
}

// Source draws solutions, or classes of solutions.
type Source struct {
	Set    count.Set // all solutions, even if classes are drawn
	Method Method    // not Auto
	Reason string    // reason for the method, to be read after "since"
	// Result is the result of the counts for this source. For a sweep or count.Matchings, it has no
	// Plan. For count.Matchings, it has no Count, unless the count is 0.
	Result  *count.Result
	Classes *count.CompiledDistinct // nil unless classes are drawn
	Weight  *big.Rat                // total weight of all solutions; nil without weights
	Threads int                     // number of bundles made at the same time; 0 means one per core

	count *big.Int // number of solutions, or of classes; nil if unknown
	drawer
}

type drawer interface {
	// bundles yields n independent fair draws with replacement. They depend only on src. With the
	// same src, a larger n yields the same draws, and then more.
	bundles(ctx context.Context, src rand.Source, n uint64) iter.Seq[Bundle]
}

// Count returns the number of solutions or classes from which s draws, or nil if it is unknown.
func (s *Source) Count() *big.Int {
	if s.count == nil {
		return nil
	}
	return new(big.Int).Set(s.count)
}

// Check returns ErrEmpty if there is no solution to draw, for example if all weights are 0.
func (s *Source) Check() error {
	if s.count != nil && s.count.Sign() == 0 || s.Weight != nil && s.Weight.Sign() == 0 {
		return ErrEmpty
	}
	return nil
}

// Draws yields n independent fair draws with replacement, or none if there is no solution. With
// the same src, a larger n yields the same draws, and then more. An error ends the draws.
func (s *Source) Draws(ctx context.Context, src rand.Source, n uint64) iter.Seq2[Draw, error] {
	return s.each(ctx, s.Bundles(ctx, src, n))
}

// Bundles yields the draws of Draws in bundles, for Map.
func (s *Source) Bundles(ctx context.Context, src rand.Source, n uint64) iter.Seq[Bundle] {
	if s.Check() != nil {
		return func(func(Bundle) bool) {}
	}
	return s.bundles(ctx, src, n)
}

// Unique yields n fair draws without replacement: all sequences of n different draws are equally
// likely. With the same src, a larger n yields the same draws, and then more. If there are fewer
// than n solutions or classes, Unique yields only an error that wraps ErrTooMany. If the past draws
// need more than the given number of bytes, the error wraps cover.ErrMemory; 0 means no limit.
//
// Solutions that are drawn by rank follow a shuffle of the ranks. Other draws are repeated until
// they are new, which keeps the proportions among the remaining solutions. The error wraps
// ErrRepeats after too many repeats, for example if the remaining solutions have almost no weight.
func (s *Source) Unique(ctx context.Context, src rand.Source, n uint64, bytes int64) iter.Seq2[Draw, error] {
	return s.each(ctx, s.UniqueBundles(ctx, src, n, bytes))
}

// UniqueBundles yields the draws of Unique in bundles, for Map.
func (s *Source) UniqueBundles(ctx context.Context, src rand.Source, n uint64, bytes int64) iter.Seq[Bundle] {
	failed := func(err error) iter.Seq[Bundle] { return slices.Values([]Bundle{failed(err)}) }
	all := s.count
	if s.Check() != nil {
		all = new(big.Int)
	}
	if all != nil && new(big.Int).SetUint64(n).Cmp(all) > 0 {
		return failed(fmt.Errorf("%w: %d draws without replacement are requested, but only %v are possible", ErrTooMany, n, all))
	}
	if r, ok := s.drawer.(*ranked); ok && !r.weighted {
		ranks, err := newShuffle(src, r.ranks, r.width(), n, bytes)
		if err != nil {
			return failed(err)
		}
		return r.unranked(ctx, ranks, n)
	}
	repeats := mostRepeats
	if s.Classes != nil {
		repeats = 0 // no limit: every remaining class is drawn in the end
	}
	// First request n draws: often they are all different. Batches for more draws would be larger.
	draws := func(yield func(Bundle) bool) {
		for _, number := range [2]uint64{n, math.MaxUint64} {
			for b := range s.Bundles(ctx, src, number) {
				if !yield(b) {
					return
				}
			}
		}
	}
	return unseen(s.make(ctx, draws), n, bytes, repeats)
}

// Telling returns a source with the same draws. It calls told before each piece of work of
// count.Matchings, with the size and the unit of the piece. Goroutines may call told concurrently.
func (s *Source) Telling(told func(units int64, unit string)) *Source {
	telling := *s
	if m, ok := s.drawer.(*matched); ok {
		telling.drawer = &matched{m.parts, m.join, told}
	}
	return &telling
}

// Bytes returns the number of bytes that the source holds or, for a sweep, an upper bound.
func (s *Source) Bytes() int64 {
	if s.Classes == nil {
		return s.Set.Bytes()
	}
	sum := int64(0)
	for _, c := range s.Classes.Classes {
		sum += c.Compiled.Bytes()
	}
	return sum
}

const asked = "it was asked for"

// From returns a source of the solutions of a problem. Auto uses a sweep if a diagram would be too
// large, see count.Solve. It uses count.Matchings if the request allows it and a sweep would need
// too long. This choice does not depend on the number of draws. So a seed gives the same first
// draws, however many are requested. From returns errors of count.Count and count.Distinct, and
// errors that wrap count.ErrWeights or ErrMethod.
func From(ctx context.Context, p *cover.Problem, r Request, o count.Options) (*Source, error) {
	use := count.ForRanks
	o.Weights = r.Weights
	if r.Grow {
		r.Method = ByShuffling
	}
	switch m := r.Method; {
	case m != "" && !slices.Contains(Methods(), m):
		return nil, fmt.Errorf("%w: %q is not a method, expected one of the methods %q", ErrMethod, m, Methods())
	case len(r.Group) > 0 && (m == BySweep || m.Matches()):
		return nil, fmt.Errorf("%w: %q cannot draw classes, expected the method %q", ErrMethod, m, ByDiagram)
	case len(r.Group) > 0 && r.Weights != nil:
		return nil, fmt.Errorf("%w: no method draws classes by weight, expected classes without weights", ErrMethod)
	case len(r.Group) > 0:
		c, err := count.CompileDistinct(ctx, p, r.Group, o)
		if err != nil {
			return nil, err
		}
		s := Of(c.Classes[0].Compiled, "classes are drawn from diagrams")
		s.drawer, s.Classes, s.count, s.Threads = newDistinct(c), c, c.Count, o.Threads
		return s, nil
	case r.Weights != nil && (m == ByTrees || m == ByCoupling):
		return nil, fmt.Errorf("%w: %q cannot draw by weight, expected one of the methods %q",
			ErrMethod, m, []Method{ByDiagram, BySweep, ByDimer, ByShuffling, ByDeterminants})
	case m.Matches():
		c, err := count.Match(ctx, p, count.DrawMethod(m), o)
		if err != nil {
			return nil, err
		}
		s := OfMatchings(c, c.Reason, o)
		if r.Grow && s.Check() == nil {
			g, err := c.Growth()
			if err != nil {
				return nil, err
			}
			s.drawer = &grown{g}
		}
		return s, nil
	case r.Unranked:
		use = count.ForDraws
	}
	o.Engine = map[Method]count.Engine{ByDiagram: count.Diagram, BySweep: count.Sweep}[r.Method]
	set, reason, err := count.Solve(ctx, p, use, o)
	if err != nil {
		return nil, err
	}
	if o.Engine != "" {
		reason = asked
	}
	if c, ok := set.(*count.Matchings); ok {
		return OfMatchings(c, reason, o), nil
	}
	s := Of(set, reason)
	if r.Weights != nil {
		s = OfWeighted(set, reason)
	}
	s.Threads = o.Threads
	if p, ok := set.(*count.Product); ok && p.Uncounted() != nil {
		s.drawer, s.Method = &matched{parts: p.Parts, join: p.Join}, methodOf(p.Uncounted())
		return s, nil
	}
	if r.Weights == nil {
		return s, nil
	}
	if s.Result.Count == nil { // a sweep with weights does not count the solutions
		o.Watch, o.Weights, o.Engine = count.Watch{}, nil, ""
		o.Memory = limit.Left(o.Memory, s.Result.Bytes)
		plain, err := count.Count(ctx, p, count.Sweep, o)
		if err != nil {
			return nil, err
		}
		s.Result.Count, s.count = plain.Count, plain.Count
	}
	return s, nil
}

// FromPairs returns the source that From returns if draws need no ranks. But if this source would
// not use count.Matchings for the whole board, FromPairs returns nil. See count.ReadPairs.
func FromPairs(ctx context.Context, places, options [][2]int32, method Method, o count.Options) (*Source, error) {
	p, err := count.ReadPairs(ctx, places, options, o)
	auto := method == "" || method == Auto
	if p == nil || auto && !p.Preferred() {
		return nil, err
	}
	if !auto {
		m, err := p.Match(ctx, count.DrawMethod(method), o)
		if err != nil {
			return nil, err
		}
		return OfMatchings(m, m.Reason, o), nil
	}
	m, err := p.Match(ctx, count.Fastest, o)
	if err != nil {
		return nil, err
	}
	return OfMatchings(m, p.Because(m), o), nil
}

func methodOf(all []*count.Matchings) Method {
	for _, m := range all {
		if m.Forecast.Method != all[0].Forecast.Method {
			return ByDimer
		}
	}
	return Method(all[0].Forecast.Method)
}

// Of returns the source of a diagram or of levels. The reason is to be read after "since".
func Of(set count.Set, reason string) *Source {
	s := &Source{
		drawer: &ranked{set: set, ranks: set.Ranks()}, count: set.Count(),
		Set: set, Method: ByDiagram, Reason: reason, Result: set.Report(),
	}
	if s.Result.Engine == count.Sweep {
		s.Method = BySweep
	}
	return s
}

// OfWeighted returns the source of a diagram or of levels with weights.
func OfWeighted(set count.Set, reason string) *Source {
	s := Of(set, reason)
	s.drawer, s.Weight = &ranked{set: set, ranks: set.Ranks(), weighted: true}, set.Weight()
	return s
}

// OfMatchings returns the source of matchings. The reason is to be read after "since".
func OfMatchings(m *count.Matchings, reason string, o count.Options) *Source {
	alone := func(of [][]int) []int { return of[0] }
	return &Source{
		drawer: &matched{parts: []count.Set{m}, join: alone}, count: m.Count(), Weight: m.Weight(), Threads: o.Threads,
		Set: m, Method: Method(m.Forecast.Method), Reason: reason, Result: m.Report(),
	}
}
