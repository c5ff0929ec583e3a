package dimer

import "slices"

// This file computes the entries of the inverse matrix at the edges. By Cramer's rule, the number
// of the N perfect matchings that have an edge (b, w) is
//
//	N · K[b,w] · K⁻¹[w,b]
//
// All these entries follow from one determinant by the product rule and the chain rule:
//
//	K[b,w] · K⁻¹[w,b]  =  d log det K / d log K[b,w]  =  the share of the edge
//
// The elimination computes vectors from other vectors. A pass backwards through its steps gives the
// adjoint of each vector: the derivatives of log det by the entries of the vector (Linnainmaa
// 1970). If a step solved a row for x, and x has the adjoint a, then a·(-c₁/c) is added to the
// adjoint of x₁, and the shares are:
//	x = -(c₁x₁ + c₂x₂ + …)/c     share of the edge with weight c     1 - <a, x>
//	                             share of the edge with weight c₁    -c₁/c · <a, x₁>
// The shares of a row add up to 1, since each matching has one edge of the row. A tape has the
// values that the elimination overwrites: the vectors of white vertices that no later row needs,
// and the coefficients of each unknown that was replaced in all vectors. For n·n cells it has about
// n³/5 words. All shares together cost about three determinants. Measured:
//
//	               20x20    40x40    60x60    100x100   200x200   one thread, busy machine
//	all marginals  1.6 ms   11 ms    60 ms    0.6 s     17 s

// tape records the values that an elimination overwrites. A nil tape records nothing.
type tape struct {
	words  []uint64
	places []int32
	slots  []int32 // slot of the unknown of each row that was solved for an unknown
	live   []int32 // number of live vectors when each row was solved for an unknown
}

func (t *tape) left(vector []uint64) {
	if t != nil {
		t.words = append(t.words, vector...)
	}
}

func (t *tape) substituted(e *eliminator, slot int, factor uint64) {
	if t == nil {
		return
	}
	for _, p := range e.live {
		t.words = append(t.words, e.vectors[p][slot])
	}
	t.words = append(append(t.words, e.sum[:len(e.open)]...), factor)
	t.places = append(t.places, e.live...)
	t.slots, t.live = append(t.slots, int32(slot)), append(t.live, int32(len(e.live)))
}

func (t *tape) pop(n int) []uint64 {
	at := len(t.words) - n
	popped := t.words[at:]
	t.words = t.words[:at]
	return popped
}

type inverter struct {
	*eliminator
	adjoints [][]uint64 // adjoint of the vector of each place
	sum      []uint64   // the adjoint of the sum of a row
	unknowns int
	shares   []uint64 // indexed by entry: share of the matchings that have the edge of the entry
}

func newInverter(e *eliminator, t *tape) *inverter {
	e.tape = t
	return &inverter{eliminator: e, shares: make([]uint64, len(e.weight))}
}

func (v *inverter) run(p *part) (uint64, error) {
	t := v.tape
	*t = tape{slices.Grow(t.words[:0], int(p.tape)), t.places[:0], t.slots[:0], t.live[:0]}
	d, err := v.eliminator.run(p)
	if d == 0 || err != nil {
		return 0, err
	}
	words := make([]uint64, (p.places+1)*p.width)
	v.adjoints = make([][]uint64, p.places)
	for k := range v.adjoints {
		v.adjoints[k], words = words[:p.width:p.width], words[p.width:]
	}
	v.sum, v.unknowns = words, 0
	for k := len(p.rows) - 1; k >= 0; k-- {
		r, from := p.rows[k], int32(0)
		if k > 0 {
			from = p.rows[k-1].frees
		}
		if err := v.looks.Work(1 + int(r.fresh-r.known)*v.unknowns/2); err != nil {
			return 0, err
		}
		v.row(r, p.frees[from:r.frees])
	}
	return d, nil
}

func (v *inverter) row(r row, frees []int32) {
	known, fresh := v.part.arcs[r.known:r.fresh], v.part.arcs[r.fresh:r.end]
	if solved := v.solvable(fresh); solved >= 0 {
		v.back(frees)
		v.unsolve(known, fresh, solved)
		return
	}
	v.unsubstitute()
	v.back(frees)
	v.each(known, v.sum[:v.unknowns], v.one)
	for _, a := range fresh { // the edges to these vertices have weight 0
		v.shares[a.edge] = 0
		v.unknowns--
	}
}

func (v *inverter) back(places []int32) {
	for k := len(places) - 1; k >= 0; k-- {
		copy(v.vectors[places[k]], v.tape.pop(v.unknowns))
		clear(v.adjoints[places[k]][:v.unknowns])
	}
}

func (v *inverter) unsolve(known, fresh []arc, solved int) {
	a := fresh[solved]
	adjoint := v.adjoints[a.place][:v.unknowns]
	v.shares[a.edge] = v.plus(v.one, v.minus(v.dot(adjoint, v.vectors[a.place])))
	factor := v.minus(v.inverse[a.edge])
	v.each(known, adjoint, factor)
	slot := v.unknowns - len(fresh) + 1
	for i, b := range fresh {
		if i != solved {
			v.shares[b.edge] = v.mul(adjoint[slot], v.mul(factor, v.weight[b.edge]))
			slot++
		}
	}
	v.unknowns -= len(fresh) - 1
}

func (v *inverter) each(known []arc, adjoint []uint64, factor uint64) {
	for _, a := range known {
		weight := v.mul(factor, v.weight[a.edge])
		v.shares[a.edge] = v.mul(weight, v.dot(adjoint, v.vectors[a.place]))
		v.add(v.adjoints[a.place][:len(adjoint)], adjoint, weight)
	}
}

// unsubstitute undoes a row that was solved for an unknown. It sets v.sum to the adjoint of the sum
// of the row's known vectors.
func (v *inverter) unsubstitute() {
	t := v.tape
	last := len(t.slots) - 1
	slot, live := int(t.slots[last]), t.places[len(t.places)-int(t.live[last]):]
	t.slots, t.live, t.places = t.slots[:last], t.live[:last], t.places[:len(t.places)-len(live)]
	v.unknowns++
	factor := t.pop(1)[0]
	put, had := t.pop(v.unknowns), t.pop(len(live))
	sum := v.sum[:v.unknowns]
	clear(sum)
	for k, p := range live {
		v.unput(v.vectors[p][:v.unknowns], v.adjoints[p][:v.unknowns], put, slot, had[k])
	}
	pivot := v.plus(v.dot(sum, put), v.minus(v.one))
	for i, x := range sum {
		sum[i] = v.mul(x, factor)
	}
	sum[slot] = v.mul(pivot, factor)
}

func (v *inverter) unput(vector, adjoint, put []uint64, slot int, had uint64) {
	last := len(vector) - 1
	vector[last], adjoint[last] = vector[slot], adjoint[slot] // substitute moved the last unknown here
	vector[slot], adjoint[slot] = 0, 0
	if had != 0 {
		v.add(v.sum[:len(vector)], adjoint, had)
		v.add(vector, put, v.minus(had))
	}
	adjoint[slot] = v.dot(adjoint, put)
}
