// Package strict reads JSON into a struct, and describes a mistake in plain words, with its path.
//
// # Purpose
//
// Requests written by hand have mistakes: a name with a missing letter, a number where a text is
// expected, a bracket that is not closed. encoding/json describes mistakes in terms of Go types. An
// [Error] of this package has a path, and names the value there and the expected value:
//
//	{"options": {"distinct": true}}
//	   path ─── options.distinct
//	   text ─── the value is true, expected a text: usual, rotations or all
//
// # Words
//
//   - A path leads to a value: names with dots between them, and [2] for the third element
//     of a list. The path of the whole text is "".
//   - The method Wanted of a type returns the words for the expected value. Without this
//     method, the words are in the tag "expected" of the field. Without this tag, they name
//     the kind of value: a text, a whole number, a list.
//
// # Cost
//
// encoding/json decodes the text. If it is valid, Decode reads it again to find repeated keys. If
// decoding fails, Decode walks through the text to find the path of the mistake.
//
// # Non-goals
//
// Decode does not check ranges of values. It does not limit the depth and the size of the text:
// the caller must limit them.
package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/pavage/pavage/internal/kit/spell"
	"github.com/pavage/pavage/internal/kit/wording"
)

// Error is the first mistake in a text.
type Error struct {
	Path         string // path of the value; "" means the whole text
	Text         string
	Line, Column int // place of the mistake, from 1, if the text is not JSON; otherwise 0
}

func (e *Error) Error() string {
	switch {
	case e.Path != "":
		return e.Path + ": " + e.Text
	case e.Line > 0:
		return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Text)
	}
	return e.Text
}

// Decode decodes one JSON value. Unknown fields and repeated keys are errors of type [*Error]. If
// the value of a field is a former name, Decode stores the current name: see [spell.Current].
func Decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		var syntax *json.SyntaxError
		switch {
		case errors.As(err, &syntax) && syntax.Offset <= int64(len(text)) && !strings.HasPrefix(syntax.Error(), "unexpected end"):
			return at(text, syntax.Offset-1, "this is not JSON: "+broken(syntax))
		case errors.As(err, &syntax), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
			return at(text, int64(len(text)), "the JSON ends too early: a bracket or a quotation mark is not closed")
		}
		if e := mistake(reflect.TypeOf(into).Elem(), text, "", ""); e != nil {
			return e
		}
		return &Error{Text: strings.TrimPrefix(err.Error(), "json: ")}
	}
	behind := d.InputOffset()
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		behind += int64(len(text[behind:]) - len(bytes.TrimLeft(text[behind:], " \t\r\n")))
		return at(text, behind, "there is more text after the JSON, expected one value")
	}
	if e := repeated(text); e != nil {
		return e
	}
	if v := reflect.ValueOf(into).Elem(); v.Kind() == reflect.Struct {
		renew(v)
	}
	return nil
}

func renew(v reflect.Value) {
	for _, f := range FieldsOf(v.Type()) {
		if words := f.Words(); len(words) > 0 {
			text := v.FieldByIndex(f.Field.Index)
			text.SetString(spell.Current(text.String(), words))
		}
	}
}

func broken(err *json.SyntaxError) string {
	text := strings.TrimPrefix(err.Error(), "invalid character ")
	sign, where, found := strings.Cut(text, " ")
	if !found || !strings.HasPrefix(sign, "'") {
		return err.Error()
	}
	wanted := map[string]string{
		"looking for beginning of value":             "a value",
		"looking for beginning of object key string": "a name in quotation marks",
		"after object key":                           "a colon",
		"after object key:value pair":                "a comma or }",
		"after array element":                        "a comma or ]",
		"in string literal":                          "no line break or other control sign in a text",
		"in string escape code":                      `one of \" \\ \/ \b \f \n \r \t \u after a backslash`,
		"after top-level value":                      "nothing more",
		"after decimal point in numeric literal":     "a digit",
		"in numeric literal":                         "a digit",
		"in exponent of numeric literal":             "a digit",
		"in \\u hexadecimal character escape":        "four hexadecimal digits",
	}[where]
	if wanted == "" {
		return err.Error()
	}
	return "there is " + sign + ", expected " + wanted
}

func at(text []byte, offset int64, words string) *Error {
	before := text[:min(max(offset, 0), int64(len(text)))]
	line := bytes.LastIndexByte(before, '\n')
	return &Error{Text: words, Line: 1 + bytes.Count(before, []byte{'\n'}), Column: 1 + len([]rune(string(before[line+1:])))}
}

// Unknown returns the text of an error about an unknown name. It suggests others[name] if names
// contains it. Otherwise it suggests the current name for a former name, or else a similar name.
func Unknown(what, name string, names []string, others map[string]string) string {
	guess := spell.Nearest(name, names)
	if now := spell.Current(name, names); now != name {
		guess = now
	}
	if other := others[name]; slices.Contains(names, other) {
		guess = other
	}
	text := fmt.Sprintf("unknown %s %.40q", what, name)
	if guess != "" {
		text += fmt.Sprintf(", did you mean %s?", guess)
	}
	if len(names) == 0 {
		return text + "; there is none"
	}
	if guess != "" {
		return text + " There are " + strings.Join(names, ", ")
	}
	return text + ", expected " + wording.List(names)
}
