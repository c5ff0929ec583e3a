package automaton

import (
	"slices"

	"github.com/pavage/pavage/internal/engine/key"
)

// Skips reports whether a state whose present item is covered has one move at every step,
// that without an option, which only shifts. Then such a state can wait until the turn of
// its first free item: see package jump.
func (a *Automaton) Skips() bool {
	for i := range a.steps {
		m, skips := &a.steps[i].moves, 0
		for k := range m.count() {
			test, want := m.test(k), m.want(k)
			if test[0]&1 != 0 && want[0]&1 == 0 { // it wants the item free
				continue
			}
			if test[0]&^1 != 0 || !bare(test[1:]) || !bare(m.add(k)) || !bare(m.guard(k)) {
				return false
			}
			skips++
		}
		if skips != 1 {
			return false
		}
	}
	return true
}

// bare reports that no bit of some words is set.
func bare(words []uint64) bool {
	return !slices.ContainsFunc(words, func(w uint64) bool { return w != 0 })
}

// Window is the bits of a key that shift.
func Window[K key.Key](a *Automaton) K { return key.Of[K](a.window[:]) }

// FloorsBefore are, by level, what the floors of all steps before it ask of a state: the last
// floor of each counter, for floors rise and counters do not fall.
func (a *Automaton) FloorsBefore() [][]Floor {
	all := make([][]Floor, len(a.steps)+1)
	for i := range a.steps {
		all[i+1] = all[i]
		if len(a.steps[i].floors) > 0 {
			all[i+1] = latest(all[i], a.steps[i].floors)
		}
	}
	return all
}

// latest is the floors of a step, and those before it of other counters.
func latest(before, floors []Floor) []Floor {
	all := slices.Clone(floors)
	for _, f := range before {
		if !slices.ContainsFunc(floors, func(g Floor) bool { return g.at == f.at }) {
			all = append(all, f)
		}
	}
	return all
}

// Alive is the test for pockets that a state of a level must pass whose present item is free, nil
// if there is none.
func Alive[K key.Key](a *Automaton, level int) func(K) bool {
	v := a.viewOf(level)
	if v == nil {
		return nil
	}
	return func(k K) bool { return v.alive(k[0], k[v.flagWord]) }
}

// LoneAt finds states of a level that have a cell alone which cannot be filled, nil if none has:
// not where some piece has the size of a cell, one that is used once among them.
func (a *Automaton) LoneAt(level int) *Lone {
	if v := a.viewOf(level); v != nil && v.sizes[0]&2 == 0 {
		return v.lone()
	}
	return nil
}

// viewOf is that of a level, nil where no state has a pocket that cannot be filled.
func (a *Automaton) viewOf(level int) *view {
	k := a.pockets
	if k == nil || k.idle || level == len(a.steps) || k.flags == 0 && !k.shut(level) {
		return nil
	}
	return k.view(level)
}
