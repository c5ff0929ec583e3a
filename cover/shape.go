package cover

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/big"
	"slices"

	"github.com/pavage/pavage/internal/kit/interrupt"
)

// Shape finds the symmetries of a problem and the isomorphisms between problems. The names and the
// order of items and options do not matter. Options may occur twice, as in quotients.
//
// The items and options are divided into classes of similar items and options. A search puts an
// item into a class of its own and splits the other classes by it, until each item is alone. These
// steps are then tried with other items, or in another problem. If they split the classes in the
// same way, the item of each step may correspond to the item that was tried in its place. Every
// correspondence is compared use by use, so hash collisions do no harm.
//
// A search may need exponentially many steps. Its effort is limited to a number of inspected uses,
// so the result does not depend on the clock. A million inspected uses cost about 10 ms.
//
// The algorithm is McKay's, "Practical graph isomorphism" (1981), but only orbits prune the search.
// Only one goroutine at a time may use a Shape, and the problem must not change meanwhile.
type Shape struct {
	*partition
	hash uint64

	levels []level // steps of the first path of the search; nil before walk
	leaf   []int32 // copy of the items in vertices at the end of this path

	mapper *Mapper // nil until it is needed
	after  []int32 // indexed by option; 1 + the index of the next equal option, or 0 for the last
}

type level struct {
	cell, size int32
	item       int32
	trace      int // length of Shape.trace before the step
}

const unlimited = math.MaxInt

var errEffort = errors.New("the limit on the effort of the search was reached")

// Shape returns the Shape of a valid problem, whose options may repeat. It needs O(n log n) steps
// for n uses, and checks ctx every 2^14 steps.
func (p *Problem) Shape(ctx context.Context) (*Shape, error) {
	cells, err := newPartition(p, interrupt.Context(ctx))
	if err != nil {
		return nil, err
	}
	s := &Shape{partition: cells, hash: scramble(uint64(len(p.Items))<<32 + uint64(len(p.Options)))}
	for _, event := range cells.trace {
		s.hash = scramble(s.hash + event)
	}
	return s, nil
}

// Hash returns a hash that is equal for isomorphic problems, and the same in all processes.
func (s *Shape) Hash() uint64 { return s.hash }

// Rigid reports whether each item has a cell of its own, so that only the identity is a symmetry.
func (s *Shape) Rigid() bool {
	for c := range s.problem.Items {
		if s.cell[s.vertices[c]] != int32(c) {
			return false
		}
	}
	return true
}

// Isomorphism returns an isomorphism of the problem of s to the problem of t, which preserves
// bounds, times and colours: item i of s corresponds to items[i] of t, option o to options[o]. They
// are nil if it finds none. The limit effort is a number of inspected uses. The error is from ctx.
func (s *Shape) Isomorphism(ctx context.Context, t *Shape, effort int) (items, options []int, err error) {
	p, q := s.problem, t.problem
	if s.hash != t.hash || len(p.Items) != len(q.Items) || len(p.Options) != len(q.Options) {
		return nil, nil, nil
	}
	same := slices.EqualFunc(p.Items, q.Items, func(a, b Item) bool { return a.Min == b.Min && a.Max == b.Max })
	if same && slices.EqualFunc(p.Options, q.Options, func(a, b Option) bool { return slices.Equal(a, b) }) {
		return upTo(len(p.Items)), upTo(len(p.Options)), nil
	}
	s.start(ctx, effort)
	if !s.walk() {
		return nil, nil, s.failure()
	}
	t.start(ctx, effort)
	accept := func(image Symmetry) bool {
		items, options = image, t.images(p, image)
		return options != nil
	}
	if !t.along(s, 0, accept) {
		return nil, nil, t.failure()
	}
	return items, options, nil
}

func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// Group is the group of symmetries of a problem, or a subgroup if the search ended early.
type Group struct {
	Generators []Symmetry // empty if the identity is the only element
	Order      *big.Int   // number of elements of the group; nil if the search ended early

	items int
}

// Elements returns all elements of the group, the identity first. It returns nil if there are more
// than the limit most, or if Order is nil.
func (g *Group) Elements(ctx context.Context, most int) ([]Symmetry, error) {
	if g.Order == nil || g.Order.Cmp(big.NewInt(int64(most))) > 0 {
		return nil, nil
	}
	looks := interrupt.Context(ctx)
	all := []Symmetry{upTo(g.items)}
	known := map[string]bool{all[0].key(): true}
	for k := 0; k < len(all); k++ {
		for _, s := range g.Generators {
			if err := looks.Work(g.items); err != nil {
				return nil, err
			}
			product := make(Symmetry, g.items)
			for i, to := range all[k] {
				product[i] = s[to]
			}
			if key := product.key(); !known[key] {
				known[key] = true
				all = append(all, product)
			}
		}
	}
	return all, nil
}

func (s Symmetry) key() string {
	key := make([]byte, 0, 4*len(s))
	for _, to := range s {
		key = binary.LittleEndian.AppendUint32(key, uint32(to))
	}
	return string(key)
}

// Group returns the group of the symmetries. The limit effort is a number of inspected uses.
func (s *Shape) Group(ctx context.Context, effort int) (*Group, error) {
	s.start(ctx, effort)
	g := &Group{Order: big.NewInt(1), items: len(s.problem.Items)}
	if s.walk() {
		s.generate(g, 0, newClasses(len(s.problem.Items)))
	}
	if s.err != nil {
		g.Order = nil
	}
	return g, s.failure()
}

// generate appends generators of the symmetries that fix the items of all levels before k. First
// come generators of the symmetries that also fix the item of level k. They divide the other items
// into orbits. One more generator is needed for each orbit to which some symmetry maps the item. If
// no symmetry maps it to one member of an orbit, none maps it to another member.
func (s *Shape) generate(g *Group, k int, known *classes) {
	if k == len(s.levels) {
		return
	}
	l, splits := s.levels[k], len(s.splits)
	s.follow, s.followed = s.trace, l.trace
	s.single(l.item)
	if s.err == nil {
		s.generate(g, k+1, known)
	}
	s.undo(splits)
	s.spend(int(l.size))
	accept := func(image Symmetry) bool {
		if s.images(s.problem, image) == nil {
			return false
		}
		g.Generators = append(g.Generators, image)
		known.unite(image)
		return true
	}
	members := slices.Sorted(slices.Values(s.vertices[l.cell : l.cell+l.size]))
	for _, i := range members {
		if s.err != nil {
			return
		}
		root := known.root(i)
		if root != known.root(l.item) && known.failed[root] != int32(k) && !s.step(s, k, i, accept) {
			known.failed[root] = int32(k)
		}
	}
	orbit := int64(0)
	for _, i := range members {
		if known.root(i) == known.root(l.item) {
			orbit++
		}
	}
	g.Order.Mul(g.Order, big.NewInt(orbit))
}

type classes struct {
	parent []int32 // indexed by item; each orbit is a tree, whose root is its own parent
	failed []int32 // indexed by root; last level from whose item no symmetry leads to the orbit
}

func newClasses(items int) *classes {
	o := &classes{parent: make([]int32, items), failed: make([]int32, items)}
	for i := range o.parent {
		o.parent[i], o.failed[i] = int32(i), math.MaxInt32
	}
	return o
}

func (o *classes) root(i int32) int32 {
	for o.parent[i] != i {
		o.parent[i] = o.parent[o.parent[i]]
		i = o.parent[i]
	}
	return i
}

// unite unites each item's orbit with the orbit of its image.
func (o *classes) unite(s Symmetry) {
	for i, to := range s {
		if a, b := o.root(int32(i)), o.root(int32(to)); a != b {
			o.parent[a] = b
			o.failed[b] = min(o.failed[a], o.failed[b])
		}
	}
}

func (s *Shape) start(ctx context.Context, effort int) {
	s.looks, s.effort, s.err = interrupt.Context(ctx), effort, nil
}

func (s *Shape) failure() error {
	if s.err == errEffort {
		return nil
	}
	return s.err
}

// walk makes the first path if there is none. Each step puts an item of the first cell with several
// items into a cell of its own. walk returns false after an error.
func (s *Shape) walk() bool {
	if s.leaf != nil {
		return true
	}
	before := len(s.trace)
	s.follow = nil
	for c := int32(0); int(c) < len(s.problem.Items) && s.err == nil; {
		if s.size[c] == 1 {
			c++
			continue
		}
		l := level{cell: c, size: s.size[c], item: s.vertices[c], trace: len(s.trace)}
		s.levels = append(s.levels, l)
		s.single(l.item)
	}
	if s.err == nil {
		s.leaf = slices.Clone(s.vertices[:len(s.problem.Items)])
	} else {
		s.levels, s.trace = nil, s.trace[:before]
	}
	s.undo(0)
	return s.err == nil
}

// along repeats the steps of s from level k on with items of t. If the steps split the cells of t
// in the same way, it calls accept with the correspondence of the items. It tries items until
// accept returns true, and reports whether it did.
func (t *Shape) along(s *Shape, k int, accept func(Symmetry) bool) bool {
	if k == len(s.levels) {
		image := make(Symmetry, len(s.leaf))
		for place, i := range s.leaf {
			image[i] = int(t.vertices[place])
		}
		return accept(image)
	}
	l := s.levels[k]
	first := t.vertices[l.cell]
	if t.cell[first] != l.cell || t.size[l.cell] != l.size {
		return false // hash collision
	}
	if s == t && t.cell[l.item] == l.cell {
		first = l.item // symmetries that move few items are found first
	}
	if t.step(s, k, first, accept) {
		return true
	}
	for _, i := range slices.Clone(t.vertices[l.cell : l.cell+l.size]) {
		if t.err != nil {
			return false
		}
		if i != first && t.step(s, k, i, accept) {
			return true
		}
	}
	return false
}

// step is like along, but for level k it tries only the given item of t.
func (t *Shape) step(s *Shape, k int, item int32, accept func(Symmetry) bool) bool {
	splits := len(t.splits)
	t.follow, t.followed = s.trace, s.levels[k].trace
	end := len(s.trace)
	if k+1 < len(s.levels) {
		end = s.levels[k+1].trace
	}
	found := t.single(item) && t.followed == end && t.along(s, k+1, accept)
	t.undo(splits)
	return found
}

// images returns, for each option of p, the option of s.problem that is its image. No option
// occurs twice in the result. images returns nil if this is impossible, or if bounds differ.
func (s *Shape) images(p *Problem, image Symmetry) []int {
	q := s.problem
	s.spend(len(image) + 4*len(s.users)) // comparing two uses costs more than visiting one
	for i, to := range image {
		if a, b := p.Items[i], q.Items[to]; a.Min != b.Min || a.Max != b.Max {
			return nil
		}
	}
	if s.mapper == nil {
		s.makeMapper()
	}
	left := slices.Clone(s.mapper.table) // the table without options that are in the result
	options := make([]int, len(p.Options))
	for k, option := range p.Options {
		if s.err != nil {
			return nil
		}
		var at int
		at, s.err = s.mapper.slot(s.mapper.image(option, image))
		o := left[at]
		if o == 0 {
			return nil
		}
		options[k], left[at] = int(o)-1, s.after[o-1]
	}
	return options
}

func (s *Shape) makeMapper() {
	s.mapper, s.after = s.problem.emptyMapper(&s.looks), make([]int32, len(s.problem.Options))
	for o, option := range s.problem.Options {
		at, err := s.mapper.slot(option)
		s.err = cmp.Or(s.err, err)
		s.after[o], s.mapper.table[at] = s.mapper.table[at], int32(o)+1
	}
}
