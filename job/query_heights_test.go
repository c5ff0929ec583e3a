package job

import (
	"fmt"
	"strings"
	"testing"
)

// TestMeanHeights: the mean heights of the running example, also by weight and under a condition.
// If the height would change around a hole, there is a one-line error.
func TestMeanHeights(t *testing.T) {
	dominoes := Puzzle{Board: "2x3", Pieces: []string{"domino=any"}}
	for _, c := range []struct {
		q    Query
		want string // heights of the two inner corners
	}{
		{Query{Puzzle: dominoes}, "-2/3 -1/3"},
		{Query{Puzzle: dominoes, Method: querySweep}, "-2/3 -1/3"},
		{Query{Puzzle: dominoes, Weights: []string{"domino:1=2"}}, "-2/9 -7/9"},
		{Query{Puzzle: dominoes, Conditions: Conditions{With: []string{"#0"}}}, "2 1"},
	} {
		c.q.Marginals = byHeights
		a, err := Do(t.Context(), &c.q, Limits{}, Watch{})
		if err != nil || len(a.Heights) != 12 {
			t.Fatalf("%+v: %v", a, err)
		}
		if got := a.Heights[5].Height + " " + a.Heights[6].Height; got != c.want || fmt.Sprint(a.Heights[5].Corner) != "[1 1]" {
			t.Errorf("%v: %s, want %s", a.Heights, got, c.want)
		}
		if _, ok := a.Heat(); !ok {
			t.Error("no picture")
		}
	}
	for _, c := range []struct {
		q    Query
		want string
	}{
		{Query{Puzzle: Puzzle{Text: "board: |\n  ####\n  #.##\n  ###.\n  ####\npieces: [{name: domino, copies: any}]"}}, "on a way around a hole the heights would change by 4"},
		{Query{Puzzle: Puzzle{Board: "3x3", Pieces: []string{"I3=any"}}}, "not of two cells"},
		{Query{Puzzle: dominoes, Of: []string{"domino:1"}}, "of"},
		{Query{Puzzle: dominoes, Correlate: "#0"}, "only the words pieces"},
	} {
		c.q.Marginals = byHeights
		if _, err := Do(t.Context(), &c.q, Limits{}, Watch{}); KindOf(err) != BadInput || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}
