package differential

import (
	"slices"

	"github.com/pavage/pavage/cover"
)

var wraps = []string{"rows", "columns", "both", "moebius", "klein"}

func (p *puzzle) turnsOver() bool { return p.wrap == "moebius" || p.wrap == "klein" }
func (p *puzzle) rowsWrap() bool  { return p.wrap == "rows" || p.wrap == "both" || p.wrap == "klein" }

func (p *puzzle) columnsWrap() bool {
	return p.wrap != "" && p.wrap != "rows"
}

// unrolled are the places at which a shape may stand: all of the box, and of the box next to
// it if that is turned over.
func (p *puzzle) unrolled() []place {
	all := p.places()
	if p.turnsOver() {
		for _, c := range p.places() {
			all = append(all, plus(c, place{0, 0, p.size[2]}))
		}
	}
	return all
}

// folded is the place in the box that a cell is, if it is in there; not far from the box.
func (p *puzzle) folded(c place) place {
	for p.columnsWrap() && c[2] >= p.size[2] {
		c[2] -= p.size[2]
		if p.turnsOver() {
			c[1] = p.size[1] - 1 - c[1]
		}
	}
	for p.rowsWrap() && c[1] >= p.size[1] {
		c[1] -= p.size[1]
	}
	for p.rowsWrap() && c[1] < 0 {
		c[1] += p.size[1]
	}
	return c
}

// onItself reports whether sorted uses have an item twice.
func onItself(option cover.Option) bool {
	for i := 1; i < len(option); i++ {
		if option[i].Item == option[i-1].Item {
			return true
		}
	}
	return false
}

// liesOnItself reports whether a shape has no place only because the board wraps, which is refused.
func (p *puzzle) liesOnItself(s shape) bool {
	item := make([]int, len(p.cells))
	for i, b := range p.cells {
		if item[i] = i; b == '.' {
			item[i] = -1
		}
	}
	if len(p.placed(s, item)) > 0 {
		return false
	}
	return slices.ContainsFunc(p.orientations(s), func(o []place) bool {
		return slices.ContainsFunc(p.unrolled(), func(at place) bool { return p.put(o, at, item) != nil })
	})
}
