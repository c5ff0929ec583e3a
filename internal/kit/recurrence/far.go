package recurrence

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
)

const MaxModulus = 1 << 63 // largest modulus of TermMod

// TermMod returns a(n) modulo m, for 1 ≤ m ≤ MaxModulus. The only possible error is from ctx.
func (r *Recurrence) TermMod(ctx context.Context, n, m uint64) (uint64, error) {
	q := &modular{m: m, c: residues(r.Coefficients, m)}
	initial := residues(r.Initial, m)
	if n < uint64(len(initial)) {
		return initial[n], nil
	}
	if len(initial) == 0 {
		return 0, nil
	}
	power, err := q.monomial(ctx, n)
	var sum uint64
	for i, x := range power {
		sum = addMod(sum, mul(x, initial[i], m), m)
	}
	return sum, err
}

func residues(x []*big.Int, m uint64) []uint64 {
	all := make([]uint64, len(x))
	for i := range x {
		all[i] = residue(x[i], m)
	}
	return all
}

type modular struct {
	m uint64
	c []uint64
}

func (q *modular) monomial(ctx context.Context, n uint64) ([]uint64, error) {
	power := make([]uint64, 1, 2*len(q.c)+1)
	power[0] = 1 % q.m
	for bit := bits.Len64(n) - 1; bit >= 0; bit-- {
		square, err := q.square(ctx, power)
		if err != nil {
			return nil, err
		}
		power = square
		if n>>bit&1 != 0 {
			power = slices.Insert(power, 0, 0)
		}
		if power, err = q.reduce(ctx, power); err != nil {
			return nil, err
		}
	}
	return power, nil
}

func (q *modular) square(ctx context.Context, a []uint64) ([]uint64, error) {
	out := make([]uint64, 2*len(a)-1, 2*len(a))
	for i, x := range a {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j, y := range a {
			out[i+j] = addMod(out[i+j], mul(x, y, q.m), q.m)
		}
	}
	return out, nil
}

func (q *modular) reduce(ctx context.Context, a []uint64) ([]uint64, error) {
	order := len(q.c)
	for top := len(a) - 1; top >= order; top-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		lead := a[top]
		a = a[:top]
		for i, c := range q.c {
			at := top - 1 - i
			a[at] = addMod(a[at], mul(lead, c, q.m), q.m)
		}
	}
	return a, nil
}

// Term returns a(n) for n ≥ 0. The only possible error is from ctx. See Bytes for the memory.
func (r *Recurrence) Term(ctx context.Context, n int) (*big.Int, error) {
	order := r.Order()
	if order == 0 {
		return new(big.Int), nil
	}
	if n < steppedTerms*order {
		terms, err := r.extended(ctx, n+1)
		if err != nil {
			return nil, err
		}
		return terms[n], nil
	}
	// Let f be x^⌊n/2⌋ modulo the characteristic polynomial. Then a(n) is the sum of f_i f_j a(i+j)
	// over all i and j. If n is odd, it is the sum of f_i f_j a(i+j+1). This needs L products
	// of two long numbers. If Term squared f instead, it would need L²/2 such products.
	half, err := r.monomial(ctx, uint(n/2))
	if err != nil {
		return nil, err
	}
	terms, err := r.extended(ctx, 2*order)
	if err != nil {
		return nil, err
	}
	return pair(ctx, half, terms[n%2:])
}

const steppedTerms = 4 // if n is less than this multiple of the order, Term computes one term after another

func (r *Recurrence) extended(ctx context.Context, n int) ([]*big.Int, error) {
	terms := slices.Clone(r.Initial)
	product := new(big.Int)
	for len(terms) < n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		next := new(big.Int)
		for i, c := range r.Coefficients {
			next.Add(next, product.Mul(c, terms[len(terms)-1-i]))
		}
		terms = append(terms, next)
	}
	return terms, nil
}

func pair(ctx context.Context, f, terms []*big.Int) (*big.Int, error) {
	sum, product := new(big.Int), new(big.Int)
	for i, x := range f {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		inner := new(big.Int)
		for j, y := range f {
			inner.Add(inner, product.Mul(y, terms[i+j]))
		}
		sum.Add(sum, product.Mul(x, inner))
	}
	return sum, nil
}

// monomial returns x^n modulo the characteristic polynomial. The lowest coefficient is first.
func (r *Recurrence) monomial(ctx context.Context, n uint) ([]*big.Int, error) {
	power := []*big.Int{big.NewInt(1)}
	for bit := bits.Len(n) - 1; bit >= 0; bit-- {
		square, err := square(ctx, power)
		if err != nil {
			return nil, err
		}
		if n>>bit&1 != 0 {
			square = slices.Insert(square, 0, new(big.Int))
		}
		if power, err = r.reduce(ctx, square); err != nil {
			return nil, err
		}
	}
	return power, nil
}

func square(ctx context.Context, a []*big.Int) ([]*big.Int, error) {
	out := make([]*big.Int, 2*len(a)-1)
	for i := range out {
		out[i] = new(big.Int)
	}
	product := new(big.Int)
	for i, x := range a {
		for j := range i {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			out[i+j].Add(out[i+j], product.Mul(x, a[j]))
		}
	}
	for i := range out {
		out[i].Lsh(out[i], 1)
	}
	for i, x := range a {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[2*i].Add(out[2*i], product.Mul(x, x))
	}
	return out, nil
}

func (r *Recurrence) reduce(ctx context.Context, a []*big.Int) ([]*big.Int, error) {
	product := new(big.Int)
	for top := len(a) - 1; top >= r.Order(); top-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i, c := range r.Coefficients {
			at := a[top-1-i]
			at.Add(at, product.Mul(c, a[top]))
		}
		a = a[:top]
	}
	return a, nil
}

// Bytes estimates the memory that Term(n) needs, in bytes, from the growth of the terms.
func (r *Recurrence) Bytes(ctx context.Context, n int) (int64, error) {
	order := r.Order()
	if order == 0 || n < order {
		return 0, nil
	}
	last := steppedTerms*order + 64
	terms, err := r.extended(ctx, last+1)
	if err != nil {
		return 0, err
	}
	longest := 0 // bits of the longest of L consecutive terms, since some of them may be 0
	for _, t := range terms[last-order:] {
		longest = max(longest, t.BitLen())
	}
	size := float64(longest) / float64(last) * float64(n) / 8
	if n < steppedTerms*order {
		return int64(size * float64(n)), nil
	}
	// Term holds two products of polynomials. Their coefficients have half as many bits as a(n).
	return int64(size * float64(2*order+8)), nil
}

// String returns the recurrence as a formula.
func (r *Recurrence) String() string {
	if r.Order() == 0 {
		return "a(n) = 0"
	}
	text := ""
	for i, c := range r.Coefficients {
		if c.Sign() == 0 {
			continue
		}
		text += term(c, fmt.Sprintf("a(n-%d)", i+1), " ", text == "")
	}
	if text == "" {
		text = "0"
	}
	return "a(n) = " + text
}

// Polynomial returns a polynomial in x as a formula. p begins with the lowest coefficient.
func Polynomial(p []*big.Int) string {
	text := ""
	for i, c := range p {
		if c.Sign() == 0 {
			continue
		}
		what := ""
		switch {
		case i == 1:
			what = "x"
		case i > 1:
			what = fmt.Sprintf("x^%d", i)
		}
		text += term(c, what, "*", text == "")
	}
	if text == "" {
		return "0"
	}
	return text
}

func term(c *big.Int, what, times string, first bool) string {
	sign := " + "
	switch {
	case first && c.Sign() < 0:
		sign = "-"
	case first:
		sign = ""
	case c.Sign() < 0:
		sign = " - "
	}
	size := new(big.Int).Abs(c)
	switch {
	case what == "":
		return sign + size.String()
	case size.IsInt64() && size.Int64() == 1:
		return sign + what
	}
	return sign + size.String() + times + what
}
