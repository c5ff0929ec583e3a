package permute

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
)

// Touches are integers in units of 1/sure, since floats could differ between machines. In a band of
// 100,000 steps with 100,000 moves each, the touches of a bit are below 2^63.
const sure = 1 << 24

// order returns the places of the bits in their new order, the lowest first. A bit that is touched
// later and less often is higher. Unused bits, which are always 0, are highest, so keys stay small.
func order[K key.Key](a *automaton.Automaton, from, to int) []int {
	touched := touches[K](a, from, to)
	all := make([]int, len(touched))
	for i := range all {
		all[i] = i
	}
	slices.SortStableFunc(all, func(x, y int) int { return cmp.Compare(touched[y], touched[x]) })
	return all
}

// touches returns the touches of each bit, in units of 1/sure. The package comment defines them.
func touches[K key.Key](a *automaton.Automaton, from, to int) []uint64 {
	l := a.Layout()
	all := make([]uint64, width(l))
	for step := from; step < to; step++ {
		moves := automaton.NewTransition[K](a, step).Streams
		if len(moves) == 0 {
			continue // a step without moves touches no bit
		}
		share := uint64(to-step) * (sure / uint64(len(moves)))
		for i := range moves {
			touchWindow(all[:l.Window], moves[i].Add, step-from, share)
		}
		touchCounters(all, l, moves, share)
	}
	return all
}

func width(l automaton.Layout) int {
	most := l.Window
	for _, f := range l.Counters {
		most = max(most, f.At+f.Width)
	}
	return most
}

// touchWindow adds share to window[i+moved] for each bit i that is 1 in the argument add, a key.
func touchWindow[K key.Key](window []uint64, add K, moved int, share uint64) {
	for w := 0; w < len(add); w++ {
		for word := add[w]; word != 0; word &= word - 1 {
			if at := 64*w + bits.TrailingZeros64(word) + moved; at >= 0 && at < len(window) {
				window[at] += share
			}
		}
	}
}

func touchCounters[K key.Key](all []uint64, l automaton.Layout, moves []automaton.Stream[K], share uint64) {
	for _, f := range l.Counters {
		for i := range moves {
			touchCounter(all[f.At:f.At+f.Width], moves[i].Add[f.At>>6]>>(f.At&63)&key.LowBits(f.Width), share)
		}
	}
}

// touchCounter is for a move that adds value to a counter. For each bit of the counter, it adds the
// product of share and the chance that a carry reaches the bit.
func touchCounter(counter []uint64, value, share uint64) {
	for bit := range counter {
		counter[bit] += share * min(value, 1<<bit) >> bit
	}
}
