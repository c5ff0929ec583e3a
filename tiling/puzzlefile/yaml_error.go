package puzzlefile

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/pavage/pavage/internal/kit/wording"
)

// noColon is the error of the parser for a line without a ':'. Its place is after that line.
const noColon = "could not find expected ':'"

// syntax maps errors of the parser to plainer words.
var syntax = map[string]string{
	"did not find expected ',' or ']'":            "a list in brackets without the next ',' or its ']'",
	"did not find expected ',' or '}'":            "a mapping in braces without the next ',' or its '}'",
	"found unexpected end of stream":              "quoted text without its end",
	"found unexpected document indicator":         "quoted text without its end",
	"found unknown escape character":              `a '\' before a character that needs none`,
	"did not find expected hexadecimal number":    `a '\' with too few hexadecimal digits`,
	"found invalid Unicode character escape code": `a '\' with the number of no character`,
	noColon: "text where a key and its ':' should be",
	"mapping values are not allowed in this context": "a ':' where no key can be (quote text with a ':' in it, write keys of a mapping below each other)",
	"did not find expected '-' indicator":            "no '-' before an entry of a list",
	"did not find expected key":                      "no key where the next one of a mapping should be",
	"did not find expected node content":             "no value where one should be",
	"did not find expected <document start>":         "more text after the end of the value",
	"did not find expected comment or line break":    "more than a number, '+' or '-' after a '|' or '>'",
	"found a comment without preceding whitespace":   "a '#' without a blank before it",
	"found character that cannot start any token":    "text that begins with a character that has to be quoted",
}

// explain returns an error of this package for an error of the parser.
func (t *tree) explain(err error) error {
	var load *yaml.LoadError
	if !errors.As(err, &load) {
		return t.at(1, 1).errorf("not YAML: %s, want YAML or JSON", wording.Quote(err.Error()))
	}
	line, column := t.blamed(load)
	n, here := t.at(line, column), t.from(line, column)
	switch {
	case load.Message == errNested.Error():
		return n.wrap(errNested)
	case strings.Contains(load.Message, "tab character"), strings.HasPrefix(here, "\t"):
		return n.errorf("a tab, which YAML does not take for indentation, want blanks")
	}
	if err := t.jsonError(); err != nil {
		return err
	}
	if err := t.leftOut(line); err != nil {
		return err
	}
	if here != "" && load.ContextMsg != "while scanning a quoted scalar" {
		switch what := firsts[here[0]]; {
		case what != "":
			return n.errorf(refused, what)
		case here[0] == ']', here[0] == '}':
			return n.errorf("a bracket that closes nothing, want YAML or JSON")
		case here[0] == '-' && load.ContextMsg == "while parsing a flow node":
			return n.errorf("a '-' in brackets, want values separated by commas")
		}
	}
	message, known := syntax[load.Message]
	switch {
	case load.Stage == yaml.ReaderStage:
		message = "a control character"
	case !known:
		message = load.Message
	}
	if !wording.Printable(message, 200) {
		message = wording.Quote(message)
	}
	return n.errorf("not YAML: %s, want YAML or JSON", message)
}

// leftOut returns an error if YAML cuts off a drawing, as cutOff does, but before a row whose first
// mark does not begin a comment. The parser stops at this row or below it, at the given line.
//
//	board: |
//	    ^         the text
//	   ^v^        not of the text
func (t *tree) leftOut(line int) error {
	first := -1 // blanks before the first row of the block; -1: not in a block
	margin := 0 // blanks before the line of the key, above the block
	for i, row := range t.lines[:min(line+1, len(t.lines))] {
		from := blanks(row)
		switch mark := strings.TrimSpace(row); {
		case mark == "":
		case strings.HasSuffix(mark, "|"):
			first, margin = 0, from
		case first == 0 && drawnIn(mark, everyMark):
			first = from
		case first > from && from > margin && drawnIn(mark, everyMark):
			return t.at(i+1, from+1).errorf(furtherLeft, "does not take for part of it")
		case first <= from && drawnIn(mark, everyMark):
		default:
			first = -1
		}
	}
	return nil
}

// blamed returns the place of the mistake: the place at which the parser stopped or, if the file
// ends there, the place at which the unfinished value begins.
func (t *tree) blamed(e *yaml.LoadError) (line, column int) {
	if e.Stage == yaml.ReaderStage { // its errors have no line, only the index of a byte
		return lineColumn(t.text[:max(0, min(e.Mark.Index, len(t.text)))])
	}
	text := strings.TrimRight(t.text, " \n")
	lastLine, lastColumn := lineColumn(text)
	atEnd := e.Mark.Line > lastLine || e.Mark.Line == lastLine && e.Mark.Column >= lastColumn
	switch begun := e.ContextMark; {
	case begun.Line > 0 && begun != e.Mark && (atEnd || e.Message == noColon):
		return begun.Line, begun.Column
	case atEnd:
		return lastLine, lastColumn
	}
	return e.Mark.Line, e.Mark.Column
}

// lineColumn returns the place of the character after a text.
func lineColumn(before string) (line, column int) {
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
}

// jsonError returns the error of package json for a file that the YAML parser refused and that
// begins like JSON: with a '{' and then a '"' or nothing. It returns nil for other files, and for
// a file that is JSON.
func (t *tree) jsonError() error {
	after, isObject := strings.CutPrefix(strings.TrimSpace(t.file), "{")
	if after = strings.TrimSpace(after); !isObject || after != "" && after[0] != '"' {
		return nil
	}
	var value any
	var syntax *json.SyntaxError
	if !errors.As(json.Unmarshal([]byte(t.file), &value), &syntax) {
		return nil
	}
	n := &node{name: t.name}
	n.line, n.column = lineColumn(t.file[:max(0, min(int(syntax.Offset), len(t.file))-1)])
	if strings.HasPrefix(syntax.Error(), "unexpected end") {
		return n.errorf("not JSON: the text ends here, want what closes all that is open")
	}
	return n.errorf("not JSON: %s", syntax)
}
