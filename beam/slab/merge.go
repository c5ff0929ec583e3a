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
	keys     []K
	counts   []uint64
	states   int64
	residues uint64
}

// source is a reader with what it has handed out last.
type source[K key.Key] struct {
	from   *Reader[K]
	keys   []K
	counts []uint64
	begun  bool
}

// Merge merges readers, whose counts are summed in so many limbs: see MergeLimbs. Residues are modulo a prime.
func Merge[K key.Key](ctx context.Context, readers []*Reader[K], limbs int, prime uint64) *Merged[K] {
	m := &Merged[K]{ctx: ctx, limbs: limbs, prime: prime}
	for _, r := range readers {
		m.sources = append(m.sources, source[K]{from: r})
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
	m.keys, m.counts = m.keys[:0], m.counts[:0]
	if err := m.ctx.Err(); err != nil {
		return nil, nil, err
	}
	for len(m.keys) < LeafStates {
		least := -1
		for i := range m.sources {
			s := &m.sources[i]
			if err := s.fill(); err != nil {
				return nil, nil, err
			}
			if len(s.keys) > 0 && (least < 0 || key.Less(s.keys[0], m.sources[least].keys[0])) {
				least = i
			}
		}
		if least < 0 {
			break
		}
		if err := m.add(m.sources[least].keys[0]); err != nil {
			return nil, nil, err
		}
	}
	return m.keys, m.counts, nil
}

// fill has states at hand, if there are more.
func (s *source[K]) fill() (err error) {
	if len(s.keys) == 0 && !s.from.done {
		s.keys, s.counts, err = s.from.Next()
	}
	return err
}

// add adds a state of all sources that have it at hand.
func (m *Merged[K]) add(k K) error {
	at := len(m.counts)
	m.keys, m.counts = append(m.keys, k), append(m.counts, make([]uint64, m.limbs+1)...)
	sum := m.counts[at:]
	for i := range m.sources {
		s := &m.sources[i]
		if len(s.keys) == 0 || s.keys[0] != k {
			continue
		}
		limbs := s.from.Limbs
		count := s.counts[:limbs]
		s.keys, s.counts = s.keys[1:], s.counts[limbs:]
		rest := residue(count, m.prime)
		sum[m.limbs] = add(sum[m.limbs], rest, m.prime)
		m.states, m.residues = m.states+1, add(m.residues, rest, m.prime)
		if count = limb.Trim(count); len(count) > m.limbs || limb.Add(sum[:m.limbs], count) != 0 {
			return fmt.Errorf("slab: a sum of counts needs more than %d limbs", m.limbs)
		}
	}
	return nil
}

// Close ends the reads of all readers.
func (m *Merged[K]) Close() {
	for i := range m.sources {
		m.sources[i].from.Close()
	}
}
