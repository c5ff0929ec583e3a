package job

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pavage/pavage/compiled"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/examples"
	"github.com/pavage/pavage/exchange"
	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/internal/kit/spell"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// Puzzle defines the puzzle of a request. It has the text or the bytes of a file, the name of a
// bundled example, or a board and pieces. The file may be a puzzle file in YAML or JSON, a cover in
// the text format that convert writes, a compiled file, or a file of another program: see package
// exchange.
type Puzzle struct {
	Name    string   `json:"name,omitempty" query:"-" doc:"the name of the text in errors"`
	Text    string   `json:"text,omitempty" query:"-" doc:"a puzzle file, in YAML or JSON, an exact cover as convert writes it, or a file of another program"`
	Data    []byte   `json:"data,omitempty" query:"-" doc:"a binary file, such as a file that gzip has compressed; base64 in JSON"`
	From    string   `json:"from,omitempty" doc:"the format of the text or data, if it is another program's; by default, the first bytes determine the format"`
	Problem string   `json:"problem,omitempty" doc:"the problem of a file with several problems: its number, from 1, or its name"`
	Example string   `json:"example,omitempty" query:"-" doc:"name of a bundled example"`
	Board   string   `json:"board,omitempty" doc:"a size such as 8x8 or 4x4x4, a drawing, or a shape and its sides: hexagon:4,4,4, triangle:5, rhombus:4x9, diamond:6"`
	Lattice string   `json:"lattice,omitempty" doc:"square, cube, hexagon or triangle; by default, the board determines the lattice"`
	Wrap    string   `json:"wrap,omitempty" doc:"which borders of the board are glued together: none, rows, columns, both (a torus), moebius or klein"`
	Pieces  []string `json:"pieces,omitempty" query:"piece" doc:"names of pieces or sets for the board; each name may be followed by a number of copies: O4, domino=any, I3=0..2"`
	Cover   string   `json:"cover,omitempty" doc:"exact (every cell is covered) or at-most (every cell may stay empty)"`
	Motions string   `json:"motions,omitempty" doc:"free, one-sided or fixed"`

	Values map[string]string `json:"values,omitempty" query:"-" doc:"values of the parameters of a puzzle file, by their names; other parameters have their first values"`

	// opened is a compiled file that this process opened. A diagram in Data is not used.
	opened *compiled.File `json:"-"`
}

// ExamplePrefix precedes names of bundled examples, to distinguish them from names of files.
const ExamplePrefix = "name:"

// Formats returns the values of Puzzle.From.
func Formats() []string { return exchange.Readable() }

// AboutFormat returns a sentence about the program of a format.
func AboutFormat(name string) string { return exchange.About(name) }

// ReadPuzzle reads a puzzle from a file. If the file is too large, ReadPuzzle reads only the
// beginning. A compiled file stays open.
func ReadPuzzle(name string, r io.Reader) (Puzzle, error) {
	opened, r, err := readCompiled(name, r)
	if opened != nil || err != nil {
		return Puzzle{Name: name, opened: opened}, err
	}
	data, err := io.ReadAll(io.LimitReader(r, puzzlefile.MaxFileBytes+1))
	if p := (Puzzle{Name: name, Data: data}); err == nil && len(data) > puzzlefile.MaxFileBytes && p.fileForm() != puzzleFile {
		var rest []byte
		rest, err = io.ReadAll(io.LimitReader(r, exchange.MaxBytes+1-int64(len(data))))
		data = append(data, rest...)
	}
	switch {
	case err != nil:
		return Puzzle{}, fmt.Errorf("%s: %w", name, err)
	case utf8.Valid(data):
		return Puzzle{Name: name, Text: string(data)}, nil
	}
	return Puzzle{Name: name, Data: data}, nil
}

func (p *Puzzle) check() error {
	if err := p.checkStored(); err != nil {
		return err
	}
	inline := p.Board != "" || p.Lattice != "" || p.Wrap != "" || len(p.Pieces) > 0 || p.Cover != "" || p.Motions != ""
	given := 0
	for _, yes := range []bool{p.hasFile() || p.Name != "", p.Example != "", inline} {
		if yes {
			given++
		}
	}
	switch {
	case given != 1:
		return bad("the puzzle is given in %d ways, expected one way: text, example, or board and pieces", given)
	case p.Text != "" && len(p.Data) > 0:
		return bad("both {text} and {data} given, expected one or the other")
	case p.From != "" && !slices.Contains(Formats(), p.From):
		if near := spell.Nearest(p.From, Formats()); near != "" {
			return bad("{from} is %.40q, did you mean %s?", p.From, near)
		}
		return bad("{from} is %.40q, expected %s", p.From, wording.List(Formats()))
	case p.From != "" && p.Name == "" && !p.hasFile():
		return bad("{from} is the format of a file, but no file is given")
	case inline && strings.TrimSpace(p.Board) == "":
		return bad("{board} is empty, expected a size such as 8x8 or 4x4x4, or a drawing")
	case inline && len(p.Pieces) == 0:
		return bad("{board} is given without {pieces}, expected both")
	case p.Problem != "" && (inline || !p.several()):
		return bad("{problem} is %.40q, but the puzzle is not a file with several problems", p.Problem)
	case len(p.Values) > 0 && p.IsCover():
		return bad("{values} given for a cover, expected a puzzle file with parameters")
	case inline && len(p.Values) > 0:
		return bad("{values} given for {board} and {pieces}, expected a puzzle file with parameters")
	}
	return nil
}

// Forms of Pavage's own files. The form of another file is the name of a format in exchange.
const (
	puzzleFile = "" // in YAML or JSON
	coverFile  = "cover"
)

type file struct {
	name, form string
	data       []byte
}

func (p *Puzzle) file() (*file, error) {
	p = p.inside()
	if p.Example == "" {
		return &file{p.Name, p.fileForm(), p.bytes()}, nil
	}
	data, err := examples.Open(p.Example)
	if err != nil {
		return nil, &tiling.Error{Text: err.Error()}
	}
	of := Puzzle{Text: string(data)}
	return &file{ExamplePrefix + p.Example, of.fileForm(), data}, nil
}

func (p *Puzzle) hasFile() bool { return p.Text != "" || len(p.Data) > 0 || p.opened != nil }

func (p *Puzzle) bytes() []byte {
	if len(p.Data) > 0 {
		return p.Data
	}
	return []byte(p.Text)
}

// fileForm returns From if it is set, else the form of the file's extension, else the form that the
// first bytes suggest. The bytes come last, since they may mislead: a cover whose items and options
// are single words looks like a block of letters.
func (p *Puzzle) fileForm() string {
	if form := cmp.Or(p.From, exchange.ByExtension(p.Name)); form != "" {
		return form
	}
	head := p.Data[:min(len(p.Data), puzzlefile.MaxFileBytes)]
	if len(head) == 0 {
		head = []byte(p.Text[:min(len(p.Text), puzzlefile.MaxFileBytes)])
	}
	if cover.IsText(head) {
		return coverFile
	}
	return exchange.Recognise(head)
}

func (f *file) isCover() bool { return f.form == coverFile || exchange.IsCover(f.form) }

func (p *Puzzle) several() bool {
	f, err := p.file()
	return err != nil || exchange.HasSeveral(f.form)
}

// Read returns the puzzle.
func (p *Puzzle) Read() (*tiling.Puzzle, error) {
	p = p.inside()
	m, err := new(work).unplaced(context.Background(), p)
	switch {
	case err != nil:
		return nil, err
	case m.IsAbstract():
		return nil, bad("%s is a cover, which has no board: expected a puzzle with a board", cmp.Or(p.called(), "the text"))
	}
	return m.Puzzle, nil
}

func (p *Puzzle) called() string {
	if p.Example != "" {
		return ExamplePrefix + p.Example
	}
	return p.Name
}

// IsCover reports whether the puzzle is an exact cover, which has no board.
func (p *Puzzle) IsCover() bool {
	p = p.inside()
	if p.Board != "" {
		return false
	}
	f, err := p.file()
	return err == nil && f.isCover()
}

func (w *work) read(ctx context.Context, p *Puzzle) (*tiling.Model, error) {
	m, err := w.unplaced(ctx, p)
	if err != nil || m.IsAbstract() {
		return m, err
	}
	puzzle := m.Puzzle
	if m, err = puzzle.ModelWithin(ctx, w.limits.Memory); err != nil {
		return nil, err
	}
	w.warn(puzzle.Warnings())
	return w.holding(m), nil
}

// unplaced returns the model of a puzzle, without placements, or the model of a cover. If it is
// called again with the same p, it returns the same model.
func (w *work) unplaced(ctx context.Context, p *Puzzle) (m *tiling.Model, err error) {
	if w.puzzle == p {
		return w.model, nil
	}
	if m, err = w.readUnplaced(ctx, p); err == nil {
		w.puzzle, w.model = p, m
	}
	return m, err
}

func (w *work) readUnplaced(ctx context.Context, p *Puzzle) (*tiling.Model, error) {
	if p.Board != "" {
		words := puzzlefile.Words{Board: p.Board, Lattice: p.Lattice, Wrap: p.Wrap, Pieces: p.Pieces, Cover: p.Cover, Motions: p.Motions, Cells: w.cells}
		puzzle, err := interrupt.Await(ctx, words.Puzzle)
		return &tiling.Model{Puzzle: puzzle}, err
	}
	f, err := p.file()
	if err != nil {
		return nil, err
	}
	other := exchange.Options{Problem: p.Problem}
	var puzzle *tiling.Puzzle
	switch {
	case f.isCover():
		c := new(exchange.Content)
		if other.Memory = w.limits.Memory; f.form == coverFile {
			c.Cover, err = cover.ReadWithin(ctx, f.name, bytes.NewReader(f.data), other.Memory)
		} else {
			c, err = exchange.Read(ctx, f.form, f.name, f.data, other)
		}
		if err != nil {
			return nil, err
		}
		w.warn(c.Warnings)
		m := tiling.Abstract(c.Cover)
		m.Puzzle.Title = c.Title
		return w.holding(m), nil
	case f.form == puzzleFile:
		puzzle, err = interrupt.Await(ctx, func() (*tiling.Puzzle, error) { return puzzlefile.ParseWith(f.name, f.data, p.Values, w.cells) })
	case len(p.Values) > 0:
		err = bad("{values} given for %s, expected a puzzle file with parameters", cmp.Or(f.name, "the text"))
	default:
		var c *exchange.Content
		if c, err = exchange.Read(ctx, f.form, f.name, f.data, other); err == nil {
			puzzle = c.Puzzle
			w.warn(c.Warnings)
		}
	}
	if err != nil {
		return nil, err
	}
	if n := puzzle.Parameters; n != nil && len(p.Values) < len(n.All) { // the sender may not know that the puzzle has parameters
		w.note(Remark, "with the values "+n.In(puzzle.Setting))
	}
	return &tiling.Model{Puzzle: puzzle}, nil
}

func (w *work) warn(warnings []string) {
	for _, warning := range warnings {
		w.note(Remark, "warning: "+warning)
	}
}

func (w *work) holding(m *tiling.Model) *tiling.Model {
	w.limits.Memory = limit.Left(w.limits.Memory, m.Bytes())
	return m
}
