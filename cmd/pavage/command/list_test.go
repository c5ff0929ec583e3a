package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/tiling"
)

// lines runs list --json, which must end well, and returns its lines.
func lines(t *testing.T, args ...string) []string {
	t.Helper()
	var out, errs bytes.Buffer
	args = append([]string{"list", "--json"}, args...)
	if code := Main(args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); code != codeDone || errs.Len() > 0 {
		t.Fatalf("%v: code %d, error %q", args, code, errs.String())
	}
	return slices.Collect(strings.Lines(out.String()))
}

func cursorOf(t *testing.T, line string) string {
	t.Helper()
	var o tilingJSON
	if err := json.Unmarshal([]byte(line), &o); err != nil {
		t.Fatal(err)
	}
	return o.Cursor
}

// TestListGoesOn: wherever a list is cut, its two parts are the whole.
func TestListGoesOn(t *testing.T) {
	for _, args := range [][]string{
		{"--board", "4x4", "--piece", "domino=any"},
		{"--board", "4x4", "--piece", "domino=any", "--distinct"},
		{"--board", "2x3", "--piece", "I3=0..1", "--piece", "domino=any", "--cover", "at-most"},
		{"name:pentominoes-3x20", "--distinct=rotations"},
	} {
		whole := lines(t, args...)
		for k, line := range whole {
			head := lines(t, append(args, "--limit", fmt.Sprint(k+1))...)
			tail := lines(t, append(args, "--after", cursorOf(t, line))...)
			if !slices.Equal(append(head, tail...), whole) {
				t.Fatalf("%v: cut after %d: %d and %d tilings, want %d", args, k+1, len(head), len(tail), len(whole))
			}
		}
	}
}

// TestListAll: every tiling once; up to symmetry as many as the books say.
func TestListAll(t *testing.T) {
	for _, c := range []struct {
		want int
		args []string
	}{
		{36, []string{"--board", "4x4", "--piece", "domino=any"}},
		{9, []string{"--board", "4x4", "--piece", "domino=any", "--distinct"}},
		{8, []string{"name:pentominoes-3x20"}},
		{2, []string{"name:pentominoes-3x20", "--distinct"}},
		{4, []string{"name:pentominoes-3x20", "--distinct=rotations"}},
		{480, []string{"name:soma", "--distinct"}},
		{240, []string{"name:soma", "--distinct=all"}},
		{0, []string{"--board", "3x3", "--piece", "domino=any"}},
	} {
		all := lines(t, c.args...)
		slices.Sort(all)
		if n := len(slices.Compact(all)); n != c.want || n != len(all) {
			t.Errorf("%v: %d tilings, %d of them different, want %d", c.args, len(all), n, c.want)
		}
	}
}

// TestListCutShort: a sheet has what was found until a limit, and the error
// says how to go on.
func TestListCutShort(t *testing.T) {
	puzzle, err := tiling.Inline("2x3", []string{"domino=any"}, "", "")
	if err != nil {
		t.Fatal(err)
	}
	model, err := puzzle.Model(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	sheet := filepath.Join(t.TempDir(), "sheet.svg")
	l := &listing{model: model, most: 2, out: &sheetSink{puzzle: puzzle, path: sheet}}
	if err := l.list(t.Context()); err != nil {
		t.Fatal(err)
	}
	err = l.cutShort(fail(codeLimit, errors.New("time is up")))
	var f *failure
	if !errors.As(err, &f) || f.code != codeLimit || err.Error() != "time is up; to go on: --after "+l.cursor() {
		t.Errorf("error %v", err)
	}
	if data, err := os.ReadFile(sheet); err != nil || !bytes.Contains(data, []byte("<svg ")) {
		t.Errorf("sheet %.100q, error %v", data, err)
	}
}

// TestCursors: what is written is read back, and nothing else.
func TestCursors(t *testing.T) {
	p := &cover.Problem{Items: []cover.Item{{Min: 0, Max: 3}}}
	for range 2000 {
		p.Options = append(p.Options, cover.Option{{Item: 0, Times: 1}})
	}
	for _, options := range [][]int{{}, {0}, {35}, {36, 1999}, {0, 1, 1295}} {
		text := formatCursor(options)
		if got, ok := parseCursor(text, p); !ok || got == nil || !slices.Equal(got, options) {
			t.Errorf("%v is written %q, read as %v, %v", options, text, got, ok)
		}
	}
	for _, text := range []string{
		"", "..", "1.", ".1", "1..2", "2.1", "1.1", "1.2.3.4", "1jk", "-1", "+", "1 2", "1,2", "zzzzzzzzzzzzzzzz", "é", "1.\x00",
	} {
		if got, ok := parseCursor(text, p); ok {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}
