package puzzlefile

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/tiling"
)

// good has puzzles with all keys of a puzzle file.
var good = []string{
	"lattice: hexagon\nboard: |\n  . # o\n   # #\npieces: [trihexes, {name: a, shape: \"# #\\n #\"}]",
	"lattice: triangle\nboard: |\n  .^v\n  ^vo\npieces: [{name: lozenge, copies: any}]",
	"board: {hexagon: [1, 2, 3]}\npieces: [hexiamonds]",
	"board: 2x3\npieces: [{name: domino, copies: any}]",
	"title: t\nlattice: cube\nboard: 2x2x2\ncover: at-most\nmotions: fixed\npieces:\n  - soma\n  - name: a\n    cells: [[0,0,-1],[1,0,0]]\n    copies: 2..\n",
	"board: |\n  .#\n  #o\n\n  ##\n  ##\npieces:\n- {name: s, shape: \"##\\n.#\", motions: free, copies: 0..3}\n- {name: b, box: 1x1x2}\n",
	"board: 3x4\nwrap: moebius\npieces: [{name: domino, copies: any}, {name: L3, copies: 0..2}]\n",
	"lattice: hexagon\nboard: {hexagon: [2, 2, 1]}\npieces: [{name: dihex, copies: any}]\ncover: at-most\n",
	"lattice: hexagon\nboard: |\n  # # #\n   # o .\nwrap: none\npieces: [{name: a, shape: \"# #\\n #\"}]\n",
	"board: {triangle: 3}\npieces: [{name: diamond, copies: any}, {name: a, shape: ^v^, motions: one-sided, copies: 0..1}]\n",
	"lattice: triangle\nboard: {rhombus: [2, 3]}\npieces: [{set: one-sided-tetriamonds, copies: any}]\n",
	"board: \"wbo\\nbwb\"\ncolours: {w: white, b: black, pattern: wb/bw}\nallow: [[white, black]]\npieces: [{name: d, shape: wb, copies: any}, monomino]\n",
	"board: 2x3\ncolours: {w: white}\nallow: {only: []}\npieces: [{name: d, shape: w#, copies: any}, {name: m, shape: w, copies: any}]\n",
	"board: 3x3\npieces: [{name: domino, copies: any}, {name: L3, copies: 0..3}, monomino]\ngroups: [{of: [domino, L3], copies: 1..4}, {of: all, copies: 3..}]\nplace: [\"L3@0,0\", {piece: domino, cells: [[1, 2], [2, 2]]}]\nforbid: [{piece: L3, covers: [2, 0]}, {piece: domino, covers: [[0, 1], [0, 2]]}]\n",
	"board:\n  - a b c .\n  - [1, \"2\", 3, \"#\"]\nopen: [letter, number, [1, 3]]\nparameters: {letter: [a, b, c], number: 1..3}\nexcept: [{letter: a, number: 1}]\npieces: [{name: monomino, copies: any}]\n",
	"lattice: cube\nboard: \"wb\\nbw\\n\\nbw\\nwb\"\ncolours: {w: w, b: b}\npieces: [{name: s, shape: \"wb\", copies: any, motions: free}]\n",
	"board: 2x4\npieces: [{set: double-six, copies: 0..1}]\nwalls: [[[0,0],[0,1]]]\njoined: [[[1,1],[1,2]]]\nregions: |\n  aab.\n  .1bb\nsums: {a: 7, \"1\": 0..3, b: any}\n",
	"lattice: triangle\nboard: {triangle: 3}\npieces: [{name: a, shape: \"12\", copies: any}, {name: b, shape: \"^3^\"}]\nregions: |2\n    a\n   bba\n  ab..c\nsums: {a: 1..}\n",
	"lattice: hexagon\nboard: |\n  # #\n   # #\nwrap: both\npieces: [{name: a, shape: \"1 2\", copies: any}]\nregions: [\"left .\", \". left\"]\nwalls: [[[0, 0], [1, 0]]]\nsums: {left: 0..4}\n",
	"board: \"##\\n##\\n\\n##\\n##\"\npieces: [{name: a, shape: \"1\\n2\", copies: any}, {name: b, shape: w3, copies: any}]\ncolours: {w: white}\nregions: \"aa\\nbb\\n\\nab\\n..\"\nsums: {a: 3}\n",
	`{"board": "##\n#o", "pieces": ["pentominoes", {"set": "one-sided-tetrominoes", "copies": "any"}]}`,
}

// FuzzParse: no file makes Parse panic, an error is one line and wraps ErrPuzzle, and a puzzle that
// Parse returns is valid and has a valid model. Large puzzles get no model, for speed.
func FuzzParse(f *testing.F) {
	for _, c := range bad {
		if len(c.file) < 4096 {
			f.Add([]byte(c.file))
		}
	}
	for _, file := range good {
		f.Add([]byte(file))
	}
	f.Fuzz(parses)
}

// TestMutated: Parse reads puzzles in which up to three nodes were replaced by nodes of other
// puzzles. Random bytes seldom lead to a mapping, list or word where another kind is expected.
func TestMutated(t *testing.T) {
	var puzzles, nodes []*yaml.Node
	for _, file := range good {
		var puzzle yaml.Node
		if err := yaml.Unmarshal([]byte(file), &puzzle); err != nil {
			t.Fatalf("%v in\n%s", err, file)
		}
		puzzles = append(puzzles, &puzzle)
		nodes = append(nodes, within(&puzzle)...)
	}
	rng := rand.New(rand.NewPCG(33, 1))
	for range testkit.Size(5_000, 100_000) {
		puzzle := clone(puzzles[rng.IntN(len(puzzles))])
		for range 1 + rng.IntN(3) {
			all := within(puzzle)
			*all[rng.IntN(len(all))] = *clone(nodes[rng.IntN(len(nodes))])
		}
		data, err := yaml.Marshal(puzzle)
		if err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("%v in\n%s", p, data)
				}
			}()
			parses(t, data)
		}()
	}
}

func within(n *yaml.Node) (all []*yaml.Node) {
	for _, child := range n.Content {
		all = append(append(all, child), within(child)...)
	}
	return all
}

func clone(n *yaml.Node) *yaml.Node {
	also := *n
	also.Content = nil
	for _, child := range n.Content {
		also.Content = append(also.Content, clone(child))
	}
	return &also
}

// parses parses a file. It fails if an error is not one line or does not wrap ErrPuzzle, or if a
// puzzle or its model is not valid.
func parses(t *testing.T, data []byte) {
	p, err := Parse("f", data)
	if err != nil {
		checkFuzzError(t, err)
		return
	}
	if err := p.Validate(); err != nil {
		t.Fatalf("parsed, but %v", err)
	}
	cells := 0
	for _, piece := range p.Pieces {
		cells += len(piece.Shape)
	}
	if len(p.Board.Cells)*cells > 1<<14 {
		return
	}
	m, err := p.Model(context.Background())
	if err != nil {
		checkFuzzError(t, err)
		return
	}
	if err := m.Problem.Validate(); err != nil {
		t.Fatal(err)
	}
}

func checkFuzzError(t *testing.T, err error) {
	text := err.Error()
	switch {
	case !errors.Is(err, tiling.ErrPuzzle):
		t.Fatalf("%v does not wrap ErrPuzzle", err)
	case strings.Contains(text, "\n") || len(text) > 1000:
		t.Fatalf("error of %d bytes: %.200q", len(text), text)
	case !strings.HasPrefix(text, "f:") && !strings.HasPrefix(text, "too many placements"):
		t.Fatalf("no place in %q", text)
	}
}
