package render

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// clues are what the solver of a puzzle has to see on the board without a tiling, besides its cells and
// the given placements, which are placements of the scene.
//
//	┏━━━━━━━━━━━┓
//	┃ 7╌╌╌┐   ┃ ┃   a region with the sum 7, a wall
//	┃ ╎   ╎   ┃ ┃
//	┃ └╌╌╌┘ ══╪═┃   a joined pair, the link across its side
//	┃   P       ┃   a cell of the given piece P
//	┗━━━━━━━━━━━┛
type clues struct {
	pairs   map[[2]int32]pairClue // by the positions of two neighbours, ascending
	regions *scene                // the placements are the regions; nil: there are none
	sums    map[tiling.Cell]string
	letters map[tiling.Cell][]int // pieces that cover the cell
	asked   map[int]bool          // the cells of the board that must be covered, even if others may stay empty
}

// pairClue is a rule about two neighbouring cells.
type pairClue int

const (
	noPair pairClue = iota
	wall            // no placement covers both
	link            // one placement covers both
)

// placeGiven lays the given placements on the board and collects the clues.
func (s *scene) placeGiven() error {
	p := s.puzzle
	var cells []int
	for k, part := range p.Place {
		if part.Piece < 0 || part.Piece >= len(p.Pieces) {
			return fmt.Errorf("%w: place %d is of piece %d, want 0..%d", ErrInvalid, k, part.Piece, len(p.Pieces)-1)
		}
		cells = append(cells, part.Cells...)
	}
	for _, pair := range slices.Concat(p.Walls, p.Joined) {
		cells = append(cells, pair[:]...)
	}
	for _, r := range p.Regions {
		cells = append(cells, r.Cells...)
	}
	for _, c := range cells {
		if c < 0 || c >= len(p.Board.Cells) {
			return fmt.Errorf("%w: a clue is on cell %d, the board has %d cells", ErrInvalid, c, len(p.Board.Cells))
		}
	}
	given, parts := p.Given()
	if err := s.place(given); err != nil {
		return err
	}
	c := &clues{pairs: map[[2]int32]pairClue{}, sums: map[tiling.Cell]string{}, letters: map[tiling.Cell][]int{}, asked: p.Asked()}
	for i, cell := range p.Board.Cells {
		if owner := &s.owner[s.position(cell)]; *owner == s.empty() {
			*owner = s.empty() + 1 + i
		}
	}
	for _, part := range parts {
		for _, i := range part.Cells {
			if cell := p.Board.Cells[i]; !s.placed(cell) {
				c.letters[cell] = append(c.letters[cell], part.Piece)
			}
		}
	}
	for kind, pairs := range [][][2]int{wall: p.Walls, link: p.Joined} {
		for _, pair := range pairs {
			c.pairs[[2]int32{s.placeOf(p.Board.Cells[pair[0]]), s.placeOf(p.Board.Cells[pair[1]])}] = pairClue(kind)
		}
	}
	s.clues = c
	if len(p.Regions) == 0 {
		return nil
	}
	return c.addRegions(p)
}

// addRegions makes the scene of the regions and writes a sum into the first cell of each. A region that a
// picture shows in several parts has its name and sum in each.
func (c *clues) addRegions(p *tiling.Puzzle) (err error) {
	board, named := *p.Board, &tiling.Puzzle{Board: nil}
	board.Wrap, board.Colours, board.Names = tiling.NoWrap, nil, nil
	var all []tiling.Placement
	for k, r := range p.Regions {
		named.Pieces = append(named.Pieces, tiling.Piece{Name: r.Name})
		all = append(all, tiling.Placement{Piece: k, Cells: r.Cells})
	}
	named.Board = &board
	if c.regions, err = newScene(named, all); err != nil {
		return fmt.Errorf("regions: %w", err)
	}
	parts, shown := make([]int, len(p.Regions)), []part(nil)
	for layer := range c.regions.layers() {
		shown = append(shown, c.regions.parts(layer)...)
	}
	region := func(p part) int { return c.regions.placements[p.placement].Piece }
	for _, part := range shown {
		parts[region(part)]++
	}
	for _, part := range shown {
		switch r := p.Regions[region(part)]; {
		case r.IsFree():
		case parts[region(part)] > 1:
			c.sums[part.cells[0]] = r.Name + ":" + r.Sum()
		default:
			c.sums[part.cells[0]] = r.Sum()
		}
	}
	return nil
}

// pair is the clue about the two cells of a side.
func (c *clues) pair(d side) pairClue { return c.pairs[[2]int32{min(d.a, d.b), max(d.a, d.b)}] }

// within reports whether a side lies within a region.
func (c *clues) within(d side) bool {
	return c.regions != nil && d.a != outside && d.b != outside &&
		c.regions.owner[d.a] == c.regions.owner[d.b] && c.regions.owner[d.a] != c.regions.empty()
}

// inMiddle reports whether the sum of the region of a cell stands in the middle of it: the region has no
// other cell, and neither a given placement nor a dot is there.
func (s *scene) inMiddle(c tiling.Cell) bool {
	r := s.clues.regions
	return s.sumOf(c) != "" && !s.placed(c) && !s.dot(c) && len(r.placements[r.at(c)].Cells) == 1
}

// clueOf is the text of the clues in the middle of a cell: the labels of given pieces, and a sum.
func (s *scene) clueOf(c tiling.Cell, labels []string) string {
	if s.clues == nil {
		return ""
	}
	var words []string
	for _, k := range s.clues.letters[c] {
		if !slices.Contains(words, labels[k]) {
			words = append(words, labels[k])
		}
	}
	if s.inMiddle(c) {
		words = append(words, s.clues.sums[c])
	}
	return strings.Join(words, " ")
}

// sumOf is the sum of the region that begins in a cell.
func (s *scene) sumOf(c tiling.Cell) string {
	if s.clues == nil {
		return ""
	}
	return s.clues.sums[c]
}

// lettered reports whether the piece has its label in a picture of a puzzle: on the cells that it has to
// cover, or where its digits cannot be written.
func (s *scene) lettered(piece int) bool {
	if s.clues == nil {
		return false
	}
	for _, pieces := range s.clues.letters {
		if slices.Contains(pieces, piece) {
			return true
		}
	}
	return slices.ContainsFunc(s.placements, func(pl tiling.Placement) bool {
		return pl.Piece == piece && s.unmarked(pl)
	})
}

// unmarked reports whether a placement is of a piece with marks, but does not have them.
func (s *scene) unmarked(pl tiling.Placement) bool {
	return s.puzzle.Pieces[pl.Piece].Marks != "" && s.mark(s.puzzle.Board.Cells[pl.Cells[0]]) == ""
}

// describe lists the clues in words, after a comma.
func (s *scene) describeClues() string {
	if s.clues == nil {
		return ""
	}
	given, text := len(s.puzzle.Place), ""
	for _, n := range []struct {
		count int
		noun  string
	}{{given, "given piece"}, {len(s.puzzle.Walls), "wall"}, {len(s.puzzle.Joined), "joined pair"}, {len(s.puzzle.Regions), "region"}} {
		if n.count > 0 {
			text += ", " + wording.Plural(n.count, n.noun)
		}
	}
	return text
}

// Lengths of clues, in cells.
const (
	wallWidth = 0.14
	linkWidth = 0.12
	cageWidth = 0.03
	cageInset = 0.1 // from the border of a region to its dashed outline
	sumSize   = 0.28
	sumInset  = 0.05 // between the line of the board and the cage
)

// clueLines draws the regions of a layer, the outlines of given placements, the walls and the links.
//
//	the link of two cells is two half bars,   ┌───┬───┐
//	each from the side into its own cell:     │  ═│═  │
//	at a seam they are apart                  └───┴───┘
func (d *drawing) clueLines(s *scene, layer int) {
	x, y := d.scale(s)
	if r := s.clues.regions; r != nil {
		edges, _, _ := r.layerEdges(layer)
		for k := range r.placements {
			cage := pen.Path{Bare: true, Cut: true, Line: cageWidth * d.side, Title: r.nameOf(k)}
			for _, corners := range trace(edges[k]) {
				cage.Outlines = append(cage.Outlines, inset(corners, x, y, cageInset*d.side))
			}
			if cage.Outlines != nil {
				d.Path(cage)
			}
		}
	}
	lines := func(width float64, is func(side) bool) {
		d.trail(chains(s.sidesWhere(layer, is)), x, y, pen.Path{Open: true, Line: width * d.side})
	}
	isGiven := func(owner int) bool { return owner >= 0 && owner < s.empty() }
	lines(thick, func(e side) bool {
		a, b := s.ownerAt(e.a), s.ownerAt(e.b)
		return a != b && (isGiven(a) || isGiven(b))
	})
	lines(wallWidth, func(e side) bool { return s.clues.pair(e) == wall })
	links := pen.Path{Open: true, Line: linkWidth * d.side}
	for c := range s.cells(layer) {
		outline := s.lattice.Outline(c)
		m := middle(outline)
		for k, step := range s.sideSteps(c) {
			if s.clues.pair(s.side(c, c.Plus(step))) == link {
				from := between(outline[k], outline[(k+1)%len(outline)])
				links.Outlines = append(links.Outlines, []pen.Point{
					{X: float64(from.x) * x / fine, Y: float64(from.y) * y / fine},
					{X: (0.6*float64(from.x) + 0.4*float64(m.x)) * x / fine, Y: (0.6*float64(from.y) + 0.4*float64(m.y)) * y / fine},
				})
			}
		}
	}
	if links.Outlines != nil {
		d.Path(links)
	}
	d.upright(s, layer)
}

// upright draws the walls and links between cells of two layers: arrows to the other layer, black for a
// link and, with a bar at the tip, white for a wall.
//
//	▲  linked with the cell above      ╤  a wall above
//	▼  and below                       △
func (d *drawing) upright(s *scene, layer int) {
	x, y := d.scale(s)
	size := 0.2 * d.side
	for c := range s.cells(layer) {
		m := middle(s.lattice.Outline(c))
		steps := s.lattice.Steps(c)
		for _, step := range steps[len(steps)-s.upright:] {
			clue := s.clues.pair(s.side(c, c.Plus(step)))
			if clue == noPair {
				continue
			}
			up := float64(-step[0])
			tip := pen.Point{X: float64(m.x)*x/fine + 0.28*d.side, Y: float64(m.y)*y/fine + 0.36*d.side*up}
			foot := tip.Y - size*up
			arrow := pen.Path{Outlines: [][]pen.Point{{tip, {X: tip.X + size/2, Y: foot}, {X: tip.X - size/2, Y: foot}}}, Fill: &pen.Ink, Line: thin * d.side}
			if clue == wall {
				arrow.Fill = &pen.White
				d.strokes(thick*d.side, pen.Ink, [2]pen.Point{{X: tip.X - size/2, Y: tip.Y}, {X: tip.X + size/2, Y: tip.Y}})
			}
			d.Path(arrow)
		}
	}
}

// clueTexts writes the sum of each region near the first corner of its first cell. In the middle of a cell
// stands what cellNames writes.
func (d *drawing) clueTexts(s *scene, layer int, colours []pen.Colour) {
	for c := range s.cells(layer) {
		sum := s.sumOf(c)
		if sum == "" || s.inMiddle(c) {
			continue
		}
		letters := float64(utf8.RuneCountInString(sum))
		size := min(sumSize*d.side, 1.3*d.room(s)/(letterWidth*letters))
		box, back := d.boxIn(s, c, max(1, letterWidth*letters)*size, size), s.back(c, colours)
		// The cage does not run through the sum
		d.Path(pen.Path{Outlines: [][]pen.Point{box}, Fill: &back, Crisp: true})
		d.text((box[0].X+box[2].X)/2, (box[0].Y+box[2].Y)/2, size, back.Legible(), sum)
	}
}

// boxIn is a box within a cell, as high and then as far to the left as there is room for it. If there is
// none, its middle is the middle of the cell.
func (d *drawing) boxIn(s *scene, c tiling.Cell, width, height float64) []pen.Point {
	x, y := d.scale(s)
	box := func(left, top float64) []pen.Point {
		return []pen.Point{{X: left, Y: top}, {X: left + width, Y: top}, {X: left + width, Y: top + height}, {X: left, Y: top + height}}
	}
	var corners []point
	for _, corner := range s.lattice.Outline(c) {
		corners = append(corners, pointOf(corner))
	}
	cell := inset(corners, x, y, sumInset*d.side)
	least, most := cell[0], cell[0]
	for _, p := range cell {
		least = pen.Point{X: min(least.X, p.X), Y: min(least.Y, p.Y)}
		most = pen.Point{X: max(most.X, p.X), Y: max(most.Y, p.Y)}
	}
	const steps = 32
	isOutside := func(p pen.Point) bool { return !isInside(p, cell) }
	for down := range steps + 1 {
		for right := range steps + 1 {
			tried := box(least.X+(most.X-least.X-width)*float64(right)/steps, least.Y+(most.Y-least.Y-height)*float64(down)/steps)
			if !slices.ContainsFunc(tried, isOutside) {
				return tried
			}
		}
	}
	m := middle(s.lattice.Outline(c))
	return box(float64(m.x)*x/fine-width/2, float64(m.y)*y/fine-height/2)
}

// isInside reports whether a point lies in a convex outline, which runs clockwise, or on it up to rounding.
func isInside(p pen.Point, outline []pen.Point) bool {
	for k, a := range outline {
		b := outline[(k+1)%len(outline)]
		if float64((b.X-a.X)*(p.Y-a.Y))-float64((b.Y-a.Y)*(p.X-a.X)) < -1e-6 {
			return false
		}
	}
	return true
}

// back is the colour behind what is written on a cell.
func (s *scene) back(c tiling.Cell, colours []pen.Colour) pen.Colour {
	if i := s.boardCell(c); i >= 0 && s.colour(i) > 0 {
		return s.tint(s.colour(i))
	}
	return s.fill(s.at(c), colours)
}

// sidesWhere are the sides in a layer for which is holds, each once.
func (s *scene) sidesWhere(layer int, is func(side) bool) (all []edge) {
	for c := range s.cells(layer) {
		sides := s.around(c)
		for k, step := range s.sideSteps(c) {
			beyond := c.Plus(step)
			if (s.at(beyond) == hole || before(c, beyond)) && is(s.side(c, beyond)) {
				all = append(all, sides[k])
			}
		}
	}
	return all
}

// inset moves the sides of a closed outline inwards. The corners times the scale are points of the picture,
// and the inside is on the right of each side.
func inset(corners []point, scaleX, scaleY, by float64) []pen.Point {
	n := len(corners)
	outline, inwards := make([]pen.Point, n), make([]pen.Point, n) // inwards: of length 1, from the side before a corner
	for k, c := range corners {
		outline[k] = pen.Point{X: float64(c.x) * scaleX, Y: float64(c.y) * scaleY}
	}
	for k, to := range outline {
		from := outline[(k+n-1)%n]
		length := math.Hypot(to.X-from.X, to.Y-from.Y)
		inwards[k] = pen.Point{X: (from.Y - to.Y) / length, Y: (to.X - from.X) / length}
	}
	for k := range outline {
		a, b := inwards[k], inwards[(k+1)%n]
		share := by / (1 + float64(a.X*b.X) + float64(a.Y*b.Y))
		outline[k].X += float64(share * (a.X + b.X))
		outline[k].Y += float64(share * (a.Y + b.Y))
	}
	return outline
}

// The characters of the sides of cells with clues in text.
var (
	walls = map[rune]rune{'─': '━', '│': '┃', '╱': '▞', '╲': '▚', floor: '▂'}
	links = map[rune]rune{'─': '╫', '│': '╪', '╱': '╳', '╲': '╳', floor: '╫'}
)

// drawClues draws walls and links on a canvas, and sides within regions dashed.
func (p *plan) drawClues(c *clues) {
	for _, s := range p.sides {
		inner := s.spots
		if s.char == box {
			inner = inner[1 : len(inner)-1] // other sides meet in its ends
		}
		change := func(spots []spot, to map[rune]rune) {
			for _, at := range spots {
				char := p.at(at).char
				for solid, seam := range dashed {
					if char == seam {
						char = solid
					}
				}
				p.at(at).char = cmp.Or(to[char], char)
			}
		}
		switch clue := c.pair(s.side); {
		case clue == wall:
			change(inner, walls)
		case clue == link:
			half := len(inner) / 2
			change(inner[half:half+1], links)
		case c.within(s.side):
			change(inner, dashed)
		}
	}
}
