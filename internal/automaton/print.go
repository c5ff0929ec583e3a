package automaton

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
)

// Print is the SHA-256 of all that levels depend on. Saved levels are of equal
// use to automata of equal prints, whatever their problems are called.
func (a *Automaton) Print() (p [sha256.Size]byte) {
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
