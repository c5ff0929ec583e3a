package bdd

import (
	"context"
	"fmt"
	"math/bits"
)

// maxStoreVars limits the depth of recursion: Go ends a program whose stack exceeds 1 GB.
const maxStoreVars = 1 << 20

// Family is a family of sets in a [Store]. Two families of a store are equal if and only if their
// numbers are equal.
type Family uint32

// Store is a set of families that share their nodes. A table of all nodes and a cache of results
// compare whole keys, not hashes. Nodes are never freed: a Store lives for one computation, whose
// results [Store.Freeze] converts to Diagrams. Only one goroutine may use a Store at a time. A
// Store remains usable after an error.
type Store struct {
	limits Limits
	vars   uint32
	nodes  []node
	slots  []uint32 // hash table of the nodes; 0 marks a free slot
	cache  []result // hash table of results; a new result replaces the result in the same slot
}

type node struct{ v, lo, hi uint32 }

type result struct {
	op         Operation
	a, b, made uint32
}

const (
	nodeBytes   = 12
	slotBytes   = 4
	resultBytes = 16
	firstNodes  = 1 << 8 // capacity of a new store, in nodes
)

// NewStore returns a store of families over the variables 0..vars-1, where vars is at most 2^20.
// The limits apply to the whole store. A store does not call l.Progress. It needs about 40 bytes
// for each node, and doubles its capacity when it is full.
func NewStore(vars int, l Limits) (*Store, error) {
	if vars < 0 || vars > maxStoreVars {
		return nil, fmt.Errorf("%w: %d variables in a store, expected 0..%d",
			ErrInvalid, vars, maxStoreVars)
	}
	s := &Store{limits: l, vars: uint32(vars)}
	if err := s.grow(); err != nil {
		return nil, err
	}
	s.nodes = append(s.nodes, node{v: s.vars}, node{v: s.vars, lo: Top, hi: Top})
	return s, nil
}

// Vars returns the number of variables.
func (s *Store) Vars() int { return int(s.vars) }

// Bytes returns the size of the nodes and tables of the store, in bytes.
func (s *Store) Bytes() int64 {
	return nodeBytes*int64(cap(s.nodes)) + slotBytes*int64(len(s.slots)) + resultBytes*int64(len(s.cache))
}

// Empty returns the family without sets.
func (s *Store) Empty() Family { return Family(Bottom) }

// Unit returns the family {∅}.
func (s *Store) Unit() Family { return Family(Top) }

// Freeze returns the canonical diagram of a family, over all variables of the store.
func (s *Store) Freeze(ctx context.Context, f Family) (*Diagram, error) {
	if err := s.check(f); err != nil {
		return nil, err
	}
	a, err := newAssembler(s.Vars(), s.limits)
	if err != nil {
		return nil, err
	}
	size := int64(f) + 2 // nodes with numbers above f are not in the family
	a.held = s.Bytes() + size/8 + 4*int64(s.vars)
	if err := a.account((4 + branchBytes) * size); err != nil {
		return nil, err
	}
	a.held += (4 + branchBytes) * size
	branches, bound := s.branches(uint32(f))
	frozen := make([]uint32, size)
	frozen[Top] = Top
	for v := int(s.vars) - 1; v >= 0; v-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		some := branches[bound[v]:bound[v+1]]
		for i := range some {
			b := &some[i]
			n := s.nodes[b.state]
			b.hi, frozen[b.state] = frozen[n.hi], frozen[n.lo]
		}
		if err := a.add(v, some, frozen); err != nil {
			return nil, err
		}
	}
	a.held = s.Bytes() + 4*size
	return a.finish(frozen[f])
}

// branches returns the nodes that root reaches. branches[bound[v]:bound[v+1]] are the nodes of v.
func (s *Store) branches(root uint32) (branches []branch, bound []uint32) {
	reached := make(bitset, root/64+1)
	reached.set(root)
	bound = make([]uint32, s.vars+2)
	for n := root; n > Top; n-- {
		if reached.has(n) {
			reached.set(s.nodes[n].lo)
			reached.set(s.nodes[n].hi)
			bound[s.nodes[n].v+2]++
		}
	}
	for v := 1; v < len(bound); v++ {
		bound[v] += bound[v-1]
	}
	branches = make([]branch, bound[len(bound)-1])
	for n := Top + 1; n <= root; n++ {
		if reached.has(n) {
			at := &bound[s.nodes[n].v+1]
			branches[*at].state = n
			*at++
		}
	}
	return branches, bound
}

func (s *Store) check(families ...Family) error {
	for _, f := range families {
		if int64(f) >= int64(len(s.nodes)) {
			return fmt.Errorf("%w: family %d belongs to another store", ErrInvalid, f)
		}
	}
	return nil
}

func (s *Store) unique(v, lo, hi uint32) (uint32, error) {
	if hi == Bottom {
		return lo, nil
	}
	want := node{v: v, lo: lo, hi: hi}
	mask := uint64(len(s.slots) - 1)
	at := want.hash() & mask
	for ; s.slots[at] != 0; at = (at + 1) & mask {
		if n := s.slots[at]; s.nodes[n] == want {
			return n, nil
		}
	}
	if len(s.nodes) == cap(s.nodes) {
		if err := s.grow(); err != nil {
			return 0, err
		}
		return s.unique(v, lo, hi)
	}
	n := uint32(len(s.nodes))
	s.nodes = append(s.nodes, want)
	s.slots[at] = n
	return n, nil
}

func (n node) hash() uint64 {
	return mix(uint64(n.hi)<<32|uint64(n.lo), uint64(n.v))
}

// mix xors the halves of a product of 128 bits, as wyhash does. The constants are from wyhash.
func mix(x, y uint64) uint64 {
	high, low := bits.Mul64(x^0xa0761d6478bd642f, y^0xe7037ed1a0b428db)
	return high ^ low
}

func (s *Store) account(extra int64) error {
	return s.limits.checkBytes(s.Bytes() + extra)
}

func (s *Store) grow() error {
	if err := s.limits.checkNodes(max(2, len(s.nodes)+1)); err != nil {
		return err
	}
	size := min(s.limits.mostNodes(), max(firstNodes, 2*int64(cap(s.nodes))))
	slots, cache := int64(powerOfTwo(2*size)), int64(powerOfTwo(size))
	if err := s.account(nodeBytes*size + slotBytes*slots + resultBytes*cache); err != nil {
		return err
	}
	nodes := make([]node, len(s.nodes), size)
	copy(nodes, s.nodes)
	s.nodes = nodes
	s.rehash(slots)
	s.regrowCache(cache)
	return nil
}

func powerOfTwo(n int64) uint64 { return 1 << bits.Len64(uint64(n-1)) }

func (s *Store) rehash(size int64) {
	s.slots = make([]uint32, size)
	mask := uint64(size - 1)
	for n := int(Top) + 1; n < len(s.nodes); n++ {
		at := s.nodes[n].hash() & mask
		for s.slots[at] != 0 {
			at = (at + 1) & mask
		}
		s.slots[at] = uint32(n)
	}
}

func (s *Store) regrowCache(size int64) {
	old := s.cache
	s.cache = make([]result, size)
	for _, r := range old {
		if r.op != 0 {
			*s.cacheAt(r.op, r.a, r.b) = r
		}
	}
}

func (s *Store) cacheAt(op Operation, a, b uint32) *result {
	h := mix(uint64(a)<<32|uint64(b), uint64(op))
	return &s.cache[h&uint64(len(s.cache)-1)]
}
