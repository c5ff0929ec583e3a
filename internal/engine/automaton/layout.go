package automaton

import (
	"math/bits"

	"github.com/pavage/pavage/internal/engine/key"
)

// Layout describes the bits of a [State]: a window, and a field for each counter:
//
//	bit          … 9 8 7 6 5   4 3 2 1 0        Window 5, Counters {At: 5, Width: 3} …
//	                 │ └─┬─┘   └───┬───┘
//	                 │   uses      which items of steps i to i+4 are used
//	                 └ a guard bit, or the next field
//
// The window of the next step begins one item later. The fields keep their bits.
type Layout struct {
	Window   int
	Steps    []Decision
	Counters []Field // sorted by At
}

// Decision has the item that a step decides, or the option of a step without a swept item. The
// other one is -1. A step for a bit of the field of an item with colours has this item.
type Decision struct{ Item, Option int }

// Field is a counter of the uses of an item. A saturating counter stops at the item's Min.
type Field struct {
	Item       int
	Saturating bool
	At, Width  int
}

// Layout returns the layout of the automaton's states.
func (a *Automaton) Layout() Layout {
	l := Layout{Window: a.Window}
	for i, item := range a.Order {
		d := Decision{Item: item, Option: -1}
		switch {
		case isField(item):
			d.Item = fieldStep - item
		case item < 0:
			v, _ := a.StepVariables(i)
			d.Option = a.Variables[v]
		}
		l.Steps = append(l.Steps, d)
	}
	for _, f := range a.counters {
		l.Counters = append(l.Counters, Field{Item: f.item, Saturating: f.kind == saturating, At: f.at, Width: f.width})
	}
	return l
}

// StepVariables returns the first variable of a step, and the first variable after the step.
func (a *Automaton) StepVariables(step int) (from, to int) {
	return a.steps[step].from, a.steps[step].to
}

// State is the difference of a state and the root. It has the lowest word first.
type State [key.MaxWords]uint64

// Sub returns s - t, where t is at most s.
func (s State) Sub(t State) State {
	var borrow uint64
	for i := range s {
		s[i], borrow = bits.Sub64(s[i], t[i], borrow)
	}
	return s
}

// Uses returns the number of uses that a field counts.
func (s State) Uses(f Field) int {
	return int(s[f.At>>6] >> (f.At & 63) & key.LowBits(f.Width))
}
