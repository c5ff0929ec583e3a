package automaton

import (
	"math"
	"slices"

	"github.com/pavage/pavage/internal/engine/key"
)

// Skip is the variable of the move without an option.
const Skip = math.MaxUint32

// Transition leads from the states of a level to the states of the next. It has the moves of a step
// and tests that drop states without a future. The number of solutions stays the same.
type Transition[K key.Key] struct {
	Streams []Stream[K] // the moves; the move without an option is last
	Window  K           // the bits that a step shifts

	Keep  func(K) bool // whether a state of the next level passes all tests; nil if there are none
	Quick func(K) bool // like Keep, but only for tests that are always made; nil if there are none
	Lone  *Lone        // the test for lone cells; nil if Quick includes it or no test is needed
}

// KeepAll removes the tests.
func (t *Transition[K]) KeepAll() { t.Keep, t.Quick, t.Lone = nil, nil, nil }

// Stream is a move. It maps a sorted level to a sorted stream of states of the next level.
type Stream[K key.Key] struct {
	Test, Want K // the move fits if state&Test == Want and (state+Add)&Guard == 0
	Add, Guard K // the image is state+Add, with the window shifted
	Variable   uint32
}

// NewTransition returns the transition of a step, in keys of the width of the automaton. The move
// without an option comes last, as its stream is long and merging costs least for the last stream.
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

// addTests sets the tests. If some pieces are used once, all states are tested for all pockets,
// since few pockets can be filled with the remaining pieces.
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
		// If once is true and the next item is covered, only later steps look for pockets.
		return Reached(k, floors) && (once && k[0]&1 != 0 || v.alive(k[0], k[v.flagWord]))
	}
	if once {
		t.Quick = t.Keep
	} else {
		t.Lone = v.lone()
	}
}

// Image returns the state to which the move maps k, if the move fits k.
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

// Has reports whether the step has a move of a variable.
func (t *Transition[K]) Has(variable uint32) bool {
	return slices.ContainsFunc(t.Streams, func(s Stream[K]) bool { return s.Variable == variable })
}

// Image returns the state to which a variable maps k, if one of its moves fits k. At most one does.
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

// Origins returns the states, reachable or not, that a move maps to k, and their number. Most moves
// have at most one. The move without an option has two if the item may stay bare: first the origin
// in which the item is bare, then the origin in which it is covered.
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

// Recurs reports whether a step may repeat an earlier step, since none of its tests needs counters.
func (a *Automaton) Recurs(step int) bool {
	return (a.pockets == nil || a.pockets.flags == 0) && len(a.steps[step].floors) == 0
}

// Counts reports whether states have counters.
func (a *Automaton) Counts() bool { return len(a.counters) > 0 }

// Moves returns the number of moves of a step.
func (a *Automaton) Moves(step int) int { return a.steps[step].moves.count() }

// Reached reports whether no counter of a state is below its floor.
func Reached[K key.Key](k K, floors []Floor) bool {
	for _, f := range floors {
		if k[f.at>>6]>>(f.at&63)&key.LowBits(f.width) < f.least {
			return false
		}
	}
	return true
}

// Alike reports whether two steps that may repeat have equal moves and drop the same states.
func (a *Automaton) Alike(i, j int) bool {
	return a.steps[i].like(&a.steps[j]) && a.pockets.like(i+1, j+1)
}

// StepPrint returns a hash of the bits that the moves of a step add.
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
