package automaton

// Lone finds states that cannot be completed because a free cell is alone: no neighbour of
// it is free, and no piece has its size.
//
//	#.###
//	##.##.      q is alone: q-1, q+1, q-6 and q+6 are covered
//	 q ^
//
// A loop over many states has the fields at hand and needs a few shifts for each.
type Lone struct {
	Inside uint64  // window bits before the end of the order
	Open   uint64  // those that may stay free, or have a neighbour beyond the window
	Edges  []Edges // of all other bits
}

// Edges are all pairs of neighbours q and q+By, for the bits q of From.
type Edges struct {
	By   uint
	From uint64
}

// lone finds cells that are alone. (If a piece of any number has the size of a cell, all sizes
// can be filled, and there are no pockets.)
func (v *view) lone() *Lone {
	return &Lone{Inside: v.inside, Open: v.optional | v.crossing, Edges: v.edges}
}

// Alive reports that no cell of a window is alone.
func (l *Lone) Alive(window uint64) bool {
	free := l.Inside &^ window
	near := l.Open
	for _, e := range l.Edges {
		near |= e.Near(free)
	}
	return free&^near == 0
}

// Near are the bits that have a free neighbour along the edges.
func (e Edges) Near(free uint64) uint64 {
	return free&e.From<<(e.By&63) | free>>(e.By&63)&e.From
}
