package automaton

import (
	"cmp"
	"math"
	"slices"
)

// The number of typical sets of a level (Shannon) estimates its states as if items were covered
// independently. The probability that item j is covered is the fraction of its options whose
// first item is before the level. (Leaving j empty counts as an option.) Items with probabilities
// p, q, … have 2^(H(p)+H(q)+…) typical sets, where H(p) is the entropy of probability p.
//
//	x x x x x        options of item j           fraction 3/8
//	x x x│. .        ├── first item in the past: 3
//	. . . j .        └── first item to come:     5
//
// If n pieces are used once, x·n are used after a fraction x of the steps. This multiplies the
// number of sets by (n choose x·n). A real level also has untypical states, and lacks typical sets
// because items depend on each other. Both errors are small. (The first column of sets and of
// states is for all levels, and the second for the largest level.)
//
//	                         typical sets            states
//	tetrominoes 10x10        2.7e7   0.9e6           4.2e7   0.75e6
//	tetrominoes 12x12        4.4e8   1.2e7          13.0e8   1.46e7
//	tetrominoes 14x14        0.7e10  1.7e8           2.7e10  1.4e8
//	pentominoes any 10x8     1.9e7   1.3e6           2.6e7   0.63e6

// For large or long options there are far too many typical sets, since items depend on each other.
// (If the left half of a square is covered, so is the right half.) But log(states) / log(typical
// sets) is about the same at all levels, and bend uses this ratio. The table has two forecasts for
// all levels, made at a level of about 2,000 states: in proportion to typical sets, and with bend.
//
//	                                   in proportion   bend  states
//	squares of any size 14x14                2.4e14  1.2e6  4.8e6
//	squares of any size 12x12                7.6e10  4.9e5  7.0e5
//	bars of any length 5x12                   1.2e7  4.3e5  9.2e5
//	bars of any length 3x14                   2.6e4  2.7e4  2.3e4
//	chessboard pieces 6x10                    1.0e5  9.0e4  1.0e5

const (
	// bend returns 1 for ratios of upright or more. Polyominoes have ratios of 0.65 or more.
	upright = 0.6
	// bend does not change ratios up to bent. Squares have ratios of 0.1 to 0.4, bars 0.45 to 0.55.
	bent    = 0.45
	fewTell = 32
)

// bend returns the exponent e: later levels have states in proportion to (typical sets)^e.
func (a *Automaton) bend(level int, states float64) float64 {
	typical := math.Log2(a.shape[level])
	if states < fewTell || typical <= 0 {
		return 1
	}
	share := math.Log2(states) / typical
	switch {
	case share >= upright:
		return 1
	case share <= bent:
		return share
	}
	return share + (1-share)*(share-bent)/(upright-bent)
}

// Remaining estimates the number of states of all levels after a level with this number of states.
// After 1/100 of a sweep (1/10 for squares or right trominoes) it is at most a factor of 3 wrong.
func (a *Automaton) Remaining(level, states int) float64 {
	if a.bend(level, float64(states)) == 1 {
		return a.later[level] / a.shape[level] * float64(states)
	}
	return sumOf(a.Behind(level, float64(states)))
}

const (
	// Surprises compares log(states) with farAbove·log(typical sets).
	farAbove = 1.05
	tooMany  = 1 << 10
)

// Surprises reports whether a level has far more states than typical sets, so that the order may be
// bad. (Along the long side, bars of all lengths on 5x12 have over 1e9 states; the forecast is 2e7.
// In the best orders of tetrominoes and pentominoes, the logarithms have a ratio of at most 1.04.)
func (a *Automaton) Surprises(level, states int) bool {
	return a.byShape && states >= tooMany && math.Log2(float64(states)) > farAbove*math.Log2(a.shape[level])
}

// Behind estimates the number of states of each level after a level.
func (a *Automaton) Behind(level int, states float64) []float64 {
	power := a.bend(level, states)
	all := make([]float64, len(a.shape)-level-1)
	for i := range all {
		all[i] = states * math.Pow(a.shape[level+1+i]/a.shape[level], power)
	}
	return all
}

// Peak estimates the size of the largest level from this level on, divided by the size of this one.
func (a *Automaton) Peak(level, states int) float64 {
	return math.Pow(slices.Max(a.shape[level:])/a.shape[level], a.bend(level, float64(states)))
}

func (c *compiler) typicalSets() []float64 {
	log := make([]float64, len(c.Order)+1)
	ahead := c.ahead()
	for at := range c.Order {
		by := ahead[at*c.Window : (at+1)*c.Window]
		all := 0.0
		for _, n := range by {
			all += float64(n)
		}
		if c.optional[at] {
			all++
		}
		past := 0.0
		for e := min(c.Window-2, at-1); e >= 0; e-- {
			past += float64(by[e+1])
			log[at-e] += entropy(past / all)
		}
	}
	for k := range c.coloured {
		c.coloured[k].addTypical(log)
	}
	flags := 0.0 // number of items that are used at most once and are not swept
	for _, f := range c.counters {
		if f.kind == flag {
			flags++
		}
	}
	for i := range log {
		log[i] = math.Exp2(min(maxTypical, log[i]+logChoose(flags, flags*float64(i)/float64(len(log)-1))))
	}
	return log
}

// entropy returns the entropy in bits of an event with probability p, or 0 if p is NaN.
func entropy(p float64) float64 {
	if p > 0 && p < 1 {
		return -p*math.Log2(p) - (1-p)*math.Log2(1-p)
	}
	return 0
}

func (x *coloured) addTypical(log []float64) {
	if x.width == 0 {
		return
	}
	earliest := slices.MinFunc(x.asked, func(a, b asked) int { return cmp.Compare(a.first, b.first) })
	for level := earliest.first + 1; level < x.at+x.width; level++ {
		says := 0 // number of values of the field, without the value closed, which is rare
		if level <= x.surely {
			says++
		}
		for _, a := range x.asked {
			if a.code > 0 && a.first < level {
				says++
			}
		}
		left := float64(min(x.width, x.at+x.width-level)) / float64(x.width)
		log[level] += left * math.Log2(float64(max(1, says)))
	}
}

// maxTypical bounds the logarithm of a number of typical sets, so that sums stay finite.
const maxTypical = 400

func (c *compiler) ahead() []int32 {
	n := make([]int32, len(c.Order)*c.Window)
	for o, option := range c.p.Options {
		if c.first[o] < 0 {
			continue
		}
		for _, u := range option {
			if at := c.at[u.Item]; at >= 0 {
				n[at*c.Window+at-c.first[o]]++
			}
		}
	}
	return n
}

func logChoose(n, k float64) float64 {
	lgamma := func(x float64) float64 { y, _ := math.Lgamma(x); return y }
	return (lgamma(n+1) - lgamma(k+1) - lgamma(n-k+1)) / math.Ln2
}

// MeanMoves returns the expected mean number of moves that are tried for a state. (It is 11.9 for
// queens on 12x12. Steps have 2.1 options on average, but most states are at steps with more.)
func (a *Automaton) MeanMoves() float64 {
	all, states := 0.0, 0.0
	for i := range a.steps {
		all += a.shape[i] * float64(a.Moves(i))
		states += a.shape[i]
	}
	return all / max(states, 1)
}
