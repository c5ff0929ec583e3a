package count

import (
	"context"
	"fmt"
	"math/big"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/sweep"
)

// Heights counts the boards of one section and of all heights in a single
// sweep. The sweep decides one period of items after another (the rows of a
// board); where after h of them nothing is covered ahead, the first h periods
// are solved by themselves:
//
//	. . . .            level 8 of a strip 4 wide: the states after two rows
//	. . . .  2x4 ─►    0000 0000   5 ways: 5 domino tilings of 2x4
//	────────           0000 0011   2 ways: a standing pair reaches into row 3
//	. . . .               ⋮
//
// The ways to each state of a level are the last level's times a matrix, the
// same after every period. So the counts obey a linear recurrence of an order
// no larger than the number of states that occur between periods, which is
// what States is for.
type Heights struct {
	run    sweep.StripRun
	meter  *meter
	period int
	states int  // noted so far
	closed bool // no other will occur
	note   bool
}

// NewHeights begins a sweep of most periods, one after another. p is a strip:
// its items in the given order come in periods of the given length, at least
// two of which are there with all the options that begin in them, the second's
// being the first's moved on. No count may be bounded but by 1, for items of
// the order, and no use may have a colour. With note set, the states between periods are kept track of.
//
// Errors wrap cover.ErrInvalid, cover.ErrMemory, ErrTooWide, automaton.ErrNoStrip, or
// are ctx's.
func NewHeights(ctx context.Context, p *cover.Problem, order []int, period, most int, note bool, o Options) (*Heights, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	if most < 1 {
		return nil, fmt.Errorf("%d periods to count, want 1 or more", most)
	}
	a, err := automaton.Compile(ctx, p, order)
	if err != nil {
		return nil, err
	}
	strip, err := a.Strip(period, most)
	if err != nil {
		return nil, err
	}
	ends := make([]float64, strip.Steps()+1) // of steps that take equal times
	for i := range ends {
		ends[i] = float64(i) / float64(max(1, strip.Steps()))
	}
	h := &Heights{period: period, note: note, meter: newMeter(ends, o.Progress)}
	h.run = sweep.StartStrip(strip, sweep.Config{Threads: o.threads(), Memory: o.Memory, Progress: h.meter.within})
	return h, h.look()
}

// Next goes one period on and returns the number of solutions of all the
// periods so far. It must not be called more often than there are periods.
func (h *Heights) Next(ctx context.Context) (*big.Int, error) {
	for range h.period {
		if _, err := h.run.Step(ctx); err != nil {
			return nil, err
		}
		h.meter.next(h.run.Effort().States)
	}
	return h.run.Bare(), h.look()
}

// look notes the states between two periods.
func (h *Heights) look() error {
	if !h.note || h.closed {
		return nil
	}
	// Without a new state there will not be one: what a period makes of all
	// states so far is among them.
	grown, noted, err := h.run.Note()
	h.states, h.closed = noted, !grown
	return err
}

// States is the number of states between periods, and whether it is known:
// that of all heights, not only of those counted so far. The counts of heights
// 0, 1, 2, … (that of 0 being 1) obey a linear recurrence of an order at most
// that.
func (h *Heights) States() (n int, known bool) { return h.states, h.closed }

// Effort is the states of all levels so far, and a bound on the bytes held at
// once.
func (h *Heights) Effort() (states, bytes int64) {
	e := h.run.Effort()
	return e.States, e.Bytes
}
