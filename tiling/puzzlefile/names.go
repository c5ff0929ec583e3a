package puzzlefile

import (
	"maps"
	"slices"

	"github.com/pavage/pavage/tiling"
)

// home returns the first lattice that has the set, or nil if no lattice has it.
func home(set string) *tiling.Lattice {
	for _, l := range tiling.Lattices() {
		if _, has := l.Sets()[set]; has {
			return l
		}
	}
	return nil
}

// homes returns the names of the lattices that have a piece of that name.
func homes(piece string) (names []string) {
	for _, l := range tiling.Lattices() {
		if _, has := findNamed(l, piece); has {
			names = append(names, l.String())
		}
	}
	return names
}

// findNamed returns the lattice's piece of that name.
func findNamed(l *tiling.Lattice, name string) (tiling.Shape, bool) {
	for _, p := range l.Named() {
		if p.Name == name {
			return p.Shape, true
		}
	}
	return nil, false
}

// setNames returns the names of the sets of all lattices, sorted.
func setNames() (names []string) {
	for _, l := range tiling.Lattices() {
		names = slices.AppendSeq(names, maps.Keys(l.Sets()))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// adjectives maps lattices to words for errors such as "a set of 3-D pieces". The word for any
// other lattice is its name.
var adjectives = map[*tiling.Lattice]string{tiling.Square: "flat", tiling.Cube: "3-D"}
