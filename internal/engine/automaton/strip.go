package automaton

import (
	"errors"
	"fmt"
	"slices"
)

// maxStripSteps limits the memory of a strip to 400 MB, with 96 bytes a step.
const maxStripSteps = 1 << 22

// ErrNoStrip is wrapped when an automaton is not the automaton of a strip.
var ErrNoStrip = errors.New("not a strip")

// Strip returns the automaton of a strip, a board that could go on for ever. It repeats
// the first period of a (its first row of cells) the given number of times.
//
//	a: 4 rows of 3 cells, pieces of 2 rows   the strip, any number of rows
//
//	. . .  first period  ┐ equal steps       . . .
//	. . .  next period   ┘                   . . .   a board of two rows ends
//	. . .  room for pieces that begin        ─────   in the state in which no item
//	. . .  in the first two rows             . . .   of the window is covered
//
// It fails with ErrNoStrip if the steps of the first two periods differ or states have counters or
// colours, and with ErrMemory for more than maxStripSteps steps.
func (a *Automaton) Strip(period, times int) (*Automaton, error) {
	switch {
	case len(a.counters) > 0:
		return nil, fmt.Errorf("%w: the uses of %d items are bounded", ErrNoStrip, len(a.counters))
	case a.Coloured():
		return nil, fmt.Errorf("%w: items have colours", ErrNoStrip)
	case period < 1 || 2*period > len(a.steps):
		return nil, fmt.Errorf("%w: there are only %d steps, expected at least two periods of %d steps",
			ErrNoStrip, len(a.steps), period)
	}
	if times > maxStripSteps/period {
		return nil, fmt.Errorf("%w: %d periods of %d steps are too many, expected at most %d steps in all", ErrMemory, times, period, maxStripSteps)
	}
	for i := range period {
		if !a.steps[i].like(&a.steps[i+period]) {
			return nil, fmt.Errorf("%w: steps %d and %d differ, expected a period of %d equal steps", ErrNoStrip, i, i+period, period)
		}
	}
	return &Automaton{
		Words: a.Words, Window: a.Window, Feasible: true, Variables: a.Variables,
		steps: slices.Repeat(a.steps[:period], times), root: a.root, window: a.window,
	}, nil
}
