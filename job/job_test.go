package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/strict"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/verify"
)

// dominoes is the running example.
var dominoes = Puzzle{Board: "2x3", Pieces: []string{"domino=any"}}

// wordsOf returns the allowed values of a field of a request.
func wordsOf(r Request, field string) []string {
	fields := strict.FieldsOf(reflect.TypeOf(r).Elem())
	return fields[slices.IndexFunc(fields, func(f strict.Field) bool { return f.Name == field })].Words()
}

// TestWords: a field accepts the words of its list and no other words.
func TestWords(t *testing.T) {
	engines := append(count.Engines(), EngineSAT)
	for _, c := range []struct {
		got  []string
		want string
	}{
		{wordsOf(&Count{}, "engine"), fmt.Sprint(engines)},
		{wordsOf(&Each{}, "engine"), fmt.Sprint(engines)},
		{wordsOf(&Sample{}, "method"), fmt.Sprint(sample.Methods())},
		{slices.Sorted(slices.Values(wordsOf(&Convert{}, "to"))), fmt.Sprint(slices.Sorted(maps.Keys(conversions)))},
		{append([]string{""}, wordsOf(&Compile{}, "dump_format")...), fmt.Sprint(slices.Sorted(maps.Keys(dumps)))},
	} {
		if fmt.Sprint(c.got) != c.want {
			t.Errorf("got %v, want %s", c.got, c.want)
		}
	}
	for _, r := range []Request{
		&Count{Engine: "x"}, &Each{Engine: "x"}, &Residues{Engine: "search"}, &Certify{Engine: "sat"}, &Verify{Engine: "sat"}, &Verify{Method: "x"},
		&Solve{Engine: "sat"}, &Sequence{Engine: "sat"}, &Sequence{Format: "x"}, &Sample{Method: "x"}, &Query{Method: "x"}, &Query{Marginals: "x"}, &Compile{DumpFormat: "y"},
		&Compile{DumpFormat: "x"}, &List{Distinct: "x"}, &Check{Distinct: "x"}, &Recurrence{Boxes: Boxes{Rows: "x"}},
	} {
		if err := Validate(ready(r)); KindOf(err) != BadInput || !strings.Contains(err.Error(), "expected ") {
			t.Errorf("%T %+v: %v", r, r, err)
		}
	}
}

// ready sets the required fields of a request of any kind.
func ready(r Request) Request {
	v := reflect.ValueOf(r).Elem()
	if puzzle := v.FieldByName("Puzzle"); puzzle.IsValid() {
		puzzle.Set(reflect.ValueOf(dominoes))
	}
	switch r := r.(type) {
	case *Sample:
		r.Number = 2
	case *Clues:
		r.Number = 2
	case *Each:
		r.Puzzle = Puzzle{Text: aCalendar}
	case *Residues:
		r.Moduli = []Whole{7}
	case *Sequence:
		r.Rows, r.Columns = "1..2", "3"
	case *Recurrence:
		r.Columns = "2"
	case *Convert:
		r.To = "cover"
	case *Query:
		r.Unrank = []string{"last"}
	case *Solve:
		r.Command = "cat {}"
	}
	return r
}

// TestRoundTrip: every request is read as it was written, and no other text is accepted.
func TestRoundTrip(t *testing.T) {
	for _, k := range kinds {
		r := ready(k.request())
		if r.Kind() != k.kind {
			t.Errorf("%s: the request says that it is a %s", k.kind, r.Kind())
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Decode(k.kind, text)
		if err != nil || !reflect.DeepEqual(r, again) {
			t.Errorf("%s: %s is read as %+v, %v", k.kind, text, again, err)
		}
		for _, wrong := range []string{
			"", "[]", "{", strings.Replace(string(text), "{", `{"no_such_field":1,`, 1), string(text) + "{}", `{"puzzle":{}}`,
			`{"puzzle":{"example":"soma","board":"2x3","pieces":["domino"]}}`, `{"puzzle":{"board":"2x3"}}`, `{"puzzle":{"board":" ","pieces":["domino"]}}`,
		} {
			if _, err := Decode(k.kind, []byte(wrong)); KindOf(err) != BadInput || strings.Contains(fmt.Sprint(err), "\n") {
				t.Errorf("%s: %s: %v", k.kind, wrong, err)
			}
		}
	}
	if _, err := Decode("nothing", nil); KindOf(err) != BadInput {
		t.Errorf("an unknown kind: %v", err)
	}
}

// TestEveryRequestHasARow: each type that has a kind is in the table of kinds.
func TestEveryRequestHasARow(t *testing.T) {
	rows := map[string]bool{}
	for _, k := range kinds {
		rows[reflect.TypeOf(k.request()).Elem().Name()] = true
	}
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	requests := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, method := range regexp.MustCompile(`(?m)^func \((?:\w+ )?\*(\w+)\) Kind\(\) Kind`).FindAllSubmatch(text, -1) {
			requests++
			if name := string(method[1]); !rows[name] {
				t.Errorf("%s: the request %s has no row in the table kinds", file, name)
			}
		}
	}
	if requests != len(kinds) {
		t.Errorf("%d types have a kind, the table has %d rows", requests, len(kinds))
	}
}

// TestWhole: whole numbers are read as strings and as numbers, and written as strings.
func TestWhole(t *testing.T) {
	for text, want := range map[string]Whole{`"7"`: 7, `7`: 7, `0`: 0, `"18446744073709551615"`: 1<<64 - 1, `18446744073709551615`: 1<<64 - 1} {
		var w Whole
		if err := json.Unmarshal([]byte(text), &w); err != nil || w != want {
			t.Errorf("%s is read as %d, %v", text, w, err)
		}
	}
	for _, text := range []string{`"-1"`, `-1`, `1.0`, `1e3`, `""`, `"`, `null`, `true`, `"+1"`, `"18446744073709551616"`, `[1]`} {
		w := Whole(5)
		if err := json.Unmarshal([]byte(text), &w); err == nil {
			t.Errorf("%s is read as %d", text, w)
		}
	}
	if text, err := json.Marshal([]Whole{1<<64 - 1}); err != nil || string(text) != `["18446744073709551615"]` {
		t.Errorf("written %s, %v", text, err)
	}
}

// TestBadRequests: the error about a wrong field has the name of the field, or the caller's name.
func TestBadRequests(t *testing.T) {
	zero, large, seed := Whole(0), Whole(1<<63), Whole(1)
	for want, r := range map[string]Request{
		"engine is \"fast\"":                   &Count{Engine: "fast"},
		`engine "sat" has no forecasts`:        &Count{Engine: EngineSAT, Explain: true},
		"distinct is \"no\", expected usual":   &List{Distinct: "no"},
		"method is \"no\", expected":           &Sample{Method: "no"},
		"both distinct and method sweep given": &Sample{Method: "sweep", Distinct: DistinctAll},
		"moduli is \"1\", expected":            &Residues{Moduli: []Whole{1}},
		"to is \"x\", expected":                &Convert{To: "x"},
		"engine is \"search\", expected auto, sweep or diagram: only these write certificates": &Certify{Engine: "search"},
		"limit is 0, expected a number from 1 to 2^6":                                          &Verify{Limit: &zero},
		"limit is 9223372036854775808":                                                         &Verify{Limit: &large},
		"spots is 0":                                                                           &Verify{Spots: &zero},
		"both method list and seed given":                                                      &Verify{Method: "list", Seed: &seed},
		"engine is \"sat\", expected auto, sweep, search, diagram or dimer: the count is":      &Verify{Engine: EngineSAT},
		"expected a command with {}":                                                           &Solve{Command: "cat"},
	} {
		_, err := Run(t.Context(), r, Limits{}, Watch{})
		if KindOf(err) != BadInput || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%+v: %v, want %s", r, err, want)
		}
	}
	var e *Error
	if err := Validate(&Sample{Method: "sweep", Distinct: DistinctAll}); !errors.As(err, &e) ||
		e.Spell(func(f string) string { return "--" + f }) != "both --distinct and --method sweep given, expected --method diagram, or --distinct without --method" {
		t.Errorf("spelt %v", e)
	}
}

// TestEveryKind runs requests of all kinds and compares their answers with the table.
func TestEveryKind(t *testing.T) {
	var certificate strings.Builder
	if _, err := Do(t.Context(), &Certify{Puzzle: dominoes}, Limits{}, Watch{Output: &certificate}); err != nil {
		t.Fatal(err)
	}
	for _, k := range kinds {
		watch := Watch{Output: io.Discard, Input: strings.NewReader(certificate.String())}
		a, err := Run(t.Context(), ready(k.request()), Limits{Threads: 1, Programs: true}, watch)
		if k.kind == "solve" { // cat is not a solver
			err = nil
		}
		if err != nil || reflect.TypeOf(a) != reflect.TypeOf(k.answer()) {
			t.Errorf("%s: %T, %v", k.kind, a, err)
		}
	}
	if _, err := Run(t.Context(), ready(new(Solve)), Limits{}, Watch{}); KindOf(err) != BadInput {
		t.Errorf("a program was run that the limits do not allow: %v", err)
	}
}

// TestWatch: tilings come one by one, and none after an error; the answer is stored before the work
// ends.
func TestWatch(t *testing.T) {
	var puzzle *tiling.Puzzle
	taken := 0
	w := Watch{
		Begin:  func(p *tiling.Puzzle) error { puzzle = p; return nil },
		Tiling: func(render.Tiling) error { taken++; return nil },
	}
	listed, err := Do(t.Context(), &List{Puzzle: dominoes}, Limits{}, w)
	if err != nil || taken != 3 || listed.Listed != 3 || listed.Limited || puzzle == nil {
		t.Errorf("listed %d: %+v, %v", taken, listed, err)
	}
	full := errors.New("no room")
	w.Tiling = func(render.Tiling) error { taken++; return full }
	for _, r := range []Request{&List{Puzzle: dominoes}, &Sample{Puzzle: dominoes, Number: 5}} {
		taken = 0
		if _, err := Run(t.Context(), r, Limits{}, w); !errors.Is(err, full) || taken != 1 || KindOf(err) != Failure {
			t.Errorf("%s: %d tilings after an error, %v", r.Kind(), taken, err)
		}
	}
	w.Answer = func(Answer) error { return full }
	if _, err := Do(t.Context(), &Count{Puzzle: dominoes}, Limits{}, w); !errors.Is(err, full) {
		t.Errorf("an answer that was not kept: %v", err)
	}
}

// TestKeptAnswer: a checkpoint remains until the answer is stored.
func TestKeptAnswer(t *testing.T) {
	dir := t.TempDir()
	limits := Limits{Checkpoint: dir, CheckpointEvery: time.Nanosecond, Threads: 1}
	full := errors.New("no room")
	r := &Count{Puzzle: Puzzle{Board: "6x6", Pieces: []string{"tetrominoes=any"}}}
	if _, err := Do(t.Context(), r, limits, Watch{Answer: func(Answer) error { return full }}); !errors.Is(err, full) {
		t.Fatal(err)
	}
	resumed := ""
	w := Watch{Note: func(n Note) {
		if n.Weight == Notice {
			resumed = n.Text
		}
	}}
	if _, err := Do(t.Context(), r, limits, w); err != nil || !strings.HasPrefix(resumed, "continuing from level ") {
		t.Errorf("%q, %v", resumed, err)
	}
	resumed = ""
	if _, err := Do(t.Context(), r, limits, w); err != nil || resumed != "" {
		t.Errorf("the checkpoint of an answer that was kept is there: %q, %v", resumed, err)
	}
}

// TestKinds checks the kinds of errors.
func TestKinds(t *testing.T) {
	for err, want := range map[error]ErrorKind{
		errors.New("a bug"):      Failure,
		tiling.ErrPuzzle:         BadInput,
		count.ErrForeign:         BadInput,
		cover.ErrMemory:          Limit,
		count.ErrTooWide:         Limit,
		verify.ErrUndecided:      Limit,
		syscall.ENOSPC:           Limit,
		context.DeadlineExceeded: Limit,
		count.ErrDisagrees:       Disagreement,
		verify.ErrCertificate:    Disagreement,
		context.Canceled:         Interruption,
	} {
		if got := KindOf(fmt.Errorf("while counting: %w", err)); got != want {
			t.Errorf("%v is of kind %d, want %d", err, got, want)
		}
	}
}

// TestEnds: the error at the end of a context is the cause of the end.
func TestEnds(t *testing.T) {
	r := &Count{Puzzle: dominoes}
	_, err := Do(t.Context(), r, Limits{Time: time.Nanosecond}, Watch{})
	if KindOf(err) != Limit || err.Error() != "the time limit of 1ns was reached" {
		t.Error(err)
	}
	if _, err := Do(testkit.AfterLooks(t, 1), r, Limits{}, Watch{}); KindOf(err) != Limit || err.Error() != "the time limit was reached" {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Do(ctx, r, Limits{}, Watch{}); KindOf(err) != Interruption || err.Error() != "interrupted" {
		t.Error(err)
	}
}

// TestFormulaTooLarge: if a formula is too large, the count is returned nevertheless.
func TestFormulaTooLarge(t *testing.T) {
	w := &work{}
	m, err := w.conditioned(t.Context(), &Puzzle{Board: "8x8", Pieces: []string{"domino=any", "I3=2"}}, &Conditions{})
	if err != nil {
		t.Fatal(err)
	}
	w.limits.Memory = 1000
	got, err := (&Count{Formula: true}).answer(t.Context(), w, m, &count.Result{Count: big.NewInt(1)}, nil)
	if err != nil || got.Formula != verify.Projected {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestHasCheckpoints: exactly the counts whose HasCheckpoints is true accept a folder for
// checkpoints.
func TestHasCheckpoints(t *testing.T) {
	for _, r := range []*Count{
		{}, {Engine: "auto"}, {Engine: "sweep"}, {Engine: "search"}, {Engine: "diagram"}, {Engine: EngineSAT}, {Distinct: DistinctUsual}, {Engine: "sweep", Distinct: DistinctAll}, {UpTo: new(Whole(2))},
	} {
		r.Puzzle = dominoes
		_, err := Do(t.Context(), r, Limits{Checkpoint: t.TempDir()}, Watch{})
		if r.HasCheckpoints() != (err == nil) {
			t.Errorf("%+v: has checkpoints %t, but %v", r, r.HasCheckpoints(), err)
		}
	}
}

// TestMemory: a request of any kind that does not fit in the memory fails with the same error.
func TestMemory(t *testing.T) {
	large := Puzzle{Board: "30x30", Pieces: []string{"pentominoes=any"}}
	for name, r := range map[string]Request{
		"placements": &Count{Puzzle: large},
		"levels":     &Count{Puzzle: Puzzle{Board: "14x14", Pieces: []string{"tetrominoes=any"}}, Engine: "sweep"},
		"clauses":    &Count{Puzzle: Puzzle{Board: "40x40", Pieces: []string{"domino=any"}}, Engine: EngineSAT},
		"cover":      &Show{Puzzle: Puzzle{Text: "item a 1\nitem b 1\noption a\n"}},
	} {
		memory := int64(2 << 20)
		if name == "cover" {
			memory = 1
		}
		if _, err := Run(t.Context(), r, Limits{Memory: memory, Threads: 1}, Watch{}); !errors.Is(err, cover.ErrMemory) || KindOf(err) != Limit {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestField: an error about one field of a request names the field and describes the mistake.
func TestField(t *testing.T) {
	for text, want := range map[string][2]string{
		`{"puzzle":{"board":"2x3","pieces":["O4"]},"engine":"x"}`:    {"engine", `the value is "x", expected auto, sweep`},
		`{"puzzle":{"board":"2x3","pieces":["O4"]},"distinct":true}`: {"distinct", "the value is true, expected a text: usual, rotations or all"},
		`{"puzzle":{"board":"2x3","pieces":["O4"]},"enginn":"x"}`:    {"enginn", "did you mean engine?"},
		`{"puzzle":{"board":"2x3"}}`:                                 {"board", "the value is given without pieces, expected both"},
	} {
		_, err := Decode("count", []byte(text))
		testField(t, text, err, want)
	}
	for text, want := range map[string][2]string{
		`{"puzzle":{"board":"2x3","pieces":["domino=any"]},"exactly":["x"]}`: {"exactly", `the value is "x": expected`},
		`{"puzzle":{"board":"2x3","pieces":["domino=any"]},"weights":["x"]}`: {"weights", "expected"},
	} {
		r, err := Decode("sample", []byte(text))
		if err == nil {
			_, err = Run(t.Context(), r, Limits{}, Watch{})
		}
		testField(t, text, err, want)
		// Another process sends the error as JSON.
		var told *Error
		if sent, e := json.Marshal(ErrorOf(err)); e != nil || json.Unmarshal(sent, &told) != nil {
			t.Fatalf("%s: %s, %v", text, sent, e)
		}
		testField(t, text, told, want)
	}
}

func testField(t *testing.T, text string, err error, want [2]string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%s: %v", text, err)
	}
	if name, wrong := e.Field(); name != want[0] || !strings.Contains(wrong, want[1]) {
		t.Errorf("%s: %q, %q, want %q", text, name, wrong, want)
	}
}

// TestReadingEndsWithItsContext: making the 63,600 dodecominoes needs seconds and checks no
// context.
func TestReadingEndsWithItsContext(t *testing.T) {
	dodecominoes := Puzzle{Board: "20x20", Pieces: []string{"dodecominoes"}}
	for _, r := range []Request{
		&Count{Puzzle: dodecominoes},
		&Sequence{Boxes: Boxes{Puzzle: dodecominoes, Rows: "12", Columns: "1..12"}},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { _, err := Run(ctx, r, Limits{}, Watch{}); ended <- err }()
		cancel()
		if err := <-ended; KindOf(err) != Interruption {
			t.Errorf("%T: %v, want an interruption", r, err)
		}
	}
}
