// Package recurrence finds linear recurrences with constant coefficients of
// sequences of integers, and computes far terms of such sequences.
//
// # Purpose
//
// The counts for boards of one width and of heights 0, 1, 2, … are entries of powers of a matrix.
// So they obey a linear recurrence:
//
//	dominoes, width 4      1, 1, 5, 11, 36, 95, 281, 781, …
//	                       a(n) = a(n-1) + 5 a(n-2) + a(n-3) - a(n-4)
//	generating function    (1 - x^2) / (1 - x - 5x^2 - x^3 + x^4)
//
// A [Finder] receives the terms one after another. [Finder.Order] returns the least order of a
// recurrence that the terms so far obey, modulo a prime. [Finder.Recurrence] returns the recurrence
// in integers, checked against every term. [Recurrence.Term] and [Recurrence.TermMod] compute far
// terms.
//
// # Words
//
// A recurrence of order L is a(n) = c1 a(n-1) + … + cL a(n-L) for n ≥ L. Its connection polynomial
// is Q(x) = 1 - c1 x - … - cL x^L. Its characteristic polynomial has the same coefficients in
// reverse order: x^L - c1 x^(L-1) - … - cL. The coefficient cL may be 0.
//
// # How it is found
//
//	terms ── mod p ──► Berlekamp–Massey ──► L, c mod p             Finder.Add, for each term
//
//	      ── mod q, r, … ─► Berlekamp–Massey ─► CRT ─► c in integers     Finder.Recurrence
//	                                                   │
//	                        checked with every term ◄──┘
//
// If a sequence of integers obeys a recurrence over the rationals, then its shortest recurrence has
// integer coefficients (Fatou's lemma). So no fractions are needed: if the product m of the primes
// is large enough, the residues in -m/2..m/2 are the coefficients. More primes are used until the
// coefficients do not change any more. Then the recurrence is checked with every term, so a prime
// for which the order is too small does no harm.
//
// # Correctness
//
// The recurrence, of order L, holds for all terms that were given. It holds for all n if the
// sequence is known to obey another recurrence, of order at most S, and at least L+S terms were
// given. Proof: The differences a(n) - c1 a(n-1) - … also obey the other recurrence. If S
// consecutive differences are 0, all later differences are 0.
//
// # Cost
//
// Each new term costs the finder O(L) operations modulo a prime. TermMod costs
// O(L² log n). The number of digits of a(n) grows in proportion to n, and Term makes about
// L² products of numbers half as long as the result.
//
// # Non-goals
//
// The package does not count, does not factor polynomials, and finds no closed forms.
//
// # References
//
// Massey, "Shift-register synthesis and BCH decoding" (1969). Fiduccia, "An efficient formula for
// linear recurrences" (1985). Fatou, "Séries trigonométriques et séries de Taylor" (1906). The
// method for sequences of fractions is in Wang, "A p-adic algorithm for univariate partial
// fractions" (1981).
package recurrence

import (
	"context"
	"errors"
	"math/big"
)

// ErrNone is wrapped by errors for terms that do not determine a recurrence.
var ErrNone = errors.New("no recurrence is determined by the terms")

// Recurrence is a(n) = Coefficients[0] a(n-1) + … + Coefficients[L-1] a(n-L) for n ≥ L. Initial has
// a(0), …, a(L-1). If the order L is 0, all terms are 0.
type Recurrence struct {
	Coefficients, Initial []*big.Int
}

// Order returns L, the number of coefficients.
func (r *Recurrence) Order() int { return len(r.Coefficients) }

// Generating returns the numerator and the denominator of the generating function: polynomials,
// lowest coefficient first. The denominator is the connection polynomial.
func (r *Recurrence) Generating() (numerator, denominator []*big.Int) {
	one := big.NewInt(1)
	denominator = append(denominator, one)
	for _, c := range r.Coefficients {
		denominator = append(denominator, new(big.Int).Neg(c))
	}
	for n := range r.Initial {
		sum, product := new(big.Int), new(big.Int)
		for i, q := range denominator[:n+1] {
			sum.Add(sum, product.Mul(q, r.Initial[n-i]))
		}
		numerator = append(numerator, sum)
	}
	return trim(numerator), trim(denominator)
}

func trim(p []*big.Int) []*big.Int {
	for len(p) > 1 && p[len(p)-1].Sign() == 0 {
		p = p[:len(p)-1]
	}
	if len(p) == 0 {
		p = []*big.Int{new(big.Int)}
	}
	return p
}

func (r *Recurrence) holds(ctx context.Context, terms []*big.Int) (bool, error) {
	sum, product := new(big.Int), new(big.Int)
	for n := r.Order(); n < len(terms); n++ {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		sum.SetInt64(0)
		for i, c := range r.Coefficients {
			if c.Sign() != 0 {
				sum.Add(sum, product.Mul(c, terms[n-1-i]))
			}
		}
		if sum.Cmp(terms[n]) != 0 {
			return false, nil
		}
	}
	return true, nil
}
