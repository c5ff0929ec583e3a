package sweep

import (
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"github.com/pavage/pavage/internal/automaton"
	"github.com/pavage/pavage/internal/key"
)

// ErrMemory is wrapped when a run would need more memory than it may take.
var ErrMemory = automaton.ErrMemory

// slabBits: levels are stored in slabs of 2^16 states, so that a level grows
// without being copied, wastes at most one slab, and the slabs of the level
// before last serve again (fresh pages cost the kernel as much time as the
// merge takes).
const (
	slabBits   = 16
	SlabStates = 1 << slabBits
	slabMask   = SlabStates - 1
)

// maxStates of a level have numbers of 32 bits, also with a few hundred added.
const maxStates = math.MaxUint32 - SlabStates

// level is a sorted sequence of distinct states and, beside it, the number of
// ways to each in limbs words of 64 bits, lowest first (none if limbs is 0). A
// state's key is the head of its block and its low bits.
type Level[K key.Key] struct {
	n      int
	limbs  int
	blocks blocks[K]
	lows   [][]uint16
	counts [][]uint64
	shelf  *shelf[K] // has the slabs that lows and counts have not, if any
	lent   bool      // others use the blocks and lows too
	held   bool      // a history has the level: no slab of it may serve again
}

// States is the number of states.
func (l *Level[K]) States() int { return l.n }

// Limbs is the number of words of a count.
func (l *Level[K]) Limbs() int { return l.limbs }

// Key is that of state i. To go through many there is all.
func (l *Level[K]) Key(i int) K {
	return l.blocks.key(l.block(i), l.lows[i>>slabBits][i&slabMask])
}

// block is that of state i.
func (l *Level[K]) block(i int) int {
	return sort.Search(len(l.blocks.first), func(b int) bool { return int(l.blocks.first[b]) > i }) - 1
}

// key is that of a state of block b.
func (b *blocks[K]) key(i int, low uint16) K {
	k := b.heads[i]
	k[0] |= uint64(low)
	return k
}

// end is one behind the last state of block b.
func (l *Level[K]) end(b int) int {
	if b+1 < len(l.blocks.first) {
		return int(l.blocks.first[b+1])
	}
	return l.n
}

// all calls do with all states in order, until it returns false. The level is in
// memory.
func (l *Level[K]) all(do func(i int, k K) bool) {
	for b := range l.blocks.heads {
		for i := int(l.blocks.first[b]); i < l.end(b); i++ {
			if !do(i, l.blocks.key(b, l.lows[i>>slabBits][i&slabMask])) {
				return
			}
		}
	}
}

// Find is the index of a state, -1 if there is none.
func (l *Level[K]) Find(k K) int {
	mask := key.Low[K](l.blocks.low)
	high := key.Without(k, mask)
	b := sort.Search(len(l.blocks.heads), func(b int) bool { return !key.Less(key.Without(l.blocks.heads[b], mask), high) })
	for ; b < len(l.blocks.heads) && key.Without(l.blocks.heads[b], mask) == high; b++ {
		first, end := int(l.blocks.first[b]), l.end(b)
		lows := l.lows[first>>slabBits][first&slabMask:][:end-first]
		if i, found := slices.BinarySearch(lows, uint16(k[0]&mask[0])); found {
			return first + i
		}
	}
	return -1
}

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

// use counts n bytes that are used already, also if they are too many.
func (b *budget) use(n int64) error {
	err := b.take(n)
	if err != nil {
		b.used.Add(n)
	}
	return err
}

// store hands out slabs and takes them back.
type store[K key.Key] struct {
	*budget
	lows   [][]uint16
	counts [][]uint64 // slabs of the present number of limbs
	limbs  int
	mu     sync.Mutex // of lows and counts, where slabs are taken side by side

	garbage int64        // bytes let go since the last collection
	onDisk  atomic.Int64 // bytes written
	written sync.Pool    // of *bytes.Buffer: slabs on their way to disk
}

const (
	wordBytes = 8
	lowBytes  = 2
)

// room is where some states of a level go.
type room struct {
	slab   int
	lows   []uint16
	counts []uint64
}

// append adds sorted states, all above those of l, to its end.
func (s *store[K]) append(l *Level[K], keys []K, counts []uint64) error {
	p := &part[K]{counts: counts}
	mask := key.Low[K](l.blocks.low)
	for _, k := range keys {
		p.addTo(key.Without(k, mask), mask)
		p.addLow(uint16(k[0] & mask[0]))
	}
	p.close()
	rooms, err := s.reserve(nil, l, len(keys), false)
	if err != nil {
		return err
	}
	fillRooms(rooms, p.lows, counts)
	return s.addBlocks(l, l.n-len(keys), &p.blocks, len(keys))
}

func fillRooms(rooms []room, lows []uint16, counts []uint64) {
	for _, r := range rooms {
		lows = lows[copy(r.lows, lows):]
		counts = counts[copy(r.counts, counts):]
	}
}

// addBlocks adds the blocks of n states, whose first is given, to l. They are
// cut where slabs end.
func (s *store[K]) addBlocks(l *Level[K], first int, add *blocks[K], n int) error {
	was := l.blocks.bytes()
	for b, head := range add.heads {
		end := n
		if b+1 < len(add.first) {
			end = int(add.first[b+1])
		}
		for from := first + int(add.first[b]); from < first+end; from = (from | slabMask) + 1 {
			l.blocks.heads = append(l.blocks.heads, head)
			l.blocks.first = append(l.blocks.first, uint32(from))
		}
	}
	return s.use(l.blocks.bytes() - was)
}

// reserve makes l longer by n states and appends to rooms where they are. A
// level that is large gets whole slabs from the beginning, so that no room is
// moved while others fill theirs.
func (s *store[K]) reserve(rooms []room, l *Level[K], n int, large bool) ([]room, error) {
	for n > 0 {
		last := len(l.lows) - 1
		if last < 0 || !fits(l.lows[last], n) {
			want := n
			switch {
			case large || l.shelf != nil:
				want = SlabStates
			case last == 0:
				want += len(l.lows[0])
			}
			if err := s.grow(l, want); err != nil {
				return rooms, err
			}
			last = len(l.lows) - 1
		}
		from := len(l.lows[last])
		to := min(from+n, cap(l.lows[last]))
		l.lows[last] = l.lows[last][:to]
		r := room{slab: last, lows: l.lows[last][from:to]}
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
func fits(slab []uint16, n int) bool {
	return len(slab) < cap(slab) && (cap(slab) == SlabStates || len(slab)+n <= cap(slab))
}

// grow makes room for at least one state: a small level's only slab doubles,
// a large level gets another slab.
func (s *store[K]) grow(l *Level[K], want int) error {
	if len(l.lows) == 1 && l.shelf == nil && cap(l.lows[0]) < SlabStates {
		size := min(SlabStates, max(2*cap(l.lows[0]), want))
		return s.resize(l, size)
	}
	size := SlabStates
	if len(l.lows) == 0 && want < SlabStates/4 {
		size = want
	}
	l.lows = append(l.lows, nil)
	l.counts = append(l.counts, nil)
	return s.resize(l, size)
}

// resize moves the last slab of l to one of the given size.
func (s *store[K]) resize(l *Level[K], size int) error {
	last := len(l.lows) - 1
	oldLows, oldCounts := l.lows[last], l.counts[last]
	lows, counts, err := s.slab(size, l.limbs)
	if err != nil {
		return err
	}
	l.lows[last], l.counts[last] = append(lows, oldLows...), append(counts, oldCounts...)
	s.used.Add(-StateBytes(cap(oldLows), l.limbs))
	return nil
}

// slab is memory for some states. It may be called side by side.
func (s *store[K]) slab(size, limbs int) (lows []uint16, counts []uint64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if lows, err = s.lowSlab(size); err != nil {
		return nil, nil, err
	}
	if counts, err = s.countSlab(size, limbs); err != nil {
		s.used.Add(-s.putLows(lows))
		return nil, nil, err
	}
	return lows, counts, nil
}

// putSlab takes memory back that slab gave.
func (s *store[K]) putSlab(lows []uint16, counts []uint64, limbs int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.letGo(s.putCounts(counts, cap(lows), limbs) + s.putLows(lows))
}

// putLows returns how many bytes are of no more use.
func (s *store[K]) putLows(lows []uint16) (freed int64) {
	if cap(lows) == SlabStates {
		s.lows = append(s.lows, lows)
		return 0
	}
	return StateBytes(cap(lows), 0)
}

// putCounts returns how many bytes are of no more use.
func (s *store[K]) putCounts(counts []uint64, size, limbs int) (freed int64) {
	if limbs > 0 && size == SlabStates && limbs == s.limbs {
		s.counts = append(s.counts, counts)
		return 0
	}
	return int64(size) * int64(limbs) * wordBytes
}

// lowSlab is an empty slab for the low bits of some states.
func (s *store[K]) lowSlab(size int) ([]uint16, error) {
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

// countSlab is an empty slab for their counts, nil without limbs.
func (s *store[K]) countSlab(size, limbs int) ([]uint64, error) {
	if limbs == 0 {
		return nil, nil
	}
	if top := len(s.counts) - 1; size == SlabStates && limbs == s.limbs && top >= 0 {
		slab := s.counts[top]
		s.counts = s.counts[:top]
		return slab[:0], nil
	}
	if err := s.take(int64(size) * int64(limbs) * wordBytes); err != nil {
		return nil, err
	}
	return make([]uint64, 0, size*limbs), nil
}

// StateBytes are those of the low bits and counts of states, without blocks.
func StateBytes(states, limbs int) int64 {
	return int64(states) * (lowBytes + int64(limbs)*wordBytes)
}

// useLimbs says how many limbs the next levels have. Slabs of counts of
// another number of limbs are of no more use.
func (s *store[K]) useLimbs(limbs int) {
	if limbs != s.limbs {
		s.letGo(int64(len(s.counts)) * SlabStates * int64(s.limbs) * wordBytes)
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
	n := max(0, min(keep, len(s.lows), len(s.counts)))
	freed := StateBytes((len(s.lows)-n)*SlabStates, 0) + int64((len(s.counts)-n)*SlabStates*s.limbs)*wordBytes
	clear(s.lows[n:])
	clear(s.counts[n:])
	s.lows, s.counts = s.lows[:n], s.counts[:n]
	s.letGo(freed)
}

const muchGarbage = 64 << 20

// recycle takes the slabs of a level that is no longer needed.
func (s *store[K]) recycle(l *Level[K]) {
	if l.held {
		*l = Level[K]{}
		return
	}
	var freed int64
	for i, lows := range l.lows {
		if lows == nil {
			continue // on the shelf
		}
		freed += s.putCounts(l.counts[i], cap(lows), l.limbs)
		if !l.lent {
			freed += s.putLows(lows)
		}
	}
	if !l.lent {
		freed += l.blocks.bytes()
	}
	s.letGo(freed)
	if l.shelf != nil {
		l.shelf.close()
	}
	*l = Level[K]{}
}
