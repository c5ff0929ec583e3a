package job

import (
	"context"
	"slices"
	"testing"
)

// TestPredict: work that takes milliseconds is known to, and nothing is known of what is
// large, wrong or of a kind without a forecast.
func TestPredict(t *testing.T) {
	few, many := Whole(3), Whole(1e9)
	for name, c := range map[string]struct {
		request     Request
		known       bool
		least, most float64 // seconds
	}{
		"count":                {&Count{Puzzle: dominoes}, true, 0, 0.01},
		"distinct":             {&Count{Puzzle: Puzzle{Example: "dominoes-8x8"}, Distinct: DistinctUsual}, true, 0, 0.05},
		"by search":            {&Count{Puzzle: Puzzle{Example: "dominoes-8x8"}, Engine: "search"}, true, 1, 1000},
		"by SAT":               {&Count{Puzzle: dominoes, Engine: EngineSAT}, false, 0, 0.01},
		"sample":               {&Sample{Puzzle: dominoes, Number: few}, true, 0, 0.01},
		"a large sample":       {&Sample{Puzzle: dominoes, Number: many}, true, 1000, 1e5},
		"a walk":               {&Sample{Puzzle: Puzzle{Board: "20x20", Pieces: []string{"domino=any"}}, Number: few}, true, 0.1, 3},
		"a coupling":           {&Sample{Puzzle: Puzzle{Board: "60x60", Pieces: []string{"domino=any"}}, Number: few}, true, 0.01, 3},
		"one that is wanted":   {&Sample{Puzzle: dominoes, Method: "coupling", Number: few}, true, 0, 0.01},
		"a diagram":            {&Sample{Puzzle: Puzzle{Example: "soma"}, Number: few}, true, 0.001, 0.3},
		"list":                 {&List{Puzzle: dominoes}, true, 0, 0.01},
		"list of classes":      {&List{Puzzle: Puzzle{Example: "soma"}, Distinct: DistinctUsual}, true, 0.05, 2},
		"marginals":            {&Query{Puzzle: dominoes, Marginals: byPieces}, true, 0, 0.05},
		"a tiling by its rank": {&Query{Puzzle: dominoes, Unrank: []string{"0"}, Conditions: Conditions{With: []string{"#0"}}}, true, 0, 0.05},
		"by levels":            {&Query{Puzzle: Puzzle{Board: "20x20", Pieces: []string{"domino=any"}}, Marginals: byPieces, Method: "levels"}, true, 0.3, 30},
		"by determinants":      {&Query{Puzzle: Puzzle{Board: "20x20", Pieces: []string{"domino=any"}}, Marginals: byPieces}, true, 0, 0.1},
		"many pairs":           {&Query{Puzzle: dominoes, Pairs: slices.Repeat([]string{"#0,#1"}, maxPairs)}, true, 0.01, 100},
		"copies":               {&Query{Puzzle: dominoes, ByCopies: []string{"domino"}}, true, 0, 0.05},
		"copies of many":       {&Query{Puzzle: theLarge, ByCopies: []string{"all"}}, true, 10, 1e6},
		"best":                 {&Query{Puzzle: dominoes, Best: &many}, false, 0, 0},
		"show":                 {&Show{Puzzle: dominoes}, true, 0, 0.01},
		"a puzzle file":        {&Convert{Puzzle: Puzzle{Board: "64x64", Pieces: []string{"pentominoes=any"}}, To: "json"}, true, 0, 0.001},
		"a cover":              {&Convert{Puzzle: dominoes, To: "cover"}, true, 0, 0.01},
		"a formula":            {&Convert{Puzzle: dominoes, To: "dimacs"}, false, 0, 0},
		"examples":             {&Examples{}, true, 0, 0.01},
		"verify":               {&Verify{Puzzle: dominoes}, false, 0, 0},
		"a large board":        {&Count{Puzzle: Puzzle{Board: "100x100", Pieces: []string{"pentominoes=any"}}}, false, 0, 1e300},
		"no puzzle":            {&Count{}, false, 0, 0},
		"a puzzle that is not": {&Count{Puzzle: Puzzle{Board: "2x3", Pieces: []string{"nothing"}}}, false, 0, 0},
	} {
		f := Predict(context.Background(), c.request, Limits{})
		if f.Known != c.known || f.Seconds < c.least || f.Seconds > c.most || f.Bytes < 0 {
			t.Errorf("%s: %+v", name, f)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if f := Predict(ctx, &Count{Puzzle: dominoes}, Limits{}); f.Known {
		t.Errorf("no time: %+v", f)
	}
}
