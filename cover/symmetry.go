package cover

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pavage/pavage/internal/kit/interrupt"
)

// Symmetry is a permutation of the items: item i goes to item s[i]. It maps every option to an
// option with the same colours, every item to an item with the same bounds, and so solutions to
// solutions. Turning the 2x3 board of the running example upside down:
//
//	a b c    goes to    d e f     item   a b c d e f domino
//	d e f               a b c     s[i]   d e f a b c domino
type Symmetry []int

func (p *Problem) validateSymmetry(s Symmetry, seen []int, stamp int) error {
	if len(s) != len(p.Items) {
		return fmt.Errorf("maps %d items, but there are %d items", len(s), len(p.Items))
	}
	for i, to := range s {
		switch {
		case to < 0 || to >= len(p.Items):
			return fmt.Errorf("maps item %s to item %d, but there are only %d items",
				p.ItemName(i), to, len(p.Items))
		case seen[to] == stamp:
			return fmt.Errorf("maps two items to item %s", p.ItemName(to))
		}
		if a, b := p.Items[i], p.Items[to]; a.Min != b.Min || a.Max != b.Max {
			return fmt.Errorf("maps item %s of bounds %d..%d to item %s of bounds %d..%d, expected equal bounds",
				p.ItemName(i), a.Min, a.Max, p.ItemName(to), b.Min, b.Max)
		}
		seen[to] = stamp
	}
	return nil
}

// Images returns, for each option, the index of its image under s. The error wraps ErrInvalid if s
// is not a permutation of the items, changes bounds, or does not map all options to options. The
// options must be valid and different. For many symmetries use [Problem.Mapper].
func (p *Problem) Images(s Symmetry) ([]int, error) {
	m, err := p.Mapper(context.Background())
	if err != nil {
		return nil, err
	}
	return m.Images(s)
}

// AllImages returns what Images returns for each of the symmetries. It polls ctx.
func (p *Problem) AllImages(ctx context.Context, all []Symmetry) ([][]int, error) {
	m, err := p.Mapper(ctx)
	if err != nil {
		return nil, err
	}
	images := make([][]int, len(all))
	for k, s := range all {
		if images[k], err = m.Images(s); cmp.Or(ctx.Err(), err) != nil {
			return nil, cmp.Or(ctx.Err(), err)
		}
	}
	return images, nil
}

// Mapper finds images of options of a fixed problem. Only one goroutine at a time may use it.
type Mapper struct {
	p       *Problem
	looks   *interrupt.Watch
	table   []int32 // hash table with open addressing; an entry is 1 + the index of an option, or 0
	seen    []int   // for validateSymmetry
	stamp   int
	moved   Option // last result of the method image
	weights []uint64
}

// Mapper makes a Mapper. It needs at most 16 bytes for each option. Its methods poll ctx.
func (p *Problem) Mapper(ctx context.Context) (*Mapper, error) {
	looks := interrupt.Context(ctx)
	m := p.emptyMapper(&looks)
	for o, option := range p.Options {
		at, err := m.slot(option)
		if err != nil {
			return nil, err
		}
		m.table[at] = int32(o) + 1
	}
	return m, nil
}

// hashSeed differs between processes, so that an attacker cannot construct collisions.
var hashSeed = rand.Uint64()

func (p *Problem) emptyMapper(looks *interrupt.Watch) *Mapper {
	size := 4
	for size < 2*len(p.Options) {
		size *= 2
	}
	m := &Mapper{p: p, looks: looks, table: make([]int32, size), seen: make([]int, len(p.Items)), weights: make([]uint64, len(p.Items))}
	for i := range m.weights {
		m.weights[i] = scramble(hashSeed + uint64(i))
	}
	return m
}

func (m *Mapper) slot(o Option) (int, error) {
	var sum uint64
	for _, u := range o {
		sum += m.weights[u.Item] * (uint64(u.Times) + uint64(u.Colour)<<32)
	}
	at := int(scramble(sum)) & (len(m.table) - 1)
	for m.table[at] != 0 && !slices.Equal(m.p.Options[m.table[at]-1], o) {
		at = (at + 1) & (len(m.table) - 1)
	}
	return at, m.looks.Work(len(o))
}

// scramble is the finisher of SplitMix64 (Steele, Lea, Flood 2014).
func scramble(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Images is [Problem.Images], but reuses the table in m.
func (m *Mapper) Images(s Symmetry) ([]int, error) {
	m.stamp++
	if err := m.p.validateSymmetry(s, m.seen, m.stamp); err != nil {
		return nil, fmt.Errorf("%w: symmetry %w", ErrInvalid, err)
	}
	images := make([]int, len(m.p.Options))
	if s.isIdentity() {
		for o := range images {
			images[o] = o
		}
		return images, nil
	}
	for o := range images {
		at, err := m.slot(m.image(m.p.Options[o], s))
		if err != nil {
			return nil, err
		}
		to := m.table[at]
		if to == 0 {
			return nil, fmt.Errorf("%w: the symmetry maps option %d to no option of the cover", ErrInvalid, o)
		}
		images[o] = int(to) - 1
	}
	if !isPermutation(images) { // equal options, as in a part of a Split, have the same image
		return nil, fmt.Errorf("%w: the symmetry maps two options to the same option, expected different options", ErrInvalid)
	}
	return images, nil
}

func (s Symmetry) isIdentity() bool {
	for i, to := range s {
		if to != i {
			return false
		}
	}
	return true
}

// image returns the image of an option, which is valid until the next call.
func (m *Mapper) image(o Option, s Symmetry) Option {
	m.moved = m.moved[:0]
	for _, u := range o {
		to, at := s[u.Item], len(m.moved)
		m.moved = append(m.moved, u)
		for ; at > 0 && m.moved[at-1].Item > to; at-- {
			m.moved[at] = m.moved[at-1]
		}
		u.Item = to
		m.moved[at] = u
	}
	return m.moved
}

// Quotient is a problem made from another problem and a symmetry. Its solutions correspond to the
// solutions of the other problem that the symmetry fixes: option k of Problem stands for all
// options in Orbits[k]. Different orbits may become equal options, so Problem.Validate may fail.
type Quotient struct {
	Problem *Problem
	Orbits  [][]int // each orbit is ascending; orbits are sorted by their first options
}

// Quotient returns the quotient of p by s and its powers. An orbit is the set of the images of an
// item or option under the powers of s. A fixed solution contains the whole orbit of each option,
// and uses all items of an orbit equally often. So the quotient has an item for each orbit of
// items, with the bounds and the name of its least item. It has an option for each orbit of
// options, with their uses of these least items. Uses of an item with the same colour are one use.
// An orbit of options is left out if it exceeds a bound or has contradictory colours. The quotient
// keeps the orders. Errors are errors of Images. Turned upside down, the running example has these
// orbits of options: {ab,de}, {bc,ef}, {ad}, {be} and {cf}.
//
//	items a b c domino     options a b domino*2   b c domino*2   a domino   b domino   c domino
func (p *Problem) Quotient(s Symmetry) (*Quotient, error) {
	m, err := p.Mapper(context.Background())
	if err != nil {
		return nil, err
	}
	return m.Quotient(s)
}

// Quotient is [Problem.Quotient], but reuses the table in m.
func (m *Mapper) Quotient(s Symmetry) (*Quotient, error) {
	images, err := m.Images(s)
	if err != nil {
		return nil, err
	}
	items, err := orbits(s, m.looks)
	if err != nil {
		return nil, err
	}
	p := m.p
	q := &Quotient{Problem: &Problem{Items: make([]Item, len(items)), Colours: p.Colours}}
	orbitOf := make([]int, len(s)) // orbit of each item
	for k, orbit := range items {
		for _, i := range orbit {
			orbitOf[i] = k
		}
		q.Problem.Items[k] = p.Items[orbit[0]]
	}
	options, err := orbits(images, m.looks)
	if err != nil {
		return nil, err
	}
	for _, orbit := range options {
		if err := m.looks.Work(len(orbit)); err != nil {
			return nil, err
		}
		var uses Option // uses of the least items of orbits
		for _, o := range orbit {
			for _, u := range p.Options[o] {
				if k := orbitOf[u.Item]; u.Item == items[k][0] {
					uses = append(uses, Use{Item: k, Times: u.Times, Colour: u.Colour})
				}
			}
		}
		slices.SortFunc(uses, func(a, b Use) int { return a.Item - b.Item })
		merged, fits := uses[:0], true
		for _, u := range uses {
			last := len(merged) - 1
			switch {
			case last < 0 || merged[last].Item != u.Item:
				merged = append(merged, u)
			case merged[last].Colour != u.Colour:
				fits = false
			case u.Colour == 0:
				merged[last].Times += min(u.Times, math.MaxInt32-merged[last].Times)
			}
		}
		for _, u := range merged {
			most := q.Problem.Items[u.Item].Max
			if fits = fits && (most == Unbounded || int(u.Times) <= most); fits && u.Times > MaxTimes {
				return nil, fmt.Errorf("%w: the orbit of option %d has %d uses of item %s, expected at most %d uses",
					ErrInvalid, orbit[0], u.Times, p.ItemName(items[u.Item][0]), MaxTimes)
			}
		}
		if fits {
			q.Problem.Options = append(q.Problem.Options, slices.Clip(merged))
			q.Orbits = append(q.Orbits, orbit)
		}
	}
	for _, order := range p.Orders {
		seen := make([]bool, len(items))
		var folded []int // an order with orbits in place of items
		for _, i := range order {
			if k := orbitOf[i]; !seen[k] {
				seen[k] = true
				folded = append(folded, k)
			}
		}
		q.Problem.Orders = append(q.Problem.Orders, folded)
	}
	return q, nil
}

func orbits(permutation []int, looks *interrupt.Watch) ([][]int, error) {
	var all [][]int
	done := make([]bool, len(permutation))
	for first := range permutation {
		if err := looks.Look(); err != nil {
			return nil, err
		}
		if done[first] {
			continue
		}
		var orbit []int
		for i := first; !done[i]; i = permutation[i] {
			done[i] = true
			orbit = append(orbit, i)
		}
		slices.Sort(orbit)
		all = append(all, orbit)
	}
	return all, nil
}
