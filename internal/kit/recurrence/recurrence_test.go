package recurrence

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

func ints(values ...int64) []*big.Int {
	all := make([]*big.Int, len(values))
	for i, v := range values {
		all[i] = big.NewInt(v)
	}
	return all
}

func equal(a, b []*big.Int) bool {
	return slices.EqualFunc(a, b, func(x, y *big.Int) bool { return x.Cmp(y) == 0 })
}

// find gives a finder the terms and wants a recurrence.
func find(t *testing.T, terms []*big.Int) *Recurrence {
	t.Helper()
	var f Finder
	for _, x := range terms {
		f.Add(x)
	}
	r, err := f.Recurrence(context.Background())
	if err != nil {
		t.Fatalf("%d terms: %v", len(terms), err)
	}
	return r
}

// extend goes on with a recurrence to n terms.
func extend(t *testing.T, r *Recurrence, n int) []*big.Int {
	t.Helper()
	terms, err := r.extended(context.Background(), n)
	if err != nil {
		t.Fatal(err)
	}
	return terms
}

func TestKnown(t *testing.T) {
	for name, test := range map[string]struct{ terms, want []*big.Int }{
		"nothing":         {nil, nil},
		"zeros":           {ints(0, 0, 0), nil},
		"ones":            {ints(1, 1, 1, 1), ints(1)},
		"one and zeros":   {ints(1, 0, 0, 0), ints(0)},
		"late start":      {ints(0, 0, 1, 1, 1, 1), ints(1, 0, 0)},
		"powers":          {ints(1, -3, 9, -27), ints(-3)},
		"fibonacci":       {ints(1, 1, 2, 3, 5, 8), ints(1, 1)},
		"squares":         {ints(0, 1, 4, 9, 16, 25), ints(3, -3, 1)},
		"dominoes 4 wide": {ints(1, 1, 5, 11, 36, 95, 281, 781), ints(1, 5, 1, -1)},
		"every other":     {ints(1, 0, 3, 0, 11, 0, 41, 0), ints(0, 4, 0, -1)},
	} {
		if r := find(t, test.terms); !equal(r.Coefficients, test.want) {
			t.Errorf("%s: got %v, want coefficients %v", name, r, test.want)
		}
	}
}

func TestGenerating(t *testing.T) {
	r := find(t, ints(1, 1, 5, 11, 36, 95, 281, 781))
	p, q := r.Generating()
	if got := Polynomial(p) + " / " + Polynomial(q); got != "1 - x^2 / 1 - x - 5*x^2 - x^3 + x^4" {
		t.Errorf("got %s", got)
	}
	if got := r.String(); got != "a(n) = a(n-1) + 5 a(n-2) + a(n-3) - a(n-4)" {
		t.Errorf("got %s", got)
	}
	p, q = find(t, nil).Generating()
	if got := Polynomial(p) + " / " + Polynomial(q); got != "0 / 1" {
		t.Errorf("got %s", got)
	}
	if got := find(t, ints(1, -3, 9, -27)).String() + find(t, ints(1, 0, 0)).String(); got != "a(n) = -3 a(n-1)a(n) = 0" {
		t.Errorf("got %s", got)
	}
}

// TestNone: there is no recurrence for sequences that obey none, that are too short, or whose
// recurrence has fractions.
func TestNone(t *testing.T) {
	primes := ints(2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31)
	halves := []*big.Int{new(big.Int).Lsh(big.NewInt(1), 40)}
	for len(halves) < 20 {
		halves = append(halves, new(big.Int).Rsh(halves[len(halves)-1], 1))
	}
	for name, terms := range map[string][]*big.Int{"primes": primes, "halves": halves, "odd": ints(1, 1, 2)} {
		var f Finder
		for _, x := range terms {
			f.Add(x)
		}
		if r, err := f.Recurrence(context.Background()); !errors.Is(err, ErrNone) {
			t.Errorf("%s: got %v and error %v, want ErrNone", name, r, err)
		}
	}
}

// random is a recurrence with coefficients of up to size bits.
func random(rng *rand.Rand, order int, size uint) *Recurrence {
	integer := func() *big.Int {
		x := new(big.Int)
		for range size/64 + 1 {
			x.Lsh(x, 64).Add(x, new(big.Int).SetUint64(rng.Uint64()))
		}
		x.Rsh(x, size/64*64+64-size)
		if rng.IntN(2) == 0 {
			x.Neg(x)
		}
		return x
	}
	r := &Recurrence{}
	for range order {
		r.Coefficients = append(r.Coefficients, integer())
		r.Initial = append(r.Initial, integer())
	}
	return r
}

// TestRandom: recurrences of all sizes are found again from twice their order of terms, and give
// the further terms.
func TestRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for k := range 300 {
		order := 1 + rng.IntN(12)
		r := random(rng, order, []uint{1, 2, 10, 61, 62, 63, 64, 200}[k%8])
		terms := extend(t, r, 4*order)
		got := find(t, terms[:2*order])
		if got.Order() > order {
			t.Fatalf("case %d: order %d, want %d or less", k, got.Order(), order)
		}
		if got.Order() == order && !equal(got.Coefficients, r.Coefficients) {
			t.Fatalf("case %d: got %v, want %v", k, got, r)
		}
		if !equal(extend(t, got, 4*order), terms) {
			t.Fatalf("case %d: %v goes on otherwise than %v", k, got, r)
		}
	}
}

// TestUnlucky hides a term's share modulo the first prime: there the order
// seems smaller.
func TestUnlucky(t *testing.T) {
	p := new(big.Int).SetUint64(primeBelow(1 << 62))
	var terms []*big.Int
	two, three := big.NewInt(1), big.NewInt(1)
	for range 10 {
		terms = append(terms, new(big.Int).Add(two, new(big.Int).Mul(p, three)))
		two, three = new(big.Int).Lsh(two, 1), new(big.Int).Mul(three, big.NewInt(3))
	}
	if r := find(t, terms); !equal(r.Coefficients, ints(5, -6)) {
		t.Errorf("got %v, want a(n) = 5 a(n-1) - 6 a(n-2)", r)
	}
}

// TestFar compares far terms with those made one after another.
func TestFar(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(3, 4))
	for k := range 60 {
		r := random(rng, k%7, []uint{1, 3, 70}[k%3])
		terms := extend(t, r, 200)
		if k%7 == 0 {
			terms = slices.Repeat(ints(0), 200)
		}
		for n, want := range terms {
			got, err := r.Term(ctx, n)
			if err != nil || got.Cmp(want) != 0 {
				t.Fatalf("case %d, %v: a(%d) = %v, %v, want %v", k, r, n, got, err, want)
			}
			m := []uint64{1, 2, 97, 1<<62 + 1, MaxModulus}[rng.IntN(5)]
			rest, err := r.TermMod(ctx, uint64(n), m)
			if err != nil || rest != residue(want, m) {
				t.Fatalf("case %d, %v: a(%d) mod %d = %v, %v, want %v", k, r, n, m, rest, err, residue(want, m))
			}
		}
	}
}

// TestFarFibonacci: F(10^18) modulo 10^9+7 by the matrix of Fibonacci, squared.
func TestFarFibonacci(t *testing.T) {
	r := &Recurrence{Coefficients: ints(1, 1), Initial: ints(0, 1)}
	const p, n = 1_000_000_007, 1_000_000_000_000_000_000
	// (F(n), F(n+1)) by doubling: F(2k) = F(k)(2F(k+1)-F(k)), F(2k+1) = F(k)²+F(k+1)².
	a, b := uint64(0), uint64(1)
	for bit := 59; bit >= 0; bit-- {
		a, b = mul(a, sub(addMod(b, b, p), a, p), p), addMod(mul(a, a, p), mul(b, b, p), p)
		if uint64(n)>>bit&1 != 0 {
			a, b = b, addMod(a, b, p)
		}
	}
	if got, err := r.TermMod(context.Background(), n, p); err != nil || got != a {
		t.Errorf("got %d, %v, want %d", got, err, a)
	}
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := &Recurrence{Coefficients: ints(1, 1), Initial: ints(0, 1)}
	if _, err := r.Term(ctx, 1000); !errors.Is(err, context.Canceled) {
		t.Errorf("Term: %v", err)
	}
	if _, err := r.TermMod(ctx, 1000, 7); !errors.Is(err, context.Canceled) {
		t.Errorf("TermMod: %v", err)
	}
	var f Finder
	for _, x := range ints(1, 1, 2, 3, 5, 8) {
		f.Add(x)
	}
	if _, err := f.Recurrence(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Recurrence: %v", err)
	}
}

// BenchmarkTerm: 10^5 rows of 6 dominoes, and a recurrence of order 60 to 10^4.
func BenchmarkTerm(b *testing.B) {
	dominoes := &Recurrence{
		Coefficients: ints(1, 20, 10, -38, -10, 20, -1, -1),
		Initial:      ints(1, 1, 13, 41, 281, 1183, 6728, 31529),
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for name, test := range map[string]struct {
		r *Recurrence
		n int
	}{"dominoes6/1e5": {dominoes, 100_000}, "dominoes6/1e6": {dominoes, 1_000_000}, "order60/1e4": {random(rng, 60, 10), 10_000}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := test.r.Term(context.Background(), test.n); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
