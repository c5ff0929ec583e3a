package clues

import (
	"context"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// row has the options that use one item equally often and with the same colour.
type row struct {
	times, colour int32
	options       set
}

func rowsOf(ctx context.Context, p *cover.Problem) ([][]row, error) {
	rows := make([][]row, len(p.Items))
	looks := interrupt.Context(ctx)
	for o, option := range p.Options {
		for _, u := range option {
			rows[u.Item] = addUse(rows[u.Item], len(p.Options), o, u.Times, u.Colour)
		}
		if err := looks.Work(1 + len(option)); err != nil {
			return nil, err
		}
	}
	return rows, ctx.Err()
}

func addUse(rows []row, options, option int, times, colour int32) []row {
	at := slices.IndexFunc(rows, func(r row) bool { return r.times == times && r.colour == colour })
	if at < 0 {
		at = len(rows)
		rows = append(rows, row{times, colour, newSet(options)})
	}
	rows[at].options.add(option)
	return rows
}

// use says how often an option uses a clue. The field item is the clue's index in solver.items.
type use struct{ item, times int }

// item is an item of the cover, or a clue.
type item struct {
	least, most int
	largest     int // maximum of row.times
	rows        []row
}

func newItem(least, most int, rows []row) item {
	it := item{least: least, most: most, rows: rows}
	for _, r := range rows {
		it.largest = max(it.largest, int(r.times))
	}
	return it
}

// left counts the uses of the item by open options. It may stop when the number is above limit.
func (it *item) left(open set, limit int) (n int) {
	for _, r := range it.rows {
		if n > limit {
			break
		}
		n += int(r.times) * open.common(r.options, limit-n)
	}
	return n
}

type solver struct {
	finder *Finder
	items  []item  // the items of the cover, then the chosen clues
	clues  [][]use // the chosen clues that an option uses, indexed by option
	taken  []int32 // the chosen options, in the order of choice
	place
	saved  place   // a copy of place while the solver looks ahead
	turn   []int32 // the options that lookAhead tries next
	turned int     // number of open options when the turn began
	looks  interrupt.Watch
	err    error // error of the context, after which the solver cannot be used
}

type place struct {
	open    set
	tallies []tally
}

func (p *place) copy(q place) {
	p.open = append(p.open[:0], q.open...)
	p.tallies = append(p.tallies[:0], q.tallies...)
}

type tally struct {
	used   int   // number of uses by chosen options; all uses in one colour count as one
	colour int32 // colour of the uses, or 0
	room   int   // an option that uses the item more than room times is crossed out
}

func newSolver(ctx context.Context, f *Finder, chosen set) *solver {
	s := &solver{finder: f, clues: make([][]use, len(f.isIn)), looks: interrupt.Context(ctx)}
	for i, it := range f.problem.Items {
		s.items = append(s.items, newItem(it.Min, it.Max, f.rows[i]))
	}
	for _, k := range chosen.members() {
		for _, r := range f.given[k] {
			for _, o := range r.options.members() {
				s.clues[o] = append(s.clues[o], use{len(s.items), int(r.times)})
			}
		}
		s.items = append(s.items, newItem(f.clues[k].Min, f.clues[k].Max, f.given[k]))
	}
	for _, it := range s.items {
		s.tallies = append(s.tallies, tally{room: it.largest})
	}
	s.open = newSet(len(f.isIn))
	for o := range f.isIn {
		s.open.add(o)
	}
	return s
}

// settle applies the rules of Easy until none applies. It returns false after a contradiction.
func (s *solver) settle() bool {
	for changed := true; changed; {
		changed = false
		for i := range s.items {
			narrowed, kept := s.narrow(i)
			if !kept {
				return false
			}
			changed = changed || narrowed
		}
		if s.err = s.looks.Work(8 * len(s.items)); s.err != nil {
			return false
		}
	}
	return true
}

func (s *solver) narrow(i int) (changed, kept bool) {
	it, t := &s.items[i], &s.tallies[i]
	if room := it.most - t.used; room < t.room {
		if room < 0 {
			return false, false
		}
		t.room = room
		for _, r := range it.rows {
			if agrees := r.colour != 0 && r.colour == t.colour; int(r.times) > room && !agrees {
				s.open.removeAll(r.options)
			}
		}
		changed = true
	}
	need := it.least - t.used
	if need <= 0 {
		return changed, true
	}
	spare := it.left(s.open, need+it.largest) - need
	if spare < 0 || spare >= it.largest {
		return changed, spare >= 0
	}
	for _, r := range it.rows {
		if int(r.times) > spare {
			for _, o := range s.open.shared(r.options) {
				s.take(int32(o))
				changed = true
			}
		}
	}
	return changed, true
}

func (s *solver) take(o int32) {
	s.open.remove(int(o))
	s.taken = append(s.taken, o)
	for _, u := range s.finder.problem.Options[o] {
		if t := &s.tallies[u.Item]; u.Colour == 0 || u.Colour != t.colour {
			t.used += int(u.Times)
			t.colour = u.Colour
		}
	}
	for _, u := range s.clues[o] {
		s.tallies[u.item].used += u.times
	}
}
