package job

import (
	"context"
	"slices"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/query"
	"github.com/pavage/pavage/tiling"
)

// AllPieces stands for the names of all pieces in Query.ByCopies.
const AllPieces = "all"

// copiesQuestion asks how many tilings have how many copies of pieces.
type copiesQuestion Query

func (r *copiesQuestion) check() error {
	if len(r.Weights) > 0 {
		return bad("both {by_copies} and {weights} given, want {by_copies} alone, or {weights} alone for the total weight and the expected copies")
	}
	return nil
}

func (r *copiesQuestion) answer(ctx context.Context, w *work, s *subject, to *Queried) error {
	m := s.model
	names, sets, err := setsOf(m, r.ByCopies)
	if err != nil {
		return err
	}
	o := w.options(Counting)
	o.Engine = (*Query)(r).engine()
	var copies *count.Copies
	if s.compiled == nil {
		copies, err = count.ByCopies(ctx, m.Problem, sets, o)
	} else {
		d, failed := s.compiled.load(ctx, w)
		if failed != nil {
			return failed
		}
		copies, err = d.ByCopies(ctx, sets, o)
	}
	if err != nil {
		return err
	}
	to.Count, to.Method = copies.Count.String(), queryDiagram
	to.Effort, to.Bytes = Effort{States: copies.States, Nodes: copies.Nodes}, copies.Bytes
	if copies.Engine != count.Diagram {
		to.Method = queryLevels
	}
	to.Pieces = names
	for _, row := range copies.Rows {
		t := CopiesTally{Copies: map[string]int{}, Count: row.Count.String()}
		for k, n := range row.Copies {
			t.Copies[to.Pieces[k]] = n
		}
		to.ByCopies = append(to.ByCopies, t)
	}
	return nil
}

// setsOf are the sets of placements that words of ByCopies name: pieces in the order of the puzzle, and
// behind them other placements, by their words.
func setsOf(m *tiling.Model, words []string) (names []string, sets [][]int, err error) {
	if m.IsAbstract() {
		return nil, nil, bad("{by_copies} is about pieces, and a cover has none")
	}
	x, owner := query.Of(m), map[int]int{}
	for _, name := range inOrder(m, words) {
		set, err := x.Options(name)
		if err != nil {
			return nil, nil, bad("{by_copies} is %.40q, want pieces, "+AllPieces+" for all pieces, or placements: %w", name, err)
		}
		for _, o := range set {
			if k, taken := owner[o]; taken {
				return nil, nil, bad("{by_copies}: %.40q and %.40q have placements in common, want none in two of them", names[k], name)
			}
			owner[o] = len(names)
		}
		names, sets = append(names, name), append(sets, set)
	}
	return names, sets, nil
}

// inOrder are the words, each once, pieces first.
func inOrder(m *tiling.Model, words []string) (names []string) {
	for _, p := range m.Puzzle.Pieces {
		if slices.Contains(words, p.Name) || slices.Contains(words, AllPieces) {
			names = append(names, p.Name)
		}
	}
	for _, word := range words {
		if word != AllPieces && !slices.Contains(names, word) {
			names = append(names, word)
		}
	}
	return names
}
