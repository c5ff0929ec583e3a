package jump

import (
	"math/bits"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
)

// fits tells which moves of a step fit a state. Moves are bits of words. For each byte of a key
// that some move tests there is a table of 256 sets: the moves that this byte does not rule
// out. Their intersection is the moves that fit:
//
//	state   01100100 11010010
//	          │        └──────► moves 0 2 5 6
//	          └───────────────► moves 1 2 6        2 and 6 fit
//
// So a state is looked up byte by byte, however many moves there are, and what fits it is gone
// through without a test. Moves that count copies up to a bound are tested besides, each by its
// guard.
type fits[K key.Key] struct {
	automaton.Transition[K]
	lone    *automaton.Lone // of the step's level; nil if no state has a cell alone
	words   int             // of a set
	bytes   []int           // of a key, those that some move tests
	allowed []uint64        // by word of the set, byte of the key and its value
	all     []uint64        // moves
	guarded []uint64        // those with a guard
}

// newFits makes the tables of a step.
func newFits[K key.Key](a *automaton.Automaton, step int) *fits[K] {
	f := &fits[K]{Transition: automaton.NewTransition[K](a, step), lone: a.LoneAt(step)}
	f.words = (len(f.Streams) + 63) / 64
	f.all, f.guarded = make([]uint64, f.words), make([]uint64, f.words)
	var tested K
	for m := range f.Streams {
		s := &f.Streams[m]
		tested = key.Union(tested, s.Test)
		f.all[m>>6] |= 1 << (m & 63)
		if !key.Disjoint(s.Guard, s.Guard) {
			f.guarded[m>>6] |= 1 << (m & 63)
		}
	}
	for b := range 8 * len(tested) {
		if byteOf(tested, b) != 0 {
			f.bytes = append(f.bytes, b)
		}
	}
	f.allowed = make([]uint64, f.words*len(f.bytes)<<8)
	for w := range f.words {
		for i, b := range f.bytes {
			f.fill(f.allowed[(w*len(f.bytes)+i)<<8:][:256], w, b)
		}
	}
	return f
}

// fill fills the table of a byte of keys with words of sets. A move wants some bits of the byte
// to be 1 and others to be 0; what a value allows is made from the value without its lowest bit.
func (f *fits[K]) fill(table []uint64, w, b int) {
	var ruledOut, wanted [8]uint64 // by bit: moves that want it 0, and 1
	for m := w * 64; m < min(len(f.Streams), w*64+64); m++ {
		test, want := byteOf(f.Streams[m].Test, b), byteOf(f.Streams[m].Want, b)
		for i := range 8 {
			ruledOut[i] |= uint64(test&^want>>i&1) << (m & 63)
			wanted[i] |= uint64(want>>i&1) << (m & 63)
		}
	}
	var with, without [256]uint64 // moves that have nothing against these bits being 1, or 0
	with[0], without[0] = ^uint64(0), ^uint64(0)
	for v := 1; v < 256; v++ {
		i := bits.TrailingZeros8(uint8(v))
		with[v] = with[v&(v-1)] &^ ruledOut[i]
		without[v] = without[v&(v-1)] &^ wanted[i]
	}
	for v := range table {
		table[v] = with[v] & without[255^v]
	}
}

func byteOf[K key.Key](k K, b int) byte { return byte(k[b>>3] >> (b & 7 * 8)) }

// set is word w of the moves that fit a state, but for guards.
func (f *fits[K]) set(k K, w int) uint64 {
	set := f.all[w]
	table := f.allowed[w*len(f.bytes)<<8:]
	for i, b := range f.bytes {
		set &= table[i<<8|int(byteOf(k, b))]
	}
	return set
}

// any reports whether some move fits a state.
func (f *fits[K]) any(k K) bool {
	for w := range f.words {
		set := f.set(k, w)
		if set&^f.guarded[w] != 0 {
			return true
		}
		for ; set != 0; set &= set - 1 {
			s := &f.Streams[w<<6|bits.TrailingZeros64(set)]
			if key.Disjoint(key.Sum(k, s.Add), s.Guard) {
				return true
			}
		}
	}
	return false
}

// bytes that the tables take.
func (f *fits[K]) size() int64 { return int64(len(f.allowed)+2*f.words) * wordBytes }
