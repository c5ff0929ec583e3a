package cover

import "slices"

// Residual is the problem that remains after some options are chosen.
type Residual struct {
	Problem *Problem
	Options []int // option k of Problem is option Options[k] of the original problem; ascending
}

// Residual returns the problem that remains after options of p with different indices are chosen.
// A solution of this problem together with the chosen options is a solution of p.
//
// Items keep their indices. A chosen option reduces the bounds of each item that it uses without a
// colour. Remaining options are left out if they exceed a bound or contradict a chosen colour, and
// all symmetries are left out. Residual returns nil if the chosen options themselves do not fit.
//
// In the running example, if ab is chosen, c, d, e, f remain to be covered, and de, ef, cf fit:
//
//	items a 0..0  b 0..0  c d e f 1..1  domino 0..     options de  ef  cf
func (p *Problem) Residual(taken []int) *Residual {
	items := slices.Clone(p.Items)
	r := &Residual{Problem: &Problem{Items: items, Orders: p.Orders, Places: p.Places, Colours: p.Colours}}
	colours := make([]int32, len(items)) // chosen colour or 0, indexed by item
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
