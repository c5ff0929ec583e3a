package recurrence

import (
	"context"
	"errors"
	"math/big"
	"testing"
)

// TestUnluckyTwice: the powers of two, but for a last term that is one modulo
// the first two primes alone, obey no recurrence that so few terms determine.
// Both primes agree on a(n) = 2 a(n-1); only the terms themselves do not.
func TestUnluckyTwice(t *testing.T) {
	p := primeBelow(1 << 62)
	miss := new(big.Int).Mul(new(big.Int).SetUint64(p), new(big.Int).SetUint64(primeBelow(p)))
	var f Finder
	for n := range 12 {
		term := new(big.Int).Lsh(big.NewInt(1), uint(n))
		if n == 11 {
			term.Add(term, miss)
		}
		f.Add(term)
	}
	if r, err := f.Recurrence(context.Background()); !errors.Is(err, ErrNone) {
		t.Errorf("got %v, %v, want ErrNone", r, err)
	}
}
