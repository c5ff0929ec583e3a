package sample_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/query"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

// matching are the methods whose draws have no rank.
var matching = []sample.Method{sample.ByShuffling, sample.ByTrees, sample.ByCoupling}

// matched returns the source of a model's tilings by a method.
func matched(t testing.TB, m *tiling.Model, method sample.Method, threads int) *sample.Source {
	t.Helper()
	s, err := sample.From(t.Context(), m.Problem, sample.Request{Method: method}, count.Options{Limits: count.Limits{Threads: threads}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestMatchedMarginals compares how often each placement of 16x16 dominoes is drawn with the
// marginals by the levels of a sweep.
func TestMatchedMarginals(t *testing.T) {
	m := puzzletest.Inline(t, "16x16", "domino=any")
	r, err := count.Remember(t.Context(), m.Problem, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	of, err := r.Marginals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n := testkit.Size(2000, 20_000)
	for _, method := range matching {
		tallies := make([]float64, len(m.Problem.Options))
		for d := range draws(t, matched(t, m, method, 2), 11, uint64(n)) {
			for _, o := range d.Options {
				tallies[o]++
			}
		}
		for o, tally := range tallies {
			p, _ := new(big.Rat).Quo(of.Of[o], of.Total).Float64()
			if sigma := math.Sqrt(float64(n) * p * (1 - p)); math.Abs(tally-float64(n)*p) > 5*sigma {
				t.Errorf("%s: placement %d: drawn %v times, expected %.1f ± %.1f", method, o, tally, float64(n)*p, sigma)
			}
		}
	}
}

// TestMatchedLaw compares draws of lozenges, of dominoes on a cylinder, under conditions, and by
// weight with all solutions.
func TestMatchedLaw(t *testing.T) {
	hexagon := puzzletest.Parse(t, "{lattice: triangle, board: {hexagon: [2, 2, 3]}, pieces: [{name: lozenge, shape: '^v', copies: any}]}")
	cylinder := puzzletest.Parse(t, "{board: 4x4, wrap: columns, pieces: [{name: domino, copies: any}]}")
	grid := puzzletest.Inline(t, "4x5", "domino=any")
	// one placement is required, and one is forbidden
	bounded, err := grid.WithBounds(t.Context(), []cover.Bound{{Options: []int{0}, Min: 1, Max: 1}, {Options: []int{9}, Max: 0}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		model   *tiling.Model
		weights bool
		methods []sample.Method
	}{
		{"hexagon", hexagon, false, []sample.Method{sample.ByShuffling, sample.ByCoupling}},
		{"hexagon", hexagon, true, []sample.Method{sample.ByShuffling}},
		{"cylinder", cylinder, false, []sample.Method{sample.ByCoupling}},
		{"bounded", bounded, false, []sample.Method{sample.ByShuffling, sample.ByCoupling}},
		{"grid", grid, false, matching},
		{"grid", grid, true, []sample.Method{sample.ByShuffling}},
	} {
		request := sample.Request{}
		if c.weights {
			request.Weights = make([]*big.Rat, len(c.model.Problem.Options))
			for o := range request.Weights {
				if o%3 > 0 {
					request.Weights[o] = big.NewRat(int64(1+o%4), int64(1+o%5))
				}
				if o == 7 {
					request.Weights[o] = new(big.Rat)
				}
			}
		}
		all := expected(t, c.model.Problem, request.Weights)
		for _, request.Method = range c.methods {
			s, err := sample.From(t.Context(), c.model.Problem, request, count.Options{})
			if err != nil {
				t.Fatal(err)
			}
			n := 100 * len(all)
			tallies := map[string]int{}
			for d := range draws(t, s, 5, uint64(n)) {
				if name := fmt.Sprint(d.Options); d.Rank != nil || all[name] == 0 {
					t.Fatalf("%s, %s: drew %+v", c.name, request.Method, d)
				} else {
					tallies[name]++
				}
			}
			chi := 0.0
			for name, share := range all {
				e := share * float64(n)
				chi += (float64(tallies[name]) - e) * (float64(tallies[name]) - e) / e
			}
			if len(all) == 1 {
				continue
			}
			if p := (distuv.ChiSquared{K: float64(len(all) - 1)}).Survival(chi); p < 1e-4 {
				t.Errorf("%s, %s: draws are not fair: chi-square has a tail of %g", c.name, request.Method, p)
			}
		}
	}
}

// expected returns the probability of each solution whose probability is not 0, by its options.
func expected(t *testing.T, p *cover.Problem, weights []*big.Rat) map[string]float64 {
	t.Helper()
	diagram, err := count.Compile(t.Context(), p, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	total, each := new(big.Rat), map[string]*big.Rat{}
	for rank := range diagram.Count().Int64() {
		options, err := count.At(t.Context(), diagram, big.NewInt(rank))
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(options)
		w := big.NewRat(1, 1)
		for _, o := range options {
			if weights != nil && weights[o] != nil {
				w.Mul(w, weights[o])
			}
		}
		if w.Sign() > 0 {
			each[fmt.Sprint(options)] = w
			total.Add(total, w)
		}
	}
	all := map[string]float64{}
	for name, w := range each {
		all[name], _ = w.Quo(w, total).Float64()
	}
	return all
}

// TestAutoMatches: auto draws by the cheapest method without ranks, only if no ranks are required
// and a walk would be too long.
func TestAutoMatches(t *testing.T) {
	large := "{lattice: triangle, board: {hexagon: 30}, pieces: [{name: lozenge, shape: '^v', copies: any}]}"
	for _, c := range []struct {
		puzzle *tiling.Model
		method sample.Method
		reason string
	}{
		{puzzletest.Inline(t, "8x8", "domino=any"), sample.ByDiagram, "the sweep has only"},
		{puzzletest.Inline(t, "45x46", "domino=any"), sample.ByTrees, "a sweep would remember about 45 cells at once"},
		{puzzletest.Inline(t, "20x21", "domino=any"), sample.ByTrees, "a sweep would remember about 20 cells at once"},
		{puzzletest.Parse(t, large), sample.ByShuffling, "a sweep would remember about"},
		{puzzletest.Inline(t, "45x47", "domino=any"), sample.ByTrees, "a sweep would remember about 45 cells at once"}, // no tiling
		{puzzletest.Inline(t, "12x12", "domino=any", "monomino=0..1"), sample.ByDiagram, "the sweep has only"},
		{puzzletest.Inline(t, "15x100", "domino=any"), sample.ByTrees, "a diagram would begin with"},
	} {
		s, err := sample.From(t.Context(), c.puzzle.Problem, sample.Request{Unranked: true}, count.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if s.Method != c.method || !strings.HasPrefix(s.Reason, c.reason) {
			t.Errorf("%s, since %s, expected %s", s.Method, s.Reason, c.method)
		}
	}
}

// TestRanksAreWalked: where draws need ranks, auto begins a walk, however long.
func TestRanksAreWalked(t *testing.T) {
	ctx := testkit.AfterLooks(t, 200)
	s, err := sample.From(ctx, puzzletest.Inline(t, "45x46", "domino=any").Problem, sample.Request{}, count.Options{})
	if s != nil || !ctx.Ended() {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestMatchedDraws: draws are the same by any number of threads, and fewer are the first of more.
func TestMatchedDraws(t *testing.T) {
	m := puzzletest.Inline(t, "10x10", "domino=any")
	for _, method := range matching {
		some := func(threads int, n uint64) (all []string) {
			for d := range draws(t, matched(t, m, method, threads), 3, n) {
				if !m.Problem.IsSolution(d.Options) {
					t.Fatalf("%v is no tiling", d.Options)
				}
				all = append(all, fmt.Sprint(d.Options))
			}
			return all
		}
		one := some(1, 100)
		if !slices.Equal(one, some(4, 100)) || !slices.Equal(one[:3], some(4, 3)) {
			t.Errorf("draws by %s depend on threads or on their number", method)
		}
		s := matched(t, m, method, 1)
		if _, err := count.At(t.Context(), s.Set, new(big.Int)); !errors.Is(err, count.ErrUnanswered) {
			t.Errorf("a rank: %v", err)
		}
		told := int64(0)
		for range draws(t, s.Telling(func(units int64, _ string) { told += units }), 3, 2) {
		}
		if told < 2 || s.Bytes() <= 0 {
			t.Errorf("%s: %d units, %d bytes", method, told, s.Bytes())
		}
	}
}

func TestMatchedUnique(t *testing.T) {
	for _, method := range matching {
		s := matched(t, puzzletest.Inline(t, "4x4", "domino=any"), method, 1)
		seen := map[string]bool{}
		for d, err := range s.Unique(t.Context(), sample.Seeded(1), 36, 0) {
			if err != nil {
				t.Fatal(err)
			}
			seen[fmt.Sprint(d.Options)] = true
		}
		if len(seen) != 36 {
			t.Errorf("%s: %d different tilings", method, len(seen))
		}
	}
}

func TestMatchedRefuses(t *testing.T) {
	for want, m := range map[string]*tiling.Model{
		"covers 3 items":           puzzletest.Inline(t, "3x3", "I3=any"),
		"may exclude some tilings": puzzletest.Inline(t, "4x4", "domino=3..7"),
		"may stay uncovered":       puzzletest.Parse(t, "{board: 4x4, cover: at-most, pieces: [{name: domino, copies: any}]}"),
		"not planar":               puzzletest.Parse(t, "{board: 4x4, wrap: both, pieces: [{name: domino, copies: any}]}"),
		"coloured black and white": puzzletest.Parse(t, "{board: 4x5, wrap: columns, pieces: [{name: domino, copies: any}]}"),
	} {
		for _, method := range matching {
			_, err := sample.From(t.Context(), m.Problem, sample.Request{Method: method}, count.Options{})
			if !errors.Is(err, count.ErrNotDimers) || !strings.Contains(err.Error(), want) && (method == sample.ByCoupling || !strings.HasPrefix(want, "no")) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v, expected %q", method, err, want)
			}
		}
	}
	m := puzzletest.Inline(t, "4x4", "domino=any")
	for _, method := range matching {
		for _, r := range []sample.Request{{Group: m.Group(true).Symmetries()}, {Weights: make([]*big.Rat, len(m.Problem.Options))}} {
			r.Method = method
			if _, err := sample.From(t.Context(), m.Problem, r, count.Options{}); !errors.Is(err, sample.ErrMethod) && (r.Weights == nil || method != sample.ByShuffling) {
				t.Errorf("%+v: %v", r, err)
			}
		}
	}
	large := puzzletest.Inline(t, "60x60", "domino=any")
	for _, method := range matching {
		if _, err := sample.From(t.Context(), large.Problem, sample.Request{Method: method}, count.Options{Limits: count.Limits{Memory: 1 << 16}}); !errors.Is(err, cover.ErrMemory) {
			t.Errorf("%s with 64 KiB: %v", method, err)
		}
	}
}

// TestCombinedMethods draws an Aztec diamond of order 12 by shuffling, and beside it 18x19 cells by
// trees, or another diamond. Draws of two diamonds share the work for their levels.
func TestCombinedMethods(t *testing.T) {
	diamond := func(r int) string {
		half := min(r, 23-r) + 1
		return strings.Repeat(".", 12-half) + strings.Repeat("#", 2*half) + strings.Repeat(".", 13-half)
	}
	room := func(r int) string { return strings.Repeat([]string{"#", "."}[r/18], 19) }
	for _, c := range []struct {
		beside func(r int) string
		method sample.Method
		told   map[string]int64
	}{
		{room, sample.ByDimer, map[string]int64{"trees": 10, "levels": 120}},
		{diamond, sample.ByShuffling, map[string]int64{"levels": 24}},
	} {
		board := ""
		for r := range 24 {
			board += "    " + diamond(r) + c.beside(r) + "\n"
		}
		m := puzzletest.Parse(t, "board: |\n"+board+"pieces: [{name: domino, copies: any}]\n")
		s, err := sample.From(t.Context(), m.Problem, sample.Request{Unranked: true}, count.Options{Limits: count.Limits{Threads: 1}})
		if err != nil || s.Method != c.method {
			t.Fatalf("%v, %v, expected the method %s", s, err, c.method)
		}
		told := map[string]int64{}
		for d, err := range s.Telling(func(units int64, unit string) { told[unit] += units }).Draws(t.Context(), sample.Seeded(3), 10) {
			if err != nil || !m.Problem.IsSolution(d.Options) {
				t.Fatalf("%v, %v is no solution", d, err)
			}
		}
		if !maps.Equal(told, c.told) {
			t.Errorf("10 draws made %v, expected %v", told, c.told)
		}
	}
}

// TestCombinedWeightless: a board of two parts has no draws if all tilings of one part have the
// weight 0: of a part that is drawn by rank or of a part that is drawn as matchings.
func TestCombinedWeightless(t *testing.T) {
	room := strings.Repeat("#", 18)
	small := "board: |\n" + strings.Repeat("    "+room+".##\n", 2) + strings.Repeat("    "+room+"...\n", 16)
	large := "board: |\n" + strings.Repeat("    "+room+"."+room+"\n", 18)
	for board, cell := range map[string]string{small: "0,19", large: "0,0"} {
		m := puzzletest.Parse(t, board+"pieces: [{name: domino, copies: any}]\n")
		weights, err := query.Weights(m, []string{cell + "=0"})
		if err != nil {
			t.Fatal(err)
		}
		s, err := sample.From(t.Context(), m.Problem, sample.Request{Unranked: true, Weights: weights}, count.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Check(); !errors.Is(err, sample.ErrEmpty) {
			t.Errorf("cell %s of weight 0: %v, expected %v", cell, err, sample.ErrEmpty)
		}
		for d, err := range s.Draws(t.Context(), sample.Seeded(3), 1) {
			t.Errorf("draw %v, %v, expected none", d, err)
		}
	}
}

// TestCombined draws from a board of two rooms: one is drawn by trees or shuffling, the other by
// rank.
func TestCombined(t *testing.T) {
	room := strings.Repeat("#", 50)
	board := strings.Repeat("    "+room+".##\n", 3) + strings.Repeat("    "+room+"...\n", 47)
	m := puzzletest.Parse(t, "board: |\n"+board+"pieces: [{name: domino, copies: any}]\n")
	s, err := sample.From(t.Context(), m.Problem, sample.Request{Unranked: true}, count.Options{})
	if err != nil || !s.Method.Matches() {
		t.Fatalf("%v, %v, expected draws without ranks", s.Method, err)
	}
	rooms := map[bool]int{}
	for d, err := range s.Draws(t.Context(), sample.Seeded(3), 20) {
		if err != nil || d.Rank != nil || !m.Problem.IsSolution(d.Options) {
			t.Fatalf("%v, %v is no solution", d, err)
		}
		rooms[slices.Contains(d.Options, len(m.Problem.Options)-1)]++
	}
	if len(rooms) != 2 {
		t.Errorf("the last placement is in %d of 20 draws, want some", rooms[true])
	}
}
