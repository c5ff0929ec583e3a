package shuffle

import (
	"context"
	"errors"
	"math"
	"math/big"
)

var errUndecided = errors.New("float64 numbers are too inaccurate to decide a random choice")

// margin returns a bound on the error of p - u at level k, where p = X/(1+X) and u is a coin. It
// assumes that level k was computed from the pair with float64 numbers or, if double is set, with
// double-double numbers. The derivative of p by log X is at most 1/4.
func (d *draw) margin(k int, from *pair, double bool) float64 {
	if double {
		return max(errorBound(d.place.n-k, doubleUnit), d.slack*d.slack)/4*1.001 + longMargin
	}
	e := errorBound(d.place.n-k, unit)
	if d.table.double {
		// Above the pair, roundings are of double-double numbers; below it, of float64 numbers.
		e = errorBound(from.at.k-k, unit) + errorBound(d.place.n-k, doubleUnit)
	}
	return max(e, d.slack)/4*1.001 + shortMargin
}

const (
	// compare cuts u after 53 bits, and rounds 3 times. The errors are at most 2^-51 together.
	shortMargin = 0x1p-50
	// compareLong cuts u after 96 bits. It rounds the last 64 of them, and the sum of the low
	// parts, by up to 2^-86. Near u, the sum of the high parts is exact. The error of p is 2^-100.
	longMargin = 0x1p-84
)

// compare returns 1 if p = x/(1+x) is above the coin u, -1 if below, 0 if nearer than margin.
func compare(x float64, u uint64, margin float64) int {
	y := 1 + x
	switch above := x - float64(u>>11)*0x1p-53*y; { // above is (p - u)·y
	case above > margin*y:
		return 1
	case above < -margin*y:
		return -1
	}
	return 0
}

func compareLong(p double, u, more uint64, margin float64) int {
	high, low := float64(u>>32)*0x1p-32, float64(u&math.MaxUint32)*0x1p-64+float64(more>>32)*0x1p-96
	switch above := (p.hi - high) + (p.lo - low); {
	case above > margin:
		return 1
	case above < -margin:
		return -1
	}
	return 0
}

// decide reports whether p is above the coin whose first bits are u. It computes a more precise p
// from the pair.
func (d *draw) decide(ctx context.Context, from *pair, k, i, j int, u uint64) (bool, error) {
	if !d.table.double {
		return false, errUndecided
	}
	cone := from.cone(k, i, j)
	levels, err := d.table.block(ctx, &cone, 1, true)
	if err != nil {
		return false, err
	}
	p := double{levels[0].x[0], levels[0].lo[0]}
	switch e := levels[0].e[0]; {
	case e == 0:
		p = p.div(p.addOne())
	case e > 0: // X is below 2^-128, but its float64 number was not
		p = double{0, 0}
	default:
		p = double{1, 0}
	}
	more := d.stream(k, i, j+1)
	if side := compareLong(p, u, more.Uint64(), d.margin(k, from, true)); side != 0 {
		return side > 0, nil
	}
	return d.exact(k, i, j, u), nil
}

func (d *draw) exact(k, i, j int, u uint64) bool {
	more := d.stream(k, i, j+1)
	coin, bits := new(big.Int).SetUint64(u), uint(64)
	for prec := uint(256); ; prec *= 2 {
		for ; bits < prec; bits += 64 {
			coin.Lsh(coin, 64).Or(coin, new(big.Int).SetUint64(more.Uint64()))
		}
		x := d.table.weight(k, i, j, 2*prec).v
		p := new(big.Float).Quo(x, new(big.Float).Add(one.v, x))
		// The numbers have 2·prec bits, so the error of p is below 2^-prec.
		low := new(big.Float).SetMantExp(new(big.Float).SetInt(coin), -int(bits))
		distance := new(big.Float).Sub(p, low)
		if width := new(big.Float).SetMantExp(one.v, 1-int(prec)); distance.Cmp(width) > 0 {
			return true
		} else if distance.Cmp(width.Neg(width)) < 0 {
			return false
		}
	}
}

type power struct {
	v *big.Float
	e int
}

var one = power{v: big.NewFloat(1)}

func (t *table) weight(k, i, j int, prec uint) power {
	number := func() *big.Float { return new(big.Float).SetPrec(prec) }
	first := func(side, o int) [][]power { // weights of side x side faces, the first one at entry o
		rows := make([][]power, side)
		for r := range rows {
			rows[r] = make([]power, side)
			for c := range rows[r] {
				key, e := t.face(o + 4*t.n*r + 2*c)
				rows[r][c] = power{t.ratio(key, prec), e}
			}
		}
		return rows
	}
	o := 4*t.n*i + 2*j
	cur, above := first(t.n-k+1, o), first(t.n-k, o+2*t.n+1)
	plus := func(x power) power { // 1 + x
		switch {
		case x.e > 0:
			return one
		case x.e < 0:
			return x
		}
		return power{v: number().Add(one.v, x.v)}
	}
	for m := t.n - k; m > 0; m-- {
		out := make([][]power, m)
		for r := range out {
			out[r] = make([]power, m)
			for c := range out[r] {
				x, y := cur[r][c], cur[r+1][c+1]
				a, b, c1, d := plus(cur[r][c+1]), plus(cur[r+1][c]), plus(x), plus(y)
				v := number().Mul(a.v, b.v)
				v.Mul(v, x.v).Mul(v, y.v)
				v.Quo(v, number().Mul(c1.v, d.v)).Quo(v, above[r][c].v)
				out[r][c] = power{v, a.e + b.e + x.e + y.e - c1.e - d.e - above[r][c].e}
			}
		}
		for r, row := range cur[1:m] {
			above[r] = row[1:m]
		}
		cur, above = out, above[:m-1]
	}
	return cur[0][0]
}
