package cover

import "slices"

// Residual is the rest of a problem after some options are chosen.
type Residual struct {
	Problem *Problem
	Options []int // option k of Problem is option Options[k] of the whole; ascending
}

// Residual chooses some options of p, as different indices, and returns the problem of the others:
// its solutions, with the chosen options, are the solutions of p that have these.
//
// Items keep their numbers. Their bounds are reduced by the chosen uses, except with a colour.
// Options that no longer fit, or disagree with the colours, are left out, as are the symmetries,
// which the rest need not have. Residual returns nil if the chosen options break an item's Max.
//
// Of the running example, with ab chosen, c, d, e, f are left and de, ef, cf:
//
//	items a 0..0  b 0..0  c d e f 1..1  domino 0..     options de  ef  cf
func (p *Problem) Residual(taken []int) *Residual {
	items := slices.Clone(p.Items)
	r := &Residual{Problem: &Problem{Items: items, Orders: p.Orders, Places: p.Places, Colours: p.Colours}}
	colours := make([]int32, len(items)) // of each item: that with which it is used, or 0
	fits := func(option Option) bool {
		for _, u := range option {
			if colour := colours[u.Item]; colour != 0 && colour != u.Colour {
				return false
			}
			if int(u.Times) > items[u.Item].Max {
				return false
			}
		}
		return true
	}
	isTaken := make([]bool, len(p.Options))
	for _, o := range taken {
		isTaken[o] = true
		if !fits(p.Options[o]) {
			return nil
		}
		for _, u := range p.Options[o] {
			if colours[u.Item] = u.Colour; u.Colour != 0 {
				continue
			}
			it := &items[u.Item]
			it.Min = max(0, it.Min-int(u.Times))
			if it.Max != Unbounded {
				it.Max -= int(u.Times)
			}
		}
	}
	for o, option := range p.Options {
		if !isTaken[o] && fits(option) {
			r.Problem.Options = append(r.Problem.Options, option)
			r.Options = append(r.Options, o)
		}
	}
	return r
}
