package puzzlefile

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/tiling"
)

// badMarks are puzzles with a mistake in colours, allow, place, forbid or groups. The lines before
// them have no mistake: a 2x3 board with dominoes and an L3.
var badMarks = map[string]struct{ file, want string }{
	"colours text":       {"colours: white", `3:10: the value of "colours" is text, expected a mapping such as {w: white, b: black}`},
	"colours empty":      {"colours: {}", `3:10: the value of "colours" has no colour, expected a mapping such as {w: white, b: black}`},
	"pattern alone":      {"colours: {pattern: wb}", `3:10: the value of "colours" has no colour, expected a mapping such as {w: white, b: black}`},
	"two letters":        {"colours: {wh: white}", `3:11: bad letter "wh" for a colour, expected a letter a..z or A..Z, or pattern`},
	"a digit":            {`colours: {"1": white}`, `3:11: bad letter "1" for a colour, expected a letter a..z or A..Z, or pattern`},
	"a mark":             {"colours: {o: white}", `1:8`},
	"letter twice":       {"colours: {w: white, w: black}", "3:21: letter w is given twice, expected each letter once"},
	"name twice":         {"colours: {w: white, b: white}", `3:24: two colours have the name "white", expected different names`},
	"no name":            {"colours: {w: }", "3:13: the name of a colour has no value, " + emptyHint},
	"long name":          {"colours: {w: " + strings.Repeat("x", 65) + "}", `3:14: bad name "` + strings.Repeat("x", 40) + `"… of a colour, expected 1 to 64 printable characters`},
	"pattern letter":     {"colours: {w: white, pattern: wk}", `3:30: line 1 of the drawing has "k", expected '#', 'w' or a blank; the key "colours" has no letter k`},
	"pattern ragged":     {"colours: {w: white, pattern: ww/w}", "3:30: line 2 of the drawing has 1 cell, expected 2 as in the first line"},
	"pattern twice":      {"colours: {w: white, pattern: w, pattern: w}", "3:33: key pattern is given twice, expected each key once"},
	"allow alone":        {"allow: [[white, black]]", `3:8: the key "allow" needs the key "colours", such as colours: {w: white, b: black}`},
	"allow text":         {"colours: {w: white, pattern: w}\nallow: white", `4:8: the value of "allow" is text, expected [[colour of a piece, colour of the board], …] or {only: [[colour of a piece, colour of the board], …]}`},
	"allow one":          {"colours: {w: white, pattern: w}\nallow: [[white]]", "4:9: bad pair of colours, expected [colour of a piece, colour of the board]"},
	"allow unknown":      {"colours: {w: white, pattern: w}\nallow: [[white, whit]]", `4:17: unknown colour "whit", did you mean white?`},
	"allow equal":        {"colours: {w: white, pattern: w}\nallow: [[white, white]]", "4:9: the colours white and white are an allowed pair already, expected each pair once, and no pair of equal colours"},
	"only twice":         {"colours: {w: white, pattern: w}\nallow: {only: [[white, white], [white, white]]}", "4:32: the colours white and white are an allowed pair already, expected each pair once, and no pair of equal colours"},
	"groups text":        {"groups: all", `3:9: the value of "groups" is text, expected a list such as [{of: [F5, L5], copies: 1}]`},
	"group of text":      {"groups: [all]", "3:10: a group is text, expected a group such as {of: [F5, L5], copies: 3..4}"},
	"group without":      {"groups: [{of: all}]", `3:10: the group has no key "copies", expected a group such as {of: [F5, L5], copies: 3..4}`},
	"group unknown":      {"groups: [{of: [dominoe], copies: 1}]", `3:16: the puzzle has no piece "dominoe", did you mean domino?`},
	"group set":          {"groups: [{of: trominoes, copies: 1}]", `3:15: the puzzle has no piece "I3", which belongs to the set trominoes; expected all pieces of the set`},
	"group twice":        {"groups: [{of: [L3, all], copies: 1}]", `3:20: piece "L3" is in the group already, expected each piece once`},
	"group empty":        {"groups: [{of: [], copies: 1}]", "3:27: the group has no piece, expected at least one piece"},
	"group backwards":    {"groups: [{of: all, copies: 3..2}]", "3:28: the range \"3..2\" runs backwards, expected 2..3"},
	"group over":         {"groups: [{of: [L3], copies: 2}]", "3:29: the group requires 2 copies, but its pieces allow a total of at most 1; expected fewer copies of the group or more copies of its pieces"},
	"group under":        {"groups: [{of: all, copies: 0}]", "3:28: the group allows 0 copies, but its pieces require a total of at least 1; expected more copies of the group or fewer copies of its pieces"},
	"walls text":         {"walls: x", `3:8: the value of "walls" is text, expected a list of pairs of cells such as [[[0, 0], [0, 1]]]`},
	"wall of one":        {"walls: [[[0,0]]]", "3:9: bad pair of cells, expected two neighbours such as [[0, 0], [0, 1]]"},
	"wall without list":  {"walls: [[0,0],[0,1]]", "3:9: bad pair of cells, expected two neighbours such as [[0, 0], [0, 1]]"},
	"joined word":        {"joined: [x]", "3:10: bad pair of cells, expected two neighbours such as [[0, 0], [0, 1]]"},
	"wall of three":      {"walls: [[[0,0],[0,1],[0,2]]]", "3:9: bad pair of cells, expected two neighbours such as [[0, 0], [0, 1]]"},
	"wall cell twice":    {"walls: [[[0,0],[0,0]]]", "3:16: a cell is given twice, expected each cell once"},
	"wall outside":       {"walls: [[[0,2],[0,3]]]", "3:16: the board has no cell 0,3, expected row, column of a cell, counted from 0"},
	"wall apart":         {"walls: [[[0,0],[1,1]]]", "3:9: cells 0,0 and 1,1 are no neighbours, expected two cells that share a side"},
	"wall around":        {"walls: [[[0,0],[0,2]]]", "3:9: cells 0,0 and 0,2 are no neighbours, expected two cells that share a side"},
	"wall twice":         {"walls: [[[0,0],[0,1]], [[0,1],[0,0]]]", "3:24: cells 0,0 and 0,1 are given twice, expected each pair once"},
	"walls":              {"walls: [" + strings.Repeat("[[0,0],[0,1]], ", tiling.MaxParts) + "]", "3:24: cells 0,0 and 0,1 are given twice, expected each pair once"},
	"joined twice":       {"joined: [[[0,0],[0,1]], [[0,1],[0,0]]]", "3:25: cells 0,0 and 0,1 are given twice, expected each pair once"},
	"wall and joined":    {"walls: [[[0,0],[0,1]]]\njoined: [[[0,1],[0,0]]]", "4:10: cells 0,0 and 0,1 have a wall between them, so they cannot be joined"},
	"wall in a place":    {"walls: [[[0,0],[0,1]]]\nplace: [{piece: domino, cells: [[0,0],[0,1]]}]", `4:9: no placement of the piece "domino" has these cells, expected a placement that fits and may be used`},
	"regions mapping":    {"regions: {a: b}", "3:10: regions is a mapping, expected text"},
	"regions rows":       {"regions: aab", "3:10: the regions have 1 row, expected 2, as the board has"},
	"regions outside":    {"regions: |\n  aab\n  .abc", `5:6: line 2 of the drawing has 'c' where the board has no cell, expected '.'`},
	"regions mark":       {"regions: |\n  aab\n  .a#", `5:5: line 2 of the drawing has "#", expected '.', a letter, a digit or a blank`},
	"regions slash":      {"regions: aab/.ab", `3:10: line 1 of the drawing has "/", expected '.', a letter, a digit or a blank; rows are separate lines`},
	"regions lines":      {`regions: ["a a b"]`, "3:10: the regions have 1 row, expected 2, as the board has"},
	"regions words":      {`regions: ["a a b", "a b"]`, "3:20: row 2 of the regions has 2 words, expected 3: one for each column of the board"},
	"regions name":       {`regions: ["a a b", "a b=c d"]`, `3:22: bad name "b=c" of a region, expected 1 to 64 printable characters, no blank and none of =,*#, or '.' for no region`},
	"sums text":          {"regions: \"aab\\n.ab\"\nsums: 7", `4:7: the value of "sums" is text, expected a mapping such as {a: 7, b: 0..3}`},
	"sums alone":         {"sums: {a: 7}", `3:8: unknown region "a", expected a region of the key "regions"`},
	"sum unknown":        {"regions: \"aab\\n.ab\"\nsums: {c: 7}", `4:8: unknown region "c", expected a or b`},
	"sum near":           {`regions: ["left left b", ". . ."]` + "\nsums: {lef: 7}", `4:8: unknown region "lef", did you mean left?`},
	"sum twice":          {"regions: \"aab\\n.ab\"\nsums: {a: 7, a: 8}", `4:14: the sum of region "a" is given twice, expected one sum for each region`},
	"sum bad":            {"regions: \"aab\\n.ab\"\nsums: {a: x}", `4:11: bad sum "x", expected N, A..B, A.. or any, with numbers up to 9437184`},
	"sum backwards":      {"regions: \"aab\\n.ab\"\nsums: {a: 3..2}", `4:11: the range "3..2" runs backwards, expected 2..3`},
	"sum large":          {"regions: \"aab\\n.ab\"\nsums: {a: 9437185}", `4:11: bad sum "9437185", expected N, A..B, A.. or any, with numbers up to 9437184`},
	"sum without marks":  {"regions: \"aab\\n.ab\"\nsums: {a: 7}", `4:7: region "a" has a sum, but no piece has marks; expected pieces such as {name: 3-5, shape: "35"} or the set double-six`},
	"place text":         {"place: L3", `3:8: the value of "place" is text, expected a list of {piece: X5, cells: [[0, 1], …]}, {piece: X5, covers: [0, 1]} or X5@0,1`},
	"place no piece":     {"place: [{cells: [[0,0]]}]", "3:9: the place has no piece, expected {piece: X5, cells: [[0, 1], …]}, {piece: X5, covers: [0, 1]} or X5@0,1"},
	"place no cells":     {"place: [{piece: L3}]", `3:9: the place has no cells, expected at least one cell in the key "covers" or "cells"`},
	"place unknown":      {"place: [{piece: X5, cells: [[0,0]]}]", `3:17: the puzzle has no piece "X5", expected domino or L3`},
	"place few":          {"place: [{piece: L3, cells: [[0,0]]}]", `3:28: the number of cells is 1, but the piece "L3" has 3 cells; expected all cells of the piece, or the key "covers" in place of "cells"`},
	"place many":         {"place: [{piece: domino, covers: [[0,0],[0,1],[0,2]]}]", `3:9: 3 cells are given for the piece "domino", expected at most 2 cells`},
	"place both":         {"place: [{piece: domino, cells: [[0,0],[0,1]], covers: [0,0]}]", `3:55: the keys "covers" and "cells" are both given, expected only one of cells or covers`},
	"place cell twice":   {"place: [{piece: domino, cells: [[0,0],[0,0]]}]", "3:39: a cell is given twice, expected each cell once"},
	"place outside":      {"place: [{piece: domino, cells: [[0,0],[0,3]]}]", "3:39: the board has no cell 0,3, expected row, column of a cell, counted from 0"},
	"place bent":         {"place: [{piece: L3, cells: [[0,0],[0,1],[0,2]]}]", `3:9: no placement of the piece "L3" has these cells, expected a placement that fits and may be used`},
	"place apart":        {"place: [{piece: L3, covers: [[0,0],[0,2]]}]", `3:9: no placement of the piece "L3" that may be used covers these cells, expected cells that one can cover`},
	"place clash":        {"place: [L3@0;0]", `3:9: bad cell "0;0", expected row,column (inside brackets, quote the whole entry)`},
	"place in brackets":  {"place: [L3@0,0]", `3:9: bad cell "0", expected row,column (inside brackets, quote the whole entry)`},
	"place two pieces":   {`place: ["L3@0,0", "domino@0,0"]`, `3:19: cell 0,0 is covered by "domino", and by "L3" in an earlier place, expected one placement that covers it`},
	"place overlap":      {"place: [{piece: domino, cells: [[0,0],[0,1]]}, {piece: domino, cells: [[0,1],[0,2]]}]", `3:48: cell 0,1 is covered by "domino", and by "domino" in an earlier place, expected one placement that covers it`},
	"place over copies":  {"place:\n - {piece: L3, cells: [[0,0],[0,1],[1,0]]}\n - {piece: L3, cells: [[1,1],[1,2],[0,2]]}", `5:4: 2 places of the piece "L3", expected at most 1, its copies`},
	"place and forbid":   {"place: [{piece: domino, cells: [[0,0],[0,1]]}]\nforbid: [{piece: domino}]", `3:9: the key "forbid" excludes all placements of the piece "domino" that cover these cells, expected a placement that may be used`},
	"place, forbid part": {"place: [{piece: domino, cells: [[0,0],[0,1]]}]\nforbid: [\"domino@0,1\"]", `3:9: the key "forbid" excludes all placements of the piece "domino" that cover these cells, expected a placement that may be used`},
	"place, forbid else": {"place: [{piece: L3, cells: [[0,0],[0,1],[0,2]]}]\nforbid: [\"L3@1,1\"]", `3:9: no placement of the piece "L3" has these cells, expected a placement that fits and may be used`},
	"place list":         {"place: [[0, 0]]", "3:9: a place is a list, expected {piece: X5, cells: [[0, 1], …]}, {piece: X5, covers: [0, 1]} or X5@0,1"},
	"forbid none":        {"forbid: [{piece: L3, cells: [[0,0],[0,1],[0,2]]}]", `3:10: no placement of the piece "L3" has these cells, expected a placement that fits and may be used`},
	"forbid key":         {"forbid: [{pieces: L3}]", `3:11: unknown key "pieces", did you mean piece?`},
	"place at nothing":   {"place: [L3]", `3:9: bad place "L3", expected {piece: X5, cells: [[0, 1], …]}, {piece: X5, covers: [0, 1]} or X5@0,1`},
	"place bad number":   {`place: ["L3@0,x"]`, `3:9: bad coordinate "x", expected a number from -4096 to 4096`},
	"place wrong colour": {"colours: {w: white, b: black, pattern: wb/bw}\nplace: [{piece: bent, cells: [[0,0],[0,1],[1,0]]}]", ""},
}

// TestOptionalColour: the pattern gives colours to cells that may stay empty.
func TestOptionalColour(t *testing.T) {
	p, err := Parse("f", []byte("board: |\n  ##o\n  #o#\ncolours: {w: white, b: black, pattern: wb/bw}\npieces: [{name: d, shape: wb, copies: any}]\n"))
	if err != nil || !slices.Equal(p.Board.Colours, []int{1, 2, 1, 2, 1, 2}) || !slices.Equal(p.Board.Optional, []bool{false, false, true, false, true, false}) {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestBadMarks(t *testing.T) {
	for name, c := range badMarks {
		file := "board: 2x3\npieces: [{name: domino, copies: any}, L3]\n" + c.file
		switch name {
		case "a mark":
			file, c.want = c.file+"\nboard: 2x3\npieces: [{name: domino, copies: any}]", `1:11: "o" is a mark of drawings on the square lattice, expected another letter for the colour`
		case "place wrong colour":
			file = strings.Replace(file, "L3]", "L3, {name: bent, shape: \"bw\\nw#\"}]", 1)
			file = strings.Replace(file, "w#", "w.", 1)
			c.want = `4:9: no placement of the piece "bent" has these cells, expected a placement that fits and may be used`
		}
		_, err := Parse("f", []byte(file))
		if err == nil || err.Error() != "f:"+c.want {
			t.Errorf("%s:\n%s\n%v, want f:%s", name, file, err, c.want)
		}
		if !errors.Is(err, tiling.ErrPuzzle) {
			t.Errorf("%s: %v is no ErrPuzzle", name, err)
		}
	}
}

// TestReadMarks reads each form, in YAML, and compares the fields of the puzzle.
func TestReadMarks(t *testing.T) {
	p, err := Parse("f", []byte(`
board: |
  wb#
  #oB
colours: {w: white, b: black, B: dark red, pattern: "#/w"}
allow: [[white, dark red], [black, white]]
pieces:
  - {name: d, shape: "wb", copies: any}
  - {name: e, shape: "b.\n#w", copies: 0..2}
  - {set: trominoes, copies: 0..1}
  - monomino
groups:
  - {of: [d, trominoes], copies: 1..}
  - {of: all, copies: 2..9}
place:
  - {piece: d, covers: [0, 0]}
  - {piece: monomino, cells: [[1, 1]]}
forbid:
  - e@0,1
  - {piece: I3}
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ got, want any }{
		{p.Colours, []string{"white", "black", "dark red"}},
		{fmt.Sprint(p.Allow), "[{1 1} {1 3} {2 1} {2 2} {3 3}]"},
		{p.Board.Colours, []int{1, 2, 0, 1, 1, 3}},
		{p.Board.Optional, []bool{false, false, false, false, true, false}},
		{p.Pieces[0].Colours, []int{1, 2}},
		{p.Pieces[1].Colours, []int{2, 0, 1}},
		{p.Pieces[2].Colours, []int(nil)},
		{p.Groups[0].Pieces, []int{0, 2, 3}},
		{p.Groups[0].Copies(), "1.."},
		{p.Groups[1].Pieces, []int{0, 1, 2, 3, 4}},
		{fmt.Sprint(p.Place), "[{0 [0]} {4 [4]}]"},
		{fmt.Sprint(p.Forbid), "[{1 [1]} {2 []}]"},
	} {
		if fmt.Sprintf("%#v", c.got) != fmt.Sprintf("%#v", c.want) {
			t.Errorf("%#v, want %#v", c.got, c.want)
		}
	}
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
}

// TestColoursOnEveryLattice: on every lattice a letter in a drawing is a cell of its colour, and a
// pattern is repeated by coordinates.
func TestColoursOnEveryLattice(t *testing.T) {
	for _, c := range []struct {
		file    string
		colours []int
		pieces  []int
	}{
		{"lattice: hexagon\nboard: |\n  w # b\n   o b\npieces: [{name: p, shape: \"w b\", copies: any}]", []int{1, 0, 2, 0, 2}, []int{1, 2}},
		{"lattice: triangle\nboard: |\n  ^w^\n  vbv\npieces: [{name: p, shape: \"^b\", copies: any}]", []int{0, 1, 0, 0, 2, 0}, []int{0, 2}},
		{"board: |\n  wb\n  #w\n\n  bw\n  w.\npieces: [{name: p, shape: \"w\\n\\nb\", copies: any}]", []int{1, 2, 0, 1, 2, 1, 1}, []int{1, 2}},
	} {
		p, err := Parse("f", []byte(c.file+"\ncolours: {w: white, b: black}"))
		if err != nil {
			t.Error(err)
			continue
		}
		if !slices.Equal(p.Board.Colours, c.colours) || !slices.Equal(p.Pieces[0].Colours, c.pieces) {
			t.Errorf("%s\ncolours %v and %v, want %v and %v", c.file, p.Board.Colours, p.Pieces[0].Colours, c.colours, c.pieces)
		}
	}
	p, err := Parse("f", []byte("board: 2x2x3\ncolours: {w: white, b: black, pattern: wb/bw//bw/wb}\npieces: [monomino]"))
	if want := []int{1, 2, 1, 2, 1, 2, 2, 1, 2, 1, 2, 1}; err != nil || !slices.Equal(p.Board.Colours, want) {
		t.Errorf("%v, want %v", p, want)
	}
}

// TestAllowOnly: {only: …} is the whole relation.
func TestAllowOnly(t *testing.T) {
	for allow, want := range map[string]int{
		"{only: []}":               0,
		"{only: [[white, black]]}": 1,
		"{only: [[white, white]]}": 1,
		"[]":                       1,
		"[[white, black]]":         2,
		"{only: [[white, black],[white, white]]}": 2,
	} {
		p, err := Parse("f", []byte("board: 1x2\ncover: at-most\ncolours: {w: white, b: black, pattern: wb}\npieces: [{name: p, shape: w}]\nallow: "+allow))
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.Model(context.Background())
		if err != nil || len(m.Placements) != want {
			t.Errorf("%s: %d placements, want %d; %v", allow, len(m.Placements), want, err)
		}
	}
}
