package clues

import (
	"context"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// solver is a partial solution: each option is taken, crossed out or open. Clues are items like
// those of the cover, and stand behind them.
type solver struct {
	finder *Finder
	items  []cover.Item
	uses   [][]use   // by item
	clues  [][]int32 // by option: the items of clues that it uses
	marks  []mark    // by option
	counts []tally   // by item
	trail  []int32   // the options that are decided, in this order
	queue  []int     // items to look at
	queued []bool    // by item
	turn   []int32   // options at which to look ahead next
	turned int       // length of the trail when this turn began
	most   []int     // by item: times of one option
	looks  interrupt.Watch
	err    error // of looks; then nothing holds
}

// mark is the decision about an option.
type mark int8

const (
	open mark = iota
	taken
	crossed
)

// tally counts the uses of an item.
type tally struct {
	used   int   // by taken options, where those of one colour are one
	left   int   // by open options
	agreed int   // taken options that use it with a colour
	colour int32 // of the first of these
}

func newSolver(ctx context.Context, f *Finder, chosen set) *solver {
	s := &solver{
		finder: f, items: slices.Clone(f.problem.Items), uses: slices.Clone(f.uses),
		clues: make([][]int32, len(f.isIn)), marks: make([]mark, len(f.isIn)), looks: interrupt.Context(ctx), turned: -1,
	}
	for _, k := range chosen.members() {
		c := f.clues[k]
		uses := make([]use, len(c.Options))
		for n, o := range c.Options {
			uses[n] = use{option: int32(o), times: 1}
			s.clues[o] = append(s.clues[o], int32(len(s.items)))
		}
		s.items = append(s.items, cover.Item{Name: c.Name, Min: c.Min, Max: c.Max})
		s.uses = append(s.uses, uses)
	}
	s.counts, s.most = make([]tally, len(s.items)), make([]int, len(s.items))
	s.queued = make([]bool, len(s.items))
	for i, uses := range s.uses {
		for _, u := range uses {
			s.counts[i].left += int(u.times)
			s.most[i] = max(s.most[i], int(u.times))
		}
		s.enqueue(i)
	}
	return s
}

func (s *solver) enqueue(i int) {
	if !s.queued[i] {
		s.queued[i] = true
		s.queue = append(s.queue, i)
	}
}

// settle decides all that single items force. It reports false if an item cannot keep its
// bounds any more.
func (s *solver) settle() bool {
	kept := true
	for at := 0; at < len(s.queue); at++ {
		i := s.queue[at]
		s.queued[i] = false
		kept = kept && s.err == nil && s.narrow(i)
	}
	s.queue = s.queue[:0]
	return kept
}

// narrow decides the options of an item that its bounds force.
func (s *solver) narrow(i int) bool {
	c := &s.counts[i]
	room := s.items[i].Max - c.used           // for more uses
	spare := c.used + c.left - s.items[i].Min // uses that may still be lost
	if room < 0 || spare < 0 {
		return false
	}
	if most := s.most[i]; room >= most && spare >= most {
		return true
	}
	for _, u := range s.uses[i] {
		agrees := u.colour != 0 && c.agreed > 0 && u.colour == c.colour
		switch {
		case s.marks[u.option] != open:
		case int(u.times) > room && !agrees:
			s.decide(u.option, crossed)
		case int(u.times) > spare:
			s.decide(u.option, taken)
		}
	}
	s.err = s.looks.Work(len(s.uses[i]))
	return s.err == nil
}

// decide takes an open option or crosses it out, and enqueues the items that it uses.
func (s *solver) decide(o int32, m mark) {
	s.marks[o] = m
	s.trail = append(s.trail, o)
	s.count(o, 1, m == taken)
	for _, u := range s.finder.problem.Options[o] {
		s.enqueue(u.Item)
	}
	for _, i := range s.clues[o] {
		s.enqueue(int(i))
	}
}

// undo makes the options that were decided last open again, until the trail is as short as it was.
func (s *solver) undo(length int) {
	for ; len(s.trail) > length; s.trail = s.trail[:len(s.trail)-1] {
		o := s.trail[len(s.trail)-1]
		s.count(o, -1, s.marks[o] == taken)
		s.marks[o] = open
	}
}

// count adds an option's decision to the tallies of its items, or removes it again if sign is -1.
func (s *solver) count(o int32, sign int, isTaken bool) {
	for _, u := range s.finder.problem.Options[o] {
		c := &s.counts[u.Item]
		c.left -= sign * int(u.Times)
		switch {
		case !isTaken:
		case u.Colour == 0:
			c.used += sign * int(u.Times)
		default:
			c.agree(u.Colour, sign)
		}
	}
	for _, i := range s.clues[o] {
		c := &s.counts[i]
		if c.left -= sign; isTaken {
			c.used += sign
		}
	}
}

// agree counts a use with a colour: the first one, and those of another colour than the first.
// Decisions are removed in reverse order, so the first use is removed last.
func (c *tally) agree(colour int32, sign int) {
	others := c.agreed + min(0, sign)
	if others == 0 {
		c.colour = colour
	}
	if others == 0 || c.colour != colour {
		c.used += sign
	}
	c.agreed += sign
}
