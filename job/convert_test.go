package job

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/compiled"
	"github.com/pavage/pavage/examples"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/verify"
)

// TestConvertLooks: in each format, writing ends when the context ends.
func TestConvertLooks(t *testing.T) {
	for _, to := range wordsOf(&Convert{}, "to") {
		board := "40x40"
		if slices.Contains([]string{"graphillion", "sapporo", "zdd", "dot", "universe"}, to) {
			board = "6x40" // a diagram has all tilings
		}
		r := &Convert{Puzzle: Puzzle{Board: board, Pieces: []string{"domino=any"}}, To: to}
		var whole strings.Builder
		all := testkit.AfterLooks(t, 1<<30)
		if _, err := Do(all, r, Limits{}, Watch{Output: &whole}); err != nil || all.Made() < whole.Len()/4096 {
			t.Fatalf("%s: %v, %d looks for %d bytes", to, err, all.Made(), whole.Len())
		}
		if whole.Len() < 4096 {
			continue // it is written in one step
		}
		var some strings.Builder
		_, err := Do(testkit.AfterLooks(t, all.Made()-2), r, Limits{}, Watch{Output: &some})
		atOnce := slices.Contains([]string{"puzzle", "json", "universe"}, to) // read again before a byte is written, or one JSON value
		if KindOf(err) != Limit || err.Error() != "the time limit was reached" || some.Len() == 0 && !atOnce || some.Len() >= whole.Len() {
			t.Errorf("%s: %v, and %d of %d bytes", to, err, some.Len(), whole.Len())
		}
	}
}

// TestConvertPuzzleAlone: a puzzle with too many placements, or with pieces that fit nowhere, can
// be written as a puzzle file in JSON, which is read as the same puzzle.
func TestConvertPuzzleAlone(t *testing.T) {
	for _, p := range []Puzzle{
		{Board: "1000x1000", Pieces: []string{"octominoes-of-my-own", "pentominoes=any"}},
		{Board: "1000x1000", Pieces: []string{"pentominoes=any"}},
		{Board: "1x2", Pieces: []string{"X5"}},
		{Example: "calendar", Values: map[string]string{"day": "7"}},
		{Example: "soma"},
		{Example: "queens-8"},
	} {
		var b strings.Builder
		_, err := Do(t.Context(), &Convert{Puzzle: p, To: "json"}, Limits{Memory: 1 << 20}, Watch{Output: &b})
		want, wrong := p.Read()
		if (err == nil) != (wrong == nil) {
			t.Errorf("%+v: %v, want %v", p, err, wrong)
		}
		if err != nil {
			continue
		}
		back, err := (&Puzzle{Text: b.String()}).Read()
		if err != nil || !bytes.Equal(back.Canonical(), want.Canonical()) || back.Title != want.Title {
			t.Errorf("%+v: %v, %s", p, err, b.String())
		}
	}
}

// TestFormulasAreReadBack: a formula that convert writes is read as the same cover, for all bundled
// examples and for puzzles with bounds that clauses alone do not determine.
func TestFormulasAreReadBack(t *testing.T) {
	all := []Puzzle{{From: "dlx", Text: "p*1 q#\np*1 q#\np*1\nq#\n"}} // names that a cover file cannot have
	for _, name := range examples.Names() {
		all = append(all, Puzzle{Example: name})
	}
	for _, text := range []string{
		"board: 3x3\npieces: [{name: domino, copies: 1..}, {name: monomino, copies: 1..}]",
		"board: |\n  oooo\n  oo#o\npieces: [{name: domino, copies: any}]",
		"board: |\n  oo\npieces: [{name: domino, copies: any}]",
		"board: |\n  ooo\npieces: [{name: domino, copies: 2..}]",
		"board: 3x3\npieces: [{name: ab, shape: '##', copies: 0..3}, {name: L3, copies: any}]\ngroups: [{of: all, copies: 2..4}]",
		"board: 2x2\npieces: [I4, {name: monomino, copies: any}]",
		"item p 2\nitem q 0..1\noption p q:red\noption p q:blue\noption p*2\noption q:red",
	} {
		all = append(all, Puzzle{Text: text})
	}
	for _, p := range all {
		w := &work{}
		m, err := w.read(t.Context(), &p)
		if err != nil {
			t.Fatalf("%+v: %v", p, err)
		}
		var formula bytes.Buffer
		if _, err := Do(t.Context(), &Convert{Puzzle: p, To: "dimacs"}, Limits{}, Watch{Output: &formula}); err != nil {
			if !errors.Is(err, verify.ErrTooLarge) {
				t.Errorf("%+v: %v", p, err)
			}
			continue
		}
		back, err := w.read(t.Context(), &Puzzle{Name: "f.cnf", Text: formula.String()})
		if err != nil || compiled.Digest(back.Problem) != compiled.Digest(m.Problem) {
			t.Errorf("%+v: read back with %v, or as another cover", p, err)
		}
	}
}

// TestChangedFormula: a formula whose clauses differ from the cover in its comments is refused.
func TestChangedFormula(t *testing.T) {
	var formula bytes.Buffer
	p := Puzzle{Board: "3x3", Pieces: []string{"domino=1..", "monomino=any"}}
	if _, err := Do(t.Context(), &Convert{Puzzle: p, To: "dimacs"}, Limits{}, Watch{Output: &formula}); err != nil {
		t.Fatal(err)
	}
	text := formula.String()
	clauses := strings.Index(text, "\np cnf")
	for name, changed := range map[string]string{
		"a sign":        text[:clauses] + strings.Replace(text[clauses:], "\n-", "\n", 1),
		"a clause less": strings.TrimRight(text[:strings.LastIndex(strings.TrimRight(text, "\n"), "\n")], "\n") + "\n",
		"a clause more": text + "-1 0\n",
		"a bound":       strings.Replace(text, "c cover item domino 1..", "c cover item domino 2..", 1),
	} {
		if changed == text {
			t.Fatalf("%s: nothing changed", name)
		}
		if a, err := Do(t.Context(), &Count{Puzzle: Puzzle{Name: "f.cnf", Text: changed}}, Limits{}, Watch{}); KindOf(err) != BadInput {
			t.Errorf("%s: %+v, %v, want an error about the file", name, a, err)
		}
	}
}
