package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
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
	var o render.TilingJSON
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

// TestListAll: every tiling is listed once; up to symmetry their number is the published one.
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

// TestListCutShort: a sheet has the tilings that were found before a limit, and the error names the
// way to go on.
func TestListCutShort(t *testing.T) {
	sheet := filepath.Join(t.TempDir(), "sheet.svg")
	w := (&Call{}).watch("listing", true)
	w.tilings(&output{format: render.FormatOf("sheet"), path: sheet}, 2)
	w.Tiling = func(t render.Tiling) error { return errors.Join(w.out.Add(t), context.Canceled) }
	list := &job.List{Puzzle: job.Puzzle{Board: "2x3", Pieces: []string{"domino=any"}}}
	_, err := do(t.Context(), w, list)
	var f *failure
	if !errors.As(w.coded(w.close(err)), &f) || f.code != codeInterrupted || f.Error() != "interrupted; to go on: --after 0.2.6" {
		t.Errorf("error %v", f)
	}
	if data, err := os.ReadFile(sheet); err != nil || !bytes.Contains(data, []byte("<svg ")) {
		t.Errorf("sheet %.100q, error %v", data, err)
	}
}
