package job

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pavage/pavage/examples"
	"github.com/pavage/pavage/internal/test/testkit"
)

// TestPredict: the forecast of short work is a few milliseconds. Requests that are large, wrong or
// of a kind without a forecast have none.
func TestPredict(t *testing.T) {
	few, many := Whole(3), Whole(1e9)
	for name, c := range map[string]struct {
		request     Request
		known       bool
		least, most float64 // seconds
	}{
		"count":                {&Count{Puzzle: dominoes}, true, 0, 0.01},
		"distinct":             {&Count{Puzzle: Puzzle{Example: "dominoes-8x8"}, Distinct: DistinctUsual}, true, 0, 0.05},
		"by search":            {&Count{Puzzle: Puzzle{Example: "dominoes-8x8"}, Engine: "search"}, true, 0, 0.01},
		"by SAT":               {&Count{Puzzle: dominoes, Engine: EngineSAT}, false, 0, 0.01},
		"sample":               {&Sample{Puzzle: dominoes, Number: few}, true, 0, 0.01},
		"a large sample":       {&Sample{Puzzle: dominoes, Number: many}, true, 1000, 1e5},
		"a sweep":              {&Sample{Puzzle: Puzzle{Board: "20x20", Pieces: []string{"domino=any"}}, Number: few, Method: "sweep"}, true, 0.1, 3},
		"trees":                {&Sample{Puzzle: Puzzle{Board: "60x60", Pieces: []string{"domino=any"}}, Number: few}, true, 0.001, 0.1},
		"shuffling":            {&Sample{Puzzle: Puzzle{Board: "60x60", Pieces: []string{"domino=any"}}, Number: few, Method: "shuffling"}, true, 0.001, 0.1},
		"a coupling":           {&Sample{Puzzle: Puzzle{Board: "60x60", Pieces: []string{"domino=any"}}, Number: few, Method: "coupling"}, true, 0.01, 3},
		"a small coupling":     {&Sample{Puzzle: dominoes, Method: "coupling", Number: few}, true, 0, 0.01},
		"a diagram":            {&Sample{Puzzle: Puzzle{Example: "soma"}, Number: few}, true, 0.001, 0.3},
		"list":                 {&List{Puzzle: dominoes}, true, 0, 0.01},
		"list of classes":      {&List{Puzzle: Puzzle{Example: "soma"}, Distinct: DistinctUsual}, true, 0.05, 2},
		"marginals":            {&Query{Puzzle: dominoes, Marginals: byPieces}, true, 0, 0.05},
		"a tiling by its rank": {&Query{Puzzle: dominoes, Unrank: []string{"0"}, Conditions: Conditions{With: []string{"#0"}}}, true, 0, 0.05},
		"by levels":            {&Query{Puzzle: Puzzle{Board: "20x20", Pieces: []string{"domino=any"}}, Marginals: byPieces, Method: "sweep"}, true, 0.3, 30},
		"by determinants":      {&Query{Puzzle: Puzzle{Board: "20x20", Pieces: []string{"domino=any"}}, Marginals: byPieces}, true, 0, 0.1},
		"many pairs":           {&Query{Puzzle: dominoes, Pairs: slices.Repeat([]string{"#0,#1"}, maxPairs)}, true, 0.01, 100},
		"copies":               {&Query{Puzzle: dominoes, ByCopies: []string{"domino"}}, true, 0, 0.05},
		"copies of many":       {&Query{Puzzle: theLarge, ByCopies: []string{"all"}}, true, 1, 1e6},
		"best":                 {&Query{Puzzle: dominoes, Best: &many}, false, 0, 0},
		"show":                 {&Show{Puzzle: dominoes}, true, 0, 0.01},
		"a puzzle file":        {&Convert{Puzzle: Puzzle{Board: "64x64", Pieces: []string{"pentominoes=any"}}, To: "json"}, true, 0, 0.001},
		"a cover":              {&Convert{Puzzle: dominoes, To: "cover"}, true, 0, 0.01},
		"a formula":            {&Convert{Puzzle: dominoes, To: "dimacs"}, false, 0, 0},
		"examples":             {&Examples{}, true, 0, 0.01},
		"verify":               {&Verify{Puzzle: dominoes}, false, 0, 0.01},
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

// TestRefused: work of each kind whose forecast is far beyond any machine or its limits ends with
// an error that has the forecast. A list is not refused.
func TestRefused(t *testing.T) {
	board := func(size, piece string) Puzzle { return Puzzle{Board: size, Pieces: []string{piece}} }
	ten := Whole(10)
	days := "open: [day]\nparameters: {day: 1..2}\npieces: [{set: trominoes, copies: any}]\nboard:"
	for row := range 61 {
		days += "\n  -"
		for column := range 61 {
			days += fmt.Sprintf(" %d", 1+61*row+column)
		}
	}
	// A half turn with a reflection makes a Möbius band, which determinants cannot count.
	ring := "{board: 54x54, wrap: columns, pieces: [{name: domino, copies: any}]}"
	for name, c := range map[string]struct {
		request Request
		limits  Limits
		want    string
	}{
		"count":      {&Count{Puzzle: board("60x60", "trominoes=any")}, Limits{}, "years of one core"},
		"distinct":   {&Count{Puzzle: Puzzle{Text: ring}, Distinct: DistinctUsual}, Limits{Memory: 1 << 30}, "or the count without distinct"},
		"each":       {&Each{Puzzle: Puzzle{Text: days}}, Limits{}, "years of one core"},
		"residues":   {&Residues{Puzzle: board("60x60", "trominoes=any"), Moduli: []Whole{7}}, Limits{}, "years of one core"},
		"certify":    {&Certify{Puzzle: board("60x60", "domino=any")}, Limits{}, "years of one core"},
		"compile":    {&Compile{Puzzle: board("60x60", "domino=any")}, Limits{}, "years of one core"},
		"sample":     {&Sample{Puzzle: board("100x100", "domino=any"), Number: 1, Ranked: true}, Limits{}, "years of one core"},
		"query":      {&Query{Puzzle: board("100x100", "domino=any"), Unrank: []string{"0"}}, Limits{}, "years of one core"},
		"verify":     {&Verify{Puzzle: board("60x60", "trominoes=any")}, Limits{}, "years of one core"},
		"memory":     {&Count{Puzzle: Puzzle{Board: "40x40", Pieces: []string{"domino=any", "monomino=any"}}}, Limits{Memory: 64 << 20}, "TB, far beyond the memory limit of 67 MB"},
		"time":       {&Count{Puzzle: Puzzle{Board: "40x40", Pieces: []string{"domino=any", "monomino=any"}}}, Limits{Time: time.Minute, Threads: 1}, "far beyond the time limit of 1m"},
		"a list":     {&List{Puzzle: board("20x20", "domino=any"), Number: &ten}, Limits{}, ""},
		"a coupling": {&Sample{Puzzle: board("100x100", "domino=any"), Number: 1}, Limits{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Run(t.Context(), c.request, c.limits, Watch{Output: io.Discard})
			if c.want == "" && err != nil || c.want != "" && (KindOf(err) != Limit || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n")) {
				t.Error(err)
			}
		})
	}
}

// TestFeasible: Check refuses no example, and no job that a large machine finishes in a day.
func TestFeasible(t *testing.T) {
	small := Limits{Memory: 256 << 20, Time: time.Minute, Threads: 2}
	for i, name := range examples.Names() {
		if i%testkit.Size(5, 1) > 0 {
			continue
		}
		for _, r := range []Request{&Count{Puzzle: Puzzle{Example: name}}, &Count{Puzzle: Puzzle{Example: name}, Distinct: DistinctUsual}, &Sample{Puzzle: Puzzle{Example: name}, Number: 1}} {
			if err := Predict(t.Context(), r, Limits{}).Check(small); err != nil {
				t.Errorf("%s of %s: %v", r.Kind(), name, err)
			}
		}
	}
	for _, size := range []string{"160x160", "300x300", "600x600"}[:testkit.Size(1, 3)] { // more dominoes than a forecast reads; determinants count them
		p := Puzzle{Board: size, Pieces: []string{"domino=any"}}
		for _, r := range []Request{&Count{Puzzle: p}, &Query{Puzzle: p, Entropy: true}, &Query{Puzzle: p, Entropy: true, Method: queryDimer}} {
			if err := predict(t.Context(), r, 1<<30, nil).Check(small); err != nil {
				t.Errorf("%s of %s: %v", r.Kind(), size, err)
			}
		}
	}
	day := &Count{Puzzle: Puzzle{Board: "30x30", Pieces: []string{"domino=any", "monomino=any"}}}
	if err := Predict(t.Context(), day, Limits{}).Check(Limits{Memory: 64 << 30, Time: 24 * time.Hour}); err != nil {
		t.Error(err)
	}
}
