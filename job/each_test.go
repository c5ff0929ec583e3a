package job

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
)

// aCalendar is a board of 2x3 named cells. One cell of each row stays open.
const aCalendar = `{"board": [["a", "b", "c"], ["1", "2", "3"]], "open": ["letter", "number"],
	"parameters": {"letter": ["a", "b", "c"], "number": "1..3"}, "except": [{"letter": "b", "number": 2}],
	"pieces": [{"name": "domino", "copies": "any"}, {"name": "monomino", "copies": "any"}]}`

// TestEach: each row is the count of the puzzle with its values alone.
func TestEach(t *testing.T) {
	r := &Each{Puzzle: Puzzle{Text: aCalendar}, Each: []string{"number", "letter=a..b"}, Distinct: DistinctUsual}
	var last float64
	watch := Watch{Progress: func(p Progress) {
		if p.Fraction < last || p.Fraction > 1 {
			t.Errorf("fraction %v after %v", p.Fraction, last)
		}
		last = p.Fraction
	}}
	table, err := Do(t.Context(), r, Limits{}, watch)
	if err != nil || len(table.Rows) != 5 || !slices.Equal(table.Rows[2].Values, []string{"2", "a"}) {
		t.Fatalf("%+v, %v", table, err)
	}
	for _, row := range table.Rows {
		c := &Count{Puzzle: Puzzle{Text: aCalendar, Values: map[string]string{"number": row.Values[0], "letter": row.Values[1]}}, Distinct: DistinctUsual}
		alone, err := Do(t.Context(), c, Limits{}, Watch{})
		if err != nil || alone.Count != row.Count || alone.Distinct.Count != row.Distinct.Count {
			t.Errorf("%v: %+v alone, %v", row, alone, err)
		}
	}
}

// TestEachStopped: when the work ends early, the answer has the rows that are complete.
func TestEachStopped(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := errors.New("enough")
	watch := Watch{Progress: func(p Progress) {
		if p.Done == 3 {
			cancel(ended)
		}
	}}
	table, err := Do(ctx, &Each{Puzzle: Puzzle{Text: aCalendar}}, Limits{}, watch)
	if err == nil || table == nil || len(table.Rows) != 3 {
		t.Errorf("%+v, %v", table, err)
	}
}

func TestBadEach(t *testing.T) {
	text := Puzzle{Text: aCalendar}
	for _, c := range []struct {
		r    Each
		want string
	}{
		{Each{Puzzle: Puzzle{Board: "2x2", Pieces: []string{"domino"}}}, "the puzzle has no parameters, expected a puzzle file with parameters"},
		{Each{Puzzle: Puzzle{Text: "item a 1"}}, "a cover has no parameters, expected a puzzle file with parameters"},
		{Each{Puzzle: text, Each: []string{"day"}}, `each: the puzzle has no parameter "day", expected letter or number`},
		{Each{Puzzle: text, Each: []string{"letter=a", "letter=b"}}, "each has parameter letter twice, expected each parameter once"},
		{Each{Puzzle: text, Each: []string{"letter=b", "number=2"}}, `each: the exceptions under the key "except" of the puzzle exclude all of the given values`},
	} {
		if _, err := Do(t.Context(), &c.r, Limits{}, Watch{}); err == nil || err.Error() != c.want || KindOf(err) != BadInput {
			t.Errorf("%v: %v, want %s", c.r.Each, err, c.want)
		}
	}
}

// TestKeyOfEach: requests for different tables have different keys, which include the values.
func TestKeyOfEach(t *testing.T) {
	text := Puzzle{Text: aCalendar}
	second := Puzzle{Text: aCalendar, Values: map[string]string{"number": "3"}}
	met := map[[32]byte]string{}
	for _, r := range []Request{
		&Each{Puzzle: text}, &Each{Puzzle: second}, &Each{Puzzle: text, Each: []string{"letter"}}, &Each{Puzzle: text, Distinct: DistinctAll},
		&Count{Puzzle: text}, &Count{Puzzle: second}, &Show{Puzzle: text}, &Show{Puzzle: second},
	} {
		key, shared, err := Key(r)
		if err != nil || !shared || met[key] != "" {
			t.Errorf("%+v: shared %v, %v, as %s", r, shared, err, met[key])
		}
		met[key] = fmt.Sprintf("%+v", r)
	}
	named := text
	named.Name = "a.json"
	a, _, _ := Key(&Each{Puzzle: text})
	if b, _, _ := Key(&Each{Puzzle: named}); a != b {
		t.Error("the name of a file changes the key")
	}
}
