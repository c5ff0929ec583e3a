package exchange

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// A file of BurrTools is XML, which may be compressed by gzip:
//
//	puzzle version="1|2"
//	  gridType type="0..4"                     cubes, triangles, spheres, two kinds of cut cubes
//	  colors   color …                         the colours, numbered 1..63 in this order
//	  shapes   voxel x y z type="0" [name]     the text has x·y·z cells; x varies fastest, then y
//	  problems problem [name] [maxHoles]
//	             shapes  shape id [count | min max]
//	             result  id
//	             bitmap  pair piece result     a pair of colours that may meet, numbered from 0
//	  comment
//
// A cell is '_' for no cell, '#' if it must be filled, or '+' if it may be filled. Digits after
// this mark are the colour of the cell. An id is the index of a shape.

type burrtools struct {
	*xmlReader
	root     place
	grid     int
	colours  int
	shapes   []voxels
	problems []*burrProblem
	comment  string
	weights  bool // whether some shape has a weight
}

type voxels struct {
	size  [3]int // along x, y and z
	cells []voxel
	name  string
	at    place
}

type voxel struct {
	state  byte // '_', '#' or '+'
	colour uint8
}

type burrProblem struct {
	name     string
	at       place
	entries  []burrEntry
	result   int // index in burrtools.shapes; -1 if there is no result
	resultAt place
	allow    []tiling.Pair // colours that may meet, numbered from 1
	holes    int           // value of maxHoles; -1 if it is not given
	// Whether the problem has these parts, which the reader leaves out with a warning.
	groups, solutions, assembler bool
}

type burrEntry struct {
	shape, min, max int
	at              place
}

const (
	maxBurrColours = 63
	maxBurrShapes  = 10_000
)

func isBurrTools(data []byte) bool {
	return bytes.HasPrefix(data, gzipMark) ||
		bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(data, byteOrderMark), " \t\r\n"), []byte("<"))
}

func readBurrTools(s *source) (*Content, error) {
	var from io.Reader = bytes.NewReader(s.data)
	if bytes.HasPrefix(s.data, gzipMark) {
		unpacked, err := gzip.NewReader(from)
		if err != nil {
			return nil, s.errorf(place{1, 1}, "the file begins like a gzip file, but its header is damaged or ends too early")
		}
		from = unpacked
	}
	tokens := xml.NewDecoder(&capped{from: from, left: maxXMLBytes})
	tokens.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, errCharset }
	b := &burrtools{xmlReader: &xmlReader{source: s, tokens: tokens}}
	if err := b.read("puzzle", b.part); err != nil {
		return nil, err
	}
	var names []string
	for _, p := range b.problems {
		names = append(names, p.name)
	}
	n, err := b.chosen(names, b.root)
	if err != nil {
		return nil, err
	}
	return b.puzzle(b.problems[n])
}

func (b *burrtools) part(e *element) {
	const problems = "puzzle/problems/problem"
	var p *burrProblem
	if len(b.problems) > 0 {
		p = b.problems[len(b.problems)-1]
	}
	switch e.path {
	case "puzzle":
		b.root = e.place
		if v := e.attributes["version"]; v != "1" && v != "2" {
			b.refuse(e.place, "the version of the puzzle is %s, expected 1 or 2", wording.Quote(v))
		}
	case "puzzle/gridType":
		b.grid = b.number(e, "type", 4)
	case "puzzle/colors/color":
		b.colours++
	case "puzzle/shapes/voxel":
		b.shape(e)
	case "puzzle/comment":
		e.end = func(text string) { b.comment = text }
	case problems:
		if len(b.problems) == maxProblems {
			b.refuse(e.place, "too many problems, expected at most %d", maxProblems)
		}
		p := &burrProblem{name: e.attributes["name"], at: e.place, result: -1, holes: -1}
		if e.has("maxHoles") {
			p.holes = b.number(e, "maxHoles", 1<<30)
		}
		b.problems = append(b.problems, p)
	case problems + "/shapes/shape":
		if len(p.entries) == tiling.MaxPieces {
			b.refuse(e.place, "too many pieces, expected at most %d", tiling.MaxPieces)
		}
		of := burrEntry{shape: b.number(e, "id", maxBurrShapes), min: 1, max: 1, at: e.place}
		switch {
		case e.has("count"):
			of.min = b.number(e, "count", tiling.MaxCopies)
			of.max = of.min
		case e.has("min") && e.has("max"):
			of.min, of.max = b.number(e, "min", tiling.MaxCopies), b.number(e, "max", tiling.MaxCopies)
		}
		if of.min > of.max {
			b.refuse(e.place, "a piece has min %d and max %d, expected min ≤ max", of.min, of.max)
		}
		p.entries = append(p.entries, of)
		p.groups = p.groups || e.has("group") && e.attributes["group"] != "0"
	case problems + "/shapes/shape/group":
		p.groups = true
	case problems + "/result":
		p.result, p.resultAt = b.number(e, "id", maxBurrShapes), e.place
	case problems + "/bitmap/pair":
		pair := tiling.Pair{Piece: 1 + b.number(e, "piece", maxBurrColours-1), Board: 1 + b.number(e, "result", maxBurrColours-1)}
		p.allow = append(p.allow, pair)
	case problems + "/assembler":
		p.assembler = true
	case problems + "/shapes", problems + "/bitmap", problems + "/solutions":
	default:
		switch inner, ok := strings.CutPrefix(e.path, problems+"/"); {
		case ok && strings.HasPrefix(inner, "solutions/"):
			p.solutions = true
		case ok && inner == e.name:
			b.warn("unknown element %s of a problem is left out: if it restricts placements, BurrTools finds another number of solutions", wording.Quote(e.name))
		}
	}
}

func (b *burrtools) shape(e *element) {
	if len(b.shapes) == maxBurrShapes {
		b.refuse(e.place, "too many shapes, expected at most %d", maxBurrShapes)
	}
	if kind := b.number(e, "type", tiling.MaxSide); kind != 0 {
		b.refuse(e.place, "the cells of a shape have type %d, expected type 0", kind)
	}
	v := voxels{name: e.attributes["name"], at: e.place}
	volume := 1
	for axis, side := range []string{"x", "y", "z"} {
		v.size[axis] = b.number(e, side, tiling.MaxSide)
		if v.size[axis] == 0 {
			b.refuse(e.place, "side %s of a shape is 0, expected 1..%d", side, tiling.MaxSide)
		}
		volume *= v.size[axis] // at most 2^36
	}
	if volume > tiling.MaxVolume {
		b.refuse(e.place, "the box of a shape has %d cells, expected at most %d cells", volume, tiling.MaxVolume)
	}
	b.weights = b.weights || e.has("weight") && e.attributes["weight"] != "1"
	b.shapes = append(b.shapes, v)
	e.end = func(text string) {
		v := &b.shapes[len(b.shapes)-1]
		for len(text) > 0 {
			c := voxel{state: text[0]}
			rest := strings.TrimLeft(text[1:], "0123456789")
			colour, err := strconv.ParseUint("0"+text[1:len(text)-len(rest)], 10, 8)
			switch {
			case !strings.ContainsRune("_#+", rune(c.state)):
				first, _ := utf8.DecodeRuneInString(text)
				b.refuse(e.place, "the cells of a shape contain %s, expected only '_', '#' and '+', with or without the number of a colour after each", wording.Quote(string(first)))
				return
			case err != nil || colour > maxBurrColours:
				b.refuse(e.place, "a cell has a colour over %d, expected 0..%d", maxBurrColours, maxBurrColours)
				return
			case len(v.cells) == volume:
				b.refuse(e.place, "a shape has more cells than its box, expected at most %d cells", volume)
				return
			case c.state != '_':
				c.colour = uint8(colour)
			}
			v.cells, text = append(v.cells, c), rest
		}
		if len(v.cells) < volume {
			b.refuse(e.place, "a shape has %s, but its box has %d", wording.Plural(len(v.cells), "cell"), volume)
		}
	}
}

// BurrTools turns pieces, but does not reflect them, so pieces of cubes are one-sided. If all
// shapes have one layer, the lattice is flat, and pieces may be turned over.

var grids = []string{"cubes", "triangles", "spheres", "rhombic tetrahedra", "tetrahedra and octahedra"}

func (b *burrtools) puzzle(p *burrProblem) (*Content, error) {
	if p.result < 0 {
		return nil, b.errorf(p.at, "the problem has no result, expected the id of the shape to fill")
	}
	if p.result >= len(b.shapes) {
		return nil, b.errorf(p.resultAt, "the result is the shape with the id %d, but there are only %d shapes (ids begin with 0)", p.result, len(b.shapes))
	}
	used := []*voxels{&b.shapes[p.result]}
	for _, e := range p.entries {
		switch {
		case e.shape >= len(b.shapes):
			return nil, b.errorf(e.at, "a piece is the shape with the id %d, but there are only %d shapes (ids begin with 0)", e.shape, len(b.shapes))
		case e.shape == p.result:
			return nil, b.errorf(e.at, "shape %d is both a piece and the result, expected different shapes", e.shape)
		case slices.ContainsFunc(b.shapes[e.shape].cells, func(c voxel) bool { return c.state == '+' }):
			return nil, b.errorf(b.shapes[e.shape].at, "a piece has a cell '+', expected '+' only in the result")
		}
		used = append(used, &b.shapes[e.shape])
	}
	if len(p.entries) == 0 {
		return nil, b.errorf(p.at, "the problem has no pieces, expected at least one")
	}
	for _, pair := range p.allow {
		if max(pair.Piece, pair.Board) > b.colours {
			return nil, b.errorf(p.at, "a pair has the colours %d and %d, but there are only %d colours (in pairs, colours begin with 0)", pair.Piece-1, pair.Board-1, b.colours)
		}
	}
	flat := true
	for _, v := range used {
		flat = flat && v.size[2] == 1
		for _, c := range v.cells {
			if int(c.colour) > b.colours {
				return nil, b.errorf(v.at, "a cell has the colour %d, but there are only %d colours", c.colour, b.colours)
			}
		}
	}
	lattice := tiling.Cube
	switch {
	case b.grid == 1 && !flat:
		return nil, b.errorf(p.at, `the grid has %s, but a shape has more than one layer, expected z="1" for all shapes (Pavage has no prisms)`, grids[b.grid])
	case b.grid == 1:
		lattice = tiling.Triangle
	case b.grid > 1:
		return nil, b.errorf(p.at, "the grid has %s, expected cubes, or triangles in one layer", grids[b.grid])
	case flat:
		lattice = tiling.Square
	}
	line, _, _ := strings.Cut(strings.TrimSpace(b.comment), "\n")
	made := b.builder(lattice, cmp.Or(p.name, strings.TrimSpace(line)))
	size, sites := b.sites(used[0])
	made.board(p.resultAt, size, sites)
	for _, e := range p.entries {
		shape := &b.shapes[e.shape]
		_, sites := b.sites(shape)
		made.piece(e.at, tiling.Piece{Name: cmp.Or(shape.name, fmt.Sprintf("S%d", e.shape+1)), Motions: lattice.Motions(), Min: e.min, Max: e.max}, sites)
	}
	made.colours(b.colours, p.allow)
	content, err := made.done(p.at)
	if err == nil {
		err = b.dropped(p, content.Puzzle)
	}
	return content, err
}

// sites returns the size and the cells of a shape as layer, row, column. It skips cells '_'.
func (b *burrtools) sites(v *voxels) (size [3]int, sites []site) {
	size = [3]int{v.size[2], v.size[1], v.size[0]}
	// In BurrTools, the triangle (x, y) points to larger y if x + y is even. In Pavage, a triangle
	// points to smaller rows if row + column is even. So y becomes row top-y, where top is even.
	top := v.size[1] &^ 1
	if b.grid == 1 {
		size[1] = top + 1
	}
	for i, c := range v.cells {
		if c.state == '_' {
			continue
		}
		cell := tiling.Cell{i / (v.size[0] * v.size[1]), i / v.size[0] % v.size[1], i % v.size[0]}
		if b.grid == 1 {
			cell[1] = top - cell[1]
		}
		sites = append(sites, site{cell: cell, colour: int(c.colour), optional: c.state == '+'})
	}
	return size, sites
}

// dropped warns of the parts of p that are left out. It returns an error if they change the count.
func (b *burrtools) dropped(p *burrProblem, puzzle *tiling.Puzzle) error {
	least, most, optional := 0, 0, 0
	for _, piece := range puzzle.Pieces {
		least += piece.Min * len(piece.Shape) // no overflow: 10^6 copies of 1.3·10^6 cells at most
		most += piece.Max * len(piece.Shape)
	}
	for _, o := range puzzle.Board.Optional {
		if o {
			optional++
		}
	}
	if least < most && p.holes >= 0 && p.holes < optional {
		return b.errorf(p.at, "maxHoles is %d, but %d cells may stay empty: Pavage cannot limit the number of empty cells, expected maxHoles to be %[2]d or more", p.holes, optional)
	}
	for _, left := range []struct {
		is   bool
		what string
	}{
		{p.holes >= 0, "maxHoles, which changes nothing in this problem"},
		{p.solutions, "stored solutions"},
		{p.assembler, "the state of a search"},
		{p.groups || b.weights, "groups and weights of pieces, which BurrTools uses only to take the puzzle apart"},
	} {
		if left.is {
			b.warn("left out: %s", left.what)
		}
	}
	if same := twoFaced(puzzle); same != "" {
		b.warn("piece %s may lie on the same cells with different colours: Pavage counts these placements as one placement", wording.Quote(same))
	}
	return nil
}

// twoFaced returns the name of a piece that may cover the same cells in two colourings, or "".
func twoFaced(p *tiling.Puzzle) string {
	for _, piece := range p.Pieces {
		if piece.Colours == nil {
			continue
		}
		// decides is true if the colour of a board cell fixes the colour of the piece cell on it.
		decides := p.Board.Colours != nil && !slices.Contains(p.Board.Colours, 0) && !slices.Contains(piece.Colours, 0)
		partner := map[int]bool{}
		for _, pair := range p.Allow {
			if slices.Contains(piece.Colours, pair.Piece) {
				decides = decides && !partner[pair.Board]
				partner[pair.Board] = true
			}
		}
		all := piece.Orientations()
		for i := range all[1:] {
			if !decides && slices.Equal(all[i], all[i+1]) {
				return piece.Name
			}
		}
	}
	return ""
}

// writeBurrTools writes a gzip file. It returns an error if BurrTools cannot express the puzzle.
func writeBurrTools(w io.Writer, m *tiling.Model) error {
	p := m.Puzzle
	lattice := p.Board.Lattice
	motions := lattice.Motions()
	switch {
	case lattice != tiling.Square && lattice != tiling.Cube:
		return unsaid("the board is on the %s lattice, which is not written to files of BurrTools: expected square or cube", lattice)
	case p.Board.Wrap != tiling.NoWrap:
		return unsaid("the board wraps, which BurrTools cannot express")
	case len(p.Colours) > maxBurrColours:
		return unsaid("the puzzle has %d colours, but BurrTools has at most %d colours", len(p.Colours), maxBurrColours)
	case len(p.Groups) > 0:
		return unsaid("the puzzle has groups of pieces, which BurrTools cannot express")
	case len(p.Walls)+len(p.Joined)+len(p.Regions) > 0:
		return unsaid("the puzzle has walls, joined cells or regions, which BurrTools cannot express")
	case slices.ContainsFunc(p.Pieces, func(p tiling.Piece) bool { return p.Marks != "" }):
		return unsaid("the puzzle has marks on pieces, which BurrTools cannot express")
	case len(p.Place)+len(p.Forbid) > 0:
		return unsaid("the puzzle has placements that must be used or are forbidden, which BurrTools cannot express")
	}
	for _, piece := range p.Pieces {
		turned := piece
		turned.Motions = motions
		if piece.Motions != motions && len(turned.Orientations()) != len(piece.Orientations()) {
			return unsaid("piece %s is %s, but BurrTools would turn the piece in other ways: expected the motions %s", wording.Quote(piece.Name), piece.Motions, motions)
		}
	}
	if name := twoFaced(p); name != "" {
		return unsaid("piece %s may lie on the same cells with different colours, which are one placement in Pavage, but two placements in BurrTools", wording.Quote(name))
	}
	var text bytes.Buffer
	text.WriteString("<?xml version=\"1.0\"?>\n<puzzle version=\"2\">\n <gridType type=\"0\"/>\n <colors>")
	for c := range p.Colours {
		fmt.Fprintf(&text, "<color red=\"%d\" green=\"%d\" blue=\"%d\"/>", 85*(c%4), 85*(c/4%4), 85*(c/16%4))
	}
	text.WriteString("</colors>\n <shapes>\n")
	for _, piece := range p.Pieces {
		writeVoxels(&text, piece.Name, tiling.Board{Cells: piece.Shape, Size: piece.Shape.Size(), Colours: piece.Colours})
	}
	writeVoxels(&text, "board", *p.Board)
	text.WriteString(" </shapes>\n <problems>\n  <problem state=\"0\">\n   <shapes>\n")
	for i, piece := range p.Pieces {
		most := piece.Max
		if most == cover.Unbounded {
			most = max(piece.Min, len(p.Board.Cells)/len(piece.Shape))
		}
		fmt.Fprintf(&text, "    <shape id=\"%d\" min=\"%d\" max=\"%d\"/>\n", i, piece.Min, most)
	}
	fmt.Fprintf(&text, "   </shapes>\n   <result id=\"%d\"/>\n   <bitmap>", len(p.Pieces))
	for _, pair := range p.Allow {
		fmt.Fprintf(&text, "<pair piece=\"%d\" result=\"%d\"/>", pair.Piece-1, pair.Board-1)
	}
	fmt.Fprintf(&text, "</bitmap>\n  </problem>\n </problems>\n <comment>%s</comment>\n</puzzle>\n", escaped(p.Title))
	packed := gzip.NewWriter(w)
	if _, err := packed.Write(text.Bytes()); err != nil {
		return err
	}
	return packed.Close()
}

func writeVoxels(w *bytes.Buffer, name string, b tiling.Board) {
	cells := drawing(layers(b.Size, "", func(c tiling.Cell) string {
		at, text := b.Index(c), "#"
		if at < 0 {
			return "_"
		}
		if b.Optional != nil && b.Optional[at] {
			text = "+"
		}
		if b.Colours != nil && b.Colours[at] > 0 {
			text += strconv.Itoa(b.Colours[at])
		}
		return text
	}))
	fmt.Fprintf(w, "  <voxel x=\"%d\" y=\"%d\" z=\"%d\" name=\"%s\" type=\"0\">%s</voxel>\n",
		b.Size[2], b.Size[1], b.Size[0], escaped(name), strings.ReplaceAll(cells, "\n", ""))
}

func escaped(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text))
	return b.String()
}

// maxXMLSigns limits the number of '=' between two '<'. This limits the attributes of an element.
const (
	maxXMLBytes = 16 << 20
	maxXMLDepth = 16
	maxXMLSigns = 10_000
)

var gzipMark = []byte{0x1f, 0x8b}

// xmlReader reads tokens one by one. It refuses document types and all but XML's own five entities.
type xmlReader struct {
	*source
	tokens *xml.Decoder
	open   []element // open elements, the outermost first
}

type element struct {
	place             // where the start tag ends
	path       string // names of the outer elements and of this element, separated by slashes
	name       string
	attributes map[string]string
	text       []byte            // text without the text of inner elements
	end        func(text string) // called at the end of the element; nil if the text is not needed
}

var (
	errUnpacked = errors.New("unpacked too long")
	errSigns    = errors.New("too many signs")
	errCharset  = errors.New("expected UTF-8")
)

// capped limits the length of a file and the number of attributes of an element.
type capped struct {
	from  io.Reader
	left  int
	signs int // number of '=' since the last '<'
}

func (c *capped) Read(b []byte) (int, error) {
	if c.left == 0 {
		return 0, errUnpacked
	}
	n, err := c.from.Read(b[:min(len(b), c.left)])
	c.left -= n
	for _, sign := range b[:n] {
		switch sign {
		case '<':
			c.signs = 0
		case '=':
			c.signs++
		}
		if c.signs > maxXMLSigns {
			return 0, errSigns
		}
	}
	return n, err
}

func (x *xmlReader) here(format string, args ...any) error {
	line, column := x.tokens.InputPos()
	return x.errorf(place{line, column}, format, args...)
}

// read calls begin(e) at the start of each element e. The name of the outermost one must be root.
func (x *xmlReader) read(root string, begin func(*element)) error {
	begun := false
	for x.err == nil {
		if err := x.looks.Look(); err != nil {
			return err
		}
		t, err := x.tokens.Token()
		switch {
		case err == io.EOF && begun:
			return nil
		case err == io.EOF:
			return x.here("there is no element, expected <%s>", root)
		case err != nil:
			return x.broken(err)
		}
		var top *element
		if len(x.open) > 0 {
			top = &x.open[len(x.open)-1]
		}
		switch t := t.(type) {
		case xml.Directive:
			return x.here("the file has a document type or another declaration, expected only elements (entities are not read)")
		case xml.CharData:
			switch {
			case top != nil && top.end != nil:
				top.text = append(top.text, t...)
			case top != nil || len(bytes.TrimSpace(t)) == 0:
			case begun:
				return x.here("text follows the end of the puzzle, expected the end of the file")
			default:
				return x.here("there is text outside of an element, expected <%s>", root)
			}
		case xml.EndElement:
			if x.open = x.open[:len(x.open)-1]; top.end != nil {
				top.end(string(top.text))
			}
		case xml.StartElement:
			switch {
			case begun && top == nil:
				return x.here("an element follows the end of the puzzle, expected the end of the file")
			case len(x.open) == maxXMLDepth:
				return x.here("elements are nested too deep, expected a depth of at most %d", maxXMLDepth)
			}
			begun = true
			line, column := x.tokens.InputPos()
			e := element{place: place{line, column}, path: t.Name.Local, name: t.Name.Local, attributes: map[string]string{}}
			if top != nil {
				e.path = top.path + "/" + e.name
			}
			for _, a := range t.Attr {
				if e.has(a.Name.Local) {
					x.refuse(e.place, "attribute %s is given twice, expected each attribute once", wording.Quote(a.Name.Local))
				}
				e.attributes[a.Name.Local] = a.Value
			}
			if top == nil && e.name != root {
				x.refuse(e.place, "the first element is %s, expected <%s>", wording.Quote(e.name), root)
			}
			x.open = append(x.open, e)
			begin(&x.open[len(x.open)-1])
		}
	}
	return x.err
}

func (x *xmlReader) broken(err error) error {
	var syntax *xml.SyntaxError
	switch {
	case errors.Is(err, errUnpacked):
		return x.here("the unpacked file is too long, expected at most %d bytes", maxXMLBytes)
	case errors.Is(err, errSigns):
		return x.here("an element has too many attributes or signs '=', expected at most %d", maxXMLSigns)
	case errors.As(err, &syntax):
		return x.here("this is not XML: %s", clipped(syntax.Msg))
	case errors.Is(err, io.ErrUnexpectedEOF):
		return x.here("the file ends too early, expected the whole gzip stream")
	case errors.Is(err, gzip.ErrChecksum):
		return x.here("the file is damaged: its checksum is wrong")
	}
	return x.here("the file cannot be read as XML: %s", clipped(err.Error()))
}

func (x *xmlReader) number(e *element, attribute string, most int) int {
	text, given := e.attributes[attribute]
	n, ok := wording.Number(text, most)
	switch {
	case !given:
		x.refuse(e.place, "element %s has no attribute %s, expected a number from 0 to %d", wording.Quote(e.name), attribute, most)
	case !ok:
		x.refuse(e.place, "%s of element %s is %s, expected a number from 0 to %d", attribute, wording.Quote(e.name), wording.Quote(text), most)
	}
	return n
}

func (e *element) has(attribute string) bool {
	_, given := e.attributes[attribute]
	return given
}

// clipped shortens a message, which may contain long names, and escapes the line ends in it.
func clipped(message string) string {
	const most = 120
	q := fmt.Sprintf("%.*q", most, message)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}
