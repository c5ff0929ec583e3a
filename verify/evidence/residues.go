package evidence

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/pavage/pavage/count"
)

// ResidueCheck is a second count, of which only residues were made.
type ResidueCheck struct {
	Moduli, Residues []uint64
	States           int64
	Elapsed          time.Duration
}

// primes is the number of primes modulo which the count is compared. A wrong count looks
// right modulo a prime that divides its error. But an error of 10,000 digits has at most
// 550 prime factors of 62 bits, and there are 5·10^16 such primes.
const primes = 2

// residues counts once more, in another order and modulo random primes.
func (v *verifier) residues(ctx context.Context, rng *rand.Rand) error {
	start := time.Now()
	moduli := randomPrimes(rng)
	var order []int
	var err error
	if v.Result.Engine != count.Dimer { // any order is another than that of a determinant: take the best
		order, err = count.OtherOrder(ctx, v.problem)
	}
	var residues []uint64
	var r *count.Result
	if err == nil {
		o := v.o.Count
		o.Progress = v.stage("counting again")
		residues, r, err = count.Residues(ctx, v.problem, moduli, order, o)
	}
	switch {
	case err != nil:
		return v.leaveOut("There was no second count, modulo primes by a sweep", err)
	case r.States == 0 && v.Result.Count.Sign() == 0:
		v.leaveOpen("There was no second count: that sizes and bounds do not fit tells a sweep, too, that there is no solution.")
		return nil
	}
	v.Residues = &ResidueCheck{moduli, residues, r.States, time.Since(start)}
	for i, m := range moduli {
		if want := v.rest(m); residues[i] != want {
			return differ("the engine %s counts %v, which is %d modulo %d; a second sweep has %d", v.Result.Engine, v.Result.Count, want, m, residues[i])
		}
	}
	which := "A second sweep, in another order of the items, which meets other states,"
	switch {
	case v.Result.Engine == count.Dimer:
		which = "A sweep, by states"
	case order == nil:
		which = "A second sweep, in the same order"
	}
	v.confirm("%s and without large numbers, has the same count modulo two random primes of 62 bits: %d and %d.", which, moduli[0], moduli[1])
	return nil
}
