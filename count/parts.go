package count

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math/big"
	"slices"
	"time"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/search"
)

// Covers of several parts. A problem is simplified and taken apart before any engine begins, see
// cover.Split, and each part is planned and counted by itself, equal parts once:
//
//	                    ┌─ part, 2056 options ─ plan ─ search ── 9356 ┐
//	problem ─ Split ─┬──┤                                             × 9356² · 2
//	                 │  └─ equal part                                 │
//	                 ├───── part, 1 option ──── plan ─ sweep ───── 2 ─┘
//	                 └───── options that all solutions have
//
// Numbers of solutions, ranks and weights of the parts are multiplied (Product), diagrams are
// joined (bdd.Join).

// PartResult is the result of equal parts of a problem.
type PartResult struct {
	Times   int // number of equal parts
	Items   int // of each part
	Options int // of each part
	Count   *big.Int
	Engine  Engine
}

// apart returns the split of a valid problem, or nil if the problem is one part, or unbalanced,
// which no part shows. Equal parts share a problem if share is set.
func apart(ctx context.Context, p *cover.Problem, share bool) (*cover.Split, error) {
	s, err := p.Split(ctx)
	if err != nil || s.IsWhole() || Unbalanced(p) {
		return nil, err
	}
	if share {
		err = s.ShareEqual(ctx)
	}
	return s, err
}

// wholePart returns a problem as its only part.
func wholePart(p *cover.Problem) cover.Part {
	part := cover.Part{Problem: p, Options: make([]int, len(p.Options))}
	for o := range part.Options {
		part.Options[o] = o
	}
	return part
}

// different yields the different problems of the parts, with the number of parts of each.
func different(s *cover.Split) iter.Seq2[*cover.Problem, int] {
	times := map[*cover.Problem]int{}
	for _, part := range s.Parts {
		times[part.Problem]++
	}
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

// joint is the result of a problem of several parts, to which the parts' results are added.
type joint struct {
	Result
	work   *work
	done   int // options of the parts so far
	all    int // options of the different parts
	within Options
}

func newJoint(s *cover.Split, e Engine, o Options) *joint {
	p := &joint{work: newWork(o.Progress), within: o}
	for q := range different(s) {
		p.all += len(q.Options)
	}
	p.Count, p.Engine = big.NewInt(1), e
	if e == "" || e == Auto {
		p.Engine = Sweep
		p.Plan = &Plan{Engine: Sweep, Reason: "the cover is simplified until every option is taken or left out"}
	}
	if s.Impossible {
		p.Count.SetInt64(0)
	}
	return p
}

// next returns the options for the work on the part q.
func (p *joint) next(q *cover.Problem) Options {
	p.done += len(q.Options)
	o := p.within
	o.Progress = p.work.part(float64(p.done)/float64(p.all), Progress{})
	return o
}

// add adds the result of equal parts. Engine and Plan are those of the part with the most
// options.
func (p *joint) add(q *cover.Problem, times int, r *Result) {
	if r.Count != nil {
		p.Count.Mul(p.Count, power(r.Count, times))
	}
	if len(p.Parts) == 0 || len(q.Options) > p.largest() {
		p.Engine, p.Plan = r.Engine, r.Plan
	}
	p.Parts = append(p.Parts, PartResult{times, len(q.Items), len(q.Options), r.Count, r.Engine})
	p.States += r.States
	p.Tries += r.Tries
	p.Nodes += r.Nodes
	p.Primes += r.Primes
	p.Products += r.Products
	p.Arcs += r.Arcs
	p.Disk += r.Disk
	p.Bytes = max(p.Bytes, r.Bytes)
}

func (p *joint) largest() (options int) {
	for _, part := range p.Parts {
		options = max(options, part.Options)
	}
	return options
}

// countParts counts the parts one after the other.
func countParts(ctx context.Context, s *cover.Split, e Engine, o Options) (*Result, error) {
	start, all := time.Now(), newJoint(s, e, o)
	for q, times := range different(s) {
		r, err := countPart(ctx, q, e, all.next(q))
		if err != nil {
			return nil, err
		}
		if all.add(q, times, r); all.Count.Sign() == 0 {
			break
		}
	}
	all.work.finish()
	if all.Plan != nil {
		plan := *all.Plan
		plan.Seconds = time.Since(start).Seconds()
		all.Plan = &plan
	}
	return &all.Result, nil
}

// compileParts compiles the parts and joins their diagrams.
func compileParts(ctx context.Context, p *cover.Problem, s *cover.Split, o Options) (*Compiled, error) {
	all := newJoint(s, Auto, o)
	of := map[*cover.Problem]*Compiled{}
	for q, times := range different(s) {
		c, err := compilePart(ctx, q, all.next(q))
		if err != nil {
			return nil, err
		}
		of[q] = c
		all.add(q, times, &c.Result)
	}
	return join(ctx, p, s, func(k int) *Compiled { return of[s.Parts[k].Problem] }, o, all.Result)
}

// join joins the diagrams of the parts of p; effort is the effort of making them.
func join(ctx context.Context, p *cover.Problem, s *cover.Split, part func(k int) *Compiled, o Options, effort Result) (*Compiled, error) {
	if s.Impossible {
		d, err := bdd.Empty(0)
		if err != nil {
			return nil, err
		}
		return compiled(ctx, p, d, nil, o, newWork(o.Progress), effort)
	}
	taken, err := bdd.NewList(len(s.Taken), bdd.Limits{})
	if err != nil {
		return nil, err
	}
	every := make([]int, len(s.Taken))
	for v := range every {
		every[v] = v
	}
	if err := taken.Add(every); err != nil {
		return nil, err
	}
	d, err := taken.Diagram(ctx)
	if err != nil {
		return nil, err
	}
	diagrams, options := []*bdd.Diagram{d}, append([]int{}, s.Taken...)
	for k := range s.Parts {
		c := part(k)
		diagrams = append(diagrams, c.Diagram)
		for _, v := range c.Options {
			options = append(options, s.Parts[k].Options[v])
		}
	}
	if d, err = bdd.Join(diagrams, bdd.Limits{Bytes: o.Memory}); err != nil {
		return nil, err
	}
	return compiled(ctx, p, d, options, o, newWork(o.Progress), effort)
}

// keptOptions is the largest number of options in the solutions of a part that a list keeps, for
// the next pass through the part: 8 MB. Without it, each pass would compile the search again.
const keptOptions = 1 << 20

// eachOfParts calls yield with the solutions of a problem of several parts, the solutions of the
// last part first.
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
			return fmt.Errorf("%w: options %v to go on after are not a solution", cover.ErrInvalid, l.After)
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
	kept := make([][][]int, len(s.Parts)) // by part: all solutions, nil if they are not kept
	going := true
	solutions := func(k int, after []int, yield func([]int) bool) error {
		if after == nil && kept[k] != nil {
			for _, solution := range kept[k] {
				if !yield(solution) {
					break
				}
			}
			return nil
		}
		list, room, whole := [][]int{}, keptOptions, after == nil
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
			going = len(list) > 0 // or else the whole has no solution
		}
		return err
	}
	var all []int
	// each visits the solutions that have the options so far, and if tight is set those behind
	// after.
	var each func(k int, tight bool, options []int) error
	each = func(k int, tight bool, options []int) error {
		if k == len(s.Parts) {
			if all = append(all[:0], options...); !tight {
				slices.Sort(all)
				going = len(l.Group) > 0 && !canon.IsLeast(all) || yield(all)
			}
			return nil
		}
		with := func(solution []int) []int {
			more := options[:len(options):len(options)]
			for _, index := range solution {
				more = append(more, s.Parts[k].Options[index])
			}
			return more
		}
		var from []int
		if tight {
			from = after[k]
			if err := each(k+1, true, with(from)); err != nil || !going {
				return err
			}
		}
		var below error
		err := solutions(k, from, func(solution []int) bool {
			below = each(k+1, false, with(solution))
			return below == nil && going
		})
		return cmp.Or(below, err)
	}
	return each(0, l.After != nil, s.Taken)
}
