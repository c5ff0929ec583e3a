package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/examples"
	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/internal/kit/strict"
	"github.com/pavage/pavage/job"
)

const puzzleName = "puzzle"

func textPuzzle(location, text string) (job.Puzzle, error) {
	if name, ok := strings.CutPrefix(text, job.ExamplePrefix); ok && !strings.ContainsAny(name, " \t\r\n") {
		return job.Puzzle{Example: name}, nil
	}
	if strings.TrimSpace(text) == "" {
		return job.Puzzle{}, wrong(location, "the text is empty, expected a puzzle file or an example such as name:soma")
	}
	if p := scanDigits(location, text); p != nil {
		return job.Puzzle{}, p
	}
	const wordLetters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_."
	if word := strings.TrimSpace(text); len(word) <= 100 && strings.Trim(word, wordLetters) == "" {
		if guess := examples.Nearest(word); guess != "" {
			return job.Puzzle{}, wrong(location, "the text is %.40q, did you mean %s%s?", word, job.ExamplePrefix, guess)
		}
		return job.Puzzle{}, wrong(location, "the text is %.40q, expected a puzzle file or an example such as name:soma; /v1/examples lists the examples", word)
	}
	return job.Puzzle{Name: puzzleName, Text: text}, nil
}

// jsonPuzzle makes a puzzle of a JSON value, which has one of these forms:
//
//	"name:soma", "board: 8x8\n…"                         a text
//	{"example": "soma"}                                  a bundled example
//	{"board": "8x8", "pieces": ["domino=any"]}           the fields of job.Puzzle
//	{"text": "a b\n…", "from": "dlx"}                    a file of another program, with its format
//	{"data": "H4sI…", "problem": "2"}                    a problem of a binary file, in base64
//	{"text": "board: …", "values": {"day": "3"}}         a puzzle file and values of its parameters
//	{"board": "8x8", "pieces": [{"shape": …}, …], …}     a puzzle file as an object
//
// In the last form, the text of the object is read as a puzzle file, without a change. So the line
// and column of a mistake are the line and column in the object.
func jsonPuzzle(location string, raw json.RawMessage) (job.Puzzle, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return job.Puzzle{}, wrong(location, "the puzzle is missing, expected a text or an object")
	}
	var text string
	switch {
	case raw[0] == '"' && json.Unmarshal(raw, &text) == nil:
		return textPuzzle(location, text)
	case raw[0] != '{':
		return job.Puzzle{}, wrong(location, "the puzzle is %.20q, expected a text or an object", string(raw))
	}
	if p, ok, err := shortPuzzle(raw); ok || err != nil {
		return p, place(location, err)
	}
	return job.Puzzle{Name: puzzleName, Text: string(raw)}, nil
}

func shortPuzzle(raw json.RawMessage) (p job.Puzzle, ok bool, err error) {
	var keys map[string]json.RawMessage
	_ = json.Unmarshal(raw, &keys) // the reader of the puzzle file reports the error
	// Numbers become strings, since a value may be given as 22 or as "22".
	var values map[string]json.RawMessage
	if json.Unmarshal(keys["values"], &values) == nil {
		changed := false
		for name, value := range values {
			if _, err := strconv.ParseInt(string(value), 10, 64); err == nil {
				values[name], changed = quoted(string(value)), true
			}
		}
		if changed {
			keys["values"] = quoted(values)
			raw = quoted(keys)
		}
	}
	err = strict.Decode(raw, &p)
	switch short := keys["example"] != nil || keys["text"] != nil || keys["data"] != nil; {
	case err != nil && short:
		return p, false, err
	case err != nil || p.Name != "":
		return job.Puzzle{}, false, nil
	}
	isFile := p.Text != "" || len(p.Data) > 0
	if isFile {
		p.Name = puzzleName
	}
	return p, isFile || p.Example != "" || len(p.Pieces) > 0, nil
}

func misplaced(keys map[string]json.RawMessage) error {
	for _, name := range fileKeys {
		if keys[name] != nil {
			return wrong("body."+name, `this is a key of a puzzle; put the puzzle under "puzzle", as in {"kind":"count","puzzle":{"board":"8x8","pieces":["domino=any"]}}`)
		}
	}
	return nil
}

var fileKeys = []string{"board", "pieces", "cells", "lattice", "wrap", "cover", "motions", "title", "example"}

func place(where string, err error) error {
	var e *strict.Error
	if !errors.As(err, &e) {
		return err
	}
	if e.Path != "" {
		where += "." + e.Path
	}
	if e.Line == 0 {
		return wrong(where, "%s", human.OneLine(e.Text))
	}
	p := wrong(where, "line %d, column %d: %s", e.Line, e.Column, e.Text)
	p.Errors = []client.Detail{{Message: e.Text, Location: where, Line: e.Line, Column: e.Column}}
	return p
}

// PuzzleQuery has the query parameters that describe a puzzle.
type PuzzleQuery struct {
	Is  string   `json:"is" query:"puzzle" doc:"A bundled example, such as name:soma, or the text of a puzzle file. In place of board and piece." example:"name:soma"`
	Set []string `json:"set" doc:"A value of a parameter of the puzzle file, NAME=VALUE. A parameter without a value here has its first value." example:"[\"month=feb\",\"day=29\"]"`
	job.Puzzle
}

func queryPuzzle(query url.Values) (job.Puzzle, error) {
	var q PuzzleQuery
	if _, err := readQuery(query, &q); err != nil {
		return job.Puzzle{}, err
	}
	given := q.Board != "" || q.Lattice != "" || q.Wrap != "" || len(q.Pieces) > 0 || q.Cover != "" || q.Motions != ""
	switch {
	case q.Is != "" && given:
		return job.Puzzle{}, wrong("query", "the puzzle is given twice, expected puzzle alone, or board and piece")
	case q.Is != "":
		p, err := textPuzzle("query.puzzle", q.Is)
		if err != nil {
			return p, err
		}
		p.From, p.Problem = q.From, q.Problem
		p.Values = map[string]string{}
		for _, word := range q.Set {
			name, value, ok := strings.Cut(word, "=")
			if _, twice := p.Values[name]; !ok || twice {
				return p, wrong("query.set", "the value is %.40q, expected NAME=VALUE, and each name once", word)
			}
			p.Values[name] = value
		}
		return p, nil
	case q.From != "" || q.Problem != "" || len(q.Set) > 0:
		return job.Puzzle{}, wrong("query", "from, problem and set go with a puzzle file, expected puzzle")
	case !given:
		return job.Puzzle{}, wrong("query", "there is no puzzle, expected board and piece, or puzzle, such as puzzle=name:soma")
	case len(q.Pieces) == 0:
		return job.Puzzle{}, wrong("query.piece", "the board is without pieces, expected piece, such as piece=domino=any")
	case q.Board == "":
		return job.Puzzle{}, wrong("query.board", "the pieces have no board, expected the parameter \"board\", such as board=8x8")
	}
	return q.Puzzle, nil
}
