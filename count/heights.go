package count

import (
	"context"
	"fmt"
	"math/big"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/sweep"
)

// Heights counts the solutions for boards of heights 1, 2, … in a single sweep. The sweep passes
// one period of items after another, for instance one row of a board. After h periods, one
// state has no covered item of a later period. The number of ways to this state is the count:
//
//	. . . .            level 8 of a strip 4 wide: the states after two rows
//	. . . .  2x4 ─►    0000 0000   5 ways: 5 domino tilings of 2x4
//	────────           0000 0011   2 ways: two standing dominoes reach into row 3
//	. . . .               ⋮
//
// The numbers of ways after a period are the numbers before the period times a matrix, the same for
// every period. So the counts obey a linear recurrence. Its order is at most the result of States.
type Heights struct {
	run    sweep.StripRun
	meter  *meter
	period int
	states int  // number of different states between periods so far
	closed bool // no other state can occur between periods
	note   bool
}

// NewHeights begins a sweep. The parameter order lists the items, period after period. The
// parameter period is the number of items of a period. The parameter most is the largest number of
// periods to sweep. The problem has all options that begin in the first two periods. The options of
// the second period are the options of the first, one period later. The items in order have Min and
// Max 1, other items have no bound, and no use has a colour. If note is set, the sweep collects the
// states between periods for States. Errors wrap cover.ErrInvalid, cover.ErrMemory, ErrTooWide or
// automaton.ErrNoStrip.
func NewHeights(ctx context.Context, p *cover.Problem, order []int, period, most int, note bool, o Options) (*Heights, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	if most < 1 {
		return nil, fmt.Errorf("%d periods to count, expected 1 or more", most)
	}
	a, err := automaton.Compile(ctx, p, order)
	if err != nil {
		return nil, err
	}
	strip, err := a.Strip(period, most)
	if err != nil {
		return nil, err
	}
	ends := make([]float64, strip.Steps()+1) // all steps are assumed to take the same time
	for i := range ends {
		ends[i] = float64(i) / float64(max(1, strip.Steps()))
	}
	h := &Heights{period: period, note: note, meter: newMeter(ends, o.Progress)}
	h.run = sweep.StartStrip(strip, sweep.Config{Threads: o.threads(), Memory: o.Memory, Progress: h.meter.within})
	return h, h.look()
}

// Next sweeps one more period and counts the solutions for the periods so far.
func (h *Heights) Next(ctx context.Context) (*big.Int, error) {
	for range h.period {
		if _, err := h.run.Step(ctx); err != nil {
			return nil, err
		}
		h.meter.next(h.run.Effort().States)
	}
	return h.run.Bare(), h.look()
}

func (h *Heights) look() error {
	if !h.note || h.closed {
		return nil
	}
	// If a period adds no state, later periods add none either.
	grown, noted, err := h.run.Note()
	h.states, h.closed = noted, !grown
	return err
}

// States returns the number n of different states between periods so far, and whether n is final.
// If n is final, the counts of heights 0, 1, … obey a linear recurrence of order n. The
// count of height 0 is 1.
func (h *Heights) States() (n int, known bool) { return h.states, h.closed }

// Effort returns the number of states so far, and an upper bound on the bytes held at once.
func (h *Heights) Effort() (states, bytes int64) {
	e := h.run.Effort()
	return e.States, e.Bytes
}
