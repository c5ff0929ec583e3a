package verify

import (
	"slices"
)

// walk goes depth first through the models of a part. gini says what follows from each
// choice. In a scope, walk takes the item with the fewest open options, of those that must be
// used exactly once, and pushes these options one after another. When all such items are
// settled, it pushes the next open variable as true and then as false. When no variable is
// open there is a model.
type walk struct {
	*tally
	*solver
	part  *part
	rows  [][]int32 // variables of the items to be used once
	unmet []int32   // rows that no option is chosen for, a run for each scope
	list  []int
	ended bool
	nodes int64
}

// flushNodes is how many scopes pass between two flushes: about 3 ms of dominoes, and half a
// second of pentominoes.
const flushNodes = 1 << 12

// run walks the part with a solver that has its formula.
func (k *walk) run(w *part, s *solver) {
	k.solver, k.part = s, w
	k.rows, k.unmet = k.rows[:0], k.unmet[:0]
	for _, r := range w.rows() {
		if r.least == 1 && r.most == 1 {
			k.unmet = append(k.unmet, int32(len(k.rows)))
			k.rows = append(k.rows, variables(r.uses))
		}
	}
	if k.begin() {
		k.descend(k.unmet, 1)
	}
}

// descend walks the present scope. Rows that are not given are met, and variables below
// from are not open.
func (k *walk) descend(unmet []int32, from int32) {
	if k.nodes++; k.nodes%flushNodes == 0 {
		k.flush()
	}
	if k.ended = k.ended || k.stopped.Load(); k.ended {
		return
	}
	start := len(k.unmet)
	if best := k.narrowest(unmet); best >= 0 {
		// From the options of the row that were tried, gini may have learned that another one
		// is true: that one must be tried all the same.
		unmet = k.unmet[start:]
		for _, v := range k.rows[best] {
			if !k.isFalse(v) && !k.choose(v, unmet, from) {
				break
			}
		}
	} else {
		k.decide(from)
	}
	k.unmet = k.unmet[:start]
}

// narrowest appends the rows that are unmet still to k.unmet and returns the
// one with fewest open variables, or -1.
func (k *walk) narrowest(unmet []int32) int32 {
	best, least := int32(-1), 0
	for _, i := range unmet {
		n, met := 0, false
		for _, v := range k.rows[i] {
			if k.isOpen(v) {
				n++
			} else if met = k.isTrue(v); met {
				break
			}
		}
		if met {
			continue
		}
		k.unmet = append(k.unmet, i)
		if best < 0 || n < least {
			best, least = i, n
		}
	}
	return best
}

// decide tries both values of the next open variable, if there is one.
func (k *walk) decide(from int32) {
	for int(from) <= len(k.part.open) && !k.isOpen(from) {
		from++
	}
	if int(from) > len(k.part.open) {
		k.ended = !k.model(k.present())
		return
	}
	if k.choose(from, nil, from+1) {
		k.choose(-from, nil, from+1)
	}
}

// choose walks the scope of one more literal. It returns false if there is nothing left to
// do in the scope around it.
func (k *walk) choose(l int32, unmet []int32, from int32) bool {
	if k.push(l) {
		k.descend(unmet, from)
	}
	return !k.ended && k.pop()
}

// present is the present model as an ascending list of options.
func (k *walk) present() []int {
	k.list = append(k.list[:0], k.part.taken...)
	for at, o := range k.part.open {
		if k.isTrue(int32(at + 1)) {
			k.list = append(k.list, o)
		}
	}
	slices.Sort(k.list)
	return k.list
}
