package puzzlefile

import (
	"errors"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

const (
	sizeHint  = `expected a size such as 8x8 or 4x4x4, or a drawing of '#', 'o' and '.'`
	copyHint  = "expected N, A..B, A.. or any, with numbers up to 1000000"
	nameHint  = "expected 1 to 64 printable characters, no blank and none of =,*#"
	emptyHint = "expected a value (a '#' after a blank begins a comment: quote the text)"
	plainHint = " is not allowed in a puzzle file, expected plain values: quote text that begins with this character"
	names     = "expected a piece (monomino domino I3 L3 I4 L4 O4 S4 T4 F5 I5 L5 N5 P5 T5 U5 V5 W5 X5 Y5 Z5), a set " +
		"(decominoes dodecominoes double-nine double-six heptominoes hexominoes nonominoes octominoes one-sided-decominoes one-sided-heptominoes one-sided-hexominoes one-sided-nonominoes one-sided-octominoes one-sided-pentominoes one-sided-tetrominoes one-sided-undecominoes pentominoes tetrominoes trominoes undecominoes) " +
		"or a shape, box or cells"
	nines = "9999999999999999999999999999999999999999" // 40 digits: an error repeats no more
)

// bad has puzzle files and their errors, "line:column: text". A file that begins with '-' is one
// entry of the pieces of an 8x8 board, from column 3 of line 3.
var bad = map[string]struct{ file, want string }{
	"nothing":          {"", "1:1: the file has no puzzle, expected keys such as board and pieces"},
	"an end":           {"...", "1:1: the file has no puzzle, expected keys such as board and pieces"},
	"comments":         {"# only\n", "1:1: the file has no puzzle, expected keys such as board and pieces"},
	"a number":         {"42", "1:1: the file is text, expected a mapping with keys such as board and pieces, or the name of the format of another program"},
	"a list":           {"[]", "1:1: the puzzle is a list, expected a mapping with " + wording.List(puzzleKeys)},
	"binary":           {"board: \x00", "1:1: the file has binary data, expected YAML or JSON in UTF-8"},
	"not UTF-8":        {"\xff\xfe", "1:1: the file has binary data, expected YAML or JSON in UTF-8"},
	"too long":         {strings.Repeat(" ", MaxFileBytes+1), "1:1: the file is too long, expected at most 2097152 bytes"},
	"deep brackets":    {strings.Repeat("[", 1000), "1:17: lists and mappings are nested too deeply, expected at most 16 levels"},
	"deep blocks":      {strings.Repeat("- ", 1000), "1:33: lists and mappings are nested too deeply, expected at most 16 levels"},
	"brackets":         {strings.Repeat("[", 1<<20), "1:1: too many commas and open brackets in the file, expected at most 131072"},
	"tabs":             {strings.Repeat("\t", MaxFileBytes), "1:1: the file has no puzzle, expected keys such as board and pieces"},
	"carriage returns": {"board: |\n " + strings.Repeat("\r", 1<<19), `1:8: bad size "", ` + sizeHint},
	"many keys":        {strings.Repeat("a:\n", 200000), `1:1: unknown key "a", expected ` + wording.List(puzzleKeys)},
	"many equal keys":  {strings.Repeat("board:\n", 140000), `2:1: key "board" is given twice, expected each key once`},
	"many values":      {"board: [" + strings.Repeat("a,", 130000) + "]", `1:11: two cells have the name "a", expected different names`},
	"many empty ones":  {"board: [" + strings.Repeat("{a: },", 60000) + "]", "1:9: a row of the board is a mapping, expected text or a list"},
	"anchor":           {"a: &x 1\nb: *x", "1:4: an anchor (&)" + plainHint},
	"alias":            {"b: *x", "1:4: an alias (*)" + plainHint},
	"tag":              {"a: !!str 1", "1:4: a tag (!)" + plainHint},
	"directive":        {"%YAML 1.2\n---\na: 1", "1:1: a directive (%)" + plainHint},
	"merge key":        {"<<: {a: 1}", "1:1: a merge key (<<)" + plainHint},
	"complex key":      {"? a\n: b", "1:1: a complex key (?)" + plainHint},
	"two documents":    {"board: 1x1\n---\nboard: 1x1", "3:1: the file has a second document, expected one puzzle in a file"},
	"many documents":   {strings.Repeat("---\n", 9), "1:1: the file has no puzzle, expected keys such as board and pieces"},
	"open bracket":     {"a: [1,2", "1:4: not YAML: a list in brackets without the next ',' or its ']', expected YAML or JSON"},
	"closed bracket":   {"a: ]", "1:4: not YAML: no value where one should be, expected YAML or JSON"},
	"dash in brackets": {"[- 1]", "1:2: not YAML: no value where one should be, expected YAML or JSON"},
	"open quote":       {"a: \"x", "1:4: not YAML: quoted text without its end, expected YAML or JSON"},
	"indentation":      {"a: 1\n b: 2", "2:3: not YAML: a ':' where no key can be (quote text with a ':' in it, write keys of a mapping below each other), expected YAML or JSON"},

	"open lists":        {"a: {b: [", "1:9: not YAML: no value where one should be, expected YAML or JSON"},
	"control":           {"a: b\ntitle: é\x01", "2:9: not YAML: a control character, expected YAML or JSON"},
	"no colon":          {"a: |\n b\nc", "3:1: not YAML: text where a key and its ':' should be, expected YAML or JSON"},
	"later complex":     {"a: b\n? c\n: d", "2:1: a complex key (?)" + plainHint},
	"complex in braces": {"{? a: b}", "1:2: a complex key (?)" + plainHint},
	"bare tag":          {"board: ! 1", "1:8: a tag (!)" + plainHint},
	"list as key":       {"[a]: b", "1:1: the key is not plain text, expected a word"},
	"number as key":     {"1: b", "1:1: the key is not plain text, expected a word"},
	"reserved":          {"a: @b", "1:4: not YAML: text that begins with a character that must be quoted, expected YAML or JSON"},
	"tab as blank":      {"board: 2x2\npieces:\n-\tname: O4", "3:2: the line is indented by a tab, which YAML does not accept; expected blanks"},
	"after surrogates":  {`{"title": "\ud83d\ude00\ud83d\ude00", "bord": 1}`, `1:39: unknown key "bord", did you mean board?`},
	"line separators":   {"# \u2028\n# \u0085\nbord: 1", `3:1: unknown key "bord", did you mean board?`},
	"joined, quoted":    {"board: \"##\\\n  ##\"", `1:8: board has lines that YAML joins, expected a block that begins with |, or "…\n…" on one line`},
	"empty in braces":   {"{board: , pieces: []}", "1:8: board has no value, " + emptyHint},

	"no pieces key": {"board: 8x8", "1:1: the key \"pieces\" is missing, expected \"pieces:\" with a list such as [domino]"},
	"no board":      {"pieces: [O4]", "1:1: the key \"board\" is missing, expected \"board:\" with a size such as 8x8 or 4x4x4, or a drawing of '#', 'o' and '.'"},
	"no pieces":     {"board: 8x8\npieces: []", "2:9: the puzzle has no pieces, expected at least one piece"},
	"pieces text":   {"board: 8x8\npieces: O4", `2:9: the value of "pieces" is text, expected a list`},
	"unknown key":   {"board: 8x8\nbord: 1", `2:1: unknown key "bord", did you mean board?`},
	"key twice":     {"board: 8x8\nboard: 8x8", `2:1: key "board" is given twice, expected each key once`},
	"JSON twice":    {`{"board": "8x8", "board": "8x8"}`, `1:18: key "board" is given twice, expected each key once`},
	"title lines":   {"title: \"a\\nb\"\nboard: 8x8", `1:8: bad title "a\nb", expected one line of at most 1000 printable characters`},
	"title list":    {"title: [a]\nboard: 8x8", "1:8: title is a list, expected text"},
	"lattice":       {"board: 8x8\nlattice: hexagonal", `2:10: unknown lattice "hexagonal", did you mean hexagon?`},
	"cover":         {"board: 8x8\ncover: most", `2:8: unknown cover "most", expected exact or at-most`},
	"motions":       {"board: 8x8\nmotions: any", `2:10: unknown motions "any", expected free, one-sided or fixed`},

	"side 0":          {"board: 0x8", `1:8: bad side "0" in size "0x8", expected a side of 1..4096`},
	"vast board":      {"board: 100000x100000", `1:8: bad side "100000" in size "100000x100000", expected a side of 1..4096`},
	"large board":     {"board: 1025x1024", `1:8: size "1025x1024" has 1049600 cells, expected at most 1048576 cells`},
	"large cube":      {"board: 4096x4096x4096", `1:8: size "4096x4096x4096" has 68719476736 cells, expected at most 1048576 cells`},
	"long number":     {"board: " + strings.Repeat("9", 1000000) + "x8", `1:8: bad side "` + nines + `"… in size "` + nines + `"…, expected a side of 1..4096`},
	"no side":         {"board: 8x", `1:8: bad side "" in size "8x", expected a side of 1..4096`},
	"one side":        {"board: 8", `1:8: bad size "8", ` + sizeHint},
	"blank in side":   {"board: 1 0x8", `1:8: bad side "1 0" in size "1 0x8", expected a side of 1..4096`},
	"four sides":      {"board: 2x2x2x2", `1:8: bad size "2x2x2x2", ` + sizeHint},
	"negative side":   {"board: -8x8", `1:8: bad side "-8" in size "-8x8", expected a side of 1..4096`},
	"no size":         {"board: large", `1:8: bad size "large", ` + sizeHint},
	"empty board":     {"board: ''", `1:8: bad size "", ` + sizeHint},
	"no value":        {"board: ##", "1:8: board has no value, " + emptyHint},
	"ragged":          {"board: |\n  ###\n  ##\n", "3:5: line 2 of the drawing has 2 cells, expected 3 as in the first line"},
	"ragged layers":   {`board: "##\n##\n\n##"`, "1:8: layer 2 of the drawing has 1 row, expected 2 as in the first layer"},
	"blank lines":     {`board: "##\n\n\n##"`, "1:8: line 3 of the drawing is blank, expected a row: one blank line separates two layers"},
	"mark":            {"board: |\n  ###\n  #z#\n", `3:4: line 2 of the drawing has "z", expected '#', 'o', '.' or a blank; a letter needs the key "colours" of a puzzle file`},
	"mark, quoted":    {`board: "###\n#z#"`, `1:8: line 2 of the drawing has "z", expected '#', 'o', '.' or a blank; a letter needs the key "colours" of a puzzle file`},
	"mark, slash":     {`board: "##/##"`, `1:8: line 1 of the drawing has "/", expected '#', 'o', '.' or a blank; rows are separate lines`},
	"mark, comments":  {"# one\n\nboard: |2 # two\n   ##\n\n  ##é#\n", `6:5: line 3 of the drawing has "é", expected '#', 'o', '.' or a blank`},
	"row of a layer":  {"board:\r\n  |\r\n    ##\r\n    ##\r\n\r\n    ##\r\n    ###\r\n", "7:7: line 5 of the drawing has 3 cells, expected 2 as in the first line"},
	"rows of a layer": {"board: |\n  ##\n  ##\n\n  ##\n", "5:3: layer 2 of the drawing has 1 row, expected 2 as in the first layer"},
	"first row blank": {"board: |\n\n  ##\n", "2:3: line 1 of the drawing is blank, expected a row: one blank line separates two layers"},
	"JSON cut off":    {`{"board": "2x3", "pieces": [{"name": "domino"`, "1:29: not YAML: a mapping in braces without the next ',' or its '}', expected YAML or JSON"},
	"JSON comma":      {"{\"board\": \"2x3\"\n \"pieces\": [\"domino\"]}", "2:2: not YAML: a mapping in braces without the next ',' or its '}', expected YAML or JSON"},
	"YAML in braces":  {"{board: 2x3", "1:1: not YAML: a mapping in braces without the next ',' or its '}', expected YAML or JSON"},
	"tab":             {"board: 2x3\npieces:\n\t- domino\n", "3:1: the line is indented by a tab, which YAML does not accept; expected blanks"},
	"no cell":         {"board: |\n  ...\n  ...\n", "1:8: the board has no cell, expected at least one '#' or 'o'"},
	"wide":            {"board: " + strings.Repeat(".", 5000), "1:8: line 1 of the drawing has 5000 cells, expected at most 4096, the longest side"},
	"folded":          {"board: >\n  ##\n  ##\n", `1:8: board has lines that YAML joins, expected a block that begins with |, or "…\n…" on one line`},
	"joined":          {"board: .##\n  ..#\n", `1:8: board has lines that YAML joins, expected a block that begins with |, or "…\n…" on one line`},
	"rows as comment": {"board: |\n    ##\n  ####\n", "3:3: this row begins further left than the first row of the drawing, so YAML does not read it as a part of the drawing; expected '.' in place of the blanks at the start of the first row"},
	"square box":      {"board: 2x2x2\nlattice: square", "1:8: the board has three dimensions, but the square lattice has two; expected a board of two dimensions (or lattice: cube)"},
	"flat cube":       {"board: 8x8\nlattice: cube", `1:8: bad size "8x8" of a cube board, expected layers x rows x columns`},

	"unknown piece":  {"- Q5", `3:3: unknown piece "Q5", ` + names},
	"misspelt piece": {"- pentomino", `3:3: unknown piece "pentomino", did you mean pentominoes?`},
	"misspelt set":   {"- {set: pentomino}", `3:9: unknown set "pentomino", did you mean pentominoes?`},
	"shape's row":    {"- name: a\n  shape: |\n    ##\n    #x\n", `6:6: line 2 of the drawing has "x", expected '#', '.', a digit or a blank; a letter needs the key "colours" of a puzzle file`},
	"empty shape":    {"- {name: a, shape: ''}", "3:20: the drawing is empty, expected at least one row"},
	"unknown set":    {"- {set: Q}", `3:9: unknown set "Q", expected ` + wording.List(setNames(tiling.Square))},
	"set as name":    {"- {name: soma}", "3:10: soma is made of cubes, expected lattice: cube"},
	"piece list":     {"- [a]", "3:3: a piece is a list, expected text or a mapping"},
	"piece null":     {"- ~", "3:3: a piece has no value, " + emptyHint},
	"piece key":      {"- {name: a, shap: '#'}", `3:13: unknown key "shap", did you mean shape?`},
	"piece no name":  {"- {shape: '#'}", `3:3: the piece has no name, expected the key "name" or "set", such as name: domino`},
	"two shapes":     {"- {name: a, shape: '#', box: 1x1}", `3:30: the keys "box" and "shape" are both given, expected only one of set, shape, box or cells`},
	"set and name":   {"- {set: trominoes, name: a}", `3:26: the keys "name" and "set" are both given, expected only one of set or name`},
	"name blank":     {"- {name: 'a b', shape: '#'}", `3:10: piece "a b": bad name "a b", ` + nameHint},
	"name empty":     {"- {name: '', shape: '#'}", `3:10: piece "": bad name "", ` + nameHint},
	"name control":   {`- {name: "\e[1m", shape: '#'}`, `3:10: piece "\x1b[1m": bad name "\x1b[1m", ` + nameHint},
	"name twice":     {"- {name: a, shape: '##'}\n- {name: a, box: 1x1}", `4:10: two pieces have the name "a", expected different names, or one piece with several copies`},
	"set twice":      {"- pentominoes\n- F5", `4:3: two pieces have the name "F5", expected different names, or one piece with several copies`},
	"shape empty":    {"- {name: a, shape: '...'}", "3:20: the shape has no cell, expected at least one '#'"},
	"shape optional": {"- {name: a, shape: '#o'}", `3:20: line 1 of the drawing has "o", expected '#', '.', a digit or a blank`},
	"shape slash":    {"- {name: a, shape: '##/#.'}", `3:20: line 1 of the drawing has "/", expected '#', '.', a digit or a blank; rows are separate lines`},
	"piece motions":  {"- {name: a, shape: '#', motions: no}", `3:34: unknown motions "no", expected free, one-sided or fixed`},

	"color of nothing": {"- name: O4\n  color: #f00\n", `4:10: color has no value, ` + emptyHint},
	"color misspelt":   {"- {name: O4, color: rde}", `3:21: unknown color "rde", did you mean red?`},
	"color unknown":    {"- {name: O4, color: sky}", `3:21: unknown color "sky", expected #rgb, #rrggbb or one of aqua, black, blue, fuchsia, gray, green, grey, lime, maroon, navy, olive, orange, purple, red, silver, teal, white or yellow`},
	"color digits":     {"- {name: O4, color: '#12345'}", `3:21: bad color "#12345", expected #rgb or #rrggbb`},
	"color letters":    {"- {name: O4, color: '#ggg'}", `3:21: bad color "#ggg", expected #rgb or #rrggbb`},
	"color list":       {"- {name: O4, color: [1]}", "3:21: color is a list, expected text"},
	"colour of one":    {"- {name: O4, colour: red}", `3:14: unknown key "colour", did you mean color?`},

	"copies backwards": {"- {name: O4, copies: 5..2}", `3:22: the range "5..2" runs backwards, expected 2..5`},
	"copies negative":  {"- {name: O4, copies: -1}", `3:22: bad copies "-1", ` + copyHint},
	"copies half":      {"- {name: O4, copies: 1.5}", `3:22: bad copies "1.5", ` + copyHint},
	"copies hex":       {"- {name: O4, copies: 0x8}", `3:22: bad copies "0x8", ` + copyHint},
	"copies no least":  {"- {name: O4, copies: ..5}", `3:22: bad copies "..5", ` + copyHint},
	"copies many":      {"- {name: O4, copies: 1000001}", `3:22: bad copies "1000001", ` + copyHint},
	"copies digits":    {"- {name: O4, copies: " + strings.Repeat("9", 1000000) + "}", `3:22: bad copies "` + nines + `"…, ` + copyHint},
	"copies null":      {"- {name: O4, copies: }", "3:21: copies has no value, " + emptyHint},
	"copies list":      {"- {name: O4, copies: [1]}", "3:22: copies is a list, expected N, A..B, A.. or any"},

	"cell twice":      {"- {name: a, cells: [[0,0],[0,0]]}", "3:27: a cell is given twice, expected each cell once"},
	"cells mixed":     {"- {name: a, cells: [[0,0],[0,0,1]]}", "3:27: bad cell, expected [row, column] or [layer, row, column], the same form for all cells"},
	"cells none":      {"- {name: a, cells: []}", `3:10: piece "a": the shape has no cell, expected at least one cell`},
	"cells short":     {"- {name: a, cells: [[0]]}", "3:21: bad cell, expected [row, column] or [layer, row, column], the same form for all cells"},
	"cells word":      {"- {name: a, cells: [[0,x]]}", `3:24: bad coordinate "x", expected a number from -4096 to 4096`},
	"cells far":       {"- {name: a, cells: [[0,99999]]}", `3:24: bad coordinate "99999", expected a number from -4096 to 4096`},
	"cells 3-D":       {"- {name: a, cells: [[0,0,0],[1,0,0]]}", `3:10: piece "a": the piece has several layers, but the board is on the square lattice; expected a piece of one layer (or lattice: cube)`},
	"box 3-D":         {"- {name: a, box: 2x2x2}", `3:10: piece "a": the piece has several layers, but the board is on the square lattice; expected a piece of one layer (or lattice: cube)`},
	"shape 3-D":       {`- {name: a, shape: "#\n\n#"}`, `3:10: piece "a": the piece has several layers, but the board is on the square lattice; expected a piece of one layer (or lattice: cube)`},
	"soma in plane":   {"- soma", "3:3: soma is made of cubes, expected lattice: cube"},
	"flat solids":     {"- solid-pentominoes", "3:3: solid-pentominoes is made of cubes, expected lattice: cube"},
	"box large":       {"- {name: a, box: 65x64}", `3:18: size "65x64" has 4160 cells, expected at most 4096 cells`},
	"box word":        {"- {name: a, box: big}", `3:18: bad size "big", expected a size such as 2x3 or 1x1x2`},
	"cells in all":    {"- {name: a, box: 64x64}\n- {name: b, box: 64x64}\n- {name: c, box: 64x64}\n- {name: d, box: 64x64}\n- {name: e, box: 13x1}", "7:10: the pieces of more than 12 cells have too many cells together, expected a total of at most 16384 cells"},
	"numbers":         {"board: [6, 10]", "1:8: the board is a list of 2 numbers, expected a size such as 6x10, or rows of several words"},
	"quoted numbers":  {"board:\n  - '6'\n  - 10", "2:3: the board is a list of 2 numbers, expected a size such as 6x10, or rows of several words"},
	"triangles":       {`board: "^v^\n/v^v"`, `1:8: line 1 of the drawing has "^", expected '#', 'o', '.' or a blank`},
	"drawn triangles": {"board: |\n  .^\n  ^v^\n", `2:4: line 1 of the drawing has "^", expected '#', 'o', '.' or a blank (or lattice: triangle)`},
	"triangle row":    {"board: ^v^\nlattice: hexagon", `1:8: line 1 of the drawing has "^", expected '#', 'o', '.' or a blank (or lattice: triangle)`},
	"drawn squares":   {"lattice: triangle\nboard: |\n  ###\n  ###\n", `3:3: line 1 of the drawing has "#", expected '^', 'v', 'o', '.' or a blank (or lattice: square)`},
	"triangle piece":  {"- {name: a, shape: ^v}", `3:20: line 1 of the drawing has "^", expected '#', '.', a digit or a blank (or lattice: triangle)`},
	"letters, digits": {`board: "abc\n12#"`, `1:8: line 1 of the drawing has "a", expected '#', 'o', '.' or a blank; a letter needs the key "colours" of a puzzle file`},
	"colours, blank":  {"board: w#z\ncolours: {w: white}", `1:8: line 1 of the drawing has "z", expected '#', 'o', '.', 'w' or a blank; the key "colours" has no letter z`},
	"drawn hexagons":  {"board: |\n  # # #\n   # #\n", "3:7: line 2 of the drawing has 4 cells, expected 5 as in the first line (or lattice: hexagon)"},
	"ragged squares":  {"board: |\n  #.##\n  ##\n", "3:5: line 2 of the drawing has 2 cells, expected 4 as in the first line"},

	"triangles cut off":  {"lattice: triangle\nboard: |\n    ^\n   ^v^\npieces: [moniamond]", "4:4: this row begins further left than the first row of the drawing, so YAML does not read it as a part of the drawing; expected '.' in place of the blanks at the start of the first row"},
	"v cut off, at end":  {"pieces:\n- name: a\n  shape: |\n      v^v\n\n    v\n", "6:5: this row begins further left than the first row of the drawing, so YAML does not read it as a part of the drawing; expected '.' in place of the blanks at the start of the first row"},
	"text, not cut off":  {"board: |\n    ^\n  ^x^\n", "3:3: not YAML: no key where the next one of a mapping should be, expected YAML or JSON"},
	"torus":              {"board: 8x8\nwrap: torus", `2:7: unknown wrap "torus", did you mean both?`},
	"capital":            {"board: 8x8\nwrap: Both", `2:7: unknown wrap "Both", did you mean both?`},
	"row":                {"board: 8x8\nwrap: row", `2:7: unknown wrap "row", did you mean rows?`},
	"colors":             {"board: 8x8\ncolors: {}", `2:1: unknown key "colors", did you mean colours?`},
	"nothing near":       {"board: 8x8\ndifficulty: 3", `2:1: unknown key "difficulty", expected ` + wording.List(puzzleKeys)},
	"piece of hexagons":  {"- dihex", "3:3: dihex is made of hexagons, expected lattice: hexagon"},
	"piece of triangles": {"- {name: lozenge}", "3:10: lozenge is made of triangles, expected lattice: triangle"},
	"piece of two":       {"lattice: hexagon\nboard: 2x3\npieces: [domino]", "3:10: domino is made of squares and cubes, expected lattice: square or cube"},
	"group of a set":     {"- pentominoes\ngroups: [{of: pentominos, copies: 1}]", `4:15: the puzzle has no piece "pentominos", did you mean pentominoes?`},
}

func TestBadPuzzles(t *testing.T) {
	for name, c := range bad {
		t.Run(name, func(t *testing.T) {
			file := c.file
			if strings.HasPrefix(file, "- ") && !strings.HasPrefix(file, "- - ") {
				file = "board: 8x8\npieces:\n" + file
			}
			checkError(t, file, c.want)
		})
	}
}

func checkError(t *testing.T, file, want string) {
	t.Helper()
	p, err := Parse("f.yaml", []byte(file))
	if p != nil || err == nil {
		t.Fatalf("%.60q is parsed", file)
	}
	if !errors.Is(err, tiling.ErrPuzzle) {
		t.Errorf("%v does not wrap ErrPuzzle", err)
	}
	if got := err.Error(); got != "f.yaml:"+want {
		t.Errorf("%.60q:\n got %s\nwant f.yaml:%s", file, got, want)
	}
}
