package exchange

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// again writes a model in a format and reads it back.
func again(t *testing.T, format string, m *tiling.Model) (*Content, error) {
	t.Helper()
	var b bytes.Buffer
	if err := Write(context.Background(), format, &b, m); err != nil {
		return nil, err
	}
	if format == "puzzle" || format == "json" {
		p, err := puzzlefile.Parse("f", b.Bytes())
		if err != nil {
			t.Fatalf("%v, of\n%s", err, b.String())
		}
		return &Content{Puzzle: p}, nil
	}
	if got := Recognise(b.Bytes()); got != format {
		t.Errorf("what was written as %s is recognised as %q", format, got)
	}
	c, err := Read(context.Background(), format, "f", b.Bytes(), Options{})
	if err != nil {
		t.Fatalf("%v, of\n%s", err, b.String())
	}
	if len(c.Warnings) > 0 {
		t.Errorf("warnings %q of what was written", c.Warnings)
	}
	return c, nil
}

func modelOf(t *testing.T, c *Content) *tiling.Model {
	t.Helper()
	if c.Cover != nil {
		m := tiling.Abstract(c.Cover)
		m.Puzzle.Title = c.Title
		return m
	}
	m, err := c.Puzzle.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// unwritable returns whether a format must refuse a file of testdata.
func unwritable(format string, f testFile, c *Content) bool {
	p := c.Puzzle
	switch {
	case format == "dlx":
		return f.name == "never.cnf"
	case p == nil:
		return true
	case format == "puzzle" || format == "json":
		return false
	}
	l := p.Board.Lattice
	return l != tiling.Square && l != tiling.Cube || f.name == "other-colour.xmpuzzle" || f.name == "one-side.def"
}

// TestWrittenFilesKeepTheCount: files that were imported, exported and imported again have the same
// number of solutions, and models that a format cannot express are refused.
func TestWrittenFilesKeepTheCount(t *testing.T) {
	for _, f := range testFiles(t) {
		data := f.data(t)
		c, err := Read(context.Background(), Recognise(data), f.name, data, Options{Problem: f.problem})
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range writable() {
			back, err := again(t, format, modelOf(t, c))
			if refused := err != nil; refused != unwritable(format, f, c) {
				t.Errorf("%s as %s: error %v, refused: want %t", f.name, format, err, !refused)
			}
			if err != nil {
				if !errors.Is(err, tiling.ErrPuzzle) {
					t.Errorf("%s as %s: %v does not wrap ErrPuzzle", f.name, format, err)
				}
				continue
			}
			if got := solutions(t, back); got != f.count {
				t.Errorf("%s as %s: %d solutions, want %d", f.name, format, got, f.count)
			}
			if back.Puzzle != nil && back.Puzzle.Title != c.Puzzle.Title {
				t.Errorf("%s as %s: title %q, want %q", f.name, format, back.Puzzle.Title, c.Puzzle.Title)
			}
		}
	}
}

// TestRandomCoversAsDLX: covers with all kinds of bounds, and with colours, keep their counts.
func TestRandomCoversAsDLX(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 13))
	written := 0
	for range 400 {
		p := oracle.RandomColoured(rng)
		want, err := oracle.Count(p)
		if err != nil {
			continue
		}
		back, err := again(t, "dlx", tiling.Abstract(p))
		if err != nil {
			continue // bounds or times that the format does not have
		}
		written++
		if got := solutions(t, back); got != want {
			t.Fatalf("%d solutions, want %d: %v", got, want, p)
		}
	}
	if written < 100 {
		t.Errorf("%d covers written, want 100 or more", written)
	}
}

func TestUnsaid(t *testing.T) {
	for _, c := range []struct{ format, puzzle, want string }{
		{"xmpuzzle", "lattice: hexagon\nboard: 3x4\npieces: [trihexes]", "the board is on the hexagon lattice"},
		{"xmpuzzle", "board: 4x4\nwrap: both\npieces: [O4]", "the board wraps"},
		{"xmpuzzle", "board: 4x4\npieces: [{name: L4, motions: one-sided}]", `piece "L4" is one-sided`},
		{"xmpuzzle", "board: 2x2x2\npieces: [{name: L4, motions: fixed}]", `piece "L4" is fixed`},
		{"dlx", "board: 2x2\npieces: [{name: domino, copies: 0}]", `item "domino" is used 0 times`},
		{"letters", "board: 2x2\npieces: [O4]", `format "letters" cannot be written`},
	} {
		p, err := puzzlefile.Parse("p", []byte(c.puzzle))
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		err = Write(context.Background(), c.format, &b, m)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || b.Len() > 0 {
			t.Errorf("%q as %s: error %v and %d bytes, want %q and none", c.puzzle, c.format, err, b.Len(), c.want)
		}
	}
	uses := &cover.Problem{Items: []cover.Item{{Name: "a", Min: 2, Max: 2}}, Options: []cover.Option{{{Item: 0, Times: 2}}}}
	if err := Write(context.Background(), "dlx", &bytes.Buffer{}, tiling.Abstract(uses)); err == nil {
		t.Error("an option with an item twice is written")
	}
}
