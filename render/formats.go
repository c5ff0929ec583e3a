package render

import (
	"bufio"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/render/solid"
	"github.com/pavage/pavage/tiling"
)

// Tiling is a tiling to write, and what tells it from the others of its puzzle.
type Tiling struct {
	Placements []tiling.Placement
	// Of a solution of a cover, which has no placements: the items of each option
	Options [][]string
	Numbers []int // of the placements, or of a cover's options, in Model
	// Of all placements; nil: not known, and the format compact cannot be written
	Model *tiling.Model
	Rank  *big.Int // among all tilings, from 0; nil: not known
	// Among the ways of a walk through the levels of a sweep; nil: not known
	WalkRank *big.Int
	Weight   *big.Rat // by the weights of its placements; nil: there are none
	Cursor   string   // after which a listing goes on; "": not known
}

// Options are the ways to write a format. Each format takes those that it knows.
type Options struct {
	Text    TextOptions
	Picture PictureOptions
}

// Format is a way to write tilings: a row of the table Formats.
type Format struct {
	Name      string // what flags and requests call it
	Extension string // of its files, with the dot
	MediaType string // as HTTP has it
	What      string // its documents are, in words

	// Most is how many tilings one document holds: 1 for a picture of a tiling, 0
	// for any number.
	Most int

	// NeedsBoard says that the format cannot write solutions of a cover, which has no board.
	NeedsBoard bool

	// Begin starts a document. Nothing is written before the first Add, and
	// nothing at all if there is none.
	Begin func(io.Writer, *tiling.Puzzle, Options) Writer
}

// Writer writes the tilings of a document, one after another. An error that is
// about what to write, and not about writing it, wraps ErrInvalid.
type Writer interface {
	// Add takes the next tiling. A format that can write it alone has done so when
	// Add returns: somebody may be waiting for it.
	Add(Tiling) error
	// Close ends the document, and not what it is written to.
	Close() error
}

// maxSheet is the most tilings of a document of the format sheet: they are all
// held in memory, by us and then by the viewer.
const maxSheet = 1000

// Formats are the formats, in the order in which help lists them. A new one is a file
// with its writer and a row here; the command line and the server find it.
var Formats = []*Format{
	{
		Name: "text", Extension: ".txt", MediaType: "text/plain; charset=utf-8", What: "pictures in characters",
		Begin: newTextWriter,
	},
	{
		Name: "json", Extension: ".jsonl", MediaType: "application/jsonl", What: "one JSON object a line",
		Begin: newJSONWriter,
	},
	{
		Name: "compact", Extension: ".jsonl", MediaType: "application/jsonl", What: "a JSON object of all placements, then for each tiling an array of placement numbers",
		Begin: newCompactWriter,
	},
	picture(pen.SVG),
	picture(pen.PNG),
	picture(pen.TikZ),
	{
		Name: "sheet", Extension: ".svg", MediaType: "image/svg+xml", What: "one",
		Most: maxSheet, NeedsBoard: true, Begin: func(w io.Writer, p *tiling.Puzzle, o Options) Writer {
			return &drawnWriter{most: maxSheet, draw: func(tilings [][]tiling.Placement) error {
				if o.Picture.Heights {
					return Heights(w, p, tilings, o.Picture)
				}
				return Sheet(w, p, tilings, o.Picture)
			}}
		},
	},
	solidFormat(solid.STL),
	solidFormat(solid.GLTF),
}

// picture is the format of pictures of one tiling.
func picture(f *pen.Format) *Format {
	return &Format{
		Name: f.Name, Extension: f.Extension, MediaType: f.MediaType, What: f.What,
		Most: 1, NeedsBoard: true, Begin: func(w io.Writer, p *tiling.Puzzle, o Options) Writer {
			o.Picture.Format = f
			return &drawnWriter{most: 1, draw: func(tilings [][]tiling.Placement) error {
				if o.Picture.Heights {
					return Heights(w, p, tilings, o.Picture)
				}
				return Picture(w, p, tilings[0], o.Picture)
			}}
		},
	}
}

// FormatOf is the format of that name, or nil.
func FormatOf(name string) *Format {
	i := slices.IndexFunc(Formats, func(f *Format) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return Formats[i]
}

// textWriter draws tilings under a line with their number and rank.
type textWriter struct {
	out     *bufio.Writer
	puzzle  *tiling.Puzzle
	options TextOptions
	drawer  *drawer // nil before the first
	number  int
}

func newTextWriter(w io.Writer, p *tiling.Puzzle, o Options) Writer {
	return &textWriter{out: bufio.NewWriter(w), puzzle: p, options: o.Text}
}

func (w *textWriter) Add(t Tiling) error {
	w.out.Write(w.title(w.out.AvailableBuffer(), t))
	if w.puzzle.Board == nil {
		for _, o := range t.Options {
			fmt.Fprintln(w.out, strings.Join(o, " "))
		}
		return w.out.Flush()
	}
	if w.drawer == nil {
		var err error
		if w.drawer, err = newDrawer(w.puzzle, w.options); err != nil {
			return err
		}
	}
	if err := w.drawer.write(w.out, t.Placements); err != nil {
		return err
	}
	return w.out.Flush()
}

// title appends the line above the next tiling.
func (w *textWriter) title(b []byte, t Tiling) []byte {
	if w.number++; w.number > 1 {
		b = append(b, '\n')
	}
	what := "tiling "
	if w.puzzle.Board == nil {
		what = "solution "
	}
	b = strconv.AppendInt(append(b, what...), int64(w.number), 10)
	if t.Rank != nil {
		b = t.Rank.Append(append(b, ", rank "...), 10)
	}
	if t.WalkRank != nil {
		b = t.WalkRank.Append(append(b, ", walk rank "...), 10)
	}
	if t.Weight != nil {
		b = append(append(b, ", weight "...), t.Weight.RatString()...)
	}
	return append(b, '\n')
}

func (w *textWriter) Close() error { return nil }

// drawnWriter draws its tilings on one picture, or as one solid: a single tiling at once, several at the end.
type drawnWriter struct {
	most    int
	draw    func(tilings [][]tiling.Placement) error
	tilings [][]tiling.Placement
}

func (w *drawnWriter) Add(t Tiling) error {
	if len(w.tilings) == w.most {
		return fmt.Errorf("%w: a tiling more than the %d that one document holds",
			ErrInvalid, w.most)
	}
	w.tilings = append(w.tilings, t.Placements)
	if w.most > 1 {
		return nil
	}
	return w.draw(w.tilings)
}

func (w *drawnWriter) Close() error {
	if w.most == 1 || len(w.tilings) == 0 {
		return nil
	}
	return w.draw(w.tilings)
}
