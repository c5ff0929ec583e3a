package estimate

import (
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/sweep"
)

// mostMade are the states of levels that are made where there are too few looks for samples.
const mostMade = 1 << 22

// tries reports whether the next step of a run keeps within those that the run may take.
func (s *Sampling) tries(a *automaton.Automaton, r sweep.Run) func() bool {
	tries := 0
	return func() bool {
		tries += r.States() * a.Moves(r.Level())
		return tries <= s.Tries && r.Effort().States <= mostMade && (s.Late == nil || !s.Late())
	}
}

// foresee estimates the levels behind those that were made by the forecast alone. Walks back
// do not know what fields of colours say.
func (e *Estimate) foresee(a *automaton.Automaton) {
	if !e.Certain() {
		copy(e.States[e.Exact+1:], a.Behind(e.Exact, e.States[e.Exact]))
		e.Error = foreseenError
		if made := sum(e.States[:e.Exact+1]); fewMade*made < e.Total() {
			e.Error = farError
		}
	}
}

// foreseenError is the error of levels that are foreseen from early ones: a factor of three,
// of the first few sometimes ten (12x12 tetrominoes from level 5: 0.12e9 for 1.3e9).
const foreseenError = 2

const (
	// farError is that of a forecast from less than one in fewMade of its states. (Tetrominoes
	// from 2^22 states: 12x12 1.7e8 for 13e8, 14x14 1.4e9 for 37e9.)
	farError = 10
	fewMade  = 20
)

// cutError is that of small samples. (10x10 tetrominoes: 15e6 and ±10% for 42e6.)
const cutError = 1
