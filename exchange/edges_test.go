package exchange

import (
	"testing"

	"github.com/pavage/pavage/internal/test/oracle"
)

// TestEdges reads graphs: solutions are perfect matchings, and equal edges are different choices.
func TestEdges(t *testing.T) {
	for text, want := range map[string]int{
		"a b\n":                     1,
		"# a path\na b\nb c\n":      0,
		"a b\nb c\nc d\nd a\na c\n": 2,
		"a b\nb c\nc d\nd a\n  b\ta\n\n# again\n": 3,
		"1 2\n1 3\n1 4\n2 3\n2 4\n3 4\n":          3,
	} {
		c, err := Read(t.Context(), ByExtension("graph.edges"), "f", []byte(text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n, err := oracle.Count(c.Cover); err != nil || n != want {
			t.Errorf("%q: %d, %v, want %d", text, n, err, want)
		}
	}
}
