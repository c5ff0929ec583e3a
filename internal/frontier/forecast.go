package frontier

import "math"

// Remaining is a guess at how many states the levels behind a level will have
// together, given how many that one has. It is good to a factor of about
// three in the middle of a run, and too low at its beginning, where levels
// have not yet filled the window. It costs nothing; what costs something, and
// is better, is an [Estimate].
//
// Levels are taken to be proportional to 2^(window cells within reach/2), as
// in profile, times the number of sets of pieces that may be used by then:
// where pieces are used once, a share x of the steps has used a share x of
// them, which leaves (pieces choose x·pieces) sets. Of 8x8 pentominoes and a
// square, 152 million states, it expects 110 million behind level 26, where
// there were 125.
func (a *Automaton) Remaining(level, states int) float64 {
	return a.later[level] / a.shape[level] * float64(states)
}

// foresee fills shape and later. No shape passes 2^400.
func (a *Automaton) foresee() {
	levels := len(a.steps) + 1
	a.shape, a.later = make([]float64, levels), make([]float64, levels)
	reaches := a.reaches()
	for j := levels - 1; j >= 0; j-- {
		a.shape[j] = math.Exp2(a.logShape(j, reaches))
		if j+1 < levels {
			a.later[j] = a.later[j+1] + a.shape[j+1]
		}
	}
}

// reaches is how many window cells are within reach of the past, by level.
func (a *Automaton) reaches() []int {
	reaches := make([]int, len(a.steps)+1)
	reach := 0
	for i, bits := range a.reach {
		reach = max(reach, i+bits)
		reaches[i+1] = max(0, reach-i-1)
	}
	reaches[0] = reaches[min(1, len(a.steps))]
	return reaches
}

func (a *Automaton) logShape(level int, reaches []int) float64 {
	flags := 0
	for _, f := range a.counters {
		if f.kind == flag {
			flags++
		}
	}
	used := float64(flags) * float64(level) / float64(max(1, len(a.steps)))
	return float64(reaches[level])/2 + logChoose(float64(flags), used)
}

// logChoose is the binary logarithm of n choose k, for real k.
func logChoose(n, k float64) float64 {
	lgamma := func(x float64) float64 { y, _ := math.Lgamma(x); return y }
	return (lgamma(n+1) - lgamma(k+1) - lgamma(n-k+1)) / math.Ln2
}
