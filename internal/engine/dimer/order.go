package dimer

import (
	"cmp"
	"context"
	"slices"

	"github.com/pavage/pavage/internal/kit/interrupt"
)

type orderer struct {
	g     *Bipartite
	looks interrupt.Watch
	start []int32 // first edge of each black vertex
	back  []int32 // in[back[w]:back[w+1]] has the edges of the white vertex w
	in    []int32 // the edges, sorted by white vertex

	met []int32 // number of the last breadth-first search that met each black vertex, from 1
	far []int32 // distance of each black vertex from the first vertex of that search
	now int32
}

func newOrderer(ctx context.Context, g *Bipartite) *orderer {
	o := &orderer{
		g: g, looks: interrupt.Context(ctx), start: g.rows(),
		back: make([]int32, g.White+1), in: make([]int32, len(g.Edges)),
		met: make([]int32, g.Black), far: make([]int32, g.Black),
	}
	for i := range g.Edges {
		o.back[g.Edges[i].White+1]++
	}
	for w := range g.White {
		o.back[w+1] += o.back[w]
	}
	at := slices.Clone(o.back)
	for i := range g.Edges {
		w := g.Edges[i].White
		o.in[at[w]] = int32(i)
		at[w]++
	}
	return o
}

func (o *orderer) orders() ([][][]int32, error) {
	var parts [][][]int32
	of := slices.Repeat([]int32{none}, o.g.Black)
	for b := range int32(o.g.Black) {
		if of[b] != none {
			continue
		}
		ends, err := o.ends(b)
		if err != nil {
			return nil, err
		}
		for _, at := range ends[0] {
			of[at] = int32(len(parts))
		}
		parts = append(parts, ends)
	}
	for _, hint := range o.g.Orders {
		apart := make([][]int32, len(parts))
		for _, b := range hint {
			apart[of[b]] = append(apart[of[b]], b)
		}
		for k, rows := range apart {
			parts[k] = append(parts[k], rows)
		}
		if err := o.looks.Work(len(hint)); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

func (o *orderer) ends(b int32) ([][]int32, error) {
	order, depth := o.breadth(b)
	for {
		next, further := o.breadth(order[len(order)-1])
		if err := o.looks.Work(len(order)); err != nil || further <= depth {
			return [][]int32{next, order}, err
		}
		order, depth = next, further
	}
}

// breadth lists the rows of a part by breadth-first search from one row. New neighbours of a row
// are sorted by degree (Cuthill and McKee 1969).
func (o *orderer) breadth(from int32) (order []int32, depth int32) {
	o.now++
	o.met[from], o.far[from] = o.now, 0
	order = append(order, from)
	for k := 0; k < len(order); k++ {
		at, first := order[k], len(order)
		for e := o.start[at]; e < o.start[at+1]; e++ {
			w := o.g.Edges[e].White
			for _, f := range o.in[o.back[w]:o.back[w+1]] {
				if to := o.g.Edges[f].Black; o.met[to] != o.now {
					o.met[to], o.far[to] = o.now, o.far[at]+1
					order = append(order, to)
				}
			}
		}
		slices.SortStableFunc(order[first:], func(a, b int32) int { return cmp.Compare(o.degree(a), o.degree(b)) })
	}
	return order, o.far[order[len(order)-1]]
}

func (o *orderer) degree(b int32) int32 { return o.start[b+1] - o.start[b] }
