package exchange

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// What a problem of BurrTools means. Pieces are turned, not reflected, so in space they are
// one-sided; but a piece of one layer can be turned over, so where all shapes have one layer the
// puzzle is flat and its pieces are free. Two entries are two pieces, also of one shape, and so
// they are here.

// grids are the grids of BurrTools, by their numbers.
var grids = []string{"cubes", "triangles", "spheres", "rhombic tetrahedra", "tetrahedra and octahedra"}

// chosen is the problem that was asked for, or the only one.
func (b *burrtools) chosen(root *element) (*burrProblem, error) {
	wish := b.options.Problem
	switch {
	case len(b.problems) == 0:
		return nil, b.at(root, "no problem in the puzzle, want one")
	case wish == "" && len(b.problems) == 1:
		return b.problems[0], nil
	case wish == "":
		return nil, b.at(root, "%d problems, want one of them to be chosen (--problem): %s", len(b.problems), b.list())
	}
	if n, err := strconv.Atoi(wish); err == nil && n >= 1 && n <= len(b.problems) {
		return b.problems[n-1], nil
	}
	if i := slices.IndexFunc(b.problems, func(p *burrProblem) bool { return p.name == wish }); i >= 0 {
		return b.problems[i], nil
	}
	return nil, b.at(root, "no problem %s, want one of %s", wording.Quote(wish), b.list())
}

// list names the first problems.
func (b *burrtools) list() string {
	const most = 10
	var names []string
	for i, p := range b.problems[:min(most, len(b.problems))] {
		name := strconv.Itoa(i + 1)
		if p.name != "" {
			name += " " + wording.Quote(p.name)
		}
		names = append(names, name)
	}
	if len(b.problems) > most {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// puzzle makes the puzzle of a problem.
func (b *burrtools) puzzle(p *burrProblem) (*tiling.Puzzle, error) {
	if p.result < 0 {
		return nil, b.at(p.at, "the problem has no result, want the id of the shape to fill")
	}
	if p.result >= len(b.shapes) {
		return nil, b.at(p.resultAt, "id %d of the result, but there are %d shapes (ids begin with 0)", p.result, len(b.shapes))
	}
	for _, e := range p.entries {
		switch {
		case e.shape >= len(b.shapes):
			return nil, b.at(e.at, "id %d of a piece, but there are %d shapes (ids begin with 0)", e.shape, len(b.shapes))
		case e.shape == p.result:
			return nil, b.at(e.at, "shape %d is both a piece and the result, want it to be one of them", e.shape)
		case slices.ContainsFunc(b.shapes[e.shape].cells, func(c voxel) bool { return c.state == '+' }):
			return nil, b.at(b.shapes[e.shape].at, "a piece with a cell +, want + in the result alone")
		}
	}
	if len(p.entries) == 0 {
		return nil, b.at(p.at, "the problem has no pieces, want at least one")
	}
	for _, pair := range p.allow {
		if max(pair.Piece, pair.Board) > b.colours {
			return nil, b.at(p.at, "a pair of colours %d and %d (from 0), but there are %d colours", pair.Piece-1, pair.Board-1, b.colours)
		}
	}
	for _, v := range b.used(p) {
		for _, c := range v.cells {
			if int(c.colour) > b.colours {
				return nil, b.at(v.at, "a cell of colour %d, but there are %d colours", c.colour, b.colours)
			}
		}
	}
	flat := !slices.ContainsFunc(b.used(p), func(v *voxels) bool { return v.size[2] > 1 })
	lattice, motions := tiling.Cube, tiling.OneSided
	switch {
	case b.grid == 1 && !flat:
		return nil, b.at(p.at, "a grid of %s with shapes of more than one layer, want z=1 for all of them (Pavage has no prisms)", grids[b.grid])
	case b.grid == 1:
		lattice, motions = tiling.Triangle, tiling.Free
	case b.grid > 1:
		return nil, b.at(p.at, "a grid of %s, want cubes or triangles of one layer", grids[b.grid])
	case flat:
		lattice, motions = tiling.Square, tiling.Free
	}
	line, _, _ := strings.Cut(strings.TrimSpace(b.comment), "\n")
	made := newBuilder(lattice, cmp.Or(p.name, strings.TrimSpace(line)))
	board := &b.shapes[p.result]
	sites := b.sites(board)
	if err := made.board(b.boardSize(board.size), sites); err != nil {
		return nil, b.at(p.resultAt, "%v", err)
	}
	for _, e := range p.entries {
		shape := &b.shapes[e.shape]
		piece := tiling.Piece{Name: cmp.Or(shape.name, fmt.Sprintf("S%d", e.shape+1)), Motions: motions, Min: e.min, Max: e.max}
		if err := made.piece(piece, shape.filled(), func() []site { return b.sites(shape) }); err != nil {
			return nil, b.at(e.at, "%v", err)
		}
	}
	made.colours(b.colours, p.allow)
	puzzle, err := made.done()
	if err != nil {
		return nil, b.at(p.at, "%v", err)
	}
	return puzzle, b.dropped(p, puzzle)
}

// used are the shapes of a problem, the result first.
func (b *burrtools) used(p *burrProblem) []*voxels {
	used := []*voxels{&b.shapes[p.result]}
	for _, e := range p.entries {
		used = append(used, &b.shapes[e.shape])
	}
	return used
}

// filled is the number of cells of a piece.
func (v *voxels) filled() int {
	n := 0
	for _, c := range v.cells {
		if c.state == '#' {
			n++
		}
	}
	return n
}

// sites are the cells of a shape that are not empty.
func (b *burrtools) sites(v *voxels) []site {
	var sites []site
	for i, c := range v.cells {
		if c.state == '_' {
			continue
		}
		x, y, z := i%v.size[0], i/v.size[0]%v.size[1], i/(v.size[0]*v.size[1])
		cell := tiling.Cell{z, y, x}
		if b.grid == 1 {
			cell = tiling.Cell{0, topRow(v.size[1]) - y, x}
		}
		sites = append(sites, site{cell: cell, colour: int(c.colour), optional: c.state == '+'})
	}
	return sites
}

// topRow is our row of y = 0 on the grid of triangles. The cell (x, y) points to larger y there
// if x + y is even, and ours points up, to smaller rows, if row + column is: so it is even.
func topRow(sizeY int) int { return sizeY &^ 1 }

// boardSize is the size of a board of x, y, z cells.
func (b *burrtools) boardSize(size [3]int) [3]int {
	if b.grid == 1 {
		return [3]int{1, topRow(size[1]) + 1, size[0]}
	}
	return [3]int{size[2], size[1], size[0]}
}

// dropped warns of what is not kept, and refuses what would change the count.
func (b *burrtools) dropped(p *burrProblem, puzzle *tiling.Puzzle) error {
	least, most, optional := 0, 0, 0
	for _, piece := range puzzle.Pieces {
		least += piece.Min * len(piece.Shape) // at most 10^6 · 2^14 · 1000
		most += piece.Max * len(piece.Shape)
	}
	for _, o := range puzzle.Board.Optional {
		if o {
			optional++
		}
	}
	if least < most && p.holes >= 0 && p.holes < optional {
		return b.at(p.at, "at most %d holes (maxHoles) of the %d cells that may stay empty, which Pavage cannot bound", p.holes, optional)
	}
	for _, left := range []struct {
		is   bool
		what string
	}{
		{p.holes >= 0, "maxHoles, which changes nothing here"},
		{p.solutions, "stored solutions"},
		{p.assembler, "the state of a search"},
		{p.groups || b.weights, "groups and weights of pieces, which are for taking apart"},
	} {
		if left.is {
			b.warn("left out: %s", left.what)
		}
	}
	if same := twoFaced(puzzle); same != "" {
		b.warn("piece %s may lie on the same cells with other colours: such placements count as one here", wording.Quote(same))
	}
	return nil
}

// twoFaced is the name of a piece that may lie on the same cells in two ways, which differ by
// their colours alone, and both of which the colours allow; "" if there is none.
func twoFaced(p *tiling.Puzzle) string {
	for _, piece := range p.Pieces {
		if piece.Colours == nil || colourDecides(p, piece) {
			continue
		}
		all := piece.Orientations()
		for i := range all[1:] {
			if slices.Equal(all[i], all[i+1]) {
				return piece.Name
			}
		}
	}
	return ""
}

// colourDecides reports whether the colour of a board cell says what the colour of the cell on
// it is: all cells have one, and it goes with one colour of the piece at most.
func colourDecides(p *tiling.Puzzle, piece tiling.Piece) bool {
	if p.Board.Colours == nil || slices.Contains(p.Board.Colours, 0) || slices.Contains(piece.Colours, 0) {
		return false
	}
	partner := map[int]int{}
	for _, pair := range p.Allow {
		if !slices.Contains(piece.Colours, pair.Piece) {
			continue
		}
		if partner[pair.Board]++; partner[pair.Board] > 1 {
			return false
		}
	}
	return true
}
