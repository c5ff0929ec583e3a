package shuffle

import "math"

// double is a number of 106 bits, the sum of two float64 numbers (T. J. Dekker 1971). Products are
// converted to float64, since Go may fuse x*y + z, which would spoil an error term.
type double struct{ hi, lo float64 }

func (a double) mul(b double) double {
	p := float64(a.hi * b.hi)
	e := math.FMA(a.hi, b.hi, -p) + (float64(a.hi*b.lo) + float64(a.lo*b.hi))
	return sum(p, e)
}

func (a double) div(b double) double {
	q := a.hi / b.hi
	r := math.FMA(-q, b.hi, a.hi) // exact
	r += a.lo - float64(q*b.lo)
	return sum(q, r/b.hi)
}

// addOne returns 1 + a, for a ≥ 0.
func (a double) addOne() double {
	s := 1 + a.hi
	t := s - 1
	return sum(s, (1-(s-t))+(a.hi-t)+a.lo)
}

// sum returns a + b for |a| ≥ |b|.
func sum(a, b float64) double {
	s := a + b
	return double{s, b - (s - a)}
}

// belowDouble is like below, for double-double numbers.
func belowDouble(out, cur, above *level, from, to int, terms []double) bool {
	k, m := cur.k, cur.k-1
	p, q, p2, q2 := terms[:k], terms[k:2*k], terms[2*k:3*k], terms[3*k:4*k]
	factorsDouble(cur, from, p, q)
	seen := uint32(0)
	for i := from; i < to; i++ {
		factorsDouble(cur, i+1, p2, q2)
		e1, e2 := cur.e[i*k:][:k], cur.e[(i+1)*k:][:k]
		for j := range m {
			up := (i+1)*(k+1) + j + 1
			x := q[j].mul(p[j+1]).mul(p2[j].mul(q2[j+1])).div(double{above.x[up], above.lo[up]})
			e := max(e1[j], 0) + min(e1[j+1], 0) + min(e2[j], 0) + max(e2[j+1], 0) - above.e[up]
			if !(x.hi >= low && x.hi < high) {
				x.hi, x.lo, e = normal(x.hi, x.lo, e)
			}
			at := i*m + j
			out.x[at], out.lo[at], out.e[at] = x.hi, x.lo, e
			seen |= uint32(e + scaleOffset)
		}
		p, p2, q, q2 = p2, p, q2, q
	}
	return seen&scaleMask == 0
}

func factorsDouble(l *level, i int, p, q []double) {
	for j := range l.k {
		x := double{l.x[i*l.k+j], l.lo[i*l.k+j]}
		switch e := l.e[i*l.k+j]; {
		case e == 0:
			p[j] = x.addOne()
			q[j] = x.div(p[j])
		case e > 0:
			p[j], q[j] = double{1, 0}, x
		default:
			p[j], q[j] = x, double{1, 0}
		}
	}
}
