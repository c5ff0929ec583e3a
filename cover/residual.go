package cover

// Residual is the rest of a problem, once some options are taken.
type Residual struct {
	Problem *Problem
	Options []int // option k of Problem is option Options[k] of the whole; ascending
}

// Residual takes some options of p, given as different indices, and returns the problem
// of the other options. A solution of it, together with the options taken, is a solution
// of p, and every solution of p with these options is found so.
//
// Items keep their numbers. Their bounds are lower by what the options taken use.
// Options that do not fit any more are left out. The symmetries are left out, because the
// rest need not have them. Residual returns nil if the options taken use an item more
// often than its Max: then no solution has them all.
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
			if int(u.Times) > it.Max {
				return nil
			}
			it.Min = max(0, it.Min-int(u.Times))
			if it.Max != Unbounded {
				it.Max -= int(u.Times)
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
		if int(u.Times) > p.Items[u.Item].Max {
			return false
		}
	}
	return true
}
