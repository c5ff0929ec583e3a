package count

import (
	"container/heap"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/pavage/pavage/cover"
)

// ErrWeights is wrapped by errors about Options.Weights.
var ErrWeights = errors.New("wrong weights")

const (
	// maxWeightBits is the largest length in bits of a weight's numerator and denominator.
	maxWeightBits = 1 << 12
	// maxScaleBits limits the length in bits of wholeWeights.Scale.
	maxScaleBits = 1 << 16
)

var errScale = fmt.Errorf("%w: the common denominator of the weights has over %d bits", ErrWeights, maxScaleBits)

// The weights in the engines are integers, so fractions are scaled. An item gets a factor. The
// weight of an option is multiplied by this factor for each use of the item. If all solutions use
// the item equally often, the weights of all solutions are multiplied by the same number:
//
//	items a b c d          weights of ab, cd : 1/2 weights of ac, bd : 1/3
//	a has the factor 6,    ab : 6 · 1/2 = 3        ac : 6 · 1/3 = 2
//	and so has d           cd : 6 · 1/2 = 3        bd : 6 · 1/3 = 2
//	solutions              {ab cd} : 36 · 1/4 = 9  {ac bd} : 36 · 1/9 = 4
//
// An item with Min 0 and Max 1 gets an additional option, its slack, whose weight is the factor.
// The slack is in a solution if no other option uses the item. This changes neither the number of
// solutions nor the number of states of a sweep. An option whose items cannot have factors gets a
// new item. Items of many options get factors first, so that few items need a factor.

type wholeWeights struct {
	// Problem has the options of the original problem in the same order, then the slack options.
	Problem *cover.Problem
	Weights []*big.Int
	options int // number of options of the original problem
	// Scale is the factor by which the weights of all solutions are multiplied.
	Scale *big.Int
}

// makeWhole scales the weights of a valid problem to integers. The error wraps ErrWeights.
func makeWhole(p *cover.Problem, weights []*big.Rat) (*wholeWeights, error) {
	w := &wholeWeights{Problem: p, options: len(p.Options), Scale: big.NewInt(1)}
	if err := checkWeights(p, weights); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(weights, func(r *big.Rat) bool { return r != nil && r.Cmp(unit) != 0 }) {
		return w, nil
	}
	s := newScaler(p, weights)
	factors, err := s.factors()
	if err != nil {
		return nil, err
	}
	w.Problem = s.slacken(factors)
	w.Weights = make([]*big.Int, len(w.Problem.Options))
	for o, option := range w.Problem.Options {
		w.Weights[o] = s.whole(o, option, factors)
	}
	for i, f := range factors {
		if f != nil {
			w.Scale.Mul(w.Scale, power(f, w.Problem.Items[i].Max))
		}
	}
	return w, nil
}

func (w *wholeWeights) of(options []int) []*big.Int {
	if w.Weights == nil {
		return nil
	}
	weights := make([]*big.Int, len(options))
	for i, o := range options {
		weights[i] = w.Weights[o]
	}
	return weights
}

// marginals divides total and sums by the scale. The sum sums[v] is for the option variables[v].
func (w *wholeWeights) marginals(total *big.Int, sums []*big.Int, variables []int) *Marginals {
	m := &Marginals{Total: new(big.Rat).SetFrac(total, w.Scale), Of: make([]*big.Rat, w.options)}
	for o := range m.Of {
		m.Of[o] = new(big.Rat)
	}
	for v, sum := range sums {
		if o := variables[v]; o < len(m.Of) {
			m.Of[o].SetFrac(sum, w.Scale)
		}
	}
	return m
}

// without returns w with the weight 0 for some options. The error wraps ErrMember.
func (w *wholeWeights) without(options []int) (*wholeWeights, error) {
	less := *w
	if less.Weights = slices.Clone(w.Weights); w.Weights == nil {
		less.Weights = make([]*big.Int, len(w.Problem.Options))
	}
	for _, o := range options {
		if o < 0 || o >= w.options {
			return nil, fmt.Errorf("%w: option %d, expected 0 ≤ option < %d", ErrMember, o, w.options)
		}
		less.Weights[o] = new(big.Int)
	}
	return &less, nil
}

func (w *wholeWeights) withSlack(solution []int) []int {
	used := map[int]bool{}
	for _, o := range solution {
		if o < 0 || o >= w.options {
			return solution // the option does not exist, so this is no solution
		}
		for _, u := range w.Problem.Options[o] {
			used[u.Item] = true
		}
	}
	all := slices.Clone(solution)
	for o := w.options; o < len(w.Problem.Options); o++ {
		if !used[w.Problem.Options[o][0].Item] {
			all = append(all, o)
		}
	}
	return all
}

var unit = big.NewRat(1, 1)

func checkWeights(p *cover.Problem, weights []*big.Rat) error {
	if weights != nil && len(weights) != len(p.Options) {
		return fmt.Errorf("%w: there are %d weights for %d options, expected one weight for each option", ErrWeights, len(weights), len(p.Options))
	}
	for o, r := range weights {
		switch {
		case r == nil:
		case r.Num().BitLen() > maxWeightBits || r.Denom().BitLen() > maxWeightBits:
			return fmt.Errorf("%w: the weight of option %d has over %d bits", ErrWeights, o, maxWeightBits)
		case r.Sign() < 0:
			return fmt.Errorf("%w: the weight of option %d is %s, expected at least 0",
				ErrWeights, o, r.RatString())
		}
	}
	return nil
}

func power(x *big.Int, n int) *big.Int { return new(big.Int).Exp(x, big.NewInt(int64(n)), nil) }

type scaler struct {
	p       *cover.Problem
	weights []*big.Rat
	users   [][]int // indexed by item that may have a factor; its options with fractional weights
	left    []int   // indexed by item; number of users that are not scaled yet
	scaled  []bool  // indexed by option
	queue   []int   // heap of items
}

func newScaler(p *cover.Problem, weights []*big.Rat) *scaler {
	s := &scaler{
		p: p, weights: weights,
		users: make([][]int, len(p.Items)), left: make([]int, len(p.Items)), scaled: make([]bool, len(p.Options)),
	}
	coloured := p.ColouredItems()
	for o, option := range p.Options {
		if s.scaled[o] = weights[o] == nil || weights[o].IsInt(); s.scaled[o] {
			continue
		}
		for _, u := range option {
			// An item may have a factor if all solutions, with slack, use it equally often.
			it := p.Items[u.Item]
			if !coloured[u.Item] && (it.Min == it.Max || it.Max == 1) {
				s.users[u.Item] = append(s.users[u.Item], o)
			}
		}
	}
	for i, users := range s.users {
		if len(users) > 0 {
			s.left[i] = len(users)
			s.queue = append(s.queue, i)
		}
	}
	heap.Init(s)
	return s
}

func (s *scaler) Len() int { return len(s.queue) }

func (s *scaler) Less(i, j int) bool {
	a, b := s.queue[i], s.queue[j]
	x, y := s.p.Items[a], s.p.Items[b]
	if exact := x.Min == x.Max; exact != (y.Min == y.Max) {
		return exact
	}
	if p, q := s.left[a]*y.Max, s.left[b]*x.Max; p != q {
		return p > q
	}
	return a < b
}
func (s *scaler) Swap(i, j int) { s.queue[i], s.queue[j] = s.queue[j], s.queue[i] }
func (s *scaler) Push(x any)    { s.queue = append(s.queue, x.(int)) }
func (s *scaler) Pop() any {
	last := s.queue[len(s.queue)-1]
	s.queue = s.queue[:len(s.queue)-1]
	return last
}

// factors returns a factor or nil for each item, then the factors of the new items of options.
func (s *scaler) factors() ([]*big.Int, error) {
	factors, bits := make([]*big.Int, len(s.p.Items)), 0
	for len(s.queue) > 0 {
		i := s.queue[0]
		left := 0
		for _, o := range s.users[i] {
			if !s.scaled[o] {
				left++
			}
		}
		if left < s.left[i] { // factors of other items have scaled some users
			s.left[i] = left
			heap.Fix(s, 0)
			continue
		}
		heap.Pop(s)
		if s.left[i] == 0 {
			continue
		}
		factors[i] = big.NewInt(1)
		for _, o := range s.users[i] {
			if !s.scaled[o] {
				s.scaled[o] = true
				factors[i] = lcm(factors[i], s.weights[o].Denom())
				if bits+factors[i].BitLen()*s.p.Items[i].Max > maxScaleBits {
					return nil, errScale
				}
			}
		}
		bits += factors[i].BitLen() * s.p.Items[i].Max
	}
	for o := range s.scaled {
		if s.scaled[o] {
			continue
		}
		factors = append(factors, s.weights[o].Denom())
		if bits += s.weights[o].Denom().BitLen(); bits > maxScaleBits {
			return nil, errScale
		}
	}
	return factors, nil
}

func lcm(a, b *big.Int) *big.Int {
	g := new(big.Int).GCD(nil, nil, a, b)
	return g.Mul(g.Div(a, g), b)
}

// slacken returns the problem with slack options and additional items. In this problem, all
// solutions use an item equally often if it has a factor.
func (s *scaler) slacken(factors []*big.Int) *cover.Problem {
	q := *s.p
	q.Items, q.Options, q.Symmetries = slices.Clone(s.p.Items), slices.Clone(s.p.Options), nil
	for o := range s.scaled {
		if !s.scaled[o] {
			q.Options[o] = append(slices.Clone(q.Options[o]), cover.Use{Item: len(q.Items), Times: 1})
			q.Items = append(q.Items, cover.Item{Max: 1})
		}
	}
	mark := len(q.Items) // an item that all slacks use, so that no slack equals another option
	for i, f := range factors {
		if it := &q.Items[i]; f != nil && it.Min < it.Max {
			it.Min = 1
			q.Options = append(q.Options, cover.Option{{Item: i, Times: 1}, {Item: mark, Times: 1}})
		}
	}
	if len(q.Options) > len(s.p.Options) {
		q.Items = append(q.Items, cover.Item{Max: cover.Unbounded})
	}
	return &q
}

func (s *scaler) whole(o int, option cover.Option, factors []*big.Int) *big.Int {
	w := new(big.Int).Set(unit.Num())
	scale := big.NewInt(1)
	for _, u := range option {
		if u.Item < len(factors) && factors[u.Item] != nil {
			scale.Mul(scale, power(factors[u.Item], int(u.Times)))
		}
	}
	if o < len(s.weights) && s.weights[o] != nil {
		w.Set(s.weights[o].Num())
		scale.Div(scale, s.weights[o].Denom())
	}
	if w.Mul(w, scale).Cmp(unit.Num()) == 0 {
		return nil
	}
	return w
}
