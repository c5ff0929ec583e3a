package permute

import (
	"math"
	"math/bits"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
)

// Free estimates how many bits of information a band leaves unchanged in a random state. The
// arguments from and to are the first and the last level of the band. If the band leaves x bits,
// the first level can be cut into about 2^x parts that overlap little at the last level. Items are
// treated as independent. If b of the n options of an item begin before the band, the item is
// covered before the band with probability b/n. If c options begin in the band, the band covers an
// open item with probability c/(n-b).
//
//	x x x x x        options of item j begin         j is covered before the band with probability
//	x x x│b b b b    ├── before the band: 3          3/8, so its bit has the entropy H(3/8).
//	. . . . j .      ├── in the band: 2              The band covers an open j with probability
//	                 └── after the band: 3           2/5, so it leaves 3/5 of this entropy.
func Free[K key.Key](a *automaton.Automaton, from, to int) (free float64) {
	l := a.Layout()
	before, within, behind := uses[K](a, from-l.Window, from, from), uses[K](a, from, to, from), uses[K](a, to, from+l.Window, from)
	for i := range l.Window {
		past, in, left := float64(before[i]), float64(within[i]), float64(within[i]+behind[i])
		if left > 0 {
			free += coinEntropy(past/(past+left)) * (1 - in/left)
		}
	}
	done := float64(from) / float64(max(1, a.Steps())) // estimated fraction of a solution's options that are chosen before the band
	for _, f := range l.Counters {
		for _, in := range within[f.At : f.At+f.Width] {
			free += coinEntropy(done) * (1 - min(1, float64(in)/sure))
		}
	}
	return free
}

// uses returns a number for each bit of a key, for the steps in the interval [from, to). For the
// bit of an item, it is the number of options that have the item. For a bit of a counter, it is the
// expected number of touches, in units of 1/sure, if a step covers one item on average.
func uses[K key.Key](a *automaton.Automaton, from, to, level int) []uint64 {
	l := a.Layout()
	all := make([]uint64, width(l))
	for step := max(0, from); step < min(to, a.Steps()); step++ {
		moves := automaton.NewTransition[K](a, step).Streams
		covered := uint64(0)
		for i := range moves {
			add := moves[i].Add
			if moves[i].Variable == automaton.Skip && moves[i].Test[0]&1 == 0 {
				add[0] |= 1 // a move that leaves the first item uncovered counts as an option of this item
			}
			touchWindow(all[:l.Window], add, step-level, 1)
			covered += ones(add, l.Window)
		}
		if step >= level {
			touchCounters(all, l, moves, sure/max(1, covered))
		}
	}
	return all
}

func ones[K key.Key](add K, window int) (n uint64) {
	for w := 0; w < len(add); w++ {
		n += uint64(bits.OnesCount64(add[w] & key.LowBits(min(64, max(0, window-64*w)))))
	}
	return n
}

func coinEntropy(p float64) float64 {
	if !(p > 0 && p < 1) {
		return 0
	}
	return -p*math.Log2(p) - (1-p)*math.Log2(1-p)
}
