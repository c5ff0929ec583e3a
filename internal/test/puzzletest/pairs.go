package puzzletest

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pavage/pavage/tiling"
)

// Kinds of boards that [Pairs] makes.
const (
	Square   = "square"
	Triangle = "triangle"
	Hexagon  = "hexagon"
	Cylinder = "cylinder" // squares
	Cube     = "cube"     // layers of 2x2 cells, whose graph may be planar
)

// Pairs returns a small board with random holes, of one of the kinds. Its one or two pieces are
// pairs of neighbouring cells, with any number of copies.
func Pairs(t testing.TB, rng *rand.Rand, kinds ...string) (kind string, m *tiling.Model) {
	t.Helper()
	for {
		kind = kinds[rng.IntN(len(kinds))]
		board := drawn(rng, kind)
		if !strings.ContainsAny(board, "#^v") {
			continue
		}
		tail, cells := "", "[[0,0],[0,1]]"
		switch kind {
		case Triangle, Hexagon:
			tail = ", lattice: " + kind
		case Cylinder:
			tail = ", wrap: columns"
		case Cube:
			cells = "[[0,0,0],[0,0,1]]"
		}
		pieces := "{name: pair, cells: " + cells + ", copies: any}"
		if rng.IntN(3) == 0 {
			pieces += ", {name: other, cells: " + cells + ", copies: any}"
		}
		return kind, Parse(t, "{board: \""+board+"\""+tail+", pieces: ["+pieces+"]}")
	}
}

func drawn(rng *rand.Rand, kind string) string {
	full, layers, rows, columns, holes := "#", 1, 1+rng.IntN(5), 2+rng.IntN(5), 1+rng.IntN(3)
	switch kind {
	case Triangle:
		full = "^v"
	case Hexagon:
		holes = 3 + rng.IntN(2) // still, many of these boards have graphs that are not bipartite
	case Cube:
		layers, rows, columns = 2+rng.IntN(4), 2, 2
	}
	var text strings.Builder
	for l := range layers {
		if l > 0 {
			text.WriteString("\\n")
		}
		for r := range rows {
			if kind == Hexagon {
				text.WriteString(strings.Repeat(" ", r))
			}
			for c := range columns {
				if rng.IntN(10) < holes {
					text.WriteByte('.')
				} else {
					text.WriteByte(full[(r+c)%len(full)])
				}
				if kind == Hexagon {
					text.WriteByte(' ')
				}
			}
			text.WriteString("\\n")
		}
	}
	return text.String()
}
