package jump

import (
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
)

// Outlook is what becomes of some states of an ordinary level if they wait for their turns.
type Outlook struct {
	Waits int64 // steps until their turns, that of each turn included, together
	Alive int64 // of the states, those that some move fits at their turns
	Fits  int64 // moves that fit them
}

// Look returns the outlook of some states of an ordinary level. They are few: to try all moves takes
// less time than to make tables, and no memory.
func Look[K key.Key](a *automaton.Automaton, level int, states []K) (o Outlook) {
	window := automaton.Window[K](a)
	steps := make([][]automaton.Stream[K], a.Steps())
	for _, k := range states {
		d := min(key.TrailingOnes(k), a.Window)
		o.Waits += int64(d + 1)
		if level+d >= a.Steps() {
			o.Alive++
			continue
		}
		if steps[level+d] == nil {
			steps[level+d] = automaton.NewTransition[K](a, level+d).Streams
		}
		k = key.Slide(k, window, d)
		n := 0
		for _, s := range steps[level+d] {
			if key.Matches(k, s.Test, s.Want) {
				n++
			}
		}
		o.Fits += int64(n)
		o.Alive += int64(min(n, 1))
	}
	return o
}
