// Package exchange reads and writes the puzzle files of other programs.
//
// [Recognise] finds the format of a file, [Read] reads a file, and [Write] writes a model.
//
// # Purpose
//
// A file is given as its bytes and its name. [Recognise] finds the format of a file by its first
// bytes, and [ByExtension] by its name. [Read] returns the [Content] of a file: a puzzle with a
// board and pieces, or an exact cover, which has neither.
//
//	soma.xmpuzzle ──► Recognise ──► "xmpuzzle" ──► Read ──► Content{Puzzle} ──► tiling
//	queens.dlx    ──► Recognise ──► "dlx"      ──► Read ──► Content{Cover}  ──► cover
//
//	tiling.Model  ──► Write ──► a file that the other program reads
//
// [Readable] lists the formats. This is the 2x3 board with dominoes in the format of Knuth's
// programs, which has a line of items and then a line for each option:
//
//	| The 2x3 board with dominoes
//	a b c d e f
//	a b
//	b c
//	d e
//	e f
//	a d
//	b e
//	c f
//
// # Kept and refused
//
// Pavage finds the same number of solutions as the program to which the format of the file
// belongs. Some parts of files have no counterpart in a puzzle, and some parts of puzzles have none
// in a file. If such a part affects the count, an error names the part. Other parts, such as stored
// solutions, are left out with a warning. doc/formats.md lists these parts for each format.
//
// # Non-goals
//
// This package does not read Pavage's own files: package puzzlefile reads puzzle files, and package
// cover reads the text of covers. This package does not count, and does not open files.
//
// # Size and cost
//
// The time of a reader is proportional to the length of the file. The reader checks limits before
// it allocates memory: see [MaxBytes], and the limits of the packages tiling and cover. An unpacked
// file of BurrTools has at most 16 MiB. Readers check their context every 2^14 bytes.
//
// # References
//
// D. E. Knuth's programs DLX1, DLX2, DLX3 (2016–2020), whose first sections define their
// input. A. Röver's BurrTools, src/lib/puzzle.cpp and the user guide. M. Busche's polycube
// 1.2.1, src/PuzzleParser.cpp. Model Counting Competition 2021, "Competition" (DIMACS).
package exchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// MaxBytes is the largest number of bytes of a file of any format.
const MaxBytes = cover.MaxTextBytes

const maxProblems = 1000

// Content is the content of a file: a puzzle, or a cover without geometry.
type Content struct {
	Puzzle *tiling.Puzzle // nil if there is a Cover
	Cover  *cover.Problem // nil if there is a Puzzle
	Title  string         // title of a cover; "" if it has none
	// Warnings lists the parts of the file that were left out. They do not change the count.
	Warnings []string
}

// Options are the options of Read.
type Options struct {
	// Problem is the number, from 1, or the name of the problem to read in a file of several problems.
	// It may be "" for a file of one problem.
	Problem string
	Memory  int64 // limit in bytes for a cover; 0 means no limit
}

type format struct {
	name       string
	about      string
	extensions []string // extensions of file names; the first one is for files that are written
	cover      bool     // whether files hold covers, not puzzles
	binary     bool     // whether files may be compressed by gzip
	several    bool     // whether files may have several problems
	// recognises returns false for every puzzle file and every text of a cover in Pavage's formats.
	recognises func(data []byte) bool
	read       func(*source) (*Content, error)      // nil if the format is not read
	write      func(io.Writer, *tiling.Model) error // nil if the format is not written
}

// Recognise tries the formats in this order. The formats with the most reliable tests are first.
var formats = []format{
	{
		name: "xmpuzzle", about: "puzzles of BurrTools, packed or not",
		extensions: []string{".xmpuzzle"}, binary: true, several: true,
		recognises: isBurrTools, read: readBurrTools, write: writeBurrTools,
	},
	{
		name: "polycube", about: "puzzle definitions of M. Busche's polycube",
		extensions: []string{".def"}, several: true,
		recognises: isPolycube, read: readPolycube,
	},
	{
		name: "dimacs", about: "formulas that state an exact cover",
		extensions: []string{".cnf"}, cover: true,
		recognises: isDIMACS, read: readDIMACS,
	},
	{
		name: "letters", about: "blocks of letters, each letter a piece",
		recognises: isLetters, read: readLetters,
	},
	{
		name: "dlx", about: "items and options of Knuth's DLX1, DLX2 (XCC) and DLX3 (MCC)",
		extensions: []string{".dlx", ".xcc", ".mcc"}, cover: true,
		recognises: isDLX, read: readDLX, write: writeDLX,
	},
	{
		name: "edges", about: "the edges of a graph, whose perfect matchings are counted",
		extensions: []string{".edges"}, cover: true,
		read: readEdges,
	},
	{
		name: "puzzle", about: "Pavage's own puzzle files",
		write: yamlForm.write,
	},
	{
		name: "json", about: "Pavage's own puzzle files in JSON, for programs",
		write: jsonForm.write,
	},
}

func find(name string) format {
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	if i < 0 {
		return format{}
	}
	return formats[i]
}

func names(has func(format) bool) (names []string) {
	for _, f := range formats {
		if has(f) {
			names = append(names, f.name)
		}
	}
	return names
}

// Readable returns the names of the formats that Read reads.
func Readable() []string { return names(func(f format) bool { return f.read != nil }) }

func writable() []string { return names(func(f format) bool { return f.write != nil }) }

// About returns a description of the files of a format, or "" for an unknown format.
func About(name string) string { return find(name).about }

// IsCover reports whether files of a format hold exact cover problems, which have no board.
func IsCover(name string) bool { return find(name).cover }

// HasSeveral reports whether a file of a format may have several problems.
func HasSeveral(name string) bool { return find(name).several }

// Recognise returns the name of the format to which a file with these first bytes belongs, or "".
func Recognise(data []byte) string {
	for _, f := range formats {
		if f.recognises != nil && f.recognises(data) {
			return f.name
		}
	}
	return ""
}

// ByExtension returns the name of the format to which a file with this name belongs, or "".
func ByExtension(name string) string {
	extension := strings.ToLower(path.Ext(name))
	for _, f := range formats {
		if slices.Contains(f.extensions, extension) {
			return f.name
		}
	}
	return ""
}

// Read reads a file of a [Readable] format. An error about the file is a *tiling.Error with the
// text "name:line:column: mistake, expected X". An error about memory wraps cover.ErrMemory.
func Read(ctx context.Context, format, name string, data []byte, o Options) (*Content, error) {
	f := find(format)
	s := &source{ctx: ctx, name: name, data: data, options: o, looks: interrupt.Context(ctx)}
	switch {
	case f.read == nil:
		return nil, s.errorf(place{}, "format %.40q cannot be read, expected %s", format, wording.List(Readable()))
	case len(data) > MaxBytes:
		return nil, s.errorf(place{1, 1}, "the text is too long, expected at most %d bytes", MaxBytes)
	}
	if !f.binary || !bytes.HasPrefix(data, gzipMark) {
		if err := s.checkText(); err != nil {
			return nil, err
		}
	}
	if o.Problem != "" && !f.several {
		return nil, s.errorf(place{}, "problem %.40q is chosen, but a file of format %s has only one problem, expected no choice", o.Problem, format)
	}
	c, err := f.read(s)
	if err != nil {
		return nil, err
	}
	c.Warnings = s.warnings
	if !wording.Printable(c.Title, tiling.MaxTitleRunes) {
		c.Title = ""
	}
	return c, nil
}

type source struct {
	ctx      context.Context
	name     string
	data     []byte
	line     int // number, from 1, of the last line that the method lines has read; 0 before line 1
	options  Options
	looks    interrupt.Watch
	warnings []string
	err      error // the first error of the method refuse
}

// place is a place of a file. Lines and columns count from 1.
type place struct{ line, column int }

func (s *source) errorf(at place, format string, args ...any) error {
	return &tiling.Error{Name: s.name, Line: at.line, Column: at.column, Text: fmt.Sprintf(format, args...)}
}

func (s *source) lineStart() place { return place{max(1, s.line), 1} }

func (s *source) here(format string, args ...any) error {
	return s.errorf(s.lineStart(), format, args...)
}

func (s *source) refuse(at place, format string, args ...any) {
	if s.err == nil {
		s.err = s.errorf(at, format, args...)
	}
}

func (s *source) warn(format string, args ...any) {
	s.warnings = append(s.warnings, fmt.Sprintf(format, args...))
}

// chosen returns the index of the requested or the only problem. All problems' names are in names.
func (s *source) chosen(names []string, at place) (int, error) {
	wish := s.options.Problem
	var list []string
	for i, name := range names[:min(10, len(names))] {
		list = append(list, strconv.Itoa(i+1))
		if name != "" {
			list[i] += " " + wording.Quote(name)
		}
	}
	if len(names) > len(list) {
		list = append(list, "…")
	}
	n, err := strconv.Atoi(wish)
	switch named := slices.Index(names, wish); {
	case len(names) == 0:
		return 0, s.errorf(at, "the file contains no problem to count, expected at least one")
	case wish == "" && len(names) == 1:
		return 0, nil
	case wish == "":
		return 0, s.errorf(at, "the file has %d problems; choose one with --problem: %s", len(names), strings.Join(list, ", "))
	case err == nil && n >= 1 && n <= len(names):
		return n - 1, nil
	case named >= 0:
		return named, nil
	}
	return 0, s.errorf(at, "the file has no problem %s, expected %s", wording.Quote(wish), wording.List(list))
}

// The constants are numbers of bytes of memory, with the same values as in package cover.
const (
	bytesPerItem   = 128
	bytesPerOption = 24 + 8 + 16 + 64 // including an entry in a map of the type twins
	bytesPerUse    = 16 + 8
)

func (s *source) hold(names, items, options, uses int) error {
	bytes := int64(names) + int64(items)*bytesPerItem + int64(options)*bytesPerOption + int64(uses)*bytesPerUse
	if s.options.Memory > 0 && bytes > s.options.Memory {
		return fmt.Errorf("%w: %s:%d: the first %d items and %d options need over %s of memory", cover.ErrMemory, s.name, s.line, items, options, wording.Plural(s.options.Memory, "byte"))
	}
	return nil
}

func (s *source) lines(read func(text string) error) error {
	for text := range bytes.Lines(s.data) {
		s.line++
		if err := s.looks.Work(1 + len(text)); err != nil {
			return err
		}
		if err := read(string(bytes.TrimSuffix(text, []byte("\n")))); err != nil {
			return err
		}
	}
	return nil
}

type word struct {
	text string
	place
}

// words yields the words of the current line one by one, since the line may be as long as the file.
func (s *source) words(line string) iter.Seq[word] {
	return func(yield func(word) bool) {
		begin := -1
		for i, r := range line {
			switch space := unicode.IsSpace(r); {
			case space && begin >= 0:
				if !yield(word{line[begin:i], place{s.line, begin + 1}}) {
					return
				}
				begin = -1
			case !space && begin < 0:
				begin = i
			}
		}
		if begin >= 0 {
			yield(word{line[begin:], place{s.line, begin + 1}})
		}
	}
}

func firstOf(words iter.Seq[word]) (word, bool) {
	for w := range words {
		return w, true
	}
	return word{}, false
}

var byteOrderMark = []byte("\ufeff")

func (s *source) checkText() error {
	zero := bytes.IndexByte(s.data[:min(4, len(s.data))], 0) >= 0
	if zero || bytes.HasPrefix(s.data, []byte{0xff, 0xfe}) || bytes.HasPrefix(s.data, []byte{0xfe, 0xff}) {
		return s.errorf(place{1, 1}, "the text is in UTF-16, expected UTF-8")
	}
	s.data = bytes.TrimPrefix(s.data, byteOrderMark)
	if utf8.Valid(s.data) {
		return nil
	}
	good := 0 // number of bytes before the first byte that is not UTF-8
	for {
		r, size := utf8.DecodeRune(s.data[good:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		good += size
	}
	before := s.data[:good]
	at := place{1 + bytes.Count(before, []byte("\n")), good - bytes.LastIndexByte(before, '\n')}
	return s.errorf(at, "the byte %#02x here is not UTF-8 text, expected UTF-8 (is the file in Latin-1 or Windows-1252, or compressed?)", s.data[good])
}

type site struct {
	cell     tiling.Cell
	colour   int  // numbered from 1; 0 means no colour
	optional bool // whether a board cell may stay empty
}

func compareSites(a, b site) int { return slices.Compare(a.cell[:], b.cell[:]) }

// builder makes a puzzle for a reader. It checks limits before it allocates memory, and makes the
// names of pieces valid and unique.
type builder struct {
	*source
	puzzle tiling.Puzzle
	names  map[string]int // for "" and each name in use, the least number that may make it unique
	alike  map[string]int // for each shape, the index of the piece that the method copy added
	cells  int            // number of cells of all pieces that are not small: see tiling.LargeCells
}

func (s *source) builder(l *tiling.Lattice, title string) *builder {
	if !wording.Printable(title, tiling.MaxTitleRunes) {
		title = ""
	}
	return &builder{source: s, puzzle: tiling.Puzzle{Title: title, Board: &tiling.Board{Lattice: l}}, names: map[string]int{"": 2}, alike: map[string]int{}}
}

func (b *builder) board(at place, size [3]int, sites []site) {
	if len(sites) > tiling.MaxCells {
		b.refuse(at, "the board has %d cells, expected at most %d cells", len(sites), tiling.MaxCells)
		return
	}
	slices.SortFunc(sites, compareSites)
	board := b.puzzle.Board
	board.Size = size
	for _, s := range sites {
		board.Cells = append(board.Cells, s.cell)
		board.Optional = append(board.Optional, s.optional)
	}
	board.Colours = coloursOf(sites)
}

func coloursOf(sites []site) []int {
	if !slices.ContainsFunc(sites, func(s site) bool { return s.colour != 0 }) {
		return nil
	}
	colours := make([]int, len(sites))
	for i, s := range sites {
		colours[i] = s.colour
	}
	return colours
}

func (b *builder) piece(at place, p tiling.Piece, all []site) {
	if b.cells += tiling.LargeCells(len(all)); b.cells > tiling.MaxShapeCells {
		b.refuse(at, "the pieces of more than %d cells have too many cells together, expected a total of at most %d cells", tiling.MaxSmallCells, tiling.MaxShapeCells)
	}
	if len(b.puzzle.Pieces) == tiling.MaxPieces {
		b.refuse(at, "too many pieces, expected at most %d", tiling.MaxPieces)
	}
	slices.SortFunc(all, compareSites) // the order of cells in a tiling.Shape
	for i := range len(all) - 1 {
		if compareSites(all[i], all[i+1]) == 0 {
			b.refuse(at, "a cell of piece %s is given twice, expected each cell once", wording.Quote(p.Name))
		}
	}
	if b.err != nil {
		return
	}
	p.Lattice = b.puzzle.Board.Lattice
	cells := make([]tiling.Cell, len(all))
	for i, s := range all {
		cells[i] = s.cell
	}
	p.Shape = p.Lattice.Shape(cells...)
	p.Colours = coloursOf(all)
	const room = 8 // characters for '-' and a number, which make a name unique
	var name []rune
	for _, r := range p.Name {
		if len(name) == tiling.MaxNameRunes-room {
			break
		}
		if !unicode.IsPrint(r) || unicode.IsSpace(r) || strings.ContainsRune("=,*#", r) {
			r = '_'
		}
		name = append(name, r)
	}
	unique, k := string(name), max(2, b.names[string(name)])
	for ; b.names[unique] > 0; k++ {
		unique = fmt.Sprintf("%s-%d", string(name), k)
	}
	b.names[unique] = 2
	b.names[string(name)] = k
	p.Name = unique
	b.puzzle.Pieces = append(b.puzzle.Pieces, p)
}

// copy adds a piece or, if an earlier call added a piece of the same shape, one more copy of it.
func (b *builder) copy(at place, p tiling.Piece, sites []site) {
	if b.piece(at, p, sites); b.err != nil {
		return
	}
	all := b.puzzle.Pieces
	last := len(all) - 1
	shape := fmt.Sprint(all[last].Orientations()[0])
	first, again := b.alike[shape]
	if !again {
		b.alike[shape] = last
		return
	}
	all[first].Min++
	all[first].Max++
	b.puzzle.Pieces = all[:last]
	b.cells -= tiling.LargeCells(len(sites))
}

func (b *builder) done(at place) (*Content, error) {
	var e *tiling.Error
	if b.err == nil && errors.As(b.puzzle.Validate(), &e) {
		b.refuse(at, "%s", e.Text)
	}
	return &Content{Puzzle: &b.puzzle}, b.err
}

// colours sets the colours of the puzzle if its board or one of its pieces has colours.
func (b *builder) colours(number int, allow []tiling.Pair) {
	p := &b.puzzle
	if p.Board.Colours == nil && !slices.ContainsFunc(p.Pieces, func(p tiling.Piece) bool { return p.Colours != nil }) {
		return
	}
	for c := range number {
		p.Colours = append(p.Colours, fmt.Sprintf("c%d", c+1))
	}
	slices.SortFunc(allow, func(x, y tiling.Pair) int {
		return slices.Compare([]int{x.Piece, x.Board}, []int{y.Piece, y.Board})
	})
	p.Allow = slices.Compact(allow)
}

// Write writes a model in a format that has a writer. The file has as many solutions as the model.
// If the format cannot express the model, the error wraps tiling.ErrPuzzle.
func Write(ctx context.Context, format string, w io.Writer, m *tiling.Model) error {
	f := find(format)
	if f.write == nil {
		return unsaid("format %.40q cannot be written, expected %s", format, wording.List(writable()))
	}
	if !f.cover && m.IsAbstract() {
		return unsaid("a cover has no board, so that it cannot be written as %s: expected a puzzle", format)
	}
	return f.write(interrupt.Writer(ctx, w), m)
}

func unsaid(format string, args ...any) error {
	return &tiling.Error{Text: fmt.Sprintf(format, args...)}
}
