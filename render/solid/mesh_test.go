package solid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pavage/pavage/tiling"
)

var lattices = []*tiling.Lattice{tiling.Square, tiling.Cube, tiling.Hexagon, tiling.Triangle}

// randomCells are cells in a small box, many of which meet in edges and corners alone.
func randomCells(rng *rand.Rand, l *tiling.Lattice) (cells []tiling.Cell) {
	size := [3]int{1, 1 + rng.IntN(5), 1 + rng.IntN(5)}
	if l.Dimensions() == 3 {
		size = [3]int{1 + rng.IntN(3), 1 + rng.IntN(3), 1 + rng.IntN(3)}
	}
	share := rng.Float64()
	for at := range size[0] * size[1] * size[2] {
		if rng.Float64() < share {
			cells = append(cells, tiling.Cell{at / size[2] / size[1], at / size[2] % size[1], at % size[2]})
		}
	}
	if len(cells) == 0 {
		cells = append(cells, tiling.Cell{})
	}
	rng.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	return cells
}

// TestClosed: the surfaces of random pieces of every lattice, with and without a gap.
func TestClosed(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 7))
	for round := range 400 {
		l := lattices[round%len(lattices)]
		cells, gap := randomCells(rng, l), 0.0
		if round/len(lattices)%2 == 1 {
			gap = MaxGap(l) * rng.Float64()
		}
		m, err := Build(l, cells, gap)
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("round %d, %s, gap %.3f, %v", round, l, gap, cells)
		checkClosed(t, name, m)
		checkCorners(t, name, m)
		if got, want := m.volume(), volume(l, cells, gap); math.Abs(got-want) > 1e-3*float64(len(cells)) {
			t.Fatalf("%s: volume %v, want %v", name, got, want)
		}
	}
}

// checkClosed: each edge is an edge of two triangles, in opposite directions, also for those who
// know places alone.
func checkClosed(t *testing.T, name string, m *Mesh) {
	t.Helper()
	edges, places := map[[2]int]int{}, map[[2][3]float32]int{}
	at := func(v int) [3]float32 {
		p := m.Vertices[v].times(20)
		return [3]float32{float32(p[0]), float32(p[1]), float32(p[2])}
	}
	for _, tr := range m.Triangles {
		a, b, c := m.Vertices[tr[0]], m.Vertices[tr[1]], m.Vertices[tr[2]]
		if area := b.Minus(a).cross(c.Minus(a)); area.dot(area) < 1e-6 {
			t.Fatalf("%s: triangle %v %v %v has no area", name, a, b, c)
		}
		for k := range tr {
			v, w := tr[k], tr[(k+1)%3]
			edges[[2]int{v, w}]++
			places[[2][3]float32{at(v), at(w)}]++
		}
	}
	for e, n := range edges {
		if n != 1 || edges[[2]int{e[1], e[0]}] != 1 {
			t.Fatalf("%s: edge %v %v is there %d times, and %d times the other way", name, m.Vertices[e[0]], m.Vertices[e[1]], n, edges[[2]int{e[1], e[0]}])
		}
	}
	for e, n := range places {
		if n != 1 || places[[2][3]float32{e[1], e[0]}] != 1 {
			t.Fatalf("%s: at %v there are %d edges, and %d the other way", name, e, n, places[[2][3]float32{e[1], e[0]}])
		}
	}
}

// checkCorners: the triangles around a vertex are one fan.
func checkCorners(t *testing.T, name string, m *Mesh) {
	t.Helper()
	next := make([]map[int]int, len(m.Vertices)) // around a vertex, from one neighbour to the next
	for _, tr := range m.Triangles {
		for k := range tr {
			if next[tr[k]] == nil {
				next[tr[k]] = map[int]int{}
			}
			next[tr[k]][tr[(k+1)%3]] = tr[(k+2)%3]
		}
	}
	for v, around := range next {
		for first := range around {
			n, at := 1, around[first]
			for ; at != first && n <= len(around); n++ {
				at = around[at]
			}
			if n != len(around) {
				t.Fatalf("%s: vertex %d at %v is in several fans", name, v, m.Vertices[v])
			}
			break
		}
	}
}

// volume computes the volume of a piece from its cells, its pairs of neighbours and so on; in the
// plane from its area, its outline and the angles of its corners.
func volume(l *tiling.Lattice, cells []tiling.Cell, gap float64) float64 {
	have := map[tiling.Cell]bool{}
	for _, c := range cells {
		have[c] = true
	}
	if l.Dimensions() == 3 {
		return spaceVolume(have, gap)
	}
	x, y := l.Unit()
	corners := l.Outline(tiling.Cell{})
	n := float64(len(corners))
	area, outline, angles := 0.0, 0, 0.0
	for k, a := range corners {
		b := corners[(k+1)%len(corners)]
		area += float64(a.X*b.Y-a.Y*b.X) * x * y / 2
	}
	turn := math.Pi * (n - 2) / n // at a corner of a cell
	runs := map[tiling.Corner][]tiling.Cell{}
	for c := range have {
		for k, step := range l.Steps(c) {
			if !have[tiling.Cell{0, c[1] + step[1], c[2] + step[2]}] {
				outline++
			}
			corner := l.Outline(c)[k]
			runs[corner] = append(runs[corner], c)
		}
	}
	for _, around := range runs {
		if n := int(math.Round(2 * math.Pi / turn)); len(around) == n {
			continue // within the piece
		}
		for _, run := range neighbours(l, around) {
			angles += 1 / math.Tan(float64(run)*turn/2)
		}
	}
	return float64(len(cells))*area - float64(outline)*gap/2 + gap*gap/4*angles
}

// neighbours are the sizes of the parts of cells that hang together.
func neighbours(l *tiling.Lattice, cells []tiling.Cell) (sizes []int) {
	left := map[tiling.Cell]bool{}
	for _, c := range cells {
		left[c] = true
	}
	var walk func(c tiling.Cell) int
	walk = func(c tiling.Cell) int {
		if !left[c] {
			return 0
		}
		delete(left, c)
		n := 1
		for _, step := range l.Steps(c) {
			n += walk(tiling.Cell{0, c[1] + step[1], c[2] + step[2]})
		}
		return n
	}
	for _, c := range cells {
		if n := walk(c); n > 0 {
			sizes = append(sizes, n)
		}
	}
	return sizes
}

func spaceVolume(have map[tiling.Cell]bool, gap float64) (sum float64) {
	for c := range have {
		for up := range 8 {
			part := 1.0
			for k := range 3 {
				if up>>k&1 == 1 {
					part *= gap
				} else {
					part *= 1 - gap
				}
			}
			all := true
			for k := range 8 {
				k &= up
				all = all && have[tiling.Cell{c[0] + k&1, c[1] + k>>1&1, c[2] + k>>2}]
			}
			if all {
				sum += part
			}
		}
	}
	return sum
}

func (m *Mesh) volume() float64 {
	six := 0.0
	for _, t := range m.Triangles {
		six += m.Vertices[t[0]].dot(m.Vertices[t[1]].cross(m.Vertices[t[2]]))
	}
	return six / 6
}
