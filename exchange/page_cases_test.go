package exchange

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

var update = flag.Bool("update", false, "write the cases of the page's tests instead of comparing with them")

// pageCase is a puzzle as the page reads it.
type pageCase struct {
	Name   string          `json:"name"`
	Puzzle json.RawMessage `json:"puzzle"`
}

// TestPagePuzzles: the page reads and writes puzzle files in JSON by itself, in TypeScript. Its tests
// want each of these back as it is: all bundled puzzles, boards that are figures, and random
// puzzles with everything that a puzzle may have.
func TestPagePuzzles(t *testing.T) {
	var all []any
	add := func(name string, p *tiling.Puzzle) {
		var b bytes.Buffer
		if err := Write(context.Background(), "json", &b, &tiling.Model{Puzzle: p}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, pageCase{name, b.Bytes()})
	}
	files, err := filepath.Glob("../examples/*.yaml")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d examples, %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		add(filepath.Base(file), parsedPage(t, string(data)))
	}
	for _, lattice := range []string{"hexagon", "triangle"} {
		for _, figure := range []string{"hexagon: [2, 3, 4]", "hexagon: [4, 1, 2]", "hexagon: 3", "triangle: 4", "rhombus: [2, 5]"} {
			text := fmt.Sprintf("{lattice: %s, board: {%s}, pieces: [{name: one, cells: [[0, 0]], copies: any}]}", lattice, figure)
			add(lattice+" "+figure, parsedPage(t, text))
		}
	}
	rng := rand.New(rand.NewPCG(3, 14))
	for n := 0; n < 120; {
		if p := randomPuzzle(rng); p.Validate() == nil && !misplaced(p) && len(p.Board.Cells) < 60 {
			add(fmt.Sprint("random ", n), p)
			n++
		}
	}
	testkit.Page(t, "../web/src/model/testdata/puzzles.json", all, *update, "go test ./exchange -run TestPagePuzzles -update")
}

func parsedPage(t *testing.T, text string) *tiling.Puzzle {
	t.Helper()
	p, err := puzzlefile.Parse("p", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
