package render_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

// oddNames are texts that JSON writes in other ways than as they are.
var oddNames = []string{"domino", "", `a"b`, `a\b`, "<&>", "é", "一", "tab\t", "\x7f", "\u2028", "bad \xff utf-8", "\x00", "🂓", "~ !"}

// TestJSONLines: lines are, byte for byte, what encoding/json makes of a TilingJSON.
func TestJSONLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		p, tile := randomTiling(rng)
		var got, want bytes.Buffer
		w := render.FormatOf("json").Begin(&got, p, render.Options{})
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		for range 2 { // the second line has the first one's memory
			if err := w.Add(tile); err != nil {
				t.Fatal(err)
			}
			if err := e.Encode(tile.JSON(p)); err != nil {
				t.Fatal(err)
			}
		}
		if got.String() != want.String() {
			t.Fatalf("written as\n%s, want\n%s", got.String(), want.String())
		}
	}
}

// randomTiling is any tiling of any puzzle, or solution of a cover; whether it can be is not
// looked at.
func randomTiling(rng *rand.Rand) (*tiling.Puzzle, render.Tiling) {
	name := func() string { return oddNames[rng.IntN(len(oddNames))] }
	var t render.Tiling
	if rng.IntN(2) == 0 {
		t.Rank = new(big.Int).Lsh(big.NewInt(rng.Int64()), uint(rng.IntN(200)))
	}
	if rng.IntN(2) == 0 {
		t.SweepRank = big.NewInt(int64(rng.IntN(3)))
	}
	if rng.IntN(2) == 0 {
		t.Cursor = name()
	}
	p := &tiling.Puzzle{}
	if rng.IntN(3) == 0 {
		for range rng.IntN(4) {
			words := make([][]string, 1)
			for range rng.IntN(4) {
				words[0] = append(words[0], name())
			}
			t.Options = append(t.Options, words...)
		}
		return p, t
	}
	p.Board = &tiling.Board{Lattice: []*tiling.Lattice{tiling.Square, tiling.Cube}[rng.IntN(2)]}
	for range 20 {
		p.Board.Cells = append(p.Board.Cells, tiling.Cell{rng.IntN(3), rng.IntN(200), rng.IntN(11)})
	}
	for range 1 + rng.IntN(3) {
		p.Pieces = append(p.Pieces, tiling.Piece{Name: name()})
	}
	for range rng.IntN(4) {
		placement := tiling.Placement{Piece: rng.IntN(len(p.Pieces))}
		for range rng.IntN(4) {
			placement.Cells = append(placement.Cells, rng.IntN(20))
		}
		if rng.IntN(2) == 0 {
			placement.Marks = "0123"[:len(placement.Cells)]
		}
		t.Placements = append(t.Placements, placement)
	}
	return p, t
}

// TestCompact: the numbers of a tiling are indices into the first line, which has the shape of a tiling.
func TestCompact(t *testing.T) {
	p, tilings := example(t)
	var out bytes.Buffer
	w := render.FormatOf("compact").Begin(&out, p, render.Options{})
	for _, one := range tilings {
		if err := w.Add(one); err != nil {
			t.Fatal(err)
		}
	}
	lines := json.NewDecoder(&out)
	var all render.TilingJSON
	if err := lines.Decode(&all); err != nil {
		t.Fatal(err)
	}
	for _, one := range tilings {
		var numbers []int
		if err := lines.Decode(&numbers); err != nil {
			t.Fatal(err)
		}
		var got []render.PlacementJSON
		for _, k := range numbers {
			got = append(got, all.Placements[k])
		}
		if want := one.JSON(p).Placements; !reflect.DeepEqual(got, want) {
			t.Errorf("%v is %v, want %v", numbers, got, want)
		}
	}
	if err := w.Add(render.Tiling{Placements: tilings[0].Placements}); !errors.Is(err, render.ErrInvalid) {
		t.Errorf("a tiling without numbers: %v", err)
	}
}
