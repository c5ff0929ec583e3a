package sweep

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/pavage/pavage/internal/engine/automaton"
)

// ErrMemory is wrapped when a run would need more memory than its limit.
var ErrMemory = automaton.ErrMemory

// A level grows by slabs of 2^16 states, so it is not copied and wastes at most one slab. It uses
// the memory of the level two steps before, since new pages cost as much time as a merge.
const (
	slabBits = 16
	slabMask = SlabStates - 1
	// SlabStates is the number of states of a full slab.
	SlabStates = 1 << slabBits
)

const (
	wordBytes = 8
	lowBytes  = 2
)

// StateBytes returns the bytes of states: of their low bits, and of values of valueWords words.
func StateBytes(states, valueWords int) int64 {
	return int64(states) * (lowBytes + int64(valueWords)*wordBytes)
}

type budget struct {
	limit      int64 // 0 means no limit
	used, peak atomic.Int64
	lent       int64 // bytes included in used until takeBack subtracts them
}

// take adds n to b.used. If this exceeds b.limit, it adds nothing and fails with ErrMemory.
func (b *budget) take(n int64) error {
	used := b.used.Add(n)
	if b.limit > 0 && used > b.limit {
		b.used.Add(-n)
		return fmt.Errorf("%w: the states of the sweep need %d bytes of memory, but only %d bytes are left", ErrMemory, used, b.limit)
	}
	for {
		p := b.peak.Load()
		if used <= p || b.peak.CompareAndSwap(p, used) {
			return nil
		}
	}
}

// use is take for bytes that are in use already: it adds n even if it fails with ErrMemory.
func (b *budget) use(n int64) error {
	err := b.take(n)
	if err != nil {
		b.used.Add(n)
	}
	return err
}

func (b *budget) give(n int64) { b.used.Add(-n) }

func (b *budget) lend(n int64) error {
	if err := b.take(n); err != nil {
		return err
	}
	b.lent += n
	return nil
}

func (b *budget) takeBack() {
	b.give(b.lent)
	b.lent = 0
}

type slab struct {
	lows   []uint16
	counts []uint64
}

type store struct {
	budget
	lows   [][]uint16
	counts [][]uint64 // slabs for states of the number of words in the field words
	words  int
	small  slab       // a slab of less than full size, for states of the same number of words
	mu     sync.Mutex // protects lows, counts and small

	garbage int64        // bytes let go since the last collection
	onDisk  atomic.Int64 // bytes written to shelves since the last call of Sweep.Effort
	written sync.Pool    // *bytes.Buffer, for slabs that are written to disk
}

func (s *store) slab(size, words int) (lows []uint16, counts []uint64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if room := cap(s.small.lows); size <= room && room <= roomy*size && words == s.words {
		lows, counts = s.small.lows[:0], s.small.counts[:0]
		s.small = slab{}
		return lows, counts, nil
	}
	if lows, err = s.lowSlab(size); err != nil {
		return nil, nil, err
	}
	if counts, err = s.countSlab(size, words); err != nil {
		s.give(s.putLows(lows))
		return nil, nil, err
	}
	return lows, counts, nil
}

// A new slab may get the memory of store.small if it needs at least 1/roomy of this memory.
const roomy = 8

// putSmall keeps the larger of s.small and this slab. It returns the bytes of the other slab.
func (s *store) putSmall(lows []uint16, counts []uint64, words int) (freed int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if words != s.words || cap(lows) <= cap(s.small.lows) {
		return StateBytes(cap(lows), words)
	}
	freed = StateBytes(cap(s.small.lows), words)
	s.small = slab{lows, counts}
	return freed
}

func (s *store) putSlab(lows []uint16, counts []uint64, words int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.letGo(s.putCounts(counts, cap(lows), words) + s.putLows(lows))
}

func (s *store) putLows(lows []uint16) (freed int64) {
	if cap(lows) == SlabStates {
		s.lows = append(s.lows, lows)
		return 0
	}
	return StateBytes(cap(lows), 0)
}

func (s *store) putCounts(counts []uint64, size, words int) (freed int64) {
	if words > 0 && size == SlabStates && words == s.words {
		s.counts = append(s.counts, counts)
		return 0
	}
	return int64(size) * int64(words) * wordBytes
}

func (s *store) lowSlab(size int) ([]uint16, error) {
	if top := len(s.lows) - 1; size == SlabStates && top >= 0 {
		slab := s.lows[top]
		s.lows = s.lows[:top]
		return slab[:0], nil
	}
	if err := s.take(StateBytes(size, 0)); err != nil {
		return nil, err
	}
	return make([]uint16, 0, size), nil
}

func (s *store) countSlab(size, words int) ([]uint64, error) {
	if words == 0 {
		return nil, nil
	}
	if top := len(s.counts) - 1; size == SlabStates && words == s.words && top >= 0 {
		slab := s.counts[top]
		s.counts = s.counts[:top]
		return slab[:0], nil
	}
	if err := s.take(int64(size) * int64(words) * wordBytes); err != nil {
		return nil, err
	}
	return make([]uint64, 0, size*words), nil
}

func (s *store) useWords(words int) {
	if words != s.words {
		s.letGo(int64(len(s.counts)) * SlabStates * int64(s.words) * wordBytes)
		s.letGo(StateBytes(cap(s.small.lows), s.words))
		s.counts, s.words, s.small = nil, words, slab{}
	}
}

// letGo subtracts bytes that are garbage now from the bytes in use. The garbage collector would
// only begin when memory has doubled, so letGo runs it as soon as there is much garbage. This costs
// little time, because slabs have no pointers.
func (s *store) letGo(bytes int64) {
	s.give(bytes)
	s.garbage += bytes
	if s.garbage > muchGarbage && s.garbage > s.used.Load()/8 {
		s.garbage = 0
		debug.FreeOSMemory()
	}
}

const muchGarbage = 64 << 20

func (s *store) trim(keep int) {
	n := max(0, min(keep, len(s.lows), len(s.counts)))
	freed := StateBytes((len(s.lows)-n)*SlabStates, 0) + int64((len(s.counts)-n)*SlabStates*s.words)*wordBytes
	clear(s.lows[n:])
	clear(s.counts[n:])
	s.lows, s.counts = s.lows[:n], s.counts[:n]
	freed += StateBytes(cap(s.small.lows), s.words)
	s.small = slab{}
	s.letGo(freed)
}
