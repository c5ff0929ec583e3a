package count

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/testkit"
)

// randomWeights are such as people give: mostly small fractions, some 0, some none.
func randomWeights(rng *rand.Rand, options int) []*big.Rat {
	weights := make([]*big.Rat, options)
	for o := range weights {
		switch rng.IntN(6) {
		case 0:
			weights[o] = new(big.Rat)
		case 1: // nil
		case 2:
			weights[o] = big.NewRat(rng.Int64N(9), 1)
		default:
			weights[o] = big.NewRat(rng.Int64N(7), 1+rng.Int64N(5))
		}
	}
	return weights
}

// weightOf is the weight of a solution.
func weightOf(weights []*big.Rat, solution []int) *big.Rat {
	w := big.NewRat(1, 1)
	for _, o := range solution {
		if weights != nil && weights[o] != nil {
			w.Mul(w, weights[o])
		}
	}
	return w
}

// eachRandomCover calls do with covers of all kinds and their solutions.
func eachRandomCover(t *testing.T, seeds uint64, do func(seed uint64, rng *rand.Rand, p *cover.Problem, want [][]int)) {
	t.Helper()
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 14))
		p := oracle.Random(rng)
		switch seed % 4 {
		case 1:
			p = oracle.RandomGrid(rng)
		case 2:
			p = oracle.RandomColoured(rng)
		}
		want, err := oracle.Within(p, 1<<12)
		if errors.Is(err, oracle.ErrTooBig) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		do(seed, rng, p, want)
		if t.Failed() {
			t.Fatalf("seed %d\n%s", seed, text(p))
		}
	}
}

// made stands for a diagram that was made before the weights were known.
const made Engine = "made"

// solve makes all solutions in one way.
func solve(ctx context.Context, p *cover.Problem, o Options) (Set, error) {
	if o.Engine != made {
		s, _, err := Solve(ctx, p, ForRanks, o)
		return s, err
	}
	c, err := Compile(ctx, p, Options{Limits: o.Limits})
	if err != nil {
		return nil, err
	}
	return c.Weigh(ctx, o.Weights, o.Memory)
}

// TestWeightsAndMarginals compares both ways, and a diagram that was there before, with a
// list of the solutions.
func TestWeightsAndMarginals(t *testing.T) {
	eachRandomCover(t, 300, func(seed uint64, rng *rand.Rand, p *cover.Problem, want [][]int) {
		weights := randomWeights(rng, len(p.Options))
		if seed%5 == 0 {
			weights = nil
		}
		var barred []int
		for o := range p.Options {
			if rng.IntN(8) == 0 {
				barred = append(barred, o)
			}
		}
		all, none := sumsOf(p, weights, want, nil), sumsOf(p, weights, want, barred)
		for _, e := range []Engine{Diagram, Sweep, made} {
			o := Options{Weights: weights, Engine: e, Limits: Limits{Threads: 1}}
			r, err := solve(context.Background(), p, o)
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, e, err)
			}
			sameSums(t, string(e), r, all)
			without, err := r.Without(context.Background(), barred)
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, e, err)
			}
			sameSums(t, string(e)+" without some", without, none)
		}
	})
}

// sumsOf are the sums over the listed solutions that have none of some options.
func sumsOf(p *cover.Problem, weights []*big.Rat, solutions [][]int, barred []int) *Marginals {
	m := &Marginals{Total: new(big.Rat), Of: make([]*big.Rat, len(p.Options))}
	for o := range m.Of {
		m.Of[o] = new(big.Rat)
	}
	for _, s := range solutions {
		if slices.ContainsFunc(s, func(o int) bool { return slices.Contains(barred, o) }) {
			continue
		}
		w := weightOf(weights, s)
		m.Total.Add(m.Total, w)
		for _, o := range s {
			m.Of[o].Add(m.Of[o], w)
		}
	}
	return m
}

func sameSums(t *testing.T, name string, got Sums, want *Marginals) {
	t.Helper()
	m, err := got.Marginals(t.Context())
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if got.Weight().Cmp(want.Total) != 0 || m.Total.Cmp(want.Total) != 0 {
		t.Errorf("%s: weight %v, want %v", name, got.Weight(), want.Total)
	}
	if !slices.EqualFunc(m.Of, want.Of, func(a, b *big.Rat) bool { return a.Cmp(b) == 0 }) {
		t.Errorf("%s: marginals %v, want %v", name, m.Of, want.Of)
	}
}

// TestByCopies compares both ways with a list of the solutions.
func TestByCopies(t *testing.T) {
	eachRandomCover(t, 300, func(seed uint64, rng *rand.Rand, p *cover.Problem, want [][]int) {
		sets := make([][]int, 1+rng.IntN(3))
		for o := range p.Options {
			if k := rng.IntN(len(sets) + int(seed%2)); k < len(sets) {
				sets[k] = append(sets[k], o)
			}
		}
		of := setOf(p, sets)
		rows := map[string]int64{}
		for _, s := range want {
			copies := make([]int, len(sets))
			for _, o := range s {
				if of[o] >= 0 {
					copies[of[o]]++
				}
			}
			rows[fmt.Sprint(copies)]++
		}
		for _, e := range []Engine{Diagram, Sweep} {
			got, err := ByCopies(context.Background(), p, sets, Options{Engine: e})
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if len(got.Rows) != len(rows) || got.Count.Int64() != int64(len(want)) {
				t.Errorf("%d rows of %v, want %d of %d", len(got.Rows), got.Count, len(rows), len(want))
			}
			for _, row := range got.Rows {
				if row.Count.Int64() != rows[fmt.Sprint(row.Copies)] {
					t.Errorf("%s: %v %v, want %v", e, row.Copies, row.Count, rows)
				}
			}
		}
	})
}

// TestWeightedRanks: each solution has as its number of ranks its weight times the scale of the
// levels, and its slack is not returned.
func TestWeightedRanks(t *testing.T) {
	walked := 0
	eachRandomCover(t, 200, func(seed uint64, rng *rand.Rand, p *cover.Problem, want [][]int) {
		weights := randomWeights(rng, len(p.Options))
		r := remembered(t, p, Options{Weights: weights, Limits: Limits{Threads: 1}})
		if r.Ranks().Cmp(big.NewInt(4000)) > 0 {
			return
		}
		times := map[string]int64{}
		var ranks []*big.Int
		for k := range r.Ranks().Int64() {
			ranks = append(ranks, big.NewInt(k))
		}
		for _, options := range unranked(t, r, ranks) {
			slices.Sort(options)
			times[fmt.Sprint(options)]++
		}
		for _, s := range want {
			n := weightOf(weights, s)
			n.Mul(n, new(big.Rat).SetInt(r.whole.Scale))
			if got := times[fmt.Sprint(s)]; !n.IsInt() || n.Num().Int64() != got {
				t.Errorf("%v is at %d ranks, want %v", s, got, n)
			}
			rank, err := r.Rank(context.Background(), s)
			if n.Sign() == 0 != errors.Is(err, ErrMember) || n.Sign() > 0 && (err != nil || !slices.Equal(slices.Sorted(slices.Values(unranked(t, r, []*big.Int{rank})[0])), s)) {
				t.Errorf("the rank of %v is %v, %v", s, rank, err)
			}
			walked++
		}
	})
	if walked < 300 {
		t.Errorf("%d solutions", walked)
	}
}

// TestWeightsOfFew: few factors are enough, of pieces that are used once, or of the dark cells
// of a board.
func TestWeightsOfFew(t *testing.T) {
	half := big.NewRat(1, 2)
	for _, c := range []struct {
		board string
		piece []string
		scale int // in bits
		more  int // options
	}{
		{"4x5", []string{"I5", "L5", "Y5", "V5"}, 7, 0},
		{"6x6", []string{"domino=any"}, 36 - 12, 0},
		{"4x4", []string{"domino=any", "monomino=any"}, 17, 0},
	} {
		p := inline(t, c.board, c.piece...)
		w, err := makeWhole(p, slices.Repeat([]*big.Rat{half}, len(p.Options)))
		if err != nil {
			t.Fatal(err)
		}
		if w.Scale.BitLen() > c.scale || len(w.Problem.Options) != len(p.Options)+c.more {
			t.Errorf("%s: a scale of %d bits, want %d; %d options more, want %d", c.board, w.Scale.BitLen(), c.scale, len(w.Problem.Options)-len(p.Options), c.more)
		}
	}
}

func TestWeightsErrors(t *testing.T) {
	p := inline(t, "2x3", "domino=any")
	long, _ := new(big.Rat).SetString("1/1" + fmt.Sprintf("%01500d", 7))
	for _, c := range []struct {
		weights []*big.Rat
		want    string
	}{
		{make([]*big.Rat, 3), "there are 3 weights for 7 options"},
		{append(make([]*big.Rat, 6), big.NewRat(-1, 2)), "the weight of option 6 is -1/2, expected at least 0"},
		{append(make([]*big.Rat, 6), long), "the weight of option 6 has over 4096 bits"},
		{append(make([]*big.Rat, 6), new(big.Rat).Inv(long)), "the weight of option 6 has over 4096 bits"},
	} {
		for _, e := range []Engine{Diagram, Sweep} {
			_, err := solve(context.Background(), p, Options{Weights: c.weights, Engine: e})
			if !errors.Is(err, ErrWeights) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", e, err, c.want)
			}
		}
	}
	large := inline(t, "30x30", "domino=any")
	weights := make([]*big.Rat, len(large.Options))
	for o := range weights {
		weights[o] = new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 300), big.NewInt(int64(o))))
	}
	if _, err := solve(context.Background(), large, Options{Weights: weights}); !errors.Is(err, ErrWeights) || !strings.Contains(err.Error(), "common denominator") {
		t.Errorf("many long denominators: %v", err)
	}
	loose := &cover.Problem{} // no item is used equally often, so that each option has a factor of its own
	for o := range weights[:400] {
		loose.Items = append(loose.Items, cover.Item{Max: 2})
		loose.Options = append(loose.Options, cover.Option{{Item: o, Times: 1}})
	}
	if _, err := solve(context.Background(), loose, Options{Weights: weights[:400]}); !errors.Is(err, ErrWeights) || !strings.Contains(err.Error(), "common denominator") {
		t.Errorf("many long denominators of options for themselves: %v", err)
	}
	if _, err := solve(context.Background(), p, Options{Engine: Search}); !errors.Is(err, errEngine) {
		t.Errorf("ranks by search: %v", err)
	}
}

// TestSlackOfBoard: on a board whose cells may stay empty many items have slack, several of them
// open at a time.
func TestSlackOfBoard(t *testing.T) {
	p := inline(t, "4x5", "domino=any", "L3=any")
	p.Symmetries = nil
	for i := range p.Items {
		p.Items[i].Min = 0
	}
	o := Options{Weights: randomWeights(rand.New(rand.NewPCG(14, 4)), len(p.Options))}
	var told []string
	for _, o.Engine = range []Engine{Auto, made} {
		r, err := solve(t.Context(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		m, err := r.Marginals(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		told = append(told, fmt.Sprint(r.Weight(), m.Of))
	}
	if told[0] != told[1] {
		t.Error("a diagram that was made before has other weights than one made for them")
	}
}

// TestOpenItems: slack cannot be put into a diagram in which too many items are open at a time.
func TestOpenItems(t *testing.T) {
	p, n := &cover.Problem{}, 64*slackWords+1
	var weights []*big.Rat
	for i := range 2 * n {
		p.Items = append(p.Items, cover.Item{Max: 1})
		p.Options = append(p.Options, cover.Option{{Item: i % n, Times: 1}, {Item: n + i%n, Times: 1}})
		weights = append(weights, big.NewRat(1, 2))
	}
	for few := range 2 {
		var options []int
		for o := range p.Options {
			if o%n >= few {
				options = append(options, o)
			}
		}
		d, err := bdd.Unit(len(options))
		if err != nil {
			t.Fatal(err)
		}
		c, err := OfDiagram(t.Context(), p, d, options, 0)
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Weigh(t.Context(), weights, 0)
		if few == 0 && !errors.Is(err, ErrWeights) {
			t.Errorf("%d open items: %v", n, err)
		}
		if few == 1 && (err != nil || r.Weight().Cmp(big.NewRat(1, 1)) != 0) {
			t.Errorf("%d open items: %v", n-1, err)
		}
	}
}

// TestMarginalsOfHistory: levels may be dropped for marginals; a goroutine that draws meanwhile
// still finds the same.
func TestMarginalsOfHistory(t *testing.T) {
	p := inline(t, "12x12", "domino=any")
	whole := remembered(t, p, Options{})
	ranks := []*big.Int{big.NewInt(0), big.NewInt(1 << 40)}
	want := unranked(t, whole, ranks)
	bytes := whole.Bytes()
	h := remembered(t, p, Options{Limits: Limits{Memory: bytes * 8 / 7, Threads: 1}})
	if h.Settle(); !h.Whole() {
		t.Fatalf("%d bytes do not hold all levels", bytes)
	}
	drawn := make(chan bool)
	go func() {
		defer close(drawn)
		for range 20 {
			if got := unranked(t, h, ranks); !slices.EqualFunc(got, want, slices.Equal) {
				t.Errorf("drew %v, want %v", got, want)
			}
		}
	}()
	m, err := h.Marginals(context.Background())
	if err != nil || h.Whole() {
		t.Errorf("%v; all levels are still there: %v", err, h.Whole())
	}
	<-drawn
	sum := new(big.Rat)
	for _, of := range m.Of {
		sum.Add(sum, of)
	}
	if sum.Cmp(new(big.Rat).Mul(m.Total, big.NewRat(72, 1))) != 0 {
		t.Errorf("all options together are in %v tilings, want 72 times %v", sum, m.Total)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := h.Marginals(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestByCopiesErrors(t *testing.T) {
	p := inline(t, "4x4", "domino=any")
	for _, sets := range [][][]int{{{-1}}, {{len(p.Options)}}, {{1}, {2, 1}}, {{3, 3}}} {
		if _, err := ByCopies(context.Background(), p, sets, Options{}); !errors.Is(err, errSets) {
			t.Errorf("sets %v: %v", sets, err)
		}
	}
	many := make([][]int, len(p.Options)) // each option a set: 24 of them
	for o := range many {
		many[o] = []int{o}
	}
	large := inline(t, "8x8", "domino=any")
	for o := len(many); o < len(large.Options); o++ {
		many = append(many, []int{o})
	}
	for _, e := range []Engine{Auto, Diagram, Sweep} {
		if _, err := ByCopies(context.Background(), large, many, Options{Engine: e}); !errors.Is(err, cover.ErrMemory) {
			t.Errorf("%s, 112 sets: %v", e, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ByCopies(ctx, p, [][]int{{1}}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	c, err := ByCopies(context.Background(), inline(t, "3x3", "domino=any"), [][]int{{0}}, Options{Engine: Sweep})
	if err != nil || len(c.Rows) > 0 || c.Count.Sign() != 0 {
		t.Errorf("without a tiling: %v, %v", c, err)
	}
}

// TestByCopiesConditioned: each row is the count of the board with that number of copies of the
// piece, by both ways, and also if it follows from the copies of the other pieces.
func TestByCopiesConditioned(t *testing.T) {
	p := inline(t, "5x4", "monomino=any", "domino=any", "I3=any")
	sets := make([][]int, 3)
	for o, option := range p.Options {
		sets[len(option)-2] = append(sets[len(option)-2], o) // its cells and the piece
	}
	all, err := Count(context.Background(), p, Sweep, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []Engine{Auto, Diagram, Sweep} {
		for _, asked := range [][][]int{sets, sets[1:]} {
			c, err := ByCopies(context.Background(), p, asked, Options{Engine: e, Limits: Limits{Threads: 3}})
			if err != nil {
				t.Fatal(err)
			}
			sum := new(big.Int)
			for _, row := range c.Rows {
				sum.Add(sum, row.Count)
			}
			if sum.Cmp(all.Count) != 0 || len(c.Rows) < 30 {
				t.Errorf("%s: %d rows sum to %v, want %v", e, len(c.Rows), sum, all.Count)
			}
			for _, row := range c.Rows[:5] {
				k := row.Copies[len(row.Copies)-2:]
				fixed := inline(t, "5x4", "monomino=any", fmt.Sprintf("domino=%d", k[0]), fmt.Sprintf("I3=%d", k[1]))
				want, err := Count(context.Background(), fixed, Sweep, Options{})
				if err != nil || want.Count.Cmp(row.Count) != 0 {
					t.Errorf("%s: %v: %v, want %v, %v", e, row.Copies, row.Count, want, err)
				}
			}
		}
	}
}

// TestByCopiesOfChessboard: a published count is the sum of its rows.
func TestByCopiesOfChessboard(t *testing.T) {
	testkit.Long(t)
	p := inline(t, "8x8", "monomino=any", "domino=any", "trominoes=any")
	sets := make([][]int, 3)
	for o, option := range p.Options {
		sets[len(option)-2] = append(sets[len(option)-2], o)
	}
	c, err := ByCopies(context.Background(), p, sets, Options{})
	if err != nil {
		t.Fatal(err)
	}
	sum := new(big.Int)
	for _, row := range c.Rows {
		sum.Add(sum, row.Count)
	}
	if sum.String() != "92109458286284989468604" || len(c.Rows) != 374 || c.Engine != Sweep {
		t.Errorf("%d rows by %s sum to %v", len(c.Rows), c.Engine, sum)
	}
}

// TestMarginalsOfLargeBoard: each cell of 20x20 is in all tilings with dominoes.
func TestMarginalsOfLargeBoard(t *testing.T) {
	testkit.Long(t)
	p := inline(t, "20x20", "domino=any")
	r, err := solve(context.Background(), p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.Marginals(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	cells := make([]big.Rat, len(p.Items))
	for o, option := range p.Options {
		for _, u := range option {
			cells[u.Item].Add(&cells[u.Item], m.Of[o])
		}
	}
	for _, i := range p.Orders[0] {
		if m.Total.RatString() != "1269984011256235834242602753102293934298576249856" || cells[i].Cmp(m.Total) != 0 {
			t.Errorf("cell %d is in %v tilings of %v", i, &cells[i], m.Total)
		}
	}
}
