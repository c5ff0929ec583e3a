package job

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestHaving compares the rows of every method on random small boards with counts for each choice
// of copies, and the rows of interrupted and continued runs with the rows of one run.
func TestHaving(t *testing.T) {
	found := 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 1))
		names := []string{"monomino", "domino", "I3", "L3", "I4", "L4", "S4", "T4", "O4"}
		rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		names = names[:3+rng.IntN(3)]
		most := make([]int, len(names))
		board := fmt.Sprintf("%dx4", 2+rng.IntN(2)) // each piece fits
		var pieces []string
		for k, name := range names {
			most[k] = 1 + rng.IntN(1+int(seed%3))
			pieces = append(pieces, fmt.Sprintf("%s=0..%d", name, most[k]))
		}
		least := rng.IntN(3)
		having := fmt.Sprintf("%d..%d", least, least+rng.IntN(9))
		if rng.IntN(3) == 0 {
			having = fmt.Sprintf("%d..", least)
		}
		r := &Query{Puzzle: Puzzle{Board: board, Pieces: pieces}, ByCopies: []string{AllPieces}, Having: having}
		if rng.IntN(4) == 0 {
			r.Without = []string{"0,0=" + names[0]}
		}
		want := countedAlone(t, r, names, most)
		found += len(want)
		for _, r.Method = range []string{"auto", "search", "sweep", "diagram"} {
			var watched []string
			q, err := Do(t.Context(), r, Limits{Threads: 2}, Watch{Copies: func(pieces []string, copies []int, tilings string) error {
				watched = append(watched, watchedText(pieces, copies, tilings))
				return nil
			}})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(watched, want) || len(q.ByCopies) > 0 {
				t.Errorf("seed %d, %v on %s, having %s, %s:\n%q, want\n%q", seed, pieces, board, having, r.Method, watched, want)
			}
			if q, err = Do(t.Context(), r, Limits{Threads: 2}, Watch{}); err != nil {
				t.Fatal(err)
			}
			if got := rowTexts(q); !slices.Equal(got, want) {
				t.Errorf("seed %d, %v on %s, having %s, %s: the answer has\n%q, want\n%q", seed, pieces, board, having, r.Method, got, want)
			}
		}
		r.Method = "search"
		var all []string
		for end := false; !end; {
			ctx, cancel := context.WithCancel(t.Context())
			q, err := Do(ctx, r, Limits{Threads: 1}, Watch{Copies: func(pieces []string, copies []int, tilings string) error {
				all = append(all, watchedText(pieces, copies, tilings))
				cancel()
				return nil
			}})
			cancel()
			var e *Error
			switch errors.As(err, &e); {
			case err == nil:
				end = true
			case e.Kind != Interruption || q.Cursor == "" || q.Cursor != e.Cursor:
				t.Fatalf("seed %d: %v, want the cursor of an interruption", seed, err)
			default:
				r.After = &q.Cursor
			}
		}
		if !slices.Equal(all, want) {
			t.Errorf("seed %d: in several runs %q, want %q", seed, all, want)
		}
		r.After = nil
	}
	if found < 80 {
		t.Errorf("%d rows, want more", found)
	}
}

// TestHavingFull: an answer without room for more rows has the cursor of its last row.
func TestHavingFull(t *testing.T) {
	r := &Query{Puzzle: Puzzle{Board: "6x10", Pieces: []string{"hexominoes=0..1"}}, ByCopies: []string{AllPieces}}
	q, err := Do(t.Context(), r, Limits{}, Watch{})
	if err != nil || len(q.ByCopies) != maxCopiesRows {
		t.Fatalf("%d rows, %v, want %d", len(q.ByCopies), err, maxCopiesRows)
	}
	var last []int
	for _, name := range q.Pieces {
		last = append(last, q.ByCopies[maxCopiesRows-1].Copies[name])
	}
	if want := formatCursor(last); q.Cursor != want {
		t.Errorf("cursor %s, want %s", q.Cursor, want)
	}
}

// countedAlone returns the rows of r by one count for each choice of copies that fits the board.
func countedAlone(t *testing.T, r *Query, names []string, most []int) []string {
	rows := []string{}
	board, err := r.Puzzle.Read()
	if err != nil {
		t.Fatal(err)
	}
	having, err := r.having()
	if err != nil {
		t.Fatal(err)
	}
	copies := make([]int, len(names))
	for {
		var pieces []string
		area := 0
		for k, n := range copies {
			pieces = append(pieces, fmt.Sprintf("%s=%d", names[k], n))
			area += n * len(board.Pieces[k].Shape)
		}
		if area == len(board.Board.Cells) {
			c, err := Do(t.Context(), &Count{Puzzle: Puzzle{Board: r.Puzzle.Board, Pieces: pieces}, Engine: "sweep", Conditions: r.Conditions}, Limits{}, Watch{})
			if err != nil {
				t.Fatal(err)
			}
			if n, _ := new(big.Int).SetString(c.Count, 10); having.Has(n) {
				rows = append(rows, strings.Join(pieces, " ")+": "+n.String())
			}
		}
		k := len(copies) - 1
		for ; k >= 0 && copies[k] == most[k]; k-- {
			copies[k] = 0
		}
		if k < 0 {
			return rows
		}
		copies[k]++
	}
}

func watchedText(pieces []string, copies []int, tilings string) string {
	row := CopiesTally{map[string]int{}, tilings}
	for k, name := range pieces {
		row.Copies[name] = copies[k]
	}
	return rowText(pieces, row)
}

func rowText(pieces []string, row CopiesTally) string {
	var words []string
	for _, name := range pieces {
		words = append(words, fmt.Sprintf("%s=%d", name, row.Copies[name]))
	}
	return strings.Join(words, " ") + ": " + row.Count
}

func rowTexts(q *Queried) []string {
	rows := []string{}
	for _, row := range q.ByCopies {
		rows = append(rows, rowText(q.Pieces, row))
	}
	return rows
}
