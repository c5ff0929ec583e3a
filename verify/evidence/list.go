package evidence

import (
	"context"
	"errors"
	"math/big"
	"time"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/verify"
)

// ListCheck is what listing has shown.
type ListCheck struct {
	Solutions int64 // listed, each checked by its items
	Models    int64 // of them found by SAT; the others are images under symmetries
	Distinct  int64 // the least of their classes, with Options.Group
	InDiagram bool  // each is a member of the diagram of its own
	Elapsed   time.Duration
}

// list compares the set of all solutions that SAT finds with the diagram's.
func (v *verifier) list(ctx context.Context) error {
	m, err := v.members(ctx)
	if err != nil || v.Disagreement != "" {
		return err
	}
	l := &lister{verifier: v, members: m, check: &ListCheck{InDiagram: m != nil}}
	if len(v.o.Group) > 0 {
		if l.canon, err = v.problem.Canon(ctx, v.o.Group); err != nil {
			return err
		}
	}
	o := verify.Options{Threads: v.threads(), Memory: v.o.Count.Memory, Limit: v.o.Limit}
	if m != nil {
		o.Memory = limit.Left(o.Memory, 8*int64(len(m.met)))
	}
	if report := v.stage(Listing); report != nil {
		o.Progress = func(p verify.Progress) {
			report(count.Progress{Fraction: p.Fraction, Done: p.Solutions, Unit: count.Solutions})
		}
	}
	r, err := verify.Enumerate(ctx, v.problem, o, l.solution)
	v.Listing = l.check
	l.check.Models, l.check.Elapsed = r.Models, r.Elapsed
	if errors.Is(err, verify.ErrWrong) { // what was listed so far says nothing then
		v.differ("%v", err)
		return nil
	}
	switch {
	case v.Disagreement != "":
	case err == nil:
		l.conclude()
	case isLimit(err):
		v.leaveOpen("The solutions were not listed: %v.", err)
		return nil
	default:
		v.leaveOpen("The solver had listed %s.", plural(l.check.Solutions, "solution"))
	}
	return err
}

// members makes the diagram, to look solutions up in. It is nil if there is none
// within the limits.
func (v *verifier) members(ctx context.Context) (*members, error) {
	o := v.o.Count
	o.Progress = v.stage("compiling")
	c, err := count.Compile(ctx, v.problem, o)
	if isLimit(err) {
		v.leaveOpen("The set of solutions was not compared with a diagram: %v.", err)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	v.compareDiagram(c)
	most := int64(mostMarked)
	if o.Memory > 0 {
		most = min(most, o.Memory/4*8) // of which a quarter is for the marks
	}
	if n := c.Result.Count; !n.IsInt64() || n.Int64() > most {
		v.leaveOpen("The set of solutions was not compared with the diagram: of more than %d solutions not all can be marked.", most)
		return nil, nil
	}
	return &members{diagram: c, met: make([]uint64, c.Result.Count.Int64()/64+1)}, nil
}

// mostMarked is how many solutions are marked at most, by a bit each: a gigabyte,
// and two hours of dominoes.
const mostMarked = 1 << 33

// lister takes in what is listed.
type lister struct {
	*verifier
	*members
	check *ListCheck
	canon *cover.Canon
}

// solution takes one in, and returns false if it is one too many.
func (l *lister) solution(options []int, _ int) bool {
	if l.check.Solutions++; l.Result.Count.Cmp(big.NewInt(l.check.Solutions)) < 0 {
		l.differ("the engine %s counts %v, SAT lists more", l.Result.Engine, l.Result.Count)
		return false
	}
	if l.canon != nil && l.canon.IsLeast(options) {
		l.check.Distinct++
	}
	if l.members == nil {
		return true
	}
	switch known, again := l.meet(context.Background(), options); {
	case !known:
		l.differ("SAT finds a solution that the diagram has not: options %v", options)
	case again:
		l.differ("SAT lists a solution twice: options %v", options)
	}
	return l.Disagreement == ""
}

// conclude compares numbers once all is listed.
func (l *lister) conclude() {
	c := l.check
	if l.Result.Count.Cmp(big.NewInt(c.Solutions)) != 0 {
		l.differ("the engine %s counts %v, SAT lists %d", l.Result.Engine, l.Result.Count, c.Solutions)
		return
	}
	if l.Distinct != nil && l.Distinct.Cmp(big.NewInt(c.Distinct)) != 0 {
		l.differ("by Burnside's lemma there are %v classes, %d of the listed solutions are the least of theirs", l.Distinct, c.Distinct)
		return
	}
	l.confirm("A SAT solver lists as many solutions, and no more: %d, of %s, each checked by its cells and copies.", c.Solutions, plural(c.Models, "model"))
	if c.InDiagram && c.Solutions > 0 {
		l.establish("Each of these is in the decision diagram, and no two are alike: both are the same set.")
	}
	if l.Distinct != nil {
		l.comparedDistinct = true
		l.establish("%d of these are the least of their class: as many as Burnside's lemma gives.", c.Distinct)
	}
}

// members tells which solutions of a diagram have been met, by rank.
type members struct {
	diagram *count.Compiled
	met     []uint64
}

// meet reports whether the diagram has a solution, and whether it was met before.
func (m *members) meet(ctx context.Context, options []int) (known, again bool) {
	rank, err := m.diagram.Rank(ctx, options)
	if err != nil {
		return false, false
	}
	r := rank.Uint64()
	again = m.met[r/64]>>(r%64)&1 != 0
	m.met[r/64] |= 1 << (r % 64)
	return true, again
}
