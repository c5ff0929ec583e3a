package job

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/examples"
	"github.com/pavage/pavage/tiling"
)

// Puzzle says which puzzle a request is about, in one of three ways: by the text
// of a puzzle file or of a cover, by the name of a bundled example, or by a board and pieces as
// the command line has them. A puzzle file in JSON is a text too.
type Puzzle struct {
	Name    string   `json:"name,omitempty" doc:"what errors call the text"`
	Text    string   `json:"text,omitempty" doc:"a puzzle file, in YAML or JSON, or an exact cover as convert writes it"`
	Example string   `json:"example,omitempty" doc:"name of a bundled example"`
	Board   string   `json:"board,omitempty" doc:"a size such as 8x8 or 4x4x4, or a drawing"`
	Pieces  []string `json:"pieces,omitempty" doc:"names of pieces or sets for the board, each may be followed by its copies: O4, domino=any, I3=0..2"`
	Cover   string   `json:"cover,omitempty" doc:"exact, or at-most: every cell may stay empty"`
	Motions string   `json:"motions,omitempty" doc:"free, one-sided or fixed"`
}

// ExamplePrefix stands before the name of a bundled example in errors, and where
// a puzzle is named in one word.
const ExamplePrefix = "name:"

// ReadPuzzle reads a puzzle file or a cover, and of one that is too large so much
// that it is refused.
func ReadPuzzle(name string, r io.Reader) (Puzzle, error) {
	text, err := io.ReadAll(io.LimitReader(r, tiling.MaxFileBytes+1))
	if err == nil && len(text) > tiling.MaxFileBytes && cover.IsText(text) {
		var rest []byte
		rest, err = io.ReadAll(io.LimitReader(r, cover.MaxTextBytes+1-int64(len(text))))
		text = append(text, rest...)
	}
	if err != nil {
		return Puzzle{}, fmt.Errorf("%s: %w", name, err)
	}
	return Puzzle{Name: name, Text: string(text)}, nil
}

// check reports a puzzle that is given in no way or in several.
func (p *Puzzle) check() error {
	inline := p.Board != "" || len(p.Pieces) > 0 || p.Cover != "" || p.Motions != ""
	given := 0
	for _, yes := range []bool{p.Text != "" || p.Name != "", p.Example != "", inline} {
		if yes {
			given++
		}
	}
	switch {
	case given != 1:
		return bad("a puzzle is given in %d ways, want one: text, example, or board and pieces", given)
	case inline && strings.TrimSpace(p.Board) == "":
		return bad("{board} is empty, want a size such as 8x8 or 4x4x4, or a drawing")
	case inline && len(p.Pieces) == 0:
		return bad("{board} given without {pieces}")
	}
	return nil
}

// Read makes the puzzle.
func (p *Puzzle) Read() (*tiling.Puzzle, error) {
	switch {
	case p.Board != "":
		return tiling.Inline(p.Board, p.Pieces, p.Cover, p.Motions)
	case p.Example != "":
		data, err := examples.Open(p.Example)
		if err != nil {
			return nil, &Error{Kind: BadInput, err: err}
		}
		return tiling.Parse(ExamplePrefix+p.Example, data)
	}
	if p.IsCover() {
		return nil, bad("%s is a cover, which has no board: want a puzzle", cmp.Or(p.Name, "the text"))
	}
	return tiling.Parse(p.Name, []byte(p.Text))
}

// called is what errors call the puzzle, "" for a board and pieces.
func (p *Puzzle) called() string {
	if p.Example != "" {
		return ExamplePrefix + p.Example
	}
	return p.Name
}

// IsCover reports whether the text is that of an exact cover.
func (p *Puzzle) IsCover() bool { return cover.IsText([]byte(p.Text)) }

// model reads the puzzle and lists its placements, or reads the cover.
func (w *work) model(ctx context.Context, p *Puzzle) (*tiling.Model, error) {
	if p.IsCover() {
		c, err := cover.ReadWithin(ctx, p.Name, strings.NewReader(p.Text), w.limits.Memory)
		if err != nil {
			return nil, err
		}
		return w.holding(tiling.Abstract(c)), nil
	}
	puzzle, err := p.Read()
	if err != nil {
		return nil, err
	}
	m, err := puzzle.ModelWithin(ctx, w.limits.Memory)
	if err != nil {
		return nil, err
	}
	for _, warning := range puzzle.Warnings() {
		w.note(Remark, "warning: "+warning)
	}
	return w.holding(m), nil
}

// holding leaves the rest of the work what memory the model does not take.
func (w *work) holding(m *tiling.Model) *tiling.Model {
	if w.limits.Memory > 0 {
		w.limits.Memory = max(1, w.limits.Memory-m.Bytes())
	}
	return m
}
