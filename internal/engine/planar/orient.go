package planar

import (
	"context"

	"github.com/pavage/pavage/internal/kit/interrupt"
)

// tree has edges directed by a depth-first search: tree edges lead up from roots, back edges down.
type tree struct {
	edges      [][2]int32
	tail, head []int32
	height     []int32 // number of tree edges from each vertex to the root
	parent     []int32 // the tree edge into each vertex, none for a root
	roots      []int32
	low        []int32 // least height to which each edge returns; the height of its tail if it does not return
	nesting    []int32 // 2·low of each edge, plus 1 if it returns to several heights below its tail
}

func (t *tree) isTree(e int32) bool { return t.parent[t.head[e]] == e }

func (t *tree) out(e int32) int32 {
	if t.edges[e][0] == t.tail[e] {
		return 2 * e
	}
	return 2*e + 1
}

type orienting struct {
	*tree
	darts *lists
	next  []int32 // first dart of each vertex that was not followed
	low2  []int32 // second least height to which each edge returns
	looks interrupt.Watch
}

func orient(ctx context.Context, vertices int, edges [][2]int32) (*tree, error) {
	t := &tree{
		edges: edges, height: filled(vertices), parent: filled(vertices),
		tail: filled(len(edges)), head: make([]int32, len(edges)), low: make([]int32, len(edges)), nesting: make([]int32, len(edges)),
	}
	darts := gather(vertices, upTo(2*len(edges)), func(d int32) int32 { return edges[d>>1][d&1] })
	o := &orienting{tree: t, darts: darts, next: append([]int32(nil), darts.first...), low2: make([]int32, len(edges)), looks: interrupt.Context(ctx)}
	for v := range int32(vertices) {
		if t.height[v] != none {
			continue
		}
		t.roots = append(t.roots, v)
		t.height[v] = 0
		if err := o.from(v); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func filled(n int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = none
	}
	return all
}

func (o *orienting) from(root int32) error {
	for v := root; ; {
		if err := o.looks.Look(); err != nil {
			return err
		}
		if o.next[v] == o.darts.first[v+1] {
			if v == root {
				return nil
			}
			e := o.parent[v]
			v = o.tail[e]
			o.leave(e)
			continue
		}
		dart := o.darts.all[o.next[v]]
		o.next[v]++
		if o.tail[dart>>1] == none {
			v = o.enter(v, dart)
		}
	}
}

// enter directs the edge of a dart away from v. If the search has not met the head before, enter
// returns the head, else v.
func (o *orienting) enter(v, dart int32) int32 {
	e, w := dart>>1, o.edges[dart>>1][1-dart&1]
	o.tail[e], o.head[e] = v, w
	o.low[e], o.low2[e] = o.height[v], o.height[v]
	if o.height[w] == none {
		o.height[w], o.parent[w] = o.height[v]+1, e
		return w
	}
	o.low[e] = o.height[w]
	o.leave(e)
	return v
}

// leave is called when the search beyond e has ended. It updates low and low2 of the edge before e.
func (o *orienting) leave(e int32) {
	v := o.tail[e]
	o.nesting[e] = 2 * o.low[e]
	if o.low2[e] < o.height[v] {
		o.nesting[e]++
	}
	p := o.parent[v]
	switch {
	case p == none:
	case o.low[e] < o.low[p]:
		o.low[p], o.low2[p] = o.low[e], min(o.low[p], o.low2[e])
	case o.low[e] > o.low[p]:
		o.low2[p] = min(o.low2[p], o.low[e])
	default:
		o.low2[p] = min(o.low2[p], o.low2[e])
	}
}

func (t *tree) byNesting(key func(int32) int32) *lists {
	limit := int32(0)
	for _, n := range t.nesting {
		limit = max(limit, n)
	}
	sorted := gather(int(2*limit)+1, upTo(len(t.edges)), func(e int32) int32 { return key(e) + limit })
	return gather(len(t.height), sorted.all, func(e int32) int32 { return t.tail[e] })
}
