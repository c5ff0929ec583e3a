package search

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"math/bits"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// maxRows is the largest number of rows. It lets lists of rows have two bytes for each row.
const maxRows = math.MaxUint16

// matrices is the engine that branches on the item with fewest options. An item used at most once
// has one row for all its uses, and one row for each colour. The first row is open from the start
// if the item must be used.
// Any other item is counted: it has a row for each number of times that some option uses it.
type matrices struct {
	all     []int32 // options of the space, without the options that prune leaves out
	weights []uint32
	single  lists   // indexed by option: rows whose options cannot be chosen with this option
	multi   lists   // indexed by option: rows of the counted items that this option uses
	shades  []shade // sorted by row
	rows    int
	open    []uint16  // rows of which an option must be chosen
	counted []counted // items that may be used more than once
	item    []int32   // index in counted, indexed by row; -1 for an item used at most once
	times   []int32   // how often each option of a row uses the item, indexed by row

	// exclusive is set if each option uses, without colour, an item that is used at most once.
	exclusive bool
	// choices bounds the choices of a branch. It is the number of all options if a cover may be a
	// solution while options are active. Else it is the largest number of options of an item.
	choices int
}

// shade is a colour of an item. The row with index row has the options that use the item without
// this colour. The row with index item has all options that use the item.
type shade struct{ row, item uint16 }

type counted struct {
	bound
	rows []uint16
}

type bound struct{ need, room int32 }

type lists struct {
	start []uint32
	rows  []uint16
}

func (l *lists) of(option int32) []uint16 { return l.rows[l.start[option]:l.start[option+1]] }

func (l *lists) add() { l.start = append(l.start, uint32(len(l.rows))) }

func (m *matrices) walkerBytes(walkers int) int64 {
	options, uses := len(m.all), 0
	for _, o := range m.all {
		uses += len(m.single.of(o)) + len(m.multi.of(o))
	}
	row := int64((options+blockBits-1)/blockBits) * (blockBits / 8)
	depth := int64(options)
	if m.exclusive {
		depth = min(depth, int64(m.rows)) // each choice excludes all options of a row
	}
	walker := 2*int64(m.rows)*row + depth*(row+2*int64(len(m.open))+4*int64(m.choices))
	return int64(walkers)*walker + 4*int64(options+2*uses)
}

func (c *compiler) matrices() (*matrices, error) {
	rows := map[cover.Use]uint16{}
	for _, o := range c.options {
		option := c.problem.Options[o]
		if err := c.looks.Work(len(option)); err != nil {
			return nil, err
		}
		for _, u := range option {
			if c.items[u.Item].binds {
				u = c.scaled(u)
				rows[u] = 0
				u.Colour = 0 // the second entry is for all uses of the item
				rows[u] = 0
			}
		}
		if len(rows) > maxRows {
			return nil, fmt.Errorf("%w: the options use too many items and colours of items, expected at most %d in all", errTooLarge, maxRows)
		}
	}
	uses := slices.SortedFunc(maps.Keys(rows), func(a, b cover.Use) int {
		return cmp.Or(c.kind(a)-c.kind(b), a.Item-b.Item, cmp.Compare(a.Times, b.Times), cmp.Compare(a.Colour, b.Colour))
	})
	m := &matrices{weights: c.weights, rows: len(uses), exclusive: true}
	for k, u := range uses {
		r, item := uint16(k), -1
		rows[u] = r
		switch bound := c.items[u.Item].bound; c.kind(u) {
		case singleRow:
			if bound.need > 0 {
				m.open = append(m.open, r)
			}
		case shadeRow:
			m.shades = append(m.shades, shade{row: r, item: rows[cover.Use{Item: u.Item, Times: u.Times}]})
		case countedRow:
			if k == 0 || uses[k-1].Item != u.Item {
				m.counted = append(m.counted, counted{bound: bound})
			}
			item = len(m.counted) - 1
			m.counted[item].rows = append(m.counted[item].rows, r)
		}
		m.item = append(m.item, int32(item))
		m.times = append(m.times, u.Times)
	}
	unasked := false
	options := make([]int, len(c.items)) // number of options that use an item
	for k, o := range c.options {
		option := c.problem.Options[o]
		if err := c.looks.Work(len(option)); err != nil {
			return nil, err
		}
		m.single.add()
		m.multi.add()
		asked, excluded := false, false
		for _, u := range option {
			if !c.items[u.Item].binds {
				continue
			}
			options[u.Item]++
			m.choices = max(m.choices, options[u.Item])
			list := &m.single
			switch u = c.scaled(u); c.kind(u) {
			case countedRow:
				list = &m.multi
			case singleRow:
				excluded = true
				asked = asked || c.items[u.Item].bound.need > 0
			}
			list.rows = append(list.rows, rows[u])
		}
		m.exclusive = m.exclusive && excluded
		unasked = unasked || !asked
		m.all = append(m.all, int32(k))
	}
	m.single.add()
	m.multi.add()
	if unasked {
		m.choices = len(m.all)
	}
	c.engine = m
	return m, nil
}

const (
	singleRow = iota
	shadeRow
	countedRow
)

func (c *compiler) kind(u cover.Use) int {
	switch {
	case u.Colour != 0:
		return shadeRow
	case c.items[u.Item].single:
		return singleRow
	}
	return countedRow
}

// fill makes the rows, 64 columns at a time: 64 columns of all rows fit in the first-level cache.
func (m *matrix) fill(s *matrices, stop func() bool) {
	steps := 0
	m.blocks = (len(m.options) + blockBits - 1) / blockBits
	m.bits = grow(m.bits, s.rows*m.blocks)
	m.words = grow(m.words, s.rows)
	words := m.words
	for at := 0; at < m.blocks*blockBits; at += 64 {
		if steps += len(words) + 64; steps >= interrupt.Every {
			if stop() {
				return
			}
			steps = 0
		}
		clear(words)
		for column := at; column < min(at+64, len(m.options)); column++ {
			bit := uint64(1) << (column & 63)
			for _, r := range s.single.of(m.options[column]) {
				words[r] |= bit
			}
			for _, r := range s.multi.of(m.options[column]) {
				words[r] |= bit
			}
		}
		for _, c := range s.shades {
			words[c.item] |= words[c.row]
		}
		for _, c := range s.shades { // the options that use the item without the colour
			words[c.row] = words[c.item] &^ words[c.row]
		}
		j, k := at/blockBits, at>>6&3
		for r, word := range words {
			m.bits[r*m.blocks+j][k] = word
		}
	}
}

// block is 256 options of a row. It lets the inner loops run over arrays of fixed size.
type block [4]uint64

const blockBits = 256

func (b *block) has(o int) bool { return b[o>>6&3]>>(o&63)&1 != 0 }
func (b *block) set(o int)      { b[o>>6&3] |= 1 << (o & 63) }
func (b *block) clear(o int)    { b[o>>6&3] &^= 1 << (o & 63) }

func (b *block) common(c *block) int {
	return bits.OnesCount64(b[0]&c[0]) + bits.OnesCount64(b[1]&c[1]) + bits.OnesCount64(b[2]&c[2]) + bits.OnesCount64(b[3]&c[3])
}

func count(set []block) int { return common(set, set) }

func common(a, b []block) (n int) {
	for j := range a {
		n += a[j].common(&b[j])
	}
	return n
}

// upTo returns the number of options in both a and b, or any number over limit if there are more.
func upTo(limit int, a, b []block) (n int) {
	for j := range a {
		if n += a[j].common(&b[j]); n > limit {
			break
		}
	}
	return n
}

func drop(a, b []block) {
	for j := range a {
		c, d := &a[j], &b[j]
		c[0], c[1], c[2], c[3] = c[0]&^d[0], c[1]&^d[1], c[2]&^d[2], c[3]&^d[3]
	}
}

func shared(a, b []block) iter.Seq[int] {
	return func(yield func(int) bool) {
		for j := range a {
			for k, word := range a[j] {
				for word &= b[j][k]; word != 0; word &= word - 1 {
					if !yield(j*blockBits + k*64 + bits.TrailingZeros64(word)) {
						return
					}
				}
			}
		}
	}
}

const nothing = -1

func first(a, b []block) int {
	for column := range shared(a, b) {
		return column
	}
	return nothing
}

// matrix has a bit for each row and option. The bit is 1 if the option uses the item of the row. In
// the row of a shade, it is 0 if the option uses the item with the colour of the shade.
type matrix struct {
	options []int32 // indexed by column
	blocks  int
	bits    []block // row r is bits[r*blocks : (r+1)*blocks]
	words   []uint64
}

func (m *matrix) row(r uint16) []block {
	return m.bits[int(r)*m.blocks : (int(r)+1)*m.blocks]
}

func (m *matrix) all(set []block) []block {
	set = grow(set, m.blocks)
	clear(set)
	for o := range m.options {
		set[o/blockBits].set(o)
	}
	return set
}

// grow returns s with length n. The contents are lost.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
