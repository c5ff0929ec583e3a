package oracle

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/pavage/pavage/cover"
)

// RandomMatching returns a small valid cover whose options are placements of square tiles with
// coloured edges, such as MacMahon's squares, on at most 2x3 cells. Neighbours must have the same
// colour on the edge between them.
//
//	┌──0──┬──1──┐    edges  0..6    items     cells a, b; 0..6, used with colours; tiles
//	2  a  3  b  4           ↑       options   a 0:R 2:G 3:B tile …
//	└──5──┴──6──┘    each once
func RandomMatching(rng *rand.Rand) *cover.Problem {
	m := matching{Rand: rng, rim: rng.IntN(3)}
	sizes := [][2]int{{1, 1}, {1, 2}, {2, 1}, {1, 3}, {2, 2}, {2, 2}, {2, 3}, {3, 2}}
	size := sizes[rng.IntN(len(sizes))]
	m.rows, m.columns = size[0], size[1]
	m.items()
	for tile := range 1 + rng.IntN(3) {
		m.addTile(tile)
	}
	if rng.IntN(3) > 0 {
		m.problem.Orders = [][]int{rng.Perm(m.tiles)[:m.tiles-rng.IntN(2)*rng.IntN(m.tiles)]}
	}
	m.symmetries()
	return &m.problem
}

const (
	noItems  = iota // no tile uses an edge on the rim
	anyRim          // tiles use edges on the rim like all others
	oneOnRim        // edges on the rim must have the first colour
)

type matching struct {
	*rand.Rand
	problem       cover.Problem
	rows, columns int
	rim           int
	tiles         int // the first item of a tile, after the items of cells and edges
}

func (m *matching) cell(r, c int) int { return r*m.columns + c }

// edge returns the item of an edge. Sides are 0 to 3: top, right, bottom, left.
func (m *matching) edge(r, c, side int) int {
	lying := m.rows * m.columns
	standing := lying + (m.rows+1)*m.columns
	switch side {
	case 0:
		return lying + r*m.columns + c
	case 1:
		return standing + r*(m.columns+1) + c + 1
	case 2:
		return lying + (r+1)*m.columns + c
	}
	return standing + r*(m.columns+1) + c
}

func (m *matching) isRim(r, c, side int) bool {
	return [4]bool{r == 0, c == m.columns-1, r == m.rows-1, c == 0}[side]
}

func (m *matching) items() {
	least := min(1, m.IntN(5)) // in one of five covers cells may stay empty
	for range m.rows * m.columns {
		m.problem.Items = append(m.problem.Items, cover.Item{Min: least, Max: 1})
	}
	m.tiles = m.edge(m.rows-1, m.columns-1, 1) + 1
	for len(m.problem.Items) < m.tiles {
		m.problem.Items = append(m.problem.Items, cover.Item{Max: 1})
	}
	for c := range 1 + m.IntN(3) {
		m.problem.Colours = append(m.problem.Colours, fmt.Sprintf("c%d", c))
	}
}

func (m *matching) addTile(tile int) {
	bounds := []cover.Item{{Min: 1, Max: 1}, {Max: 1}, {Max: 2}, {Min: 1, Max: cover.Unbounded}, {Max: cover.Unbounded}}
	m.problem.Items = append(m.problem.Items, bounds[m.IntN(len(bounds))])
	var colours [4]int32
	for side := range colours {
		colours[side] = 1 + int32(m.IntN(len(m.problem.Colours)))
	}
	turns := []int{1, 4}[m.IntN(2)]
	for at := range m.rows * m.columns {
		for turn := range turns {
			m.place(at/m.columns, at%m.columns, m.tiles+tile, append(colours[turn:], colours[:turn]...))
		}
	}
}

func (m *matching) place(r, c, tile int, colours []int32) {
	option := cover.Option{{Item: m.cell(r, c), Times: 1}, {Item: tile, Times: 1}}
	for side, colour := range colours {
		switch rim := m.isRim(r, c, side); {
		case rim && m.rim == oneOnRim && colour != 1:
			return
		case !rim || m.rim != noItems:
			option = append(option, cover.Use{Item: m.edge(r, c, side), Times: 1, Colour: colour})
		}
	}
	g := generator{problem: &m.problem}
	g.add(option)
}

func (m *matching) symmetries() {
	for turn := range 4 {
		for _, mirrored := range []bool{false, true} {
			if turn%2 == 1 && m.rows != m.columns {
				continue
			}
			s := m.motion(turn, mirrored)
			known := slices.ContainsFunc(m.problem.Symmetries, func(t cover.Symmetry) bool { return slices.Equal(s, t) })
			if _, err := m.problem.Images(s); err == nil && !known {
				m.problem.Symmetries = append(m.problem.Symmetries, s)
			}
		}
	}
}

func (m *matching) motion(turns int, mirrored bool) cover.Symmetry {
	s := make(cover.Symmetry, len(m.problem.Items))
	for i := range s {
		s[i] = i
	}
	for at := range m.rows * m.columns {
		for side := range 4 {
			r, c, to := at/m.columns, at%m.columns, side
			if mirrored {
				c = m.columns - 1 - c
				to = (4 - to) % 4
			}
			rows := m.rows
			for range turns {
				r, c, to, rows = c, rows-1-r, (to+1)%4, m.columns+m.rows-rows
			}
			s[m.cell(at/m.columns, at%m.columns)] = m.cell(r, c)
			s[m.edge(at/m.columns, at%m.columns, side)] = m.edge(r, c, to)
		}
	}
	return s
}
