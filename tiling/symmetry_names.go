package tiling

import (
	"cmp"
	"fmt"
	"slices"
)

// determinant is -1 for what makes mirror images, 1 for a rotation.
func (m motion) determinant() int {
	if m.reverses() {
		return -1
	}
	return 1
}

// after is the motion that does b and then m.
func (m motion) after(b motion) motion {
	var c motion
	for i, from := range m.axis {
		c.axis[i] = b.axis[from]
		c.sign[i] = m.sign[i] * b.sign[from]
	}
	return c
}

// order is the least number of times to do m that does nothing.
func (m motion) order() int {
	n := 1
	for power := m; power != identity; power = m.after(power) {
		n++
	}
	return n
}

// inversion takes every cell through the centre.
var inversion = motion{axis: identity.axis, sign: [3]int{-1, -1, -1}}

// motionKind is what Schoenflies' names are told by.
type motionKind uint8

const (
	kindE  motionKind = iota // the identity
	kindC2                   // rotations by 180°, 120° and 90°
	kindC3
	kindC4
	kindI // through the centre
	kindS // mirrors
	kindS4
	kindS6
	kinds
)

func (m motion) kind() motionKind {
	order := m.order()
	switch {
	case order == 1:
		return kindE
	case m == inversion:
		return kindI
	case !m.reverses():
		return map[int]motionKind{2: kindC2, 3: kindC3, 4: kindC4}[order]
	}
	return map[int]motionKind{2: kindS, 4: kindS4, 6: kindS6}[order]
}

// nameGroup names a group by the motions it has of every kind. Where several
// motions move a flat board alike it gets one of each, rotations if there are,
// and these are a group too.
func nameGroup(l Lattice, g []motion) string {
	if l == Square {
		return nameFlat(g)
	}
	var have [kinds]int
	for _, m := range g {
		have[m.kind()]++
	}
	return solidGroups[have]
}

// nameFlat is Cn or Dn for n rotations.
func nameFlat(g []motion) string {
	rotations := 0
	for _, m := range g {
		if !m.reverses() {
			rotations++
		}
	}
	if rotations < len(g) {
		return fmt.Sprintf("D%d", rotations)
	}
	return fmt.Sprintf("C%d", rotations)
}

// solidGroups are the groups of motions of the cube lattice, 25 up to how they
// lie: how many motions of each kind they have. No two agree.
var solidGroups = map[[kinds]int]string{
	// E C2 C3 C4 i mirrors S4 S6
	{1}:                      "C1",
	{1, 1}:                   "C2",
	{1, 0, 2}:                "C3",
	{1, 1, 0, 2}:             "C4",
	{1, 3}:                   "D2",
	{1, 3, 2}:                "D3",
	{1, 5, 0, 2}:             "D4",
	{1, 3, 8}:                "T",
	{1, 9, 8, 6}:             "O",
	{1, 0, 0, 0, 1}:          "Ci",
	{1, 0, 0, 0, 0, 1}:       "Cs",
	{1, 1, 0, 0, 1, 1}:       "C2h",
	{1, 1, 0, 0, 0, 2}:       "C2v",
	{1, 3, 0, 0, 1, 3}:       "D2h",
	{1, 1, 0, 0, 0, 0, 2}:    "S4",
	{1, 1, 0, 2, 1, 1, 2}:    "C4h",
	{1, 1, 0, 2, 0, 4}:       "C4v",
	{1, 3, 0, 0, 0, 2, 2}:    "D2d",
	{1, 5, 0, 2, 1, 5, 2}:    "D4h",
	{1, 0, 2, 0, 1, 0, 0, 2}: "C3i",
	{1, 0, 2, 0, 0, 3}:       "C3v",
	{1, 3, 2, 0, 1, 3, 0, 2}: "D3d",
	{1, 3, 8, 0, 1, 3, 0, 8}: "Th",
	{1, 3, 8, 0, 0, 6, 6}:    "Td",
	{1, 9, 8, 6, 1, 9, 6, 8}: "Oh",
}

// words describe a motion to people.
func (m motion) words(l Lattice) string {
	if l == Square {
		return flatMotions[m.flat8()].words
	}
	switch m.kind() {
	case kindE:
		return "identity"
	case kindI:
		return "point reflection"
	case kindC3:
		return "rotation by 120° about a space diagonal"
	case kindS6:
		return "rotary reflection by 60° about a space diagonal"
	case kindC4:
		return fmt.Sprintf("rotation by %d° about the %s axis", m.quarter(), axisWords[m.lone()])
	case kindS4:
		return fmt.Sprintf("rotary reflection by %d° about the %s axis", m.quarter(), axisWords[m.lone()])
	}
	return m.twofoldWords()
}

var axisWords = [3]string{"layer", "row", "column"}

// twofoldWords describe half turns and mirrors.
func (m motion) twofoldWords() string {
	lone := m.lone()
	b, c := (lone+1)%3, (lone+2)%3
	straight := m.axis == identity.axis
	switch {
	case straight && m.reverses():
		return fmt.Sprintf("reflection that reverses the %ss", axisWords[lone])
	case straight:
		return fmt.Sprintf("rotation by 180° about the %s axis", axisWords[lone])
	case m.reverses():
		return fmt.Sprintf("reflection that swaps %ss and %ss", axisWords[min(b, c)], axisWords[max(b, c)])
	}
	return "rotation by 180° about a face diagonal"
}

// lone is the axis that a motion of order 2 or 4 treats unlike the others:
// the one it does not swap, or the one whose sign differs.
func (m motion) lone() int {
	if m.axis == identity.axis {
		for i := range m.sign {
			if m.sign[i] != m.sign[(i+1)%3] && m.sign[i] != m.sign[(i+2)%3] {
				return i
			}
		}
	}
	for i, from := range m.axis {
		if i == from {
			return i
		}
	}
	return 0 // not of such an order
}

// quarter is 90 or 270: whether the axis after the lone one goes to the one
// after that, or to its reverse.
func (m motion) quarter() int {
	lone := m.lone()
	if m.sign[(lone+2)%3] > 0 {
		return 90
	}
	return 270
}

// flatMotions are the motions of the square lattice, rotations first. Rows are
// drawn downwards, so that a quarter turn clockwise makes columns of the rows
// and puts the last row first.
var flatMotions = []struct {
	motion
	words string
}{
	{identity, "identity"},
	{motion{[3]int{0, 2, 1}, [3]int{1, 1, -1}}, "rotation by 90°"},
	{motion{[3]int{0, 1, 2}, [3]int{1, -1, -1}}, "rotation by 180°"},
	{motion{[3]int{0, 2, 1}, [3]int{1, -1, 1}}, "rotation by 270°"},
	{motion{[3]int{0, 1, 2}, [3]int{1, 1, -1}}, "reflection left-right"},
	{motion{[3]int{0, 1, 2}, [3]int{1, -1, 1}}, "reflection top-bottom"},
	{motion{[3]int{0, 2, 1}, [3]int{1, 1, 1}}, "reflection in the main diagonal"},
	{motion{[3]int{0, 2, 1}, [3]int{1, -1, -1}}, "reflection in the other diagonal"},
}

// motions are the motions of the lattice in the order in which a group lists
// them: the identity, other rotations, and then those that make mirror images.
func (l Lattice) motions() []motion {
	all := group(l, Free)
	slices.SortStableFunc(all, func(a, b motion) int {
		return cmp.Or(cmp.Compare(b.determinant(), a.determinant()), cmp.Compare(a.place(l), b.place(l)))
	})
	return all
}

func (m motion) place(l Lattice) int {
	if l == Square {
		return m.flat8()
	}
	return int(m.kind())
}

// flat8 is the index of m in flatMotions.
func (m motion) flat8() int {
	for i, f := range flatMotions {
		if f.motion == m {
			return i
		}
	}
	return -1 // no motion of the square lattice
}
