package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/pavage/pavage/internal/blockfile"
	"github.com/pavage/pavage/internal/key"
	"github.com/pavage/pavage/internal/limb"
)

// A level that does not fit in memory goes on a shelf: a file, in which its
// slabs are sorted runs, compressed and under checksums, of blocks as levels are
// saved in (see checkpoint.go), but with low bits in place of keys. What a step
// asks of the whole level stays in memory, mostly a hundredth of it: the heads of
// blocks, which states are odd, and a sample of the low bits.
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
type shelf[K key.Key] struct {
	store *store[K]
	file  *os.File
	limbs int
	end   atomic.Int64

	mu      sync.Mutex
	turned  *sync.Cond // some slab was fetched
	slabs   []*shelved
	clock   int64
	atHand  int // slabs in memory
	allowed int // of them, but for those that are read from
}

// shelved is one slab.
type shelved struct {
	n          int // states
	at, length int64
	odd        []uint64
	total      *big.Int // of the counts
	sample     []uint16 // every sampleEvery-th

	// At hand:
	lows   []uint16
	counts []uint64
	fetch  bool // under way
	pins   int
	used   int64 // by the shelf's clock
}

// sampleEvery divides the slabs' size.
const sampleEvery = 1 << 8

func newShelf[K key.Key](s *store[K], dir string, limbs int) (*shelf[K], error) {
	file, err := os.CreateTemp(dir, "pavage-levels-*")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDisk, err)
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDisk, errors.Join(err, file.Close()))
	}
	h := &shelf[K]{store: s, file: file, limbs: limbs}
	h.turned = sync.NewCond(&h.mu)
	return h, nil
}

func (h *shelf[K]) slabBytes() int64 { return StateBytes(SlabStates, h.limbs) }

// bytes of a slab that stay in memory.
func (s *shelved) bytes() int64 {
	return int64(cap(s.odd))*wordBytes + int64(cap(s.sample))*lowBytes
}

// put writes slab i of the level, whose memory the caller may then use again.
func (h *shelf[K]) put(i int, lows []uint16, counts []uint64) error {
	s := &shelved{n: len(lows), odd: make([]uint64, (len(lows)+63)/64), total: limb.Total([][]uint64{counts}, h.limbs)}
	markOdd(s.odd, lows)
	for k := 0; k < len(lows); k += sampleEvery {
		s.sample = append(s.sample, lows[k])
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
	w := blockfile.Append(file, i*SlabStates/blockfile.States)
	for from := 0; from < len(lows); from += blockfile.States {
		to := min(len(lows), from+blockfile.States)
		w.Block(func(buf []byte) []byte {
			return blockfile.AppendLows(buf, lows[from:to], counts[from*h.limbs:to*h.limbs], h.limbs)
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

// get is the low bits and counts of slab i, at hand until it is let go.
func (h *shelf[K]) get(i int) ([]uint16, []uint64, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.slabs[i]
	for s.fetch {
		h.turned.Wait()
	}
	h.clock++
	s.used = h.clock
	s.pins++
	if s.lows != nil {
		return s.lows, s.counts, nil
	}
	lows, counts, err := h.room()
	if err != nil {
		s.pins--
		return nil, nil, err
	}
	s.fetch = true
	h.mu.Unlock()
	lows, counts, err = h.read(i, s, lows, counts)
	h.mu.Lock()
	s.fetch = false
	h.turned.Broadcast()
	if err != nil {
		s.pins--
		h.atHand--
		h.store.putSlab(lows, counts, h.limbs)
		return nil, nil, err
	}
	s.lows, s.counts = lows, counts
	return lows, counts, nil
}

// letGo says that a slab is not read from any more, by one who got it.
func (h *shelf[K]) letGo(i int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.slabs[i].pins--
}

// room is memory for a slab: new, if there is any, or else that of the slab
// at hand that has not been read for longest.
func (h *shelf[K]) room() ([]uint16, []uint64, error) {
	var oldest *shelved
	for _, s := range h.slabs {
		if s.lows != nil && s.pins == 0 && (oldest == nil || s.used < oldest.used) {
			oldest = s
		}
	}
	if h.atHand < h.allowed || oldest == nil {
		lows, counts, err := h.store.slab(SlabStates, h.limbs)
		if err == nil {
			h.atHand++
		}
		if err == nil || oldest == nil {
			return lows, counts, err
		}
	}
	lows, counts := oldest.lows, oldest.counts
	oldest.lows, oldest.counts = nil, nil
	return lows[:0], counts[:0], nil
}

// read fills memory with slab i, and returns it also if that fails.
func (h *shelf[K]) read(i int, s *shelved, lows []uint16, counts []uint64) ([]uint16, []uint64, error) {
	l := blockfile.From(io.NewSectionReader(h.file, s.at, s.length), i*SlabStates/blockfile.States)
	for len(lows) < s.n {
		n := min(blockfile.States, s.n-len(lows))
		block, err := l.Block(blockfile.MostLows(n, h.limbs))
		if err == nil {
			var ok bool
			if lows, counts, ok = blockfile.CutLows(lows, counts, block, n, h.limbs); !ok {
				err = l.Damaged("no states")
			}
		}
		if err != nil {
			return lows, counts, fmt.Errorf("%w: %w", ErrDisk, err)
		}
	}
	return lows, counts, nil
}

// close lets go of the file and of all slabs.
func (h *shelf[K]) close() {
	for _, s := range h.slabs {
		if s == nil {
			continue
		}
		h.store.letGo(s.bytes())
		if s.lows != nil {
			h.store.putSlab(s.lows, s.counts, h.limbs)
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

func (h *shelf[K]) findOdd(odd []uint64) {
	for i, s := range h.slabs {
		copy(odd[i<<slabBits/64:], s.odd)
	}
}

// sampleKey is the key of state i, a multiple of sampleEvery on a shelf.
func (l *Level[K]) sampleKey(i int) K {
	if l.shelf != nil {
		return l.blocks.key(l.block(i), l.shelf.slabs[i>>slabBits].sample[i&slabMask/sampleEvery])
	}
	return l.Key(i)
}

// eachSlab calls do with the keys, good until it returns, and counts of all
// slabs in order.
func (l *Level[K]) eachSlab(do func(keys []K, counts []uint64) error) error {
	var keys []K
	b := 0
	for i, lows := range l.lows {
		counts := l.counts[i]
		if lows == nil {
			var err error
			if lows, counts, err = l.shelf.get(i); err != nil {
				return err
			}
		}
		keys = keys[:0]
		for k, low := range lows {
			if i<<slabBits+k == l.end(b) {
				b++
			}
			keys = append(keys, l.blocks.key(b, low))
		}
		err := do(keys, counts)
		if l.lows[i] == nil {
			l.shelf.letGo(i)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// canShelve reports whether a step that is out of memory may try again with
// levels on disk, or with fewer slabs of them at hand.
func (r *Sweep[K]) canShelve() bool {
	return r.c.Disk != "" && r.c.Counts && !r.c.Arcs && !r.c.held &&
		(!r.shelving || r.shelvedAt < r.at || r.share > leastShare || len(r.workers) > 1)
}

// dismiss sends so many workers home for good, and what they hold.
func (r *Sweep[K]) dismiss(n int) {
	rest := len(r.workers) - n
	for _, w := range r.workers[rest:] {
		r.store.used.Add(-w.bytes())
	}
	r.workers = r.workers[:rest:rest]
}

// The share of what memory is left for slabs at hand is halved when the rest is
// not enough for the workers, nor is it without their spare parts, of which there
// are many where one worker was held up.
const (
	mostShare  = 0.5
	leastShare = mostShare / 32
)

// shelve puts the present level on a shelf, and those to come until they are
// small again. Steps are not repeated any more.
func (r *Sweep[K]) shelve(ctx context.Context) error {
	r.trimSpare(0)
	switch {
	case !r.shelving:
		r.startShelving()
	case r.shelvedAt == r.at && r.share > leastShare:
		r.share /= 2
	case r.shelvedAt == r.at: // each worker reads as many slabs as there are classes
		r.dismiss(len(r.workers) / 2)
		r.share = mostShare
	}
	r.shelvedAt = r.at
	if r.in.shelf != nil {
		return nil
	}
	h, err := newShelf(&r.store, r.c.Disk, r.in.limbs)
	if err != nil {
		return err
	}
	r.store.trim(0) // makes room for what of the shelf stays in memory
	for i, lows := range r.in.lows {
		if err := errors.Join(ctx.Err(), h.put(i, lows, r.in.counts[i])); err != nil {
			h.close()
			return err
		}
	}
	for i, lows := range r.in.lows {
		r.store.putSlab(lows, r.in.counts[i], r.in.limbs)
		r.in.lows[i], r.in.counts[i] = nil, nil
	}
	r.in.shelf = h
	return nil
}

func (r *Sweep[K]) startShelving() {
	r.shelving, r.shelvedAt, r.share = true, r.at, mostShare
	r.repeats = repeats[K]{kinds: slices.Repeat([]int{-1}, r.a.Steps())}
}

// shelveLarge makes a shelf for a level that is to be read from a file, if it is
// so large that levels would not stay in memory.
func (r *Sweep[K]) shelveLarge(states int) (err error) {
	if r.c.Memory <= 0 || !r.canShelve() || 2*StateBytes(states, r.in.limbs) < r.c.Memory {
		return nil
	}
	r.startShelving()
	r.in.shelf, err = newShelf(&r.store, r.c.Disk, r.in.limbs)
	return err
}

// shelveFull puts the last slab of a level that is being read on its shelf, if
// it has one and the slab is full, or the level at its end.
func (r *Sweep[K]) shelveFull(end bool) error {
	i := len(r.in.lows) - 1
	lows, counts := r.in.lows[i], r.in.counts[i]
	if r.in.shelf == nil || !end && len(lows) < SlabStates {
		return nil
	}
	if err := r.in.shelf.put(i, lows, counts); err != nil {
		return err
	}
	r.store.putSlab(lows, counts, r.in.limbs)
	r.in.lows[i], r.in.counts[i] = nil, nil
	return nil
}

// allow says how many slabs of the present level may be at hand.
func (r *Sweep[K]) allow() {
	h := r.in.shelf
	if h == nil {
		return
	}
	free := r.c.Memory - r.store.used.Load() + int64(len(r.store.lows)+h.atHand)*h.slabBytes()
	h.allowed = int(max(1, r.share*float64(free)/float64(h.slabBytes())))
	r.store.trim(h.allowed - h.atHand)
}

// makeShelf makes the shelf of the coming level, unless both levels are to fit
// in memory easily.
func (s *stepping[K]) makeShelf() (err error) {
	s.allow()
	if s.shelvedAt < s.at && 4*StateBytes(s.in.n, s.out.limbs) < s.c.Memory {
		s.shelving = false
	}
	if s.shelving {
		written := int64(len(s.workers)) * StateBytes(SlabStates, s.out.limbs)
		if err := s.store.take(written); err != nil {
			return err
		}
		s.lent += written
		s.out.shelf, err = newShelf(&s.store, s.c.Disk, s.out.limbs)
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
		s.copied[r.slab] += len(r.lows)
		full := s.copied[r.slab] == SlabStates
		s.mu.Unlock()
		if !full {
			continue
		}
		if err := s.putOnShelf(r.slab); err != nil {
			s.mu.Lock()
			s.fail(err)
			s.mu.Unlock()
		}
	}
}

// putOnShelf moves a slab of the coming level to the shelf.
func (s *stepping[K]) putOnShelf(i int) error {
	s.mu.Lock()
	lows, counts := s.out.lows[i], s.out.counts[i]
	s.mu.Unlock()
	if err := s.out.shelf.put(i, lows, counts); err != nil {
		return err
	}
	s.mu.Lock()
	s.out.lows[i], s.out.counts[i] = nil, nil
	s.mu.Unlock()
	s.store.putSlab(lows, counts, s.out.limbs)
	return nil
}

// putAwayRest puts what is left of the coming level on the shelf.
func (s *stepping[K]) putAwayRest() error {
	for i, lows := range s.out.lows {
		if lows != nil && s.out.shelf != nil {
			if err := s.putOnShelf(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// reader has the slabs of a level at hand that a worker reads from. Of a level
// in memory they are all.
type reader[K key.Key] struct {
	shelf  *shelf[K]
	lows   [][]uint16
	counts [][]uint64
	at     []int // by class: the slab it reads
	pins   []int // by slab: the classes that read it, or did so for the present block of sums
	left   []int // slabs that classes have left
}

// begin begins to read a level.
func (r *reader[K]) begin(l *Level[K], classes int) {
	if r.shelf = l.shelf; r.shelf == nil {
		r.lows, r.counts = l.lows, l.counts
		return
	}
	slabs := len(l.lows)
	r.lows, r.counts = make([][]uint16, slabs), make([][]uint64, slabs)
	r.at, r.pins = slices.Repeat([]int{-1}, classes), make([]int, slabs)
}

// open gets slab i for a class.
func (r *reader[K]) open(class, i int) (err error) {
	if r.shelf == nil || r.at[class] == i {
		return nil
	}
	if r.pins[i] == 0 {
		if r.lows[i], r.counts[i], err = r.shelf.get(i); err != nil {
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
			r.lows[i], r.counts[i] = nil, nil
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
