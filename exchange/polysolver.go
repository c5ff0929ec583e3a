package exchange

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/tiling"
)

// A file of PolySolver. Nobody has published a description of it that could be had: what is
// read here is what a program by somebody else reads, and whatever that leaves open is refused.
//
//	Two dominoes and a square             a line of free text
//	Square                                the grid: Square, Cube, Hexagon or Triangle; Square if missing
//	Board ((2,1)(2,1))                    the largest x and y, then cells that are left out
//	tile flip 2 2((0,0)(1,0))             flip: free, fixed: not turned, else one-sided; most, least
//	tile flip 1 1((0,0))                  copies; cells
//	mode FillAll                          or UseAll
//
// Case does not matter, commas are blanks, '#' begins a comment. A cell is x,y or x,y,z, and on
// the grid of triangles :w says which of the two of a unit, w = 0 pointing down.

// polysolver is the state of one read.
type polysolver struct {
	*source
	at           int // of the next byte
	line, column int // its place
	next         token
	grid         string
	corner       place // of the board: its largest x, y, z, w
	size         [3]int
	board        []bool // whether a place is a cell, by index; nil: no board yet
	boardAt      token
	tiles        []polytile
	cells        int // of all tiles
	mode         string
	modeAt       token
	dropped      bool
}

// token is a word or a sign, in small letters; "" at the end of the file.
type token struct {
	text         string
	line, column int
}

// place is x, y, z, w of a cell.
type place [4]int

type polytile struct {
	at       token
	motions  tiling.Motions
	min, max int
	minGiven bool
	cells    []place
}

var polysolverHead = regexp.MustCompile(`(?i)^[^\n]*\n(?:[\x00-\x20,]|#[^\n]*\n)*(?:[a-z]+[\x00-\x20,]+)?board[\x00-\x20,]*\([\x00-\x20,]*\(`)

// isPolySolver reports whether the second line, or one after it, begins a board.
func isPolySolver(data []byte) bool {
	const head = 1 << 12
	return polysolverHead.Match(data[:min(len(data), head)])
}

func readPolySolver(s *source) (*Content, error) {
	title, _, more := bytes.Cut(s.data, []byte("\n"))
	p := &polysolver{source: s, at: len(title) + 1, line: 2, column: 1, grid: "square"}
	if !more {
		return nil, s.errorf(1, 1, "one line, want a line of text, and then Board (…), tile (…) and so on")
	}
	if err := p.parts(); err != nil {
		return nil, err
	}
	switch {
	case p.board == nil:
		return nil, p.wrong(p.next, "no board, want Board ((x,y) …)")
	case p.mode == "":
		return nil, p.wrong(p.next, "no mode, want mode FillAll or mode UseAll")
	case p.dropped:
		s.warn("left out: stored solutions and notes")
	}
	puzzle, err := p.puzzle(strings.TrimSpace(string(title)))
	return &Content{Puzzle: puzzle}, err
}

func isBlank(b byte) bool { return b <= ' ' || b == ',' }

func isWord(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || strings.IndexByte(`-^_'.\/`, b) >= 0
}

// advance goes to the next token.
func (p *polysolver) advance() error {
	if err := p.looks.Look(); err != nil {
		return err
	}
	comment := false
	for ; p.at < len(p.data) && (comment || isBlank(p.data[p.at]) || p.data[p.at] == '#'); p.at++ {
		switch p.column++; p.data[p.at] {
		case '\n':
			comment = false
			p.line, p.column = p.line+1, 1
		case '#':
			comment = true
		}
	}
	begin := p.at
	for p.at < len(p.data) && isWord(p.data[p.at]) {
		p.at++
	}
	if p.at == begin && p.at < len(p.data) {
		p.at++
	}
	const longest = 1 << 10 // longer than a word that means something; notes are not kept
	text := p.data[begin:min(p.at, begin+longest)]
	p.next = token{strings.ToLower(string(text)), p.line, p.column}
	p.column += p.at - begin
	return nil
}

func (p *polysolver) wrong(t token, format string, args ...any) error {
	return p.errorf(t.line, t.column, format, args...)
}

// take goes on behind a sign or word that must come.
func (p *polysolver) take(text string) error {
	if p.next.text != text {
		return p.wrong(p.next, "%s, want %s", found(p.next), text)
	}
	return p.advance()
}

// found is a token in an error.
func found(t token) string {
	if t.text == "" {
		return "the end of the file"
	}
	return quote(t.text)
}

// number reads a number.
func (p *polysolver) number(least, most int) (int, error) {
	n, err := strconv.Atoi(p.next.text)
	if err != nil || n < least || n > most {
		return 0, p.wrong(p.next, "%s, want a number from %d to %d", found(p.next), least, most)
	}
	return n, p.advance()
}

// parts reads what comes behind the line of text.
func (p *polysolver) parts() error {
	if err := p.advance(); err != nil {
		return err
	}
	switch word := p.next.text; word {
	case "board", "tile":
	case "square", "cube", "hexagon", "triangle":
		p.grid = word
		if err := p.advance(); err != nil {
			return err
		}
	default:
		return p.wrong(p.next, "grid %s, want square, cube, hexagon or triangle", found(p.next))
	}
	for p.next.text != "" {
		word := p.next
		if err := p.advance(); err != nil {
			return err
		}
		if err := p.part(word); err != nil {
			return err
		}
	}
	return nil
}

// part reads a part, whose first word was read.
func (p *polysolver) part(word token) error {
	switch word.text {
	case "board":
		return p.readBoard(word)
	case "tile":
		return p.readTile(word)
	case "mode":
		p.mode, p.modeAt = p.next.text, p.next
		if p.mode != "fillall" && p.mode != "useall" {
			return p.wrong(p.next, "mode %s, want FillAll or UseAll", found(p.next))
		}
		return p.advance()
	case "solution":
		p.dropped = true
		return p.parentheses()
	case "notes":
		p.dropped = true
		return p.advance()
	case "place":
		return p.wrong(word, "place fixes pieces, and how it numbers them is not known well enough: want a file without")
	}
	return p.wrong(word, "%s, want board, tile, mode, solution or notes", found(word))
}

// parentheses passes over what stands in parentheses.
func (p *polysolver) parentheses() error {
	if p.next.text != "(" {
		return p.wrong(p.next, "%s, want (", found(p.next))
	}
	for depth := 0; ; {
		switch p.next.text {
		case "(":
			depth++
		case ")":
			depth--
		case "":
			return p.wrong(p.next, "the end of the file, want )")
		}
		if err := p.advance(); err != nil || depth == 0 {
			return err
		}
	}
}

// cell reads a cell, with parentheses.
func (p *polysolver) cell() (c place, err error) {
	if err := p.take("("); err != nil {
		return c, err
	}
	dimensions := 2
	if p.grid == "cube" {
		dimensions = 3
	}
	for axis := range dimensions {
		if c[axis], err = p.number(-tiling.MaxSide, tiling.MaxSide); err != nil {
			return c, err
		}
	}
	if p.grid == "triangle" {
		if p.next.text == ":" {
			if err := p.advance(); err != nil {
				return c, err
			}
		}
		if c[3], err = p.number(0, 1); err != nil {
			return c, err
		}
	}
	return c, p.take(")")
}

// readBoard reads the corner and the cells that are left out or put back.
func (p *polysolver) readBoard(word token) error {
	if p.board != nil {
		return p.wrong(word, "a second board, want one")
	}
	if err := p.take("("); err != nil {
		return err
	}
	corner, at := place{}, p.next
	var err error
	if corner, err = p.cell(); err != nil {
		return err
	}
	volume := 1
	for _, v := range corner {
		if v < 0 {
			return p.wrong(at, "a negative number in the largest cell, want none")
		}
		if volume *= v + 1; volume > tiling.MaxVolume {
			return p.wrong(at, "a board of more than %d cells, want at most that many", tiling.MaxVolume)
		}
	}
	p.corner, p.size, p.boardAt = corner, [3]int(corner[:3]), word
	p.board = slices.Repeat([]bool{true}, volume)
	for p.next.text == "(" {
		at := p.next
		c, err := p.cell()
		if err != nil {
			return err
		}
		i, inside := p.index(c)
		if !inside {
			return p.wrong(at, "a cell outside of the board, want one up to its largest")
		}
		p.board[i] = !p.board[i]
	}
	return p.take(")")
}

// index is the number of a place in the box of the board, false if it is outside.
func (p *polysolver) index(c place) (i int, inside bool) {
	for axis, v := range c {
		if v < 0 || v > p.corner[axis] {
			return 0, false
		}
		i = i*(p.corner[axis]+1) + v
	}
	return i, true
}

// placeAt is the place of an index.
func (p *polysolver) placeAt(i int) (c place) {
	for axis := len(c) - 1; axis >= 0; axis-- {
		sides := p.corner[axis] + 1
		c[axis], i = i%sides, i/sides
	}
	return c
}

// readTile reads a piece.
func (p *polysolver) readTile(word token) error {
	if len(p.tiles) == tiling.MaxPieces {
		return p.wrong(word, "more than %d tiles, want at most that many", tiling.MaxPieces)
	}
	t := polytile{at: word, motions: tiling.OneSided, max: 1}
	motions := map[string]tiling.Motions{"flip": tiling.Free, "fixed": tiling.Fixed}
	if m, given := motions[p.next.text]; given {
		t.motions = m
		if err := p.advance(); err != nil {
			return err
		}
	}
	numbers := []*int{&t.max, &t.min}
	for k := 0; k < 2 && p.next.text != "("; k++ {
		var err error
		if *numbers[k], err = p.number(0, tiling.MaxCopies); err != nil {
			return err
		}
		t.minGiven = k == 1
	}
	if t.min > t.max {
		return p.wrong(word, "at most %d and at least %d copies of a tile, want the larger number first", t.max, t.min)
	}
	if err := p.take("("); err != nil {
		return err
	}
	for p.next.text == "(" {
		c, err := p.cell()
		if err != nil {
			return err
		}
		t.cells = append(t.cells, c)
	}
	if p.cells += tiling.LargeCells(len(t.cells)); p.cells > tiling.MaxShapeCells {
		return p.wrong(word, "tiles of more than %d cells have more than %d together, want at most that many", tiling.MaxSmallCells, tiling.MaxShapeCells)
	}
	if p.next.text == "+" {
		return p.wrong(p.next, "+ gives a tile a second shape, which Pavage has not: want one shape")
	}
	if err := p.take(")"); err != nil {
		return err
	}
	p.tiles = append(p.tiles, t)
	if p.next.text == "(" { // its colour in pictures
		return p.parentheses()
	}
	return nil
}

// puzzle makes the puzzle.
func (p *polysolver) puzzle(title string) (*tiling.Puzzle, error) {
	lattice := map[string]*tiling.Lattice{
		"square": tiling.Square, "cube": tiling.Cube, "hexagon": tiling.Hexagon, "triangle": tiling.Triangle,
	}[p.grid]
	made := newBuilder(lattice, title)
	var sites []site
	for i, is := range p.board {
		if is {
			sites = append(sites, site{cell: p.ours(p.placeAt(i)), optional: p.mode == "useall"})
		}
	}
	if err := made.board(p.boardSize(), sites); err != nil {
		return nil, p.wrong(p.boardAt, "%v", err)
	}
	for i, t := range p.tiles {
		if p.mode == "useall" && (!t.minGiven || t.min != t.max) {
			return nil, p.wrong(t.at, "UseAll with a tile whose numbers are not equal, and what that means is not known: want both numbers, and equal ones")
		}
		piece := tiling.Piece{Name: strconv.Itoa(i + 1), Motions: t.motions, Min: t.min, Max: t.max}
		sites := func() []site {
			var sites []site
			for _, c := range t.cells {
				sites = append(sites, site{cell: p.ours(c)})
			}
			return sites
		}
		if err := made.piece(piece, len(t.cells), sites); err != nil {
			return nil, p.wrong(t.at, "%v", err)
		}
	}
	puzzle, err := made.done()
	if err != nil {
		return nil, p.wrong(p.boardAt, "%v", err)
	}
	return puzzle, nil
}

// ours is our cell for x, y, z, w. Rows go from the largest y down. Neighbours of a hexagon are,
// besides those along x and y, (1,1) and (-1,-1); a triangle with w = 0 points down, and touches
// those with w = 1 at its own x, y, at y+1, and at x-1.
func (p *polysolver) ours(c place) tiling.Cell {
	row := p.size[1] - c[1]
	switch p.grid {
	case "hexagon":
		return tiling.Cell{0, row, c[0]}
	case "triangle":
		even := p.evenSide()
		return tiling.Cell{0, even - c[1], 2*c[0] - c[1] + c[3] - 1 + even}
	}
	return tiling.Cell{c[2], row, c[0]}
}

// boardSize is the size of our board.
func (p *polysolver) boardSize() [3]int {
	if p.grid == "triangle" {
		even := p.evenSide()
		return [3]int{1, even + 1, 2*p.size[0] + even + 1}
	}
	return [3]int{p.size[2] + 1, p.size[1] + 1, p.size[0] + 1}
}

// evenSide is by how much rows and columns of triangles are moved to be 0 or more: an even
// number, since a move by an odd one would turn them about.
func (p *polysolver) evenSide() int { return (p.size[1] + 2) &^ 1 }
