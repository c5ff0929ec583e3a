package jump

import (
	"sync"

	"github.com/pavage/pavage/internal/engine/key"
)

// entry is a state that waits, in the bits of the level of its turn. Where counts have one word
// value is its count. Where they have more they lie beside the entries of a page, and value says
// where, see gather.
type entry[K key.Key] struct {
	key   K
	value uint64
}

const wordBytes = 8

// pageStates are the entries of a page.
const (
	pageBits   = 9
	pageStates = 1 << pageBits
)

// page is room for some entries.
type page[K key.Key] struct {
	entries []entry[K]
	counts  []uint64 // of several words each; nil if one word is enough
}

// Memory counts bytes, those of waiting levels with others.
type Memory interface {
	Take(bytes int64) error // about to be used; it fails if they are too many
	Give(bytes int64)       // of no more use
}

// pages hands out pages and takes them back.
type pages[K key.Key] struct {
	memory Memory
	limbs  int // of a count that lies beside its entry; 0: all are in the entries
	mu     sync.Mutex
	free   []page[K]
}

func (p *pages[K]) bytes() int64 {
	return bytesOf[K](pageStates) + int64(pageStates*p.limbs)*wordBytes
}

func (p *pages[K]) get() (page[K], error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free) - 1; n >= 0 {
		x := p.free[n]
		p.free = p.free[:n]
		return x, nil
	}
	if err := p.memory.Take(p.bytes()); err != nil {
		return page[K]{}, err
	}
	x := page[K]{entries: make([]entry[K], 0, pageStates)}
	if p.limbs > 0 {
		x.counts = make([]uint64, 0, pageStates*p.limbs)
	}
	return x, nil
}

func (p *pages[K]) put(x page[K]) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, page[K]{x.entries[:0], x.counts[:0]})
}

// trim lets go of all pages that are free.
func (p *pages[K]) trim() {
	p.memory.Give(int64(len(p.free)) * p.bytes())
	p.free = nil
}

// list is the states that one worker has sent to a level, in the order they came.
type list[K key.Key] struct {
	full []page[K]
	last page[K] // the one that is being filled
}

func (l *list[K]) len() int { return len(l.full)<<pageBits + len(l.last.entries) }

// add adds a state. counts is nil where value is the count.
func (l *list[K]) add(p *pages[K], k K, value uint64, counts []uint64) error {
	if len(l.last.entries) == cap(l.last.entries) {
		if err := l.turn(p); err != nil {
			return err
		}
	}
	l.last.entries = append(l.last.entries, entry[K]{k, value})
	if counts != nil {
		l.last.counts = append(l.last.counts, counts...)
	}
	return nil
}

// turn begins a page.
func (l *list[K]) turn(p *pages[K]) error {
	x, err := p.get()
	if err != nil {
		return err
	}
	if cap(l.last.entries) > 0 {
		l.full = append(l.full, l.last)
	}
	l.last = x
	return nil
}

// cut drops all but the first n states.
func (l *list[K]) cut(p *pages[K], n int) {
	for n < l.len() && n <= len(l.full)<<pageBits {
		p.put(l.last)
		top := len(l.full) - 1
		if top < 0 {
			l.last = page[K]{}
			return
		}
		l.last, l.full = l.full[top], l.full[:top]
	}
	n -= len(l.full) << pageBits
	l.last.entries = l.last.entries[:n]
	if l.last.counts != nil {
		l.last.counts = l.last.counts[:n*p.limbs]
	}
}

// each calls do with all pages.
func (l *list[K]) each(do func(page[K])) {
	for _, x := range l.full {
		do(x)
	}
	if len(l.last.entries) > 0 {
		do(l.last)
	}
}
