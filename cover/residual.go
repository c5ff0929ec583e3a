package cover

// Residual is what is left to decide of a problem once some options are taken,
// and it is decided which others may be.
type Residual struct {
	Problem *Problem
	Options []int // option k of Problem is Options[k] of the whole one; rising
}

// Residual takes options, which are different ones of p, and returns the problem
// of what can be taken besides: its solutions, together with those taken, are the
// solutions of p that have them all. Items keep their numbers; their bounds are
// less by what is used. Options that no longer fit are left out, and symmetries,
// which need not be any. It is nil if the options use some item more often than
// its max, so that no solution has them.
//
// Of the running example, with ab taken, c, d, e, f are left and de, ef, cf:
//
//	items a 0..0  b 0..0  c d e f 1..1  domino 0..     options de  ef  cf
func (p *Problem) Residual(taken []int) *Residual {
	rest := &Problem{Items: make([]Item, len(p.Items)), Orders: p.Orders}
	copy(rest.Items, p.Items)
	isTaken := make([]bool, len(p.Options))
	for _, o := range taken {
		isTaken[o] = true
		for _, u := range p.Options[o] {
			it := &rest.Items[u.Item]
			if u.Times > it.Max {
				return nil
			}
			it.Min = max(0, it.Min-u.Times)
			if it.Max != Unbounded {
				it.Max -= u.Times
			}
		}
	}
	r := &Residual{Problem: rest}
	for o, option := range p.Options {
		if !isTaken[o] && rest.fits(option) {
			rest.Options = append(rest.Options, option)
			r.Options = append(r.Options, o)
		}
	}
	return r
}

// fits reports whether no item's max is below what the option alone uses.
func (p *Problem) fits(option Option) bool {
	for _, u := range option {
		if u.Times > p.Items[u.Item].Max {
			return false
		}
	}
	return true
}
