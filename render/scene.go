package render

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/pavage/pavage/tiling"
)

const hole = -1

// scene has the owner of each cell. Each picture is drawn from a scene. The owners are
//
//	hole                      not on the board
//	0 .. len(placements)-1    a placement
//	empty()                   all cells that the placements leave empty
//	empty()+1+i               board cell i that no given placement covers, in a picture of a puzzle
type scene struct {
	puzzle       *tiling.Puzzle
	lattice      *tiling.Lattice
	upright      int                // number of steps to other layers; they come last in Lattice.Steps
	placements   []tiling.Placement // sorted by first cell; the cells of each placement are ascending
	size         [3]int             // layers, rows, columns
	covered      []int              // indices of the cells of all placements
	owner        []int              // owner of each cell of the box, by layer, row, column
	marks        []byte             // digit on each cell, or 0, indexed as owner; nil if no piece has marks
	colourLabels []string
	// openPlaces are the cells of the box that have a name but are not on the board, sorted.
	openPlaces []tiling.Cell
	// beyond returns the board cell at a place outside of the box; nil if the board does not wrap.
	beyond func(tiling.Cell) int
	clues  *clues             // nil if the picture shows a tiling
	lifted *scene             // the scene from which the stack is drawn
	loops  *loops             // nil unless the picture shows two tilings
	tree   []tiling.Placement // edges to draw over the board
}

// newScene returns the scene of a tiling. Every error wraps ErrInvalid.
func newScene(p *tiling.Puzzle, t []tiling.Placement) (*scene, error) {
	s, err := boardScene(p)
	if err != nil {
		return nil, err
	}
	if err := s.place(t); err != nil {
		return nil, err
	}
	return s, nil
}

// checkTree returns an error unless p's board is flat, does not wrap, and has all cells of edges.
func checkTree(p *tiling.Puzzle, edges []tiling.Placement) error {
	b := p.Board
	if b == nil || b.Lattice.Dimensions() != 2 || b.Wrap != tiling.NoWrap {
		return fmt.Errorf("%w: trees are drawn only on flat boards that do not wrap, expected another board, or the format json", ErrInvalid)
	}
	for _, e := range edges {
		if len(e.Cells) != 2 || min(e.Cells[0], e.Cells[1]) < 0 || max(e.Cells[0], e.Cells[1]) >= len(b.Cells) {
			return fmt.Errorf("%w: an edge of the tree joins the cells %v, expected two cell numbers below %d", ErrInvalid, e.Cells, len(b.Cells))
		}
	}
	return nil
}

func boardScene(p *tiling.Puzzle) (*scene, error) {
	if p == nil || p.Board == nil {
		return nil, fmt.Errorf("%w: the puzzle has no board", ErrInvalid)
	}
	b := p.Board
	if len(b.Cells) > tiling.MaxCells || tiling.CheckBox(b.Size, tiling.MaxVolume) != nil {
		return nil, fmt.Errorf("%w: board: %w, or the format json or compact for a larger board", ErrInvalid, b.Validate())
	}
	if err := cmp.Or(b.Validate(), tiling.CheckColours(b.Colours, len(b.Cells), len(p.Colours))); err != nil {
		return nil, fmt.Errorf("%w: board: %w", ErrInvalid, err)
	}
	s := &scene{puzzle: p, lattice: b.Lattice, upright: 2 * (b.Lattice.Dimensions() - 2), size: b.Size, colourLabels: ColourLabels(p)}
	s.lifted = s
	s.owner = slices.Repeat([]int{hole}, b.Size[0]*b.Size[1]*b.Size[2])
	for i, c := range b.Cells {
		s.owner[s.position(c)] = i + 1
	}
	if slices.ContainsFunc(p.Pieces, func(p tiling.Piece) bool { return p.Marks != "" }) {
		s.marks = make([]byte, len(s.owner))
	}
	for c := range b.Names {
		if s.inside(c) && s.at(c) == hole {
			s.openPlaces = append(s.openPlaces, c)
		}
	}
	slices.SortFunc(s.openPlaces, func(a, b tiling.Cell) int { return s.position(a) - s.position(b) })
	var err error
	if b.Wrap != tiling.NoWrap {
		s.beyond, err = b.Unrolled()
	}
	return s, err
}

func (s *scene) place(t []tiling.Placement) error {
	cells := s.puzzle.Board.Cells
	for i, c := range cells {
		s.owner[s.position(c)] = len(t)
		if len(t) == 0 {
			s.owner[s.position(c)] = 1 + i
		}
	}
	s.clues, s.placements, s.covered = nil, s.placements[:0], s.covered[:0]
	clear(s.marks)
	for k, pl := range t {
		switch {
		case pl.Piece < 0 || pl.Piece >= len(s.puzzle.Pieces):
			return fmt.Errorf("%w: placement %d has the piece number %d, expected a number from 0 to %d", ErrInvalid, k, pl.Piece, len(s.puzzle.Pieces)-1)
		case len(pl.Cells) == 0:
			return fmt.Errorf("%w: placement %d has no cells", ErrInvalid, k)
		case len(pl.Marks) != len(pl.Cells) && len(pl.Marks) > 0:
			return fmt.Errorf("%w: placement %d has %d marks on %d cells, expected one mark on each cell", ErrInvalid, k, len(pl.Marks), len(pl.Cells))
		}
		for _, c := range pl.Cells {
			if c < 0 || c >= len(cells) {
				return fmt.Errorf("%w: placement %d covers cell %d, but the board has only %d cells", ErrInvalid, k, c, len(cells))
			}
			switch owner := &s.owner[s.position(cells[c])]; *owner {
			case len(t):
				*owner = k
			case k:
				return fmt.Errorf("%w: placement %d covers the cell %v twice", ErrInvalid, k, cells[c])
			default:
				return fmt.Errorf("%w: placements %d and %d both cover the cell %v", ErrInvalid, *owner, k, cells[c])
			}
		}
		if s.marks != nil {
			for i := range len(pl.Marks) {
				s.marks[s.position(cells[pl.Cells[i]])] = pl.Marks[i]
			}
		}
		first := len(s.covered)
		s.covered = append(s.covered, pl.Cells...)
		sorted := s.covered[first:len(s.covered):len(s.covered)]
		slices.Sort(sorted)
		s.placements = append(s.placements, tiling.Placement{Piece: pl.Piece, Cells: sorted})
	}
	slices.SortFunc(s.placements, func(a, b tiling.Placement) int { return a.Cells[0] - b.Cells[0] })
	for k, pl := range s.placements {
		for _, c := range pl.Cells {
			s.owner[s.position(cells[c])] = k
		}
	}
	return nil
}

// dot reports whether a cell shows a dot: it is empty or, on the bare board, may stay empty.
func (s *scene) dot(c tiling.Cell) bool {
	if optional := s.puzzle.Board.Optional; s.boardOnly() {
		i := s.boardCell(c)
		return i >= 0 && len(optional) > 0 && optional[i] && (s.clues == nil || !s.clues.asked[i])
	}
	return s.at(c) == s.empty()
}

func (s *scene) colour(board int) int {
	if s.puzzle.Board.Colours == nil {
		return 0
	}
	return s.puzzle.Board.Colours[board]
}

func (s *scene) mark(c tiling.Cell) string {
	if s.marks == nil || s.marks[s.position(c)] == 0 {
		return ""
	}
	return string(rune(s.marks[s.position(c)]))
}

func (s *scene) empty() int { return len(s.placements) }

func (s *scene) boardOnly() bool { return len(s.placements) == 0 || s.clues != nil }

// boardCell returns the index in Board.Cells of a cell that is its own owner, or -1 for others.
func (s *scene) boardCell(c tiling.Cell) int { return max(-1, s.at(c)-s.empty()-1) }

func (s *scene) inside(c tiling.Cell) bool {
	for k, n := range s.size {
		if c[k] < 0 || c[k] >= n {
			return false
		}
	}
	return true
}

func (s *scene) position(c tiling.Cell) int { return (c[0]*s.size[1]+c[1])*s.size[2] + c[2] }

func (s *scene) cell(at int) tiling.Cell {
	return tiling.Cell{at / s.columns() / s.rows(), at / s.columns() % s.rows(), at % s.columns()}
}

func (s *scene) at(c tiling.Cell) int {
	if !s.inside(c) {
		return hole
	}
	return s.owner[s.position(c)]
}

// side lies between two cells. At a seam of a board that wraps, they are at different borders.
type side struct {
	a, b  int32
	seams bool // whether the board ends at this side and continues elsewhere
}

const (
	openSide = iota // there is no line between the cells
	lineSide
	seamSide // the board ends here; the cells have the same owner, or there is no tiling
)

func (s *scene) state(d side) int {
	x, y := s.ownerAt(d.a), s.ownerAt(d.b)
	switch {
	case d.seams && (x == y || s.boardOnly()):
		return seamSide
	case x != y:
		return lineSide
	}
	return openSide
}

const outside = -1

func (s *scene) placeOf(c tiling.Cell) int32 {
	if s.at(c) == hole {
		return outside
	}
	return int32(s.position(c))
}

func (s *scene) ownerAt(place int32) int {
	if place == outside {
		return hole
	}
	return s.owner[place]
}

func (s *scene) side(a, b tiling.Cell) side {
	d := side{a: s.placeOf(a), b: s.placeOf(b)}
	if s.beyond == nil || (d.a == outside) == (d.b == outside) {
		return d
	}
	over := func(c tiling.Cell) int32 {
		if i := s.beyond(c); i >= 0 {
			return s.placeOf(s.puzzle.Board.Cells[i])
		}
		return outside
	}
	if d.a == outside {
		d.a = over(a)
	} else {
		d.b = over(b)
	}
	d.seams = d.a != outside && d.b != outside
	return d
}

func (s *scene) placed(c tiling.Cell) bool {
	k := s.at(c)
	return k >= 0 && k < s.empty()
}

func (s *scene) cells(layer int) iter.Seq[tiling.Cell] {
	return func(yield func(tiling.Cell) bool) {
		for at := range s.rows() * s.columns() {
			if c := s.cell(layer*s.rows()*s.columns() + at); s.at(c) != hole && !yield(c) {
				return
			}
		}
	}
}

func (s *scene) layers() int  { return s.size[0] }
func (s *scene) rows() int    { return s.size[1] }
func (s *scene) columns() int { return s.size[2] }

func (s *scene) around(c tiling.Cell) (edges []edge) {
	outline := s.lattice.Outline(c)
	for k := range outline {
		edges = append(edges, edge{pointOf(outline[k]), pointOf(outline[(k+1)%len(outline)])})
	}
	return edges
}

// sideSteps returns the steps to the neighbours of a cell in its layer, in the order of its sides.
func (s *scene) sideSteps(c tiling.Cell) []tiling.Cell {
	steps := s.lattice.Steps(c)
	return steps[:len(steps)-s.upright]
}

// part is a connected part of a placement in one layer.
type part struct {
	placement int
	cells     []tiling.Cell
}

func (s *scene) parts(layer int) []part {
	var all []part
	seen := make([]bool, len(s.owner))
	for c := range s.cells(layer) {
		if !seen[s.position(c)] && s.placed(c) {
			all = append(all, part{s.at(c), s.spread(c, seen)})
		}
	}
	return all
}

func (s *scene) spread(c tiling.Cell, seen []bool) []tiling.Cell {
	cells := []tiling.Cell{c}
	seen[s.position(c)] = true
	for next := 0; next < len(cells); next++ {
		for _, step := range s.sideSteps(cells[next]) {
			n := cells[next].Plus(step)
			if s.at(n) != s.at(c) || !s.inside(n) || seen[s.position(n)] {
				continue
			}
			seen[s.position(n)] = true
			cells = append(cells, n)
		}
	}
	return cells
}

// fine is the number of parts of a lattice unit. In twelfths, the middle of a cell with 3, 4 or 6
// corners has integer coordinates.
const fine = 12

// anchor returns where the letter of a part is, in twelfths of a lattice unit. Candidates are the
// middles of cells and, unless long is set, inner corners and middles of inner sides. The result is
// the candidate nearest to the centre of gravity.
func (s *scene) anchor(p part, long bool) point {
	outlines := make([][]tiling.Corner, len(p.cells))
	var sum point
	for i, c := range p.cells {
		outlines[i] = s.lattice.Outline(c)
		m := middle(outlines[i])
		sum.x, sum.y = sum.x+m.x, sum.y+m.y
	}
	unitX, unitY := s.lattice.Unit()
	n := len(p.cells)
	least, best := math.Inf(1), point{}
	look := func(spot point) {
		dx, dy := spot.x*n-sum.x, spot.y*n-sum.y
		d := float64(unitX*float64(max(dx, -dx))) + float64(unitY*float64(max(dy, -dy)))
		if d < least {
			least, best = d, spot
		}
	}
	for i, c := range p.cells {
		if long {
			look(middle(outlines[i]))
		} else {
			outline := outlines[i]
			owner, steps := s.at(c), s.sideSteps(c)
			look(middle(outline))
			ours := func(n tiling.Cell) bool { return s.at(n) == owner && before(c, n) }
			for k, step := range steps {
				if ours(c.Plus(step)) {
					look(between(outline[k], outline[(k+1)%len(outline)]))
				}
			}
			for k, corner := range outline {
				last := steps[(k+len(steps)-1)%len(steps)]
				if ours(c.Plus(steps[k])) && ours(c.Plus(last)) && s.all(c, k, corner, ours) {
					look(between(corner, corner))
				}
			}
		}
	}
	return best
}

func (s *scene) nearest(p part) tiling.Cell {
	at := s.anchor(p, false)
	unitX, unitY := s.lattice.Unit()
	far := func(c tiling.Cell) float64 {
		m := middle(s.lattice.Outline(c))
		x, y := float64(m.x-at.x)*unitX, float64(m.y-at.y)*unitY
		return float64(x*x) + float64(y*y)
	}
	return slices.MinFunc(p.cells, func(a, b tiling.Cell) int { return cmp.Compare(far(a), far(b)) })
}

// all reports whether the function such returns true for all other cells at corner k of c.
func (s *scene) all(c tiling.Cell, k int, corner tiling.Corner, such func(tiling.Cell) bool) bool {
	for n := c.Plus(s.sideSteps(c)[k]); n != c; {
		if !such(n) {
			return false
		}
		n = n.Plus(s.sideSteps(n)[slices.Index(s.lattice.Outline(n), corner)])
	}
	return true
}

func middle(outline []tiling.Corner) (m point) {
	for _, corner := range outline {
		m.x, m.y = m.x+corner.X, m.y+corner.Y
	}
	return point{m.x * fine / len(outline), m.y * fine / len(outline)}
}

func between(a, b tiling.Corner) point {
	return point{(a.X + b.X) * fine / 2, (a.Y + b.Y) * fine / 2}
}

func before(a, b tiling.Cell) bool { return slices.Compare(a[:], b[:]) < 0 }

// point is a corner of the lattice in a picture, x to the right and y down, in lattice units.
type point struct{ x, y int }

func pointOf(c tiling.Corner) point { return point{c.X, c.Y} }

// edge is a piece of an outline. The inside is on the right.
type edge struct{ from, to point }

func (p point) compare(q point) int { return cmp.Or(cmp.Compare(p.y, q.y), cmp.Compare(p.x, q.x)) }

// trace chains edges into closed paths. At each point, equally many edges must start and end. A
// path turns as far to the right as possible, so faces that touch at a point have separate paths.
func trace(edges []edge) [][]point {
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(a.from.compare(b.from), a.to.compare(b.to)) })
	used := make([]bool, len(edges))
	var paths [][]point
	for i := range edges {
		if !used[i] {
			path := []point{edges[i].from}
			for at := i; ; path = append(path, edges[at].from) {
				used[at] = true
				if edges[at].to == edges[i].from {
					break
				}
				at = rightmost(edges, used, edges[at])
			}
			paths = append(paths, bends(path))
		}
	}
	return paths
}

func bends(path []point) (kept []point) {
	for k, p := range path {
		before, after := path[(k+len(path)-1)%len(path)], path[(k+1)%len(path)]
		if (p.x-before.x)*(after.y-p.y) != (p.y-before.y)*(after.x-p.x) {
			kept = append(kept, p)
		}
	}
	return kept
}

// chains joins edges into straight lines. The directions of the edges do not matter.
func chains(edges []edge) (paths [][]point) {
	directed := make([]edge, 0, len(edges))
	for _, e := range edges {
		if e.to.compare(e.from) < 0 {
			e.from, e.to = e.to, e.from
		}
		directed = append(directed, e)
	}
	ends := map[[2]point]int{}
	slices.SortFunc(directed, func(a, b edge) int { return cmp.Or(a.from.compare(b.from), a.to.compare(b.to)) })
	for _, e := range directed {
		way := point{e.to.x - e.from.x, e.to.y - e.from.y}
		i, goesOn := ends[[2]point{e.from, way}]
		if !goesOn {
			i = len(paths)
			paths = append(paths, []point{e.from, e.to})
		}
		delete(ends, [2]point{e.from, way})
		paths[i][1], ends[[2]point{e.to, way}] = e.to, i
	}
	return paths
}

func rightmost(edges []edge, used []bool, e edge) int {
	best, most := -1, 0.0
	i, _ := slices.BinarySearchFunc(edges, e.to, func(e edge, p point) int { return e.from.compare(p) })
	for ; i < len(edges) && edges[i].from == e.to; i++ {
		if t := turn(e, edges[i]); !used[i] && (best < 0 || t > most) {
			best, most = i, t
		}
	}
	return best
}

// turn returns the angle to the right from e to f. If f leads straight back, the angle is -π, the
// least angle. Angles can be compared even if the units of x and y differ.
func turn(e, f edge) float64 {
	ex, ey, fx, fy := e.to.x-e.from.x, e.to.y-e.from.y, f.to.x-f.from.x, f.to.y-f.from.y
	cross, dot := ex*fy-ey*fx, ex*fx+ey*fy
	if cross == 0 && dot < 0 {
		return -math.Pi
	}
	return math.Atan2(float64(cross), float64(dot))
}
