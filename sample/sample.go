// Package sample draws exactly uniform members of a family of sets that a
// decision diagram holds.
//
// # Purpose
//
// A diagram with the number of sets below every node orders its family: rank
// and unrank go between a set and its place. A fair draw is then unrank(r) of
// a uniform integer r.
//
//	  (a)  3               The family {ab, a, b}, nodes with their
//	lo╱ ╲hi                counts. At each node the sets without its
//	(b)1 (b)2              variable come first:
//	  ╲   ╱ ╲
//	   ⊤        rank 0: b    rank 1: a    rank 2: ab
//
// unrank(2): at (a), 1 set lies under lo, so 2-1 = 1 under hi; at the right
// (b), 1 set lies under lo, so 1-1 = 0 under hi; ⊤. Taken: a, b.
//
// # Fairness
//
// A uniform integer below n is drawn by rejection: as many random bits as n-1
// has, again until the value is below n (less than two tries on average).
// Neither modulo, which favours small values, nor float, which misses values,
// comes near it. The same seed gives the same draws on every machine.
//
// [Walk] draws from a problem whose diagram would be too large, from the levels
// of a sweep, by ranks in another order.
//
// [Distinct] draws classes of solutions up to symmetry instead, each class
// equally likely.
//
// # Non-goals
//
// No building of diagrams and no meaning of variables: a draw is a set of
// variables.
//
// # Cost
//
// Unrank, rank and draw are linear in the length of a path from root to ⊤,
// which is at most the number of variables, times the limbs of a count.
//
// # References
//
// Knuth, TAOCP 4A, 7.1.4, exercise 25 (random solutions from a diagram);
// Knuth, TAOCP 2, 3.4.1 (rejection).
package sample

import (
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/count"
)

var (
	// ErrEmpty says that there is nothing to draw from.
	ErrEmpty = errors.New("there is no solution to draw")
	// ErrRank is wrapped when a rank is not in [0, count).
	ErrRank = count.ErrRank
	// ErrMember is wrapped when a set that is ranked is not in the family.
	ErrMember = errors.New("not a member")
)

// Sampler ranks, unranks and draws. It is immutable and safe for concurrent
// use, but for what it is given to draw from.
type Sampler struct {
	d      *bdd.Diagram
	counts *bdd.Counts
	count  *big.Int
}

// New counts the sets below every node of d, which stops when ctx ends.
func New(ctx context.Context, d *bdd.Diagram) (*Sampler, error) {
	counts, err := d.Counts(ctx)
	if err != nil {
		return nil, err
	}
	return FromCounts(d, counts), nil
}

// FromCounts is New for a diagram whose counts are known already.
func FromCounts(d *bdd.Diagram, counts *bdd.Counts) *Sampler {
	return &Sampler{d: d, counts: counts, count: counts.At(d.Root())}
}

// Count is the number of sets of the family.
func (s *Sampler) Count() *big.Int { return new(big.Int).Set(s.count) }

// Unrank returns the set of rank r, 0 ≤ r < Count, as rising variables.
func (s *Sampler) Unrank(r *big.Int) ([]int, error) {
	if r.Sign() < 0 || r.Cmp(s.count) >= 0 {
		return nil, fmt.Errorf("%w: %v, want 0 ≤ rank < %v", ErrRank, r, s.count)
	}
	return s.unrank(bdd.Limbs(r, s.counts.Width())), nil
}

// unrank uses up r, which is below the count of the root.
func (s *Sampler) unrank(r []uint64) []int {
	var set []int
	v := 0
	for n := s.d.Root(); n > bdd.Top; {
		v = s.d.VarFrom(v, n)
		if subtract(r, s.counts.Limbs(s.d.Lo(n))) {
			set = append(set, v)
			n = s.d.Hi(n)
		} else {
			n = s.d.Lo(n)
		}
	}
	return set
}

// Rank returns the rank of a set, given as rising variables. The error wraps
// ErrMember if the set is not in the family.
func (s *Sampler) Rank(set []int) (*big.Int, error) {
	rank := make([]uint64, s.counts.Width())
	v, taken := 0, 0
	n := s.d.Root()
	for n > bdd.Top {
		v = s.d.VarFrom(v, n)
		switch {
		case taken < len(set) && set[taken] < v:
			n = bdd.Bottom // no set below has this variable
		case taken < len(set) && set[taken] == v:
			add(rank, s.counts.Limbs(s.d.Lo(n)))
			taken++
			n = s.d.Hi(n)
		default:
			n = s.d.Lo(n)
		}
	}
	if n != bdd.Top || taken != len(set) {
		return nil, fmt.Errorf("%w: %v", ErrMember, set)
	}
	return bdd.Big(rank), nil
}

// Draw is one fair draw.
type Draw struct {
	Rank *big.Int
	Set  []int // rising variables
}

// Draws is an endless stream of independent fair draws with replacement. It
// yields nothing if the family is empty (see [Sampler.Check]).
func (s *Sampler) Draws(src rand.Source) iter.Seq[Draw] {
	return func(yield func(Draw) bool) {
		if s.count.Sign() == 0 {
			return
		}
		die := newDie(bdd.Limbs(s.count, s.counts.Width()))
		r := make([]uint64, s.counts.Width())
		for {
			die.roll(r, src)
			rank := bdd.Big(r)
			if !yield(Draw{Rank: rank, Set: s.unrank(r)}) {
				return
			}
		}
	}
}

// Check returns ErrEmpty if there is nothing to draw.
func (s *Sampler) Check() error {
	if s.count.Sign() == 0 {
		return ErrEmpty
	}
	return nil
}

// Seeded is a source whose output a seed fixes on every machine (PCG-DXSM).
func Seeded(seed uint64) rand.Source { return rand.NewPCG(seed, 0x9E3779B97F4A7C15) }

// Fresh is a source seeded by the operating system (ChaCha8).
func Fresh() rand.Source {
	var seed [32]byte
	_, _ = crand.Read(seed[:]) // never fails: it ends the program rather
	return rand.NewChaCha8(seed)
}

// die draws uniform integers below n. Limbs are lowest first.
type die struct {
	n    []uint64
	top  int    // the highest limb of n-1 that is not 0
	mask uint64 // the bits of that limb that n-1 needs
}

// newDie takes n > 0.
func newDie(n []uint64) die {
	most, one := slices.Clone(n), make([]uint64, len(n))
	one[0] = 1
	subtract(most, one)
	d := die{n: n}
	for k, limb := range most {
		if limb != 0 {
			d.top = k
		}
	}
	d.mask = 1<<bits.Len64(most[d.top]) - 1
	return d
}

// roll sets r by rejection: it gets as many random bits as n-1 has, again
// until it is below n.
func (d die) roll(r []uint64, src rand.Source) {
	clear(r)
	for {
		for i := range d.top + 1 {
			r[i] = src.Uint64()
		}
		r[d.top] &= d.mask
		if below(r, d.n) {
			return
		}
	}
}

func below(a, b []uint64) bool {
	for i := len(a) - 1; i >= 0; i-- {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// subtract sets a to a-b and returns true if a ≥ b, and leaves a if not.
func subtract(a, b []uint64) bool {
	if below(a, b) {
		return false
	}
	var c uint64
	for i := range a {
		a[i], c = bits.Sub64(a[i], b[i], c)
	}
	return true
}

// add sets a to a+b, which the callers know to fit.
func add(a, b []uint64) {
	var c uint64
	for i := range a {
		a[i], c = bits.Add64(a[i], b[i], c)
	}
}
