package shuffle

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// bitsOf returns the first bits of a number below 1, as an integer.
func bitsOf(p *big.Rat, bits uint) *big.Int {
	n := new(big.Int).Lsh(p.Num(), bits)
	return n.Quo(n, p.Denom())
}

// TestCompare compares coins with probabilities a few units of 2^-64 or 2^-53 away, where X is
// known up to an error: decided coins are on the right side of all probabilities in this range.
func TestCompare(t *testing.T) {
	testkit.Serial(t)
	rng := rand.New(rand.NewPCG(9, 30))
	decided := 0
	for range testkit.Size(60_000, 1_000_000) {
		x := anyDouble(rng, rng.IntN(256)-128).hi
		if rng.IntN(2) == 0 {
			x = math.Ldexp(1+rng.Float64(), rng.IntN(20)-10)
		}
		e := math.Ldexp(rng.Float64(), -rng.IntN(80))
		if rng.IntN(3) == 0 {
			e = 0
		}
		truth := new(big.Float).SetPrec(300).SetFloat64(x)
		truth.Mul(truth, new(big.Float).SetPrec(300).SetFloat64(math.Exp(e*float64(rng.IntN(3)-1))))
		r, _ := truth.Rat(nil)
		p := face{x: r}.chance()
		u := bitsOf(p, 64)
		u.Add(u, big.NewInt(int64((rng.Float64()*2-1)*math.Ldexp(1, rng.IntN(18)))))
		if !u.IsUint64() {
			continue
		}
		side := compare(x, u.Uint64(), e/4*1.001+shortMargin)
		if side == 0 {
			continue
		}
		decided++
		// The coin is from u to u+1, in units of 2^-64.
		low, up := new(big.Rat).SetFrac(u, new(big.Int).Lsh(big.NewInt(1), 64)), new(big.Int).Add(u, big.NewInt(1))
		if side > 0 && p.Cmp(new(big.Rat).SetFrac(up, new(big.Int).Lsh(big.NewInt(1), 64))) < 0 || side < 0 && p.Cmp(low) > 0 {
			t.Fatalf("X = %g, error %g: the coin %d is decided as %d", x, e, u, side)
		}
	}
	if decided == 0 {
		t.Error("no coin is decided")
	}
}

// TestCompareLong compares coins of 96 bits with probabilities that are a few units of 2^-96 away.
func TestCompareLong(t *testing.T) {
	testkit.Serial(t)
	rng := rand.New(rand.NewPCG(16, 30))
	decided := 0
	for range testkit.Size(60_000, 1_000_000) {
		p := anyDouble(rng, -1-rng.IntN(4)*rng.IntN(30))
		truth, _ := p.value().Rat(nil)
		coin := bitsOf(truth, 96)
		coin.Add(coin, big.NewInt(int64((rng.Float64()*2-1)*math.Ldexp(1, rng.IntN(18)))))
		if coin.Sign() < 0 || coin.BitLen() > 96 {
			continue
		}
		u := new(big.Int).Rsh(coin, 32).Uint64()
		more := new(big.Int).And(coin, big.NewInt(math.MaxUint32)).Uint64()<<32 + rng.Uint64N(1<<32)
		side := compareLong(p, u, more, longMargin)
		if side != 0 {
			decided++
		}
		unit := new(big.Int).Lsh(big.NewInt(1), 96)
		up := new(big.Rat).SetFrac(new(big.Int).Add(coin, big.NewInt(1)), unit)
		if side > 0 && truth.Cmp(up) < 0 || side < 0 && truth.Cmp(new(big.Rat).SetFrac(coin, unit)) > 0 {
			t.Fatalf("p = %v: the coin %d is decided as %d", p, coin, side)
		}
	}
	if decided == 0 {
		t.Error("no coin is decided")
	}
}

// TestConstructedCoins finds keys whose coins agree with the probability of a cell in the first 64
// bits and in about 20 more. The coins are decided as by the exact probability.
func TestConstructedCoins(t *testing.T) {
	testkit.Serial(t)
	rng := rand.New(rand.NewPCG(10, 30))
	b := *small["hexagon 2,2,2"]
	for range b.ends() {
		b.Weights = append(b.Weights, anyWeight(rng, 3))
	}
	s, err := New(t.Context(), &b, Config{})
	if err != nil {
		t.Fatal(err)
	}
	s.table.double = true
	if err := s.table.prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	chances := s.chances()
	checked := 0
	for range testkit.Size(6, 30) {
		k := 1 + rng.IntN(s.place.n)
		i, j := rng.IntN(k), rng.IntN(k)
		p := chances[k][i][j]
		if p.IsInt() {
			continue
		}
		from := &s.table.pairs[0]
		for at := range s.table.pairs {
			if s.table.pairs[at].at.k >= k {
				from = &s.table.pairs[at]
			}
		}
		all := bitsOf(p, 9*64)
		word := func(at uint) uint64 {
			w := new(big.Int).Rsh(all, (8-at)*64)
			return w.And(w, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
		}
		d := &draw{Sampler: s, key: [4]uint64{rng.Uint64(), rng.Uint64(), rng.Uint64(), rng.Uint64()}}
		for try := range 1 << 20 {
			d.key[0]++
			more := d.stream(k, i, j+1)
			next := more.Uint64()
			near := int64(next-word(1))>>44 == 0 || int64(next-word(1))>>44 == -1
			if !near && try > 10 {
				continue
			}
			checked++
			want := slices.Compare([]uint64{next, more.Uint64(), more.Uint64()}, []uint64{word(1), word(2), word(3)}) < 0
			for off, want := range map[int]bool{-1: true, 0: want, 1: false} {
				u := word(0) + uint64(off)
				if got := d.exact(k, i, j, u); got != want {
					t.Fatalf("cell (%d, %d) of level %d, %d units from its probability: exact returns %v", i, j, k, off, got)
				}
				got, err := d.decide(t.Context(), from, k, i, j, u)
				if err != nil || got != want {
					t.Fatalf("cell (%d, %d) of level %d, %d units from its probability: decide returns %v, %v", i, j, k, off, got, err)
				}
			}
		}
	}
	if checked < 20 {
		t.Errorf("only %d coins", checked)
	}
}

// TestExtremeChances decides coins of one cell whose weight is near 2^128 or 2^-128, or far beyond.
func TestExtremeChances(t *testing.T) {
	for _, bits := range []uint{1, 60, 64, 70, 127, 128, 129, 300, 5000} {
		for _, more := range []int64{-1, 0, 1} {
			for _, inverse := range []bool{false, true} {
				w := new(big.Int).Lsh(big.NewInt(1), bits)
				weights := []*big.Int{w.Add(w, big.NewInt(more)), big.NewInt(1)}
				if inverse {
					slices.Reverse(weights)
				}
				table := &table{n: 1, entries: []int32{0, 1, fixed, fixed}, weights: weights, threads: 1, depth: 1, double: true}
				if err := table.prepare(t.Context()); err != nil {
					t.Fatal(err)
				}
				p := face{x: new(big.Rat).SetFrac(weights[0], weights[1])}.chance()
				s := &Sampler{place: &place{n: 1}, table: table}
				d := &draw{Sampler: s, key: [4]uint64{uint64(bits)}}
				stream := d.stream(1, 0, 1)
				next := stream.Uint64()
				for _, u := range []uint64{0, 1, 1 << 63, math.MaxUint64 - 1, math.MaxUint64, bitsOf(p, 64).Uint64()} {
					coin := new(big.Int).Lsh(new(big.Int).SetUint64(u), 64)
					coin.Or(coin, new(big.Int).SetUint64(next))
					want := new(big.Rat).SetFrac(coin, new(big.Int).Lsh(big.NewInt(1), 128)).Cmp(p) < 0
					for try := range 2 {
						got, err := d.exact(1, 0, 0, u), error(nil)
						if try == 1 {
							got, err = d.decide(t.Context(), &table.pairs[0], 1, 0, 0, u)
						}
						if err != nil || got != want {
							t.Errorf("weights %v, coin %d: %v, %v", weights, u, got, err)
						}
					}
				}
			}
		}
	}
}

type ending struct {
	context.Context
	looks int
}

func (e *ending) Err() error {
	if e.looks--; e.looks < 0 {
		return context.Canceled
	}
	return nil
}

// TestEnd ends Draw at any of its steps, also while pairs are computed again as double-double
// numbers. The next draw is not affected.
func TestEnd(t *testing.T) {
	b := small["hexagon 2,2,2"]
	fresh := func() *Sampler {
		s, err := New(t.Context(), b, Config{})
		if err != nil {
			t.Fatal(err)
		}
		s.slack, s.table.depth = 0.5, 2
		return s
	}
	keys := [][32]byte{key(1), key(2)}
	want, err := fresh().Draw(t.Context(), keys, nil)
	if err != nil {
		t.Fatal(err)
	}
	ended := 0
	rng := rand.New(rand.NewPCG(15, 30))
	ragged := anyBoard(rng, 30)
	for {
		if longer, _, _ := embed(t.Context(), ragged.turned()); longer != ragged {
			break
		}
		ragged = anyBoard(rng, 30)
	}
	for looks := 0; ; looks++ { // at the steps of New, which stretches the board
		_, err := New(&ending{t.Context(), looks}, ragged, Config{})
		if err == nil {
			break
		} else if err != context.Canceled {
			t.Fatalf("New after %d looks: %v", looks, err)
		}
		ended++
	}
	for looks := 0; ; looks++ {
		s := fresh()
		if _, err := s.Draw(&ending{t.Context(), looks}, keys, nil); err == nil {
			break
		} else if err != context.Canceled {
			t.Fatalf("after %d looks: %v", looks, err)
		}
		ended++
		got, err := s.Draw(t.Context(), keys, nil)
		if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("after an end at look %d: %v, %v instead of %v", looks, got, err, want)
		}
	}
	if ended < 10 {
		t.Errorf("ended only %d times", ended)
	}
}
