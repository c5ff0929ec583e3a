package sweep

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/pavage/pavage/internal/engine/blockfile"
	"github.com/pavage/pavage/internal/engine/limb"
)

// A level that does not fit in memory goes on a shelf: a file of slabs, see package blockfile.
// A hundredth of the level stays in memory: heads of blocks, a bitmap of odd states, some low bits.
//
//	step   class 1   class 2   class 3        each reads its slabs in order,
//	          │         │         │           at its own place
//	          ▼         ▼         ▼
//	shelf  0  1  2  3  4  5  6  7  8  9 …     ═ is a slab in memory. If memory is full,
//	             ═        ═        ═          the least recently used slab leaves it
//	next   0  1  2 │ 3                        a slab that is full is put on the
//	      on shelf │ in memory                next level's shelf
//
// So a step writes the next level once. It reads the present level at most once for each class of
// moves. If half of the level fits in memory, it reads the level about once in all.
// The file has no name: it disappears with the run.

// ErrDisk is wrapped when levels cannot be kept on disk.
var ErrDisk = errors.New("levels cannot be kept on disk")

type shelf struct {
	store *store
	file  *os.File
	width
	end atomic.Int64

	mu      sync.Mutex
	turned  *sync.Cond // signals that a slab was fetched
	slabs   []*shelved
	clock   int64
	atHand  int // number of slabs in memory
	allowed int // the limit of atHand, unless all slabs in memory are in use
}

type shelved struct {
	n          int
	at, length int64
	odd        []uint64
	total      *big.Int
	sample     []uint16 // low bits of every sampleEvery-th state

	// Both are nil if the slab is not in memory.
	lows   []uint16
	counts []uint64
	fetch  bool // the slab is being read from the file
	pins   int
	used   int64 // value of the field clock at the last use
}

const sampleEvery = 1 << 8

func newShelf(s *store, dir string, w width) (*shelf, error) {
	file, err := os.CreateTemp(dir, "pavage-levels-*")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDisk, err)
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDisk, errors.Join(err, file.Close()))
	}
	h := &shelf{store: s, file: file, width: w}
	h.turned = sync.NewCond(&h.mu)
	return h, nil
}

func (h *shelf) slabBytes() int64 { return StateBytes(SlabStates, h.words) }

func (s *shelved) bytes() int64 {
	return int64(cap(s.odd))*wordBytes + int64(cap(s.sample))*lowBytes
}

// put writes slab i to the file. The caller may then use the memory of lows and counts again.
func (h *shelf) put(i int, lows []uint16, counts []uint64) error {
	s := &shelved{n: len(lows), odd: make([]uint64, (len(lows)+63)/64), total: limb.Total([][]uint64{counts}, h.words, h.limbs())}
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
	file.Reset()
	defer h.store.written.Put(file)
	w := blockfile.Append(file, i*SlabStates/blockfile.States)
	for from := 0; from < len(lows); from += blockfile.States {
		to := min(len(lows), from+blockfile.States)
		w.Block(func(buf []byte) []byte {
			return blockfile.AppendLows(buf, lows[from:to], counts[from*h.words:to*h.words], h.words)
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

func (h *shelf) Get(i int) ([]uint16, []uint64, error) {
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
		h.store.putSlab(lows, counts, h.words)
		return nil, nil, err
	}
	s.lows, s.counts = lows, counts
	return lows, counts, nil
}

func (h *shelf) LetGo(i int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.slabs[i].pins--
}

// room returns new memory for a slab, or the memory of the least recently used slab.
func (h *shelf) room() ([]uint16, []uint64, error) {
	var oldest *shelved
	for _, s := range h.slabs {
		if s.lows != nil && s.pins == 0 && (oldest == nil || s.used < oldest.used) {
			oldest = s
		}
	}
	if h.atHand < h.allowed || oldest == nil {
		lows, counts, err := h.store.slab(SlabStates, h.words)
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

// read appends slab i to lows and counts. It returns both even if it fails.
func (h *shelf) read(i int, s *shelved, lows []uint16, counts []uint64) ([]uint16, []uint64, error) {
	l := blockfile.From(io.NewSectionReader(h.file, s.at, s.length), i*SlabStates/blockfile.States)
	for len(lows) < s.n {
		n := min(blockfile.States, s.n-len(lows))
		block, err := l.Block(blockfile.MostLows(n, h.words))
		if err == nil {
			var ok bool
			if lows, counts, ok = blockfile.CutLows(lows, counts, block, n, h.words); !ok {
				err = l.Damaged("its states cannot be decoded")
			}
		}
		if err != nil {
			return lows, counts, fmt.Errorf("%w: %w", ErrDisk, err)
		}
	}
	return lows, counts, nil
}

// putBack releases all slabs in memory. No slab may be in use.
func (h *shelf) putBack() {
	for _, s := range h.slabs {
		if s.lows != nil {
			h.store.putSlab(s.lows, s.counts, h.words)
			s.lows, s.counts = nil, nil
			h.atHand--
		}
	}
}

func (h *shelf) Close() {
	h.slabs = slices.DeleteFunc(h.slabs, func(s *shelved) bool { return s == nil })
	h.putBack()
	for _, s := range h.slabs {
		h.store.letGo(s.bytes())
	}
	h.slabs = nil
	_ = h.file.Close() // the file was removed already
}

func (h *shelf) Total() *big.Int {
	sum := new(big.Int)
	for _, s := range h.slabs {
		sum.Add(sum, s.total)
	}
	return sum
}

func (h *shelf) AtHand() (lows [][]uint16, counts [][]uint64) { return nil, nil }

func (h *shelf) Odd(i int, odd []uint64) { copy(odd, h.slabs[i].odd) }

func (h *shelf) Sample(i int) uint16 { return h.slabs[i>>slabBits].sample[i&slabMask/sampleEvery] }

func (h *shelf) Stride() int { return sampleEvery }
