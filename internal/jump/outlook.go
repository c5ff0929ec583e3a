package jump

import (
	"math/bits"

	"github.com/pavage/pavage/internal/automaton"
	"github.com/pavage/pavage/internal/key"
)

// Outlook is what becomes of some states of an ordinary level if they wait for their turns.
type Outlook struct {
	Waits int64 // steps until their turns, that of each turn included, together
	Alive int64 // of the states, those that some move fits at their turns
	Fits  int64 // moves that fit them
}

// Look returns the outlook of some states of an ordinary level. It makes the tables of the levels
// where they wait, and keeps none.
func Look[K key.Key](a *automaton.Automaton, level int, states []K) (o Outlook) {
	window := automaton.Window[K](a)
	tables := make([]*fits[K], a.Steps())
	for _, k := range states {
		d := min(key.TrailingOnes(k), a.Window)
		o.Waits += int64(d + 1)
		if level+d >= a.Steps() {
			o.Alive++
			continue
		}
		f := tables[level+d]
		if f == nil {
			f = newFits[K](a, level+d)
			tables[level+d] = f
		}
		k = key.Slide(k, window, d)
		n := 0
		for w := range f.words {
			n += bits.OnesCount64(f.set(k, w))
		}
		o.Fits += int64(n)
		o.Alive += int64(min(n, 1))
	}
	return o
}
