package job

import (
	"fmt"
	"testing"
)

// TestConditionsOfSequences: a value is the count of the board under the same conditions, also
// under conditions that are not symmetric in rows and columns.
func TestConditionsOfSequences(t *testing.T) {
	for _, c := range []Conditions{
		{FaultFree: true}, {NoFourCorners: true}, {With: []string{"0,0=domino:1"}}, {Without: []string{"L3@0,0"}, AtMost: []string{"2:domino:2"}}, {Apart: []string{"L3,L3"}},
	} {
		boxes := Boxes{Puzzle: Puzzle{Pieces: []string{"domino=any", "L3=any"}}, Rows: "1..4", Columns: "1..4"}
		for _, distinct := range []Distinct{"", DistinctUsual} {
			got, err := Do(t.Context(), &Sequence{Boxes: boxes, Conditions: c, Distinct: distinct}, Limits{}, Watch{})
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range got.Values {
				p := Puzzle{Board: fmt.Sprintf("%dx%d", v.Rows, v.Columns), Pieces: boxes.Puzzle.Pieces}
				want, err := Do(t.Context(), &Count{Puzzle: p, Conditions: c, Distinct: distinct}, Limits{}, Watch{})
				if err != nil {
					t.Fatal(err)
				}
				if v.Count != want.Count || want.Distinct != nil && v.Distinct != want.Distinct.Count {
					t.Errorf("%s, %s: %+v, want %s, %+v", p.Board, c.spelt(), v, want.Count, want.Distinct)
				}
			}
		}
	}
}

// TestKeysOfSequences: conditions are part of the key of a stored answer.
func TestKeysOfSequences(t *testing.T) {
	key := func(c Conditions) [32]byte {
		r := &Sequence{Boxes: Boxes{Puzzle: Puzzle{Pieces: []string{"domino=any"}}, Rows: "2", Columns: "1..3"}, Conditions: c}
		k, _, err := Key(r)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	if key(Conditions{}) == key(Conditions{FaultFree: true}) || key(Conditions{FaultFree: true}) == key(Conditions{NoFourCorners: true}) {
		t.Error("two sequences with other conditions have one key")
	}
}
