package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/pavage/pavage/job"
)

// puzzleName is what errors call the text of a puzzle.
const puzzleName = "puzzle"

// textPuzzle is the puzzle of a text: name:soma for a bundled example, else a puzzle
// file or a cover.
func textPuzzle(location, text string) (job.Puzzle, error) {
	if name, ok := strings.CutPrefix(text, job.ExamplePrefix); ok && !strings.ContainsAny(name, " \t\r\n") {
		return job.Puzzle{Example: name}, nil
	}
	if strings.TrimSpace(text) == "" {
		return job.Puzzle{}, wrong(location, "the text is empty, want a puzzle file, or name: and an example's name, such as name:soma")
	}
	if p := scanDigits(location, text); p != nil {
		return job.Puzzle{}, p
	}
	return job.Puzzle{Name: puzzleName, Text: text}, nil
}

// jsonPuzzle is the puzzle of a JSON value, which is one of these:
//
//	"name:soma", "board: 8x8\n…"                         a text
//	{"example": "soma"}                                  a bundled example
//	{"board": "8x8", "pieces": ["domino=any"]}           a board and pieces, as job.Puzzle has them
//	{"board": "8x8", "pieces": [{"shape": …}, …], …}     a puzzle file: any other object
//
// The text of a puzzle file is the object as it was sent, so that the line and column
// of a mistake are those of what was sent.
func jsonPuzzle(location string, raw json.RawMessage) (job.Puzzle, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return job.Puzzle{}, wrong(location, "the puzzle is missing, want a text or an object")
	}
	var text string
	switch {
	case raw[0] == '"' && json.Unmarshal(raw, &text) == nil:
		return textPuzzle(location, text)
	case raw[0] != '{':
		return job.Puzzle{}, wrong(location, "the puzzle is %.20q, want a text or an object", string(raw))
	}
	if p, ok := shortPuzzle(raw); ok {
		return p, nil
	}
	return job.Puzzle{Name: puzzleName, Text: string(raw)}, nil
}

// shortPuzzle is an object that names an example, or a board and pieces as the command
// line does; ok is false if it is a puzzle file.
func shortPuzzle(raw json.RawMessage) (p job.Puzzle, ok bool) {
	var short struct {
		Example string   `json:"example"`
		Board   string   `json:"board"`
		Pieces  []string `json:"pieces"`
		Cover   string   `json:"cover"`
		Motions string   `json:"motions"`
	}
	if strict(raw, &short) != nil {
		return p, false
	}
	p = job.Puzzle{Example: short.Example, Board: short.Board, Pieces: short.Pieces, Cover: short.Cover, Motions: short.Motions}
	return p, p.Example != "" || len(p.Pieces) > 0
}

// strict decodes one JSON value, all fields of which are known.
func strict(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return plain(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more text after the JSON, want one value")
	}
	return nil
}

// plain says a mistake of JSON without the names of Go's types.
func plain(err error) error {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Errorf("the field %s is a %s, want another kind of value", kind.Field, kind.Value)
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

// puzzleOf is the puzzle of a body that is nothing else: its text, or JSON.
func puzzleOf(b body) (job.Puzzle, error) {
	if b.yaml {
		return textPuzzle("body", string(b.text))
	}
	var raw json.RawMessage
	if err := strict(b.text, &raw); err != nil {
		return job.Puzzle{}, wrong("body", "%v", err)
	}
	return jsonPuzzle("body", raw)
}

// PuzzleQuery is a puzzle in a query.
type PuzzleQuery struct {
	Puzzle  string   `query:"puzzle" doc:"A bundled example, such as name:soma, or the text of a puzzle file. In place of board and piece." example:"name:soma"`
	Board   string   `query:"board" doc:"A size such as 8x8 or 4x4x4, or a drawing." example:"8x8"`
	Piece   []string `query:"piece,explode" doc:"A piece or a set of pieces, and how many copies: pentominoes, O4, domino=any, I3=0..2. Once for each." example:"[\"domino=any\"]"`
	Cover   string   `query:"cover" doc:"exact, or at-most: every cell may stay empty." example:"exact"`
	Motions string   `query:"motions" doc:"How pieces may be moved: free, one-sided or fixed." example:"free"`
}

// puzzle is what the query is about.
func (q *PuzzleQuery) puzzle() (job.Puzzle, error) {
	inline := job.Puzzle{Board: q.Board, Pieces: q.Piece, Cover: q.Cover, Motions: q.Motions}
	given := q.Board != "" || len(q.Piece) > 0 || q.Cover != "" || q.Motions != ""
	switch {
	case q.Puzzle != "" && given:
		return job.Puzzle{}, wrong("query", "a puzzle is given in two ways, want puzzle, or board and piece")
	case q.Puzzle != "":
		return textPuzzle("query.puzzle", q.Puzzle)
	case !given:
		return job.Puzzle{}, wrong("query", "there is no puzzle, want board and piece, or puzzle, such as puzzle=name:soma")
	}
	return inline, nil
}
