package sample

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"slices"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/limit"
)

// Method names a way to draw.
type Method string

// The methods. Auto leaves the choice to From.
const (
	Auto       Method = "auto"
	ByDiagram  Method = "diagram"  // a Diagram, or a Distinct of several
	ByWalk     Method = "walk"     // a Walk
	ByCoupling Method = "coupling" // a Coupled
)

// Methods are all values a Method may have, Auto first.
func Methods() []Method { return []Method{Auto, ByDiagram, ByWalk, ByCoupling} }

// ErrMethod is wrapped when a method is not one of Methods, or cannot draw what is
// asked for.
var ErrMethod = errors.New("unknown method")

// Request says what to draw. The zero value asks for solutions.
type Request struct {
	Method Method // "" is Auto
	// Group, if not empty, is a group of symmetries of the problem: then classes of
	// solutions under it are drawn, from diagrams.
	Group []cover.Symmetry
	// Weights, if not nil, are those of the options, nil for 1. Then a solution is drawn in
	// proportion to the product of its options' weights, and draws have no rank.
	Weights []*big.Rat
	// Unranked says that draws need no rank. Then Auto may take a coupling.
	Unranked bool
}

// Source is a Sampler with what it was made of.
type Source struct {
	Sampler
	Method Method // not Auto
	Reason string // why this method, to be read after "since"
	// Result is what it took so far. Of a walk and of a coupling it has no plan, and of a coupling no
	// Count, unless it is 0.
	Result *count.Result
	// Compiled is the diagram of all solutions; nil ByWalk, where draws have weights, and if
	// it is in a file.
	Compiled *count.Compiled
	Classes  *count.CompiledDistinct
	Weight   *big.Rat // of all solutions; nil if they have no weights

	all  *Diagram // of all solutions; nil ByWalk and where draws have weights
	walk *Walk    // nil but ByWalk
}

// Settle ends the progress that is told of a walk, see count.History.
func (s *Source) Settle() {
	if s.walk != nil {
		s.walk.history.Settle()
	}
}

// Telling is the source, but its draws by coupling tell before each run of the chains how many
// sweeps it takes. Calls of told do not overlap if those of Draws do not.
func (s *Source) Telling(told func(sweeps int64)) *Source {
	c, ok := s.Sampler.(*Coupled)
	if !ok {
		return s
	}
	telling, with := *s, *c
	with.told = told
	telling.Sampler = &with
	return &telling
}

// Bytes is the memory that the source holds, a bound of it for a walk.
func (s *Source) Bytes() int64 {
	if w, ok := s.Sampler.(*Weighted); ok {
		return w.Bytes()
	}
	switch {
	case s.walk != nil || s.Method == ByCoupling:
		return s.Result.Bytes
	case s.Classes == nil:
		return s.all.of.Bytes()
	}
	sum := int64(0)
	for _, c := range s.Classes.Classes {
		sum += c.Compiled.Diagram.Bytes() + c.Compiled.Counts.Bytes()
	}
	return sum
}

// ErrNoRank is wrapped where a rank is asked of a source whose draws have weights, or are made by
// coupling.
var ErrNoRank = errors.New("draws by weight or by coupling have no rank")

// hasRanks says whether its draws have ranks.
func (s *Source) hasRanks() bool { return s.Weight == nil && s.Method != ByCoupling }

// At is the solution of a rank among all solutions, as draws have it. The error wraps
// ErrRank if there is none, or ErrNoRank.
func (s *Source) At(ctx context.Context, rank *big.Int) (Draw, error) {
	if !s.hasRanks() {
		return Draw{}, ErrNoRank
	}
	if s.walk != nil {
		var d Draw
		err := s.walk.history.Unrank(ctx, []*big.Int{rank}, func(options []int) bool {
			d = Draw{rank, OfWalk, options}
			return true
		})
		return d, err
	}
	if err := ctx.Err(); err != nil {
		return Draw{}, err
	}
	set, err := s.all.Unrank(rank)
	d := Draw{rank, OfDiagram, s.all.named(set)}
	if s.Classes != nil {
		slices.Sort(d.Options)
	}
	return d, err
}

// AtEach are the solutions of ranks, in their order, as At finds them, but of levels many at
// once. The ranks are at least 0 and below Count.
func (s *Source) AtEach(ctx context.Context, of []*big.Int) iter.Seq2[Draw, error] {
	if s.walk != nil && s.Weight == nil {
		return s.walk.AtEach(ctx, of)
	}
	return func(yield func(Draw, error) bool) {
		for _, rank := range of {
			d, err := s.At(ctx, rank)
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// Rank is the rank of a solution among all, given as its options in any order, the inverse of
// At. The error wraps ErrMember if they are no solution, or ErrNoRank.
func (s *Source) Rank(ctx context.Context, options []int) (*big.Int, error) {
	if !s.hasRanks() {
		return nil, ErrNoRank
	}
	if s.walk != nil {
		return s.walk.history.Rank(ctx, options)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.all.rankOf(options)
}

// asked is the reason of a method that was asked for.
const asked = "it was asked for"

// From makes a source of a problem's solutions. Auto takes the walk where a diagram
// would be too large, see count.Rank, and, where a walk would be too long, a coupling if that
// can draw what is asked for. How many draws are wanted does not matter, so
// that a seed's first draws are the same however many follow. Errors are those of
// count.Count, count.Distinct and count.WholeWeights, or wrap ErrMethod.
func From(ctx context.Context, p *cover.Problem, r Request, o count.Options) (*Source, error) {
	switch m := r.Method; {
	case m != "" && !slices.Contains(Methods(), m):
		return nil, fmt.Errorf("%w %q, want one of %q", ErrMethod, m, Methods())
	case len(r.Group) > 0 && (m == ByWalk || m == ByCoupling):
		return nil, fmt.Errorf("%w to draw classes: %q, want %q", ErrMethod, m, ByDiagram)
	case len(r.Group) > 0 && r.Weights != nil:
		return nil, fmt.Errorf("%w to draw classes: by weight, want no weights", ErrMethod)
	case len(r.Group) > 0:
		return ofClasses(ctx, p, r.Group, o)
	case r.Weights != nil && m == ByCoupling:
		return nil, fmt.Errorf("%w to draw by weight: %q, want %q or %q",
			ErrMethod, m, ByDiagram, ByWalk)
	case r.Weights != nil:
		return byWeight(ctx, p, r, o)
	case m == ByCoupling:
		return byCoupling(ctx, p, o)
	case m == ByDiagram:
		c, err := count.Compile(ctx, p, o)
		if err != nil {
			return nil, err
		}
		return Of(c, asked), nil
	case m == ByWalk:
		h, err := count.Remember(ctx, p, o)
		if err != nil {
			return nil, err
		}
		return ofLevels(h, asked), nil
	}
	if r.Unranked {
		return unranked(ctx, p, o)
	}
	return ranked(ctx, p, o, nil)
}

func ofClasses(ctx context.Context, p *cover.Problem, group []cover.Symmetry, o count.Options) (*Source, error) {
	c, err := count.CompileDistinct(ctx, p, group, o)
	if err != nil {
		return nil, err
	}
	s := Of(c.Classes[0].Compiled, "classes are drawn from diagrams")
	s.Sampler, s.Classes = FromClasses(c), c
	return s, nil
}

// byWeight makes a source whose draws have weights.
func byWeight(ctx context.Context, p *cover.Problem, r Request, o count.Options) (*Source, error) {
	o.Weights = r.Weights
	o.Engine = map[Method]count.Engine{ByDiagram: count.Diagram, ByWalk: count.Sweep}[r.Method]
	c, err := count.Rank(ctx, p, o)
	if err != nil {
		return nil, err
	}
	reason := c.Reason
	if o.Engine != "" {
		reason = asked
	}
	if c.History != nil {
		return byWeightOfWays(ctx, p, c, reason, o)
	}
	return OfRanked(c, len(p.Options), reason), nil
}

// OfRanked is a source by a diagram with weights, of a problem with so many options.
func OfRanked(c *count.Ranked, options int, reason string) *Source {
	s := newWeighted(c, options)
	result := c.Compiled.Result // alone: the plain counts are of no use
	return &Source{Sampler: s, Method: ByDiagram, Reason: reason, Result: &result, Weight: c.Weight()}
}

// byWeightOfWays is byWeight of levels. These tell the weight of all solutions, but not their
// number, so that is counted too.
func byWeightOfWays(ctx context.Context, p *cover.Problem, c *count.Ranked, reason string, o count.Options) (*Source, error) {
	s := ofLevels(c.History, reason)
	o.Progress, o.Weights, o.Engine = nil, nil, ""
	o.Memory = limit.Left(o.Memory, s.Result.Bytes)
	plain, err := count.Count(ctx, p, count.Sweep, o)
	if err != nil {
		return nil, err
	}
	s.Result.Count, s.walk.solutions, s.Weight = plain.Count, plain.Count, c.Weight()
	return s, nil
}

// Of is a source by a diagram that was made before, for a reason to be read after "since".
func Of(c *count.Compiled, reason string) *Source {
	s := OfCounted(c.Diagram.With(c.Counts), c.Options, reason)
	s.Result, s.Compiled = &c.Result, c
	return s
}

// OfCounted is a source by a diagram that may lie in a file, see FromCounted.
func OfCounted(d bdd.Counted, options []int, reason string) *Source {
	all := FromCounted(d, options)
	r := &count.Result{Count: all.Count(), Engine: count.Diagram, Nodes: int64(d.Size()), Bytes: d.Bytes()}
	return &Source{Sampler: all, Method: ByDiagram, Reason: reason, Result: r, all: all}
}

func ofLevels(h *count.History, reason string) *Source {
	states, bytes := h.Effort()
	r := &count.Result{Count: h.Count(), Engine: count.Sweep, States: states, Bytes: bytes}
	w := FromLevels(h)
	return &Source{Sampler: w, Method: ByWalk, Reason: reason, Result: r, walk: w}
}
