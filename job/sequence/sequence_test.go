package sequence

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
	"testing"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

func family(t *testing.T, board string, pieces ...string) *tiling.Family {
	t.Helper()
	p, err := puzzlefile.Inline(board, pieces, "", "")
	if err != nil {
		t.Fatal(err)
	}
	f, err := tiling.NewFamily(p)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// written is the table as a format has it.
func written(t *testing.T, s Spec, width int) string {
	t.Helper()
	table, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := NewText(&out, table, width)
	if s.Format != Text {
		if w, err = NewLines(&out, table); err != nil {
			t.Fatal(err)
		}
	}
	if err := table.Count(context.Background(), nil, w.Take, count.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func rectangles(t *testing.T, rows, columns Range, format Format, pieces ...string) Spec {
	return Spec{Family: family(t, "1x1", pieces...), Sides: [3]Range{{}, rows, columns}, Format: format, Command: "test"}
}

// TestWideTables: a table that is wider than the screen is broken between
// columns, never in them.
func TestWideTables(t *testing.T) {
	s := rectangles(t, Range{1, 4}, Range{1, 9}, Text, "domino=any")
	whole := written(t, s, 0)
	if strings.Contains(whole, "\n\n") {
		t.Errorf("broken without a width:\n%s", whole)
	}
	for width := 1; width < 60; width++ {
		blocks := strings.Split(written(t, s, width), "\n\n")
		columns := 0
		for _, block := range blocks {
			lines := strings.Split(strings.TrimSuffix(block, "\n"), "\n")
			if len(lines) != 5 {
				t.Fatalf("width %d: a block of %d lines, want 5:\n%s", width, len(lines), block)
			}
			fields := len(strings.Fields(lines[0])) - 1
			columns += fields
			if len(lines[0]) > width && fields > 1 {
				t.Errorf("width %d: a line of %d characters with %d columns", width, len(lines[0]), fields)
			}
			for _, line := range lines {
				if len(strings.Fields(line)) != fields+1 {
					t.Errorf("width %d: line %q, want %d columns", width, line, fields)
				}
			}
		}
		if columns != 9 {
			t.Errorf("width %d: %d columns in all, want 9", width, columns)
		}
	}
}

// TestRowZero: a board without cells has the empty tiling, unless a piece must
// be used.
func TestRowZero(t *testing.T) {
	s := rectangles(t, Range{0, 2}, Range{0, 2}, CSV, "domino=any")
	if got, want := written(t, s, 0), "# test\nrows,columns,count\n0,0,1\n0,1,1\n0,2,1\n1,0,1\n1,1,0\n1,2,1\n2,0,1\n2,1,1\n2,2,2\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s = rectangles(t, Range{0, 1}, Range{2, 2}, CSV, "domino")
	if got, want := written(t, s, 0), "# test\nrows,columns,count\n0,2,0\n1,2,1\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s = rectangles(t, Range{0, 3}, Range{0, 3}, BFile, "domino=any")
	if got, want := written(t, s, 0), "1 1\n2 1\n3 1\n4 1\n5 0\n6 1\n7 1\n8 1\n9 1\n10 1\n"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q at its end", got, want)
	}
	s = rectangles(t, Range{0, 3}, Range{0, 3}, CSV, "domino=any")
	s.Diagonal = true
	if got, want := written(t, s, 0), "0,0,1\n1,1,0\n2,2,2\n3,3,0\n"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q at its end", got, want)
	}
}

// TestDistinct: the published numbers of domino tilings of squares and of 2 x n
// boards up to rotations and reflections, OEIS A068928 and A001224.
func TestDistinct(t *testing.T) {
	s := rectangles(t, Range{2, 2}, Range{1, 8}, BFile, "domino=any")
	s.Distinct, s.Reflections = true, true
	got := written(t, s, 0)
	if want := "1 1\n2 1\n3 2\n4 4\n5 5\n6 9\n7 12\n8 21\n"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q at its end", got, want)
	}
	if !strings.Contains(got, "of 2 rows up to") && !strings.Contains(got, "and 2 rows up to its rotations and reflections") {
		t.Errorf("title does not say what is counted once: %q", got)
	}
	s.Format = JSON
	if got, want := written(t, s, 0), `{"rows":2,"columns":4,"count":"5","distinct":"4"}`; !strings.Contains(got, want) {
		t.Errorf("got %q, want a line %q", got, want)
	}
}

// TestLines: a line that was written is read again, and no other is.
func TestLines(t *testing.T) {
	for _, format := range []Format{CSV, JSON, BFile} {
		for _, distinct := range []bool{false, true} {
			s := rectangles(t, Range{1, 3}, Range{1, 3}, format, "domino=any")
			s.Distinct = distinct
			table, err := New(s)
			if err != nil {
				t.Fatal(err)
			}
			v := Value{Count: new(big.Int).Lsh(big.NewInt(3), 200)}
			if distinct {
				v.Distinct = big.NewInt(17)
			}
			line := table.line(2, v)
			back, ok := table.parse(2, line)
			if !ok || back.shown().Cmp(v.shown()) != 0 {
				t.Errorf("%s distinct %v: %q reads as %v, %v", format, distinct, line, back, ok)
			}
			for at := range line {
				changed := line[:at] + "x" + line[at+1:]
				if _, ok := table.parse(2, changed); ok {
					t.Errorf("%s: %q is taken", format, changed)
				}
			}
		}
	}
}

// TestMemoryLeft: all sweeps that are under way at once have limits that come to no
// more than the memory, something is left for boards that are counted alone, and a
// sweep at its end gives its part back.
func TestMemoryLeft(t *testing.T) {
	ctx := context.Background()
	s := rectangles(t, Range{4, 9}, Range{4, 6}, CSV, "domino=any")
	table, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	const memory = 1 << 30
	b := newBoxes(table, count.Options{Limits: count.Limits{Memory: memory}})
	b.want(table.sizes)
	if _, err := b.count(ctx, [3]int{1, 4, 5}); err != nil {
		t.Fatal(err)
	}
	one := memory - b.of(box{}).Memory
	if one < memory/6 || one > memory/2 {
		t.Errorf("the first of three sweeps has %d of %d", one, memory)
	}
	b.waiting[tiling.Section{}] = 1 // as if there were boards alone
	for section := range b.wanted {
		if _, err := b.begin(ctx, section); err != nil {
			t.Fatal(err)
		}
	}
	var given int64
	for _, h := range b.sweeps {
		given += h.memory
	}
	if got := b.of(box{}).Memory; len(b.sweeps) < 2 || got != memory-given || got < memory/20 {
		t.Errorf("%d sweeps have %d of %d, %d are left", len(b.sweeps), given, memory, got)
	}
	for _, size := range table.sizes {
		if _, err := b.count(ctx, size); err != nil {
			t.Fatal(err)
		}
	}
	if got := b.of(box{}).Memory; len(b.sweeps) > 0 || got != memory {
		t.Errorf("in the end %d are left of %d", got, memory)
	}
}

// TestRanges reads ranges and writes them again.
func TestRanges(t *testing.T) {
	for text, want := range map[string]Range{"3": {3, 3}, "1..8": {1, 8}, "0..4": {0, 4}} {
		r, err := ParseRange(text)
		if err != nil || r != want || r.String() != text {
			t.Errorf("%s: %v, %v", text, r, err)
		}
	}
	for text, want := range map[string]string{
		"": "one number", "0": "whose last number is at least 1", "4..3": "than the last number: expected 3..4", "1..4097": "0 to 4096", "+1": "one number", "1_0": "one number", "-1": "one number", "1..": "one number",
	} {
		if _, err := ParseRange(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", text, err, want)
		}
	}
}

// ExampleTable_Count counts domino tilings of small rectangles.
func ExampleTable_Count() {
	p, _ := puzzlefile.Inline("1x1", []string{"domino=any"}, "", "")
	f, _ := tiling.NewFamily(p)
	table, _ := New(Spec{Family: f, Sides: [3]Range{{}, {1, 4}, {1, 5}}, Format: Text})
	var out strings.Builder
	w := NewText(&out, table, 0)
	_ = table.Count(context.Background(), nil, w.Take, count.Options{})
	_ = w.Close()
	fmt.Print(out.String())
	// Output:
	// n\k  1  2   3   4   5
	//   1  0  1   0   1   0
	//   2  1  2   3   5   8
	//   3  0  3   0  11   0
	//   4  1  5  11  36  95
}

// TestMemory: the placements count against the limit, of boards that are counted by
// themselves and of strips.
func TestMemory(t *testing.T) {
	for _, columns := range []Range{{60, 60}, {60, 61}} {
		table, err := New(rectangles(t, Range{60, 60}, columns, Text, "hexominoes=any"))
		if err != nil {
			t.Fatal(err)
		}
		o := count.Options{Limits: count.Limits{Memory: 1 << 20}}
		err = table.Count(t.Context(), nil, NewText(io.Discard, table, 0).Take, o)
		if !errors.Is(err, cover.ErrMemory) || !strings.Contains(err.Error(), "placements") {
			t.Errorf("columns %v: %v, want no room for the placements", columns, err)
		}
	}
}

// TestPerCellTables: logarithms stand beside the counts, but in text, and a file with them is continued.
func TestPerCellTables(t *testing.T) {
	s := rectangles(t, Range{2, 3}, Range{2, 3}, CSV, "domino=any")
	s.PerCell = true
	want := "# test\nrows,columns,count,per_cell\n2,2,2,0.17328679513998632735\n2,3,3,0.18310204811135161523\n3,2,3,0.18310204811135161523\n3,3,0,-\n"
	if got := written(t, s, 0); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	table, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.SplitAfter(want, "\n")[2:6] {
		if v, ok := table.parse(i, line); !ok || table.line(i, v) != line {
			t.Errorf("%q is read as %+v, %v", line, v, ok)
		}
		if _, ok := table.parse(i, strings.Replace(line, "7", "8", 1)); ok && strings.Contains(line, "7") {
			t.Errorf("%q with another digit is read", line)
		}
	}
	s.Format = Text
	if got, want := written(t, s, 0), "n\\k                       2                       3\n  2  0.17328679513998632735  0.18310204811135161523\n  3  0.18310204811135161523                       -\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	s.Format = JSON
	if got := written(t, s, 0); !strings.Contains(got, `{"rows":2,"columns":2,"count":"2","per_cell":"0.17328679513998632735"}`) {
		t.Error(got)
	}
}
