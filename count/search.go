package count

import (
	"context"
	"fmt"
	"math/big"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/search"
)

// searched counts by depth-first search.
func searched(ctx context.Context, p *cover.Problem, o Options) (*Result, error) {
	if Unbalanced(p) {
		return &Result{Count: new(big.Int), Engine: Search}, nil
	}
	s, err := space(ctx, p, o)
	if err != nil {
		return nil, err
	}
	r, err := s.Count(ctx, searchOptions(o, Tries))
	if err != nil {
		return nil, err
	}
	return searchResult(s, r, o), nil
}

// space compiles p for searching, if the walkers' matrices fit the memory.
func space(ctx context.Context, p *cover.Problem, o Options) (*search.Space, error) {
	s, err := search.Compile(ctx, p)
	if err != nil {
		return nil, err
	}
	if need := s.Bytes(o.threads()); o.Memory > 0 && need > o.Memory {
		return nil, fmt.Errorf("%w: the search needs %d bytes, %d are allowed",
			ErrMemory, need, o.Memory)
	}
	return s, nil
}

func searchResult(s *search.Space, r search.Result, o Options) *Result {
	return &Result{Count: r.Count, Engine: Search, States: r.Nodes, Tries: r.Tries, Bytes: s.Bytes(o.threads())}
}

// searchOptions tell the work in Tries, or its partial covers as States.
func searchOptions(o Options, unit Unit) search.Options {
	so := search.Options{Threads: o.threads()}
	if o.Progress != nil {
		so.Progress = func(share float64, nodes, tries int64) {
			p := Progress{Fraction: share, Done: tries, Unit: Tries}
			if unit == States {
				p.Done, p.Unit = nodes, States
			}
			o.Progress(p)
		}
	}
	return so
}

// Listing says which solutions Each visits.
type Listing struct {
	// Group, if not empty, is a group of symmetries of the problem; of each
	// class of solutions under it only the one is visited whose ascending list
	// of options is least.
	Group []cover.Symmetry
	// After, if not nil, is a solution; what comes behind it is visited.
	After []int
	// Number is how many are wanted, 0 if all are: it says how to find them, and ends
	// nothing.
	Number uint64
	Memory int64 // bytes; 0: no limit
}

// Each calls yield with solutions of p, each an ascending list of options, one
// after another in an order that depends on p and the group alone, until yield
// returns false. The list is reused. Errors wrap cover.ErrInvalid, also for an
// After that is no solution, ErrMemory, or are ctx's.
func Each(ctx context.Context, p *cover.Problem, l Listing, yield func(options []int) bool) error {
	if err := p.Check(ctx); err != nil {
		return err
	}
	if Unbalanced(p) {
		return nil
	}
	return search.Each(ctx, p, search.Listing(l), yield)
}
