package tiling

// lattices are those that a puzzle file may name.
var lattices = []*Lattice{Square, Cube, Hexagon, Triangle}

// LatticeNames are the names of all lattices in puzzle files.
func LatticeNames() []string { return latticeNames(lattices) }

func latticeNames(of []*Lattice) (names []string) {
	for _, l := range of {
		names = append(names, l.name)
	}
	return names
}
