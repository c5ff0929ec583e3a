package frontier

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// ErrMemory is wrapped when a run would need more memory than it may take.
var ErrMemory = errors.New("memory limit reached")

// slabBits: levels are stored in slabs of 2^16 states, so that a level grows
// without being copied, wastes at most one slab, and the slabs of the level
// before last serve again (fresh pages cost the kernel as much time as the
// merge takes).
const (
	slabBits = 16
	slabSize = 1 << slabBits
	slabMask = slabSize - 1
)

// level is a sorted sequence of distinct keys and, beside it, the number of
// ways to each in limbs words of 64 bits, lowest first (none if limbs is 0).
type level[K key] struct {
	n      int
	limbs  int
	keys   [][]K
	counts [][]uint64
	shelf  *shelf[K] // has the slabs that keys and counts have not, if any
	lent   bool      // others use the slabs of keys too
	held   bool      // a history has the level, see hold: no slab of it may serve again
}

func (l *level[K]) key(i int) K { return l.keys[i>>slabBits][i&slabMask] }

// budget counts the bytes of all slabs and buffers of a run.
type budget struct {
	limit      int64 // 0: none
	used, peak atomic.Int64
}

// take counts n bytes that are about to be used, or none if there are too many.
func (b *budget) take(n int64) error {
	used := b.used.Add(n)
	if b.limit > 0 && used > b.limit {
		b.used.Add(-n)
		return fmt.Errorf("%w: %d bytes needed, %d allowed", ErrMemory, used, b.limit)
	}
	for {
		p := b.peak.Load()
		if used <= p || b.peak.CompareAndSwap(p, used) {
			return nil
		}
	}
}

// store hands out slabs and takes them back.
type store[K key] struct {
	*budget
	keys   [][]K
	counts [][]uint64 // slabs of the present number of limbs
	limbs  int
	mu     sync.Mutex // of keys and counts, where slabs are taken side by side

	garbage int64        // bytes let go since the last collection
	onDisk  atomic.Int64 // bytes written
	written sync.Pool    // of *bytes.Buffer: slabs on their way to disk
}

const wordBytes = 8

// room is where some states of a level go.
type room[K key] struct {
	slab   int
	keys   []K
	counts []uint64
}

// append adds sorted states, all above those of l, to its end.
func (s *store[K]) append(l *level[K], keys []K, counts []uint64) error {
	rooms, err := s.reserve(nil, l, len(keys), false)
	if err != nil {
		return err
	}
	fillRooms(rooms, keys, counts)
	return nil
}

func fillRooms[K key](rooms []room[K], keys []K, counts []uint64) {
	for _, r := range rooms {
		keys = keys[copy(r.keys, keys):]
		counts = counts[copy(r.counts, counts):]
	}
}

// reserve makes l longer by n states and appends to rooms where they are. A
// level that is large gets whole slabs from the beginning, so that no room is
// moved while others fill theirs.
func (s *store[K]) reserve(rooms []room[K], l *level[K], n int, large bool) ([]room[K], error) {
	for n > 0 {
		last := len(l.keys) - 1
		if last < 0 || !fits(l.keys[last], n) {
			want := n
			switch {
			case large || l.shelf != nil:
				want = slabSize
			case last == 0:
				want += len(l.keys[0])
			}
			if err := s.grow(l, want); err != nil {
				return rooms, err
			}
			last = len(l.keys) - 1
		}
		from := len(l.keys[last])
		to := min(from+n, cap(l.keys[last]))
		l.keys[last] = l.keys[last][:to]
		r := room[K]{slab: last, keys: l.keys[last][from:to]}
		if l.limbs > 0 {
			l.counts[last] = l.counts[last][:to*l.limbs]
			r.counts = l.counts[last][from*l.limbs : to*l.limbs]
		}
		rooms = append(rooms, r)
		n -= to - from
		l.n += to - from
	}
	return rooms, nil
}

// fits reports whether a slab can take some of n states more without being moved
// for the others.
func fits[K key](slab []K, n int) bool {
	return len(slab) < cap(slab) && (cap(slab) == slabSize || len(slab)+n <= cap(slab))
}

// grow makes room for at least one state: a small level's only slab doubles,
// a large level gets another slab.
func (s *store[K]) grow(l *level[K], want int) error {
	if len(l.keys) == 1 && l.shelf == nil && cap(l.keys[0]) < slabSize {
		size := min(slabSize, max(2*cap(l.keys[0]), want))
		return s.resize(l, size)
	}
	size := slabSize
	if len(l.keys) == 0 && want < slabSize/4 {
		size = want
	}
	l.keys = append(l.keys, nil)
	l.counts = append(l.counts, nil)
	return s.resize(l, size)
}

// resize moves the last slab of l to one of the given size.
func (s *store[K]) resize(l *level[K], size int) error {
	last := len(l.keys) - 1
	oldKeys, oldCounts := l.keys[last], l.counts[last]
	keys, counts, err := s.slab(size, l.limbs)
	if err != nil {
		return err
	}
	l.keys[last], l.counts[last] = append(keys, oldKeys...), append(counts, oldCounts...)
	s.used.Add(-s.slabBytes(cap(oldKeys), l.limbs))
	return nil
}

// slab is memory for some states. It may be called side by side.
func (s *store[K]) slab(size, limbs int) (keys []K, counts []uint64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if keys, err = s.keySlab(size); err != nil {
		return nil, nil, err
	}
	if counts, err = s.countSlab(size, limbs); err != nil {
		s.used.Add(-s.putKeys(keys))
		return nil, nil, err
	}
	return keys, counts, nil
}

// putSlab takes memory back that slab gave.
func (s *store[K]) putSlab(keys []K, counts []uint64, limbs int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.letGo(s.putCounts(counts, cap(keys), limbs) + s.putKeys(keys))
}

// putKeys returns how many bytes are of no more use.
func (s *store[K]) putKeys(keys []K) (freed int64) {
	if cap(keys) == slabSize {
		s.keys = append(s.keys, keys)
		return 0
	}
	return s.slabBytes(cap(keys), 0)
}

// putCounts returns how many bytes are of no more use.
func (s *store[K]) putCounts(counts []uint64, size, limbs int) (freed int64) {
	if limbs > 0 && size == slabSize && limbs == s.limbs {
		s.counts = append(s.counts, counts)
		return 0
	}
	return int64(size) * int64(limbs) * wordBytes
}

// keySlab is an empty slab for the keys of some states.
func (s *store[K]) keySlab(size int) ([]K, error) {
	if top := len(s.keys) - 1; size == slabSize && top >= 0 {
		slab := s.keys[top]
		s.keys = s.keys[:top]
		return slab[:0], nil
	}
	if err := s.take(s.slabBytes(size, 0)); err != nil {
		return nil, err
	}
	return make([]K, 0, size), nil
}

// countSlab is an empty slab for their counts, nil without limbs.
func (s *store[K]) countSlab(size, limbs int) ([]uint64, error) {
	if limbs == 0 {
		return nil, nil
	}
	if top := len(s.counts) - 1; size == slabSize && limbs == s.limbs && top >= 0 {
		slab := s.counts[top]
		s.counts = s.counts[:top]
		return slab[:0], nil
	}
	if err := s.take(int64(size) * int64(limbs) * wordBytes); err != nil {
		return nil, err
	}
	return make([]uint64, 0, size*limbs), nil
}

func (s *store[K]) slabBytes(size, limbs int) int64 {
	var k K
	return int64(size) * int64(len(k)+limbs) * wordBytes
}

// useLimbs says how many limbs the next levels have. Slabs of counts of
// another number of limbs are of no more use.
func (s *store[K]) useLimbs(limbs int) {
	if limbs != s.limbs {
		s.letGo(int64(len(s.counts)) * slabSize * int64(s.limbs) * wordBytes)
		s.counts, s.limbs = nil, limbs
	}
}

// letGo counts bytes as free that nothing refers to from now on. The collector
// would find them when there is as much garbage as there are levels, and slabs
// of wider counts do not fit in the holes that narrower ones leave; so much
// memory is given back at once. (12x12 tetrominoes: 1.0 GB without.) To look
// for it costs little, for slabs hold no pointers.
func (s *store[K]) letGo(bytes int64) {
	s.used.Add(-bytes)
	s.garbage += bytes
	if s.garbage > muchGarbage && s.garbage > s.used.Load()/8 {
		s.garbage = 0
		debug.FreeOSMemory()
	}
}

// trim keeps so many free slabs.
func (s *store[K]) trim(keep int) {
	n := max(0, min(keep, len(s.keys), len(s.counts)))
	freed := s.slabBytes((len(s.keys)-n)*slabSize, 0) + int64((len(s.counts)-n)*slabSize*s.limbs)*wordBytes
	clear(s.keys[n:])
	clear(s.counts[n:])
	s.keys, s.counts = s.keys[:n], s.counts[:n]
	s.letGo(freed)
}

const muchGarbage = 64 << 20

// recycle takes the slabs of a level that is no longer needed.
func (s *store[K]) recycle(l *level[K]) {
	if l.held {
		*l = level[K]{}
		return
	}
	var freed int64
	for i, keys := range l.keys {
		if keys == nil {
			continue // on the shelf
		}
		freed += s.putCounts(l.counts[i], cap(keys), l.limbs)
		if !l.lent {
			freed += s.putKeys(keys)
		}
	}
	s.letGo(freed)
	if l.shelf != nil {
		l.shelf.close()
	}
	*l = level[K]{}
}
