package job

import (
	"context"
	"strings"

	"github.com/pavage/pavage/examples"
)

// Examples asks for the list of the puzzles that are bundled with the program.
type Examples struct {
	Word string `json:"word,omitempty" doc:"only puzzles with this word in their name, title or kind"`
}

// Kind implements [Request].
func (*Examples) Kind() Kind { return "examples" }

func (*Examples) predict(context.Context, *work) Forecast {
	return Forecast{Seconds: optionSeconds, Known: true}
}

func (r *Examples) do(ctx context.Context, _ *work) (*Bundled, error) {
	b := &Bundled{Examples: []Example{}}
	for _, name := range examples.Names() {
		about, err := examples.Describe(name)
		if err != nil {
			return nil, err
		}
		m, err := new(work).unplaced(ctx, &Puzzle{Example: name})
		if err != nil {
			return nil, err
		}
		e := Example{
			Name: name, Title: plainTitle(m.Puzzle), Kind: kindOfCover,
			Count: about.Count, Detail: about.Detail, Source: about.Source,
		}
		if !m.IsAbstract() {
			e.Kind = m.Puzzle.Board.Lattice.String()
		}
		words := strings.ToLower(e.Name + " " + e.Title + " " + e.Kind)
		if strings.Contains(words, strings.ToLower(r.Word)) {
			b.Examples = append(b.Examples, e)
		}
	}
	return b, ctx.Err()
}

// Bundled is the answer to [Examples].
type Bundled struct {
	Examples []Example `json:"examples"`
}

const kindOfCover = "cover"

// Example is a bundled puzzle.
type Example struct {
	Name   string `json:"name" doc:"the name of the example, as in the key \"example\" of a puzzle"`
	Title  string `json:"title"`
	Kind   string `json:"kind" doc:"the lattice of the board, or cover if there is no board"`
	Count  string `json:"count" doc:"the known number of tilings or solutions"`
	Detail string `json:"detail,omitempty" doc:"further known numbers, such as the number up to symmetry"`
	Source string `json:"source" doc:"the source of the known count"`
}
