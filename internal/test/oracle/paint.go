package oracle

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/pavage/pavage/cover"
)

// Paint returns a copy of p in which some items with the bounds 0..1, and up to three new items,
// are used with colours. It has no symmetries. The oracle may need more steps for it than for p:
// see [Within].
func Paint(rng *rand.Rand, p *cover.Problem) *cover.Problem {
	g := generator{Rand: rng, problem: &cover.Problem{Items: slices.Clone(p.Items)}}
	q := g.problem
	for k := range g.between(1, 3) {
		q.Colours = append(q.Colours, fmt.Sprintf("c%d", k))
	}
	more := g.between(0, 3)
	for k := range more {
		q.Items = append(q.Items, cover.Item{Name: fmt.Sprintf("x%d", k), Max: 1})
	}
	for _, option := range p.Options {
		option = slices.Clone(option)
		for k := range more {
			if g.chance(40) {
				option = append(option, cover.Use{Item: len(p.Items) + k, Times: 1})
			}
		}
		for k, u := range option {
			if it := q.Items[u.Item]; it.Min == 0 && it.Max == 1 && u.Times == 1 && g.chance(90) {
				most := g.between(1, len(q.Colours)) // so that the first colour is the most frequent
				option[k].Colour = int32(g.between(1, most))
			}
		}
		q.Options = append(q.Options, option)
	}
	for _, order := range p.Orders {
		q.Orders = append(q.Orders, slices.Clone(order))
	}
	return q
}
