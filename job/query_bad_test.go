package job

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
)

// TestBadQueries: a wrong question is refused with a one-line error.
func TestBadQueries(t *testing.T) {
	cover := Puzzle{Name: "c", Text: "item a 1\noption a\n"}
	for want, q := range map[string]Query{
		`having is "few", expected K, A..B or A.., such as 1, 1..5 or 2..`:                           {ByCopies: []string{"all"}, Having: "few"},
		`having is "5..1", which runs backwards, expected A..B`:                                      {ByCopies: []string{"all"}, Having: "5..1"},
		`having is "..5", expected`:                                                                  {ByCopies: []string{"all"}, Having: "..5"},
		`having is "99999999999999999`:                                                               {ByCopies: []string{"all"}, Having: strings.Repeat("9", 1_000_000)},
		"having is given without by_copies":                                                          {Having: "1"},
		"after is given without by_copies":                                                           {After: new(string)},
		"after is not the cursor of a choice of copies of 1 piece, expected the cursor of an answer": {ByCopies: []string{"all"}, After: new(string)},
		"method is search, but this method answers only by_copies":                                   {Entropy: true, Method: "search"},
		"expected at most 1048576 choices if choices without a solution are listed":                  {ByCopies: []string{"all"}, Having: "0..", Method: "search", Puzzle: Puzzle{Board: "10x20", Pieces: []string{"monomino=0..199", "domino=0..99", "I3=0..66", "I4=0..50", "I5=0..40", "L3=0..66"}}},
		"the request has no question, expected entropy, rank, unrank, marginals, by_copies, pairs, correlate, best, worst or weights": {},
		"both unrank and pairs given, expected one question":                                                                          {Unrank: []string{"0"}, Pairs: []string{"0,1"}},
		"both by_copies and weights given":                                                                                            {ByCopies: []string{"all"}, Weights: []string{"domino=2"}},
		`by_copies is "L3", expected pieces, placements, or the word all for all pieces: the puzzle has no piece`:                     {ByCopies: []string{"L3"}},
		"by_copies is about pieces, but a cover has no pieces":                                                                        {ByCopies: []string{"all"}, Puzzle: cover},
		"a cover has no pieces and no cells of a board, expected marginals=placements":                                                {Marginals: "pieces", Puzzle: cover},
		"correlate is about the cells of a board, but a cover has no cells":                                                           {Correlate: "#0", Puzzle: cover},
		`marginals is "cells", expected pieces,`:                                                                                      {Marginals: "cells"},
		"marginals is placements, but with correlate only the words pieces, orientations and kinds are allowed":                       {Marginals: "placements", Correlate: "#0"},
		`correlate: the puzzle has no piece "L3"`:                                                                                     {Correlate: "L3"},
		"expected two sets of placements A,B with a comma between them":                                                               {Pairs: []string{"domina"}},
		`pairs is "0,0,1": 0 is a number, expected #0 for the placement with this number`:                                             {Pairs: []string{"0,0,1"}},
		`pairs is "a,a,a": the text has two meanings, "a" and "a,a", or "a,a" and "a", expected other names or numbers such as #17`:   {Pairs: []string{"a,a,a"}, Puzzle: Puzzle{Text: "item a 1\nitem a,a 1\noption a\noption a,a\n"}},
		`pairs is "0,0=domino:1,0,1=domino:9": the piece domino has no orientation 9, expected a number from 1 to 2`:                  {Pairs: []string{"0,0=domino:1,0,1=domino:9"}},
		`pairs is "0,0=domino:9,0,1=domino:1": the piece domino has no orientation 9, expected a number from 1 to 2`:                  {Pairs: []string{"0,0=domino:9,0,1=domino:1"}},
		`pairs is "L3,domino": the puzzle has no piece "L3"`:                                                                          {Pairs: []string{"L3,domino"}},
		"pairs has 1001 pairs, expected at most 1000":                                                                                 {Pairs: make([]string, 1001)},
		"best is 100001, expected at most 100000":                                                                                     {Best: whole(100_001)},
		"worst is 100001, expected at most 100000":                                                                                    {Worst: whole(100_001)},
		"best given without weights: then all tilings have the same weight":                                                           {Best: whole(1)},
		"worst given without weights: then all tilings have the same weight":                                                          {Worst: whole(1)},
		`pairs is "domino@0,0": the text means only one set of placements, expected two sets A,B`:                                     {Pairs: []string{"domino@0,0"}},
		`pairs is "domino": the text means only one set`:                                                                              {Pairs: []string{"domino"}},
		`correlate is "0,0=domino,1,1=domino", two sets of placements`:                                                                {Correlate: "0,0=domino,1,1=domino"},
		`by_copies: "domino:1" and "domino@0,0" have placements in common`:                                                            {ByCopies: []string{"domino:1", "domino@0,0"}},
		"weights alone gives the total weight and the mean numbers of copies":                                                         {ByCopies: []string{"all"}, Weights: []string{"domino=2"}},
		"method is sweep, but only a diagram lists tilings in the order":                                                              {Best: whole(1), Weights: []string{"domino=2"}, Method: "sweep"},
		`method is "walk", expected auto,`:                                                                                            {Unrank: []string{"0"}, Method: "walk"},
		"weights: the weight -1 is negative":                                                                                          {Weights: []string{"domino=-1"}},
		"weights: the weight 9999":                                                                                                    {Weights: []string{"domino=" + strings.Repeat("9", 1_000_000)}},
		"both unrank and weights given, expected one or the other: ranks do not depend on weights":                                    {Unrank: []string{"0"}, Weights: []string{"domino=2"}},
		"rank is not a tiling of this puzzle":                                                                                         {Rank: []GivenTiling{{Numbers: []int{0, 1}}}},
		"rank: entry 2 is not a tiling":                                                                                               {Rank: []GivenTiling{{Numbers: []int{0, 2, 6}}, {Numbers: []int{-1}}}},
		"rank: entry 1":                                                                                                               {Rank: []GivenTiling{{}}},
		`with is "L3": the puzzle has no piece`:                                                                                       {Unrank: []string{"first"}, Conditions: Conditions{With: []string{"L3"}}},
	} {
		if q.Puzzle.check() != nil {
			q.Puzzle = dominoes
		}
		_, err := Do(t.Context(), &q, Limits{}, Watch{})
		if KindOf(err) != BadInput || !strings.Contains(fmt.Sprint(err), want) || strings.Contains(fmt.Sprint(err), "\n") {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestSelectorsComeFirst: a word that names nothing is an error before the work begins, which would
// need too much memory.
func TestSelectorsComeFirst(t *testing.T) {
	board := Puzzle{Board: "16x16", Pieces: []string{"domino=any"}}
	for _, q := range []Query{
		{Pairs: []string{"#0,X5"}},
		{Correlate: "X5"},
		{Correlate: "#0", Of: []string{"X5"}},
		{Marginals: byPieces, Of: []string{"X5"}},
		{Marginals: byPieces},
	} {
		q.Puzzle, q.Method = board, queryDiagram
		want := BadInput
		if q.Of == nil && q.Marginals != "" {
			want = Limit // the memory is indeed too small
		}
		if _, err := Do(t.Context(), &q, Limits{Memory: 1 << 20, Threads: 1}, Watch{}); KindOf(err) != want {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

// TestQueriesEnd: every question ends when its context ends.
func TestQueriesEnd(t *testing.T) {
	for _, q := range []Query{
		{Unrank: []string{"0"}},
		{Marginals: byPieces},
		{ByCopies: []string{AllPieces}},
		{Pairs: []string{"#0,#1"}},
		{Correlate: "#0"},
		{Best: whole(1), Weights: []string{"domino=2"}},
		{Weights: []string{"domino=2"}},
		{Rank: []GivenTiling{{Numbers: []int{0, 2, 6}}}},
	} {
		q.Puzzle = dominoes
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := Do(ctx, &q, Limits{}, Watch{}); KindOf(err) != Interruption {
			t.Errorf("%+v: %v, want an interruption", q, err)
		}
		q.Puzzle = theLarge
		if len(q.Rank) > 0 {
			continue
		}
		if _, err := Do(t.Context(), &q, Limits{Memory: 1 << 16}, Watch{}); !errors.Is(err, cover.ErrMemory) {
			t.Errorf("%+v: %v, want the limit of memory", q, err)
		}
	}
}
