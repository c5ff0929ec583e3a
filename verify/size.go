package verify

import (
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// size is what the formula of a part takes.
type size struct {
	options, lits, uses int64
	colours             int64 // places for those of uses
}

// bytes are those of its literals and of the rows that they are made of.
func (s size) bytes() int64 { return 4*s.lits + (4+8)*s.uses + 4*s.colours }

// loaded are the bytes of the formula and of a solver that has it.
func (s size) loaded() int64 { return s.bytes() + giniBytes(s.options, s.lits) }

// demand is what the clauses of an item take, as far as is known.
type demand struct {
	users, forbidden int   // options that use it: those that can be taken, all of one colour as one, and the others
	joined           int64 // literals of the helpers of colours
	total            int64 // times of the first
	top              int64 // thresholds that are counted; 0: none
	sum, lits        int64 // of a counter: times so far, literals so far
}

// size is the number of literals that encode will write, to the one, and of the
// uses that it looks at. It takes some words for each item, and for each of its colours.
func (w *part) size(looks *interrupt.Watch) (size, error) {
	s, items := size{options: int64(len(w.open))}, make([]demand, len(w.need))
	coloured := map[cover.Use]int64{}
	err := w.eachUse(looks, func(u cover.Use, fits bool) {
		s.uses++
		switch d := &items[u.Item]; {
		case !fits:
			d.forbidden++
		case u.Colour != 0:
			coloured[u]++
		default:
			d.users++
			d.total += int64(u.Times)
		}
	})
	for u, n := range coloured { // the uses with one colour: see CNF.either
		d := &items[u.Item]
		d.users++
		d.total++
		if n > 1 {
			d.joined += 3*n + n + 2
		}
	}
	if w.colour != nil {
		s.colours = s.uses
	}
	counted := false
	for i := range items {
		items[i].top = w.threshold(i, items[i].total, items[i].users)
		counted = counted || items[i].top > 0
	}
	if counted && err == nil {
		err = w.eachUse(looks, func(u cover.Use, fits bool) {
			d, t := &items[u.Item], int64(u.Times)
			if !fits || d.top == 0 {
				return
			}
			// The literals of another variable of a counter: see CNF.define. Thresholds told before
			// and by this variable alone take 10, those that are new need both.
			before, after := min(d.top, d.sum), min(d.top, d.sum+t)
			sure := min(before, t)
			d.lits += 10*sure + 14*(before-sure) + 10*max(0, after-max(d.sum, t))
			d.sum += t
		})
	}
	for i := range items {
		s.lits += w.literals(i, &items[i])
	}
	return s, err
}

// eachUse calls do with each use of an open option that the options taken do not agree
// with, and whether the option alone keeps the item's bound.
func (w *part) eachUse(looks *interrupt.Watch, do func(u cover.Use, fits bool)) error {
	for _, o := range w.open {
		option := w.problem.Options[o]
		if err := looks.Work(len(option)); err != nil {
			return err
		}
		for _, u := range option {
			if !w.agrees(u) {
				do(u, w.room[u.Item] == cover.Unbounded || int(u.Times) <= w.room[u.Item])
			}
		}
	}
	return nil
}

// threshold is the highest sum that the clauses of an item have to tell; 0 where
// they need no counter.
func (w *part) threshold(i int, total int64, users int) int64 {
	least, most := int64(max(0, w.need[i])), int64(w.room[i])
	switch {
	case least > total, least <= 1 && most >= total, most == 1:
		return 0
	case most < total:
		return most + 1
	}
	return least
}

// literals are those of all clauses of an item, their ends included.
func (w *part) literals(i int, d *demand) int64 {
	least, most := int64(max(0, w.need[i])), int64(w.room[i])
	lits := 2 * int64(d.forbidden)
	switch {
	case least > d.total:
		return lits + 4
	case least == 0 && most >= d.total:
		return lits
	case least <= 1 && most >= d.total:
		return lits + int64(d.users) + 1
	case most == 1:
		return lits + d.joined + treeSize(int64(d.users), least == 1)
	}
	if lits += d.lits; least > 0 {
		lits += 2
	}
	if most < d.total {
		lits += 2
	}
	return lits
}

// treeSize is what CNF.atMostOne writes for so many variables.
func treeSize(n int64, some bool) (lits int64) {
	pairs := func(n int64) int64 { return n * (n - 1) / 2 * 3 }
	for n > groupSize+1 {
		lits += n / groupSize * (pairs(groupSize) + 3*groupSize + groupSize + 2)
		if rest := n % groupSize; rest > 1 {
			lits += pairs(rest) + 3*rest + rest + 2
		}
		n = (n + groupSize - 1) / groupSize
	}
	if lits += pairs(n); some {
		lits += n + 1
	}
	return lits
}
