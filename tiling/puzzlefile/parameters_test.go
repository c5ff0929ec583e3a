package puzzlefile

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/tiling"
)

// aWeek is a small calendar: one cell of each row stays open, except for one pair of cells.
const aWeek = `title: A week
board:
  - a b c .
  - [1, "2", 3, "#"]
open: [letter, number]
parameters: {letter: [a, b, c], number: 1..3}
except: [{letter: b, number: 2}]
pieces: [{name: domino, copies: any}, {name: monomino, copies: 0..1}]
`

func TestParameters(t *testing.T) {
	p, err := Parse("week", []byte(aWeek))
	if err != nil {
		t.Fatal(err)
	}
	if p.Title != "A week (letter=a, number=1)" || len(p.Board.Cells) != 5 {
		t.Errorf("%q with %d cells", p.Title, len(p.Board.Cells))
	}
	if len(p.Board.Names) != 6 || p.Board.Names[tiling.Cell{0, 0, 0}] != "a" || p.Board.Names[tiling.Cell{0, 1, 2}] != "3" {
		t.Errorf("names %v", p.Board.Names)
	}
	all := p.Parameters.Settings(nil)
	if len(all) != 8 || slices.ContainsFunc(all, func(s tiling.Setting) bool { return slices.Equal(s, tiling.Setting{"b", "2"}) }) {
		t.Errorf("settings %v", all)
	}
	for _, s := range all {
		values := map[string]string{"letter": s[0], "number": s[1]}
		one, err := ParseWith("week", []byte(aWeek), values, tiling.CellLimit{})
		if err != nil {
			t.Fatal(err)
		}
		for c, name := range one.Board.Names {
			if open := name == s[0] || name == s[1]; open == (one.Board.Index(c) >= 0) {
				t.Errorf("%v: cell %s", s, name)
			}
		}
	}
	byNumber := p.Parameters.Settings(nil, 1, 0)
	if !slices.Equal(byNumber[1], tiling.Setting{"b", "1"}) || !slices.Equal(byNumber[7], tiling.Setting{"c", "3"}) {
		t.Errorf("the numbers vary slowest: %v", byNumber)
	}
	if byLetter := p.Parameters.Settings(nil, 0); !slices.EqualFunc(byLetter, byNumber, slices.Equal) {
		t.Errorf("the letters vary fastest: %v", byLetter)
	}
}

// TestOpenColours: cells keep their colours where others are open.
func TestOpenColours(t *testing.T) {
	p, err := Parse("f", []byte("board: [a b c, d e f]\nopen: [b]\ncolours: {w: white, b: black, pattern: ww/bb}\npieces: [monomino]\n"))
	if err != nil || !slices.Equal(p.Board.Colours, []int{1, 1, 2, 2, 2}) {
		t.Errorf("%v, %v", p, err)
	}
	p, err = Parse("f", []byte("board: |\n  wb\n  bw\nopen: [[0, 1]]\ncolours: {w: white, b: black}\npieces: [monomino]\n"))
	if err != nil || !slices.Equal(p.Board.Colours, []int{1, 2, 1}) {
		t.Errorf("%v, %v", p, err)
	}
}

func TestBadValues(t *testing.T) {
	for _, c := range []struct {
		values map[string]string
		want   string
	}{
		{map[string]string{"day": "1"}, `the puzzle has no parameter "day", expected letter or number`},
		{map[string]string{"letter": "q"}, `parameter letter has no value "q", expected a, b or c`},
		{map[string]string{"letter": "b", "number": "2"}, "the puzzle leaves out the values letter=b, number=2, expected other values"},
	} {
		if _, err := ParseWith("week", []byte(aWeek), c.values, tiling.CellLimit{}); err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.values, err, c.want)
		}
	}
	// If the first setting is left out, the next one is chosen.
	p, err := ParseWith("week", []byte(strings.Replace(aWeek, "letter: b", "letter: a", 1)), map[string]string{"number": "2"}, tiling.CellLimit{})
	if err != nil || !slices.Equal(p.Setting, tiling.Setting{"b", "2"}) {
		t.Errorf("%v, %v", p, err)
	}
}

// badParameters maps lines for the puzzle file below to their errors.
var badParameters = map[string]string{
	"open: {}":                                   `5:7: the value of "open" is a mapping, expected a list of names of cells, parameters, or [row, column]`,
	"open: [d]":                                  `5:8: no cell has the name "d", expected the name of a cell of the board or of a parameter, or a cell in its own brackets as in [[0, 0]]`,
	"open: [a, a]":                               `5:11: cell "a" is given twice, expected different cells`,
	"open: [a, [0, 0]]":                          "5:11: cell 0,0 is given twice, expected different cells",
	"parameters: {p: [b, a]}\nopen: [b, p]":      `6:11: cell "b", the value of parameter p, is given twice, expected different cells`,
	"parameters: {p: {b: c}}":                    "5:17: a parameter is a mapping, expected a list such as [jan, feb] or numbers such as 1..31",
	"open: [[0, 2]]":                             "5:8: the board has no cell 0,2, expected cells of the board",
	"open: [a, b, [1, 0], [1, 1]]":               `5:7: the key "open" has all cells of the board, expected at least one cell to cover`,
	"parameters: a":                              `5:13: the value of "parameters" has no parameter, expected a mapping such as {month: [jan, feb], day: 1..31}`,
	"parameters: {a b: 1..2}":                    `5:14: bad name "a b" of a parameter, expected 1 to 64 printable characters, no blank and none of =,*#`,
	"parameters: {p: 2..1}":                      `5:17: the range "2..1" runs backwards, expected 1..2`,
	"parameters: {p: 1..x}":                      `5:17: bad values "1..x", expected a list such as [jan, feb] or numbers such as 1..31`,
	"parameters: {p: []}":                        "5:17: parameter p has no values, expected at least one value",
	"parameters: {p: [x, x]}":                    `5:21: value "x" is given twice, expected each value once`,
	"parameters: {p: [x y]}":                     `5:18: bad value "x y", expected 1 to 16 printable characters without a blank`,
	"parameters: {p: 1..400, q: 1..400}":         "5:25: the parameters have too many combinations of values, expected at most 100000",
	"except: []":                                 `5:9: the key "except" needs the key "parameters", such as parameters: {month: [jan, feb], day: 1..31}`,
	"parameters: {p: 1..2}\nexcept: x":           `6:9: the value of "except" is text, expected a list such as [{month: feb, day: 30}]`,
	"parameters: {p: 1..2}\nexcept: [{q: 1}]":    `6:11: the puzzle has no parameter "q", expected p`,
	"parameters: {p: 1..2}\nexcept: [{p: 3}]":    `6:14: parameter p has no value "3", expected 1 or 2`,
	"parameters: {p: 1..1}\nexcept: [{p: 1}]":    `6:9: the key "except" leaves out every puzzle, expected at least one puzzle to remain`,
	"parameters: {p: 1..2}\nexcept: [[]]":        "6:10: bad exception, expected values of parameters such as {month: feb, day: 30}",
	"parameters: {p: [b, c]}\nopen: [p, a]":      `5:17: no cell has the name "c", expected values of parameter p that are names of cells of the board`,
	"parameters: {p: 1..2}\nopen: [p, a]":        `5:17: no cell has the name "1", expected values of parameter p that are names of cells of the board`,
	"parameters: {p: [b], q: [a]}\nopen: [p]":    `5:22: parameter "q" is used nowhere, expected its name in the key "open"`,
	"parameters: {p: [b, a]}":                    `5:14: parameter "p" is used nowhere, expected its name in the key "open"`,
	"parameters: {p: 1..2, p: 1..2}":             `5:23: parameter "p" is given twice, expected each parameter once`,
	"parameters: {p: [1, 2, [3]]}\nopen: [p, a]": "5:24: a value is a list, expected text",
}

func TestBadParameters(t *testing.T) {
	for _, lines := range slices.Sorted(maps.Keys(badParameters)) {
		_, err := Parse("f", []byte("board:\n  - a b\n  - \"# o\"\npieces: [domino]\n"+lines+"\n"))
		if err == nil || !strings.HasPrefix(err.Error(), "f:"+badParameters[lines]) {
			t.Errorf("%s\n got %v\nwant f:%s", lines, err, badParameters[lines])
		}
	}
}

// badRows maps boards of named cells, from line 1, to their errors.
var badRows = map[string]string{
	"board: [a b, c]\nlattice: cube": "1:8: a board on the cube lattice cannot be rows of words, expected a drawing or a flat lattice",
	"board: [a b, c]":                "1:14: row 2 of the board has 1 word, expected 2 as in the first row (a '#' after a blank begins a comment: quote the row)",
	"board: [a b, c a]":              `1:16: two cells have the name "a", expected different names`,
	"board: [a b, [c, d e]]":         `1:18: bad name "d e" of a cell, expected 1 to 16 printable characters without a blank`,
	"board: [\"\"]":                  "1:9: row 1 of the board has 0 words, expected at least one (a '#' after a blank begins a comment: quote the row)",
	"board: [., .]":                  "1:8: the board has no cell, expected at least one '#' or 'o'",
	"board: []":                      "1:8: the board has no cell, expected at least one '#' or 'o'",
	"board:\n  - a b c\n  - d eeeeeeeeeeeeeeeee f": `3:7: bad name "eeeeeeeeeeeeeeeee" of a cell, expected 1 to 16 printable characters without a blank`,
}

func TestBadRows(t *testing.T) {
	for _, text := range slices.Sorted(maps.Keys(badRows)) {
		_, err := Parse("f", []byte(text+"\npieces: [domino]\n"))
		if err == nil || err.Error() != "f:"+badRows[text] {
			t.Errorf("%s\n got %v\nwant f:%s", text, err, badRows[text])
		}
	}
}
