package differential

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
)

// colourRelations compare the count of a cover with colours with the counts of covers with other
// colours, or with none.
var colourRelations = []Check{
	{"colours", "N, the colours of each item in another order", 2, Small, checkColours},
	{"hues", "N = N(unused) + sum of N(an item has colour c) + N(is used without)", 2, Small, checkHues},
	{"own colours", "N, uses without colour of items 0..1 with a colour of their own", 3, Small, checkOwnColours},
	{"uncoloured", "N, each colour of some items an item, and an option for the choice", 2, Small, checkUncoloured},
	{"pairs", "N, an item for each pair of options that do not agree", 2, Small, checkPairs},
}

// randomColoured draws a cover with colours.
func randomColoured(rng *rand.Rand) *cover.Problem {
	switch rng.IntN(4) {
	case 0:
		return oracle.RandomMatching(rng)
	case 1:
		return oracle.Paint(rng, oracle.RandomGrid(rng))
	}
	return oracle.RandomColoured(rng)
}

// numbered is the problem with colours numbered as its text has them.
func numbered(p *cover.Problem) *cover.Problem {
	q := changed(p)
	q.Colours = nil
	number := map[int32]int32{}
	for _, o := range q.Options {
		for k, u := range o {
			if u.Colour != 0 && number[u.Colour] == 0 {
				q.Colours = append(q.Colours, p.Colours[u.Colour-1])
				number[u.Colour] = int32(len(q.Colours))
			}
			o[k].Colour = number[u.Colour]
		}
	}
	return q
}

// checkColours renames the colours: at each item in its own way, or at all in one, which
// symmetries bear.
func checkColours(ctx context.Context, s *subject) error {
	q := changed(s.Problem)
	to := make([][]int, len(q.Items))
	together := s.IntN(2) == 0
	if together {
		q.Symmetries = s.Problem.Symmetries
	}
	for i := range to {
		if i == 0 || !together {
			to[i] = s.Perm(len(q.Colours))
		} else {
			to[i] = to[0]
		}
	}
	eachColoured(q, func(u *cover.Use) { u.Colour = int32(to[u.Item][u.Colour-1]) + 1 })
	return s.counts(ctx, "other colours", q, s.want)
}

func eachColoured(p *cover.Problem, do func(*cover.Use)) {
	for _, o := range p.Options {
		for k := range o {
			if o[k].Colour != 0 {
				do(&o[k])
			}
		}
	}
}

// anyColoured draws an item that is used with colours.
func (s *subject) anyColoured() (item int, ok bool) {
	var all []int
	for i, coloured := range s.Problem.ColouredItems() {
		if coloured {
			all = append(all, i)
		}
	}
	if len(all) == 0 {
		return 0, false
	}
	return pick(s.Rand, all), true
}

// checkHues adds up over the colours of an item: the solutions that use it with this colour, and
// once the solutions that do not use it.
func checkHues(ctx context.Context, s *subject) error {
	item, ok := s.anyColoured()
	if !ok {
		return nil
	}
	unused, err := s.count(ctx, usedOnly(s.Problem, item, -1), s.engine())
	if err != nil {
		return err
	}
	sum := new(big.Int).Set(unused)
	for colour := range int32(len(s.Problem.Colours)) + 1 {
		n, err := s.count(ctx, usedOnly(s.Problem, item, colour), s.engine())
		if err != nil {
			return fmt.Errorf("item %d of colour %d only: %w", item, colour, err)
		}
		sum.Add(sum, n.Sub(n, unused))
	}
	return s.same(fmt.Sprintf("item %d of each colour", item), sum, s.want)
}

// usedOnly has no options that use the item with another colour. 0 is no colour, -1 no use.
func usedOnly(p *cover.Problem, item int, colour int32) *cover.Problem {
	q := changed(p)
	q.Options = slices.DeleteFunc(q.Options, func(o cover.Option) bool {
		return slices.ContainsFunc(o, func(u cover.Use) bool { return u.Item == item && u.Colour != colour })
	})
	return q
}

// checkOwnColours: a colour that no other option has agrees with no other use.
func checkOwnColours(ctx context.Context, s *subject) error {
	if s.padding != nil {
		return nil // states would be too wide
	}
	q := changed(s.Problem)
	for _, o := range q.Options {
		for k, u := range o {
			it := q.Items[u.Item]
			if u.Colour == 0 && u.Times == 1 && it.Min == 0 && it.Max == 1 && s.IntN(4) > 0 {
				q.Colours = append(q.Colours, fmt.Sprintf("own%d", len(q.Colours)))
				o[k].Colour = int32(len(q.Colours))
			}
		}
	}
	return s.counts(ctx, "colours of their own", q, s.want)
}

// mostChoices is the number of colours that are counted at once: each multiplies the states.
const mostChoices = 5

// checkUncoloured replaces some coloured items x of colours c by items without colours:
//
//	x        0..1   used by what uses x without colour, and by the options "x is c"
//	x is     1      by one of the options "x is c" or "x is none"
//	x of c   1..M   once by what uses x with c, at most M options; M times by all "x is d"
//	                with another d, and by "x is none"
//
// If x is c then x of c wants a use, and no other colour bears one; so just one choice fits.
func checkUncoloured(ctx context.Context, s *subject) error {
	p := s.Problem
	coloured := p.ColouredItems()
	q := changed(p)
	of := map[[2]int]int{} // the item of an item and a colour
	for _, i := range s.Perm(len(p.Items)) {
		if coloured[i] && len(of) < mostChoices {
			addChoice(q, p, i, of)
		}
	}
	if len(of) == 0 {
		return nil
	}
	for _, o := range q.Options {
		for k, u := range o {
			if item, replaced := of[[2]int{u.Item, int(u.Colour)}]; replaced && u.Colour != 0 {
				o[k] = cover.Use{Item: item, Times: 1}
			}
		}
	}
	tidy(q)
	return s.counts(ctx, "fewer colours", q, s.want)
}

// addChoice adds to q what stands for the colours of an item of p.
func addChoice(q, p *cover.Problem, item int, of map[[2]int]int) {
	is := addItem(q, 1, 1)
	users := make([]int, len(p.Colours)+1)
	eachColoured(p, func(u *cover.Use) {
		if u.Item == item {
			users[u.Colour]++
		}
	})
	for colour, n := range users {
		if n > 0 {
			of[[2]int{item, colour}] = addItem(q, 1, n)
		}
	}
	for chosen := range users {
		option := cover.Option{{Item: is, Times: 1}}
		if chosen > 0 && users[chosen] == 0 {
			continue
		}
		if chosen > 0 {
			option = append(option, cover.Use{Item: item, Times: 1})
		}
		for colour, n := range users {
			if n > 0 && colour != chosen {
				option = append(option, cover.Use{Item: of[[2]int{item, colour}], Times: int32(n)})
			}
		}
		q.Options = append(q.Options, option)
	}
}

// mostPairs keeps the frontier narrow.
const mostPairs = 40

// checkPairs: two options do not agree on a colour if and only if they have an item in
// common that only one of them can use.
func checkPairs(ctx context.Context, s *subject) error {
	p := s.Problem
	coloured := p.ColouredItems()
	if !slices.Contains(coloured, true) {
		return nil
	}
	q := changed(p)
	q.Colours = nil
	for k, o := range q.Options {
		o = slices.DeleteFunc(o, func(u cover.Use) bool { return coloured[u.Item] })
		q.Options[k] = append(o, cover.Use{Item: addItem(q, 0, cover.Unbounded), Times: 1}) // so that none is empty or repeats another
	}
	pairs := 0
	for a := range p.Options {
		for b := range a {
			if disagree(p.Options[a], p.Options[b], coloured) {
				both := cover.Use{Item: addItem(q, 0, 1), Times: 1}
				q.Options[a], q.Options[b] = append(q.Options[a], both), append(q.Options[b], both)
				pairs++
			}
		}
	}
	for a, o := range p.Options { // a use without colour twice is too often by itself
		if slices.ContainsFunc(o, func(u cover.Use) bool { return coloured[u.Item] && u.Times > 1 }) {
			q.Options[a] = append(q.Options[a], cover.Use{Item: addItem(q, 0, 0), Times: 1})
		}
	}
	if pairs > mostPairs {
		s.note("too many pairs")
		return nil
	}
	return s.counts(ctx, "an item for each pair", q, s.want)
}

// disagree reports whether two options use one of the items, but not with the same colour.
func disagree(a, b cover.Option, coloured []bool) bool {
	for _, u := range a {
		for _, v := range b {
			if u.Item == v.Item && coloured[u.Item] && (u.Colour == 0 || u.Colour != v.Colour) {
				return true
			}
		}
	}
	return false
}
