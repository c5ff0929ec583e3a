package band

import (
	"sort"

	"github.com/pavage/pavage/beam/permute"
	"github.com/pavage/pavage/internal/engine/automaton"
)

// leftFree defines the default length of a band: the longest band that leaves at least this share
// of the information of a state unchanged (see [permute.Free]). This length is computed for the
// level with the most states in the forecast, and is about half a row of a board. The table has the
// number of states that all tasks together sweep and write, divided by the number of different
// states among them. The columns are bands of 1 to 10 steps, and * marks the default:
//
//	tetrominoes 10x10     1     3     4     5*    6     7     8    10
//	8 tasks            1.00  1.00  1.00  1.00  1.03  1.10  1.20  1.39
//	64                 1.00  1.01  1.03  1.03  1.19  1.40  1.59  2.29
//	512                1.00  1.05  1.13  1.19  1.54  1.95  2.38  3.74
//
// A level with few states has only one task. There a longer band would be better. To write and read
// a state costs five times as much as to sweep it. So a shorter band would cost more than the
// overlap that it avoids.
const leftFree = 0.55

func usualBand(a *automaton.Automaton) int {
	if a.Steps() == 0 {
		return 1
	}
	largest, most := 0, 1.0
	for i, states := range a.Behind(0, 1) {
		if states > most {
			largest, most = i+1, states
		}
	}
	m := machineFor(a)
	enough := leftFree * m.free(a, largest, largest)
	return max(1, sort.Search(a.Window, func(i int) bool { return m.free(a, largest, largest+i+1) < enough }))
}

func (machineOf[K]) free(a *automaton.Automaton, from, to int) float64 {
	return permute.Free[K](a, from, to)
}
