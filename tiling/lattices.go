package tiling

import "slices"

var lattices = []*Lattice{Square, Cube, Hexagon, Triangle}

// Lattices returns all lattices.
func Lattices() []*Lattice { return slices.Clone(lattices) }

// LatticeNames returns the names of all lattices in puzzle files, in the order of [Lattices].
func LatticeNames() (names []string) {
	for _, l := range lattices {
		names = append(names, l.name)
	}
	return names
}
