package shuffle

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// value returns the number of a level at an index, without rounding.
func (l *level) value(at int) power {
	d := double{hi: l.x[at]}
	if l.lo != nil {
		d.lo = l.lo[at]
	}
	s := int(int16(l.e[at]))
	v := d.value()
	return power{v.SetMantExp(v, -256*s), (int(l.e[at]) - s) >> scaleShift}
}

// anyTable returns a table with random entries: weights 1 and ε, and weights up to 10^digits.
func anyTable(t *testing.T, rng *rand.Rand, n, digits int, double bool) *table {
	t.Helper()
	table := &table{n: n, entries: make([]int32, 4*n*n), threads: 1, depth: 1 + rng.IntN(2), double: double}
	numbered, outside := rng.Float64(), rng.Float64()
	for at := range table.entries {
		switch {
		case rng.Float64() < numbered:
			table.entries[at] = int32(len(table.weights))
			table.weights = append(table.weights, anyWeight(rng, digits))
		case rng.Float64() < outside:
			table.entries[at] = vanishing
		default:
			table.entries[at] = fixed
		}
	}
	if err := table.prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	return table
}

// anyWeight returns a number from 1 to 10^digits, whose logarithm is evenly distributed.
func anyWeight(rng *rand.Rand, digits int) *big.Int {
	w := new(big.Int).Exp(big.NewInt(10), big.NewInt(rng.Int64N(int64(digits)+1)), nil)
	return w.Mul(w, big.NewInt(1+rng.Int64N(9)))
}

// TestLevels compares the numbers of all levels, from float64 and from double-double pairs, with
// exact ones: their errors are within errorBound, and the exponents of ε are the same.
func TestLevels(t *testing.T) {
	testkit.Serial(t)
	rng := rand.New(rand.NewPCG(2, 30))
	share := [2]float64{}
	for trial := range testkit.Size(40, 300) {
		digits, double := []int{0, 1, 20, 200}[trial%4], trial/4%2 == 1
		table := anyTable(t, rng, 4+rng.IntN(11), digits, double)
		off := func(l *level, at int, want power, bound float64) float64 {
			got := l.value(at)
			if got.e != want.e || infinitesimal(l.e[at]) != (want.e != 0) {
				t.Fatalf("level %d, cell %d: an exponent of %d instead of %d", l.k, at, got.e, want.e)
			}
			// The logarithm of 1+d is below 2|d|.
			d, _ := got.v.Quo(got.v, want.v).Sub(got.v, one.v).Float64()
			if d = math.Abs(math.Log1p(d)); d > bound {
				t.Fatalf("order %d, level %d, cell %d: an error of %g, the bound is %g", table.n, l.k, at, d, bound)
			}
			return d / bound
		}
		err := table.blocks(t.Context(), func(b block) error {
			for i := range b.levels {
				l := &b.levels[i]
				d := &draw{Sampler: &Sampler{place: &place{n: table.n}, table: table}}
				bound := (d.margin(l.k, b.from, false) - shortMargin) / 1.001 * 4
				for at := range l.k * l.k {
					want := table.weight(l.k, at/l.k, at%l.k, 300)
					share[0] = max(share[0], off(&level{l.k, l.x, nil, l.e}, at, want, bound))
					if !double {
						continue
					}
					cone := b.from.cone(l.k, at/l.k, at%l.k)
					levels, err := table.block(t.Context(), &cone, 1, true)
					if err != nil {
						return err
					}
					share[1] = max(share[1], off(&levels[0], 0, want, errorBound(table.n-l.k, doubleUnit)))
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("the largest errors are %.3f of the bound of float64 numbers, %.3f of the bound of double-double", share[0], share[1])
}

// TestNewScaled compares face weights with exact ones, also where the first word is rounded up to
// 2^128.
func TestNewScaled(t *testing.T) {
	testkit.Serial(t)
	rng := rand.New(rand.NewPCG(3, 30))
	for trial := range 20_000 {
		r := new(big.Rat).SetFrac(anyWeight(rng, 400), anyWeight(rng, 400))
		if trial%2 == 0 { // a power of two, or a little more or less
			num := new(big.Int).Lsh(big.NewInt(1), uint(200+128*rng.IntN(9)))
			num.Add(num, new(big.Int).Lsh(big.NewInt(rng.Int64N(3)-1), uint(rng.IntN(200))))
			r.SetFrac(num, new(big.Int).Lsh(big.NewInt(1), uint(200+128*rng.IntN(9))))
		}
		f := newScaled(new(big.Float).SetPrec(128).SetRat(r))
		if f.x.hi < low || f.x.hi >= high {
			t.Fatalf("%v: %g is out of range", r, f.x.hi)
		}
		want := new(big.Float).SetPrec(400).SetRat(r)
		got := f.x.value()
		got.SetMantExp(got, -256*int(f.s))
		off, _ := got.Quo(got, want).Sub(got, one.v).Float64()
		if math.Abs(off) > doubleUnit {
			t.Fatalf("%v: %v is off by %g", r, f, off)
		}
	}
}

// TestScales checks isScale on all sums at the ends of the ranges: it is true if both parts are in
// range, and false otherwise.
func TestScales(t *testing.T) {
	testkit.Serial(t)
	vs, ss := []int32{-1 << 12, -1<<12 + 1, -1, 0, 1, 1<<12 - 1}, []int32{-1 << 13, -1<<13 + 1, -1, 0, 1, 1<<13 - 1}
	var all, up, down []int32
	for _, v := range vs {
		for _, s := range ss {
			e := v<<scaleShift + s
			if !isScale(e) || infinitesimal(e) != (v != 0) || v != 0 && (e > 0) != (v > 0) {
				t.Fatalf("%d, %d is no scale", v, s)
			}
			all = append(all, e)
			if up = append(up, max(e, 0)); e > 0 {
				continue
			}
			down = append(down, e)
		}
	}
	parts := func(e int32) (v, s int32) { return (e + 1<<15) >> scaleShift, (e+1<<15)&(1<<16-1) - 1<<15 }
	rng := rand.New(rand.NewPCG(4, 30))
	pick := func(from []int32) (e, v, s int32) {
		e = from[rng.IntN(len(from))]
		v, s = parts(e)
		return e, v, s
	}
	for range 1_000_000 {
		e, v, s := pick(all)
		e, v, s = -e, -v, -s
		for _, from := range [][]int32{up, up, down, down} {
			e2, v2, s2 := pick(from)
			e, v, s = e+e2, v+v2, s+s2
		}
		more := rng.Int32N(5) - 2
		e, s = e+more, s+more
		if want := v >= -1<<12 && v < 1<<12 && s >= -1<<13 && s < 1<<13; isScale(e) != want {
			t.Fatalf("the sum %d of the parts %d, %d: a scale: %v", e, v, s, !want)
		}
	}
}

// face is the number x · ε^e, exactly.
type face struct {
	x *big.Rat
	e int
	d *big.Rat // the derivative of log x by the logarithm of some face weight
}

// chance returns X/(1+X).
func (f face) chance() *big.Rat {
	switch {
	case f.e > 0:
		return new(big.Rat)
	case f.e < 0:
		return big.NewRat(1, 1)
	}
	return new(big.Rat).Quo(f.x, new(big.Rat).Add(f.x, big.NewRat(1, 1)))
}

// onePlus returns 1+X.
func (f face) onePlus() face {
	g := face{big.NewRat(1, 1), min(f.e, 0), new(big.Rat).Mul(f.chance(), f.d)}
	if f.e == 0 {
		g.x.Add(g.x, f.x)
	} else if f.e < 0 {
		g.x = f.x
	}
	return g
}

func (f face) times(g face) face {
	return face{new(big.Rat).Mul(f.x, g.x), f.e + g.e, new(big.Rat).Add(f.d, g.d)}
}

func (f face) over(g face) face {
	return face{new(big.Rat).Quo(f.x, g.x), f.e - g.e, new(big.Rat).Sub(f.d, g.d)}
}

// faces are the weights of the cells of a level.
type faces [][]face

// exactRatio is ratio without rounding.
func (t *table) exactRatio(e [4]int32) *big.Rat {
	w := [4]*big.Int{}
	for k, number := range e {
		if w[k] = big.NewInt(1); number >= 0 {
			w[k] = t.weights[number]
		}
	}
	return new(big.Rat).SetFrac(new(big.Int).Mul(w[0], w[3]), new(big.Int).Mul(w[1], w[2]))
}

// exactFaces returns all levels from 1 to n+1, by their order.
func (t *table) exactFaces() []faces {
	levels := make([]faces, t.n+2)
	first := func(side, o int) faces {
		rows := make(faces, side)
		for r := range rows {
			for c := range side {
				key, e := t.face(o + 4*t.n*r + 2*c)
				rows[r] = append(rows[r], face{t.exactRatio(key), e, new(big.Rat)})
			}
		}
		return rows
	}
	levels[t.n] = first(t.n, 0)
	inner := first(t.n-1, 2*t.n+1)
	above := faces{make([]face, t.n+1)}
	for _, row := range inner {
		above = append(above, append(append([]face{{}}, row...), face{}))
	}
	levels[t.n+1] = above
	for k := t.n - 1; k > 0; k-- {
		levels[k] = levels[k+1].lower(levels[k+2])
	}
	return levels
}

// lower returns the level below, by the recurrence of below.
func (cur faces) lower(above faces) faces {
	out := make(faces, len(cur)-1)
	for i := range out {
		for j := range out {
			a, d := cur[i][j], cur[i+1][j+1]
			x := cur[i][j+1].onePlus().times(cur[i+1][j].onePlus())
			x = x.times(a.over(a.onePlus())).times(d.over(d.onePlus()))
			out[i] = append(out[i], x.over(above[i+1][j+1]))
		}
	}
	return out
}

// TestLipschitz changes a face weight of one level, a little or much, while all other weights above
// remain. The derivative of the logarithms of all numbers below is at most 1, and they change by no
// more than the logarithm of this weight.
func TestLipschitz(t *testing.T) {
	testkit.Serial(t)
	rng := rand.New(rand.NewPCG(5, 30))
	largest := new(big.Rat)
	for trial := range testkit.Size(1000, 8000) {
		table := anyTable(t, rng, 2+rng.IntN(4), []int{0, 1, 6, 60}[trial%4], false)
		levels := table.exactFaces()
		k := 1 + rng.IntN(table.n+1)
		i, j := rng.IntN(k), rng.IntN(k)
		if k == table.n+1 {
			if k < 3 {
				continue
			}
			i, j = 1+rng.IntN(k-2), 1+rng.IntN(k-2)
		}
		factor := new(big.Rat).SetFrac(anyWeight(rng, 5), anyWeight(rng, 5))
		if trial%3 == 0 {
			factor.SetFrac64(1+1<<40, 1<<40)
		}
		changed := faces{}
		for _, row := range levels[k] {
			changed = append(changed, append([]face{}, row...))
		}
		changed[i][j] = face{new(big.Rat).Mul(factor, changed[i][j].x), changed[i][j].e, big.NewRat(1, 1)}
		most := new(big.Rat).Set(factor)
		if most.Cmp(big.NewRat(1, 1)) < 0 {
			most.Inv(most)
		}
		cur, above := changed, faces(nil)
		if k == table.n+1 {
			cur, above = levels[table.n], changed
		} else {
			above = levels[k+1]
		}
		for len(cur) > 1 {
			cur, above = cur.lower(above), cur
			for r, row := range cur {
				for c, got := range row {
					want := levels[len(cur)][r][c]
					if got.e != want.e {
						t.Fatalf("the exponent of ε has changed from %d to %d", want.e, got.e)
					}
					ratio := new(big.Rat).Quo(got.x, want.x)
					if d := new(big.Rat).Abs(got.d); ratio.Cmp(most) > 0 || ratio.Inv(ratio).Cmp(most) > 0 || d.Cmp(big.NewRat(1, 1)) > 0 {
						t.Fatalf("order %d: cell (%d, %d) of level %d changes by %v, its derivative is %v", table.n, r, c, len(cur), ratio, d)
					} else if d.Cmp(largest) > 0 {
						largest = d
					}
				}
			}
		}
	}
	share, _ := largest.Float64()
	t.Logf("the largest derivative is %.6f", share)
}

// TestCondensation compares the numbers with sums over matchings of diamonds without two vertices:
// the first step of the proof in the package comment.
func TestCondensation(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 30))
	for range testkit.Size(30, 300) {
		n := 1 + rng.IntN(3)
		table := &table{n: n, entries: make([]int32, 4*n*n)}
		for at := range table.entries {
			table.entries[at] = int32(at)
			table.weights = append(table.weights, big.NewInt(1+rng.Int64N(20)))
		}
		levels := table.exactFaces()
		for k := 1; k <= n; k++ {
			for at := range k * k {
				i, j, m := at/k, at%k, n-k+1
				z := func(x, y, x2, y2 int) *big.Rat { // the sum without two vertices
					gone := make([]bool, (2*m+1)*(2*m+1))
					gone[x*(2*m+1)+y], gone[x2*(2*m+1)+y2] = true, true
					return table.sum(2*i, 2*j, m, gone, 0)
				}
				want := new(big.Rat).Mul(z(0, 1, 2*m-1, 0), z(1, 2*m, 2*m, 2*m-1))
				want.Quo(want, new(big.Rat).Mul(z(0, 1, 1, 2*m), z(2*m-1, 0, 2*m, 2*m-1)))
				if got := levels[k][i][j].x; got.Cmp(want) != 0 {
					t.Fatalf("order %d, level %d, cell (%d, %d): %v instead of %v", n, k, i, j, got, want)
				}
			}
		}
	}
}

// sum returns the sum over the perfect matchings of the vertices from an index on that are not
// gone, in the diamond of order m whose first entry is (i, j).
func (t *table) sum(i, j, m int, gone []bool, from int) *big.Rat {
	w := 2*m + 1
	for from < w*w && (gone[from] || (from/w+from%w)%2 == 0) {
		from++
	}
	if from == w*w {
		return big.NewRat(1, 1)
	}
	total := new(big.Rat)
	x, y := from/w, from%w
	gone[from] = true
	for _, side := range [2]int{-1, 1} { // to (x+1, y-1) and (x+1, y+1)
		to := from + w + side
		if y+side < 0 || y+side >= w || x+1 >= w || gone[to] {
			continue
		}
		gone[to] = true
		weight := t.weights[t.entries[(i+x)*2*t.n+j+min(y, y+side)]]
		total.Add(total, new(big.Rat).Mul(new(big.Rat).SetInt(weight), t.sum(i, j, m, gone, from+1)))
		gone[to] = false
	}
	gone[from] = false
	return total
}
