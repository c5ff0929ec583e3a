package exchange

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// A file of polycube has puzzles, each of which fills a box with pieces:
//
//	D:xDim=3:yDim=2:zDim=1          # the box; with oneSide=1, flat pieces are not turned over
//	L:stationary=*                  # a drawing of pieces; the first row has the largest y
//	a a *                           # names of pieces, '.' for no cell, ',' between layers
//	. . .
//	~L
//	C:name=b:layout=0 0 0, 1 0 0    # x y z of each cell of a piece; with type=S, it is stationary
//	C:name=m:layout=0 0 0
//	~D
//
// The cells of a stationary piece are not cells of the board. Each other piece is used once, and is
// turned but not reflected. Equal pieces become copies of one piece.

type polycube struct {
	*source
	title   string
	returns bool       // whether some line ends in a carriage return
	boxes   []*polybox // all puzzles of the file
	open    *polybox   // the puzzle that has begun and not ended
	drawing *polydraw  // the drawing that has begun and not ended
	cells   int        // number of cells of all pieces in all puzzles
}

type polybox struct {
	place
	size    [3]int // along x, y and z
	oneSide bool
	pieces  []*polypiece
	named   map[string]*polypiece
	cells   int // number of cells of all pieces
}

func (box *polybox) volume() int { return box.size[0] * box.size[1] * box.size[2] }

func (box *polybox) index(c [3]int) int { return c[0] + box.size[0]*(c[1]+box.size[1]*c[2]) }

type polypiece struct {
	place
	name       string
	stationary bool
	cells      [][3]int
}

type polydraw struct {
	place
	stationary []string        // names of stationary pieces, sorted
	row        int             // y of the next row
	names      map[string]bool // names of the pieces in the drawing
}

func isPolycube(data []byte) bool {
	for line := range bytes.Lines(bytes.TrimPrefix(data, byteOrderMark)) {
		line, _, _ = bytes.Cut(line, []byte("#"))
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return bytes.HasPrefix(line, []byte("D:")) && bytes.Contains(line, []byte("Dim="))
		}
	}
	return false
}

func readPolycube(s *source) (*Content, error) {
	p := &polycube{source: s}
	if err := s.lines(p.read); err != nil {
		return nil, err
	}
	switch {
	case p.drawing != nil:
		return nil, s.errorf(p.drawing.place, `the drawing after "L" has no end, expected "~L" after the last row`)
	case p.open != nil:
		return nil, s.errorf(p.open.place, `the puzzle after "D" has no end, expected "~D" after the last piece`)
	case p.returns:
		s.warn("left out: carriage returns at the ends of lines, which the program polycube does not accept")
	}
	n, err := p.chosen(make([]string, len(p.boxes)), p.lineStart())
	if err != nil {
		return nil, err
	}
	return p.puzzle(p.boxes[n])
}

func (p *polycube) read(line string) error {
	line, returns := strings.CutSuffix(line, "\r")
	p.returns = p.returns || returns
	text, comment, _ := strings.Cut(line, "#")
	if p.title == "" && len(p.boxes) == 0 {
		p.title = strings.TrimSpace(comment)
	}
	directive := strings.Trim(text, " \t")
	switch {
	case p.drawing != nil && directive == "~L":
		for _, name := range p.drawing.stationary {
			if !p.drawing.names[name] {
				return p.errorf(p.drawing.place, "stationary piece %s is not in the drawing, expected the name of a piece in the drawing", wording.Quote(name))
			}
		}
		p.drawing = nil
		return nil
	case p.drawing != nil:
		return p.row(text)
	case directive == "":
		return nil
	}
	name, settings := p.settings(directive)
	switch {
	case p.err != nil:
		return p.err
	case name == "D" && p.open == nil:
		box := &polybox{place: p.lineStart(), named: map[string]*polypiece{}}
		volume := 1
		for axis, name := range []string{"xDim", "yDim", "zDim"} {
			n, err := strconv.Atoi(settings[name])
			if err != nil || n < 1 || n > tiling.MaxSide {
				return p.here("%s is %s, expected a number from 1 to %d", name, wording.Quote(settings[name]), tiling.MaxSide)
			}
			box.size[axis] = n
			volume *= n
		}
		if len(p.boxes) == maxProblems {
			return p.here("too many puzzles, expected at most %d", maxProblems)
		}
		if volume > tiling.MaxVolume {
			return p.here("a box of %d cells, expected at most %d", volume, tiling.MaxVolume)
		}
		one, given := settings["oneSide"]
		box.oneSide = given && one != "0"
		switch {
		case one != "" && one != "0" && one != "1":
			return p.here("oneSide is %s, expected 0 or 1", wording.Quote(one))
		case box.oneSide && box.size[2] != 1:
			return p.here("oneSide of a box with zDim %d, expected zDim=1", box.size[2])
		}
		p.boxes = append(p.boxes, box)
		p.open = box
		return nil
	case p.open == nil:
		return p.here("%s outside of a puzzle, expected D:xDim=…:yDim=…:zDim=… first", wording.Quote(name))
	case name == "~D":
		p.open = nil
		return nil
	case name == "C":
		kind, given := settings["type"]
		if given && kind != "M" && kind != "S" {
			return p.here("type is %s, expected M or S", wording.Quote(kind))
		}
		if settings["name"] == "" || settings["layout"] == "" {
			return p.here("C without name or layout, expected C:name=…:layout=x y z, x y z, …")
		}
		piece := p.piece(settings["name"], kind == "S")
		for point := range strings.SplitSeq(settings["layout"], ",") {
			if p.cell(piece, p.point(point)); p.err != nil {
				return p.err
			}
		}
		return nil
	case name == "L":
		stationary := strings.Fields(settings["stationary"])
		slices.Sort(stationary)
		p.drawing = &polydraw{place: p.lineStart(), stationary: stationary, row: p.open.size[1] - 1, names: map[string]bool{}}
		return nil
	}
	return p.here("unknown directive %s, expected C, L or ~D", wording.Quote(name))
}

// settings returns the name and settings of a directive. Without '=', the value of a setting is "".
func (p *polycube) settings(text string) (string, map[string]string) {
	directive, rest, some := strings.Cut(text, ":")
	settings := map[string]string{}
	if !some {
		return directive, settings
	}
	known := map[string][]string{"D": {"xDim", "yDim", "zDim", "oneSide"}, "C": {"name", "type", "layout"}, "L": {"stationary"}}[directive]
	for f := range strings.SplitSeq(rest, ":") {
		name, value, _ := strings.Cut(f, "=")
		name = strings.Trim(name, " \t")
		_, twice := settings[name]
		switch {
		case !slices.Contains(known, name):
			p.refuse(p.lineStart(), "unknown setting %s of %s, expected %s", wording.Quote(name), wording.Quote(directive), wording.List(known))
			return directive, nil
		case twice:
			p.refuse(p.lineStart(), "setting %s is given twice, expected each setting once", name)
			return directive, nil
		}
		settings[name] = strings.Trim(value, " \t")
	}
	return directive, settings
}

func (p *polycube) point(text string) (cell [3]int) {
	axis := 0
	for w := range strings.FieldsSeq(text) {
		n, err := strconv.Atoi(w)
		if axis > 2 || err != nil || n < -tiling.MaxSide || n > tiling.MaxSide {
			p.refuse(p.lineStart(), "a cell of the layout contains %s, expected three numbers from -%d to %d, such as 1 0 0", wording.Quote(w), tiling.MaxSide, tiling.MaxSide)
			return cell
		}
		cell[axis] = n
		axis++
	}
	if axis != 3 {
		p.refuse(p.lineStart(), "a cell of the layout has only %s, expected three numbers between commas", wording.Plural(axis, "number"))
	}
	return cell
}

func (p *polycube) piece(name string, stationary bool) *polypiece {
	if p.open.named[name] != nil {
		p.refuse(p.lineStart(), "piece %s is given twice, expected each name only once", wording.Quote(name))
	}
	piece := &polypiece{place: p.lineStart(), name: name, stationary: stationary}
	p.open.named[name] = piece
	p.open.pieces = append(p.open.pieces, piece)
	return piece
}

func (p *polycube) cell(piece *polypiece, cell [3]int) {
	box := p.open
	box.cells++
	if p.cells++; p.cells > tiling.MaxVolume {
		p.refuse(p.lineStart(), "the pieces of all puzzles together have too many cells, expected at most %d", tiling.MaxVolume)
	}
	for axis, v := range cell {
		if piece.stationary && (v < 0 || v >= box.size[axis]) {
			p.refuse(p.lineStart(), "stationary piece %s has the cell %d %d %d outside of the box", wording.Quote(piece.name), cell[0], cell[1], cell[2])
		}
	}
	piece.cells = append(piece.cells, cell)
}

func (p *polycube) row(text string) error {
	d := p.drawing
	if d.row < -tiling.MaxSide {
		return p.here(`the drawing goes more than %d rows below the box, expected "~L" after the last row`, tiling.MaxSide)
	}
	z := 0
	for layer := range strings.SplitSeq(text, ",") {
		x := -1
		for name := range strings.FieldsSeq(layer) {
			if x++; name == "." {
				continue
			}
			if max(x, z) > tiling.MaxSide {
				return p.here("a row has too many cells or layers, expected at most %d", tiling.MaxSide)
			}
			if !d.names[name] {
				_, stationary := slices.BinarySearch(d.stationary, name)
				p.piece(name, stationary)
				d.names[name] = true
			}
			if p.cell(p.open.named[name], [3]int{x, d.row, z}); p.err != nil {
				return p.err
			}
		}
		z++
	}
	d.row--
	return nil
}

func (p *polycube) puzzle(box *polybox) (*Content, error) {
	blocked := make([]bool, box.volume())
	var solid *polypiece // a piece that is not stationary and has more than one layer
	for _, piece := range box.pieces {
		for _, c := range piece.cells {
			switch i := box.index(c); {
			case !piece.stationary && c[2] != piece.cells[0][2] && solid == nil:
				solid = piece
			case piece.stationary && blocked[i]:
				return nil, p.errorf(piece.place, "stationary piece %s has the cell %d %d %d, which another stationary piece has too", wording.Quote(piece.name), c[0], c[1], c[2])
			case piece.stationary:
				blocked[i] = true
			}
		}
	}
	if box.cells != box.volume() {
		return nil, p.errorf(box.place, "the pieces have %d cells in all, expected the %d cells of the box", box.cells, box.volume())
	}
	lattice := tiling.Cube
	switch {
	case box.oneSide && solid != nil:
		return nil, p.errorf(solid.place, `piece %s has more than one layer, expected flat pieces with the setting "oneSide"`, wording.Quote(solid.name))
	case box.size[2] == 1 && solid == nil:
		lattice = tiling.Square
	}
	motions := lattice.Motions()
	if box.oneSide {
		motions = tiling.OneSided
	}
	// In Pavage, row 0 has the largest y.
	at := func(c [3]int) site { return site{cell: tiling.Cell{c[2], box.size[1] - 1 - c[1], c[0]}} }
	made := p.builder(lattice, p.title)
	var free []site
	for i, taken := range blocked {
		if x, y := box.size[0], box.size[1]; !taken {
			free = append(free, at([3]int{i % x, i / x % y, i / (x * y)}))
		}
	}
	made.board(box.place, [3]int{box.size[2], box.size[1], box.size[0]}, free)
	for _, piece := range box.pieces {
		if piece.stationary {
			continue
		}
		var sites []site
		for _, c := range piece.cells {
			sites = append(sites, at(c))
		}
		made.copy(piece.place, tiling.Piece{Name: piece.name, Motions: motions, Min: 1, Max: 1}, sites)
	}
	return made.done(box.place)
}
