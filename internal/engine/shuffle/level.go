package shuffle

// level holds the face weights X = ad/(bc) of the k x k cells of a diamond of order k. Cell (i, j)
// has the index i*k+j. Its weight is (x + lo) · ε^v · 2^(-256s), where ε is infinitesimal and
// 2^-128 ≤ x < 2^128. Its scale e has v and s.
type level struct {
	k  int
	x  []float64
	lo []float64 // the low words of double-double numbers; nil in a level of float64 numbers
	e  []int32
}

// A scale is v<<16 + s, where v is an exponent of ε and s counts factors of 2^-256, with -2^12 ≤ v
// < 2^12 and -2^13 ≤ s < 2^13. Scales are positive for weights below 2^-128, negative over 2^128.
//
// A scale of the next level is the sum of up to five scales, at most three of one sign, and ±2. The
// v of the sum is within ±3·2^12, its s within ±5·2^13: so no sum out of range looks like a scale.
const (
	scaleShift = 16
	// If such a sum e is no scale, a bit of scaleMask is set in e + scaleOffset.
	scaleOffset = 1<<28 + 1<<13
	scaleMask   = 7<<29 | 3<<14

	low, high = 0x1p-128, 0x1p128
)

func isScale(e int32) bool { return uint32(e+scaleOffset)&scaleMask == 0 }

func infinitesimal(e int32) bool { return e <= -1<<(scaleShift-1) || e >= 1<<(scaleShift-1) }

// At one cell, X is rounded 10 times: see the package comment. At a cell of the top pair it is
// rounded once. The constants are a little larger.
const (
	roundings    = 10.01
	topRoundings = 1.01
)

// One rounding has a relative error of at most unit. For a double-double operation, the error is
// below 2^-101, and doubleUnit is 2^-100.
const (
	unit       = 0x1p-53
	doubleUnit = 0x1p-100
)

// errorBound returns the bound E(n) on the error of log X, n levels below the first rounded level.
// A rounding has a relative error of at most u.
func errorBound(n int, u float64) float64 {
	m := float64(n)
	return u * (roundings*m*(m+1)*(2*m+1)/6 + topRoundings*(m*m+(m+1)*(m+1)))
}

// below computes the rows i with from ≤ i < to of out, the level below cur. The level above cur is
// above, and terms has room for four rows of cur. below returns false if a scale is out of range.
func below(out, cur, above *level, from, to int, terms []float64) bool {
	k, m := cur.k, cur.k-1
	p, q, p2, q2 := terms[:k], terms[k:2*k], terms[2*k:3*k], terms[3*k:4*k]
	factors(cur, from, p, q)
	seen := uint32(0)
	for i := from; i < to; i++ {
		factors(cur, i+1, p2, q2)
		o, oe := out.x[i*m:i*m+m], out.e[i*m:i*m+m]
		up, upE := above.x[(i+1)*(k+1)+1:][:m], above.e[(i+1)*(k+1)+1:][:m]
		a, b, c, d := q[:m], p[1:][:m], p2[:m], q2[1:][:m]
		e1, e2 := cur.e[i*k:][:k], cur.e[(i+1)*k:][:k]
		aE, bE, cE, dE := e1[:m], e1[1:][:m], e2[:m], e2[1:][:m]
		for j := range o {
			x := (a[j] * b[j]) * (c[j] * d[j]) / up[j]
			e := max(aE[j], 0) + min(bE[j], 0) + min(cE[j], 0) + max(dE[j], 0) - upE[j]
			if !(x >= low && x < high) {
				x, _, e = normal(x, 0, e)
			}
			o[j], oe[j] = x, e
			seen |= uint32(e + scaleOffset)
		}
		p, p2, q, q2 = p2, p, q2, q
	}
	return seen&scaleMask == 0
}

// factors sets p to 1+X and q to X/(1+X) in row i. If the scale of X is negative, p has
// this scale, else q has it. In 1+X, factors omits a term that is infinitesimal, or below 2^-128
// times the other term.
func factors(l *level, i int, p, q []float64) {
	row, e := l.x[i*l.k:][:l.k], l.e[i*l.k:][:l.k]
	p, q = p[:len(row)], q[:len(row)]
	for j, x := range row {
		switch {
		case e[j] == 0:
			t := 1 + x
			p[j], q[j] = t, x/t
		case e[j] > 0:
			p[j], q[j] = 1, x
		default:
			p[j], q[j] = x, 1
		}
	}
}

// normal moves factors of 2^256 from a positive number to its scale until 2^-128 ≤ x < 2^128. The
// products are exact. (The function below passes numbers within 2^±640, so none is 0 or ∞.)
func normal(x, lo float64, e int32) (float64, float64, int32) {
	for ; x < low; e++ {
		x, lo = x*0x1p256, lo*0x1p256
	}
	for ; x >= high; e-- {
		x, lo = x*0x1p-256, lo*0x1p-256
	}
	return x, lo, e
}
