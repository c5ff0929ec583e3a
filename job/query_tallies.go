package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/kit/logarithm"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/query"
	"github.com/pavage/pavage/tiling"
)

func (r *Query) answerMarginals(ctx context.Context, w *work, s *subject, to *Queried) error {
	m := s.model
	if m.IsAbstract() && r.Marginals != byPlacements {
		return bad("a cover has no pieces and no cells of a board, expected {marginals}=%s", byPlacements)
	}
	kept, err := keptOf(m, query.Of(m), r.Of)
	if err != nil {
		return err
	}
	if r.Marginals == byHeights {
		if err := m.Puzzle.Board.CheckHeights(m.Placements); err != nil {
			return err
		}
	}
	set, err := r.solutions(ctx, w, s, count.ForMarginals, to)
	if err != nil {
		return err
	}
	marginals, err := set.Marginals(ctx)
	if err != nil {
		return err
	}
	if r.Marginals == byHeights {
		if marginals.Total.Sign() == 0 {
			return nil
		}
		shares := make([]*big.Rat, len(marginals.Of))
		for i, v := range marginals.Of {
			shares[i] = new(big.Rat).Quo(v, marginals.Total)
		}
		h, err := m.Puzzle.Board.Heights(m.Placements, shares)
		if err != nil {
			return err
		}
		for k, c := range h.Corners {
			to.Heights = append(to.Heights, HeightTally{Corner: []int{c.Y, c.X}, Height: h.Values[k].RatString()})
		}
		to.MeanHeights = h
		return nil
	}
	if r.Marginals == byPlacements {
		to.Cells = cellTallies(m)
		for i, value := range marginals.Of {
			if !kept[i] {
				continue
			}
			t := PlacementTally{Number: i, Count: value.RatString()}
			if m.IsAbstract() {
				t.Items = m.Words(i)
			} else {
				board, p := m.Puzzle.Board, m.Placements[i]
				t.Piece, t.Orientation = m.Puzzle.Pieces[p.Piece].Name, m.Orientation(i)+1
				for _, c := range p.Cells {
					t.Cells = append(t.Cells, board.Lattice.Coordinates(board.Cells[c]))
					to.Cells[c].By[strconv.Itoa(i)] = t.Count
				}
			}
			to.Placements = append(to.Placements, t)
		}
		return nil
	}
	g := groupsOf(m, r.Marginals, kept)
	to.Groups, to.Cells = g.names, cellTallies(m)
	for c, sums := range g.tally(m, marginals.Of) {
		to.Cells[c].By = g.named(sums)
	}
	if all := marginals.Total.RatString(); all != "0" && r.Marginals == byPieces && len(g.names) == 1 {
		if !slices.ContainsFunc(to.Cells, func(c CellTally) bool { return c.By[g.names[0]] != all }) {
			w.note(Remark, "one piece covers all cells in all tilings: marginals by "+byOrientations+" give more information than marginals by pieces")
		}
	}
	return nil
}

func cellTallies(m *tiling.Model) []CellTally {
	if m.IsAbstract() {
		return nil
	}
	board := m.Puzzle.Board
	cells := make([]CellTally, len(board.Cells))
	for c, at := range board.Cells {
		cells[c] = CellTally{Cell: board.Lattice.Coordinates(at), By: map[string]string{}}
	}
	return cells
}

func (g *groups) named(values []*big.Rat) map[string]string {
	by := make(map[string]string, len(values))
	for k, v := range values {
		by[g.names[k]] = v.RatString()
	}
	return by
}

func keptOf(m *tiling.Model, words *query.Index, selectors []string) ([]bool, error) {
	kept := slices.Repeat([]bool{len(selectors) == 0}, len(m.Problem.Options))
	for _, text := range selectors {
		named, err := words.Options(text)
		if err != nil {
			return nil, bad("{of}: %w", err)
		}
		for _, i := range named {
			kept[i] = true
		}
	}
	return kept, nil
}

const (
	byPieces       = "pieces"
	byOrientations = "orientations"
	byKinds        = "kinds"
	byPlacements   = "placements"
	byHeights      = "heights"
)

// groups has a named group of placements for each piece, each orientation, or each kind. The kind
// of a placement is its orientation and the colour, even or odd, of its first cell on a chessboard.
//
//	e o e o      domino:1 even   horizontal, begins on e     upper row: ==.. ..==
//	o e o e      domino:1 odd    horizontal, begins on o     upper row: .==.
type groups struct {
	names []string
	of    []int // index of the group of each placement, or -1
}

func groupsOf(m *tiling.Model, by string, kept []bool) *groups {
	g, known := &groups{of: make([]int, len(m.Placements))}, map[string]int{}
	number := func(name string) int {
		n, found := known[name]
		if !found {
			n = len(g.names)
			known[name] = n
			g.names = append(g.names, name)
		}
		return n
	}
	if by == byPieces && !slices.Contains(kept, false) { // a piece without placements has a group, too
		for _, p := range m.Puzzle.Pieces {
			number(p.Name)
		}
	}
	for i, p := range m.Placements {
		if !kept[i] {
			g.of[i] = -1
			continue
		}
		name := m.Puzzle.Pieces[p.Piece].Name
		if by != byPieces {
			name = fmt.Sprintf("%s:%d", name, m.Orientation(i)+1)
		}
		if by == byKinds {
			kinds := [2]string{name + " even", name + " odd"}
			number(kinds[0]) // the two kinds of an orientation have consecutive numbers
			number(kinds[1])
			sum := 0 // sum of the coordinates; its parity is the colour of a chessboard
			for _, x := range m.Puzzle.Board.Cells[p.Cells[0]] {
				sum += x
			}
			name = kinds[sum&1]
		}
		g.of[i] = number(name)
	}
	return g
}

func (g *groups) tally(m *tiling.Model, values []*big.Rat) [][]*big.Rat {
	cells := make([][]*big.Rat, len(m.Puzzle.Board.Cells))
	for c := range cells {
		cells[c] = make([]*big.Rat, len(g.names))
		for k := range cells[c] {
			cells[c][k] = new(big.Rat)
		}
	}
	for i, p := range m.Placements {
		if g.of[i] < 0 {
			continue
		}
		for _, c := range p.Cells {
			sum := cells[c][g.of[i]]
			sum.Add(sum, values[i])
		}
	}
	return cells
}

// maxPairs is the largest number of Query.Pairs. Each pair needs up to three counts.
const maxPairs = 1000

func (r *Query) answerPairs(ctx context.Context, w *work, s *subject, to *Queried) error {
	pairs := make([]*query.Pair, len(r.Pairs))
	words := query.Of(s.model)
	for i, text := range r.Pairs { // find all mistakes before the work
		var err error
		if pairs[i], err = words.Pair(text); err != nil {
			return bad("{pairs} is %.60q: %w", text, err)
		}
	}
	set, err := r.solutions(ctx, w, s, count.ForWeight, to)
	if err != nil {
		return err
	}
	// The weight of the tilings with A and B is weight(A) + weight(B) - weight(A or B).
	known := map[[2]string]*big.Rat{} // maps [A, ""] to weight(A), and [A, B] to weight(A or B)
	having := func(name [2]string, options []int) (*big.Rat, error) {
		if known[name] == nil {
			without, err := set.Without(ctx, options)
			if err != nil {
				return nil, err
			}
			known[name] = new(big.Rat).Sub(set.Weight(), without.Weight())
		}
		return known[name], nil
	}
	for _, p := range pairs {
		var sums [3]*big.Rat // weights of A, of B, and of A or B
		for i, of := range []struct {
			name    [2]string
			options []int
		}{{[2]string{p.Names[0]}, p.Options[0]}, {[2]string{p.Names[1]}, p.Options[1]}, {p.Names, slices.Concat(p.Options[0], p.Options[1])}} {
			if sums[i], err = having(of.name, of.options); err != nil {
				return err
			}
		}
		both := new(big.Rat).Add(sums[0], sums[1])
		to.Pairs = append(to.Pairs, PairTally{
			Pair: p.Names[:], Counts: []string{sums[0].RatString(), sums[1].RatString()}, Both: both.Sub(both, sums[2]).RatString(),
		})
	}
	return nil
}

func (r *Query) answerCorrelate(ctx context.Context, w *work, s *subject, to *Queried) error {
	m := s.model
	if m.IsAbstract() {
		return bad("{correlate} is about the cells of a board, but a cover has no cells")
	}
	words := query.Of(m)
	options, err := words.Options(r.Correlate)
	if two, _ := words.Pair(r.Correlate); err != nil && two != nil {
		return bad("{correlate} is %.60q, two sets of placements, %.40q and %.40q: expected one set of placements, or {pairs} in place of {correlate}", r.Correlate, two.Names[0], two.Names[1])
	}
	if err != nil {
		return bad("{correlate}: %w", err)
	}
	kept, err := keptOf(m, words, r.Of)
	if err != nil {
		return err
	}
	set, err := r.solutions(ctx, w, s, count.ForMarginals, to)
	if err != nil {
		return err
	}
	alone, err := set.Marginals(ctx)
	if err != nil {
		return err
	}
	without, err := set.Without(ctx, options)
	if err != nil {
		return err
	}
	none, err := without.Marginals(ctx)
	if err != nil {
		return err
	}
	event := new(big.Rat).Sub(alone.Total, none.Total)
	both := make([]*big.Rat, len(alone.Of))
	for o := range both {
		both[o] = new(big.Rat).Sub(alone.Of[o], none.Of[o])
	}
	g := groupsOf(m, cmp.Or(r.Marginals, usualGroups(m)), kept)
	to.Groups, to.Event, to.Cells = g.names, event.RatString(), cellTallies(m)
	for i, o := range options { // to.Marked gets the cells that all of these placements cover
		cells := m.Placements[o].Cells
		if i == 0 {
			to.Marked = slices.Clone(cells)
		}
		to.Marked = slices.DeleteFunc(to.Marked, func(c int) bool { return !slices.Contains(cells, c) })
	}
	each, together, all := g.tally(m, alone.Of), g.tally(m, both), alone.Total
	for c := range to.Cells {
		t := &to.Cells[c]
		t.By, t.Alone = g.named(together[c]), g.named(each[c])
		excess := make([]*big.Rat, len(g.names)) // P(A and event) - P(A) · P(event), where A means that the group covers the cell
		for k := range excess {
			excess[k] = new(big.Rat)
			if all.Sign() != 0 {
				product := new(big.Rat).Mul(each[c][k], event)
				product.Quo(product, all)
				excess[k].Quo(excess[k].Sub(together[c][k], product), all)
			}
		}
		t.Excess = g.named(excess)
	}
	return nil
}

func usualGroups(m *tiling.Model) string {
	oriented := func(i int) bool { return m.Orientation(i) != m.Orientation(0) }
	for i := range m.Placements {
		if len(m.Puzzle.Pieces) == 1 && oriented(i) {
			return byOrientations
		}
	}
	return byPieces
}

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

// shares returns the terms of the sum Σ in the formula below. H is the entropy of a solution drawn
// by weight. The share of an option is the probability that the solution has this option. A
// solution's weight is the product of the weights of its options, so its logarithm is a sum:
//
//	H = log total - Σ (share of option o) · log (weight of o)
func shares(total *big.Rat, marginals, weights []*big.Rat) (terms []logarithm.Term) {
	of := map[string]int{} // maps a weight to the index of its term
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
	nats, _ := strconv.ParseFloat(logarithm.Sum(terms...), 64) // cannot fail: Sum returns decimal digits
	return &Entropy{Nats: nats, Bits: nats / math.Ln2, PerCell: perCell(m, terms)}
}

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

// AllPieces in Query.ByCopies stands for the names of all pieces.
const AllPieces = "all"

// maxCopiesRows is the largest number of rows in the answer of a search for ByCopies.
const maxCopiesRows = 1 << 14

var errFull = errors.New("the answer has the largest number of choices of copies")

func (r *Query) answerCopies(ctx context.Context, w *work, s *subject, to *Queried) error {
	m := s.model
	names, sets, err := setsOf(m, r.ByCopies)
	if err != nil {
		return err
	}
	rows, err := r.rows(m, sets)
	if err != nil {
		return err
	}
	to.Pieces = names
	o := w.options(Counting)
	o.Engine = r.engine()
	searches := rows.Searches(m.Problem, o.Engine)
	take := func(row count.Row) error {
		if w.watch.Copies != nil {
			return w.watch.Copies(names, row.Copies, row.Count.String())
		}
		if searches && len(to.ByCopies) == maxCopiesRows {
			return errFull
		}
		t := CopiesTally{Copies: map[string]int{}, Count: row.Count.String()}
		for k, n := range row.Copies {
			t.Copies[names[k]] = n
		}
		to.ByCopies = append(to.ByCopies, t)
		return nil
	}
	var copies *count.Copies
	if s.file == nil || r.Method == querySearch {
		copies, err = count.EachRow(ctx, m.Problem, rows, o, take)
	} else {
		d, failed := s.load(ctx, w)
		if failed != nil {
			return failed
		}
		if copies, err = d.ByCopies(ctx, sets, o); err == nil {
			err = rows.Select(m.Problem, copies, take)
		}
	}
	if copies != nil {
		to.Method = map[count.Engine]string{count.Diagram: queryDiagram, count.Search: querySearch}[copies.Engine]
		to.Method = cmp.Or(to.Method, querySweep)
		to.Count, to.Effort, to.Bytes = numeral(copies.Count), copies.Effort, copies.Bytes
	}
	if copies != nil && copies.Engine == count.Search {
		to.Seen, to.Choices = copies.Choices.String(), copies.Of.String()
		to.Reason = "a table of all choices of copies would need more memory"
		if r.Method == querySearch {
			to.Reason = ""
		}
		w.note(Detail, "choices of copies", "seen", to.Seen, "of", to.Choices)
		e, ok := canGoOn(explained(ctx, err))
		if copies.Seen != nil && (ok || errors.Is(err, errFull)) {
			to.Cursor = formatCursor(copies.Seen)
		}
		switch {
		case errors.Is(err, errFull):
			return nil
		case ok && w.watch.Copies != nil:
			e.Cursor = to.Cursor // Watch.Copies has the rows, so callers may ignore the answer
			return e
		}
	}
	if errors.Is(err, count.ErrChoices) {
		return bad("{by_copies}: %w", err)
	}
	return err
}

func (r *Query) rows(m *tiling.Model, sets [][]int) (count.Rows, error) {
	having, err := r.having()
	rows := count.Rows{Sets: sets, Having: having, Measures: m.Measures()}
	if r.After == nil || err != nil {
		return rows, err
	}
	var ok bool
	if rows.After, ok = parseNumbers(*r.After); !ok || len(rows.After) != len(sets) {
		return rows, bad("{after} is not the cursor of a choice of copies of %s, expected the cursor of an answer to the same question", wording.Plural(len(sets), "piece"))
	}
	return rows, nil
}

const maxHavingDigits = 1000

func (r *Query) having() (count.Range, error) {
	if r.Having == "" {
		return count.Range{Min: big.NewInt(1)}, nil
	}
	least, most, isRange := strings.Cut(r.Having, "..")
	if !isRange {
		most = least
	}
	digits := func(text string) bool {
		return text != "" && len(text) <= maxHavingDigits && strings.Trim(text, "0123456789") == ""
	}
	shown := shortened(fmt.Sprintf("%q", r.Having))
	if !digits(least) || most != "" && !digits(most) {
		return count.Range{}, bad("{having} is %s, expected K, A..B or A.., such as 1, 1..5 or 2..", shown)
	}
	var of count.Range
	of.Min, _ = new(big.Int).SetString(least, 10)
	if most == "" {
		return of, nil
	}
	if of.Max, _ = new(big.Int).SetString(most, 10); of.Max.Cmp(of.Min) < 0 {
		return count.Range{}, bad("{having} is %s, which runs backwards, expected A..B with A at most B", shown)
	}
	return of, nil
}

// setsOf returns a set of placements for each word, first for pieces in the order of the puzzle.
func setsOf(m *tiling.Model, words []string) (names []string, sets [][]int, err error) {
	if m.IsAbstract() {
		return nil, nil, bad("{by_copies} is about pieces, but a cover has no pieces")
	}
	var order []string // each name once, names of pieces first
	for _, p := range m.Puzzle.Pieces {
		if slices.Contains(words, p.Name) || slices.Contains(words, AllPieces) {
			order = append(order, p.Name)
		}
	}
	for _, word := range words {
		if word != AllPieces && !slices.Contains(order, word) {
			order = append(order, word)
		}
	}
	x, owner := query.Of(m), map[int]int{}
	for _, name := range order {
		set, err := x.Options(name)
		if err != nil {
			return nil, nil, bad("{by_copies} is %.40q, expected pieces, placements, or the word "+AllPieces+" for all pieces: %w", name, err)
		}
		for _, o := range set {
			if k, taken := owner[o]; taken {
				return nil, nil, bad("{by_copies}: %.40q and %.40q have placements in common, expected disjoint sets", names[k], name)
			}
			owner[o] = len(names)
		}
		names, sets = append(names, name), append(sets, set)
	}
	return names, sets, nil
}
