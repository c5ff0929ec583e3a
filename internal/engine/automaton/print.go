package automaton

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
)

// Print returns the SHA-256 of all properties of the automaton on which its levels depend. Automata
// with equal prints can share saved levels.
func (a *Automaton) Print() (p [sha256.Size]byte) {
	h := printer{to: sha256.New()}
	h.ints(a.Words, a.Window)
	h.ints(a.Order...)
	h.ints(a.Variables...)
	h.keys(a.Words, a.root[:a.Words], a.window[:a.Words])
	h.ints(len(a.steps))
	for i := range a.steps {
		h.step(&a.steps[i])
	}
	// Without flags, pockets are left out, so that levels saved earlier keep their prints.
	if k := a.pockets; k != nil && k.flags > 0 {
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

type printer struct {
	to  hash.Hash
	buf []byte
}

func (h *printer) step(s *step) {
	h.ints(s.moves.count(), len(s.floors))
	for i, v := range s.moves.variables {
		h.keys(s.moves.words, s.moves.test(i), s.moves.want(i), s.moves.add(i), s.moves.guard(i))
		h.ints(v)
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

// keys pads keys to four words, so that levels saved by older versions keep their prints.
func (h *printer) keys(words int, lists ...[]uint64) {
	for _, list := range lists {
		h.words(append(list[:words:words], make([]uint64, max(0, 4-words))...))
	}
}

func (h *printer) word(x uint64) {
	if len(h.buf) > 1<<12 {
		h.to.Write(h.buf) // a hash never fails
		h.buf = h.buf[:0]
	}
	h.buf = binary.LittleEndian.AppendUint64(h.buf, x)
}
