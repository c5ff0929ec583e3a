package oracle

import (
	"math/rand/v2"
	"slices"

	"github.com/pavage/pavage/cover"
)

const partsSteps = 20_000 // which take a few milliseconds

// RandomParts returns a valid cover that joins one to five random covers without common items, with
// some covers, options and items repeated. It may have more independent parts, since a random cover
// may have several.
func RandomParts(rng *rand.Rand) *cover.Problem {
	g := generator{Rand: rng}
	p := &cover.Problem{Colours: []string{"R", "G", "B", "Y"}}
	var last *cover.Problem
	for range g.between(1, 5) {
		if last == nil || g.chance(60) {
			if last = Random(rng); g.chance(25) {
				last = RandomColoured(rng)
			}
		}
		more := g.shuffled(join(p, last))
		if _, _, err := solve(more, partsSteps); err != nil {
			break
		}
		p = more
	}
	for range g.between(0, 2) {
		if more := g.echo(p); more != nil {
			p = more
		}
	}
	if g.chance(30) {
		p = withItem(p, cover.Item{Max: cover.Unbounded}, func(int) bool { return g.chance(70) })
	}
	return g.shuffled(p)
}

func join(p, q *cover.Problem) *cover.Problem {
	shift := len(p.Items)
	all := &cover.Problem{Items: slices.Concat(p.Items, q.Items), Options: slices.Clone(p.Options), Colours: p.Colours}
	for _, option := range q.Options {
		option = slices.Clone(option)
		for k := range option {
			option[k].Item += shift
		}
		all.Options = append(all.Options, option)
	}
	return all
}

func withItem(p *cover.Problem, it cover.Item, used func(option int) bool) *cover.Problem {
	q := &cover.Problem{Items: append(slices.Clone(p.Items), it), Options: slices.Clone(p.Options), Colours: p.Colours}
	for o, option := range q.Options {
		if used(o) {
			q.Options[o] = append(slices.Clone(option), cover.Use{Item: len(p.Items), Times: 1})
		}
	}
	return q
}

func (g *generator) echo(p *cover.Problem) *cover.Problem {
	if len(p.Options) == 0 {
		return nil
	}
	o := g.IntN(len(p.Options))
	var q *cover.Problem
	if i := p.Options[o][0].Item; g.chance(50) {
		bounds := cover.Item{Min: g.between(0, 1), Max: 1}
		q = withItem(p, bounds, func(o int) bool { return uses(p.Options[o], i) || g.chance(10) })
	} else {
		q = withItem(p, cover.Item{Max: 1}, func(int) bool { return false })
		q.Options = append(q.Options, append(slices.Clone(p.Options[o]), cover.Use{Item: len(p.Items), Times: 1}))
	}
	if _, _, err := solve(q, partsSteps); err != nil {
		return nil
	}
	return q
}

func uses(option cover.Option, item int) bool {
	return slices.ContainsFunc(option, func(u cover.Use) bool { return u.Item == item })
}

func (g *generator) shuffled(p *cover.Problem) *cover.Problem {
	to := g.Perm(len(p.Items))
	q := &cover.Problem{Items: make([]cover.Item, len(p.Items)), Options: slices.Clone(p.Options), Colours: p.Colours}
	for i, it := range p.Items {
		q.Items[to[i]] = it
	}
	for o, option := range q.Options {
		q.Options[o] = slices.Clone(option)
		for k := range option {
			q.Options[o][k].Item = to[option[k].Item]
		}
		slices.SortFunc(q.Options[o], func(a, b cover.Use) int { return a.Item - b.Item })
	}
	g.Shuffle(len(q.Options), func(i, k int) { q.Options[i], q.Options[k] = q.Options[k], q.Options[i] })
	return q
}
