package job

import (
	"context"
	"strings"

	"github.com/pavage/pavage/examples"
)

// Examples asks which puzzles are bundled with the program.
type Examples struct {
	Word string `json:"word,omitempty" doc:"only those that have this word in their name or title"`
}

// Kind implements [Request].
func (*Examples) Kind() Kind { return ExamplesKind }

// Check implements [Request].
func (*Examples) Check() error { return nil }

// Run does the work.
func (r *Examples) Run(ctx context.Context, l Limits, w Watch) (*Bundled, error) {
	return run[Bundled](ctx, r, l, w)
}

func (r *Examples) do(ctx context.Context, _ *work) (Answer, error) {
	b := &Bundled{Examples: []Example{}}
	for _, name := range examples.Names() {
		p := &Puzzle{Example: name}
		title, err := p.title(ctx)
		if err != nil {
			return nil, err
		}
		if contains(name+" "+title, r.Word) {
			b.Examples = append(b.Examples, Example{Name: name, Title: title})
		}
	}
	return b, ctx.Err()
}

// contains reports whether a word is in a text, in capitals or not.
func contains(text, word string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(word))
}

// Bundled is the answer to [Examples].
type Bundled struct {
	Examples []Example `json:"examples"`
}

// Example is a bundled puzzle.
type Example struct {
	Name  string `json:"name" doc:"for the field example of a puzzle"`
	Title string `json:"title"`
}
