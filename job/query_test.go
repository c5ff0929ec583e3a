package job

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/kit/logarithm"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

// reference is a puzzle with a list of all tilings.
type reference struct {
	puzzle  Puzzle
	keep    Conditions
	model   *tiling.Model
	tilings [][]int
	weights []string
	of      []*big.Rat // by option
}

// listed returns a random puzzle with all its tilings.
func listed(t *testing.T, rng *rand.Rand) *reference {
	t.Helper()
	r := &reference{puzzle: Puzzle{Name: "f", Text: newPhrasing(rng).text()}}
	plain, err := (&work{}).conditioned(t.Context(), &r.puzzle, &Conditions{})
	if err != nil {
		return nil // such as two pieces with the same name
	}
	r.keep = someConditions(rng, plain)
	m, err := (&work{}).conditioned(t.Context(), &r.puzzle, &r.keep)
	if err != nil {
		t.Fatal(err)
	}
	r.model = m
	err = count.Each(t.Context(), m.Problem, count.Listing{}, func(options []int) bool {
		r.tilings = append(r.tilings, slices.Clone(options))
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	r.of = make([]*big.Rat, len(m.Problem.Options))
	for o := range r.of {
		r.of[o] = big.NewRat(1, 1)
	}
	return r
}

// someConditions returns one condition or none.
func someConditions(rng *rand.Rand, m *tiling.Model) (c Conditions) {
	placements, pieces := len(m.Placements), m.Puzzle.Pieces
	if placements == 0 {
		return c
	}
	name := pieces[rng.IntN(len(pieces))].Name
	switch rng.IntN(8) {
	case 0:
		c.With = []string{fmt.Sprintf("#%d", rng.IntN(placements))}
	case 1:
		c.Without = []string{fmt.Sprintf("#%d", rng.IntN(placements))}
	case 2:
		c.AtMost = []string{"2:" + name}
	case 3:
		c.Apart = []string{name + "," + pieces[0].Name}
	}
	return c
}

// weigh gives weights to the pieces and to one placement.
func (r *reference) weigh(rng *rand.Rand) {
	values := []*big.Rat{big.NewRat(3, 2), big.NewRat(1, 3), big.NewRat(2, 1), new(big.Rat)}
	for _, p := range r.model.Puzzle.Pieces {
		w := values[rng.IntN(3)]
		r.weights = append(r.weights, p.Name+"="+w.RatString())
		for o, at := range r.model.Placements {
			if r.model.Puzzle.Pieces[at.Piece].Name == p.Name {
				r.of[o] = w
			}
		}
	}
	if len(r.of) > 0 {
		o, w := rng.IntN(len(r.of)), values[rng.IntN(4)]
		r.weights = append(r.weights, fmt.Sprintf("#%d=%s", o, w.RatString()))
		r.of[o] = new(big.Rat).Mul(r.of[o], w)
	}
}

// weight returns the product of the weights of a tiling's placements.
func (r *reference) weight(tiling []int) *big.Rat {
	w := big.NewRat(1, 1)
	for _, o := range tiling {
		w.Mul(w, r.of[o])
	}
	return w
}

// total returns the weight of the tilings that have all of these placements.
func (r *reference) total(having ...int) string {
	sum := new(big.Rat)
	for _, tiling := range r.tilings {
		if !slices.ContainsFunc(having, func(o int) bool { return !slices.Contains(tiling, o) }) {
			sum.Add(sum, r.weight(tiling))
		}
	}
	return sum.RatString()
}

// ask runs a query about the puzzle.
func (r *reference) ask(t *testing.T, q Query) *Queried {
	t.Helper()
	q.Puzzle, q.Conditions = r.puzzle, r.keep
	if len(q.ByCopies) == 0 {
		q.Weights = r.weights
	}
	a, err := Do(t.Context(), &q, Limits{Threads: 1}, Watch{})
	if err != nil {
		t.Fatalf("%s\n%+v: %v", r.puzzle.Text, q, err)
	}
	if q.Method == querySweep && a.Method != querySweep {
		t.Errorf("levels were asked for, and it was %s", a.Method)
	}
	if all := total(a); all != r.total() {
		t.Errorf("%s\n%+v: %s in all, want %s", r.puzzle.Text, q, all, r.total())
	}
	return a
}

// total returns the number of all tilings, or their weight.
func total(a *Queried) string {
	if a.Weight != "" {
		return a.Weight
	}
	return a.Count
}

// checkMarginals compares marginals by placements and by groups.
func (r *reference) checkMarginals(t *testing.T, method string) {
	t.Helper()
	a := r.ask(t, Query{Marginals: byPlacements, Method: method})
	for o, p := range a.Placements {
		if want := r.total(o); p.Number != o || p.Count != want {
			t.Fatalf("%s\nplacement %d is %+v, want %s", r.puzzle.Text, o, p, want)
		}
	}
	for _, by := range []string{byPieces, byOrientations, byKinds} {
		g := groupsOf(r.model, by, slices.Repeat([]bool{true}, len(r.model.Placements)))
		a := r.ask(t, Query{Marginals: by, Method: method})
		for c, cell := range a.Cells {
			all := new(big.Rat)
			for k, name := range g.names {
				want := new(big.Rat)
				for o, p := range r.model.Placements {
					if g.of[o] == k && slices.Contains(p.Cells, c) {
						want.Add(want, number(r.total(o)))
					}
				}
				if cell.By[name] != want.RatString() {
					t.Fatalf("%s\n%v is covered by %s in %s, want %v", r.puzzle.Text, cell.Cell, name, cell.By[name], want.RatString())
				}
				all.Add(all, want)
			}
			if !r.model.Puzzle.Board.Optional[c] && all.RatString() != r.total() {
				t.Errorf("%s\n%v is covered in %v of %s tilings", r.puzzle.Text, cell.Cell, all, r.total())
			}
		}
	}
}

// TestPairsOfCells: names of cells have commas, and each pair has sums of its own.
func TestPairsOfCells(t *testing.T) {
	r := &Query{Puzzle: Puzzle{Board: "4x4", Pieces: []string{"domino=any"}}, Pairs: []string{"#0,#1", "0,1,#0"}}
	a, err := Do(t.Context(), r, Limits{}, Watch{})
	if err != nil {
		t.Fatal(err)
	}
	r.Pairs = r.Pairs[1:]
	alone, err := Do(t.Context(), r, Limits{}, Watch{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(a.Pairs[1]), fmt.Sprint(alone.Pairs[0]); got != want || alone.Pairs[0].Counts[0] != "36" {
		t.Errorf("%s after another pair, %s alone", got, want)
	}
}

// checkPairs compares pairs and correlations of two placements.
func (r *reference) checkPairs(t *testing.T, rng *rand.Rand, method string) {
	t.Helper()
	if len(r.of) == 0 {
		return
	}
	a, b := rng.IntN(len(r.of)), rng.IntN(len(r.of))
	pairs := r.ask(t, Query{Pairs: []string{fmt.Sprintf("#%d,#%d", a, b), fmt.Sprintf("#%d,#%d", b, a)}, Method: method}).Pairs
	want := []PairTally{
		{[]string{fmt.Sprintf("#%d", a), fmt.Sprintf("#%d", b)}, []string{r.total(a), r.total(b)}, r.total(a, b)},
		{[]string{fmt.Sprintf("#%d", b), fmt.Sprintf("#%d", a)}, []string{r.total(b), r.total(a)}, r.total(a, b)},
	}
	if fmt.Sprint(pairs) != fmt.Sprint(want) {
		t.Fatalf("%s\npairs %v, want %v", r.puzzle.Text, pairs, want)
	}
	q := r.ask(t, Query{Correlate: fmt.Sprintf("#%d", a), Marginals: byOrientations, Method: method})
	g := groupsOf(r.model, byOrientations, slices.Repeat([]bool{true}, len(r.model.Placements)))
	if q.Event != r.total(a) {
		t.Fatalf("%s\n#%d is in %s, want %s", r.puzzle.Text, a, q.Event, r.total(a))
	}
	for c, cell := range q.Cells {
		for k, name := range g.names {
			both, alone := new(big.Rat), new(big.Rat)
			for o, p := range r.model.Placements {
				if g.of[o] == k && slices.Contains(p.Cells, c) {
					both.Add(both, number(r.total(a, o)))
					alone.Add(alone, number(r.total(o)))
				}
			}
			all, excess := number(r.total()), new(big.Rat)
			if all.Sign() > 0 {
				excess.Mul(new(big.Rat).Quo(alone, all), number(q.Event))
				excess.Quo(excess.Sub(both, excess), all)
			}
			if got := []string{cell.By[name], cell.Alone[name], cell.Excess[name]}; !slices.Equal(got, []string{both.RatString(), alone.RatString(), excess.RatString()}) {
				t.Fatalf("%s\n%v with #%d by %s: %v, want %v, %v, %v", r.puzzle.Text, cell.Cell, a, name, got, both, alone, excess)
			}
		}
	}
}

// checkCopies compares the numbers of copies of all pieces.
func (r *reference) checkCopies(t *testing.T, method string) {
	t.Helper()
	want := map[string]int{}
	for _, tiling := range r.tilings {
		copies := map[string]int{}
		for _, p := range r.model.Puzzle.Pieces {
			copies[p.Name] = 0
		}
		for _, o := range tiling {
			copies[r.model.Puzzle.Pieces[r.model.Placements[o].Piece].Name]++
		}
		want[fmt.Sprint(copies)]++
	}
	got := map[string]int{}
	for _, row := range r.ask(t, Query{ByCopies: []string{AllPieces}, Method: method}).ByCopies {
		got[fmt.Sprint(row.Copies)], _ = strconv.Atoi(row.Count)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("%s\nby copies %v, want %v", r.puzzle.Text, got, want)
	}
}

// checkWeights compares the expected copies.
func (r *reference) checkWeights(t *testing.T, method string) {
	t.Helper()
	a, all := r.ask(t, Query{Method: method}), number(r.total())
	if (all.Sign() == 0) != (a.Expected == nil) {
		t.Fatalf("%s\nof weight %v %v copies are expected", r.puzzle.Text, all, a.Expected)
	}
	for k, e := range a.Expected {
		want := new(big.Rat)
		for o, p := range r.model.Placements {
			if p.Piece == k {
				want.Add(want, number(r.total(o)))
			}
		}
		if e.Piece != r.model.Puzzle.Pieces[k].Name || e.Copies != want.Quo(want, all).RatString() {
			t.Fatalf("%s\n%v are expected, want %v", r.puzzle.Text, e, want.RatString())
		}
	}
}

// checkEntropy compares the numbers per cell with the sums over all tilings.
func (r *reference) checkEntropy(t *testing.T, method string) {
	t.Helper()
	a, all := r.ask(t, Query{Entropy: true, Method: method}), number(r.total())
	if all.Sign() == 0 {
		if a.PerCell != "" || a.Entropy != nil {
			t.Fatalf("%s\nof weight 0: %+v", r.puzzle.Text, a)
		}
		return
	}
	cell := big.NewRat(1, int64(len(r.model.Puzzle.Board.Cells)))
	var terms []logarithm.Term
	for _, tiling := range r.tilings {
		if p := r.weight(tiling); p.Sign() > 0 {
			p.Quo(p, all)
			terms = append(terms, logarithm.Term{Factor: new(big.Rat).Neg(new(big.Rat).Mul(p, cell)), Of: p})
		}
	}
	free, entropy := logarithm.Sum(logarithm.Term{Factor: cell, Of: all}), logarithm.Sum(terms...)
	if a.PerCell != free || a.Entropy == nil || a.Entropy.PerCell != entropy {
		t.Fatalf("%s\n%v: %s and %+v, want %s and %s", r.puzzle.Text, r.weights, a.PerCell, a.Entropy, free, entropy)
	}
}

// TestQueriesAgainstLists: the answers to a query equal the answers computed from a list of all
// tilings, by either method, with and without weights.
func TestQueriesAgainstLists(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 2))
	some := 0
	for done := 0; done < testkit.Size(30, 500); {
		r := listed(t, rng)
		if r == nil || len(r.of) > 60 {
			continue
		}
		done++
		some += min(1, len(r.tilings)/2)
		for _, method := range []string{queryDiagram, querySweep} {
			r.checkEntropy(t, method)
			r.checkMarginals(t, method)
			r.checkPairs(t, rng, method)
			r.checkCopies(t, method)
		}
		r.weigh(rng)
		for _, method := range []string{queryDiagram, querySweep} {
			r.checkWeights(t, method)
			r.checkEntropy(t, method)
			r.checkMarginals(t, method)
			r.checkPairs(t, rng, method)
		}
		r.checkBest(t)
	}
	if some < 5 {
		t.Errorf("only %d puzzles have several tilings", some)
	}
}

// written returns the tilings that a query writes.
func (r *reference) written(t *testing.T, q Query) (all []render.Tiling) {
	t.Helper()
	q.Puzzle, q.Conditions = r.puzzle, r.keep
	a, err := Do(t.Context(), &q, Limits{Threads: 1}, Watch{Tiling: func(tiling render.Tiling) error {
		all = append(all, tiling)
		return nil
	}})
	if err != nil || int(a.Written) != len(all) {
		t.Fatalf("%s\n%+v: %+v, %v", r.puzzle.Text, q, a, err)
	}
	return all
}

// numbers returns the options of a tiling.
func (r *reference) numbers(one render.Tiling) (options []int) {
	for _, p := range one.Placements {
		options = append(options, slices.IndexFunc(r.model.Placements, func(q tiling.Placement) bool {
			return p.Piece == q.Piece && slices.Equal(p.Cells, q.Cells)
		}))
	}
	slices.Sort(options)
	return options
}

// checkBest compares all tilings in the order of their weights.
func (r *reference) checkBest(t *testing.T) {
	t.Helper()
	var want []string
	all := slices.Clone(r.tilings)
	slices.SortFunc(all, func(a, b []int) int { return r.weight(b).Cmp(r.weight(a)) })
	for _, tiling := range all {
		want = append(want, r.weight(tiling).RatString())
	}
	for _, end := range []string{"best", "worst"} {
		q := Query{Weights: append([]string{r.model.Puzzle.Pieces[0].Name + "=1"}, r.weights...), Best: whole(Whole(len(all) + 1))}
		if end == "worst" {
			q.Best, q.Worst = nil, q.Best
			slices.Reverse(want)
		}
		var got []string
		seen := map[string]bool{}
		for _, tiling := range r.written(t, q) {
			options := r.numbers(tiling)
			if got = append(got, tiling.Weight.RatString()); r.weight(options).Cmp(tiling.Weight) != 0 || !r.model.Problem.IsSolution(options) {
				t.Fatalf("%s\n%v has the weight %v", r.puzzle.Text, options, tiling.Weight)
			}
			seen[fmt.Sprint(options)] = true
		}
		if !slices.Equal(got, want) || len(seen) != len(want) {
			t.Fatalf("%s\n%s are %v, %d different, want %v", r.puzzle.Text, end, got, len(seen), want)
		}
	}
}

// TestRanksAgainstLists: the tilings have different ranks, and each is found at its rank, with both
// methods and for all ways to give a tiling.
func TestRanksAgainstLists(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 3))
	for done := 0; done < testkit.Size(20, 500); {
		r := listed(t, rng)
		if r == nil || len(r.tilings) == 0 || len(r.tilings) > 50 {
			continue
		}
		done++
		for _, method := range []string{queryDiagram, querySweep} {
			q := Query{Method: method}
			for k := range r.tilings {
				q.Unrank = append(q.Unrank, fmt.Sprintf("%02d", k))
			}
			q.Unrank = append(q.Unrank, firstRank, lastRank)
			all := r.written(t, q)
			last := len(r.tilings) - 1
			if fmt.Sprint(all[last+1], all[last+2]) != fmt.Sprint(all[0], all[last]) {
				t.Fatalf("%s\nfirst and last are %v, want %v and %v", r.puzzle.Text, all[last+1:], all[0], all[last])
			}
			ranks := Query{Method: method, Puzzle: r.puzzle, Conditions: r.keep}
			for k, tiling := range all[:last+1] {
				options := r.numbers(tiling)
				ranks.Rank = append(ranks.Rank, r.told(k%3, options, tiling))
			}
			a, err := Do(t.Context(), &ranks, Limits{Threads: 1}, Watch{})
			if err != nil || len(a.Ranks) != last+1 {
				t.Fatalf("%s\n%v, %v", r.puzzle.Text, a, err)
			}
			for k, rank := range a.Ranks {
				if rank != strconv.Itoa(k) {
					t.Fatalf("%s\nthe tiling of rank %d has the rank %s", r.puzzle.Text, k, rank)
				}
			}
		}
	}
}

// told returns a tiling in one of three forms: by cursor, by numbers or by placements.
func (r *reference) told(way int, options []int, tiling render.Tiling) GivenTiling {
	switch {
	case way == 0:
		return GivenTiling{Cursor: formatCursor(options)}
	case way == 1 && len(options) > 0:
		slices.Reverse(options)
		return GivenTiling{Numbers: options}
	}
	o := tiling.JSON(r.model.Puzzle)
	for _, p := range o.Placements {
		slices.Reverse(p.Cells)
	}
	slices.Reverse(o.Placements)
	return GivenTiling{Rank: "7", Cursor: "no cursor", Placements: o.Placements}
}

// theLarge is a puzzle with 92109458286284989468604 tilings.
var theLarge = Puzzle{Board: "8x8", Pieces: []string{"monomino=any", "domino=any", "trominoes=any"}}

const largeCount = "92109458286284989468604"

// TestLargeRanks: the ranks of tilings of the large board, and the tilings of ranks: the first, the
// last and random ones.
func TestLargeRanks(t *testing.T) {
	n := testkit.Size(1000, 100_000)
	all, _ := new(big.Int).SetString(largeCount, 10)
	q := &Query{Puzzle: theLarge, Unrank: []string{"0", firstRank, lastRank, new(big.Int).Sub(all, big.NewInt(1)).String()}}
	rng := rand.New(rand.NewPCG(14, 4))
	for range n {
		high, low := new(big.Int).SetUint64(rng.Uint64()), new(big.Int).SetUint64(rng.Uint64())
		q.Unrank = append(q.Unrank, high.Mod(high.Add(high.Lsh(high, 64), low), all).String())
	}
	back := &Query{Puzzle: theLarge}
	puzzle, err := theLarge.Read()
	if err != nil {
		t.Fatal(err)
	}
	a, err := Do(t.Context(), q, Limits{}, Watch{Tiling: func(tiling render.Tiling) error {
		back.Rank = append(back.Rank, GivenTiling{Placements: tiling.JSON(puzzle).Placements})
		return nil
	}})
	if err != nil || a.Count != largeCount {
		t.Fatalf("%+v, %v", a, err)
	}
	b, err := Do(t.Context(), back, Limits{}, Watch{})
	if err != nil {
		t.Fatal(err)
	}
	q.Unrank[1], q.Unrank[2] = "0", q.Unrank[3]
	if !slices.Equal(b.Ranks, q.Unrank) {
		t.Error("ranks of tilings of ranks are others")
	}
	for k, want := range map[string]string{
		largeCount:                   "unrank is 92109458286284989468604, expected at least 0 and less than 92109458286284989468604, the number of tilings",
		"0" + largeCount:             "unrank is 92109458286284989468604, expected",
		strings.Repeat("9", 5000):    "unrank is 99999999999999999999…99999999999999999999, expected at least 0",
		strings.Repeat("9", 100_001): "a number of 100001 digits, expected at most 100000",
		"-1":                         `unrank is "-1", expected a number from 0, first or last`,
		"1e3":                        `unrank is "1e3", expected`,
		"":                           `unrank is "", expected`,
	} {
		_, err := Do(t.Context(), &Query{Puzzle: theLarge, Unrank: []string{"0", k}}, Limits{}, Watch{})
		if KindOf(err) != BadInput || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%.30s: %v, want %s", k, err, want)
		}
	}
}

// TestLargeCopies: the numbers by copies on the large board add up to the count, and are the counts
// of the tilings with these numbers of copies.
func TestLargeCopies(t *testing.T) {
	sets := [][]string{{"monomino"}, {"domino", "I3"}}
	for _, names := range sets[:testkit.Size(1, len(sets))] {
		a, err := Do(t.Context(), &Query{Puzzle: theLarge, ByCopies: names}, Limits{}, Watch{})
		if err != nil {
			t.Fatal(err)
		}
		sum := new(big.Rat)
		for _, row := range a.ByCopies {
			sum.Add(sum, number(row.Count))
		}
		if a.Count != largeCount || sum.RatString() != largeCount {
			t.Errorf("%v: %s, %v in all, want %s", names, a.Count, sum, largeCount)
		}
		for k := 0; k < len(a.ByCopies); k += len(a.ByCopies)/testkit.Size(2, 10) + 1 {
			c := &Count{Puzzle: theLarge}
			for name, n := range a.ByCopies[k].Copies {
				c.Exactly = append(c.Exactly, fmt.Sprintf("%d:%s", n, name))
			}
			counted, err := Do(t.Context(), c, Limits{}, Watch{})
			if err != nil || counted.Count != a.ByCopies[k].Count {
				t.Errorf("%v: %v, want %s (%v)", c.Exactly, counted, a.ByCopies[k].Count, err)
			}
		}
	}
}

// TestEntropy: for equal weights the entropy is the logarithm of the count, and for other weights
// the sum over all tilings.
func TestEntropy(t *testing.T) {
	for _, c := range []struct {
		weight string
		want   string
	}{
		{"domino=7/3", "3.583519 nats, 5.169925 bits"},    // 36 tilings, all of 8 dominoes
		{"domino:1=0", "0.000000 nats, 0.000000 bits"},    // one tiling is left
		{"domino:1=1000", "0.000133 nats, 0.000192 bits"}, // nearly one tiling: nine others have a probability of a millionth each
	} {
		q := &Query{Puzzle: Puzzle{Board: "4x4", Pieces: []string{"domino=any"}}, Weights: []string{c.weight}}
		a, err := Do(t.Context(), q, Limits{}, Watch{})
		if err != nil || fmt.Sprintf("%f nats, %f bits", a.Entropy.Nats, a.Entropy.Bits) != c.want {
			t.Errorf("%s: %+v, %v, want %s", c.weight, a.Entropy, err, c.want)
		}
	}
}

// TestRanksOfMarks: tilings that differ only by the marks of a placement have different ranks, even
// if their cells come in another order.
func TestRanksOfMarks(t *testing.T) {
	puzzle := Puzzle{Text: "{board: 2x3, pieces: [{set: double-six, copies: 0..1}]}"}
	read, err := puzzle.Read()
	if err != nil {
		t.Fatal(err)
	}
	q, back := &Query{Puzzle: puzzle}, &Query{Puzzle: puzzle}
	for k := range 50 {
		q.Unrank = append(q.Unrank, strconv.Itoa(1000*k))
	}
	_, err = Do(t.Context(), q, Limits{}, Watch{Tiling: func(tiling render.Tiling) error {
		placements := tiling.JSON(read).Placements
		for i, p := range placements {
			slices.Reverse(p.Cells)
			placements[i].Marks = p.Marks[1:] + p.Marks[:1]
		}
		back.Rank = append(back.Rank, GivenTiling{Placements: placements})
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := Do(t.Context(), back, Limits{}, Watch{})
	if err != nil || !slices.Equal(a.Ranks, q.Unrank) {
		t.Errorf("ranks %v, %v, want %v", a, err, q.Unrank)
	}
	back.Rank = back.Rank[:1]
	back.Rank[0].Placements[0].Marks = ""
	if _, err := Do(t.Context(), back, Limits{}, Watch{}); err == nil || !strings.Contains(err.Error(), "not a tiling") {
		t.Errorf("without marks: %v", err)
	}
}
