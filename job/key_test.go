package job

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/job/sequence"
)

func keyFor(t testing.TB, r Request) string {
	t.Helper()
	digest, shared, err := Key(r)
	if err != nil {
		t.Fatalf("%+v: %v", r, err)
	}
	return fmt.Sprintf("%x %v", digest, shared)
}

// coloured is a chessboard with dominoes and an L3.
const coloured = "board: 3x5\ncolours: {w: white, b: black, pattern: wb/bw}\npieces: [{name: d, shape: wb, copies: any}, L3]\n"

// named is a board with names for two cells, one of which stays open. In calendar a parameter
// chooses the open cell.
const (
	named    = "board: ['mon # #', '# # #', '# # wed']\nopen: [mon]\npieces: [{name: domino, copies: any, motions: fixed, cells: [[0, 0], [0, 1]]}, {name: m, cells: [[0, 0]], copies: any}]\n"
	calendar = "board: ['mon # #', '# # #', '# # wed']\nopen: [day]\nparameters: {day: [mon, wed]}\npieces: [{name: m, cells: [[0, 0]], copies: any}]\n"
)

func text(s string) Puzzle { return Puzzle{Name: "f", Text: s} }

// The same puzzle with other names, order and place; and only with another title.
var (
	plainly   = Puzzle{Board: "4x5", Pieces: []string{"L4=any", "domino=1..", "I3=0..4"}, Cover: "exact"}
	otherwise = text("title: T\nboard: |\n  ......\n  .#####\n  .#####\n  .#####\n  .#####\npieces:\n- {name: x, shape: '###', copies: 0..4}\n- {name: d, box: 2x1, copies: 1..}\n- {name: l, copies: any, cells: [[0, 0], [0, 1], [0, 2], [1, 2]]}\n")
	renamed   = text("title: another\nboard: 4x5\npieces: [{name: L4, copies: any}, {name: domino, copies: 1..}, {name: I3, copies: 0..4}]")
	red       = text(strings.Replace(renamed.Text, "copies: 1..", "copies: 1.., color: '#ff0000'", 1))
	blue      = text(strings.Replace(renamed.Text, "copies: any", "copies: any, color: blue", 1))
)

func whole(n Whole) *Whole { return &n }

// TestKeys: the key changes with everything that changes the answer of a kind, and only then.
func TestKeys(t *testing.T) {
	cover := text("item a 1\nitem b 1\noption a b\noption a\noption b\n")
	for _, c := range []struct {
		name string
		a, b Request
		same bool
	}{
		{"count", &Count{Puzzle: plainly}, &Count{Puzzle: otherwise}, true},
		{"titles", &Count{Puzzle: plainly}, &Count{Puzzle: renamed}, true},
		{"copies", &Count{Puzzle: plainly}, &Count{Puzzle: Puzzle{Board: "4x5", Pieces: []string{"L4=any", "domino=1..", "I3=0..5"}}}, false},
		{"auto", &Count{Puzzle: plainly}, &Count{Puzzle: otherwise, Engine: "auto"}, true},
		{"engine", &Count{Puzzle: plainly}, &Count{Puzzle: plainly, Engine: "sweep"}, false},
		{"formula", &Count{Puzzle: plainly}, &Count{Puzzle: plainly, Formula: true}, false},
		{"explain", &Count{Puzzle: plainly}, &Count{Puzzle: plainly, Explain: true}, false},
		{"names of explain", &Count{Puzzle: plainly, Explain: true}, &Count{Puzzle: otherwise, Explain: true}, false},
		{"title of explain", &Count{Puzzle: plainly, Explain: true}, &Count{Puzzle: renamed, Explain: true}, true},
		{"distinct", &Count{Puzzle: plainly}, &Count{Puzzle: plainly, Distinct: DistinctUsual}, false},
		{"usual in the plane", &Count{Puzzle: plainly, Distinct: DistinctUsual}, &Count{Puzzle: otherwise, Distinct: DistinctAll}, true},
		{"rotations in the plane", &Count{Puzzle: plainly, Distinct: DistinctUsual}, &Count{Puzzle: plainly, Distinct: DistinctRotations}, false},
		{"usual in space", &Count{Puzzle: Puzzle{Example: "soma"}, Distinct: DistinctUsual}, &Count{Puzzle: Puzzle{Example: "soma"}, Distinct: DistinctRotations}, true},
		{"conditions", &Count{Puzzle: plainly}, &Count{Puzzle: plainly, Conditions: Conditions{With: []string{"#0"}}}, false},
		{"other conditions", &Count{Puzzle: plainly, Conditions: Conditions{With: []string{"#1"}}}, &Count{Puzzle: plainly, Conditions: Conditions{With: []string{"#0"}}}, false},
		{"names of conditions", &Count{Puzzle: plainly, Conditions: Conditions{With: []string{"#0"}}}, &Count{Puzzle: otherwise, Conditions: Conditions{With: []string{"#0"}}}, false},
		{"title of conditions", &Count{Puzzle: plainly, Conditions: Conditions{With: []string{"#0"}}}, &Count{Puzzle: renamed, Conditions: Conditions{With: []string{"#0"}}}, true},
		{"conditions of residues", &Residues{Puzzle: plainly, Moduli: []Whole{7}}, &Residues{Puzzle: plainly, Moduli: []Whole{7}, Conditions: Conditions{FaultFree: true}}, false},
		{"kinds", &Count{Puzzle: plainly}, &Residues{Puzzle: plainly}, false},
		{"residues", &Residues{Puzzle: plainly, Moduli: []Whole{7}}, &Residues{Puzzle: otherwise, Moduli: []Whole{7}}, true},
		{"moduli", &Residues{Puzzle: plainly, Moduli: []Whole{7}}, &Residues{Puzzle: plainly, Moduli: []Whole{8}}, false},
		{"show", &Show{plainly}, &Show{otherwise}, false},
		{"title of show", &Show{plainly}, &Show{renamed}, true},
		{"estimate", &Estimate{Puzzle: plainly}, &Estimate{Puzzle: otherwise}, false},
		{"list", &List{Puzzle: plainly}, &List{Puzzle: renamed}, false}, // the list may contain the title
		{"spelling", &List{Puzzle: renamed}, &List{Puzzle: text(strings.ReplaceAll(renamed.Text, ", ", ",   "))}, true},
		{"number", &List{Puzzle: plainly}, &List{Puzzle: plainly, Number: whole(3)}, false},
		{"sample", &Sample{Puzzle: plainly, Number: 3, Seed: whole(1)}, &Sample{Puzzle: plainly, Number: 3, Seed: whole(1), Method: "auto"}, true},
		{"seed", &Sample{Puzzle: plainly, Number: 3, Seed: whole(1)}, &Sample{Puzzle: plainly, Number: 3, Seed: whole(2)}, false},
		{"no seed", &Sample{Puzzle: plainly, Number: 3, Seed: whole(0)}, &Sample{Puzzle: plainly, Number: 3}, false},
		{"convert", &Convert{plainly, "cover"}, &Convert{plainly, "dimacs"}, false},
		{"certify", &Certify{Puzzle: plainly}, &Certify{Puzzle: plainly, Engine: "diagram"}, false},
		{"verify", &Verify{Puzzle: plainly, Method: "list"}, &Verify{Puzzle: plainly, Method: "list", Engine: "auto"}, true},
		{"cover", &Count{Puzzle: cover}, &Count{Puzzle: text("# a comment\n" + strings.ReplaceAll(cover.Text, " 1", "   1 # once"))}, true},
		{"colours", &Count{Puzzle: text(coloured)}, &Count{Puzzle: text(strings.ReplaceAll(coloured, "white", "red"))}, true},
		{"pattern", &Count{Puzzle: text(coloured)}, &Count{Puzzle: text(strings.Replace(coloured, "wb/bw", "ww/bb", 1))}, false},
		{"allow", &Count{Puzzle: text(coloured)}, &Count{Puzzle: text(coloured + "allow: [[white, black]]")}, false},
		{"groups", &Count{Puzzle: text(coloured)}, &Count{Puzzle: text(coloured + "groups: [{of: all, copies: 0..6}]")}, false},
		{"bounds", &Count{Puzzle: text(coloured + "groups: [{of: all, copies: 0..7}]")}, &Count{Puzzle: text(coloured + "groups: [{of: all, copies: 0..6}]")}, false},
		{"members", &Count{Puzzle: text(coloured + "groups: [{of: [d, L3], copies: 0..6}]")}, &Count{Puzzle: text(coloured + "groups: [{of: all, copies: 0..6}]")}, true},
		{"place", &Count{Puzzle: text(coloured)}, &Count{Puzzle: text(coloured + "place: ['d@0,0']")}, false},
		{"place and forbid", &Count{Puzzle: text(coloured + "forbid: ['d@0,0']")}, &Count{Puzzle: text(coloured + "place: ['d@0,0']")}, false},
		{"forms of a place", &Count{Puzzle: text(coloured + "place: [{piece: d, covers: [0, 0]}]")}, &Count{Puzzle: text(coloured + "place: ['d@0,0']")}, true},
		{"names of colours", &Show{text(coloured)}, &Show{text(strings.ReplaceAll(coloured, "white", "red"))}, false},
		{"a place twice", &Count{Puzzle: text(coloured + "place: ['d@0,0', 'd@0,0']")}, &Count{Puzzle: text(coloured + "place: ['d@0,0']")}, true},
		{"names of cells in a count", &Count{Puzzle: text(named)}, &Count{Puzzle: text(strings.Replace(named, "mon", "tue", 2))}, true},
		{"names of cells", &Show{text(named)}, &Show{text(strings.Replace(named, "wed", "thu", 1))}, false},
		{"the open cell", &Count{Puzzle: text(named)}, &Count{Puzzle: text(strings.Replace(named, "[mon]", "[wed]", 1))}, false},
		{"values in a count", &Count{Puzzle: text(calendar)}, &Count{Puzzle: text(strings.Replace(calendar, "[mon, wed]", "[mon]", 1))}, true},
		{"values", &Show{text(calendar)}, &Show{text(strings.Replace(calendar, "[mon, wed]", "[mon]", 1))}, false},
		{"the value", &Show{text(calendar)}, &Show{Puzzle{Name: "f", Text: calendar, Values: map[string]string{"day": "wed"}}}, false},
		{"a color in a count", &Count{Puzzle: renamed}, &Count{Puzzle: red}, true},
		{"a color in a count of names", &Count{Puzzle: renamed, Explain: true}, &Count{Puzzle: red, Explain: true}, true},
		{"a color in conditions", &Count{Puzzle: renamed, Conditions: Conditions{With: []string{"L4"}}}, &Count{Puzzle: red, Conditions: Conditions{With: []string{"L4"}}}, true},
		{"a color in a proof", &Certify{Puzzle: renamed}, &Certify{Puzzle: red}, true},
		{"a color in a puzzle file", &Convert{renamed, "puzzle"}, &Convert{red, "puzzle"}, false},
		{"a color in pictures", &Sample{Puzzle: renamed, Seed: whole(1)}, &Sample{Puzzle: red, Seed: whole(1)}, false},
		{"another color", &List{Puzzle: blue}, &List{Puzzle: red}, false},
		{"a color in short", &List{Puzzle: text(strings.ReplaceAll(red.Text, "#ff0000", "red"))}, &List{Puzzle: red}, true},
		{"wrap", &Count{Puzzle: text(named)}, &Count{Puzzle: text(named + "wrap: rows")}, false},
		{"lattice", &Count{Puzzle: text(named)}, &Count{Puzzle: text("lattice: hexagon\n" + named)}, false},
		{"options", &Count{Puzzle: cover}, &Count{Puzzle: text(strings.Replace(cover.Text, "option a\n", "", 1))}, false},
		{"words", &Count{Puzzle: text("item a 1\nitem b 1\noption a b\n")}, &Count{Puzzle: text("item a 1\nitem b 1\noption ab\n")}, false},
		{"sequence", &Sequence{Boxes: Boxes{Puzzle: plainly, Rows: "1..3", Columns: "2"}}, &Sequence{Boxes: Boxes{Puzzle: plainly, Rows: "1..3", Columns: "3"}}, false},
		{"command", &Sequence{Boxes: Boxes{Puzzle: renamed, Rows: "1..3", Columns: "2"}}, &Sequence{Boxes: Boxes{Puzzle: otherwise, Rows: "1..3", Columns: "2"}}, false},
		{"query", &Query{Puzzle: plainly, ByCopies: []string{"L4"}}, &Query{Puzzle: plainly, ByCopies: []string{"L4"}, Method: "auto"}, true},
		{"names in a query", &Query{Puzzle: plainly, ByCopies: []string{"all"}}, &Query{Puzzle: otherwise, ByCopies: []string{"all"}}, false},
		{"questions", &Query{Puzzle: plainly, ByCopies: []string{"L4"}}, &Query{Puzzle: plainly, ByCopies: []string{"I3"}}, false},
		{"weights of a query", &Query{Puzzle: plainly, Weights: []string{"L4=2"}}, &Query{Puzzle: plainly, Weights: []string{"L4=3"}}, false},
		{"conditions of a query", &Query{Puzzle: plainly, Unrank: []string{"0"}}, &Query{Puzzle: plainly, Unrank: []string{"0"}, Conditions: Conditions{With: []string{"L4"}}}, false},
		{"recurrence", &Recurrence{Boxes: Boxes{Puzzle: plainly, Columns: "2"}}, &Recurrence{Boxes: Boxes{Puzzle: plainly, Columns: "2"}, Terms: 100}, false},
	} {
		if got := keyFor(t, c.a) == keyFor(t, c.b); got != c.same {
			t.Errorf("%s: equal %v, want %v", c.name, got, c.same)
		}
	}
}

// TestShared: a random answer is not shared.
func TestShared(t *testing.T) {
	for _, c := range []struct {
		r      Request
		shared bool
	}{
		{&Count{Puzzle: plainly}, true},
		{&Sample{Puzzle: plainly, Seed: whole(1)}, true},
		{&Sample{Puzzle: plainly}, false},
		{&Verify{Puzzle: plainly}, false},
		{&Verify{Puzzle: plainly, Seed: whole(1)}, true},
		{&Verify{Puzzle: plainly, Method: "list"}, true},
		{&Sequence{Boxes: Boxes{Puzzle: plainly, Rows: "1", Columns: "2"}}, true},
		{&Sequence{Boxes: Boxes{Puzzle: plainly, Rows: "1", Columns: "2"}, Known: make([]sequence.Value, 1)}, false},
		{&Solve{Puzzle: plainly, Command: "sat {}"}, false},
		{&Check{Puzzle: plainly}, false},
		{&Examples{}, false},
	} {
		if _, shared, err := Key(c.r); err != nil || shared != c.shared {
			t.Errorf("%T %+v: %v, want %v; %v", c.r, c.r, shared, c.shared, err)
		}
	}
}

// TestKeyErrors: a bad request and a bad puzzle have no key.
func TestKeyErrors(t *testing.T) {
	for _, r := range []Request{
		&Count{Puzzle: plainly, Engine: "steam"},
		&Count{},
		&Count{Puzzle: text("board: 2x3\npieces: [dominoe]")},
		&Count{Puzzle: Puzzle{Name: "f", Text: "board: 2x3\npieces: [domino]", Problem: "2"}}, // it would share answers with a valid request
		&Count{Puzzle: Puzzle{Name: "f", Text: "item a 1\noption a\n", Problem: "2"}},
		&Count{Puzzle: Puzzle{Name: "f", Text: "| t\na b\na b\n", Problem: "2"}},
		&Sequence{Boxes: Boxes{Puzzle: text("board: 2x3\npieces: [dominoe]"), Rows: "1", Columns: "1"}},
	} {
		if _, _, err := Key(r); KindOf(err) != BadInput {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// about are the fields of an answer that describe the work, such as its time.
var about = []string{"seconds", "peak_memory_bytes", "effort", "disk_bytes", "bytes", "models_per_second"}

// says returns the fields of an answer that do not describe the work.
func says(t *testing.T, a Answer) map[string]any {
	t.Helper()
	data, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	strip(m)
	return m
}

func strip(v any) {
	switch v := v.(type) {
	case map[string]any:
		maps.DeleteFunc(v, func(k string, _ any) bool { return slices.Contains(about, k) })
		for _, inner := range v {
			strip(inner)
		}
	case []any:
		for _, inner := range v {
			strip(inner)
		}
	}
}

// TestSharedAnswers: the answer to one request, stored as JSON and retitled, is the answer to other
// requests with the same key.
func TestSharedAnswers(t *testing.T) {
	none := Puzzle{Board: "1x5", Pieces: []string{"I3=1", "V5"}, Cover: "at-most"} // with reasons that name a piece
	noneOther := text("title: N\nboard: 1x5\ncover: at-most\npieces: [{name: vee, shape: \"###\\n#..\\n#..\"}, {name: i, box: 3x1}]")
	for _, c := range [][2]Request{
		{&Count{Puzzle: plainly}, &Count{Puzzle: otherwise}},
		{&Count{Puzzle: plainly, Formula: true, Distinct: DistinctAll}, &Count{Puzzle: otherwise, Formula: true, Distinct: DistinctUsual}},
		{&Count{Puzzle: none}, &Count{Puzzle: noneOther}},
		{&Count{Puzzle: plainly, Explain: true, Engine: "sweep"}, &Count{Puzzle: renamed, Explain: true, Engine: "sweep"}},
		{&Residues{Puzzle: plainly, Moduli: []Whole{97}}, &Residues{Puzzle: otherwise, Moduli: []Whole{97}}},
		{&Show{plainly}, &Show{renamed}},
		{&Show{blue}, &Show{red}},
		{&Sample{Puzzle: plainly, Number: 2, Seed: whole(7)}, &Sample{Puzzle: plainly, Number: 2, Seed: whole(7), Method: "auto"}},
	} {
		if keyFor(t, c[0]) != keyFor(t, c[1]) {
			t.Errorf("%+v and %+v have other keys", c[0], c[1])
		}
		first, err := Run(context.Background(), c[0], Limits{Threads: 1}, Watch{})
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeAnswer(c[0].Kind(), data)
		if err == nil {
			err = Retitle(context.Background(), got, PuzzleOf(c[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
		want, err := Run(context.Background(), c[1], Limits{Threads: 1}, Watch{})
		if err != nil {
			t.Fatal(err)
		}
		if g, w := fmt.Sprint(says(t, got)), fmt.Sprint(says(t, want)); g != w {
			t.Errorf("%T: the shared answer is\n%s\nwant\n%s", c[0], g, w)
		}
	}
}

// TestRetitleEveryKind: each answer that has a title gets the title of its own request.
func TestRetitleEveryKind(t *testing.T) {
	for _, k := range kinds {
		a := k.answer()
		_, has := says(t, a)["title"]
		if err := Retitle(context.Background(), a, &otherwise); err != nil {
			t.Fatal(err)
		}
		if got := says(t, a)["title"]; has && got != "T" {
			t.Errorf("%s: title %v", k.kind, got)
		}
	}
	if _, err := DecodeAnswer("nonsense", []byte("{}")); KindOf(err) != BadInput {
		t.Error(err)
	}
	if _, err := DecodeAnswer("count", []byte("{")); err == nil {
		t.Error("half an answer is read")
	}
}

func BenchmarkKey(b *testing.B) {
	for _, c := range []struct {
		name   string
		puzzle Puzzle
	}{
		{"dominoes", Puzzle{Board: "8x8", Pieces: []string{"domino=any"}}},
		{"bedlam", Puzzle{Example: "bedlam"}},
		{"large", Puzzle{Board: "64x64", Pieces: []string{"domino=any"}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				keyFor(b, &Count{Puzzle: c.puzzle})
			}
		})
	}
}
