package count

import (
	"context"
	"fmt"
	"iter"
	"math/big"
	"slices"

	"github.com/pavage/pavage/cover"
)

// Product is the set of all solutions of a problem of several parts, of which at least one has no
// diagram. A rank is a number in mixed radix. Its digits are the ranks of the parts' solutions, the
// first part first.
type Product struct {
	unanswered
	productSums
	Parts []Set // equal parts may share a Set

	partOf []int // indexed by option; the index of its part, or one of the constants taken and absent
	index  []int // indexed by option; the index of the option in its part
	report Result
}

// Values of Product.partOf for options of no part.
const (
	taken  = -1 // all solutions have the option
	absent = -2 // no solution has the option
)

type productSums struct {
	split  *cover.Split
	parts  []Sums
	factor *big.Rat // weight of the taken options / wholeWeights.Scale; 0 if there is no solution
	n      int      // number of options of the problem
}

func (w *wholeWeights) part(of cover.Part) *wholeWeights {
	options, _ := slices.BinarySearch(of.Options, w.options)
	q := &wholeWeights{Problem: of.Problem, options: options, Scale: big.NewInt(1)}
	if w.Weights == nil {
		q.options = len(of.Options)
		return q
	}
	q.Weights = make([]*big.Int, len(of.Options))
	for k, o := range of.Options {
		q.Weights[k] = w.Weights[o]
	}
	return q
}

func solveParts(ctx context.Context, w *wholeWeights, s *cover.Split, use Use, o Options) (Set, string, error) {
	all := newJoint(s, o.Engine, o)
	diagrams := o.Engine == "" || o.Engine == Auto || o.Engine == Diagram
	sets, reason := make([]Set, len(s.Parts)), "the simplification of the cover decides every option"
	made, times, held := map[*cover.Problem]int{}, timesOf(s), int64(0)
	for k, part := range s.Parts {
		if first, equal := made[part.Problem]; equal {
			sets[k] = sets[first]
			continue
		}
		made[part.Problem] = k
		of := all.within(part.Problem, held)
		of.Weights = nil
		if o.Weights != nil {
			of.Weights = make([]*big.Rat, len(part.Options)) // nil for slack options
			for k, option := range part.Options {
				if option < w.options {
					of.Weights[k] = o.Weights[option]
				}
			}
		}
		set, why, err := solvePart(ctx, part.Problem, w.part(part), use, of)
		if err != nil {
			return nil, "", err
		}
		if len(part.Options) > all.largest {
			reason = why
		}
		all.add(part.Problem, times[part.Problem], set.Report())
		held += set.Bytes()
		_, is := set.(*Compiled)
		sets[k], diagrams = set, diagrams && is
	}
	if diagrams {
		c, err := join(ctx, w.Problem, s, func(k int) *Compiled { return sets[k].(*Compiled) }, o, all.Result)
		if err != nil || w.Weights == nil {
			return c, reason, err
		}
		weighed, err := c.weigh(ctx, w, o.Memory)
		return weighed, reason, err
	}
	return newProduct(w, s, sets, all.Result), reason, nil
}

func newProduct(w *wholeWeights, s *cover.Split, sets []Set, report Result) *Product {
	p := &Product{
		Parts: sets, report: report, partOf: slices.Repeat([]int{absent}, w.options), index: make([]int, w.options),
		productSums: productSums{split: s, factor: new(big.Rat).SetFrac(big.NewInt(1), w.Scale), n: w.options},
	}
	if s.Impossible {
		p.factor.SetInt64(0)
	}
	for _, o := range s.Taken {
		if o < w.options {
			p.partOf[o] = taken
		}
		if w.Weights != nil && w.Weights[o] != nil {
			p.factor.Mul(p.factor, new(big.Rat).SetInt(w.Weights[o]))
		}
	}
	for k, part := range s.Parts {
		p.parts = append(p.parts, sets[k])
		for index, o := range part.Options {
			if o < w.options {
				p.partOf[o], p.index[o] = k, index
			}
		}
		if sets[k].Report().Engine == Sweep {
			p.report.Engine = Sweep
		}
	}
	p.report.Count, p.report.Bytes = p.Count(), p.Bytes()
	return p
}

func (p *Product) Weight() *big.Rat { return p.productSums.Weight() }

func (p *Product) Marginals(ctx context.Context) (*Marginals, error) {
	return p.productSums.Marginals(ctx)
}

// Weight returns 0 if some part has the weight 0, even if the weight of another is unknown.
func (s *productSums) Weight() *big.Rat {
	w, known := new(big.Rat).Set(s.factor), true
	for _, part := range s.parts {
		if of := part.Weight(); of == nil {
			known = false
		} else {
			w.Mul(w, of)
		}
	}
	if !known && w.Sign() != 0 {
		return nil
	}
	return w
}

func (s *productSums) Marginals(ctx context.Context) (*Marginals, error) {
	total := s.Weight()
	if total == nil {
		return nil, ErrUnanswered
	}
	m := &Marginals{Total: total, Of: make([]*big.Rat, s.n)}
	for o := range m.Of {
		m.Of[o] = new(big.Rat)
	}
	if total.Sign() == 0 {
		return m, nil
	}
	for _, o := range s.split.Taken {
		if o < s.n {
			m.Of[o].Set(total)
		}
	}
	type share struct {
		*Marginals
		others *big.Rat // product of the weights of the other parts
	}
	shares := map[Sums]share{} // equal parts have equal marginals
	for k, part := range s.parts {
		of, known := shares[part]
		if !known {
			marginals, err := part.Marginals(ctx)
			if err != nil {
				return nil, err
			}
			of = share{marginals, new(big.Rat).Quo(total, marginals.Total)}
			shares[part] = of
		}
		for index, x := range of.Of {
			m.Of[s.split.Parts[k].Options[index]].Mul(x, of.others)
		}
	}
	return m, nil
}

// Count returns 0 if some part has no solution, even if the count of another is unknown.
func (p *Product) Count() *big.Int {
	n, known := big.NewInt(1), true
	if p.split.Impossible {
		n.SetInt64(0)
	}
	for _, part := range p.Parts {
		if of := part.Count(); of != nil {
			n.Mul(n, of)
		} else {
			known = false
		}
	}
	if !known && n.Sign() > 0 {
		return nil
	}
	return n
}

// Uncounted returns the parts that are Matchings. If there are any, solutions have no ranks.
func (p *Product) Uncounted() (parts []*Matchings) {
	for _, part := range p.Parts {
		if m, is := part.(*Matchings); is {
			parts = append(parts, m)
		}
	}
	return parts
}

// Join returns the solution that consists of a solution of each part, as ascending options.
func (p *Product) Join(of [][]int) []int {
	options := slices.Clone(p.split.Taken)
	for k, part := range of {
		for _, index := range part {
			options = append(options, p.split.Parts[k].Options[index])
		}
	}
	slices.Sort(options)
	return options
}

// Without recomputes the sums of the parts that have some of the options.
func (p *Product) Without(ctx context.Context, options []int) (Sums, error) {
	less := p.productSums
	less.parts = slices.Clone(p.parts)
	less.factor = new(big.Rat).Set(p.factor)
	of := make([][]int, len(p.Parts))
	for _, o := range options {
		switch {
		case o < 0 || o >= p.n:
			return nil, fmt.Errorf("%w: option %d, expected 0 ≤ option < %d", ErrMember, o, p.n)
		case p.partOf[o] == taken:
			less.factor.SetInt64(0)
		case p.partOf[o] != absent:
			of[p.partOf[o]] = append(of[p.partOf[o]], p.index[o])
		}
	}
	for k, excluded := range of {
		if len(excluded) == 0 {
			continue
		}
		var err error
		if less.parts[k], err = p.Parts[k].Without(ctx, excluded); err != nil {
			return nil, err
		}
	}
	return &less, nil
}

// Ranks returns 0 if some part has no ranks.
func (p *Product) Ranks() *big.Int {
	n := big.NewInt(int64(p.factor.Sign()))
	for _, part := range p.Parts {
		n.Mul(n, part.Ranks())
	}
	return n
}

func (p *Product) Batch() (first, most int, alone bool) {
	first, most = wholeBatch, maxBatch
	for _, part := range p.Parts {
		f, m, a := part.Batch()
		first, most, alone = min(first, f), min(most, m), alone || a
	}
	return min(first, most), most, alone
}

// Unrank splits each rank into a digit for each part, and calls Unrank of one part after another.
func (p *Product) Unrank(ctx context.Context, ranks []*big.Int) iter.Seq2[[]int, error] {
	return func(yield func([]int, error) bool) {
		if err := checkRanks(ranks, p.Ranks()); err != nil {
			yield(nil, err)
			return
		}
		left := make([]*big.Int, len(ranks))
		for i, rank := range ranks {
			left[i] = new(big.Int).Set(rank)
		}
		solutions := make([][]int, len(ranks)) // the options in reverse order, until they are yielded
		for k, part := range slices.Backward(p.Parts) {
			radix, digits := part.Ranks(), make([]*big.Int, len(ranks))
			for i := range left {
				digits[i] = new(big.Int)
				left[i].QuoRem(left[i], radix, digits[i])
			}
			i := 0
			for options, err := range part.Unrank(ctx, digits) {
				if err != nil {
					yield(nil, err)
					return
				}
				for _, index := range slices.Backward(options) {
					solutions[i] = append(solutions[i], p.split.Parts[k].Options[index])
				}
				i++
			}
		}
		for _, options := range solutions {
			for _, o := range slices.Backward(p.split.Taken) {
				if o < p.n {
					options = append(options, o)
				}
			}
			slices.Reverse(options)
			if !yield(options, nil) {
				return
			}
		}
	}
}

func (p *Product) Rank(ctx context.Context, options []int) (*big.Int, error) {
	of, found := make([][]int, len(p.Parts)), map[int]bool{}
	for _, o := range options {
		switch {
		case o < 0 || o >= p.n || p.partOf[o] == absent || found[o]:
			return nil, notMember(options)
		case p.partOf[o] != taken:
			of[p.partOf[o]] = append(of[p.partOf[o]], p.index[o])
		}
		found[o] = true
	}
	if p.factor.Sign() == 0 || slices.ContainsFunc(p.split.Taken, func(o int) bool { return o < p.n && !found[o] }) {
		return nil, notMember(options)
	}
	rank := new(big.Int)
	for k, part := range p.Parts {
		digit, err := part.Rank(ctx, of[k])
		if err != nil {
			return nil, err
		}
		rank.Add(rank.Mul(rank, part.Ranks()), digit)
	}
	return rank, nil
}

func (p *Product) Report() *Result { return &p.report }

func (p *Product) Bytes() (bytes int64) {
	met := map[Set]bool{}
	for _, part := range p.Parts {
		if !met[part] {
			bytes += part.Bytes()
		}
		met[part] = true
	}
	return bytes
}

// Settle ends the reports of progress. It must be called before the Product is shared.
func (p *Product) Settle() {
	for _, part := range p.Parts {
		if levels, is := part.(*Levels); is {
			levels.Settle()
		}
	}
}
