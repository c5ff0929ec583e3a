package count

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
)

// rowsOf returns the rows of EachRow as text.
func rowsOf(t *testing.T, p *cover.Problem, r Rows, o Options) []string {
	t.Helper()
	rows := []string{}
	_, err := EachRow(context.Background(), p, r, o, func(row Row) error {
		rows = append(rows, fmt.Sprint(row.Copies, row.Count))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestEachRow compares the rows of all methods, for random ranges and measures, with a list of the
// solutions, and runs that go on behind a choice with the rows behind it.
func TestEachRow(t *testing.T) {
	zeros := 0
	eachRandomCover(t, 300, func(seed uint64, rng *rand.Rand, p *cover.Problem, want [][]int) {
		sets := make([][]int, 1+rng.IntN(4))
		for o := range p.Options {
			if k := rng.IntN(len(sets) + int(seed%2)); k < len(sets) {
				sets[k] = append(sets[k], o)
			}
		}
		r := Rows{Sets: sets, Having: Range{Min: big.NewInt(rng.Int64N(3))}}
		if rng.IntN(2) == 0 {
			r.Having.Max = big.NewInt(r.Having.Min.Int64() + rng.Int64N(4))
		}
		for range rng.IntN(3) {
			measure := make([]int, len(p.Items))
			for i := range measure {
				measure[i] = rng.IntN(5) - 2
			}
			r.Measures = append(r.Measures, measure)
		}
		of, counts := setOf(p, sets), map[string]int64{}
		for _, s := range want {
			copies := make([]int, len(sets))
			for _, o := range s {
				if of[o] >= 0 {
					copies[of[o]]++
				}
			}
			counts[fmt.Sprint(copies)]++
		}
		var all [][]int
		rows := []string{}
		for _, e := range []Engine{Search, Sweep, Diagram, Auto} {
			var got []string
			table, err := EachRow(context.Background(), p, r, Options{Engine: e, Limits: Limits{Threads: 2}}, func(row Row) error {
				got = append(got, fmt.Sprint(row.Copies, row.Count))
				if n := counts[fmt.Sprint(row.Copies)]; row.Count.Cmp(big.NewInt(n)) != 0 {
					t.Errorf("%s: %v %v, want %d", e, row.Copies, row.Count, n)
				}
				if e == Search {
					all = append(all, row.Copies)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if e == Search {
				rows = got
				if table.Choices.Cmp(table.Of) != 0 {
					t.Errorf("%v of %v choices seen", table.Choices, table.Of)
				}
			} else if !slices.Equal(got, rows) {
				t.Errorf("%s: %v, want %v", e, got, rows)
			}
		}
		present := map[string]bool{}
		for _, copies := range all {
			present[fmt.Sprint(copies)] = true
			if counts[fmt.Sprint(copies)] == 0 {
				zeros++
			}
		}
		for copies, n := range counts {
			if r.Having.Has(big.NewInt(n)) && !present[copies] {
				t.Errorf("no row for %s with %d", copies, n)
			}
		}
		if len(all) > 0 {
			k := rng.IntN(len(all))
			r.After = all[k]
			for _, e := range []Engine{Search, Sweep} {
				if got := rowsOf(t, p, r, Options{Engine: e}); !slices.Equal(got, rows[k+1:]) {
					t.Errorf("%s: behind %v %v, want %v", e, r.After, got, rows[k+1:])
				}
			}
		}
	})
	if zeros < 100 {
		t.Errorf("%d choices without a solution, want more", zeros)
	}
}

// onBoard returns the rows of a model whose first items are the cells of a board, by pieces.
func onBoard(p *cover.Problem, cells, pieces int) Rows {
	r := Rows{Having: Range{Min: big.NewInt(1)}, Sets: make([][]int, pieces), Measures: [][]int{slices.Repeat([]int{1}, cells)}}
	for o, option := range p.Options {
		for _, u := range option {
			if k := u.Item - cells; k >= 0 && k < pieces {
				r.Sets[k] = append(r.Sets[k], o)
			}
		}
	}
	return r
}

var pentominoes = strings.Fields("F5 I5 L5 N5 P5 T5 U5 V5 W5 X5 Y5 Z5")

// TestEachRowOfPentominoes counts each of the 792 sets of five pentominoes on 5x5 alone.
func TestEachRowOfPentominoes(t *testing.T) {
	atMostOne := []string{}
	for _, name := range pentominoes {
		atMostOne = append(atMostOne, name+"=0..1")
	}
	p := inline(t, "5x5", atMostOne...)
	r := onBoard(p, 25, 12)
	r.Having.Min = new(big.Int)
	got := rowsOf(t, p, r, Options{Engine: Search})
	want := rowsOf(t, p, r, Options{Engine: Sweep})
	if len(got) != 792 || !slices.Equal(got, want) {
		t.Fatalf("%d rows, want 792 as by a sweep", len(got))
	}
	_, err := EachRow(context.Background(), p, r, Options{Engine: Search}, func(row Row) error {
		var names []string
		for k, n := range row.Copies {
			if n == 1 {
				names = append(names, pentominoes[k]+"=1")
			}
		}
		alone, err := Count(context.Background(), inline(t, "5x5", names...), Sweep, Options{})
		if err != nil || alone.Count.Cmp(row.Count) != 0 {
			t.Errorf("%v: %v, want %v, %v", names, row.Count, alone, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestEachRowOfManySolutions compares choices whose solutions are too many to list with a sweep.
func TestEachRowOfManySolutions(t *testing.T) {
	for board, cells := range map[string]int{"6x6": 36, "4x5": 20} {
		p := inline(t, board, "domino=any", "monomino=any")
		r := onBoard(p, cells, 2)
		for _, having := range [][]int64{{0}, {1}, {1, 60}, {1, 60000}, {2000}} {
			if r.Having = (Range{Min: big.NewInt(having[0])}); len(having) > 1 {
				r.Having.Max = big.NewInt(having[1])
			}
			got := rowsOf(t, p, r, Options{Engine: Search, Limits: Limits{Threads: 2}})
			if want := rowsOf(t, p, r, Options{Engine: Sweep}); len(got) == 0 || !slices.Equal(got, want) {
				t.Errorf("%s, having %d: %v, want %v", board, having, got, want)
			}
		}
	}
}

func TestEachRowErrors(t *testing.T) {
	p := inline(t, "6x6", "domino=any", "monomino=any")
	r := onBoard(p, 36, 2)
	failed := errors.New("no room")
	table, err := EachRow(context.Background(), p, r, Options{Engine: Search}, func(Row) error { return failed })
	if !errors.Is(err, failed) || table.Seen != nil {
		t.Errorf("%v, %v, want the error of yield", table, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	table, err = EachRow(ctx, p, r, Options{Engine: Search, Limits: Limits{Threads: 1}}, func(row Row) error {
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || !slices.Equal(table.Seen, []int{0, 36}) {
		t.Errorf("%v, %v, want a cancelled run behind its first row", table, err)
	}
	many := Rows{Having: Range{Min: new(big.Int)}}
	for o := range p.Options {
		many.Sets = append(many.Sets, []int{o})
	}
	if _, err := EachRow(context.Background(), p, many, Options{}, nil); !errors.Is(err, ErrChoices) {
		t.Errorf("2^96 choices: %v, want ErrChoices", err)
	}
}
