package job

import (
	"context"
	"regexp"
	"testing"

	"github.com/pavage/pavage/examples"
)

// TestCoversAmongTheExamples: an example that is no puzzle file is a cover, has a title, and
// as many solutions as its comment says.
func TestCoversAmongTheExamples(t *testing.T) {
	known := regexp.MustCompile(`(?m)^\| Known count: ([0-9]+)`)
	for _, name := range examples.Names() {
		if examples.IsPuzzleFile(name) {
			continue
		}
		text, err := examples.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		want := known.FindSubmatch(text)
		if want == nil {
			t.Errorf("%s: no known count", name)
			continue
		}
		r := &Count{Puzzle: Puzzle{Example: name}}
		if !r.Puzzle.IsCover() {
			t.Errorf("%s: not a cover", name)
		}
		a, err := r.Run(context.Background(), Limits{}, Watch{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if a.Count != string(want[1]) || a.Title == "" {
			t.Errorf("%s: count %s, title %q, want the count %s and a title", name, a.Count, a.Title, want[1])
		}
	}
}
