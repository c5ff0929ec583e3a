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
//	D:xDim=3:yDim=2:zDim=1          # oneSide, of a box of one layer: pieces are not turned over
//	L:stationary=*                  # pieces drawn: rows from the largest y down, layers side
//	a a *                           # by side between commas, '.' nothing, other words names
//	. . .
//	~L
//	C:name=b:layout=0 0 0, 1 0 0    # a piece by the x y z of its cells; type=S: stationary
//	C:name=m:layout=0 0 0
//	~D
//
// A stationary piece lies where it is drawn, so its cells are no cells of our board. Each other
// piece is used once, and turned but not reflected. Pieces that are alike are copies of one
// piece: to swap them makes no other solution.

// polycube is the state of one read.
type polycube struct {
	*source
	line    int
	title   string
	returns bool       // some line ends in a carriage return
	boxes   []*polybox // all puzzles
	open    *polybox   // that which has begun and not ended
	drawing *polydraw  // the drawing that has begun and not ended
	cells   int        // of all pieces of all puzzles
}

// polybox is a puzzle.
type polybox struct {
	line    int
	size    [3]int // x, y, z
	oneSide bool
	pieces  []*polypiece
	named   map[string]*polypiece
	mobile  int // cells of pieces that move
	fixed   int // cells of stationary pieces
}

func (box *polybox) volume() int { return box.size[0] * box.size[1] * box.size[2] }

// index is the number of a cell of the box.
func (box *polybox) index(c [3]int) int { return c[0] + box.size[0]*(c[1]+box.size[1]*c[2]) }

// polypiece is a piece, with cells as x, y, z.
type polypiece struct {
	name       string
	line       int
	stationary bool
	cells      [][3]int
}

// polydraw is a drawing: the names of pieces in it, and where its next row lies.
type polydraw struct {
	line       int
	stationary []string        // sorted
	row        int             // y of the next row
	names      map[string]bool // of the pieces that are in it
}

// isPolycube reports whether the first line that is no comment opens a puzzle.
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
	for text := range bytes.Lines(s.data) {
		p.line++
		if err := p.looks.Work(1 + len(text)); err != nil {
			return nil, err
		}
		line := string(bytes.TrimSuffix(text, []byte("\n")))
		if cut, found := strings.CutSuffix(line, "\r"); found {
			line, p.returns = cut, true
		}
		if err := p.read(line); err != nil {
			return nil, err
		}
	}
	switch {
	case p.drawing != nil:
		return nil, s.errorf(p.drawing.line, 1, "L without an end, want ~L behind the last row")
	case p.open != nil:
		return nil, s.errorf(p.open.line, 1, "D without an end, want ~D behind the last piece")
	case p.returns:
		s.warn("left out: carriage returns at the ends of lines, which polycube does not take")
	}
	box, err := p.chosen()
	if err != nil {
		return nil, err
	}
	puzzle, err := p.puzzle(box)
	return &Content{Puzzle: puzzle}, err
}

// read takes a line in.
func (p *polycube) read(line string) error {
	text, comment, _ := strings.Cut(line, "#")
	if p.title == "" && len(p.boxes) == 0 {
		p.title = strings.TrimSpace(comment)
	}
	directive := strings.Trim(text, " \t")
	switch {
	case p.drawing != nil && directive == "~L":
		for _, name := range p.drawing.stationary {
			if !p.drawing.names[name] {
				return p.errorf(p.drawing.line, 1, "stationary piece %s is not in the drawing", wording.Quote(name))
			}
		}
		p.drawing = nil
		return nil
	case p.drawing != nil:
		return p.row(text)
	case directive == "":
		return nil
	}
	name, settings, err := p.settings(directive)
	switch {
	case err != nil:
		return err
	case name == "D" && p.open == nil:
		box := &polybox{line: p.line, named: map[string]*polypiece{}}
		volume := 1
		for axis, name := range []string{"xDim", "yDim", "zDim"} {
			n, err := strconv.Atoi(settings[name])
			if err != nil || n < 1 || n > tiling.MaxSide {
				return p.here("%s is %s, want a number from 1 to %d", name, wording.Quote(settings[name]), tiling.MaxSide)
			}
			box.size[axis] = n
			volume *= n
		}
		if len(p.boxes) == maxProblems {
			return p.here("more than %d puzzles, want at most that many", maxProblems)
		}
		if volume > tiling.MaxVolume {
			return p.here("a box of %d cells, want at most %d", volume, tiling.MaxVolume)
		}
		one, given := settings["oneSide"]
		box.oneSide = given && one != "0"
		switch {
		case one != "" && one != "0" && one != "1":
			return p.here("oneSide is %s, want 0 or 1", wording.Quote(one))
		case box.oneSide && box.size[2] != 1:
			return p.here("oneSide of a box with zDim %d, want zDim=1", box.size[2])
		}
		p.boxes = append(p.boxes, box)
		p.open = box
		return nil
	case p.open == nil:
		return p.here("%s outside of a puzzle, want D:xDim=…:yDim=…:zDim=… first", wording.Quote(name))
	case name == "~D":
		p.open = nil
		return nil
	case name == "C":
		kind, given := settings["type"]
		if given && kind != "M" && kind != "S" {
			return p.here("type is %s, want M or S", wording.Quote(kind))
		}
		if settings["name"] == "" || settings["layout"] == "" {
			return p.here("C without name or layout, want C:name=…:layout=x y z, x y z, …")
		}
		piece, err := p.piece(settings["name"], kind == "S")
		if err != nil {
			return err
		}
		for point := range strings.SplitSeq(settings["layout"], ",") {
			cell, err := p.point(point)
			if err != nil {
				return err
			}
			if err := p.cell(piece, cell); err != nil {
				return err
			}
		}
		slices.SortFunc(piece.cells, func(a, b [3]int) int { return slices.Compare(a[:], b[:]) })
		if len(slices.Compact(slices.Clone(piece.cells))) < len(piece.cells) {
			return p.here("a point a second time in the layout, want each once")
		}
		return nil
	case name == "L":
		stationary := strings.Fields(settings["stationary"])
		slices.Sort(stationary)
		p.drawing = &polydraw{line: p.line, stationary: stationary, row: p.open.size[1] - 1, names: map[string]bool{}}
		return nil
	}
	return p.here("unknown directive %s, want C, L or ~D", wording.Quote(name))
}

// here is a mistake in the line.
func (p *polycube) here(format string, args ...any) error {
	return p.errorf(p.line, 1, format, args...)
}

// settings are the parts of a directive, name=value each; a name alone has the value "".
func (p *polycube) settings(text string) (string, map[string]string, error) {
	directive, rest, some := strings.Cut(text, ":")
	settings := map[string]string{}
	if !some {
		return directive, settings, nil
	}
	known := map[string][]string{"D": {"xDim", "yDim", "zDim", "oneSide"}, "C": {"name", "type", "layout"}, "L": {"stationary"}}[directive]
	for f := range strings.SplitSeq(rest, ":") {
		name, value, _ := strings.Cut(f, "=")
		name = strings.Trim(name, " \t")
		_, twice := settings[name]
		switch {
		case !slices.Contains(known, name):
			return "", nil, p.here("unknown setting %s of %s, want one of %q", wording.Quote(name), wording.Quote(directive), known)
		case twice:
			return "", nil, p.here("setting %s a second time, want it once", name)
		}
		settings[name] = strings.Trim(value, " \t")
	}
	return directive, settings, nil
}

// point reads the x y z of a cell.
func (p *polycube) point(text string) (cell [3]int, err error) {
	axis := 0
	for w := range strings.FieldsSeq(text) {
		n, err := strconv.Atoi(w)
		if axis > 2 || err != nil || n < -tiling.MaxSide || n > tiling.MaxSide {
			return cell, p.here("%s in a layout, want three numbers from -%d to %d, as in 0 0 0, 1 0 0", wording.Quote(w), tiling.MaxSide, tiling.MaxSide)
		}
		cell[axis] = n
		axis++
	}
	if axis != 3 {
		err = p.here("%d numbers between commas of a layout, want three", axis)
	}
	return cell, err
}

// piece adds a piece to the puzzle.
func (p *polycube) piece(name string, stationary bool) (*polypiece, error) {
	if p.open.named[name] != nil {
		return nil, p.here("piece %s a second time, want each name in one place", wording.Quote(name))
	}
	piece := &polypiece{name: name, line: p.line, stationary: stationary}
	p.open.named[name] = piece
	p.open.pieces = append(p.open.pieces, piece)
	return piece, nil
}

// cell adds a cell to a piece.
func (p *polycube) cell(piece *polypiece, cell [3]int) error {
	box := p.open
	if piece.stationary {
		box.fixed++
	} else {
		box.mobile++
	}
	p.cells++
	switch {
	case p.cells > tiling.MaxVolume:
		return p.here("pieces of more than %d cells in all puzzles together, want at most that many", tiling.MaxVolume)
	case box.mobile > tiling.MaxCells:
		return p.here("pieces of more than %d cells together, want at most that many", tiling.MaxCells)
	case box.fixed > box.volume():
		return p.here("stationary pieces of more cells together than the box has, %d", box.volume())
	}
	for axis, v := range cell {
		if piece.stationary && (v < 0 || v >= box.size[axis]) {
			return p.here("stationary piece %s has the cell %d %d %d outside of the box", wording.Quote(piece.name), cell[0], cell[1], cell[2])
		}
	}
	piece.cells = append(piece.cells, cell)
	return nil
}

// row reads a row of a drawing.
func (p *polycube) row(text string) error {
	d := p.drawing
	if d.row < -tiling.MaxSide {
		return p.here("a drawing of more than %d rows, want ~L behind its last", tiling.MaxSide)
	}
	z := 0
	for layer := range strings.SplitSeq(text, ",") {
		x := 0
		for w := range strings.FieldsSeq(layer) {
			if err := p.mark(w, [3]int{x, d.row, z}); err != nil {
				return err
			}
			x++
		}
		z++
	}
	d.row--
	return nil
}

// mark reads a word of a drawing: the name of the piece that has the cell, or '.' for none.
func (p *polycube) mark(name string, cell [3]int) error {
	if name == "." {
		return nil
	}
	if max(cell[0], cell[2]) > tiling.MaxSide {
		return p.here("a row of more than %d cells or layers, want at most that many", tiling.MaxSide)
	}
	d := p.drawing
	if !d.names[name] {
		_, stationary := slices.BinarySearch(d.stationary, name)
		if _, err := p.piece(name, stationary); err != nil {
			return err
		}
		d.names[name] = true
	}
	return p.cell(p.open.named[name], cell)
}
