package differential

import (
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
)

// padding is what makes a small cover large without making it hard: items, the
// pads, each with an option of its own, and used as well by an option of the
// cover, which they make longer:
//
//	cover         order  a b c          options  a b    b c
//	padded        order  a x b x y c x  options  a b x x x   b c y   x x x y
//
// A state is then as wide as the longest option, in whatever order, but there are hardly more
// states. Of a solution with ab and without bc, its x have no choice left, y has its own option or,
// if it is optional, none: so a solution becomes 2^k, k of the optional pads not being used by it.
// States have several words, and counts several limbs, and still the oracle can compute the answer.
type padding struct {
	inner *cover.Problem
	pads  []pad
}

type pad struct {
	optional bool
	where    int // in each order, modulo its length
	option   int // the cover's that uses it, modulo their number and one for none
}

// mostPads: a state has at most 511 bits.
const mostPads = 400

// randomInner draws a cover, mostly with solutions: a single draw has a solution in about half of
// the cases.
func randomInner(rng *rand.Rand) *cover.Problem {
	const tries = 4
	for try := 1; ; try++ {
		p := oracle.RandomGrid(rng)
		if rng.IntN(2) == 0 {
			p = oracle.Random(rng)
		}
		if n, err := oracle.Count(p); err == nil && n > 0 || try == tries {
			return p
		}
	}
}

// randomPadding pads a random cover, that has an order.
func randomPadding(rng *rand.Rand) *padding {
	p := &padding{inner: randomInner(rng)}
	if len(p.inner.Orders) == 0 {
		order := []int{}
		for _, i := range rng.Perm(len(p.inner.Items)) {
			if p.inner.Items[i].Max <= 1 {
				order = append(order, i)
			}
		}
		p.inner.Orders = [][]int{order}
	}
	share := rng.IntN(5)
	longer := []int{rng.IntN(1 << 20), rng.IntN(1 << 20), rng.IntN(1 << 20)}[:1+rng.IntN(3)]
	for range 1 + max(rng.IntN(mostPads), rng.IntN(mostPads)) {
		p.pads = append(p.pads, pad{rng.IntN(4) < share, rng.IntN(1 << 20), pick(rng, longer)})
	}
	return p
}

// user is the option of the cover that uses a pad, or their number for none.
func (p *padding) user(x pad) int { return x.option % (len(p.inner.Options) + 1) }

// problem is the cover with its padding.
func (p *padding) problem() *cover.Problem {
	q := changed(p.inner)
	for _, x := range p.pads {
		least := 1
		if x.optional {
			least = 0
		}
		item := addItem(q, least, 1)
		if o := p.user(x); o < len(p.inner.Options) {
			q.Options[o] = append(q.Options[o], cover.Use{Item: item, Times: 1})
		}
		q.Options = append(q.Options, cover.Option{{Item: item, Times: 1}})
		for k, order := range q.Orders {
			q.Orders[k] = slices.Insert(order, x.where%(len(order)+1), item)
		}
	}
	return q
}

// count is made of the oracle's solutions of the cover.
func (p *padding) count() (*big.Int, error) {
	solutions, err := oracle.Solutions(p.inner)
	sum := new(big.Int)
	for _, solution := range solutions {
		free := uint(0)
		for _, x := range p.pads {
			if x.optional && !slices.Contains(solution, p.user(x)) {
				free++
			}
		}
		sum.Add(sum, new(big.Int).Lsh(big.NewInt(1), free))
	}
	return sum, err
}

// setPadding makes c the case of a padding.
func (c *Case) setPadding(p *padding) { c.padding, c.Problem = p, p.problem() }

// longest is the most items of the first order that an option uses. A state
// that decides about them is at least as wide.
func longest(p *cover.Problem) (most int) {
	if len(p.Orders) == 0 {
		return 0
	}
	swept := map[int]bool{}
	for _, i := range p.Orders[0] {
		swept[i] = true
	}
	for _, o := range p.Options {
		n := 0
		for _, u := range o {
			if swept[u.Item] {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}
