package dimer

type piece struct {
	*Bipartite
	edges []int32 // index of each edge in the whole graph
	next  []int32 // next dart around the tail of each dart
}

// The piece has the edges for which keep returns true. It has no isolated vertices.
func (g *Bipartite) only(keep func(edge int) bool, next []int32) *piece {
	p := &piece{Bipartite: &Bipartite{}}
	var number [2][]int32
	number[0], number[1] = make([]int32, g.Black), make([]int32, g.White)
	index := make([]int32, len(g.Edges))
	for e := range g.Edges {
		if index[e] = none; keep(e) {
			index[e] = int32(len(p.edges))
			p.edges = append(p.edges, int32(e))
			number[0][g.Edges[e].Black], number[1][g.Edges[e].White] = 1, 1
		}
	}
	p.Black, p.White = renumber(number[0]), renumber(number[1])
	for _, e := range p.edges {
		at := &g.Edges[e]
		p.Edges = append(p.Edges, Link{number[0][at.Black], number[1][at.White], at.Options})
		for d := 2 * e; d < 2*e+2; d++ {
			to := next[d]
			for index[to>>1] == none {
				to = next[to]
			}
			p.next = append(p.next, 2*index[to>>1]+to&1)
		}
	}
	return p
}

func renumber(used []int32) int {
	n := int32(0)
	for i, one := range used {
		used[i] = n
		n += one
	}
	return int(n)
}
