package job

import (
	"context"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/kit/logarithm"
	"github.com/pavage/pavage/query"
	"github.com/pavage/pavage/tiling"
)

// answerEntropy tells the entropy of all tilings and, with weights, the total weight and
// the expected copies.
func (r *Query) answerEntropy(ctx context.Context, w *work, s *subject, to *Queried) error {
	m := s.model
	use := count.ForMarginals
	if len(r.Weights) == 0 {
		use = count.ForWeight
	}
	set, err := r.solutions(ctx, w, s, use, to)
	if err != nil || set.Weight().Sign() == 0 {
		return err
	}
	total := set.Weight()
	terms := []logarithm.Term{{Factor: big.NewRat(1, 1), Of: total}}
	to.PerCell = perCell(m, terms)
	if len(r.Weights) == 0 {
		to.Entropy = entropyOf(m, terms)
		return nil
	}
	marginals, err := set.Marginals(ctx)
	if err != nil {
		return err
	}
	weights, err := weightsOf(m, r.Weights)
	if err != nil {
		return err
	}
	to.Entropy = entropyOf(m, append(terms, shares(total, marginals.Of, weights)...))
	if m.IsAbstract() {
		return nil
	}
	copies := make([]big.Rat, len(m.Puzzle.Pieces))
	for i, p := range m.Placements {
		copies[p.Piece].Add(&copies[p.Piece], marginals.Of[i])
	}
	for k := range copies {
		to.Expected = append(to.Expected, Expected{m.Puzzle.Pieces[k].Name, copies[k].Quo(&copies[k], total).RatString()})
	}
	return nil
}

// shares are the terms that the weights add to the entropy of a solution with probability
// weight/total. The logarithm of the weight of a solution is a sum over its options, so its mean is
// a sum over all options:
//
//	H = log total - Σ (share of option o) · log (weight of o)
func shares(total *big.Rat, marginals, weights []*big.Rat) (terms []logarithm.Term) {
	of := map[string]int{} // the index of the term of a weight
	for o, weight := range weights {
		if weight == nil || marginals[o].Sign() == 0 {
			continue
		}
		k, known := of[weight.RatString()]
		if !known {
			k = len(terms)
			of[weight.RatString()] = k
			terms = append(terms, logarithm.Term{Factor: new(big.Rat), Of: weight})
		}
		terms[k].Factor.Sub(terms[k].Factor, marginals[o])
	}
	for _, t := range terms {
		t.Factor.Quo(t.Factor, total)
	}
	return terms
}

func entropyOf(m *tiling.Model, terms []logarithm.Term) *Entropy {
	nats, _ := strconv.ParseFloat(logarithm.Sum(terms...), 64) // always a number
	return &Entropy{Nats: nats, Bits: nats / math.Ln2, PerCell: perCell(m, terms)}
}

// perCell returns the sum of the terms, divided by the number of cells, or "" for a cover, which has
// no cells.
func perCell(m *tiling.Model, terms []logarithm.Term) string {
	if m.IsAbstract() {
		return ""
	}
	each := make([]logarithm.Term, len(terms))
	cell := big.NewRat(1, int64(len(m.Puzzle.Board.Cells)))
	for i, t := range terms {
		each[i] = logarithm.Term{Factor: new(big.Rat).Mul(t.Factor, cell), Of: t.Of}
	}
	return logarithm.Sum(each...)
}

// AllPieces stands for the names of all pieces in Query.ByCopies.
const AllPieces = "all"

func (r *Query) checkCopies() error {
	if len(r.Weights) > 0 {
		return bad("both {by_copies} and {weights} given, want {by_copies} alone, or {weights} alone for the total weight and the expected copies")
	}
	return nil
}

// answerCopies tells how many tilings have how many copies of pieces.
func (r *Query) answerCopies(ctx context.Context, w *work, s *subject, to *Queried) error {
	m := s.model
	names, sets, err := setsOf(m, r.ByCopies)
	if err != nil {
		return err
	}
	o := w.options(Counting)
	o.Engine = r.engine()
	var copies *count.Copies
	if s.file == nil {
		copies, err = count.ByCopies(ctx, m.Problem, sets, o)
	} else {
		d, failed := s.load(ctx, w)
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
