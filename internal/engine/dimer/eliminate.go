package dimer

import (
	"context"
	"slices"

	"github.com/pavage/pavage/internal/kit/interrupt"
)

// eliminator finds determinants of parts of a Matrix modulo a prime. Only one goroutine may use it.
type eliminator struct {
	field
	looks   interrupt.Watch
	weight  []uint64 // weight of each entry, with its sign
	inverse []uint64 // 1/weight of each entry, or 0 if the weight is 0
	part    *part

	vectors [][]uint64 // for each place, the coefficients of its white vertex as a combination of the unknowns
	sum     []uint64
	live    []int32 // places that hold a white vertex
	at      []int32 // indexed by place: index in live
	open    []int32
	pivots  []int32 // the white vertex that each row was solved for
	product uint64
	tape    *tape // records the values that are overwritten; nil if they are not needed
}

func newEliminator(ctx context.Context, f field, m *Matrix) *eliminator {
	e := &eliminator{field: f, looks: interrupt.Context(ctx)}
	e.weight = make([]uint64, len(m.weight))
	residues, inverses := f.inverses(m.values)
	e.inverse = make([]uint64, len(m.weight))
	for i, w := range m.weight {
		e.weight[i], e.inverse[i] = residues[w], inverses[w]
		if m.negative[i] {
			e.weight[i], e.inverse[i] = f.minus(e.weight[i]), f.minus(e.inverse[i])
		}
	}
	return e
}

func (e *eliminator) run(p *part) (uint64, error) {
	e.begin(p)
	from := int32(0)
	for k, r := range p.rows {
		if err := e.looks.Work(1 + int(r.fresh-r.known)*len(e.open)/4); err != nil {
			return 0, err
		}
		if !e.row(k, r, p.frees[from:r.frees]) {
			return 0, nil
		}
		from = r.frees
	}
	if odd(e.pivots) != p.odd {
		return e.minus(e.product), nil
	}
	return e.product, nil
}

func (e *eliminator) begin(p *part) {
	e.part, e.product = p, e.one
	words := make([]uint64, (p.places+1)*p.width)
	e.vectors = make([][]uint64, p.places)
	for k := range e.vectors {
		e.vectors[k], words = words[:p.width:p.width], words[p.width:]
	}
	e.sum = words
	e.live, e.open, e.at, e.pivots = nil, nil, make([]int32, p.places), make([]int32, len(p.rows))
}

// row adds an equation. If an edge to a new white vertex has a weight that is not 0 modulo the
// prime, row solves the equation for this vertex, else for an unknown. If neither is possible, the
// determinant is 0, and row returns false.
func (e *eliminator) row(k int, r row, frees []int32) bool {
	arcs := e.part.arcs
	known, fresh := arcs[r.known:r.fresh], arcs[r.fresh:r.end]
	solved := e.solvable(fresh)
	for i, a := range fresh {
		if i != solved {
			e.unknown(a)
		}
	}
	if solved >= 0 {
		e.solve(k, known, fresh, solved)
		e.leave(frees)
		return true
	}
	sum := e.sum[:len(e.open)]
	e.combine(sum, known, e.one)
	e.leave(frees)
	return e.substitute(k, sum)
}

func (e *eliminator) solvable(fresh []arc) int {
	return slices.IndexFunc(fresh, func(a arc) bool { return e.weight[a.edge] != 0 })
}

func (e *eliminator) unknown(a arc) {
	slot := len(e.open)
	e.open = append(e.open, a.white)
	for _, p := range e.live {
		e.vectors[p][slot] = 0
	}
	e.enter(a.place)
	v := e.vectors[a.place][:slot+1]
	clear(v)
	v[slot] = e.one
}

func (e *eliminator) solve(k int, known, fresh []arc, solved int) {
	a := fresh[solved]
	e.pivots[k] = a.white
	e.product = e.mul(e.product, e.weight[a.edge])
	e.enter(a.place)
	factor := e.minus(e.inverse[a.edge])
	v := e.vectors[a.place][:len(e.open)]
	e.combine(v, known, factor)
	slot := len(e.open) - len(fresh) + 1
	for i, b := range fresh {
		if i != solved {
			v[slot] = e.mul(factor, e.weight[b.edge])
			slot++
		}
	}
}

// combine sets dst to factor times the sum of the known vectors, each times its edge's weight.
func (e *eliminator) combine(dst []uint64, known []arc, factor uint64) {
	if len(known) == 0 {
		clear(dst)
		return
	}
	var v [3][]uint64
	var c [3]uint64
	for i := range v { // if there are fewer than three vectors, add 0 times the first one
		v[i] = e.vectors[known[0].place]
		if i < len(known) {
			v[i], c[i] = e.vectors[known[i].place], e.mul(factor, e.weight[known[i].edge])
		}
	}
	e.combine3(dst, v[0], v[1], v[2], c)
	for _, a := range known[min(3, len(known)):] {
		e.add(dst, e.vectors[a.place], e.mul(factor, e.weight[a.edge]))
	}
}

// substitute solves an equation for an unknown. The last unknown moves to the slot of this unknown.
func (e *eliminator) substitute(k int, sum []uint64) bool {
	last := len(sum) - 1
	slot := last
	for slot >= 0 && sum[slot] == 0 {
		slot--
	}
	if slot < 0 {
		return false
	}
	e.pivots[k] = e.open[slot]
	e.product = e.mul(e.product, sum[slot])
	factor := e.minus(e.invert(sum[slot]))
	for i, x := range sum {
		sum[i] = e.mul(x, factor)
	}
	e.tape.substituted(e, slot, factor)
	for _, p := range e.live {
		v := e.vectors[p][:len(sum)]
		if x := v[slot]; x != 0 {
			e.add(v, sum, x)
		}
		v[slot] = v[last]
	}
	e.open[slot] = e.open[last]
	e.open = e.open[:last]
	return true
}

func (e *eliminator) enter(place int32) {
	e.at[place] = int32(len(e.live))
	e.live = append(e.live, place)
}

func (e *eliminator) leave(places []int32) {
	for _, p := range places {
		e.tape.left(e.vectors[p][:len(e.open)])
		last := len(e.live) - 1
		moved := e.live[last]
		e.live[e.at[p]], e.at[moved] = moved, e.at[p]
		e.live = e.live[:last]
	}
}

func odd(permutation []int32) bool {
	done := make([]bool, len(permutation))
	even := true
	for i := range permutation {
		for j := permutation[i]; !done[i] && j != int32(i); j = permutation[j] {
			done[j] = true
			even = !even
		}
	}
	return !even
}
