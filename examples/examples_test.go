package examples_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/examples"
	"github.com/pavage/pavage/internal/facts"
	"github.com/pavage/pavage/tiling"
)

// placements of every example: the sizes of their models. By hand: 7x9 has
// 15+24+35+48 squares, 4x4x4 has 3·48 bricks, 20x20 has 2·380 dominoes, a torus two for each cell, the hexagon of
// side 4 has 3·16·4 sides within, less (96·3-24)/2; Knuth
// has 468 for mono-dom-tro-8x8. The rest is frozen.
var placements = map[string]int{
	"bedlam":                   4188,
	"bricks-4x4x4":             144,
	"calendar":                 861,
	"chessboard-6x10":          1028,
	"dominoes-20x20":           760,
	"dominoes-8x8":             112,
	"dominoes-torus-4x4":       32,
	"dominoes-torus-6x6":       72,
	"hexiamonds-3x12":          1407,
	"hexiamonds-4x9":           1699,
	"hexiamonds-rhombus-6x6":   1845,
	"lozenges-hexagon-4":       132,
	"mono-dom-tro-8x8":         468,
	"monomer-dimer-8x8":        176,
	"pentominoes-3x20":         1236,
	"pentominoes-4x15":         1696,
	"pentominoes-5x5-choose-5": 571,
	"pentominoes-5x12":         1936,
	"pentominoes-6x10":         2056,
	"pentominoes-8x8-hole":     1568,
	"pentominoes-8x8-square":   2357,
	"soma":                     688,
	"squares-10x10":            230,
	"squares-10x10-once":       230,
	"squares-11x11":            294,
	"squares-11x11-once":       294,
	"squares-7x9":              122,
	"squares-7x9-once":         122,
	"squares-9x7":              122,
	"squares-9x7-once":         122,
	"tetris-cube":              4080,
	"tetrahexes-4x7":           488,
	"tetrominoes-10x10":        1373,
	"triangles-9x7":            135,
}

// header is what the comment of every example says.
var header = regexp.MustCompile(`(?m)^[#|] Known count: [0-9]+( \(.*\))?\.\n[#|] Source: .+\.$`)

func TestExamplesParseAndModel(t *testing.T) {
	for _, name := range examples.Names() {
		t.Run(name, func(t *testing.T) {
			data, err := examples.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			if !header.Match(data) {
				t.Errorf("no known count and source in the header")
			}
			if !examples.IsPuzzleFile(name) {
				return // job counts the covers: TestCoversAmongTheExamples
			}
			p, err := tiling.Parse(name, data)
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
			if got, want := len(m.Placements), placements[name]; got != want {
				t.Errorf("%q: %d placements, want %d", name, got, want)
			}
		})
	}
}

func TestNoExampleIsMissing(t *testing.T) {
	names := slices.DeleteFunc(examples.Names(), func(name string) bool { return !examples.IsPuzzleFile(name) })
	if got, want := len(names), len(placements); got != want {
		t.Errorf("%d examples, want %d", got, want)
	}
}

func TestOpenUnknown(t *testing.T) {
	for _, name := range []string{"", "none", "../examples", "bedlam.yaml", strings.Repeat("x", 1000)} {
		if _, err := examples.Open(name); err == nil || len(err.Error()) > 1000 {
			t.Errorf("Open(%.20q): error %v, want a short one", name, err)
		}
	}
}

// unlisted are the examples that counts.tsv does not have; their headers say
// where their counts come from.
var unlisted = []string{"calendar", "chessboard-6x10", "pentominoes-5x5-choose-5", "squares-10x10-once", "squares-11x11-once", "squares-9x7", "squares-9x7-once"}

// TestHeadersAgreeWithTheFacts finds the puzzle of each example, whatever its
// pieces are called, among the known answers, and compares the counts.
func TestHeadersAgreeWithTheFacts(t *testing.T) {
	known := map[string]facts.Row{}
	for _, row := range facts.Counts() {
		if row.HasPuzzle() {
			known[fingerprint(t, row.ID, []byte(row.Puzzle))] = row
		}
	}
	for _, name := range examples.Names() {
		data, err := examples.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if !examples.IsPuzzleFile(name) {
			continue
		}
		row, found := known[fingerprint(t, name, data)]
		if found == slices.Contains(unlisted, name) {
			t.Errorf("%s: among the known answers: %t, want the opposite", name, found)
		}
		if !found {
			continue
		}
		want := fmt.Sprintf("# Known count: %s", row.Count)
		if row.Distinct != nil {
			want += fmt.Sprintf(" (%s up to", row.Distinct)
		}
		if !strings.Contains(string(data), want+".") && !strings.Contains(string(data), want+" ") {
			t.Errorf("%s: no %q in the header", name, want)
		}
	}
}

// fingerprint is the puzzle's exact cover without its names.
func fingerprint(t *testing.T, name string, data []byte) string {
	p, err := tiling.Parse(name, data)
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
