package command

import (
	"bytes"
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/test/facts"
	"github.com/pavage/pavage/job/sequence"
)

// allGrids has TestSequenceGrids count all published rectangles.
var allGrids = flag.Bool("grids", false, "count all published rectangles, in a few minutes")

// TestSequenceGrids counts the published rectangles, all of the same pieces by
// one call of sequence.
func TestSequenceGrids(t *testing.T) {
	widest := 5
	if *allGrids {
		widest = 1000
	}
	published := map[string][]facts.Grid{}
	for _, g := range facts.Grids() {
		if min(g.Rows, g.Columns) <= widest {
			pieces := strings.Join(g.Pieces, " ")
			published[pieces] = append(published[pieces], g)
		}
	}
	agree := 0
	for pieces, grids := range published {
		counts := countGrids(t, grids)
		for _, g := range grids {
			if got := counts[[2]int{g.Rows, g.Columns}]; got != g.Count.String() {
				t.Errorf("%s %dx%d: %s, published %v", pieces, g.Rows, g.Columns, got, g.Count)
				continue
			}
			agree++
		}
		t.Logf("%s: %d rectangles", pieces, len(grids))
	}
	t.Logf("%d rectangles agree", agree)
	if *allGrids && agree != len(facts.Grids()) {
		t.Errorf("%d rectangles agree, want all %d", agree, len(facts.Grids()))
	}
}

// countGrids counts all rectangles of some pieces in one table.
func countGrids(t *testing.T, grids []facts.Grid) map[[2]int]string {
	t.Helper()
	var rows, columns sequence.Range
	for _, g := range grids {
		rows, columns = with(rows, g.Rows), with(columns, g.Columns)
	}
	args := []string{"sequence", "--rows", rows.String(), "--columns", columns.String(), "--format", "csv"}
	for _, piece := range grids[0].Pieces {
		args = append(args, "--piece", piece+"=any")
	}
	return readTable(succeed(t, args...))
}

// with is the least range that has n too.
func with(r sequence.Range, n int) sequence.Range {
	if !r.Given() {
		return sequence.Range{Least: n, Most: n}
	}
	return sequence.Range{Least: min(r.Least, n), Most: max(r.Most, n)}
}

// readTable reads the counts of a table as CSV.
func readTable(csv string) map[[2]int]string {
	counts := map[[2]int]string{}
	for line := range strings.Lines(csv) {
		var r, c int
		var n string
		if k, _ := fmt.Sscanf(line, "%d,%d,%s", &r, &c, &n); k == 3 {
			counts[[2]int{r, c}] = n
		}
	}
	return counts
}

// TestSequenceResume cuts a file off at every byte and wants it to be gone on
// with to the same file.
func TestSequenceResume(t *testing.T) {
	for _, format := range []string{"csv", "json", "bfile"} {
		path := filepath.Join(t.TempDir(), "table")
		args := []string{"sequence", "--piece", "domino=any", "--rows", "1..2", "--columns", "1..3", "--format", format, "--output", path}
		succeed(t, args...)
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if out := succeed(t, args[:len(args)-2]...); out != string(whole) {
			t.Errorf("%s: standard output has %q, the file %q", format, out, whole)
		}
		for cut := range whole {
			if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
				t.Fatal(err)
			}
			succeed(t, args...)
			if again, err := os.ReadFile(path); err != nil || !bytes.Equal(again, whole) {
				t.Fatalf("%s: cut off at byte %d: %v, got %q", format, cut, err, again)
			}
		}
	}
}

// TestSequenceDamage changes a byte of a file anywhere, and wants an error and
// the file as it was, or, where only a count has changed, or the last end of a
// line, nothing worse than that.
func TestSequenceDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	args := []string{"sequence", "--piece", "domino=any", "--rows", "1..3", "--columns", "1..4", "--output", path}
	succeed(t, args...)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for at := range len(whole) - 1 {
		damaged := bytes.Clone(whole)
		damaged[at] ^= byte(1 + rng.IntN(255))
		if digit := whole[at]; digit >= '0' && digit <= '9' && damaged[at] >= '0' && damaged[at] <= '9' {
			continue
		}
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		code := Main(args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		after, err := os.ReadFile(path)
		if code != codeUsage || err != nil || !bytes.Equal(after, damaged) || strings.Count(errs.String(), "\n") != 1 {
			t.Fatalf("byte %d is %q: code %d, %s %v, file %q", at, damaged[at], code, errs.String(), err, after)
		}
	}
}

// TestSequenceResumedWork: counts that a file has are not counted again.
func TestSequenceResumedWork(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	args := []string{"sequence", "--piece", "domino=any", "--rows", "1..2", "--columns", "1..2", "--output", path}
	// A wrong count shows that the count was read from the file: T(2,1) is T(1,2).
	text := "# pavage sequence --piece domino=any --rows 1..2 --columns 1..2\nrows,columns,count\n1,1,0\n1,2,77\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	succeed(t, args...)
	if got, err := os.ReadFile(path); err != nil || string(got) != text+"2,1,77\n2,2,2\n" {
		t.Errorf("%v, got %q", err, got)
	}
}

// TestSequenceHeights: the verb with --height writes the same counts as the table, also modulo a
// number.
func TestSequenceHeights(t *testing.T) {
	for _, pieces := range []string{"domino=any", "tetrominoes=any"} {
		for line := range strings.Lines(succeed(t, "sequence", "--piece", pieces, "--columns", "4", "--rows", "150..160", "--format", "bfile")) {
			n, want, _ := strings.Cut(strings.TrimSpace(line), " ")
			if n == "#" {
				continue
			}
			if got := strings.TrimSpace(succeed(t, "sequence", "--piece", pieces, "--columns", "4", "--height", n)); got != want {
				t.Errorf("%s 4x%s: %s by recurrence, %s counted", pieces, n, got, want)
			}
			count, _ := new(big.Int).SetString(want, 10)
			rest := count.Mod(count, big.NewInt(1e9+7)).String()
			if got := strings.TrimSpace(succeed(t, "sequence", "--piece", pieces, "--columns", "4", "--height", n, "--modulo", "1000000007")); got != rest {
				t.Errorf("%s 4x%s: %s modulo 10^9+7, want %s", pieces, n, got, rest)
			}
		}
	}
}

// TestSequenceSymmetry: tables of pieces that break the symmetry of rows and columns equal the
// counts of boards counted one by one.
func TestSequenceSymmetry(t *testing.T) {
	for _, pieces := range [][]string{
		{"--piece", "L4=any", "--piece", "O4=any", "--motions", "fixed"},
		{"--piece", "L4=any", "--motions", "one-sided"},
		{"--piece", "I3=0..4", "--piece", "L3=any", "--motions", "fixed"},
		{"--piece", "domino=any", "--piece", "I3=0..2"},
		{"--piece", "T4=any", "--cover", "at-most"},
	} {
		args := append([]string{"sequence", "--rows", "1..5", "--columns", "1..6", "--format", "csv"}, pieces...)
		counts := readTable(succeed(t, args...))
		if len(counts) != 30 {
			t.Errorf("%v: %d values, want 30", pieces, len(counts))
		}
		for size, n := range counts {
			args := append([]string{"count", "--board", fmt.Sprintf("%dx%d", size[0], size[1])}, pieces...)
			if want := strings.TrimSpace(succeed(t, args...)); n != want {
				t.Errorf("%v %v: %s, counted alone %s", pieces, size, n, want)
			}
		}
	}
}
