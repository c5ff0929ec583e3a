package frontier

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"slices"
	"sync"
	"sync/atomic"
)

// A level that does not fit in memory goes on a shelf: a file, in which its
// slabs are sorted runs of saved blocks (see checkpoint.go), compressed and
// under checksums. What a step asks of the whole level stays in memory, some
// hundredth of it: the heads of blocks, which states are odd, and a sample of
// the keys.
//
//	step   class 1   class 2   class 3        each reads its slabs in order,
//	          │         │         │           at its own place
//	          ▼         ▼         ▼
//	shelf  0  1  2  3  4  5  6  7  8  9 …     slabs at hand, as many as memory
//	             ═        ═        ═          allows; who has not been read for
//	                                          longest goes first
//	next   0  1  2 │ 3                        a slab that is full is put on the
//	       ═  ═  ═   in memory                next level's shelf
//
// So a step writes its level once, and reads the one before it at most once for
// each class; with a half of that level in memory about once. Slabs are put
// away and fetched by the workers themselves, side by side. The file has no
// name: it is gone when the run is, however that ends.

// ErrDisk is wrapped when levels cannot be kept on disk.
var ErrDisk = errors.New("levels cannot be kept on disk")

// shelf is the slabs of a level on disk.
type shelf[K key] struct {
	store *store[K]
	file  *os.File
	low   uint // of the blocks
	limbs int
	end   atomic.Int64

	mu      sync.Mutex
	turned  *sync.Cond // some slab was fetched
	slabs   []*shelved[K]
	clock   int64
	atHand  int // slabs in memory
	allowed int // of them, but for those that are read from
}

// shelved is one slab.
type shelved[K key] struct {
	n          int // states
	at, length int64
	blocks     blocks[K]
	total      *big.Int // of the counts
	sample     []K      // every sampleEvery-th key

	// At hand:
	keys   []K
	counts []uint64
	fetch  bool // under way
	pins   int
	used   int64 // by the shelf's clock
}

// sampleEvery divides the slabs' size.
const sampleEvery = 1 << 8

func newShelf[K key](s *store[K], dir string, low uint, limbs int) (*shelf[K], error) {
	file, err := os.CreateTemp(dir, "pavage-levels-*")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDisk, err)
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDisk, errors.Join(err, file.Close()))
	}
	h := &shelf[K]{store: s, file: file, low: low, limbs: limbs}
	h.turned = sync.NewCond(&h.mu)
	return h, nil
}

func (h *shelf[K]) slabBytes() int64 { return h.store.slabBytes(slabSize, h.limbs) }

// bytes of a slab that stay in memory.
func (s *shelved[K]) bytes() int64 {
	var k K
	return s.blocks.bytes() + int64(cap(s.sample)*len(k))*wordBytes
}

// put writes slab i of the level, whose memory the caller may then use again.
func (h *shelf[K]) put(i int, keys []K, counts []uint64) error {
	s := &shelved[K]{n: len(keys), total: total([][]uint64{counts}, h.limbs)}
	s.blocks.odd = make([]uint64, (len(keys)+63)/64)
	s.blocks.split(keys, uint32(i<<slabBits), h.low, s.blocks.odd)
	s.blocks.heads, s.blocks.first = slices.Clip(s.blocks.heads), slices.Clip(s.blocks.first)
	for k := 0; k < len(keys); k += sampleEvery {
		s.sample = append(s.sample, keys[k])
	}
	if err := h.store.take(s.bytes()); err != nil {
		return err
	}
	file, _ := h.store.written.Get().(*bytes.Buffer)
	if file == nil {
		file = &bytes.Buffer{}
	}
	defer h.store.written.Put(file)
	file.Reset()
	w := &saver{to: file, blocks: i * slabSize / saveStates}
	for from := 0; from < len(keys); from += saveStates {
		to := min(len(keys), from+saveStates)
		w.block(func(buf []byte) []byte {
			return appendStates(buf, keys[from:to], counts[from*h.limbs:to*h.limbs], h.limbs)
		})
	}
	s.length = int64(file.Len())
	s.at = h.end.Add(s.length) - s.length
	if _, err := h.file.WriteAt(file.Bytes(), s.at); err != nil {
		return fmt.Errorf("%w: %w", ErrDisk, err)
	}
	h.store.onDisk.Add(s.length)
	h.mu.Lock()
	defer h.mu.Unlock()
	for len(h.slabs) <= i {
		h.slabs = append(h.slabs, nil)
	}
	h.slabs[i] = s
	return nil
}

// get is the keys and counts of slab i, at hand until it is let go.
func (h *shelf[K]) get(i int) ([]K, []uint64, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.slabs[i]
	for s.fetch {
		h.turned.Wait()
	}
	h.clock++
	s.used = h.clock
	s.pins++
	if s.keys != nil {
		return s.keys, s.counts, nil
	}
	keys, counts, err := h.room()
	if err != nil {
		s.pins--
		return nil, nil, err
	}
	s.fetch = true
	h.mu.Unlock()
	keys, counts, err = h.read(i, s, keys, counts)
	h.mu.Lock()
	s.fetch = false
	h.turned.Broadcast()
	if err != nil {
		s.pins--
		h.atHand--
		h.store.putSlab(keys, counts, h.limbs)
		return nil, nil, err
	}
	s.keys, s.counts = keys, counts
	return keys, counts, nil
}

// letGo says that a slab is not read from any more, by one who got it.
func (h *shelf[K]) letGo(i int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.slabs[i].pins--
}

// room is memory for a slab: new, if there is any, or else that of the slab
// at hand that has not been read for longest.
func (h *shelf[K]) room() ([]K, []uint64, error) {
	if h.atHand < h.allowed {
		keys, counts, err := h.store.slab(slabSize, h.limbs)
		if err == nil {
			h.atHand++
			return keys, counts, nil
		}
	}
	var oldest *shelved[K]
	for _, s := range h.slabs {
		if s.keys != nil && s.pins == 0 && (oldest == nil || s.used < oldest.used) {
			oldest = s
		}
	}
	if oldest == nil {
		keys, counts, err := h.store.slab(slabSize, h.limbs)
		if err == nil {
			h.atHand++
		}
		return keys, counts, err
	}
	keys, counts := oldest.keys, oldest.counts
	oldest.keys, oldest.counts = nil, nil
	return keys[:0], counts[:0], nil
}

// read fills memory with slab i, and returns it also if that fails.
func (h *shelf[K]) read(i int, s *shelved[K], keys []K, counts []uint64) ([]K, []uint64, error) {
	l := &loader{from: io.NewSectionReader(h.file, s.at, s.length), blocks: i * slabSize / saveStates}
	d := decoder[K]{limbs: h.limbs}
	for len(keys) < s.n {
		n := min(saveStates, s.n-len(keys))
		block, err := l.block(d.most(n))
		if err == nil && !d.decode(block, n) {
			err = l.damaged("no sorted states")
		}
		if err != nil {
			return keys, counts, fmt.Errorf("%w: %w", ErrDisk, err)
		}
		keys, counts = append(keys, d.keys...), append(counts, d.counts...)
	}
	return keys, counts, nil
}

// close lets go of the file and of all slabs.
func (h *shelf[K]) close() {
	for _, s := range h.slabs {
		if s == nil {
			continue
		}
		h.store.letGo(s.bytes())
		if s.keys != nil {
			h.store.putSlab(s.keys, s.counts, h.limbs)
		}
	}
	h.slabs = nil
	_ = h.file.Close() // it is gone already
}

func (h *shelf[K]) total() *big.Int {
	sum := new(big.Int)
	for _, s := range h.slabs {
		sum.Add(sum, s.total)
	}
	return sum
}

// sampleKey is the key of state i, a multiple of sampleEvery on a shelf.
func (l *level[K]) sampleKey(i int) K {
	if l.shelf != nil {
		return l.shelf.slabs[i>>slabBits].sample[i&slabMask/sampleEvery]
	}
	return l.key(i)
}

// eachSlab calls do with the keys and counts of all slabs in order.
func (l *level[K]) eachSlab(do func(keys []K, counts []uint64) error) error {
	for i, keys := range l.keys {
		if keys != nil {
			if err := do(keys, l.counts[i]); err != nil {
				return err
			}
			continue
		}
		keys, counts, err := l.shelf.get(i)
		if err != nil {
			return err
		}
		err = do(keys, counts)
		l.shelf.letGo(i)
		if err != nil {
			return err
		}
	}
	return nil
}

// canShelve reports whether a step that is out of memory may try again with
// levels on disk, or with fewer slabs of them at hand.
func (r *run[K]) canShelve() bool {
	return r.c.Disk != "" && r.c.Counts && !r.c.Arcs && !r.c.held && (!r.shelving || r.share > leastShare)
}

// The share of what memory is left for slabs at hand is halved when the rest is
// not enough for the workers.
const (
	mostShare  = 0.5
	leastShare = mostShare / 32
)

// shelve puts the present level on a shelf, and those to come until they are
// small again. Steps are not repeated any more.
func (r *run[K]) shelve(ctx context.Context) error {
	if r.shelving {
		r.share /= 2
	}
	r.startShelving()
	if r.in.shelf != nil {
		return nil
	}
	h, err := newShelf(&r.store, r.c.Disk, max(1, r.blocks.low), r.in.limbs)
	if err != nil {
		return err
	}
	r.store.trim(0) // makes room for what of the shelf stays in memory
	for i, keys := range r.in.keys {
		if err := errors.Join(ctx.Err(), h.put(i, keys, r.in.counts[i])); err != nil {
			h.close()
			return err
		}
	}
	for i, keys := range r.in.keys {
		r.store.putSlab(keys, r.in.counts[i], r.in.limbs)
		r.in.keys[i], r.in.counts[i] = nil, nil
	}
	r.in.shelf = h
	return nil
}

func (r *run[K]) startShelving() {
	if !r.shelving {
		r.shelving, r.share = true, mostShare
		r.repeats = repeats[K]{kinds: slices.Repeat([]int{-1}, len(r.a.steps))}
	}
}

// shelveLarge makes a shelf for a level that is to be read from a file, if it is
// so large that levels would not stay in memory.
func (r *run[K]) shelveLarge(states int) (err error) {
	if r.c.Memory <= 0 || !r.canShelve() || 2*r.store.slabBytes(states, r.in.limbs) < r.c.Memory {
		return nil
	}
	r.startShelving()
	r.in.shelf, err = newShelf(&r.store, r.c.Disk, uint(min(maxLow, r.a.Window)), r.in.limbs)
	return err
}

// shelveFull puts the last slab of a level that is being read on its shelf, if
// it has one and the slab is full, or the level at its end.
func (r *run[K]) shelveFull(end bool) error {
	i := len(r.in.keys) - 1
	keys, counts := r.in.keys[i], r.in.counts[i]
	if r.in.shelf == nil || !end && len(keys) < slabSize {
		return nil
	}
	if err := r.in.shelf.put(i, keys, counts); err != nil {
		return err
	}
	r.store.putSlab(keys, counts, r.in.limbs)
	r.in.keys[i], r.in.counts[i] = nil, nil
	return nil
}

// takeBlocks puts the blocks of shelved slabs together, and says how many slabs
// may be at hand.
func (r *run[K]) takeBlocks() error {
	b, h := &r.blocks, r.in.shelf
	b.low = h.low
	b.heads, b.first, b.odd = b.heads[:0], b.first[:0], b.odd[:0]
	for _, s := range h.slabs {
		b.heads, b.first = append(b.heads, s.blocks.heads...), append(b.first, s.blocks.first...)
		b.odd = append(b.odd, s.blocks.odd...)
	}
	b.first = append(b.first, uint32(r.in.n))
	free := r.c.Memory - r.store.used.Load() + int64(len(r.store.keys)+h.atHand)*h.slabBytes()
	h.allowed = int(max(1, r.share*float64(free)/float64(h.slabBytes())))
	r.store.trim(h.allowed - h.atHand)
	return r.countBlocks()
}

// makeShelf makes the shelf of the coming level, unless both levels are to fit
// in memory easily.
func (s *stepping[K]) makeShelf() (err error) {
	if s.shelving && 4*s.store.slabBytes(s.in.n, s.out.limbs) < s.c.Memory {
		s.shelving = false
	}
	if s.shelving {
		written := int64(len(s.workers)) * s.store.slabBytes(slabSize, s.out.limbs)
		if err := s.store.take(written); err != nil {
			return err
		}
		s.lent += written
		s.out.shelf, err = newShelf(&s.store, s.c.Disk, s.blocks.low, s.out.limbs)
	}
	return err
}

// putAwayFull puts slabs on the shelf that a part, which was copied, has made
// full.
func (s *stepping[K]) putAwayFull(p *part[K]) {
	if s.out.shelf == nil {
		return
	}
	for _, r := range p.room {
		s.mu.Lock()
		for len(s.copied) <= r.slab {
			s.copied = append(s.copied, 0)
		}
		s.copied[r.slab] += len(r.keys)
		full := s.copied[r.slab] == slabSize
		s.mu.Unlock()
		if !full {
			continue
		}
		if err := s.putOnShelf(r.slab); err != nil {
			s.mu.Lock()
			s.err = cmp.Or(s.err, err)
			s.mu.Unlock()
			s.failed.Store(true)
		}
	}
}

// putOnShelf moves a slab of the coming level to the shelf.
func (s *stepping[K]) putOnShelf(i int) error {
	s.mu.Lock()
	keys, counts := s.out.keys[i], s.out.counts[i]
	s.mu.Unlock()
	if err := s.out.shelf.put(i, keys, counts); err != nil {
		return err
	}
	s.mu.Lock()
	s.out.keys[i], s.out.counts[i] = nil, nil
	s.mu.Unlock()
	s.store.putSlab(keys, counts, s.out.limbs)
	return nil
}

// putAwayRest puts what is left of the coming level on the shelf.
func (s *stepping[K]) putAwayRest() error {
	for i, keys := range s.out.keys {
		if keys != nil && s.out.shelf != nil {
			if err := s.putOnShelf(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// reader has the slabs of a level at hand that a worker reads from. Of a level
// in memory they are all.
type reader[K key] struct {
	shelf  *shelf[K]
	keys   [][]K
	counts [][]uint64
	at     []int // by class: the slab it reads
	pins   []int // by slab: the classes that read it, or did so for the present block of sums
	left   []int // slabs that classes have left
}

// begin begins to read a level.
func (r *reader[K]) begin(l *level[K], classes int) {
	if r.shelf = l.shelf; r.shelf == nil {
		r.keys, r.counts = l.keys, l.counts
		return
	}
	slabs := len(l.keys)
	r.keys, r.counts = make([][]K, slabs), make([][]uint64, slabs)
	r.at, r.pins = slices.Repeat([]int{-1}, classes), make([]int, slabs)
}

// open gets slab i for a class.
func (r *reader[K]) open(class, i int) (err error) {
	if r.shelf == nil || r.at[class] == i {
		return nil
	}
	if r.pins[i] == 0 {
		if r.keys[i], r.counts[i], err = r.shelf.get(i); err != nil {
			return err
		}
	}
	r.pins[i]++
	if r.at[class] >= 0 {
		r.left = append(r.left, r.at[class])
	}
	r.at[class] = i
	return nil
}

// settle lets go of the slabs that no class reads any more.
func (r *reader[K]) settle() {
	for _, i := range r.left {
		if r.pins[i]--; r.pins[i] == 0 {
			r.keys[i], r.counts[i] = nil, nil
			r.shelf.letGo(i)
		}
	}
	r.left = r.left[:0]
}

// end lets go of all slabs.
func (r *reader[K]) end() {
	if r.shelf != nil {
		for _, i := range r.at {
			if i >= 0 {
				r.left = append(r.left, i)
			}
		}
		r.settle()
	}
	*r = reader[K]{left: r.left}
}
