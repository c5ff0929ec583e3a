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

// Shape compares the structure of problems: what is left of a problem without the names and
// numbers of its items and without the order of its options. It finds whether two problems have the same
// structure, and which symmetries a problem has. Options may occur twice, as in quotients.
//
// It puts the items and options into cells, see partition. A search puts an item of some cell
// into a cell of its own and splits other cells by it, until each item is alone. If the same
// steps with other items, or in another problem, split the same cells in the same way, then items at the
// same place may correspond to each other. This is compared use by use before it is returned,
// so hashes that happen to be equal do no harm.
//
// A search may take exponentially many steps. Its effort is limited, in uses of items that it looks
// at. A million take about 10 ms. What is found depends on the effort, but never on the clock.
//
// The search is that of McKay, "Practical graph isomorphism" (1981), pruned by orbits only.
//
// One goroutine at a time may use a Shape, and the problem must not change meanwhile.
type Shape struct {
	*partition
	hash uint64

	levels []level // the first path of the search; nil before it is made
	leaf   []int32 // its items by place, once each is alone

	mapper *Mapper // made when it is needed
	after  []int32 // with the mapper, by option: 1 + another one that is equal, or 0
}

// level is a step of a path: an item of a cell is put into a cell of its own.
type level struct {
	cell, size int32
	item       int32
	trace      int // its length before
}

const unlimited = math.MaxInt

var errEffort = errors.New("the effort of a search is used up")

// Shape finds the cells of the items and options. The problem must be valid, but for options
// that occur twice. It takes O(n log n) steps for n uses, and looks at ctx every 2^14 steps.
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

// Hash is equal for problems of the same structure. It is the same in all processes.
func (s *Shape) Hash() uint64 { return s.hash }

// Rigid reports whether each item has a cell of its own. Then the only symmetry is the identity.
func (s *Shape) Rigid() bool {
	for c := range s.problem.Items {
		if s.cell[s.vertices[c]] != int32(c) {
			return false
		}
	}
	return true
}

// Isomorphism returns, for each item and each option of s's problem, the corresponding one of t's, such
// that the items have the same bounds and the options use corresponding items with the same times and
// colours. It returns nil if there is no such correspondence, or if the effort is not enough
// to find one. The error is that of ctx.
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

// Group is a group of symmetries of a problem, or a part of it.
type Group struct {
	Generators []Symmetry // none for the identity alone
	Order      *big.Int   // nil if the effort was used up before all generators were found

	items int
}

// Elements lists the group, the identity first, or returns nil if its order is not known or is over most.
// It keeps the order times the number of items in numbers.
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

// key is different for different symmetries of a problem.
func (s Symmetry) key() string {
	key := make([]byte, 0, 4*len(s))
	for _, to := range s {
		key = binary.LittleEndian.AppendUint32(key, uint32(to))
	}
	return string(key)
}

// Group returns the group of all symmetries of the problem, or the part of it that was found with the
// effort. The error is that of ctx.
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

// generate finds generators of the symmetries that leave the items of the path above level k alone.
// Those found below the level leave the item of the level alone too. So one more is needed for each
// of their orbits that the item can be taken to, and one failure is enough for an orbit.
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

// classes are the orbits of the items under some symmetries.
type classes struct {
	parent []int32 // of an item, in a tree for each orbit
	failed []int32 // by root: the last level whose item cannot be taken to the orbit
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

// unite makes one orbit of those of each item and its image. Levels go down, so that the lower one
// is the later one.
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

// failure is the error of a search that has found nothing.
func (s *Shape) failure() error {
	if s.err == errEffort {
		return nil
	}
	return s.err
}

// walk makes the first path, unless it is known: always an item of the first cell that has several.
// It reports whether the effort was enough.
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

// along follows the path of s in t from level k on. It calls accept with each correspondence of
// the items that the cells suggest, until accept returns true, and reports whether it has.
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
		return false // only if two hashes are equal by accident
	}
	if s == t && t.cell[l.item] == l.cell {
		first = l.item // symmetries that move little are found first
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

// step follows the path with an item in place of the item of level k.
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

// images returns for each option of p another one of s's problem, which uses the images of its items
// in the same way, or nil if there are none, or the bounds differ.
func (s *Shape) images(p *Problem, image Symmetry) []int {
	q := s.problem
	s.spend(len(image) + 4*len(s.users)) // a use that is compared takes longer
	for i, to := range image {
		if a, b := p.Items[i], q.Items[to]; a.Min != b.Min || a.Max != b.Max {
			return nil
		}
	}
	if s.mapper == nil {
		s.makeMapper()
	}
	left := slices.Clone(s.mapper.table) // of equal options that are in the table, those not yet taken
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
