package tiling

import "fmt"

// motion is the linear part of a motion of a lattice: coordinate i of the image is
// the sum of m[i][j] times coordinate j. In the plane it keeps the layer.
type motion [3][3]int

// namedMotion is a motion and what it does in words, such as "rotation by 90°".
type namedMotion struct {
	motion
	words string
}

// identity is the first motion of every lattice and of every group.
var identity = motion{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}

var identityAxes = [3]int{0, 1, 2}

// permuted is the motion whose coordinate i is sign[i] times coordinate axis[i].
func permuted(axis, sign [3]int) (m motion) {
	for i, from := range axis {
		m[i][from] = sign[i]
	}
	return m
}

// flat is the motion of the plane that makes of row and column a new row, a·row +
// b·column, and a new column, c·row + d·column.
func flat(a, b, c, d int) motion { return motion{{1, 0, 0}, {0, a, b}, {0, c, d}} }

func (m motion) move(c Cell) (image Cell) {
	for i, row := range m {
		image[i] = row[0]*c[0] + row[1]*c[1] + row[2]*c[2]
	}
	return image
}

// after is the motion that does b and then m.
func (m motion) after(b motion) (c motion) {
	for i := range c {
		for j := range c {
			c[i][j] = m[i][0]*b[0][j] + m[i][1]*b[1][j] + m[i][2]*b[2][j]
		}
	}
	return c
}

// mirrors reports whether the motion makes mirror images: whether its determinant is -1, not 1.
func (m motion) mirrors() bool {
	return m[0][0]*(m[1][1]*m[2][2]-m[1][2]*m[2][1])-
		m[0][1]*(m[1][0]*m[2][2]-m[1][2]*m[2][0])+
		m[0][2]*(m[1][0]*m[2][1]-m[1][1]*m[2][0]) < 0
}

// order is the least number of times to do m that does nothing.
func (m motion) order() int {
	n := 1
	for power := m; power != identity; power = m.after(power) {
		n++
	}
	return n
}

// dihedral are the motions of a lattice that a turn by 60° takes onto itself: the turns, and a
// mirror before each. The mirror leaves the line at the angle axis as it is, in degrees clockwise
// from the one to the right; after k turns that is the line k·30° further.
func dihedral(turn, mirror motion, axis int) []namedMotion {
	var turns, mirrors []namedMotion
	m := identity
	for k := range 6 {
		turns = append(turns, namedMotion{m, fmt.Sprintf("rotation by %d°", 60*k)})
		mirrors = append(mirrors, namedMotion{m.after(mirror), reflectionWords((axis + 30*k) % 180)})
		m = turn.after(m)
	}
	turns[0].words = "identity"
	return append(turns, mirrors...)
}

// reflectionWords name a reflection by the angle of its line.
func reflectionWords(axis int) string {
	switch axis {
	case 0:
		return "reflection top-bottom"
	case 90:
		return "reflection left-right"
	}
	return fmt.Sprintf("reflection in the line at %d°", axis)
}
