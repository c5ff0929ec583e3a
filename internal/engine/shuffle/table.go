package shuffle

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"sync"

	"github.com/pavage/pavage/internal/kit/limit"
)

// table computes the levels of a diamond, from the order n down. It keeps pairs of levels, and
// computes the levels between two pairs again when a draw needs them:
//
//	n+1 n ─────► pair ─────► pair ─────► pair ──► 1       once
//	             └─► levels  └─► levels  └─► levels       for each batch of draws, from the right
//
// With a depth of 2, further pairs between two pairs are kept for the time of a draw.
type table struct {
	n       int
	entries []int32
	weights []*big.Int
	threads int
	depth   int
	double  bool // whether the pairs have double-double numbers
	pairs   []pair
	spare   []level // levels for reuse, each with room for a level of order n
}

type pair struct{ at, above level }

func step(span, depth int) int {
	return max(1, int(math.Ceil(math.Pow(float64(span), float64(depth)/float64(depth+1)))))
}

// tableBytes returns a bound on the bytes of entries and levels of order n, with double-double
// pairs.
func tableBytes(n, depth int) int64 {
	const single, double = 12, 20 // bytes for each cell
	square := int64(n) * int64(n)
	sum := 16 * square
	last := 1
	for d := depth; d > 0; d-- {
		s := step(n-last+1, d)
		for k := int64(n); k >= int64(last); k -= int64(s) {
			sum += double * (k*k + (k+1)*(k+1))
		}
		sum += 3 * double * square // the levels between the pairs, see descend
		last = n - s + 1
	}
	return sum + int64(n-last)*single*square
}

// top returns the first pair. In its upper level, the cells at the border have the face weight 1.
func (t *table) top() (pair, error) {
	n, w := t.n, 2*t.n
	p := pair{newLevel(n, true), newLevel(n+1, true)}
	for at := range p.above.x {
		p.above.x[at] = 1
	}
	set := func(l *level, at, o int) error {
		key, v := t.face(o)
		if key == [4]int32{fixed, fixed, fixed, fixed} {
			l.x[at], l.e[at] = 1, int32(v)<<scaleShift
			return nil
		}
		f := newScaled(t.ratio(key, 128))
		if f.s != int64(int16(f.s)) || !isScale(int32(f.s)) {
			return errScale
		}
		l.x[at], l.lo[at], l.e[at] = f.x.hi, f.x.lo, int32(v)<<scaleShift+int32(f.s)
		return nil
	}
	for i := range n {
		for j := range n {
			o := 2*i*w + 2*j
			if err := set(&p.at, i*n+j, o); err != nil {
				return pair{}, err
			}
			if i+1 < n && j+1 < n {
				if err := set(&p.above, (i+1)*(n+1)+j+1, o+w+1); err != nil {
					return pair{}, err
				}
			}
		}
	}
	if !t.double {
		p.at.lo, p.above.lo = nil, nil
	}
	return p, nil
}

var errScale = fmt.Errorf("%w: the weights of the options differ too much", ErrUnembedded)

// face returns the four edges of the face at entry o, and the exponent of ε in the weight of the
// face. For an edge of weight 1 or ε, it returns the constant fixed
// in place of an index.
func (t *table) face(o int) (edges [4]int32, e int) {
	w := 2 * t.n
	for k, entry := range [4]int32{t.entries[o], t.entries[o+1], t.entries[o+w], t.entries[o+w+1]} {
		if entry == vanishing {
			e += [...]int{1, -1, -1, 1}[k]
		}
		if edges[k] = fixed; t.weights != nil && entry >= 0 {
			edges[k] = entry
		}
	}
	return edges, e
}

// ratio returns a·d/(b·c) without powers of ε. It has prec bits, and is rounded up to seven times.
func (t *table) ratio(e [4]int32, prec uint) *big.Float {
	w := [4]*big.Float{}
	for k, number := range e {
		if w[k] = one.v; number >= 0 {
			w[k] = new(big.Float).SetPrec(prec).SetInt(t.weights[number])
		}
	}
	ad := new(big.Float).SetPrec(prec).Mul(w[0], w[3])
	return ad.Quo(ad, new(big.Float).SetPrec(prec).Mul(w[1], w[2]))
}

type scaled struct {
	x double
	s int64
}

func newScaled(v *big.Float) scaled {
	exp := v.MantExp(v) // 1/2 ≤ v < 1
	s := -int64(math.Floor(float64(exp+127) / 256))
	v.SetMantExp(v, exp+int(256*s))
	hi, _ := v.Float64()
	lo, _ := v.Sub(v, new(big.Float).SetFloat64(hi)).Float64()
	if hi == high { // hi was rounded up
		hi, lo, s = hi*0x1p-256, lo*0x1p-256, s-1
	}
	return scaled{double{hi, lo}, s}
}

func newLevel(k int, double bool) level {
	l := level{k: k, x: make([]float64, k*k), e: make([]int32, k*k)}
	if double {
		l.lo = make([]float64, k*k)
	}
	return l
}

func (t *table) room(k int, double bool) level {
	for i := len(t.spare) - 1; i >= 0; i-- {
		if l := t.spare[i]; (l.lo != nil) == double {
			t.spare = slices.Delete(t.spare, i, i+1)
			return l.shrink(k)
		}
	}
	l := newLevel(t.n, double)
	t.spare = append(t.spare, l)
	return t.room(k, double)
}

func (l *level) clone() level {
	return level{l.k, slices.Clone(l.x), slices.Clone(l.lo), slices.Clone(l.e)}
}

func (t *table) next(ctx context.Context, out, at, above *level) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	parts := min(t.threads, 1+at.k/128)
	fine := make([]bool, parts)
	var wait sync.WaitGroup
	for i := range parts {
		do := func() {
			from, to := out.k*i/parts, out.k*(i+1)/parts
			if out.lo != nil {
				fine[i] = belowDouble(out, at, above, from, to, make([]double, 4*at.k))
			} else {
				fine[i] = below(out, at, above, from, to, make([]float64, 4*at.k))
			}
		}
		if i+1 == parts {
			do()
		} else {
			wait.Go(do)
		}
	}
	wait.Wait()
	if slices.Contains(fine, false) {
		return errScale
	}
	return nil
}

func (t *table) descend(ctx context.Context, p pair, last, step int) ([]pair, error) {
	pairs := []pair{p}
	at, above := &p.at, &p.above
	rooms := [3]level{}
	for r := range rooms {
		rooms[r] = t.room(max(1, at.k-1), t.double)
	}
	defer func() { t.spare = append(t.spare, rooms[:]...) }()
	for i := 1; at.k > last; i++ {
		out := &rooms[i%3]
		*out = out.shrink(at.k - 1)
		if err := t.next(ctx, out, at, above); err != nil {
			return nil, err
		}
		at, above = out, at
		if i%step == 0 {
			pairs = append(pairs, pair{at.clone(), above.clone()})
		}
	}
	return pairs, nil
}

func (l *level) shrink(k int) level {
	s := level{k: k, x: l.x[:k*k], e: l.e[:k*k]}
	if l.lo != nil {
		s.lo = l.lo[:k*k]
	}
	return s
}

func (t *table) prepare(ctx context.Context) error {
	t.pairs, t.spare = nil, nil
	p, err := t.top()
	if err != nil {
		return err
	}
	t.pairs, err = t.descend(ctx, p, 1, step(t.n, t.depth))
	t.spare = nil // these levels may have double-double numbers, and draws need levels without them
	return err
}

type block struct {
	levels []level
	from   *pair
}

// blocks passes each block of levels, the lowest first, to a function, which must not keep it.
func (t *table) blocks(ctx context.Context, do func(block) error) error {
	if t.pairs == nil { // prepare was interrupted, or Draw needs pairs of double-double numbers
		if err := t.prepare(ctx); err != nil {
			return err
		}
	}
	return t.within(ctx, t.pairs, 1, t.depth, do)
}

func (t *table) within(ctx context.Context, pairs []pair, last, depth int, do func(block) error) error {
	for i := len(pairs) - 1; i >= 0; i-- {
		p := &pairs[i]
		end := last
		if i+1 < len(pairs) {
			end = pairs[i+1].at.k + 1
		}
		if depth > 1 {
			inner, err := t.descend(ctx, *p, end, step(p.at.k-end+1, depth-1))
			if err != nil {
				return err
			}
			if err := t.within(ctx, inner, end, depth-1, do); err != nil {
				return err
			}
			continue
		}
		b, err := t.block(ctx, p, end, false)
		if err != nil {
			return err
		}
		err = do(block{b, p})
		t.spare = append(t.spare, b[:len(b)-1]...)
		if err != nil {
			return err
		}
	}
	return nil
}

// cone returns the part of a pair on which cell (i, j) of level k depends. In levels that are
// computed from this part, the cell is the only cell of level 1.
func (p *pair) cone(k, i, j int) pair {
	m := p.at.k - k
	return pair{p.at.part(i, j, m+1), p.above.part(i, j, m+2)}
}

func (l *level) part(i, j, k int) level {
	s := newLevel(k, true)
	for r := range k {
		from, to := (i+r)*l.k+j, r*k
		copy(s.x[to:to+k], l.x[from:])
		copy(s.lo[to:to+k], l.lo[from:])
		copy(s.e[to:to+k], l.e[from:])
	}
	return s
}

func (t *table) block(ctx context.Context, p *pair, last int, double bool) ([]level, error) {
	levels := make([]level, p.at.k-last+1)
	at, above := &p.at, &p.above
	for i := len(levels) - 1; ; i-- {
		if levels[i] = *at; i == 0 {
			return levels, nil
		}
		var out level
		if double {
			out = newLevel(at.k-1, true)
		} else {
			out = t.room(at.k-1, false)
		}
		if err := t.next(ctx, &out, at, above); err != nil {
			return nil, err
		}
		at, above = &out, &levels[i]
	}
}

func newTable(ctx context.Context, n int, entries []int32, weights []*big.Int, c Config) (*table, error) {
	depth, err := depthWithin(n, c.Memory)
	if err != nil {
		return nil, err
	}
	t := &table{n: n, entries: entries, weights: weights, threads: max(1, c.Threads), depth: depth, double: n >= doubleOrder}
	return t, t.prepare(ctx)
}

func depthWithin(n int, memory int64) (int, error) {
	depth := 1
	if n > flatOrder || memory > 0 && tableBytes(n, 1) > memory {
		depth = 2
	}
	return depth, limit.Check(memory, tableBytes(n, depth), fmt.Sprintf("shuffling in an Aztec diamond of order %d", n))
}

const (
	// flatOrder is the largest order with a depth of 1. At order 1500, the levels need 1.7 GB.
	flatOrder = 1500
	// At order doubleOrder, a draw has about one coin that float64 numbers do not decide.
	doubleOrder = 1300
)
