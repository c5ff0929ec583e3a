package examples_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/pavage/pavage/examples"
	"github.com/pavage/pavage/internal/test/facts"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

func TestExamplesParseAndModel(t *testing.T) {
	for _, name := range examples.Names() {
		t.Run(name, func(t *testing.T) {
			data, err := examples.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := examples.Describe(name); err != nil {
				t.Error(err)
			}
			if !examples.IsPuzzleFile(name) {
				return // job counts the covers: TestCoversAmongTheExamples
			}
			p, err := puzzlefile.Parse(name, data)
			if err != nil {
				t.Fatal(err)
			}
			if p.Title == "" {
				t.Errorf("no title")
			}
			m, err := p.Model(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Problem.Validate(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestOpenUnknown(t *testing.T) {
	for _, name := range []string{"", "none", "../examples", "bedlam.yaml", strings.Repeat("x", 1000)} {
		if _, err := examples.Open(name); err == nil || len(err.Error()) > 1000 {
			t.Errorf("Open(%.20q): error %v, want a short one", name, err)
		}
	}
}

// TestHeadersAgreeWithTheFacts finds the puzzle of each example, whatever its
// pieces are called, among the known answers, and compares the counts.
func TestHeadersAgreeWithTheFacts(t *testing.T) {
	known := map[string]facts.Row{}
	for _, row := range facts.Counts() {
		known[fingerprint(t, row.ID, []byte(row.Puzzle))] = row
	}
	met := 0
	for _, name := range examples.Names() {
		data, err := examples.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if !examples.IsPuzzleFile(name) {
			continue
		}
		row, found := known[fingerprint(t, name, data)]
		if !found {
			continue // job counts them all: TestKnownCounts
		}
		met++
		want := fmt.Sprintf("# Known count: %s", row.Count)
		if row.Distinct != nil {
			want += fmt.Sprintf(" (%s up to", row.Distinct)
		}
		if !strings.Contains(string(data), want+".") && !strings.Contains(string(data), want+" ") {
			t.Errorf("%s: no %q in the header", name, want)
		}
	}
	if met < 20 {
		t.Errorf("%d examples are among the known answers, want 20 or more", met)
	}
}

// fingerprint is the puzzle's exact cover without its names.
func fingerprint(t *testing.T, name string, data []byte) string {
	p, err := puzzlefile.Parse(name, data)
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, item := range m.Problem.Items {
		fmt.Fprintf(&b, "%d..%d ", item.Min, item.Max)
	}
	for _, placement := range m.Placements {
		fmt.Fprintf(&b, "%d%v", placement.Piece, placement.Cells)
	}
	return b.String()
}

// TestSchemaComments: each puzzle file names its schema, for editors.
func TestSchemaComments(t *testing.T) {
	for _, name := range examples.Names() {
		data, err := examples.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if examples.IsPuzzleFile(name) && !bytes.Contains(data, []byte("\n# yaml-language-server: $schema=../doc/puzzle-file.schema.json\n")) {
			t.Errorf("%s names no schema", name)
		}
	}
}
