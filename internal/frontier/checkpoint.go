package frontier

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"math"
	"math/bits"
)

// A saved level is all that a run needs to go on. Numbers are little-endian,
// every byte is under a checksum, and a reader takes no memory for what it has
// not yet read:
//
//	"PAVLEVEL"  version u32  CRC-32C u32     these 16 bytes in every version
//	┌─────────┬──────────────────────┬────────────┐
//	│ length  │ head (block 0)       │ CRC-32C    │  the automaton's print,
//	├─────────┼──────────────────────┼────────────┤  where the run is, effort
//	│ length  │ states (block 1)     │ CRC-32C    │
//	├─────────┼──────────────────────┼────────────┤
//	│    ⋮    │  saveStates a block  │     ⋮      │
//	└─────────┴──────────────────────┴────────────┘
//	SHA-256 of all of the above              nothing follows
//
// A CRC is that of the block's number, its length and the bytes between, so
// that blocks which changed places are noticed. A block of states is
//
//	width u16 │ key │ difference │ … │ count │ count │ …
//
// keys as differences to the one before (the first whole), seven bits a byte,
// the lowest first and all but the last marked by bit 7; then counts of width
// bytes each. Sorted keys lie close together, so that no compression is needed:
// a state of 12x12 tetrominoes takes 2.7 bytes at level 20, 4.2 at level 44, where
// memory takes 10, and 9.0 at level 104, where it takes 18. Writing takes 10 ns a
// state.

// SaveVersion is the version of the form of saved levels.
const SaveVersion = 1

var (
	// ErrDamaged is wrapped when a saved level is not as it was written.
	ErrDamaged = errors.New("damaged checkpoint")
	// ErrForeign is wrapped when a saved level is whole, and another
	// automaton's, or of another version.
	ErrForeign = errors.New("not a checkpoint to go on from")
)

const (
	saveMagic = "PAVLEVEL"
	// saveStates of a block, whose width is that of its largest count: with
	// few, widths are close; with 2^12 the rest costs a hundredth of a byte.
	saveStates = 1 << 12
	lengthSize = 4
	widthSize  = 2
	crcSize    = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// saveHead is block 0.
type saveHead struct {
	Print  [sha256.Size]byte
	Level  uint32
	Limbs  uint32 // 0: states alone
	_      uint64
	States uint64
	Effort savedEffort
}

// savedEffort is what of an Effort levels hand on.
type savedEffort struct{ States, Arcs, Pruned, Bytes int64 }

// Save writes the present level, and with it all that [Automaton.Resume] needs
// to go on. It may be called between steps and, once, after a step that failed
// with ErrMemory or its context's error: the level is then that before the
// step. Errors are w's, or of a level on disk.
func (r *run[K]) Save(w io.Writer) error {
	if len(r.c.Moduli) > 0 {
		return errors.New("levels with residues cannot be saved")
	}
	r.trimSpare(0) // which may make room for a slab of a level on disk
	sum := sha256.New()
	s := &saver{to: io.MultiWriter(w, sum)}
	s.write(preamble(SaveVersion))
	e := r.Effort()
	s.block(func(buf []byte) []byte {
		head, _ := binary.Append(buf, binary.LittleEndian, saveHead{ // cannot fail: all sizes are fixed
			Print: r.a.print(), Level: uint32(r.at), Limbs: uint32(r.in.limbs),
			States: uint64(r.in.n), Effort: savedEffort{e.States, e.Arcs, e.Pruned, e.Bytes},
		})
		return head
	})
	limbs := r.in.limbs
	err := r.in.eachSlab(func(keys []K, counts []uint64) error {
		for from := 0; from < len(keys); from += saveStates {
			to := min(len(keys), from+saveStates)
			s.block(func(buf []byte) []byte {
				return appendStates(buf, keys[from:to], counts[from*limbs:to*limbs], limbs)
			})
		}
		return s.err
	})
	if err != nil {
		return err
	}
	s.write(sum.Sum(nil))
	return s.err
}

// Level implements Run.
func (r *run[K]) Level() int { return r.at }

// preamble is what saved levels of all versions begin with.
func preamble(version uint32) []byte {
	p := binary.LittleEndian.AppendUint32([]byte(saveMagic), version)
	return binary.LittleEndian.AppendUint32(p, crc32.Checksum(p, castagnoli))
}

// saver writes blocks until there is an error.
type saver struct {
	to     io.Writer
	blocks int
	buf    []byte
	err    error
}

func (s *saver) write(b []byte) {
	if s.err == nil {
		_, s.err = s.to.Write(b)
	}
}

// block writes what fill appends as the next block.
func (s *saver) block(fill func(buf []byte) []byte) {
	if s.err != nil {
		return
	}
	s.buf = fill(append(s.buf[:0], make([]byte, lengthSize)...))
	binary.LittleEndian.PutUint32(s.buf, uint32(len(s.buf)-lengthSize))
	s.buf = binary.LittleEndian.AppendUint32(s.buf, blockSum(s.blocks, s.buf))
	s.blocks++
	s.write(s.buf)
}

// blockSum is the CRC of a block's number and its bytes, length included.
func blockSum(number int, block []byte) uint32 {
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], uint64(number))
	return crc32.Update(crc32.Checksum(n[:], castagnoli), castagnoli, block)
}

// appendStates appends a block of states.
func appendStates[K key](buf []byte, keys []K, counts []uint64, limbs int) []byte {
	width := (bitLength(counts, limbs) + 7) / 8
	buf = binary.LittleEndian.AppendUint16(buf, uint16(width))
	var last K
	for _, k := range keys {
		buf = appendKey(buf, difference(k, last))
		last = k
	}
	return appendCounts(buf, counts, limbs, width)
}

// appendCounts appends counts of width bytes each.
func appendCounts(buf []byte, counts []uint64, limbs, width int) []byte {
	for i := 0; i < len(counts); i += limbs {
		end := len(buf) + width
		for _, x := range counts[i : i+limbs] {
			buf = binary.LittleEndian.AppendUint64(buf, x)
		}
		buf = buf[:end]
	}
	return buf
}

// appendKey appends the bits of k, seven a byte.
func appendKey[K key](buf []byte, k K) []byte {
	for {
		b := byte(k[0] & 0x7f)
		var rest uint64
		for i := 0; i < len(k); i++ {
			k[i] >>= 7
			if i+1 < len(k) {
				k[i] |= k[i+1] << 57
			}
			rest |= k[i]
		}
		if rest == 0 {
			return append(buf, b)
		}
		buf = append(buf, b|0x80)
	}
}

// Resume goes on with a run that [Run.Save] wrote, its Counts being c's. A
// failure names the block. Errors wrap ErrDamaged, ErrForeign, ErrMemory, or
// are from's, ctx's among them if from looks at it. Steps repeated before are
// not remembered; levels and totals are the same as without a break.
func (a *Automaton) Resume(from io.Reader, c Config) (Run, error) {
	r := a.Run(c).(interface {
		Run
		load(l *loader) error
	})
	l := &loader{sum: sha256.New()}
	l.from = io.TeeReader(from, l.sum)
	if err := r.load(l); err != nil {
		return nil, err
	}
	return r, nil
}

// load replaces level 0 by the one that is saved.
func (r *run[K]) load(l *loader) error {
	h, err := r.loadHead(l)
	if err != nil {
		return err
	}
	r.store.recycle(&r.in)
	r.at, r.effort = int(h.Level), Effort{States: h.Effort.States, Arcs: h.Effort.Arcs, Pruned: h.Effort.Pruned}
	r.in = level[K]{limbs: int(h.Limbs), blocks: blocks[K]{low: r.a.low()}}
	r.store.useLimbs(r.in.limbs)
	if err := r.shelveLarge(int(h.States)); err != nil {
		return err
	}
	if err := r.loadStates(l, int(h.States)); err != nil {
		return err
	}
	for _, kind := range r.repeats.kinds[:r.at] {
		if kind >= 0 {
			r.repeats.left[kind]--
		}
	}
	r.store.peak.Store(max(r.store.peak.Load(), h.Effort.Bytes))
	return l.end()
}

// loadHead reads what is before the states.
func (r *run[K]) loadHead(l *loader) (h saveHead, err error) {
	if err := l.preamble(); err != nil {
		return h, err
	}
	payload, err := l.block(binary.Size(h))
	if err != nil {
		return h, err
	}
	if err := binary.Read(bytes.NewReader(payload), binary.LittleEndian, &h); err != nil {
		return h, l.damaged("the head is cut short")
	}
	most := r.mostLimbs(int(min(h.Level, math.MaxInt32)))
	switch {
	case h.Print != r.a.print():
		return h, fmt.Errorf("%w: it is another puzzle's, or of a version that sweeps this one another way", ErrForeign)
	case len(r.c.Moduli) > 0:
		return h, fmt.Errorf("%w: levels with counts differ from those with residues", ErrForeign)
	case r.c.Counts != (h.Limbs > 0):
		return h, fmt.Errorf("%w: levels with counts differ from those without", ErrForeign)
	case int64(h.Level) > int64(len(r.a.steps)) || h.States > maxStates || int64(h.Limbs) > int64(most):
		return h, l.damaged("level %d of %d, %d states and %d limbs are impossible", h.Level, len(r.a.steps), h.States, h.Limbs)
	}
	size := r.store.slabBytes(int(h.States), int(h.Limbs))
	if r.c.Memory > 0 && size > r.c.Memory && !r.canShelve() {
		return h, fmt.Errorf("%w: %d bytes needed for the checkpoint's %d states, %d allowed", ErrMemory, size, h.States, r.c.Memory)
	}
	return h, nil
}

// mostLimbs is how many limbs the counts can have come to need at a level: a
// state has at most one arc from each move, and one more from a move that maps a
// covered and a bare item to the same state.
func (r *run[K]) mostLimbs(level int) int {
	if !r.c.Counts {
		return 0
	}
	widest := 1
	for _, s := range r.a.steps[:min(level+1, len(r.a.steps))] {
		widest += bits.Len(uint(len(s.moves) + 1))
	}
	return (widest + 63) / 64
}

// loadStates reads the blocks of states. Memory is taken block by block.
func (r *run[K]) loadStates(l *loader, states int) error {
	var last K
	d := decoder[K]{limbs: r.in.limbs}
	buffers := int64(d.most(saveStates)) + r.store.slabBytes(saveStates, d.limbs)
	if err := r.store.take(buffers); err != nil {
		return err
	}
	defer r.store.used.Add(-buffers)
	for r.in.n < states {
		n := min(saveStates, states-r.in.n)
		payload, err := l.block(d.most(n))
		if err != nil {
			return err
		}
		if !d.decode(payload, n) || r.in.n > 0 && !less(last, d.keys[0]) {
			return l.damaged("no sorted states")
		}
		last = d.keys[n-1]
		if err := r.store.append(&r.in, d.keys, d.counts); err != nil {
			return err
		}
		if err := r.shelveFull(r.in.n == states); err != nil {
			return err
		}
	}
	if last[len(last)-1]>>63 != 0 { // see Automaton.layOut
		return l.damaged("a state of more bits than there are")
	}
	return nil
}

// loader reads blocks. Its errors name the one that is wrong.
type loader struct {
	from   io.Reader
	sum    hash.Hash // of what was read
	blocks int       // read so far
	buf    []byte
}

func (l *loader) damaged(format string, args ...any) error {
	return fmt.Errorf("%w: block %d: %s", ErrDamaged, max(0, l.blocks-1), fmt.Sprintf(format, args...))
}

// preamble tells what is no saved level, or of another version.
func (l *loader) preamble() error {
	got, err := l.read(len(preamble(0)))
	if err != nil {
		return err
	}
	version := binary.LittleEndian.Uint32(got[len(saveMagic):])
	switch {
	case !bytes.Equal(got, preamble(version)):
		return l.damaged("it does not begin as a checkpoint")
	case version != SaveVersion:
		return fmt.Errorf("%w: its format is version %d, want version %d", ErrForeign, version, SaveVersion)
	}
	return nil
}

// block reads the next block, of at most so many bytes, which is good until
// the next is read.
func (l *loader) block(most int) ([]byte, error) {
	number := l.blocks
	l.blocks++
	head, err := l.read(lengthSize)
	if err != nil {
		return nil, err
	}
	length := int64(binary.LittleEndian.Uint32(head))
	if length > int64(most) {
		return nil, l.damaged("its length is %d, want at most %d", length, most)
	}
	b, err := l.more(int(length) + crcSize)
	if err != nil {
		return nil, err
	}
	end := len(b) - crcSize
	if blockSum(number, b[:end]) != binary.LittleEndian.Uint32(b[end:]) {
		return nil, l.damaged("its checksum is wrong")
	}
	return b[lengthSize:end], nil
}

// end checks the sum of the whole, and that nothing follows.
func (l *loader) end() error {
	want := l.sum.Sum(nil)
	got, err := l.read(len(want))
	if err != nil {
		return err
	}
	if !bytes.Equal(got, want) {
		return l.damaged("the checksum of the whole, behind it, is wrong")
	}
	if n, err := l.from.Read(make([]byte, 1)); n > 0 {
		return l.damaged("something follows the end")
	} else if err != nil && err != io.EOF {
		return err
	}
	return nil
}

// read reads n bytes.
func (l *loader) read(n int) ([]byte, error) {
	l.buf = l.buf[:0]
	return l.more(n)
}

// more reads n bytes more, behind those read last, and returns all of them.
func (l *loader) more(n int) ([]byte, error) {
	at := len(l.buf)
	if need := at + n; cap(l.buf) < need {
		l.buf = append(make([]byte, 0, need), l.buf...)
	}
	l.buf = l.buf[:at+n]
	_, err := io.ReadFull(l.from, l.buf[at:])
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, l.damaged("the file ends in it")
	}
	return l.buf, err
}

// decoder reads blocks of states.
type decoder[K key] struct {
	limbs  int
	keys   []K
	counts []uint64
}

// most is how many bytes a block of n states has at most.
func (d *decoder[K]) most(n int) int {
	var k K
	return widthSize + n*((64*len(k)+6)/7+wordBytes*d.limbs)
}

// decode reports whether a block is one of n rising states.
func (d *decoder[K]) decode(block []byte, n int) bool {
	if len(block) < widthSize {
		return false
	}
	width := int(binary.LittleEndian.Uint16(block))
	rest, ok := d.decodeKeys(block[widthSize:], n)
	if !ok || width > wordBytes*d.limbs || len(rest) != n*width {
		return false
	}
	d.counts = cutCounts(d.counts[:0], rest, n, d.limbs)
	return true
}

// cutCounts appends the n counts that appendCounts wrote.
func cutCounts(counts []uint64, b []byte, n, limbs int) []uint64 {
	width := len(b) / n
	for ; n > 0; n-- {
		for limb := range limbs {
			counts = append(counts, word(b[min(width, limb*wordBytes):min(width, (limb+1)*wordBytes)]))
		}
		b = b[width:]
	}
	return counts
}

// word is the number of up to eight bytes.
func word(b []byte) (x uint64) {
	if len(b) == wordBytes {
		return binary.LittleEndian.Uint64(b)
	}
	for i := len(b) - 1; i >= 0; i-- {
		x = x<<8 | uint64(b[i])
	}
	return x
}

func (d *decoder[K]) decodeKeys(b []byte, n int) (rest []byte, ok bool) {
	d.keys = d.keys[:0]
	var last, zero K
	for len(d.keys) < n {
		by, size := cutKey[K](b)
		k := sum(last, by)
		if size == 0 || len(d.keys) > 0 && (by == zero || less(k, last)) {
			return nil, false
		}
		d.keys, last, b = append(d.keys, k), k, b[size:]
	}
	return b, true
}

// cutKey is what appendKey wrote at the beginning of b, and its size, 0 if
// there is none.
func cutKey[K key](b []byte) (k K, size int) {
	for at := 0; size < len(b) && at < 64*len(k); at += 7 {
		x := uint64(b[size] & 0x7f)
		k[at>>6] |= x << (at & 63)
		if high := x >> (64 - at&63); high != 0 { // a shift by 64 gives 0
			if at>>6+1 == len(k) {
				return k, 0
			}
			k[at>>6+1] |= high
		}
		size++
		if b[size-1] < 0x80 {
			return k, size
		}
	}
	return k, 0
}

// difference is a-b, for a ≥ b.
func difference[K key](a, b K) K {
	var borrowed uint64
	for i := 0; i < len(a); i++ {
		a[i], borrowed = bits.Sub64(a[i], b[i], borrowed)
	}
	return a
}

// print is the SHA-256 of all that levels depend on. Saved levels are of equal
// use to automata of equal prints, whatever their problems are called.
func (a *Automaton) print() (p [sha256.Size]byte) {
	h := printer{to: sha256.New()}
	h.ints(a.Words, a.Window)
	h.ints(a.Order...)
	h.ints(a.Variables...)
	h.words(a.root[:], a.window[:])
	h.ints(len(a.steps))
	for i := range a.steps {
		h.step(&a.steps[i])
	}
	if k := a.pockets; k != nil {
		h.ints(k.window, k.steps, k.flagWord, k.flagAt, len(k.offsets))
		h.words(k.optional, []uint64{k.flagMask}, k.sizes)
		for _, o := range k.offsets {
			h.ints(o.by)
			h.words(o.from)
		}
	}
	h.to.Write(h.buf)
	return [sha256.Size]byte(h.to.Sum(nil))
}

// printer hashes numbers, lists of them with their lengths.
type printer struct {
	to  hash.Hash
	buf []byte
}

func (h *printer) step(s *step) {
	h.ints(len(s.moves), len(s.floors))
	for _, m := range s.moves {
		h.words(m.test[:], m.want[:], m.add[:], m.guard[:])
		h.ints(m.variable)
	}
	for _, f := range s.floors {
		h.ints(f.at, f.width)
		h.words([]uint64{f.least})
	}
}

func (h *printer) ints(list ...int) {
	h.word(uint64(len(list)))
	for _, x := range list {
		h.word(uint64(x))
	}
}

func (h *printer) words(lists ...[]uint64) {
	for _, list := range lists {
		h.word(uint64(len(list)))
		for _, x := range list {
			h.word(x)
		}
	}
}

func (h *printer) word(x uint64) {
	if len(h.buf) > 1<<12 {
		h.to.Write(h.buf) // a hash takes all
		h.buf = h.buf[:0]
	}
	h.buf = binary.LittleEndian.AppendUint64(h.buf, x)
}
