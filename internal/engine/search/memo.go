package search

import (
	"math/bits"
	"slices"
	"sync"
)

// memo stores numbers of solutions, which nodes with the same remaining problem share:
//
//	1 1 . .     1 2 . .
//	2 2 . .     1 2 . .     dominoes: both leave the right half of the board
//
// A key contains the rows that have active options. An option is active if all its rows are in the
// key. The key also contains the bounds on the remaining uses of each counted item and, if the
// cover is a solution already, the first active option. (If an option has only counted items and
// colours, no row shows whether it was chosen. A space with such an option has no memo.)
//
// The colour of an item need not be in the key. If the active options of the item have several
// colours, the item has no colour yet. If they have one colour, it makes no difference whether the
// item has it. If they have none, the colour of the item excludes none of them. So equal keys have
// the same active options.
//
// The walkers of a pool share a memo. When it has its largest size, new entries replace old ones.
type memo struct {
	*matrices
	words    int      // number of words for rows in a key
	optional []uint16 // rows that are never open, without the rows of counted items
	roomy    []bool   // indexed by counted item: all its options together are within its bound
	parts    [memoParts]part
}

// part has the entries of the keys whose hashes select it. An entry is a key, and the numbers of
// solutions and of nodes below a node with this key. An empty entry has 0 nodes.
type part struct {
	mu      sync.Mutex
	entries []uint64
	filled  int
}

const (
	memoBytes = 16 << 20
	memoParts = 256
	// maxKeyWords is the largest length of a key. Longer keys would hardly ever be met again.
	maxKeyWords = 64
	// firstPlaces is the number of entries of a new part. It is small, for short searches.
	firstPlaces = 4
)

func (s *matrices) keyWords() int { return (s.rows+63)/64 + len(s.counted) + 1 }

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

func (p *part) at(h uint64, keyWords int) []uint64 {
	size := keyWords + 2
	at := int(h/memoParts) & (len(p.entries)/size - 1) * size
	return p.entries[at : at+size]
}

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

type mark struct {
	keyed bool // key, sum and nodes are valid
	blind bool // options were removed, and the key does not show which
	key   []uint64
	sum   sum
	nodes int64
}

type class struct {
	lookups, saved uint64
	off            bool
}

const (
	classes    = 32
	classWidth = 32
	trial      = 1 << 10 // number of lookups after which recall judges the memo
	lookupCost = 4       // the number of lookups that cost as much as a node
)

// recall adds the solutions below f if the memo has an entry for f. If not, it sets f.keyed.
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
		c.off = c.saved*lookupCost < c.lookups // the lookups cost more than the memo saved
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

func (w *walker) remember(f *frame) {
	below := w.sum.minus(f.sum)
	if f.keyed && below.hi == 0 {
		w.memo.put(f.key, below.lo/f.weight, uint64(w.nodes-f.nodes)+1)
	}
}
