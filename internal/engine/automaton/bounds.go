package automaton

// Bound is an item whose bounds are kept in the states.
type Bound struct {
	Item int
	// Values that its counter takes: states may be so many times as many as without
	// it.
	Values int
}

// Bounds are the items with a counter, in no particular order. An item that is used
// at most once has two values.
func (a *Automaton) Bounds() []Bound {
	all := make([]Bound, len(a.counters))
	for i, f := range a.counters {
		all[i] = Bound{f.item, f.cap + 1}
	}
	return all
}
