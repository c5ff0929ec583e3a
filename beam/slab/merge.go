package slab

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/pavage/pavage/internal/key"
	"github.com/pavage/pavage/internal/limb"
)

// MergeLimbs are limbs that hold the sum of one count of each slab.
func MergeLimbs(slabs []*Ref) int {
	most := 0
	for _, r := range slabs {
		most = max(most, r.Bits)
	}
	return limbsOf(most + bits.Len(uint(max(0, len(slabs)-1))))
}

// Merged puts the states of many readers in one order and adds the counts of equal keys.
type Merged[K key.Key] struct {
	ctx      context.Context
	limbs    int
	prime    uint64
	sources  []source[K]
	tree     losers[K]
	begun    bool
	keys     []K
	counts   []uint64
	states   int64
	residues uint64
}

// source is a reader with what it has handed out last.
type source[K key.Key] struct {
	from   *Reader[K]
	limbs  int
	keys   []K      // that are not merged yet
	counts []uint64 // of them
}

// Merge merges readers, whose counts are summed in so many limbs: see MergeLimbs. Residues are modulo a prime.
// It must be closed if it is not read to its end.
func Merge[K key.Key](ctx context.Context, readers []*Reader[K], limbs int, prime uint64) *Merged[K] {
	m := &Merged[K]{ctx: ctx, limbs: limbs, prime: prime}
	for _, r := range readers {
		m.sources = append(m.sources, source[K]{from: r, limbs: r.Limbs})
	}
	return m
}

// Read is how many states were read, equal ones as often as they were, and the sum of the residues of their
// counts.
func (m *Merged[K]) Read() (states int64, residues uint64) { return m.states, m.residues }

// Next hands out the next states, with their counts and behind the limbs of each its residue: good until
// it is called again. When there are no more it hands out nothing. The residue of each count that was read is
// taken by itself, and residues are added modulo the prime.
func (m *Merged[K]) Next() (keys []K, counts []uint64, err error) {
	if err = m.ctx.Err(); err == nil && !m.begun {
		err = m.begin()
	}
	m.keys, m.counts = m.keys[:0], m.counts[:0]
	for end := none[K](); err == nil && len(m.keys) < LeafStates && m.tree.best.key != end; {
		err = m.take()
	}
	if err != nil {
		m.Close()
		return nil, nil, err
	}
	return m.keys, m.counts, nil
}

// begin reads the first states of all readers.
func (m *Merged[K]) begin() error {
	first := make([]K, len(m.sources))
	for i := range m.sources {
		k, err := m.sources[i].fill()
		if err != nil {
			return err
		}
		first[i] = k
	}
	m.tree.start(first)
	m.begun = true
	return nil
}

// fill reads the next states, and returns the first of them.
func (s *source[K]) fill() (k K, err error) {
	if s.keys, s.counts, err = s.from.Next(); err != nil || len(s.keys) == 0 {
		return none[K](), err
	}
	return s.keys[0], nil
}

// take hands out the smallest key, with the sum of all its counts.
func (m *Merged[K]) take() (err error) {
	k, at := m.tree.best.key, len(m.counts)
	m.keys = append(m.keys, k)
	for range m.limbs + 1 {
		m.counts = append(m.counts, 0)
	}
	sum := m.counts[at:]
	for m.tree.best.key == k {
		s := &m.sources[m.tree.best.source]
		if err := m.add(sum, s.counts[:s.limbs]); err != nil {
			return err
		}
		next := none[K]()
		s.keys, s.counts = s.keys[1:], s.counts[s.limbs:]
		if len(s.keys) > 0 {
			next = s.keys[0]
		} else if next, err = s.fill(); err != nil {
			return err
		}
		m.tree.put(next)
	}
	return nil
}

// add adds a count, and its residue behind the limbs.
func (m *Merged[K]) add(sum, count []uint64) error {
	rest := limb.Residue(count, m.prime)
	sum[m.limbs] = limb.SumModulo(sum[m.limbs], rest, m.prime)
	m.states, m.residues = m.states+1, limb.SumModulo(m.residues, rest, m.prime)
	if len(count) > m.limbs {
		count = limb.Trim(count)
	}
	if len(count) > m.limbs || limb.Add(sum[:m.limbs], count) != 0 {
		return fmt.Errorf("slab: a sum of counts needs more than %d limbs", m.limbs)
	}
	return nil
}

// Close ends the reads of all readers.
func (m *Merged[K]) Close() {
	for i := range m.sources {
		m.sources[i].from.Close()
	}
}
