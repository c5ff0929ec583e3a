package differential

import (
	"fmt"
	"math/big"
)

// seam says how the ends of a row of cells meet: not at all, or with this sign in a Kasteleyn
// matrix.
type seam int

const (
	open   seam = 0
	even   seam = 1
	uneven seam = -1
)

// DominoesOn is the number of domino tilings of m rows and n columns, both at least 3, on the surface
// that a wrap makes of them, without floats; of a Möbius band or a Klein bottle only if both are even.
//
// A Kasteleyn matrix K has ±1 for neighbours, so that its determinant is the square of a sum
// over all tilings, each with a sign. Let H be the matrix of one row, with 1 from each cell to the
// next, -1 back, and the sign of the seam at the ends, and V the same of a column. Signs
// that alternate make K² = H²⊗1 + 1⊗V², and so
//
//	det(K)² = ∏ ∏ (h + v) = det Q(H²)      h, v eigenvalues of -H², -V², Q(x) = det(V² + x)
//
// A rectangle and a cylinder have seams for which all tilings count 1 (Kasteleyn, 1961). On a torus
// it takes the four choices of seams, of which half the sum is the number (McCoy and Wu, 1973). On a
// Möbius band and a Klein bottle the seam is i: its product with that of the seam -i is that of a
// ring twice as long (Lu and Wu, 1999).
func DominoesOn(wrap string, m, n int) *big.Int {
	if m%2 == 1 && n%2 == 1 {
		return new(big.Int)
	}
	switch wrap {
	case "rows":
		return signed(m, n, uneven, open)
	case "columns":
		return signed(m, n, open, uneven)
	case "moebius":
		d := signed(m, 2*n, open, uneven)
		return d.Sqrt(d)
	case "klein":
		d := signed(m, 2*n, uneven, uneven)
		return d.Sqrt(d)
	case "both":
		sum := new(big.Int)
		for _, v := range []seam{even, uneven} {
			for _, h := range []seam{even, uneven} {
				sum.Add(sum, signed(m, n, v, h))
			}
		}
		return sum.Rsh(sum, 1)
	}
	return signed(m, n, open, open)
}

// signed is the fourth root of det Q(H²).
func signed(m, n int, v, h seam) *big.Int {
	across, down := path(n, h), path(m, v)
	d := determinant(valueAt(characteristic(negated(down.times(down))), across.times(across)))
	d.Abs(d)
	return d.Sqrt(d.Sqrt(d))
}

// path is the matrix of n cells in a row.
func path(n int, s seam) matrix {
	a := newMatrix(n)
	for i := 1; i < n; i++ {
		a[i-1][i].SetInt64(1)
		a[i][i-1].SetInt64(-1)
	}
	a[n-1][0].Add(a[n-1][0], big.NewInt(int64(s)))
	a[0][n-1].Sub(a[0][n-1], big.NewInt(int64(s)))
	return a
}

// characteristic is det(x - a), by Faddeev and LeVerrier: every division is exact.
func characteristic(a matrix) polynomial {
	n := len(a)
	q := make(polynomial, n+1)
	q[n] = big.NewInt(1)
	b := newMatrix(n)
	for k := 1; k <= n; k++ {
		for i := range b {
			b[i][i].Add(b[i][i], q[n-k+1])
		}
		b = a.times(b)
		trace := new(big.Int)
		for i := range b {
			trace.Sub(trace, b[i][i])
		}
		q[n-k] = trace.Quo(trace, big.NewInt(int64(k)))
	}
	return q
}

// surfaceLaws are dominoes on small boards that wrap, and two of each surface beyond 64 bits.
func surfaceLaws() (all []Law) {
	sources := map[string]string{
		"rows": "Kasteleyn (1961)", "columns": "Kasteleyn (1961)", "both": "Kasteleyn (1961), McCoy and Wu (1973)",
		"moebius": "Lu and Wu (1999)", "klein": "Lu and Wu (1999)",
	}
	add := func(wrap string, m, n int) {
		all = append(all, Law{
			fmt.Sprintf("dominoes %dx%d, wrap %s", m, n, wrap),
			inFlow(fmt.Sprintf("%dx%d", m, n), fmt.Sprintf("wrap: %s, ", wrap), anyOf("domino")),
			DominoesOn(wrap, m, n),
			sources[wrap],
		})
	}
	for _, wrap := range []string{"rows", "columns", "both", "moebius", "klein"} {
		twisted := wrap == "moebius" || wrap == "klein"
		for m := 3; m <= 7; m++ {
			for n := 3; n <= 7; n++ {
				if !twisted || m%2 == 0 && n%2 == 0 {
					add(wrap, m, n)
				}
			}
		}
		add(wrap, 4, 60)
		add(wrap, 6, 40)
	}
	return all
}
