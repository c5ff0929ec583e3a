package differential

import (
	"fmt"
	"math/big"
	"math/bits"
	"testing"
)

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

// eliminate makes the part of row i to the right of column k ready for the next step.
func (a matrix) eliminate(i, k int, last *big.Int) {
	x, y := new(big.Int), new(big.Int)
	for j := k + 1; j < len(a); j++ {
		x.Mul(a[i][j], a[k][k])
		y.Mul(a[i][k], a[k][j])
		a[i][j].Quo(x.Sub(x, y), last)
	}
}

// seam defines how the ends of a row of cells meet: not at all, or with this sign in a Kasteleyn
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
// A rectangle and a cylinder have seams for which all tilings count 1 (Kasteleyn, 1961). The number
// of a torus is half the sum over the four choices of seams (McCoy and Wu, 1973). On a Möbius band
// and a Klein bottle the seam is i: the product of its matrix with the matrix of the seam -i has
// the eigenvalues of a ring twice as long (Lu and Wu, 1999).
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

// TestDominoesOn compares the formulas with sums over what lies over the seam between the columns.
func TestDominoesOn(t *testing.T) {
	for _, wrap := range []string{"rows", "columns", "both", "moebius", "klein", "none"} {
		for m := 3; m <= 7; m++ {
			for n := 3; n <= 6; n++ {
				if (wrap == "moebius" || wrap == "klein") && (m%2 == 1 || n%2 == 1) {
					continue
				}
				got, want := DominoesOn(wrap, m, n), byColumns(wrap, m, n)
				if got.Cmp(want) != 0 {
					t.Errorf("wrap %s %dx%d: %s dominoes, want %s", wrap, m, n, got, want)
				}
			}
		}
	}
	for wrap, want := range map[string]string{"both": "90176", "none": "6728"} { // OEIS A335586, A004003
		if got := DominoesOn(wrap, 6, 6).String(); got != want {
			t.Errorf("wrap %s 6x6: %s dominoes, want %s", wrap, got, want)
		}
	}
}

// byColumns adds up the tilings in which the dominoes over the seam lie in these rows, for all sets
// of rows.
func byColumns(wrap string, m, n int) *big.Int {
	ring := wrap == "rows" || wrap == "both" || wrap == "klein"
	total := new(big.Int)
	for over := range uint(1) << m {
		if wrap == "none" || wrap == "rows" {
			if over > 0 {
				break
			}
		}
		covered := over // of the first column
		if wrap == "moebius" || wrap == "klein" {
			covered = bits.Reverse(over) >> (bits.UintSize - m)
		}
		ways := map[uint]*big.Int{covered: big.NewInt(1)}
		for range n {
			next := map[uint]*big.Int{}
			for taken, count := range ways {
				for out := range uint(1) << m {
					if k := standing(m, ring, taken|out); out&taken == 0 && k > 0 {
						if next[out] == nil {
							next[out] = new(big.Int)
						}
						next[out].Add(next[out], new(big.Int).Mul(count, big.NewInt(k)))
					}
				}
			}
			ways = next
		}
		if count := ways[over]; count != nil {
			total.Add(total, count)
		}
	}
	return total
}

// standing is the number of ways to fill the free cells of a column, a ring or not, with dominoes
// that stand in it.
func standing(m int, ring bool, taken uint) int64 {
	var fill func(at int, taken uint) int64
	fill = func(at int, taken uint) int64 {
		switch {
		case at >= m:
			return 1
		case taken>>at&1 == 1:
			return fill(at+1, taken)
		case at+1 < m && taken>>(at+1)&1 == 0:
			return fill(at+2, taken)
		}
		return 0
	}
	n := fill(0, taken)
	if both := uint(1)<<(m-1) | 1; ring && taken&both == 0 {
		n += fill(0, taken|both)
	}
	return n
}
