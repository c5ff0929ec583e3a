package sample

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/limit"
)

// Method names a way to draw.
type Method string

// The methods. Auto leaves the choice to From.
const (
	Auto       Method = "auto"
	ByDiagram  Method = "diagram"  // from a diagram, or from several for classes
	ByWalk     Method = "walk"     // back through the levels of a sweep
	ByCoupling Method = "coupling" // planar dimers, by coupling from the past
)

// Methods are all values a Method may have, Auto first.
func Methods() []Method { return []Method{Auto, ByDiagram, ByWalk, ByCoupling} }

// ErrNotDimers is wrapped where draws by coupling are asked for and the problem is none of planar
// dimers. The error says in a line why.
var ErrNotDimers = count.ErrNotDimers

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
	Set    count.Set // of all solutions, not only of classes
	Method Method    // not Auto
	Reason string    // why this method, to be read after "since"
	// Result is what it took so far. Of a walk and of a coupling it has no plan, and of a coupling no
	// Count, unless it is 0.
	Result  *count.Result
	Classes *count.CompiledDistinct // nil unless classes are drawn
	Weight  *big.Rat                // of all solutions; nil if they have no weights
}

// Telling is the source, but its draws by coupling tell before each run of the chains how many
// sweeps it takes. Calls of told do not overlap if those of Draws do not.
func (s *Source) Telling(told func(sweeps int64)) *Source {
	c, ok := s.Sampler.(*coupled)
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
	if s.Classes == nil {
		return s.Set.Bytes()
	}
	sum := int64(0)
	for _, c := range s.Classes.Classes {
		sum += c.Compiled.Bytes()
	}
	return sum
}

// asked is the reason of a method that was asked for.
const asked = "it was asked for"

// From makes a source of a problem's solutions. Auto takes the walk where a diagram
// would be too large, see count.Solve, and, where a walk would be too long, a coupling if that
// can draw what is asked for. How many draws are wanted does not matter, so
// that a seed's first draws are the same however many follow. Errors are those of
// count.Count and count.Distinct, or wrap count.ErrWeights or ErrMethod.
func From(ctx context.Context, p *cover.Problem, r Request, o count.Options) (*Source, error) {
	use := count.ForRanks
	switch m := r.Method; {
	case m != "" && !slices.Contains(Methods(), m):
		return nil, fmt.Errorf("%w %q, want one of %q", ErrMethod, m, Methods())
	case len(r.Group) > 0 && (m == ByWalk || m == ByCoupling):
		return nil, fmt.Errorf("%w to draw classes: %q, want %q", ErrMethod, m, ByDiagram)
	case len(r.Group) > 0 && r.Weights != nil:
		return nil, fmt.Errorf("%w to draw classes: by weight, want no weights", ErrMethod)
	case len(r.Group) > 0:
		c, err := count.CompileDistinct(ctx, p, r.Group, o)
		if err != nil {
			return nil, err
		}
		s := Of(c.Classes[0].Compiled, "classes are drawn from diagrams")
		s.Sampler, s.Classes = newDistinct(c), c
		return s, nil
	case r.Weights != nil && m == ByCoupling:
		return nil, fmt.Errorf("%w to draw by weight: %q, want %q or %q",
			ErrMethod, m, ByDiagram, ByWalk)
	case m == ByCoupling:
		c, err := count.Couple(ctx, p, o)
		if err != nil {
			return nil, err
		}
		return ofCoupling(c, asked, o), nil
	case r.Unranked:
		use = count.ForDraws
	}
	o.Weights = r.Weights
	o.Engine = map[Method]count.Engine{ByDiagram: count.Diagram, ByWalk: count.Sweep}[r.Method]
	set, reason, err := count.Solve(ctx, p, use, o)
	if err != nil {
		return nil, err
	}
	if o.Engine != "" {
		reason = asked
	}
	if c, ok := set.(*count.Coupling); ok {
		return ofCoupling(c, reason, o), nil
	}
	if r.Weights == nil {
		return Of(set, reason), nil
	}
	s := OfWeighted(set, reason)
	if s.Result.Count == nil { // levels have the weight of all solutions, but not their number
		o.Progress, o.Weights, o.Engine = nil, nil, ""
		o.Memory = limit.Left(o.Memory, s.Result.Bytes)
		plain, err := count.Count(ctx, p, count.Sweep, o)
		if err != nil {
			return nil, err
		}
		s.Result.Count, s.Sampler = plain.Count, newRanked(set, plain.Count, true)
	}
	return s, nil
}

// Of is a source by a diagram or by levels, for a reason to be read after "since".
func Of(set count.Set, reason string) *Source {
	s := &Source{Sampler: newRanked(set, set.Count(), false), Set: set, Method: ByDiagram, Reason: reason, Result: set.Report()}
	if s.Result.Engine == count.Sweep {
		s.Method = ByWalk
	}
	return s
}

// OfWeighted is a source by a diagram or by levels with weights.
func OfWeighted(set count.Set, reason string) *Source {
	s := Of(set, reason)
	s.Sampler, s.Weight = newRanked(set, set.Count(), true), set.Weight()
	return s
}

func ofCoupling(c *count.Coupling, reason string, o count.Options) *Source {
	return &Source{Sampler: &coupled{Coupling: c, threads: max(1, o.Threads)}, Set: c, Method: ByCoupling, Reason: reason, Result: c.Report()}
}
