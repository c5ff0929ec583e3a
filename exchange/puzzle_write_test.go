package exchange

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// sameAgain fails if a puzzle differs from the puzzle that is read from its file, in YAML or JSON.
func sameAgain(t *testing.T, p *tiling.Puzzle) {
	t.Helper()
	chosen := *p // its parameters are not written, but what follows from them
	chosen.Parameters, chosen.Setting = nil, nil
	for _, format := range []string{"puzzle", "json"} {
		var b bytes.Buffer
		if err := Write(context.Background(), format, &b, &tiling.Model{Puzzle: p}); err != nil {
			t.Fatalf("%v, of\n%s", err, b.String())
		}
		back, err := puzzlefile.Parse("f", b.Bytes())
		if err != nil {
			t.Fatalf("%v, of\n%s", err, b.String())
		}
		if !bytes.Equal(back.Literal(), chosen.Literal()) || back.Title != p.Title || !maps.Equal(back.Board.Names, p.Board.Names) {
			t.Fatalf("the puzzle is another one once it was written and read:\n%s\n%+v\n%+v", b.String(), *p.Board, *back.Board)
		}
		if format == "json" {
			checkJSON(t, p, b.Bytes())
		}
	}
}

// checkJSON checks that each part of a puzzle in JSON is at the same place for all puzzles.
func checkJSON(t *testing.T, p *tiling.Puzzle, text []byte) {
	t.Helper()
	var f struct {
		Lattice string
		Board   any
		Pieces  []struct {
			Name, Shape, Copies, Motions string
			Cells                        [][]int
		}
	}
	if err := json.Unmarshal(text, &f); err != nil {
		t.Fatalf("%v, of\n%s", err, text)
	}
	rows, worded := f.Board.([]any)
	size, _ := f.Board.(string)
	full := size == p.Board.Lattice.SizeName(p.Board.Size)
	switch {
	case f.Lattice != p.Board.Lattice.String() || len(f.Pieces) != len(p.Pieces):
		t.Fatalf("another lattice, or other pieces:\n%s", text)
	case p.Board.Lattice != tiling.Cube && !full && len(rows) != p.Board.Size[1]:
		t.Fatalf("a flat board that is no size and not its rows:\n%s", text)
	case p.Board.Lattice == tiling.Cube && worded:
		t.Fatalf("a solid board in rows of words:\n%s", text)
	}
	for _, row := range rows {
		if words := strings.Split(row.(string), " "); len(words) != p.Board.Size[2] {
			t.Fatalf("a row of %d words, want %d:\n%s", len(words), p.Board.Size[2], text)
		}
	}
	for i, piece := range f.Pieces {
		if piece.Name != p.Pieces[i].Name || piece.Copies == "" || piece.Motions == "" || (piece.Cells == nil) == (piece.Shape == "") {
			t.Fatalf("piece %d has not its name, its copies, its motions and one of cells and shape:\n%s", i, text)
		}
	}
}

// TestPuzzleForms: a puzzle with all keys, in YAML as it has always been, and in JSON.
func TestPuzzleForms(t *testing.T) {
	p, err := puzzlefile.Parse("p", []byte(`{title: A, board: ["a b # #", "# # o ."], open: [b], colours: {w: white, n: night, pattern: wn},
		allow: [[white, night]], pieces: [{name: c, shape: wn, copies: any, color: '#F80'}, {name: I3, copies: 0..2}], forbid: ["I3@0,2"], groups: [{of: all, copies: 1..}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for format, want := range map[string]string{
		"puzzle": `title: "A"
lattice: square
board:
  - "a b # #"
  - "# # o ."
open: [[0,1]]
colours: {"w": "white", "n": "night", pattern: "wn"}
allow: [["white","night"]]
pieces:
  - {name: "c", shape: "wn", copies: any, motions: free, color: "#ff8800"}
  - {name: "I3", cells: [[0,0],[0,1],[0,2]], copies: 0..2, motions: free}
groups:
  - {of: ["c","I3"], copies: 1..}
forbid:
  - {piece: "I3", covers: [[0,2]]}
`,
		"json": `{
 "title": "A",
 "lattice": "square",
 "board": [
  "a b # #",
  "# # o ."
 ],
 "open": [[0,1]],
 "colours": {"w": "white", "n": "night", "pattern": "wn"},
 "allow": [["white","night"]],
 "pieces": [
  {"name": "c", "shape": "wn", "copies": "any", "motions": "free", "color": "#ff8800"},
  {"name": "I3", "cells": [[0,0],[0,1],[0,2]], "copies": "0..2", "motions": "free"}
 ],
 "groups": [
  {"of": ["c","I3"], "copies": "1.."}
 ],
 "forbid": [
  {"piece": "I3", "covers": [[0,2]]}
 ]
}
`,
	} {
		var b strings.Builder
		if err := Write(context.Background(), format, &b, &tiling.Model{Puzzle: p}); err != nil || b.String() != want {
			t.Errorf("%s: %v\n%s", format, err, b.String())
		}
	}
}

// TestPuzzleFilesAreTheSame: puzzles that puzzle files can express, and drawings not always.
func TestPuzzleFilesAreTheSame(t *testing.T) {
	for _, text := range []string{
		"title: \"a: b # c\"\nboard: 2x3\npieces: [{name: domino, copies: any}]",
		"board: 2x3\ncover: at-most\npieces: [{name: domino, copies: 1..2}, {name: L3, copies: 1.., motions: fixed}]",
		"board: |\n  .#o\n  ##.\n  ...\npieces: [pentominoes, {name: \"a\\\"b\", shape: \"#.#\", motions: one-sided}]",
		"board: 2x2x2\npieces: [soma]", "lattice: cube\nboard: |\n  ##\n  #.\n\n  .o\n  ..\npieces: [domino]",
		"lattice: hexagon\nboard: 3x4\npieces: [trihexes]", "lattice: triangle\nboard: 2x6\npieces: [triamond]",
		"board: {hexagon: 3}\npieces: [hexiamonds]", "board: {hexagon: [1, 2, 3]}\nlattice: hexagon\npieces: [trihexes]",
		"board: 4x4\nwrap: both\npieces: [{name: domino, copies: any}]", "board: 3x5\nwrap: moebius\npieces: [{name: domino, copies: any}]",
		"lattice: hexagon\nboard: 3x4\nwrap: both\nopen: [[1, 1]]\npieces: [dihex]",
		"board:\n  - a b . .\n  - '1 # o .'\nopen: [a, [1, 0]]\npieces: [domino]",
		"lattice: triangle\nboard:\n  - . a b .\n  - '. 1 # o'\ncover: at-most\npieces: [diamond]",
		"board: [a b c]\nopen: [x]\nparameters: {x: [c, a]}\npieces: [domino]",
		"board: 4x4\ncolours: {w: white, b: black, pattern: wb/bw}\npieces: [{name: c, shape: \"wb\\nb.\", copies: any}, domino]",
		"board: 2x2\ncolours: {x: \"1, 2\", y: x, z: x y, pattern: \"#\"}\nallow: {only: []}\npieces: [{name: c, shape: \"xyz\"}]",
		"board: |\n  rg\n  #o\ncolours: {r: red, g: green}\nallow: [[red, green]]\npieces: [{name: c, shape: \"r#\"}]",
		"board: {triangle: 3}\ncolours: {r: red, b: blue, pattern: \"r#b\"}\npieces: [{name: c, shape: \"rbr\"}, {name: d, shape: \"vr\"}]",
		"lattice: hexagon\nboard: 3x3\ncolours: {r: red, b: blue}\npieces: [{name: c, shape: \"r b\\n # r\"}]",
		"board: 2x2x2\ncolours: {r: red, b: blue, pattern: rb//br}\npieces: [{name: c, shape: \"rb\\n\\n.b\"}]",
		"board: 3x4\npieces: [{set: double-six, copies: 0..1}]\nwalls: [[[0, 0], [0, 1]], [[1, 0], [0, 0]]]\njoined: [[[1, 1], [1, 2]]]\nregions: |\n  aab.\n  .7bb\n  nnn.\nsums: {a: 7, \"7\": 0..3, b: any}",
		"board: 2x2x2\npieces: [{name: a, shape: \"1\\n2\", copies: any}]\nregions: \"a.\\na.\\n\\n.b\\nbb\"\nsums: {a: 3..}",
		"board: {triangle: 3}\ncolours: {r: red}\npieces: [{name: a, shape: \"1r3\"}, {name: b, shape: \".2\"}]\nregions: [\". . true . .\", \". true true x .\", \"x x x . x\"]\nsums: {\"true\": 3..4}",
		"lattice: hexagon\nboard: 2x3\npieces: [{name: a, shape: \"1 #\\n 0\"}]",
		"board: 3x3\npieces: [tetrominoes]\nplace: [\"L4@0,0\"]\nforbid: [{piece: O4}, {piece: T4, covers: [1, 1]}, {piece: I4, covers: [[0, 0], [0, 1]]}]\ngroups: [{of: all, copies: 5}, {of: [T4, O4], copies: 1..}]",
	} {
		p, err := puzzlefile.Parse("p", []byte(text))
		if err != nil {
			t.Fatalf("%v, of %q", err, text)
		}
		sameAgain(t, p)
	}
}

// TestExamplesAreTheSame: each bundled puzzle comes back from its file; of a file with parameters,
// the chosen puzzle does.
func TestExamplesAreTheSame(t *testing.T) {
	puzzles := 0
	files, err := filepath.Glob("../examples/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := puzzlefile.Parse(name, data); err == nil {
			puzzles++
			sameAgain(t, p)
		}
	}
	if puzzles < 50 {
		t.Errorf("%d puzzles, want 50 or more", puzzles)
	}
}

// TestRandomPuzzlesAreTheSame: puzzles with everything that a puzzle may have.
func TestRandomPuzzlesAreTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 13))
	had := map[string]int{}
	for range testkit.Size(1500, 6000) {
		p := randomPuzzle(rng)
		if p.Validate() != nil || misplaced(p) {
			continue
		}
		sameAgain(t, p)
		for what, is := range map[string]bool{
			p.Board.Lattice.String(): true, "wrap": p.Board.Wrap > 0, "colours": p.Colours != nil, "groups": p.Groups != nil,
			"place": p.Place != nil, "forbid": p.Forbid != nil, "names": p.Board.Names != nil, "walls": p.Walls != nil,
			"joined": p.Joined != nil, "regions": p.Regions != nil, "marks": slices.ContainsFunc(p.Pieces, func(p tiling.Piece) bool { return p.Marks != "" }),
		} {
			if is {
				had[what]++
			}
		}
	}
	if least := slices.Min(slices.Collect(maps.Values(had))); len(had) < 10 || least < 5 {
		t.Errorf("puzzles with %v, want all and 5 or more of each", had)
	}
}

// misplaced reports a puzzle that no file can be, as no placement is where it asks for one. Without
// that it must be writable.
func misplaced(p *tiling.Puzzle) bool {
	err := Write(context.Background(), "puzzle", io.Discard, &tiling.Model{Puzzle: p})
	return err != nil && (len(p.Place) > 0 || len(p.Forbid) > 0) && strings.Contains(err.Error(), "expected ") // the words of package puzzlefile
}

// TestPuzzleLimits: a puzzle that is too large for a file is refused before a byte is written.
func TestPuzzleLimits(t *testing.T) {
	p := &tiling.Puzzle{Board: &tiling.Board{Lattice: tiling.Square, Size: [3]int{1, 1, 60}}}
	for c := range 60 {
		p.Board.Cells = append(p.Board.Cells, tiling.Cell{0, 0, c})
		p.Board.Optional = append(p.Board.Optional, false)
		p.Board.Colours = append(p.Board.Colours, c+1)
		p.Colours = append(p.Colours, fmt.Sprint("colour", c))
	}
	p.Pieces = []tiling.Piece{{Name: "a", Lattice: tiling.Square, Shape: tiling.Shape{{}}, Max: cover.Unbounded}}
	var b bytes.Buffer
	if err := Write(context.Background(), "puzzle", &b, &tiling.Model{Puzzle: p}); !errors.Is(err, tiling.ErrPuzzle) || b.Len() > 0 {
		t.Errorf("60 colours: error %v and %d bytes", err, b.Len())
	}
	p.Board.Size, p.Board.Colours, p.Colours = [3]int{1, 1 << 10, 1 << 11}, nil, nil
	if err := Write(context.Background(), "puzzle", &b, &tiling.Model{Puzzle: p}); !errors.Is(err, tiling.ErrPuzzle) || b.Len() > 0 {
		t.Errorf("a very large box: error %v and %d bytes", err, b.Len())
	}
}

// randomPuzzle returns a small puzzle on any lattice, with any features. It is not always valid.
func randomPuzzle(rng *rand.Rand) *tiling.Puzzle {
	lattice := []*tiling.Lattice{tiling.Square, tiling.Cube, tiling.Hexagon, tiling.Triangle}[rng.IntN(4)]
	p := &tiling.Puzzle{Title: []string{"", "a: \"b\" #c", "é☃"}[rng.IntN(3)], Board: randomBoard(rng, lattice)}
	for k := range 1 + rng.IntN(3) {
		least := rng.IntN(2)
		p.Pieces = append(p.Pieces, tiling.Piece{
			Name: []string{"p", "all", "pentominoes", "a\"b:'"}[rng.IntN(4)] + fmt.Sprint(k), Lattice: lattice, Motions: tiling.Motions(rng.IntN(3)),
			Min: least, Max: []int{least, 3, cover.Unbounded}[rng.IntN(3)], Shape: randomShape(rng, lattice),
		})
	}
	if rng.IntN(2) == 0 {
		dye(rng, p)
	}
	for range rng.IntN(3) {
		p.Groups = append(p.Groups, tiling.PieceGroup{Pieces: rng.Perm(len(p.Pieces))[:1], Min: rng.IntN(2), Max: 1 + rng.IntN(3)})
	}
	for range rng.IntN(2) * rng.IntN(3) {
		part := tiling.Part{Piece: rng.IntN(len(p.Pieces)), Cells: []int{rng.IntN(len(p.Board.Cells))}}
		if rng.IntN(2) == 0 {
			p.Place = append(p.Place, part)
		} else {
			part.Cells = part.Cells[:rng.IntN(2)]
			p.Forbid = append(p.Forbid, part)
		}
	}
	if rng.IntN(2) == 0 {
		mark(rng, p)
	}
	return p
}

// mark gives pieces digits on cells without a colour, and the board walls, joined pairs and regions.
func mark(rng *rand.Rand, p *tiling.Puzzle) {
	for k := range p.Pieces {
		piece := &p.Pieces[k]
		for i := range piece.Shape {
			digit := rng.IntN(10)
			if piece.Colours != nil && (piece.Colours[i] > 0 || !slices.Contains(piece.Colours, 0)) {
				digit = 0
			}
			piece.Marks += fmt.Sprint(digit)
		}
		if rng.IntN(2) == 0 || piece.Colours != nil && !slices.Contains(piece.Colours, 0) {
			piece.Marks = ""
		}
	}
	for i, c := range p.Board.Cells {
		for _, step := range p.Board.Lattice.Steps(c) {
			j := p.Board.Index(c.Plus(step))
			switch {
			case j < i:
			case rng.IntN(9) == 0:
				p.Walls = append(p.Walls, [2]int{i, j})
			case rng.IntN(20) == 0:
				p.Joined = append(p.Joined, [2]int{i, j})
			}
		}
	}
	in := map[string]int{}
	for i := range p.Board.Cells {
		name := []string{"", "a", "y", "7", "o", "no"}[rng.IntN(6)]
		if name == "" || p.Board.Lattice == tiling.Cube && len(name) > 1 {
			continue
		}
		k, met := in[name]
		if !met {
			k, in[name] = len(p.Regions), len(p.Regions)
			p.Regions = append(p.Regions, tiling.Region{Name: name, Min: rng.IntN(2), Max: []int{3, cover.Unbounded}[rng.IntN(2)]})
		}
		p.Regions[k].Cells = append(p.Regions[k].Cells, i)
	}
}

// randomBoard has holes, cells that may stay empty, a wrap, and names of places.
func randomBoard(rng *rand.Rand, lattice *tiling.Lattice) *tiling.Board {
	b := &tiling.Board{Lattice: lattice, Size: [3]int{1, 1 + rng.IntN(4), 1 + rng.IntN(5)}}
	if lattice == tiling.Cube {
		b.Size[0] = 1 + rng.IntN(3)
	} else if rng.IntN(3) == 0 {
		b.Names = map[tiling.Cell]string{}
	}
	if lattice != tiling.Cube && lattice != tiling.Triangle && rng.IntN(3) == 0 {
		b.Wrap = tiling.Wrap(rng.IntN(6))
	}
	holes, empty := 1+rng.IntN(9), rng.IntN(7)
	for at := range b.Size[0] * b.Size[1] * b.Size[2] {
		cell := tiling.Cell{at / b.Size[2] / b.Size[1], at / b.Size[2] % b.Size[1], at % b.Size[2]}
		named := b.Names != nil && rng.IntN(3) == 0
		if named {
			b.Names[cell] = fmt.Sprint([]string{"jan", "1:", "\"", "x#", "open"}[rng.IntN(5)], at)
		}
		if rng.IntN(holes) > 0 || holes == 1 || len(b.Cells) == 0 {
			b.Cells = append(b.Cells, cell)
			b.Optional = append(b.Optional, empty == 1 || empty > 4 && !named && rng.IntN(empty) == 0)
		}
	}
	if len(b.Names) == 0 && rng.IntN(2) == 0 {
		b.Names = nil
	}
	return b
}

// randomShape has one to four cells, which need not be together.
func randomShape(rng *rand.Rand, lattice *tiling.Lattice) tiling.Shape {
	var cells []tiling.Cell
	for range 1 + rng.IntN(4) {
		cell := tiling.Cell{0, rng.IntN(3), rng.IntN(3)}
		if lattice == tiling.Cube {
			cell[0] = rng.IntN(3)
		}
		cells = append(cells, cell)
	}
	return lattice.Shape(cells...)
}

// dye gives cells colours; each of them has a cell.
func dye(rng *rand.Rand, p *tiling.Puzzle) {
	names := []string{"white", "w", "#1, \"x\"", "été", "pattern", "V"}[:1+rng.IntN(6)]
	some := func(cells int) (colours []int) {
		for range cells {
			colours = append(colours, rng.IntN(len(names)+1))
		}
		return colours
	}
	if rng.IntN(3) > 0 {
		p.Board.Colours = some(len(p.Board.Cells))
	}
	used := map[int]bool{}
	for k := range p.Pieces {
		colours := some(len(p.Pieces[k].Shape))
		if slices.Max(colours) > 0 {
			p.Pieces[k].Colours = colours
		}
		for _, c := range slices.Concat(colours, p.Board.Colours) {
			used[c] = true
		}
	}
	for c := range names {
		if !used[c+1] {
			p.Colours, p.Allow = nil, nil // so that Validate refuses it
			return
		}
		for d := range names {
			if rng.IntN(3) > 0 {
				p.Allow = append(p.Allow, tiling.Pair{Piece: c + 1, Board: d + 1})
			}
		}
	}
	p.Colours = names
}
