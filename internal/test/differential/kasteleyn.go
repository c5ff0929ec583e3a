package differential

import "math/big"

// polynomial is the coefficients of an integer polynomial, the constant first.
type polynomial []*big.Int

// DominoTilings is the number of domino tilings of m x n, without floats.
// Kasteleyn's product
//
//	∏ ∏ (4cos²(πj/(m+1)) + 4cos²(πk/(n+1))),   1 ≤ j ≤ ⌈m/2⌉, 1 ≤ k ≤ ⌈n/2⌉
//
// runs over the roots of two integer polynomials: the 2cos(πj/(m+1)) are the
// roots of Chebyshev's U, in P(0) = 1, P(1) = x, P(m+1) = x·P(m) - P(m-1). Those
// of P(m) come in pairs ±x, but for an x = 0 if m is odd. So P(m) is Q(x²), or
// x·Q(x²), with the roots a(j) = 4cos²(πj/(m+1)) of Q, 1 ≤ j ≤ ⌊m/2⌋, and with
// R the same for n and b(k) its roots,
//
//	∏ ∏ (a(j) + b(k)) = ∏ ±R(-a(j)) = ±det R(-A),   A the companion matrix of Q.
//
// If m is odd the product has the b(k) as well, and ∏ b(k) = ±R(0) = 1 for even
// n; if both are odd there is the factor 0.
func DominoTilings(m, n int) *big.Int {
	if m%2 == 1 && n%2 == 1 {
		return new(big.Int)
	}
	d := determinant(valueAt(squares(n), negated(companion(squares(m)))))
	return d.Abs(d)
}

// squares is the polynomial whose roots are the 4cos²(πj/(m+1)) that are not 0.
func squares(m int) polynomial {
	before, p := polynomial{}, polynomial{big.NewInt(1)}
	for range m {
		next := make(polynomial, len(p)+1)
		for k := range next {
			next[k] = new(big.Int)
			if k > 0 {
				next[k].Set(p[k-1])
			}
			if k < len(before) {
				next[k].Sub(next[k], before[k])
			}
		}
		before, p = p, next
	}
	var q polynomial
	for k := m % 2; k <= m; k += 2 {
		q = append(q, p[k])
	}
	return q
}

// matrix is square.
type matrix [][]*big.Int

func newMatrix(n int) matrix {
	a := make(matrix, n)
	for i := range a {
		a[i] = make([]*big.Int, n)
		for k := range a[i] {
			a[i][k] = new(big.Int)
		}
	}
	return a
}

// companion is the matrix whose characteristic polynomial is q, which is monic.
func companion(q polynomial) matrix {
	n := len(q) - 1
	a := newMatrix(n)
	for i := range n {
		if i > 0 {
			a[i][i-1].SetInt64(1)
		}
		a[i][n-1].Neg(q[i])
	}
	return a
}

func negated(a matrix) matrix {
	for _, row := range a {
		for _, x := range row {
			x.Neg(x)
		}
	}
	return a
}

func (a matrix) times(b matrix) matrix {
	c := newMatrix(len(a))
	product := new(big.Int)
	for i := range a {
		for k := range b {
			for j := range a {
				c[i][j].Add(c[i][j], product.Mul(a[i][k], b[k][j]))
			}
		}
	}
	return c
}

// valueAt is q of a matrix, by Horner's rule.
func valueAt(q polynomial, a matrix) matrix {
	value := newMatrix(len(a))
	for k := len(q) - 1; k >= 0; k-- {
		value = value.times(a)
		for i := range value {
			value[i][i].Add(value[i][i], q[k])
		}
	}
	return value
}

// determinant eliminates without fractions (Bareiss, 1968): every division is
// exact. It changes a.
func determinant(a matrix) *big.Int {
	sign, last := int64(1), big.NewInt(1)
	for k := range a {
		pivot := k
		for pivot < len(a) && a[pivot][k].Sign() == 0 {
			pivot++
		}
		if pivot == len(a) {
			return new(big.Int)
		}
		if pivot != k {
			a[k], a[pivot] = a[pivot], a[k]
			sign = -sign
		}
		for i := k + 1; i < len(a); i++ {
			a.eliminate(i, k, last)
		}
		last = a[k][k]
	}
	return new(big.Int).Mul(last, big.NewInt(sign))
}

// eliminate makes row i of what is right of column k that of the next step.
func (a matrix) eliminate(i, k int, last *big.Int) {
	x, y := new(big.Int), new(big.Int)
	for j := k + 1; j < len(a); j++ {
		x.Mul(a[i][j], a[k][k])
		y.Mul(a[i][k], a[k][j])
		a[i][j].Quo(x.Sub(x, y), last)
	}
}
