package sweep

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sort"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
)

// The children of the states of a level can be found without stored arcs while the next level
// exists too. A move keeps the order of keys, so each move goes through the next level once:
//
//	before   000 001 010 100 …           some states at a time
//	          │   │   │   │   move 1     goes on from its last place in the next level
//	          ▼   ▼       ▼
//	next     000 010 011 101 …
//	          ▲       ▲       move 2     then the next move, for the same states
//
// Then the children are sorted by the states from which they come. A move needs one slab at a time.

type children[K key.Key] struct {
	moves []automaton.Stream[K] // sorted by variable; the move without an option is last
	to    []place               // position of each move in the next level
	keys  []K                   // keys of some states of the level before
	all   []child               // children of these states, grouped by move
	by    []child               // the same children, grouped by state
	ends  []uint32              // for each state, the index after its last child in by
}

type place struct{ block, state int }

type child struct{ from, move, to uint32 }

const (
	childBytes   = 12
	childrenKept = 1 << 16
)

var errChild = errors.New("internal error: a state's child is not in the next level")

func newChildren[K key.Key](memory int64) *children[K] {
	n := childrenKept
	if memory > 0 {
		n = int(min(childrenKept, max(64, memory/16/(2*childBytes))))
	}
	var k K
	states := min(SlabStates, n*childBytes/(len(k)*wordBytes))
	return &children[K]{keys: make([]K, 0, states), all: make([]child, 0, n), by: make([]child, 0, n), ends: make([]uint32, 0, states)}
}

func (c *children[K]) bytes() int64 {
	if c == nil {
		return 0
	}
	var k K
	return int64(cap(c.keys)*len(k))*wordBytes + int64(cap(c.all)+cap(c.by))*childBytes + int64(cap(c.ends))*4
}

// EachChild implements Run.
func (r *Sweep[K]) EachChild(ctx context.Context, do func(variable, child uint32) error) error {
	r.allow()
	t := automaton.NewTransition[K](r.a, r.at-1)
	c := r.children
	c.moves = t.Streams
	slices.SortStableFunc(c.moves, func(a, b automaton.Stream[K]) int { return cmp.Compare(a.Variable, b.Variable) })
	c.to = slices.Repeat([]place{{}}, len(c.moves))
	some := min(cap(c.keys), max(1, cap(c.all)/len(c.moves)))
	for at := (place{}); at.state < r.before.n; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.before.cut(&at, some, &c.keys); err != nil {
			return err
		}
		if err := c.find(&r.in, t.Window); err != nil {
			return err
		}
		if err := c.each(do); err != nil {
			return err
		}
	}
	return nil
}

func (l *Level[K]) cut(at *place, some int, keys *[]K) error {
	slab := at.state >> slabBits
	lows, _, err := l.source().Get(slab)
	if err != nil {
		return err
	}
	defer l.source().LetGo(slab)
	*keys = (*keys)[:0]
	for end := min(at.state+some, slab<<slabBits+len(lows)); at.state < end; at.state++ {
		if at.state == l.end(at.block) {
			at.block++
		}
		*keys = append(*keys, l.blocks.key(at.block, lows[at.state&slabMask]))
	}
	return nil
}

func (c *children[K]) find(next *Level[K], window K) error {
	c.all = c.all[:0]
	for x := range c.moves {
		f := follower[K]{level: next, source: next.source(), place: c.to[x], slab: -1}
		err := c.follow(&f, uint32(x), window)
		f.leave()
		if err != nil {
			return err
		}
		c.to[x] = f.place
	}
	return nil
}

func (c *children[K]) follow(f *follower[K], x uint32, window K) error {
	move := &c.moves[x]
	for i, k := range c.keys {
		image, fits := move.Image(k, window)
		if !fits {
			continue
		}
		if err := f.goTo(image); err != nil {
			return err
		}
		c.all = append(c.all, child{uint32(i), x, uint32(f.state)})
	}
	return nil
}

func (c *children[K]) each(do func(variable, child uint32) error) error {
	c.ends = append(c.ends[:0], make([]uint32, len(c.keys))...)
	for _, x := range c.all {
		c.ends[x.from]++
	}
	sum := uint32(0)
	for i, n := range c.ends {
		c.ends[i] = sum // for now the index of the first child
		sum += n
	}
	c.by = slices.Grow(c.by[:0], len(c.all))[:len(c.all)]
	for _, x := range c.all {
		c.by[c.ends[x.from]] = x
		c.ends[x.from]++
	}
	for _, x := range c.by {
		if err := do(c.moves[x.move].Variable, x.to); err != nil {
			return err
		}
	}
	return nil
}

type follower[K key.Key] struct {
	place
	level  *Level[K]
	source Source
	slab   int // the slab that is open, or -1
	lows   []uint16
}

func (f *follower[K]) goTo(k K) error {
	blocks := &f.level.blocks
	mask := key.Low[K](blocks.low)
	high, low := key.Without(k, mask), uint16(k[0]&mask[0])
	above := func(b int) bool { return !key.Less(key.Without(blocks.heads[b], mask), high) }
	if !above(f.block) {
		f.block += 1 + ahead(len(blocks.heads)-f.block-1, func(i int) bool { return above(f.block + 1 + i) })
	}
	for ; f.block < len(blocks.heads) && key.Without(blocks.heads[f.block], mask) == high; f.block++ {
		f.state = max(f.state, int(blocks.first[f.block]))
		end := f.level.end(f.block)
		if err := f.open((end - 1) >> slabBits); err != nil {
			return err
		}
		lows := f.lows[f.state&slabMask:][:end-f.state]
		i := 0
		for i < len(lows) && i < 8 && lows[i] < low {
			i++
		}
		if i == 8 {
			i += ahead(len(lows)-i, func(j int) bool { return lows[i+j] >= low })
		}
		if f.state += i; i < len(lows) && lows[i] == low {
			return nil
		}
		if f.state < end {
			break
		}
	}
	return errChild
}

// ahead returns the least i < n with holds(i), or n. holds must also be true for all larger i.
func ahead(n int, holds func(int) bool) int {
	from, to := 0, 1
	for to <= n && !holds(to-1) {
		from, to = to, 2*to
	}
	to = min(to, n)
	return from + sort.Search(to-from, func(i int) bool { return holds(from + i) })
}

func (f *follower[K]) open(slab int) (err error) {
	if slab == f.slab {
		return nil
	}
	f.leave()
	if f.lows, _, err = f.source.Get(slab); err == nil {
		f.slab = slab
	}
	return err
}

func (f *follower[K]) leave() {
	if f.slab >= 0 {
		f.source.LetGo(f.slab)
		f.slab = -1
	}
}
