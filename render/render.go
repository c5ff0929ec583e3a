// Package render writes tilings: as text for a terminal, as JSON for programs and
// as pictures for everything else. [Formats] is the table of its formats.
//
// [Text] writes a tiling for a terminal, [Picture] draws a tiling, and [HeatMap] draws numbers.
//
// # Purpose
//
// A picture of a tiling has to answer one question at a glance: which cells belong to one
// placement? Outlines answer it wherever they are printed; colours and letters only help. The
// running example is a tiling of the 2x3 board with dominoes, with the owner of each cell:
//
//	┌───┬───────┐
//	│   │   d   │        owner   0 1 1
//	│ d ├───────┤                0 2 2
//	│   │   d   │
//	└───┴───────┘
//
// # How it works
//
// Each picture is drawn from a scene (scene.go), in which each cell of the board has an owner. The
// owner of a covered cell is its placement. Empty cells have one common owner, but in a puzzle
// without a tiling each is its own owner. There is a border between two neighbouring cells with
// different owners, and pictures are drawn from these borders:
//
//	            scene: owners, borders, parts, anchors
//	           /              |                \
//	text_outline.go:       flat.go: borders  iso.go: the faces in sight of a stack
//	characters for each    of a layer as     of cubes, as triangles with
//	side of a cell         directed edges    owners; their borders as edges
//	                            \                /
//	                   scene.go: edges chained into closed paths
//	                              |
//	                         package pen: paths and texts as SVG, PNG, TikZ
//
// A piece alone (pieces.go) is a scene whose board is the piece. A puzzle without a tiling is a
// scene whose placements are the given placements. Its other rules are drawn over the cells
// (clues.go): walls and links on sides, and regions, which are the placements of another scene.
//
// The board's lattice defines which cells are neighbours and where their corners are. So a
// new lattice needs no code for pictures. In text, only squares, hexagons and triangles are
// drawn, which text_outline.go knows by their corners.
//
// A part is a connected part of a placement in one layer. It has one letter, at its
// anchor; a legend explains the letters. palette.go has the colours. The colour of a
// piece depends on its index in the puzzle ([PieceColours]), unless [ColorBy] has another value.
// The bytes of a picture do not depend on the order of the placements. [Cutouts] are sheets of
// paper, drawn in millimetres (paper.go).
//
// Cube boards are drawn in layers, layer 0 (the bottom) first, and in pictures also as a stack of
// cubes seen from above. Row numbers grow down to the left, column numbers down to the right:
//
//	   / \
//	 / top \           corner (layer z, row y, column x) of a cell is drawn
//	|\     /|          (x-y)·√3/2 to the right
//	|  \ /  |          (x+y)/2 - z down
//	|row|col|          in cell sides
//	 \  |  /
//	   \|/
//
// Beside the stack, a picture has the layers, or the box as seen from three sides (iso.go). Solids
// for printers and viewers (solids.go) are made of the same scenes, with package solid.
//
// [HeatMap] shows a number for each cell as a colour (heat_draw.go, with the scales of colours in
// palette.go), and [HeatText] writes these numbers as a table. [BarChart] and [BarsText] draw
// counts as bars. Callers pass exact numbers; floats are used only for colours and lengths.
//
// # Non-goals
//
// This package does not check the shapes of placements, or the bounds of their pieces.
// It checks only that placements are on the board and do not overlap, so that they can
// be drawn. Letters of PNG are in the Go font; letters of
// SVG and TikZ are in a font of the program that shows the picture.
//
// # Size and cost
//
// Time and memory are linear in the cells of the smallest box around the
// board, at most tiling.MaxVolume, except for a sort of the edges of each path. Writers of text
// and JSON store data that all tilings of a puzzle share: which cells meet in a character
// (plan), the places of letters (lettersOf), and names as JSON.
//
// # References
//
// Unicode blocks 2500–257F (box drawing) and 2580–259F (shade). Distances of colours: B. Ottosson,
// A perceptual color space for image processing (2020). Colour blindness: G. M. Machado et al.,
// IEEE TVCG 15 (2009) 1291–1298.
package render

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"sync"

	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/render/solid"
	"github.com/pavage/pavage/tiling"
)

// ErrInvalid is wrapped by every error about the picture itself and not about writing it.
var ErrInvalid = errors.New("cannot draw")

// Tiling is a tiling to write, with the numbers that identify it among all tilings of a puzzle.
type Tiling struct {
	Placements []tiling.Placement // if nil, Lines uses Model and Numbers
	Tree       bool               // whether the placements are the edges of a tree, not a tiling
	// Options has the items of each option of a solution of a cover, which has no placements.
	Options [][]string
	Numbers []int // numbers of the placements in Model, or of the options in a cover
	// Model has all placements. If it is nil, the format compact cannot be written.
	Model Numbered
	Rank  *big.Int // rank among all tilings, from 0; nil if unknown
	// SweepRank is the rank in the order of a sweep; nil if unknown.
	SweepRank *big.Int
	Weight    *big.Rat // product of the weights of the placements; nil without weights
	Cursor    string   // cursor after which a listing continues; "" if unknown
}

// Numbered has the numbered placements of a puzzle: a [tiling.Model] or [tiling.Pairs].
type Numbered interface {
	Number() int
	// Placement returns placement n. The slice of its cells may use the memory of the slice room.
	Placement(n int, room []int) tiling.Placement
}

func (t Tiling) placed(room *[]tiling.Placement) []tiling.Placement {
	if t.Placements != nil || t.Model == nil {
		return t.Placements
	}
	*room = (*room)[:0]
	for _, n := range t.Numbers {
		*room = append(*room, t.Model.Placement(n, nil))
	}
	return *room
}

// Options has the options of all formats. A format ignores the options of other formats.
type Options struct {
	Text    TextOptions
	Picture PictureOptions
}

// Format is a way to write tilings: a row of the table Formats.
type Format struct {
	Name      string // name in flags and requests
	Extension string // extension of file names, with the dot
	MediaType string // media type in HTTP
	What      string // description of the documents

	// Most limits the pictures (see PictureOptions.Tilings) in a document; 0 means no limit.
	Most int

	// NeedsBoard means that the format cannot write solutions of a cover, which has no board.
	NeedsBoard bool

	// Begin returns a Writer of a document, a *Lines if Most is 0. It writes nothing before Add.
	Begin func(io.Writer, *tiling.Puzzle, Options) Writer
}

// Writer writes the tilings of a document. An error that is not about writing wraps ErrInvalid.
type Writer interface {
	// Add writes the next tiling, immediately if the format can, since a reader may be waiting.
	Add(Tiling) error
	// Close ends the document. It does not close the underlying writer.
	Close() error
}

const maxSheet = 1000

// Formats has the formats, in the order shown to users. A new format needs a writer and a row here.
var Formats = slices.Concat([]*Format{
	{
		Name: "text", Extension: ".txt", MediaType: "text/plain; charset=utf-8", What: "pictures in characters",
		Begin: lines(newTextEncoder),
	},
	{
		Name: "json", Extension: ".jsonl", MediaType: "application/jsonl", What: "one JSON object a line",
		Begin: lines(newJSONEncoder),
	},
	{
		Name: "compact", Extension: ".jsonl", MediaType: "application/jsonl", What: "a JSON object of all placements, then for each tiling an array of placement numbers",
		Begin: lines(newCompactEncoder),
	},
}, onBoards())

// onBoards returns the formats of packages pen and solid, and the format of sheets.
func onBoards() (all []*Format) {
	for _, f := range pen.Formats {
		all = append(all, documents(Format{Name: f.Name, Extension: f.Extension, MediaType: f.MediaType, What: f.What, Most: 1}, PictureOptions.Tilings,
			func(w io.Writer, p *tiling.Puzzle, t [][]tiling.Placement, o PictureOptions) error {
				if o.Format = f; o.Double {
					return Sheet(w, p, t, o)
				}
				return Picture(w, p, t[0], o)
			}))
	}
	all = append(all, documents(Format{Name: "sheet", Extension: ".svg", MediaType: "image/svg+xml", What: "one", Most: maxSheet}, PictureOptions.Tilings, Sheet))
	for _, f := range solid.Formats {
		all = append(all, documents(Format{Name: f.Name, Extension: f.Extension, MediaType: f.MediaType, What: f.What, Most: 1}, alone,
			func(w io.Writer, p *tiling.Puzzle, t [][]tiling.Placement, o PictureOptions) error {
				return Solid(w, p, t[0], f, o)
			}))
	}
	return all
}

func alone(PictureOptions) int { return 1 }

func documents(f Format, tilings func(PictureOptions) int, draw func(io.Writer, *tiling.Puzzle, [][]tiling.Placement, PictureOptions) error) *Format {
	f.NeedsBoard = true
	f.Begin = func(w io.Writer, p *tiling.Puzzle, o Options) Writer {
		d := &drawnWriter{most: f.Most * tilings(o.Picture), atOnce: f.Most == 1, options: o.Picture}
		d.draw = func(all [][]tiling.Placement) error { return draw(w, p, all, d.options) }
		return d
	}
	return &f
}

// FormatOf returns the format with this name, or nil.
func FormatOf(name string) *Format {
	i := slices.IndexFunc(Formats, func(f *Format) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return Formats[i]
}

// encoder writes tilings one by one. number is the number of a tiling in its document, from 1.
type encoder interface {
	encode(out buffer, number uint64, t Tiling) error
}

// A buffer is a *bytes.Buffer or a *bufio.Writer, which keeps an error until it is flushed.
type buffer interface {
	io.Writer
	io.ByteWriter
	io.StringWriter
	WriteRune(rune) (int, error)
	AvailableBuffer() []byte
}

// Lines is the [Writer] of a format for any number of tilings. Several goroutines may make parts of
// the document, which are then written in order:
//
//	part := lines.Part(7)   // in any goroutine
//	err := part.Add(t)      // tiling 7
//	err = lines.Write(part) // after tilings 1 to 6
type Lines struct {
	to     io.Writer
	out    *bufio.Writer
	parts  sync.Pool
	number uint64 // number of the last tiling written
}

// Part is the text of consecutive tilings.
type Part struct {
	encoder encoder
	text    bytes.Buffer
	number  uint64 // number of the next tiling
}

// lines returns a function for Format.Begin. The result of the function begin makes encoders.
func lines(begin func(*tiling.Puzzle, Options) func() encoder) func(io.Writer, *tiling.Puzzle, Options) Writer {
	return func(out io.Writer, p *tiling.Puzzle, o Options) Writer {
		l, encoderOf := &Lines{to: out, out: bufio.NewWriterSize(out, 1<<16)}, begin(p, o)
		l.parts.New = func() any { return &Part{encoder: encoderOf()} }
		return l
	}
}

// Part returns an empty part, whose first tiling will have the number first. Several goroutines may
// call Part at the same time.
func (l *Lines) Part(first uint64) *Part {
	p := l.parts.Get().(*Part)
	p.number = first
	return p
}

// Add appends the next tiling.
func (p *Part) Add(t Tiling) error {
	n := p.text.Len()
	if err := p.encoder.encode(&p.text, p.number, t); err != nil {
		p.text.Truncate(n)
		return err
	}
	p.number++
	return nil
}

// Write writes a part, which must follow the last written tiling. Do not use the part afterwards.
func (l *Lines) Write(p *Part) error {
	_, err := p.text.WriteTo(l.to)
	l.number = p.number - 1
	p.text.Reset()
	l.parts.Put(p)
	return err
}

// Add implements Writer. The text of a large tiling is never in memory as a whole.
func (l *Lines) Add(t Tiling) error {
	p := l.Part(l.number + 1)
	defer l.parts.Put(p)
	if err := p.encoder.encode(l.out, p.number, t); err != nil {
		l.out.Reset(l.to)
		return err
	}
	l.number = p.number
	return l.out.Flush()
}

// Close implements Writer.
func (l *Lines) Close() error { return nil }

type drawnWriter struct {
	most    int
	atOnce  bool // whether to write the document as soon as it has all tilings
	options PictureOptions
	draw    func(tilings [][]tiling.Placement) error
	tilings [][]tiling.Placement
}

func (w *drawnWriter) Add(t Tiling) error {
	if len(w.tilings) == w.most {
		return fmt.Errorf("%w: too many tilings for one document, expected at most %d",
			ErrInvalid, w.most)
	}
	w.tilings = append(w.tilings, t.Placements)
	w.options.tree = t.Tree
	if !w.atOnce || len(w.tilings) < w.most {
		return nil
	}
	return w.draw(w.tilings)
}

func (w *drawnWriter) Close() error {
	if len(w.tilings) == 0 || w.atOnce && len(w.tilings) == w.most {
		return nil
	}
	return w.draw(w.tilings)
}
