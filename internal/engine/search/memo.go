package search

import (
	"math/bits"
	"slices"
	"sync"
)

// memo remembers how many solutions are below some nodes, for the nodes that
// leave the same to be done. Two ways to fill the same cells do:
//
//	1 1 . .     1 2 . .
//	2 2 . .     1 2 . .     dominoes: both leave the right half of the board
//
// The rest of the problem is determined by the rows that active options are in, for an option is
// active if all its rows are; by the uses that the counted items still need and have room for;
// and, where any active option may follow, by the first that may. These are the key, and whole
// keys are compared. (An option of counted items alone, or of colours alone, would have no row
// that shows whether it was chosen: a space with such options has no memo.)
//
// The colour that an item has got need not be in the key. The rows of the item and of its shades
// show whether its active options have none, one or several colours, uses without a colour being
// one more. With several it has got no colour yet, so it excludes nothing. With one it makes no
// difference whether it has got that colour: it excludes all others, and none of them is active.
// With none it excludes nothing that is left. So keys that are equal have the same active options,
// and the rest of the walk depends only on these. (Two keys of one colour c and c' differ: the row
// of shade c is dead in the first.)
//
// The walkers of a pool share a memo. It grows with the entries up to a fixed size; then a new
// entry replaces an old one.
type memo struct {
	*matrices
	words    int      // of a key, for the rows
	optional []uint16 // rows used at most once that are never open
	roomy    []bool   // by counted item: there is always room
	parts    [memoParts]part
}

// part is the entries whose keys share some bits of their hash. An entry is a key, the number of
// solutions and the number of nodes that counting them visited, which is 0 where there is no
// entry.
type part struct {
	mu      sync.Mutex
	entries []uint64
	filled  int
}

const (
	memoBytes = 16 << 20
	memoParts = 256
	// maxKeyWords limits keys: a key of 4000 items is hardly ever met again.
	maxKeyWords = 64
	// firstPlaces of a part: soma, a thousand nodes, is to stay at 1 ms.
	firstPlaces = 4
)

func (s *matrices) keyWords() int { return (s.rows+63)/64 + len(s.counted) + 1 }

// remembers reports whether a memo is of use in s.
func (s *matrices) remembers() bool { return s.keyWords() <= maxKeyWords && s.exclusive }

func (m *matrices) bytes(walkers int) int64 {
	held := m.walkerBytes(walkers)
	if m.remembers() {
		held += memoBytes
	}
	return held
}

func newMemo(s *matrices) *memo {
	m := &memo{matrices: s, words: (s.rows + 63) / 64, roomy: make([]bool, len(s.counted))}
	for r, item := range s.item {
		if item < 0 && !slices.Contains(s.open, uint16(r)) {
			m.optional = append(m.optional, uint16(r))
		}
	}
	total := make([]int64, len(s.counted))
	for _, o := range s.all {
		for _, r := range s.multi.of(o) {
			total[s.item[r]] += int64(s.times[r])
		}
	}
	for k := range total {
		m.roomy[k] = total[k] <= int64(s.counted[k].room)
	}
	return m
}

// key describes the rest of the problem at a frame, in the room of key.
func (m *memo) key(f *frame, key []uint64) []uint64 {
	key = grow(key, m.keyWords())
	clear(key)
	for _, r := range f.open {
		key[r>>6] |= 1 << (r & 63)
	}
	for _, r := range m.optional {
		if first(f.active, f.matrix.row(r)) != nothing {
			key[r>>6] |= 1 << (r & 63)
		}
	}
	rest := key[m.words:]
	for k, b := range f.bounds {
		rest[k] = uint64(b.need)
		if !m.roomy[k] {
			rest[k] |= uint64(b.room) << 32
		}
	}
	if uint32(f.branch) == slackItem {
		rest[len(f.bounds)] = uint64(f.matrix.options[first(f.active, f.active)])
	}
	return key
}

func hash(key []uint64) (h uint64) {
	for _, word := range key {
		hi, lo := bits.Mul64(h^word^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
		h = hi ^ lo
	}
	return h
}

// get returns the solutions of a key and the nodes that counting them visited, 0 if it has no
// entry.
func (m *memo) get(key []uint64) (solutions, nodes uint64) {
	h := hash(key)
	p := &m.parts[h%memoParts]
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.filled == 0 {
		return 0, 0
	}
	e := p.at(h, len(key))
	if !slices.Equal(e[:len(key)], key) {
		return 0, 0
	}
	return e[len(key)], e[len(key)+1]
}

// put replaces the entry in the key's place.
func (m *memo) put(key []uint64, solutions, nodes uint64) {
	h := hash(key)
	p := &m.parts[h%memoParts]
	p.mu.Lock()
	defer p.mu.Unlock()
	p.makeRoom(len(key))
	e := p.at(h, len(key))
	if e[len(key)+1] == 0 {
		p.filled++
	}
	copy(e, key)
	e[len(key)], e[len(key)+1] = solutions, nodes
}

// at is the place of a hash. The number of places is a power of two.
func (p *part) at(h uint64, keyWords int) []uint64 {
	size := keyWords + 2
	at := int(h/memoParts) & (len(p.entries)/size - 1) * size
	return p.entries[at : at+size]
}

// makeRoom doubles the places when half of them are filled, as far as allowed.
func (p *part) makeRoom(keyWords int) {
	size := keyWords + 2
	places := len(p.entries) / size
	if 2*p.filled < places || places > 0 && 2*len(p.entries)*8 > memoBytes/memoParts {
		return
	}
	old := p.entries
	p.entries = make([]uint64, max(firstPlaces, 2*places)*size)
	p.filled = 0
	for e := range slices.Chunk(old, size) {
		if e[size-1] == 0 {
			continue
		}
		to := p.at(hash(e[:keyWords]), keyWords)
		if to[size-1] == 0 {
			p.filled++
		}
		copy(to, e)
	}
}

// mark is a frame's data for the memo while its choices are tried.
type mark struct {
	keyed bool // the rest is valid
	blind bool // active options were dropped, which the key does not show
	key   []uint64
	sum   sum
	nodes int64
}

// class is the nodes with similar numbers of active options. Whether it pays
// to look them up shows by trying: multi-copy covers repeat at all depths, the
// 8x8 pentominoes above some 60 active options, the Bedlam cube nowhere.
type class struct {
	lookups, saved uint64
	off            bool
}

const (
	classes    = 32
	classWidth = 32
	trial      = 1 << 10 // lookups between two judgements
	lookupCost = 4       // lookups that cost as long as a node
)

// recall looks frame f up, and adds its solutions if there is an entry. If not, it marks the frame
// for remember.
func (w *walker) recall(f *frame) bool {
	f.keyed = false
	c := &w.classes[min(count(f.active)/classWidth, classes-1)]
	if f.blind || c.off {
		return false
	}
	f.key = w.memo.key(f, f.key)
	solutions, nodes := w.memo.get(f.key)
	c.lookups++
	c.saved += nodes
	if c.lookups >= trial {
		c.off = c.saved*lookupCost < c.lookups // it did not pay
		c.lookups, c.saved = 0, 0
	}
	if nodes > 0 {
		hi, lo := bits.Mul64(solutions, f.weight)
		w.sum.addSum(sum{lo, hi})
		return true
	}
	f.keyed, f.sum, f.nodes = true, w.sum, w.nodes
	return false
}

// remember notes the solutions below a marked frame, unless they are too many
// for a word.
func (w *walker) remember(f *frame) {
	below := w.sum.minus(f.sum)
	if f.keyed && below.hi == 0 {
		w.memo.put(f.key, below.lo/f.weight, uint64(w.nodes-f.nodes)+1)
	}
}
