package automaton

import (
	"math"
	"slices"

	"github.com/pavage/pavage/internal/engine/key"
)

// Skip in place of a variable: the step went on without an option.
const Skip = math.MaxUint32

// Transition leads from the states of a level to the next: a step's moves in keys of one width, and
// tests that drop states without a future. A count is the same with any of the tests, or none.
type Transition[K key.Key] struct {
	Streams []Stream[K] // the moves; the one without an option is last
	Window  K           // the bits that shift

	Keep  func(K) bool // whether a state of the next level may have a future, by all tests; nil if all may
	Quick func(K) bool // the part of it for every state of a level; nil if that is none
	Lone  *Lone        // besides Quick, for every state of a level; nil if no cell can be alone
}

// KeepAll removes the tests.
func (t *Transition[K]) KeepAll() { t.Keep, t.Quick, t.Lone = nil, nil, nil }

// Stream is a move. It maps a sorted level to a sorted stream of states of the next level.
type Stream[K key.Key] struct {
	Test, Want K // fits: state&Test == Want …
	Add, Guard K // … and (state+Add)&Guard == 0; then state+Add, shifted
	Variable   uint32
}

// NewTransition returns the transition of a step, in keys of the automaton's width. The move
// without an option comes last, for it is long and goes through fewest merges there.
func NewTransition[K key.Key](a *Automaton, step int) Transition[K] {
	moves := &a.steps[step].moves
	n := moves.count()
	t := Transition[K]{Streams: make([]Stream[K], n), Window: key.Of[K](a.window[:])}
	for i, v := range moves.variables {
		t.Streams[(i+n-1)%n] = Stream[K]{
			Test: key.Of[K](moves.test(i)), Want: key.Of[K](moves.want(i)),
			Add: key.Of[K](moves.add(i)), Guard: key.Of[K](moves.guard(i)), Variable: uint32(v),
		}
	}
	t.addTests(a, step)
	return t
}

// Root returns the only state of level 0.
func Root[K key.Key](a *Automaton) K { return key.Of[K](a.root[:]) }

// addTests tests all states for all pockets if pieces are used once: fewer pieces fill fewer
// pockets.
func (t *Transition[K]) addTests(a *Automaton, step int) {
	floors := a.steps[step].floors
	if len(floors) > 0 {
		t.Quick = func(k K) bool { return Reached(k, floors) }
		t.Keep = t.Quick
	}
	v := a.viewOf(step + 1)
	if v == nil {
		return
	}
	once := a.pockets.flags > 0
	t.Keep = func(k K) bool {
		// Where the next item is covered, the step after this one looks.
		return Reached(k, floors) && (once && k[0]&1 != 0 || v.alive(k[0], k[v.flagWord]))
	}
	if once {
		t.Quick = t.Keep
	} else {
		t.Lone = v.lone()
	}
}

// Image returns the state that a state goes to, if the move fits it.
func (s *Stream[K]) Image(k, window K) (image K, ok bool) {
	if !key.Matches(k, s.Test, s.Want) {
		return k, false
	}
	k = key.Sum(k, s.Add)
	if !key.Disjoint(k, s.Guard) {
		return k, false
	}
	return key.Shift(k, window), true
}

// Has reports whether a step has a move of a variable.
func (t *Transition[K]) Has(variable uint32) bool {
	return slices.ContainsFunc(t.Streams, func(s Stream[K]) bool { return s.Variable == variable })
}

// Image returns the state that a state goes to by the one move of a variable that fits it, if any.
func (t *Transition[K]) Image(k K, variable uint32) (image K, ok bool) {
	for i := range t.Streams {
		if s := &t.Streams[i]; s.Variable == variable {
			if image, ok = s.Image(k, t.Window); ok {
				return image, true
			}
		}
	}
	return k, false
}

// Origins returns the states, reachable or not, that a move maps to k: none, one or two, the lower
// first. The item that left the window was covered; only a move without an option, of an item that
// may stay bare, also comes from the state where it was bare.
func (s *Stream[K]) Origins(k, window K) (from [2]K, n int) {
	var none K
	if s.Test == none {
		from[0], n = key.Unshift(k, window, 0), 1
	}
	u := key.Unshift(k, window, 1)
	if q := key.Difference(u, s.Add); key.Matches(q, s.Test, s.Want) && key.Disjoint(u, s.Guard) {
		from[n] = q
		n++
	}
	return from, n
}

// Recurs reports that a step may come again: the states dropped after it depend on no counters.
func (a *Automaton) Recurs(step int) bool {
	return (a.pockets == nil || a.pockets.flags == 0) && len(a.steps[step].floors) == 0
}

// Counts reports whether states have counters.
func (a *Automaton) Counts() bool { return len(a.counters) > 0 }

// Moves returns the number of moves of a step.
func (a *Automaton) Moves(step int) int { return a.steps[step].moves.count() }

// Reached reports whether all of a state's counters are at least the floors.
func Reached[K key.Key](k K, floors []Floor) bool {
	for _, f := range floors {
		if k[f.at>>6]>>(f.at&63)&key.LowBits(f.width) < f.least {
			return false
		}
	}
	return true
}

// Alike reports whether two steps that recur have equal arcs, and drop the same states after them.
func (a *Automaton) Alike(i, j int) bool {
	return a.steps[i].like(&a.steps[j]) && a.pockets.like(i+1, j+1)
}

// StepPrint returns a hash by which the moves of different steps mostly differ.
func (a *Automaton) StepPrint(i int) (h uint64) {
	moves := &a.steps[i].moves
	for m := range moves.count() {
		for _, word := range moves.add(m) {
			h = key.Mix(h, word)
		}
	}
	return h
}

func (s *step) like(t *step) bool {
	return slices.Equal(s.moves.keys, t.moves.keys)
}
