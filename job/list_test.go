package job

import (
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
)

// TestCursors: a formatted cursor is parsed to the same options, and no other text is accepted.
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
