package planar

import (
	"context"

	"github.com/pavage/pavage/internal/kit/interrupt"
)

type placing struct {
	*tree
	side        []int8
	ordered     *lists  // the edges that leave each vertex, from left to right
	next        []int32 // first edge of each vertex that was not followed
	after       []int32 // next dart clockwise from each dart
	before      []int32 // next dart counterclockwise from each dart
	left, right []int32 // darts of each vertex, beside which back edges to it are inserted
}

func place(ctx context.Context, t *tree, side []int8) ([]int32, error) {
	ordered := t.byNesting(func(e int32) int32 { return int32(side[e]) * t.nesting[e] })
	darts, vertices := 2*len(t.edges), len(t.height)
	p := &placing{
		tree: t, side: side, ordered: ordered, next: append([]int32(nil), ordered.first...),
		after: make([]int32, darts), before: make([]int32, darts), left: make([]int32, vertices), right: make([]int32, vertices),
	}
	for v := range int32(vertices) {
		p.ring(v)
	}
	looks := interrupt.Context(ctx)
	for _, root := range t.roots {
		if err := p.from(root, &looks); err != nil {
			return nil, err
		}
	}
	return p.after, nil
}

func (p *placing) ring(v int32) {
	last := none
	add := func(dart int32) {
		if last == none {
			p.after[dart], p.before[dart] = dart, dart
		} else {
			p.insert(dart, last)
		}
		last = dart
	}
	if e := p.parent[v]; e != none {
		add(p.out(e) ^ 1)
	}
	for _, e := range p.ordered.of(v) {
		add(p.out(e))
	}
}

func (p *placing) insert(dart, at int32) {
	next := p.after[at]
	p.after[at], p.after[dart] = dart, next
	p.before[next], p.before[dart] = dart, at
}

func (p *placing) from(root int32, looks *interrupt.Watch) error {
	for v := root; ; {
		if err := looks.Look(); err != nil {
			return err
		}
		switch {
		case p.next[v] < p.ordered.first[v+1]:
			e := p.ordered.all[p.next[v]]
			p.next[v]++
			v = p.along(v, e)
		case v == root:
			return nil
		default:
			v = p.tail[p.parent[v]]
		}
	}
}

func (p *placing) along(v, e int32) int32 {
	dart, w := p.out(e), p.head[e]
	if p.isTree(e) {
		p.left[v], p.right[v] = dart, dart
		return w
	}
	if p.side[e] > 0 {
		p.insert(dart^1, p.right[w])
	} else {
		p.insert(dart^1, p.before[p.left[w]])
		p.left[w] = dart ^ 1
	}
	return v
}
