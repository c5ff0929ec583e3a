package job

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/pavage/pavage/render"
)

// TestFileIsTold: the answer about a compiled file has the conditions of the file or the words of
// its derivation, also where only its puzzle is used.
func TestFileIsTold(t *testing.T) {
	folder, p := t.TempDir(), Puzzle{Board: "2x3", Pieces: []string{"domino=any"}}
	b, _ := compiledTo(t, folder, "b.pavage", &Compile{Puzzle: p, Conditions: Conditions{With: []string{"0,0=domino:2"}}}, Watch{})
	var data bytes.Buffer
	if _, err := Do(t.Context(), &Compile{Puzzle: p, Conditions: Conditions{With: []string{"0,0=domino:2"}}}, Limits{}, Watch{Output: &data}); err != nil {
		t.Fatal(err)
	}
	also := Conditions{With: []string{"0,2"}}
	const both = `"conditions":{"with":["0,0=domino:2","0,2"]}`
	derived, _ := compiledTo(t, folder, "c.pavage", &Compile{Puzzle: p, Operations: []Operation{{Do: "minus", With: b}}}, Watch{})
	for _, c := range []struct {
		r    Request
		want string
	}{
		{&Count{Puzzle: b, Conditions: also}, both},
		{&Count{Puzzle: b}, `"conditions":{"with":["0,0=domino:2"]}`},
		{&Count{Puzzle: Puzzle{Name: "b", Data: data.Bytes()}, Conditions: also}, both},
		{&Count{Puzzle: b, Engine: "sweep", Conditions: also}, both},
		{&Sample{Puzzle: b, Number: 1, Conditions: also}, both},
		{&List{Puzzle: b, Conditions: also}, both},
		{&Query{Puzzle: b, Marginals: "pieces", Conditions: also}, both},
		{&Verify{Puzzle: b, Conditions: also}, both},
		{&Count{Puzzle: derived}, `"derived":"`},
		{&Sample{Puzzle: derived, Number: 1}, `"derived":"`},
		{&List{Puzzle: derived}, `"derived":"`},
		{&Query{Puzzle: derived, Marginals: "pieces"}, `"derived":"`},
	} {
		a, err := Run(t.Context(), c.r, Limits{}, Watch{Tiling: func(render.Tiling) error { return nil }})
		text, _ := json.Marshal(a)
		if err != nil || !strings.Contains(string(text), c.want) {
			t.Errorf("%s: %v, %s, want %s", c.r.Kind(), err, text, c.want)
		}
	}
	if c, _ := Do(t.Context(), &Count{Puzzle: p}, Limits{}, Watch{}); c.Conditions != nil || c.Derived != "" {
		t.Errorf("%+v", c)
	}
}

// TestValuesAreTold: a remark reports the values of parameters that the request does not give,
// unless it gives all.
func TestValuesAreTold(t *testing.T) {
	for want, values := range map[string]map[string]string{"with the values month=jan, day=3": {"day": "3"}, "": {"month": "feb", "day": "3"}} {
		var told []string
		_, err := Do(t.Context(), &Show{Puzzle: Puzzle{Example: "calendar", Values: values}}, Limits{}, Watch{Note: func(e Note) {
			if e.Weight == Remark {
				told = append(told, e.Text)
			}
		}})
		if err != nil || strings.Join(told, "\n") != want {
			t.Errorf("%v: %q, %v, want %q", values, told, err, want)
		}
	}
}

// TestNoneKept: if no tiling satisfies the conditions, the answer does not claim that the puzzle
// has no tiling.
func TestNoneKept(t *testing.T) {
	p := Puzzle{Board: "2x3", Pieces: []string{"domino=any"}}
	_, err := Do(t.Context(), &Sample{Puzzle: p, Number: 1, Conditions: Conditions{Without: []string{"domino"}}}, Limits{}, Watch{})
	if !errors.Is(err, ErrNoTiling) || !strings.Contains(err.Error(), "satisfies the conditions") {
		t.Error(err)
	}
}
