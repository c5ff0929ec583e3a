package dimer

import (
	"math/big"
	"math/bits"
	"slices"
)

// MaxPrime is above all primes that are used as moduli of determinants.
const MaxPrime = 1 << 62

// field computes modulo an odd prime below 2^62. A residue x is stored as x·2^64 (Montgomery 1985),
// so that no product needs a division. (4·10^8 products need 0.75 s, and with divisions 2.9 s.)
type field struct {
	p       uint64
	inverse uint64 // 1/p modulo 2^64
	one     uint64 // 2^64 modulo p
	square  uint64 // 2^128 modulo p
}

func newField(p uint64) field {
	f := field{p: p, inverse: p} // the 3 lowest bits are right, since p·p = 1 modulo 8
	for range 5 {
		f.inverse *= 2 - p*f.inverse // the number of right bits doubles
	}
	_, f.one = bits.Div64(1, 0, p)
	_, f.square = bits.Div64(f.one, 0, p)
	return f
}

// reduce returns (hi, lo)/2^64 modulo p, for a number (hi, lo) below p·2^64.
func (f *field) reduce(hi, lo uint64) uint64 {
	down, _ := bits.Mul64(lo*f.inverse, f.p)
	r, borrow := bits.Sub64(hi, down, 0)
	return r + f.p&-borrow
}

func (f *field) mul(a, b uint64) uint64 { return f.reduce(bits.Mul64(a, b)) }

func (f *field) plus(a, b uint64) uint64 {
	r, borrow := bits.Sub64(a+b, f.p, 0)
	return r + f.p&-borrow
}

func (f *field) minus(a uint64) uint64 {
	if a == 0 {
		return 0
	}
	return f.p - a
}

// invert returns 1/a = a^(p-2). a must not be 0.
func (f *field) invert(a uint64) uint64 {
	r := f.one
	for e := f.p - 2; e > 0; e >>= 1 {
		if e&1 != 0 {
			r = f.mul(r, a)
		}
		a = f.mul(a, a)
	}
	return r
}

// inverses returns the residues of values and their inverses. For the residue 0, the inverse is 0.
func (f *field) inverses(values []*big.Int) (residues, inverses []uint64) {
	residues, inverses = make([]uint64, len(values)), make([]uint64, len(values))
	product := f.one
	for i, x := range values {
		residues[i], inverses[i] = f.in(x), product // product of the residues before i
		if residues[i] != 0 {
			product = f.mul(product, residues[i])
		}
	}
	product = f.invert(product)
	for i, r := range slices.Backward(residues) {
		if inverses[i] = f.mul(inverses[i], product); r == 0 {
			inverses[i] = 0
			continue
		}
		product = f.mul(product, r)
	}
	return residues, inverses
}

func (f *field) in(x *big.Int) uint64 {
	if x.IsUint64() {
		return f.inWord(x.Uint64())
	}
	var r, p big.Int
	return f.inWord(r.Mod(x, p.SetUint64(f.p)).Uint64())
}

func (f *field) inWord(x uint64) uint64 { return f.mul(x%f.p, f.square) }

func (f *field) out(a uint64) uint64 { return f.reduce(0, a) }

// combine3 sets dst to by[0]·x + by[1]·y + by[2]·z. It reduces each sum once, as 3·p² < p·2^64.
func (f *field) combine3(dst, x, y, z []uint64, by [3]uint64) {
	x, y, z = x[:len(dst)], y[:len(dst)], z[:len(dst)]
	p, inverse, a, b, c := f.p, f.inverse, by[0], by[1], by[2]
	for i := range dst {
		hi, lo := bits.Mul64(a, x[i])
		h, l := bits.Mul64(b, y[i])
		lo, carry := bits.Add64(lo, l, 0)
		hi += h + carry
		h, l = bits.Mul64(c, z[i])
		lo, carry = bits.Add64(lo, l, 0)
		hi += h + carry
		down, _ := bits.Mul64(lo*inverse, p)
		r, borrow := bits.Sub64(hi, down, 0)
		dst[i] = r + p&-borrow
	}
}

func (f *field) add(dst, x []uint64, a uint64) {
	x = x[:len(dst)]
	p, inverse := f.p, f.inverse
	for i := range dst {
		hi, lo := bits.Mul64(a, x[i])
		down, _ := bits.Mul64(lo*inverse, p)
		hi, borrow := bits.Sub64(hi, down, 0)
		hi += p&-borrow + dst[i] // hi is now below 2p
		r, borrow := bits.Sub64(hi, p, 0)
		dst[i] = r + p&-borrow
	}
}

// dot returns a scalar product. It reduces the sum of four products once, as 4·p² < p·2^64.
func (f *field) dot(x, y []uint64) uint64 {
	y = y[:len(x)]
	p, sum, i := f.p, uint64(0), 0
	for ; i < len(x)&^3; i += 4 {
		hi, lo := bits.Mul64(x[i], y[i])
		for k := i + 1; k < i+4; k++ {
			h, l := bits.Mul64(x[k], y[k])
			var carry uint64
			lo, carry = bits.Add64(lo, l, 0)
			hi += h + carry
		}
		down, _ := bits.Mul64(lo*f.inverse, p)
		hi, borrow := bits.Sub64(hi, down, 0)
		hi += p&-borrow + sum // hi is now below 2p
		r, borrow := bits.Sub64(hi, p, 0)
		sum = r + p&-borrow
	}
	for ; i < len(x); i++ {
		sum = f.plus(sum, f.mul(x[i], y[i]))
	}
	return sum
}
