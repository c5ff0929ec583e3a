package automaton

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/pavage/pavage/internal/engine/key"
)

// maxPocketFlags limits pockets.sizes to 2^16 words (512 KiB).
const maxPocketFlags = 16

// pockets finds states with walled-off items that no set of the remaining pieces fills.
//
//	window, '#' covered, '.' free, open end at the right
//
//	##..#.....      the two free cells at the left are a pocket,
//	#####.....      which no pentomino fills
//
// Every option is connected in the graph of the items, so an option that covers a cell of a pocket
// lies in the pocket. Bits of colour fields count as cells without neighbours that may stay bare.
//
// A lone cell, whose neighbours are all covered, is found by a few shifts for each state (Lone).
// All pockets are found by a flood fill, which is ten times slower. If pieces have any number
// of copies, most dead states have a lone cell:
//
//	tetrominoes 10x10        million states   seconds    MB
//	all states                         42.4      1.12    40
//	without lone cells                 21.1      0.79    22
//	without pockets                    18.0      1.10    18
//	that can be completed              17.3
type pockets struct {
	window   int
	steps    int
	offsets  []offset
	optional bitset
	flags    int // number of pieces that are used once
	flagWord int
	flagAt   int
	flagMask uint64
	sizes    []uint64 // indexed by used flags; bit s is 1 if pockets of s items can be filled
	idle     bool     // all pockets can be filled
}

// offset has edges between the positions q and q+by of the order, for each q in the field from.
type offset struct {
	by   int
	from bitset
}

type bitset []uint64

func newBitset(n int) bitset { return make(bitset, n/64+2) }
func (b bitset) set(i int)   { b[i>>6] |= 1 << (i & 63) }
func (b bitset) at(i int) uint64 {
	return b[i>>6]>>(i&63) | b[i>>6+1]<<1<<(63-i&63)
}

// findPockets returns nil if no state can have a pocket, if the window is wider than a word, if too
// many pieces are used once, or if few states are expected and no piece is used once.
func (c *compiler) findPockets(ctx context.Context, many float64) (*pockets, error) {
	k := &pockets{window: c.Window, steps: len(c.steps), optional: newBitset(len(c.steps))}
	exact := 0
	for i, optional := range c.optional {
		if optional {
			k.optional.set(i)
		} else {
			exact++
		}
	}
	if c.Window > 64 || exact == 0 || !c.pocketFlags(k) || k.flags == 0 && sumOf(c.shape) < many {
		return nil, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	k.sizes = c.fillable(k.flags)
	k.idle = !slices.ContainsFunc(k.sizes, func(s uint64) bool { return s != math.MaxUint64 })
	if k.idle && k.flags == 0 { // if there are flags, the result of Print depends on k
		return nil, nil
	}
	var err error
	k.offsets, err = c.edges(ctx)
	return k, err
}

func (c *compiler) pocketFlags(k *pockets) bool {
	for _, f := range c.counters {
		if f.kind == flag {
			if k.flags == 0 {
				k.flagWord, k.flagAt = f.at>>6, f.at&63
			}
			k.flags++
		}
	}
	k.flagMask = key.LowBits(min(k.flags, 64))
	return k.flags <= maxPocketFlags
}

// fillable returns, for each set of used flags, the sizes of pockets that pieces with none of these
// flags can fill: bit s stands for a pocket of s items.
func (c *compiler) fillable(flags int) []uint64 {
	once := make([]uint64, flags) // bit s is set if an option of s items sets only this flag
	var often uint64              // bit s is set if an option of s items sets no flag, or several
	for _, options := range c.byStep {
		for _, o := range options {
			size := uint64(1) << min(63, c.swept(o))
			if f := c.onlyFlag(o); f >= 0 {
				once[f] |= size
			} else {
				often |= size
			}
		}
	}
	sizes := make([]uint64, 1<<flags)
	for used := range sizes {
		reach := uint64(1)
		for f, s := range once {
			if used>>f&1 == 0 {
				reach |= sums(reach, s)
			}
		}
		for grown := reach | sums(reach, often); grown != reach; grown = reach | sums(reach, often) {
			reach = grown
		}
		sizes[used] = reach
	}
	return sizes
}

// sums returns the set of all sums i+j below 64, with i in the set a and j in the set b.
func sums(a, b uint64) (s uint64) {
	for ; b != 0; b &= b - 1 {
		s |= a << bits.TrailingZeros64(b)
	}
	return s
}

// onlyFlag returns the index of the one flag that option o sets, or -1.
func (c *compiler) onlyFlag(o int) int {
	found := -1
	for _, u := range c.p.Options[o] {
		if k := c.counterOf[u.Item]; k >= 0 && c.counters[k].kind == flag {
			if found >= 0 {
				return -1
			}
			found = k
		}
	}
	return found
}

func (c *compiler) edges(ctx context.Context) ([]offset, error) {
	items := c.ItemOrder()
	cells := sweptItems(c.p, items)
	l, err := countLinks(ctx, cells, len(c.p.Items))
	if err != nil {
		return nil, err
	}
	c.weighByOffset(l)
	g, err := l.graph(ctx, cells)
	if err != nil {
		return nil, err
	}
	index := map[int]int{}
	var offsets []offset
	for _, i := range items {
		q := c.at[i]
		for _, j := range g.near[i] {
			by := c.at[j] - q
			if by <= 0 {
				continue
			}
			if _, ok := index[by]; !ok {
				index[by] = len(offsets)
				offsets = append(offsets, offset{by: by, from: newBitset(len(c.steps))})
			}
			offsets[index[by]].from.set(q)
		}
	}
	return offsets, nil
}

// weighByOffset gives the same weight to all links whose items are equally far apart in the order.
// Otherwise, spanning trees would be different near a border, and fewer steps would be equal.
func (c *compiler) weighByOffset(l links) {
	total := make([]int, len(c.Order))
	apart := func(i int, x link) int {
		by := c.at[i] - c.at[x.to]
		return max(by, -by)
	}
	for i := range l {
		for _, x := range l[i] {
			total[apart(i, x)] += int(x.shared)
		}
	}
	for i := range l {
		for k, x := range l[i] {
			l[i][k].shared = int32(min(total[apart(i, x)], math.MaxInt32))
		}
	}
}

type view struct {
	edges      []Edges
	inside     uint64 // window bits before the end of the order
	optional   uint64
	crossing   uint64 // items with a neighbour beyond the window
	beyond     bool   // there are items beyond the window
	flagWord   int
	flagAt     int
	flagMask   uint64
	sizes      []uint64
	windowMask uint64
}

func (k *pockets) view(level int) *view {
	v := &view{
		inside: key.LowBits(min(k.window, k.steps-level)), windowMask: key.LowBits(k.window),
		optional: k.optional.at(level), beyond: k.steps-level > k.window,
		flagWord: k.flagWord, flagAt: k.flagAt, flagMask: k.flagMask, sizes: k.sizes,
	}
	for _, o := range k.offsets {
		from := o.from.at(level) & v.inside
		near := key.LowBits(max(0, k.window-o.by))
		v.crossing |= from &^ near
		from &= near
		if from != 0 { // then o.by is below 64
			v.edges = append(v.edges, Edges{uint(o.by), from})
		}
	}
	return v
}

func (k *pockets) like(i, j int) bool {
	if k == nil || !k.shut(i) && !k.shut(j) {
		return true
	}
	inside := key.LowBits(min(k.window, k.steps-i))
	if min(k.window+1, k.steps-i) != min(k.window+1, k.steps-j) || (k.optional.at(i)^k.optional.at(j))&inside != 0 {
		return false
	}
	return !slices.ContainsFunc(k.offsets, func(o offset) bool { return (o.from.at(i)^o.from.at(j))&inside != 0 })
}

// shut reports whether an item of the window, except for the next item, can be walled off.
func (k *pockets) shut(level int) bool {
	free := key.LowBits(min(k.window, k.steps-level)) &^ (k.optional.at(level) | 1)
	for _, o := range k.offsets {
		free &^= o.from.at(level) &^ key.LowBits(max(0, k.window-o.by))
	}
	return free != 0
}

// alive reports whether every pocket can be filled. The word flags has the bits of the used pieces.
func (v *view) alive(window, flags uint64) bool {
	covered := window & v.windowMask
	free := v.inside &^ covered
	open := free & (v.optional | v.crossing)
	if v.beyond {
		open |= free &^ key.LowBits(bits.Len64(covered))
	}
	rest := v.walledOff(open, free)
	if rest == 0 {
		return true // the usual case
	}
	fits := v.sizes[flags>>v.flagAt&v.flagMask]
	for rest != 0 {
		after := v.walledOff(rest&-rest, rest)
		if n := bits.OnesCount64(rest &^ after); n < 64 && fits>>n&1 == 0 {
			return false
		}
		rest = after
	}
	return true
}

// walledOff returns the free items that cannot be reached from the items in seed. It adds free
// neighbours to seed, along one element of v.edges after another, until there are no more.
func (v *view) walledOff(seed, free uint64) uint64 {
	if len(v.edges) == 2 { // as on boards of squares swept by rows
		return walledOff(seed, free, v.edges[0], v.edges[1])
	}
	for seed != free {
		grown := seed
		for _, e := range v.edges {
			grown |= e.Near(grown) & free
		}
		if grown == seed {
			break
		}
		seed = grown
	}
	return free &^ seed
}

// walledOff is view.walledOff if v.edges has two elements, e and f. It needs half of the time.
func walledOff(seed, free uint64, e, f Edges) uint64 {
	for seed != free {
		grown := seed | f.Near(seed)&free
		grown |= e.Near(grown) & free
		if grown == seed {
			break
		}
		seed = grown
	}
	return free &^ seed
}

// viewOf returns the view of a level, or nil if all pockets in its states can be filled.
func (a *Automaton) viewOf(level int) *view {
	k := a.pockets
	if k == nil || k.idle || level == len(a.steps) || k.flags == 0 && !k.shut(level) {
		return nil
	}
	return k.view(level)
}

// Lone finds states that cannot be completed because a free cell is alone, without free neighbours.
//
//	###.##
//	##q###      6 columns: q is alone if q-1, q+1, q-6 and q+6 are covered
//	.##...
type Lone struct {
	Inside uint64  // window bits before the end of the order
	Open   uint64  // window bits that may stay free, or have a neighbour beyond the window
	Edges  []Edges // pairs of neighbours in the window
}

// Edges has the pairs of neighbours q and q+By, for all bits q that are set in From.
type Edges struct {
	By   uint
	From uint64
}

// lone returns the test for lone cells. A puzzle with pieces of one cell has no view.
func (v *view) lone() *Lone {
	return &Lone{Inside: v.inside, Open: v.optional | v.crossing, Edges: v.edges}
}

// Alive reports whether no cell of a window is alone.
func (l *Lone) Alive(window uint64) bool {
	free := l.Inside &^ window
	near := l.Open
	for _, e := range l.Edges {
		near |= e.Near(free)
	}
	return free&^near == 0
}

// Near returns the bits that have a free neighbour along the edges.
func (e Edges) Near(free uint64) uint64 {
	return free&e.From<<(e.By&63) | free>>(e.By&63)&e.From
}
