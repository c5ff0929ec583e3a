package strict

import (
	"encoding/json"
	"errors"
	"testing"
)

type colour string

func (colour) Wanted() string { return "a text: red or blue" }

type inner struct {
	Memory string `json:"memory,omitempty" expected:"a text such as 512MiB"`
	Number *int   `json:"number"`
}

type base struct {
	Rows string `json:"rows"`
}

type outer struct {
	base
	Kind   string          `json:"kind"`
	Puzzle json.RawMessage `json:"puzzle"`
	Limits inner           `json:"limits"`
	Moduli []uint64        `json:"moduli"`
	Colour colour          `json:"colour"`
	Fast   bool            `json:"fast"`
	Hidden string          `json:"-"`
}

// TestDecode: each mistake has its place, the value found and the value wanted.
func TestDecode(t *testing.T) {
	for text, want := range map[string]string{
		`{"kind":"a","puzzle":[{}],"limits":{"number":null},"rows":"1"}`: "",
		`{"colour":true}`:           "colour: the value is true, expected a text: red or blue",
		`{"limits":{"memory":512}}`: "limits.memory: the value is the number 512, expected a text such as 512MiB",
		`{"limits":{"number":"x"}}`: `limits.number: the value is the text "x", expected a whole number`,
		`{"limits":7}`:              "limits: the value is the number 7, expected an object",
		`{"moduli":[1,-2]}`:         "moduli[1]: the value is the number -2, expected a whole number",
		`{"moduli":{}}`:             "moduli: the value is an object, expected a list",
		`{"fast":"yes"}`:            `fast: the value is the text "yes", expected true or false`,
		`{"rows":[]}`:               "rows: the value is a list, expected a text",
		`{"knd":1}`:                 `knd: unknown field "knd", did you mean kind? There are rows, kind, puzzle, limits, moduli, colour, fast`,
		`{"zzzzzzzz":1}`:            `zzzzzzzz: unknown field "zzzzzzzz", expected rows, kind, puzzle, limits, moduli, colour or fast`,
		`{"limits":{"n":1}}`:        `limits.n: unknown field "n", did you mean number? There are memory, number`,
		`{"Hidden":""}`:             `Hidden: unknown field "Hidden", expected rows, kind, puzzle, limits, moduli, colour or fast`,
		`{"kind":"a","kind":"a"}`:   "kind: this key occurs twice, expected each key once",
		`{"puzzle":[0,{"a":[[{"b":1e999,"c":[],"b":{}}]]}]}`: "puzzle[1].a[0][0].b: this key occurs twice, expected each key once",
		`{"puzzle":{"a b" : "\"c\":", "a\u0020b":{}}}`:       "puzzle.a b: this key occurs twice, expected each key once",
		`{"puzzle":[{"":1,"":2}]}`:                           "puzzle[0].: this key occurs twice, expected each key once",
		`{"puzzle":{"a":{"b":1},"b":{"a":1}}}`:               "",
		`[]`:                                                 "the value is a list, expected an object",
		``:                                                   "line 1, column 1: the JSON ends too early: a bracket or a quotation mark is not closed",
		"{\n  \"kind\": \"a\"":                               "line 2, column 14: the JSON ends too early: a bracket or a quotation mark is not closed",
		"{\n  \"kind\": \"é\" \"rows\":1}":                   `line 2, column 15: this is not JSON: there is '"', expected a comma or }`,
		"{kind:1}":                                           "line 1, column 2: this is not JSON: there is 'k', expected a name in quotation marks",
		"{\"kind\":'a'}":                                     `line 1, column 9: this is not JSON: there is '\'', expected a value`,
		`{} {}`:                                              "line 1, column 4: there is more text after the JSON, expected one value",
	} {
		err := Decode([]byte(text), new(outer))
		got := ""
		if err != nil {
			got = err.Error()
			if e := (*Error)(nil); !errors.As(err, &e) {
				t.Errorf("%s: %T", text, err)
			}
		}
		if got != want {
			t.Errorf("%s:\n%s, want\n%s", text, got, want)
		}
	}
}

// TestFormerWords: a former word of a field is decoded as its successor, and the error about a
// former name of a field suggests the successor.
func TestFormerWords(t *testing.T) {
	var of struct {
		Method string `json:"method" words:"auto sweep"`
		Title  string `json:"title"`
		Spots  int    `json:"spots"`
	}
	if err := Decode([]byte(`{"method":"walk","title":"walk"}`), &of); err != nil || of.Method != "sweep" || of.Title != "walk" {
		t.Errorf("%+v, %v", of, err)
	}
	const want = `cubes: unknown field "cubes", did you mean spots? There are method, title, spots`
	if err := Decode([]byte(`{"cubes":1}`), &of); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
