package count

import (
	"context"
	"iter"
	"math/big"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/limit"
)

// A problem is split into parts before any engine begins, see cover.Split.
// Each part has a plan, and equal parts are counted once:
//
//	                    ┌─ part, 2056 options ─ plan ─ search ── 9356 ┐
//	problem ─ Split ─┬──┤                                             ├─ product 9356 · 9356 · 2
//	                 │  └─ equal part                                 │
//	                 ├───── part, 1 option ──── plan ─ sweep ───── 2 ─┘
//	                 └───── options that all solutions have
//
// The counts and weights of the parts are multiplied. The rank of a solution has the ranks in the
// parts as digits, see Product. The diagrams of the parts are joined by bdd.Join.

// apart returns the split of a valid problem. If share is set, equal parts share a problem. It
// returns nil for a problem of one part, and for an unbalanced problem, whose parts may be
// balanced. It returns nil for Dimer, since an option of a simplified problem may cover only one
// cell.
func apart(ctx context.Context, p *cover.Problem, e Engine, share bool) (*cover.Split, error) {
	if e == Dimer {
		return nil, nil
	}
	s, err := p.Split(ctx)
	if err != nil || s.IsWhole() || Unbalanced(p) {
		return nil, err
	}
	if share {
		err = s.ShareEqual(ctx)
	}
	return s, err
}

func wholePart(p *cover.Problem) cover.Part {
	part := cover.Part{Problem: p, Options: make([]int, len(p.Options))}
	for o := range part.Options {
		part.Options[o] = o
	}
	return part
}

func timesOf(s *cover.Split) map[*cover.Problem]int {
	times := map[*cover.Problem]int{}
	for _, part := range s.Parts {
		times[part.Problem]++
	}
	return times
}

func different(s *cover.Split) iter.Seq2[*cover.Problem, int] {
	times := timesOf(s)
	return func(yield func(*cover.Problem, int) bool) {
		met := map[*cover.Problem]bool{}
		for _, part := range s.Parts {
			if !met[part.Problem] && !yield(part.Problem, times[part.Problem]) {
				return
			}
			met[part.Problem] = true
		}
	}
}

type joint struct {
	Result
	work    *work
	done    int // number of options of the finished parts, where equal parts count once
	all     int // number of options of all parts, where equal parts count once
	largest int // number of options of the largest part so far, or -1
	given   Options
	seconds float64
}

func newJoint(s *cover.Split, e Engine, o Options) *joint {
	p := &joint{work: newWork(o.Progress), largest: -1, given: o}
	for q := range different(s) {
		p.all += len(q.Options)
	}
	p.Count, p.Engine = big.NewInt(1), e
	if e == "" || e == Auto {
		p.Engine = Sweep
		p.Plan = &Plan{Engine: Sweep, Reason: "the simplification of the cover decides every option"}
	}
	if s.Impossible {
		p.Count.SetInt64(0)
	}
	return p
}

func (p *joint) next(q *cover.Problem) Options {
	p.done += len(q.Options)
	o := p.given
	o.Progress = p.work.part(float64(p.done)/float64(p.all), Progress{})
	return o
}

func (p *joint) within(q *cover.Problem, held int64) Options {
	o := p.next(q)
	o.Memory = limit.Left(o.Memory, held)
	return o
}

// add adds the result of equal parts. Engine and Plan are from the part with the most options.
func (p *joint) add(q *cover.Problem, times int, r *Result) {
	if r.Count != nil {
		p.Count.Mul(p.Count, power(r.Count, times))
	}
	if len(q.Options) > p.largest {
		p.largest, p.Engine, p.Plan = len(q.Options), r.Engine, r.Plan
	}
	p.Parts = append(p.Parts, PartResult{times, len(q.Items), len(q.Options), r.Count, r.Engine})
	if r.Plan != nil {
		p.seconds += r.Plan.Seconds
	}
	p.States += r.States
	p.Tries += r.Tries
	p.Nodes += r.Nodes
	p.Primes += r.Primes
	p.Products += r.Products
	p.Arcs += r.Arcs
	p.Disk += r.Disk
	p.Bytes = max(p.Bytes, r.Bytes)
}

// newSweeperOfParts returns one sweep through all parts in turn, since a checkpoint has one level.
// Equal parts are swept, too. Between two parts the level has a single state.
func newSweeperOfParts(ctx context.Context, p *cover.Problem, o Options) (*sweeper, error) {
	s, err := apart(ctx, p, Sweep, false)
	switch {
	case err != nil:
		return nil, err
	case s == nil:
		return newSweeper(ctx, p, o, false)
	case s.Impossible:
		return &sweeper{}, nil
	}
	all := &cover.Problem{Colours: p.Colours, Orders: [][]int{nil}}
	for _, part := range s.Parts {
		a, err := inBestOrder(ctx, part.Problem, o)
		if err != nil || a == nil {
			return &sweeper{}, err
		}
		shift := len(all.Items)
		all.Items = append(all.Items, part.Problem.Items...)
		for _, option := range part.Problem.Options {
			option = slices.Clone(option)
			for k := range option {
				option[k].Item += shift
			}
			all.Options = append(all.Options, option)
		}
		for _, i := range a.ItemOrder() {
			all.Orders[0] = append(all.Orders[0], shift+i)
		}
	}
	return newSweeper(ctx, all, o, true)
}
