package tiling

import (
	"reflect"
	"testing"
)

// TestGiven: a part with all cells of a placement has marks if the model has only one placement of
// the piece on these cells; other parts stay parts.
func TestGiven(t *testing.T) {
	for _, file := range []string{
		`{board: 3x4, pieces: [{name: 3-5, shape: "35"}, {name: 2-2, shape: "22"}, {name: turned, shape: "12\n2#"}, domino]}`,
		`{lattice: hexagon, board: 3x3, pieces: [{name: bar, shape: "1 2 1"}, {name: pair, shape: "1 2", motions: fixed}]}`,
		`{lattice: triangle, board: {triangle: 3}, pieces: [{name: bar, shape: "121"}, {name: pair, shape: "12", motions: one-sided}]}`,
		`{board: "##\n##\n\n##\n##", pieces: [{name: bar, shape: "12"}, {name: plate, shape: "11\n11"}]}`,
		`{board: 3x3, wrap: both, pieces: [{name: bar, shape: "12"}]}`,
	} {
		p, err := parse("file", []byte(file))
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.Model(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range m.Placements {
			for _, other := range m.Placements {
				if other.Piece == want.Piece && reflect.DeepEqual(other.Cells, want.Cells) && other.Marks != want.Marks || p.Board.Wrap != NoWrap {
					want.Marks = ""
				}
			}
			some := Part{want.Piece, want.Cells[:1]}
			p.Place = []Part{{want.Piece, want.Cells}, some, {want.Piece, want.Cells}}
			whole, parts := p.Given()
			if !reflect.DeepEqual(whole, []Placement{want}) || !reflect.DeepEqual(parts, []Part{some}) {
				t.Fatalf("%s: place %v is %v and %v, want %v and %v", file, p.Place, whole, parts, want, some)
			}
		}
	}
}
