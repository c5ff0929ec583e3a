package evidence

import (
	"context"
	"errors"
	"math/big"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/verify"
)

// ListCheck is the result of listing.
type ListCheck struct {
	Solutions int64   `json:"tilings"` // number of listed solutions, each of which was checked
	Models    int64   `json:"models" doc:"solutions that the solver found; the others are images of these"`
	Distinct  int64   `json:"distinct,omitempty"` // number of classes, if Options.Group is set
	InDiagram bool    `json:"in_diagram"`         // whether each solution is a different member of the diagram
	Seconds   float64 `json:"seconds"`
	Rate      float64 `json:"models_per_second"`
}

func (v *verifier) list(ctx context.Context) error {
	l := &lister{verifier: v, check: &ListCheck{}}
	if err := l.compile(ctx); err != nil {
		return err
	}
	if len(v.o.Group) > 0 {
		var err error
		if l.canon, err = v.problem.Canon(ctx, v.o.Group); err != nil {
			return err
		}
	}
	o := verify.Options{Threads: v.threads(), Memory: v.o.Count.Memory, Limit: v.o.Limit}
	if l.diagram != nil {
		o.Memory = limit.Left(o.Memory, 8*int64(len(l.met)))
	}
	if report := v.stage(listing); report != nil {
		o.Progress = func(p verify.Progress) {
			report(count.Progress{Fraction: p.Fraction, Done: p.Solutions, Unit: "solutions"})
		}
	}
	r, err := verify.Enumerate(ctx, v.problem, o, l.solution)
	v.Listing = l.check
	l.check.Models, l.check.Seconds = r.Models, r.Elapsed.Seconds()
	l.check.Rate = float64(r.Models) / max(l.check.Seconds, 1e-9)
	switch {
	case l.wrong != nil:
		return l.wrong
	case errors.Is(err, verify.ErrWrong): // then the solutions listed so far prove nothing
		return differ("%v", err)
	case err != nil:
		if !isLimit(err) {
			v.leaveOpen("The solver had listed %s when it stopped.", wording.Plural(l.check.Solutions, "solution"))
		}
		return v.leaveOut("The solutions were not listed", err)
	}
	c := l.check
	if v.Result.Count.Cmp(big.NewInt(c.Solutions)) != 0 {
		return differ("the engine %s counts %v, a SAT solver lists %d", v.Result.Engine, v.Result.Count, c.Solutions)
	}
	if v.Distinct != nil && v.Distinct.Cmp(big.NewInt(c.Distinct)) != 0 {
		return differ("by Burnside's lemma there are %v classes, but %d of the listed solutions are the least of their class", v.Distinct, c.Distinct)
	}
	v.confirm("A SAT solver lists the same number of solutions, %d, from %s. The cells and copies of each solution are right.", c.Solutions, wording.Plural(c.Models, "model"))
	if c.InDiagram && c.Solutions > 0 {
		v.establish("Each of these solutions is in the decision diagram, and no two are equal: both methods found the same set.")
	}
	if v.Distinct != nil {
		v.comparedDistinct = true
		v.establish("%d of these solutions are the least of their class, as many as Burnside's lemma gives.", c.Distinct)
	}
	return nil
}

type lister struct {
	*verifier
	check   *ListCheck
	canon   *cover.Canon    // nil without Options.Group
	diagram *count.Compiled // to look solutions up; nil if no diagram fits the limits
	met     []uint64        // a bit for each solution of the diagram, indexed by rank
	wrong   error           // a disagreement
}

// mostMarked is the largest number of solutions to mark. The marks need 1 GiB; listing this number
// of solutions takes two hours for dominoes.
const mostMarked = 1 << 33

func (l *lister) compile(ctx context.Context) error {
	o := l.o.Count
	o.Progress = l.stage("compiling")
	c, err := count.Compile(ctx, l.problem, o)
	if err != nil {
		return l.leaveOut("The set of solutions was not compared with a diagram", err)
	}
	if err := l.compareDiagram(c); err != nil {
		return err
	}
	most := int64(mostMarked)
	if o.Memory > 0 {
		most = min(most, o.Memory/4*8) // a quarter of the memory is for the marks
	}
	if n := c.Result.Count; !n.IsInt64() || n.Int64() > most {
		l.leaveOpen("The set of solutions was not compared with the diagram: there are more than %d solutions, too many to mark each of them.", most)
		return nil
	}
	l.check.InDiagram, l.diagram, l.met = true, c, make([]uint64, c.Result.Count.Int64()/64+1)
	return nil
}

func (l *lister) solution(options []int, _ int) bool {
	if l.check.Solutions++; l.Result.Count.Cmp(big.NewInt(l.check.Solutions)) < 0 {
		l.wrong = differ("the engine %s counts %v, a SAT solver lists more", l.Result.Engine, l.Result.Count)
		return false
	}
	if l.canon != nil && l.canon.IsLeast(options) {
		l.check.Distinct++
	}
	if l.diagram == nil {
		return true
	}
	rank, err := l.diagram.Rank(context.Background(), options)
	if err != nil {
		l.wrong = differ("a SAT solver finds a solution that is not in the decision diagram: options %v", options)
		return false
	}
	r := rank.Uint64()
	bit := uint64(1) << (r % 64)
	if l.met[r/64]&bit != 0 {
		l.wrong = differ("a SAT solver lists a solution twice: options %v", options)
		return false
	}
	l.met[r/64] |= bit
	return true
}
