package dimer

import (
	"cmp"
	"slices"
)

type part struct {
	rows   []row
	arcs   []arc   // arcs of all rows, row after row; in each, known arcs come before fresh arcs
	frees  []int32 // places that become free after each row, row after row
	places int     // largest number of white vertices that have vectors at one time
	width  int     // largest number of unknowns at one time
	odd    bool    // whether the term of Matrix.known has the sign - in the determinant
	cost   int64   // the approximate number of multiplications modulo one prime
	tape   int64   // the approximate number of words on the tape, see inverse.go
	primes int     // number of primes; their product is above the determinant

	squared bool // whether the determinant is the square of the count
}

type row struct {
	known, fresh, end int32 // arcs[known:fresh] lead to vertices of earlier rows, arcs[fresh:end] to new vertices
	frees             int32 // the index in frees at which the places of the row end
}

type arc struct {
	edge, white, place int32
}

type layout struct {
	*part
	o     *orderer
	last  []int32 // last row that needs each white vertex of the graph
	white []int32 // index in the part of each white vertex of the graph, none at first
	place []int32 // place of each white vertex of the part
	free  []int32
	known int // number of white vertices that have a place
	open  int
}

func (p *part) bytes() int64 { return 8 * int64(p.places+1) * int64(p.width) }

func newLayouts(o *orderer) *layout {
	return &layout{o: o, last: make([]int32, o.g.White), white: make([]int32, o.g.White)}
}

func (l *layout) lay(order []int32, known *term) *part {
	l.part = &part{rows: make([]row, 0, len(order))}
	l.place, l.free, l.known, l.open = l.place[:0], l.free[:0], 0, 0
	edges := l.o.g.Edges
	for k, b := range order {
		for e := l.o.start[b]; e < l.o.start[b+1]; e++ {
			l.last[edges[e].White], l.white[edges[e].White] = int32(k), none
		}
	}
	for k, b := range order {
		l.row(int32(k), b)
	}
	whites := make([]int32, len(order))
	for k, b := range order {
		whites[k] = l.white[known.column[b]]
		l.odd = l.odd != known.negative[b]
	}
	l.odd = l.odd != odd(whites)
	return l.part
}

// row adds row number k, the row of the black vertex b. Its fresh arcs are sorted by the number of
// the last row that needs the vertex. The row will be solved for the vertex of the first fresh arc.
func (l *layout) row(k, b int32) {
	r := row{known: int32(len(l.arcs))}
	edges := l.o.g.Edges
	var fresh []int32
	for e := l.o.start[b]; e < l.o.start[b+1]; e++ {
		if w := l.white[edges[e].White]; w != none {
			l.arcs = append(l.arcs, arc{e, w, l.place[w]})
		} else {
			fresh = append(fresh, e)
		}
	}
	slices.SortStableFunc(fresh, func(x, y int32) int { return cmp.Compare(l.last[edges[x].White], l.last[edges[y].White]) })
	r.fresh = int32(len(l.arcs))
	for _, e := range fresh {
		l.arcs = append(l.arcs, l.meet(e))
	}
	r.end = int32(len(l.arcs))
	l.width = max(l.width, l.open+len(fresh))
	l.cost += int64(r.fresh-r.known) * int64(l.open)
	before := len(l.frees)
	if l.open += len(fresh) - 1; len(fresh) == 0 { // the row is solved for an unknown
		l.cost += int64(l.known) * int64(l.open+1)
		l.tape += 2*int64(l.known) + int64(l.open) + 2
	}
	l.leave(k, r.known)
	r.frees = int32(len(l.frees))
	l.tape += int64(len(l.frees)-before) * int64(l.open+1)
	l.rows = append(l.rows, r)
}

func (l *layout) meet(edge int32) arc {
	if len(l.free) == 0 {
		l.free = append(l.free, int32(l.places))
		l.places++
	}
	last := len(l.free) - 1
	at := arc{edge, int32(len(l.place)), l.free[last]}
	l.free = l.free[:last]
	l.white[l.o.g.Edges[edge].White] = at.white
	l.place = append(l.place, at.place)
	l.known++
	return at
}

func (l *layout) leave(k, first int32) {
	for _, a := range l.arcs[first:] {
		if l.last[l.o.g.Edges[a.edge].White] == k {
			l.frees = append(l.frees, a.place)
			l.free = append(l.free, a.place)
			l.known--
		}
	}
}
