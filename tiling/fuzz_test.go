package tiling

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// FuzzParse: nothing panics, an error is one line that wraps ErrPuzzle, and
// what is parsed is a valid puzzle with a valid model. Large puzzles are left
// out of the second part, to keep the fuzzer quick.
func FuzzParse(f *testing.F) {
	for _, c := range bad {
		if len(c.file) < 4096 {
			f.Add([]byte(c.file))
		}
	}
	for _, good := range []string{
		"lattice: hexagon\nboard: |\n  . # o\n   # #\npieces: [trihexes, {name: a, shape: \"# #\\n #\"}]",
		"lattice: triangle\nboard: |\n  .^v\n  ^vo\npieces: [{name: lozenge, copies: any}]",
		"board: {hexagon: [1, 2, 3]}\npieces: [hexiamonds]",
		"board: 2x3\npieces: [{name: domino, copies: any}]",
		"title: t\nlattice: cube\nboard: 2x2x2\ncover: at-most\nmotions: fixed\npieces:\n  - soma\n  - name: a\n    cells: [[0,0,-1],[1,0,0]]\n    copies: 2..\n",
		"board: |\n  .#\n  #o\n\n  ##\n  ##\npieces:\n- {name: s, shape: \"##\\n.#\", motions: free, copies: 0..3}\n- {name: b, box: 1x1x2}\n",
		`{"board": "##\n#o", "pieces": ["pentominoes", {"set": "one-sided-tetrominoes", "copies": "any"}]}`,
	} {
		f.Add([]byte(good))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
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
		checkModel(t, m)
	})
}

func checkFuzzError(t *testing.T, err error) {
	text := err.Error()
	switch {
	case !errors.Is(err, ErrPuzzle):
		t.Fatalf("%v does not wrap ErrPuzzle", err)
	case strings.Contains(text, "\n") || len(text) > 1000:
		t.Fatalf("error of %d bytes: %.200q", len(text), text)
	case !strings.HasPrefix(text, "f:") && !strings.HasPrefix(text, "too many placements"):
		t.Fatalf("no place in %q", text)
	}
}
