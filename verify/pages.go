package verify

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"math/bits"
	"os"
	"slices"

	"github.com/pavage/pavage/cover"
)

// level is a level of a certificate during the check. It has a key, a count and a sum for each
// state. The sum adds up the counts of all states read so far that lead to the state.
//
//	state      0    1    2    3 │  4    5 …        columns of numbers of one width, in pages
//	keys       ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒ │ ▒▒▒▒▒▒▒▒
//	counts     ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒ │ (on disk)        if memory is full, pages not used
//	sums       ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒ │ ▒▒▒▒▒▒▒▒         recently are moved to a file
//
// The states of a level are read in ascending order. For each choice, the children that it leads to
// are nearly in ascending order, too. So a page is rarely read more than once for each choice.
type level struct {
	n                  int
	keys, counts, sums column
}

type column struct {
	*pool
	width int
	shift int // a page has 2^shift numbers
	pages []*page
}

type page struct {
	words   []big.Word // nil if the words are in the file or were not set yet
	size    int        // number of words
	place   int64      // offset in the file; -1 if the page was never written
	changed bool       // whether the page was changed since it was last written
	used    bool       // whether the page was used since the pool last looked for a page to evict
}

// pageWords is the largest number of words of a page, unless a single number is longer.
const pageWords = 1 << 12

const wordBytes = bits.UintSize / 8

type pool struct {
	limit  int64 // in bytes; 0 means no limit
	taken  int64
	dir    string // "" means that pages stay in memory
	file   *os.File
	end    int64
	least  int     // number of pages to keep in memory; with fewer, each choice would read a page
	here   []*page // pages in memory
	hand   int     // index of the next candidate for eviction
	buffer []byte
}

func (p *pool) close() {
	if p.file != nil {
		p.file.Close() // the file was removed from its directory when it was made
	}
}

func (c *column) reset(p *pool, width int) {
	c.pool = p
	if width != c.width {
		c.drop()
		c.width, c.shift = width, max(0, bits.Len(uint(pageWords/width))-1)
	}
	for _, x := range c.pages {
		x.changed, x.used = false, false // the numbers on the page are obsolete
	}
}

func (c *column) drop() {
	for _, x := range c.pages {
		if x.words != nil {
			x.changed = false
			c.sendAway(x)
		}
	}
	c.here = slices.DeleteFunc(c.here, func(x *page) bool { return x.words == nil })
	c.pages = nil
}

func (c *column) at(i int, edit bool) []big.Word {
	for i>>c.shift >= len(c.pages) {
		c.pages = append(c.pages, &page{size: c.width << c.shift, place: -1})
	}
	x := c.pages[i>>c.shift]
	if x.words == nil {
		c.fetch(x)
	}
	x.used, x.changed = true, x.changed || edit
	k := (i & (1<<c.shift - 1)) * c.width
	return x.words[k : k+c.width]
}

func (c *column) put(i int, n *big.Int) {
	words := c.at(i, true)
	clear(words[copy(words, n.Bits()):])
}

func (c *column) get(i int, n *big.Int) {
	n.SetBits(append(n.Bits()[:0], c.at(i, false)...))
}

func (c *column) is(i int, n *big.Int) bool {
	words, want := c.at(i, false), n.Bits()
	for k, w := range words {
		if k < len(want) && w != want[k] || k >= len(want) && w != 0 {
			return false
		}
	}
	return len(want) <= len(words)
}

func (c *column) add(i int, n *big.Int) bool {
	words, more, carry := c.at(i, true), n.Bits(), uint(0)
	for k := range words {
		x := uint(0)
		if k < len(more) {
			x = uint(more[k])
		}
		sum, over := bits.Add(uint(words[k]), x, carry)
		words[k], carry = big.Word(sum), over
	}
	return carry == 0
}

func (c *column) widen(n, width int) {
	wide := column{}
	wide.reset(c.pool, width)
	var x big.Int
	for i := range n {
		c.get(i, &x)
		wide.put(i, &x)
	}
	c.drop()
	*c = wide
}

func (p *pool) fetch(x *page) {
	p.room(int64(x.size) * wordBytes)
	x.words = make([]big.Word, x.size)
	p.here = append(p.here, x)
	if x.place < 0 {
		return
	}
	b := p.bytes(x)
	_, err := p.file.ReadAt(b, x.place)
	onDisk(err)
	for k := range x.words {
		x.words[k] = big.Word(binary.LittleEndian.Uint64(b[8*k:]))
	}
}

func (p *pool) bytes(x *page) []byte {
	p.buffer = slices.Grow(p.buffer[:0], 8*x.size)[:8*x.size]
	return p.buffer
}

// room evicts pages until n more bytes fit in memory.
func (p *pool) room(n int64) {
	for p.limit > 0 && p.taken > p.limit-n {
		if p.dir == "" || len(p.here) <= p.least {
			need := fmt.Sprintf("two levels of states need more than %d bytes, expected more memory, or a folder for temporary files", p.limit)
			if p.dir != "" {
				need = fmt.Sprintf("the states have %d bytes of memory, expected at least %d bytes for one step of the check", p.limit, (p.least+1)*pageWords*wordBytes)
			}
			failed(fmt.Errorf("%w: %s", cover.ErrMemory, need))
		}
		p.hand %= len(p.here)
		x := p.here[p.hand]
		if x.used {
			x.used = false
			p.hand++
			continue
		}
		p.sendAway(x)
		last := len(p.here) - 1
		p.here[p.hand] = p.here[last]
		p.here = p.here[:last]
	}
	p.taken += n
}

func (p *pool) sendAway(x *page) {
	if x.changed {
		if p.file == nil {
			file, err := os.CreateTemp(p.dir, "pavage-certificate-*")
			onDisk(err)
			p.file = file
			onDisk(os.Remove(file.Name()))
		}
		if x.place < 0 {
			x.place, p.end = p.end, p.end+8*int64(x.size)
		}
		b := p.bytes(x)
		for k, w := range x.words {
			binary.LittleEndian.PutUint64(b[8*k:], uint64(w))
		}
		_, err := p.file.WriteAt(b, x.place)
		onDisk(err)
	}
	x.words, x.changed = nil, false
	p.taken -= int64(x.size) * wordBytes
}

func onDisk(err error) {
	if err != nil {
		failed(fmt.Errorf("levels cannot be kept on disk: %w", err))
	}
}
