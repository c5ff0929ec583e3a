package count

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/dimer"
	"github.com/pavage/pavage/internal/engine/sweep"
	"github.com/pavage/pavage/internal/kit/wording"
)

const (
	// MaxModulus is the largest modulus of Residues.
	MaxModulus = sweep.MaxModulus
	// maxModuli is the largest number of moduli. Each modulus needs 8 bytes in each state.
	maxModuli = 16
)

// ErrModulus is wrapped unless there are 1 to 16 moduli, each from 2 to MaxModulus.
var ErrModulus = errors.New("moduli out of range")

// Residues counts the solutions modulo each of the moduli. It sweeps in the given order of items,
// or in the order of Count if order is nil. It computes only remainders, unlike Count. If order is
// nil, Options.Engine may also be Dimer or Auto. For a modulus that is an odd prime below 2^62,
// Dimer computes determinants modulo this prime. For other moduli it computes the whole count. Auto
// chooses the faster way. Result.Count is nil. The error wraps ErrModulus or is an error of Count.
func Residues(ctx context.Context, p *cover.Problem, moduli []uint64, order []int, o Options) ([]uint64, *Result, error) {
	if len(moduli) == 0 || len(moduli) > maxModuli {
		return nil, nil, fmt.Errorf("%w: there are %d moduli, expected 1 to %d", ErrModulus, len(moduli), maxModuli)
	}
	for _, m := range moduli {
		if m < 2 || m > MaxModulus {
			return nil, nil, fmt.Errorf("%w: a modulus is %d, expected 2 to %d", ErrModulus, m, uint64(MaxModulus))
		}
	}
	if err := p.Check(ctx); err != nil {
		return nil, nil, err
	}
	if order != nil {
		other := *p
		other.Orders = [][]int{order}
		if err := other.Check(ctx); err != nil {
			return nil, nil, err
		}
		return residuesOfPart(ctx, p, moduli, order, o)
	}
	s, err := apart(ctx, p, o.Engine, true)
	if err != nil {
		return nil, nil, err
	}
	if s == nil {
		return residuesOfPart(ctx, p, moduli, nil, o)
	}
	products := make([]*big.Int, len(moduli))
	all := newJoint(s, o.Engine, o)
	for i := range products {
		products[i] = new(big.Int).Set(all.Count)
	}
	for q, times := range different(s) {
		residues, r, err := residuesOfPart(ctx, q, moduli, nil, all.next(q))
		if err != nil {
			return nil, nil, err
		}
		all.add(q, times, r)
		for i, m := range moduli {
			modulus := new(big.Int).SetUint64(m)
			of := new(big.Int).Exp(new(big.Int).SetUint64(residues[i]), big.NewInt(int64(times)), modulus)
			products[i].Mod(of.Mul(of, products[i]), modulus)
		}
	}
	all.work.finish()
	residues := make([]uint64, len(moduli))
	for i, n := range products {
		residues[i] = n.Uint64()
	}
	all.Result.Count, all.Plan = nil, nil
	return residues, &all.Result, nil
}

func residuesOfPart(ctx context.Context, p *cover.Problem, moduli []uint64, order []int, o Options) ([]uint64, *Result, error) {
	if d, err := residueDimers(ctx, p, order, o); d != nil || err != nil {
		if err != nil {
			return nil, nil, err
		}
		return d.residues(ctx, moduli, o)
	}
	a, err := automatonIn(ctx, p, order, o)
	if err != nil || a == nil {
		return make([]uint64, len(moduli)), &Result{Engine: Sweep}, err
	}
	s := &sweeper{automaton: a, meter: newMeter(foreseen(a), o.Progress)}
	c := s.config(o)
	c.Value = sweep.Residues(moduli)
	s.run = sweep.Start(a, c)
	for !s.done() {
		if err := s.step(ctx); err != nil {
			return nil, nil, err
		}
	}
	residues, err := s.run.Residues()
	r := s.result()
	r.Count = nil
	return residues, r, err
}

func residueDimers(ctx context.Context, p *cover.Problem, order []int, o Options) (*dimers, error) {
	switch {
	case order != nil || o.Engine == "" || o.Engine == Sweep:
		return nil, nil
	case o.Engine == Dimer:
		return readDimers(ctx, p, nil, o)
	case o.Engine != Auto:
		return nil, fmt.Errorf("%w %q, expected %s",
			errEngine, o.Engine, wording.List([]Engine{Auto, Sweep, Dimer}))
	}
	o.Progress, o.Planned = nil, nil
	return newPlanner(p, o, toCount, usual).dimersOrSweep(ctx)
}

// residues computes determinants modulo each odd prime. For other moduli it computes the count.
func (d *dimers) residues(ctx context.Context, moduli []uint64, o Options) ([]uint64, *Result, error) {
	residues := make([]uint64, len(moduli))
	var all *Result
	r := &Result{Engine: Dimer, Bytes: d.result(nil, Options{Limits: Limits{Threads: 1}}).Bytes}
	for i, m := range moduli {
		var err error
		if isOddPrime(m) {
			residues[i], err = d.modulo(ctx, m, o)
			r.Primes, r.Products = r.Primes+1, r.Products+d.cost.Products/int64(max(1, d.cost.Primes))
		} else {
			if all == nil {
				all, err = d.count(ctx, o, "primes")
			}
			if err == nil {
				residues[i] = new(big.Int).Mod(all.Count, new(big.Int).SetUint64(m)).Uint64()
			}
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if all != nil {
		r.Primes, r.Products, r.Bytes = r.Primes+all.Primes, r.Products+all.Products, max(r.Bytes, all.Bytes)
	}
	return residues, r, nil
}

// isOddPrime reports whether m is an odd prime < dimer.MaxPrime. ProbablyPrime is exact below 2^64.
func isOddPrime(m uint64) bool {
	return m%2 == 1 && m < dimer.MaxPrime && new(big.Int).SetUint64(m).ProbablyPrime(0)
}

func automatonIn(ctx context.Context, p *cover.Problem, order []int, o Options) (*automaton.Automaton, error) {
	if order == nil {
		return inBestOrder(ctx, p, o)
	}
	a, err := automaton.Compile(ctx, p, order)
	if err != nil || !a.Feasible {
		return nil, err
	}
	return a, nil
}

// OtherOrder returns an order of the items, or nil. In this order the states of a sweep differ from
// the states in Count. The problem must be valid. Errors are errors of Count.
func OtherOrder(ctx context.Context, p *cover.Problem) ([]int, error) {
	return automaton.OtherOrder(ctx, p)
}
