package search

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
)

// maxRows limits the items that bind, so that a row is two bytes in the lists
// that the inner loops read: the lists of 8x8 pentominoes fit the first cache.
const maxRows = math.MaxUint16

// matrices is the engine that looks for the item with fewest options.
//
// Every item that can bind has rows in its matrices. An item
// used at most once has one row, its options exclude each other, and it is
// open from the start if it must be used. If it has colours, it has one more row
// for each of them, of the options that another colour excludes. Any other item is
// counted, and has a row for each number of times in which options use it.
type matrices struct {
	all     []int32   // options of the space, but for those that prune leaves out
	weights []uint32  // of the space
	single  lists     // rows of the items used at most once, by option: what it excludes
	multi   lists     // rows of the counted items, by option
	shades  []shade   // in the order of their rows
	rows    int       // of a matrix
	open    []uint16  // rows that some option must use
	counted []counted // items that may be used more than once
	item    []int32   // index into counted of a row, -1 for a row used once
	times   []int32   // times in which the options of a counted row use its item
}

// shade is a colour of an item. Its row has the options that use the item otherwise.
type shade struct{ row, item uint16 } // rows

// counted is an item that may be used more than once.
type counted struct {
	bound
	rows []uint16
}

// bound is what a counted item still needs and still has room for.
type bound struct{ need, room int32 }

// lists holds one list of rows for each option, all in one array.
type lists struct {
	start []uint32
	rows  []uint16
}

func (l *lists) of(option int32) []uint16 { return l.rows[l.start[option]:l.start[option+1]] }

func (l *lists) add(rows []uint16) {
	if len(l.start) == 0 {
		l.start = []uint32{0}
	}
	l.rows = append(l.rows, rows...)
	l.start = append(l.start, uint32(len(l.rows)))
}

// matrices makes the rows of the items that bind, and lists those of each option.
func (c *compiler) matrices() (*matrices, error) {
	uses, err := c.uses()
	if err != nil {
		return nil, err
	}
	m := &matrices{weights: c.weights}
	rowOf := make(map[use]uint16, len(uses))
	for k, u := range uses {
		rowOf[u] = uint16(k)
		m.addRow(c.kind(u), c.items[u.item].bound, u.times, k > 0 && uses[k-1].item == u.item)
		if u.colour != 0 {
			m.shades = append(m.shades, shade{row: uint16(k), item: rowOf[u.plain()]})
		}
	}
	var single, multi []uint16
	for _, o := range c.options {
		option := c.problem.Options[o]
		if err := c.looks.Work(len(option)); err != nil {
			return nil, err
		}
		single, multi = single[:0], multi[:0]
		for _, u := range option {
			if !c.items[u.Item].binds {
				continue
			}
			if s := c.scaled(u); c.kind(s) == countedRow {
				multi = append(multi, rowOf[s])
			} else {
				single = append(single, rowOf[s])
			}
		}
		m.single.add(single)
		m.multi.add(multi)
	}
	for o := range c.options {
		m.all = append(m.all, int32(o))
	}
	c.engine = m
	return m, nil
}

// uses are those that have rows, in the order of these: first those of items used once, then their
// colours.
func (c *compiler) uses() ([]use, error) {
	differ := map[use]struct{}{}
	for _, o := range c.options {
		option := c.problem.Options[o]
		if err := c.looks.Work(len(option)); err != nil {
			return nil, err
		}
		for _, u := range option {
			if c.items[u.Item].binds {
				s := c.scaled(u)
				differ[s] = struct{}{}
				differ[s.plain()] = struct{}{}
			}
		}
		if len(differ) > maxRows {
			return nil, fmt.Errorf("%w: more than %d items bind, with their colours, want at most that many", ErrTooLarge, maxRows)
		}
	}
	return slices.SortedFunc(maps.Keys(differ), func(a, b use) int {
		return cmp.Or(c.kind(a)-c.kind(b), cmp.Compare(a.item, b.item), cmp.Compare(a.times, b.times), cmp.Compare(a.colour, b.colour))
	}), nil
}

// The kinds of rows, in their order.
const (
	singleRow = iota
	shadeRow
	countedRow
)

func (c *compiler) kind(u use) int {
	switch {
	case u.colour != 0:
		return shadeRow
	case c.items[u.item].single:
		return singleRow
	}
	return countedRow
}

// addRow appends a row, which is another row of the item before or is not.
func (m *matrices) addRow(kind int, b bound, times int, another bool) {
	r, item := uint16(m.rows), -1
	switch {
	case kind == singleRow && b.need > 0:
		m.open = append(m.open, r)
	case kind == countedRow:
		if !another {
			m.counted = append(m.counted, counted{bound: b})
		}
		item = len(m.counted) - 1
		m.counted[item].rows = append(m.counted[item].rows, r)
	}
	m.rows++
	m.item = append(m.item, int32(item))
	m.times = append(m.times, int32(times))
}
