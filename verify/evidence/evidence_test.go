package evidence

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/verify"
)

// TestRandomCovers: all methods agree with the count, which is the oracle's. Half of the
// covers have colours.
func TestRandomCovers(t *testing.T) {
	solved := 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 7))
		p := oracle.Random(rng)
		if seed%2 == 0 {
			p = oracle.RandomColoured(rng)
		}
		want, err := oracle.Count(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []Method{List, Spots} {
			r, err := Verify(context.Background(), p, Options{Method: m, Spots: 4, Small: 2, Source: sample.Seeded(seed), Count: count.Options{Limits: count.Limits{Threads: 2}}})
			if err != nil || !r.Agrees() {
				t.Fatalf("seed %d: %s: %v\n%+v", seed, m, err, r)
			}
			if r.Result.Count.Int64() != int64(want) || m == List && r.Listing.Solutions != int64(want) {
				t.Fatalf("seed %d: %s: %v and %+v, oracle %d", seed, m, r.Result.Count, r.Listing, want)
			}
			if r.Spots != nil {
				solved++
			}
		}
	}
	if solved < 100 {
		t.Errorf("spots of only %d covers were looked at", solved)
	}
}

// TestDistinct compares classes counted two ways.
func TestDistinct(t *testing.T) {
	m := puzzletest.Inline(t, "4x5", "domino=any", "monomino=0..2")
	g := m.Group(true)
	r, err := Verify(context.Background(), m.Problem, Options{Group: g.Symmetries()})
	if err != nil || !r.Agrees() || r.Distinct == nil || r.Listing.Distinct != r.Distinct.Int64() || r.Distinct.Cmp(r.Result.Count) >= 0 {
		t.Errorf("%v: %+v", err, r)
	}
}

// planted is a verifier that starts from a count with the error wrong, of a problem that differs
// from the problem of its engines if both are given.
func planted(t *testing.T, p *cover.Problem, wrong int64) *verifier {
	t.Helper()
	r, err := count.Count(context.Background(), p, count.Auto, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.Count.Add(r.Count, big.NewInt(wrong))
	return &verifier{Report: &Report{Result: r}, problem: p, o: Options{Source: sample.Seeded(1), Spots: 20, Small: 5}}
}

// told is the disagreement in an error, "" if there is no error.
func told(t *testing.T, err error) string {
	t.Helper()
	var d disagreement
	if err != nil && !errors.As(err, &d) {
		t.Error(err)
	}
	return string(d)
}

// TestWrongCounts: a count that is wrong is found out by each part of the evidence.
func TestWrongCounts(t *testing.T) {
	p := puzzletest.Inline(t, "6x6", "domino=any").Problem
	ctx := context.Background()
	rng := rand.New(sample.Seeded(1))
	for _, c := range []struct {
		name string
		do   func(v *verifier) error
		want string
	}{
		{"list", func(v *verifier) error { return v.list(ctx) }, "the decision diagram counts 6728"},
		{"list without a diagram", func(v *verifier) error {
			v.o.Count.Threads, v.o.Count.Memory = 1, 40_000 // enough for the solver alone
			return v.list(ctx)
		}, "a SAT solver lists"},
		{"residues", func(v *verifier) error { return v.residues(ctx, rng) }, "the count of a second sweep has"},
		{"spots", func(v *verifier) error { return v.spots(ctx, rng) }, "the decision diagram counts 6728"},
		{"whole", func(v *verifier) error {
			v.o.Small = 1 << 50
			return v.spots(ctx, rng)
		}, "a SAT solver counts 6728"},
	} {
		for _, wrong := range []int64{-1, 1, 1 << 40} {
			v := planted(t, p, wrong)
			if got := told(t, c.do(v)); !strings.Contains(got, c.want) || v.Agrees() {
				t.Errorf("%s, wrong by %d: %q, want %q", c.name, wrong, got, c.want)
			}
		}
		v := planted(t, p, 0)
		v.Result.Engine = count.Search // whose count a sweep's confirms
		if err := c.do(v); err != nil || !v.Agrees() {
			t.Errorf("%s of a right count: %+v", c.name, v.Report)
		}
	}
}

// TestWrongWalk: where samples are drawn from levels, their count is compared.
func TestWrongWalk(t *testing.T) {
	p := puzzletest.Inline(t, "8x9", "domino=any", "monomino=any").Problem
	for _, wrong := range []int64{-1, 0, 1} {
		v := planted(t, p, wrong)
		v.o.Spots, v.o.Count.Memory = 2, 400_000 // too little for a diagram
		err := v.spots(context.Background(), rand.New(sample.Seeded(4)))
		if (told(t, err) == "") != (wrong == 0) || v.Nodes != 0 || v.Agrees() {
			t.Errorf("wrong by %d: %v, %+v", wrong, err, v.Report)
		}
	}
}

// TestNobodyLooked: evidence that does not touch the count is none.
func TestNobodyLooked(t *testing.T) {
	p := puzzletest.Inline(t, "6x7", "domino=any", "monomino=0..9").Problem // more than can be excluded
	for _, says := range []string{"s SATISFIABLE", "SATISFIABLE"} {
		r, err := Verify(context.Background(), p, Options{Method: Solver, Solver: "echo " + says + "; : {}"})
		if !errors.Is(err, verify.ErrUndecided) || r.Agrees() {
			t.Errorf("%q: %v, %+v", says, err, r)
		}
	}
	for _, o := range []Options{{Spots: -1}, {Small: -1}, {Limit: -1}} {
		if _, err := Verify(context.Background(), p, o); err == nil || errors.Is(err, verify.ErrUndecided) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// TestWrongSets: SAT and diagram of different problems, with the same number of solutions, are
// found out by the set.
func TestWrongSets(t *testing.T) {
	p := puzzletest.Inline(t, "3x4", "domino=any").Problem
	v := planted(t, p, 0)
	l := &lister{verifier: v, check: &ListCheck{}}
	if err := l.compile(context.Background()); err != nil {
		t.Fatal(err)
	}
	solutions, err := oracle.Solutions(p)
	if err != nil {
		t.Fatal(err)
	}
	if !l.solution(solutions[0], 1) || l.solution(solutions[0], 1) || !strings.Contains(told(t, l.wrong), "twice") {
		t.Errorf("a solution again: %v", l.wrong)
	}
	if l.solution(solutions[1][1:], 1) || !strings.Contains(told(t, l.wrong), "not in the decision diagram") {
		t.Errorf("no solution: %v", l.wrong)
	}
}

// TestWrongSpots: an engine, a solver or a diagram that has lost an option
// disagrees with the others.
func TestWrongSpots(t *testing.T) {
	ctx := context.Background()
	for _, size := range []string{"4x5", "6x6"} {
		p := puzzletest.Inline(t, size, "domino=any", "monomino=0..2").Problem
		v := planted(t, p, 0)
		b := &board{verifier: v, small: 50}
		spots, err := b.draw(ctx, rand.New(sample.Seeded(2)), 20)
		if err != nil {
			t.Fatal(err)
		}
		less := *p
		less.Options = append([]cover.Option{}, p.Options...)
		last := len(p.Options) - 1
		less.Options[last] = cover.Option{{Item: 0, Times: 1}, {Item: 1, Times: 1}, {Item: 2, Times: 1}} // another one
		v.problem = &less
		_, err = v.each(ctx, len(spots), func(ctx context.Context, i int) error { return b.check(ctx, &spots[i]) })
		if !strings.Contains(told(t, err), "diagram") {
			t.Errorf("%s: %v, want that the diagram disagrees", size, err)
		}
	}
}

func TestCubeAgrees(t *testing.T) {
	c := &spot{options: []int{4, 7, 2}, taken: 1, decided: 2, want: 3}
	for n := range int64(6) {
		err := c.compare("SAT", big.NewInt(n))
		if n == 3 && err != nil || n != 3 && (err == nil || !strings.Contains(err.Error(), "with options [4] and none of [7] an engine counts 3, but SAT counts ")) {
			t.Errorf("3 and %d: %v", n, err)
		}
	}
}

// TestDisagreementIsKept: a disagreement is returned though another spot has failed before it was
// found.
func TestDisagreementIsKept(t *testing.T) {
	v := &verifier{Report: &Report{Result: &count.Result{Count: big.NewInt(2)}}, o: Options{Count: count.Options{Limits: count.Limits{Threads: 2}}}}
	begun := make(chan struct{})
	_, err := v.each(context.Background(), 2, func(ctx context.Context, i int) error {
		if i == 0 {
			<-begun
			return cover.ErrMemory
		}
		close(begun)
		<-ctx.Done()
		return disagreement("one has 3, another 4")
	})
	if told(t, err) != "one has 3, another 4" {
		t.Error(err)
	}
}

// TestSpotsAreSmall: no spot is larger than asked for, and with one option less
// decided it would be.
func TestSpotsAreSmall(t *testing.T) {
	ctx := context.Background()
	for _, rule := range [][]string{{"6x6", "domino=any"}, {"5x5", "monomino=0..9", "L3=0..8", "I3=any"}} {
		v := planted(t, puzzletest.Inline(t, rule[0], rule[1:]...).Problem, 0)
		b := &board{verifier: v, small: 20}
		spots, err := b.draw(ctx, rand.New(sample.Seeded(3)), 10)
		if err == nil {
			_, err = v.each(ctx, len(spots), func(ctx context.Context, i int) error { return b.check(ctx, &spots[i]) })
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range spots {
			c := &spots[i]
			less, barred := c.of(max(0, c.decided-1))
			more, err := b.count(ctx, less, barred)
			if err != nil || c.want < 1 || c.want > 20 || more.Cmp(big.NewInt(20)) <= 0 {
				t.Errorf("%v: %d solutions, %v with an option less; %v", c, c.want, more, err)
			}
		}
	}
}

// TestUndecided: the end of the context ends all, and is the error.
func TestUndecided(t *testing.T) {
	p := puzzletest.Inline(t, "8x8", "pentominoes", "O4").Problem
	for _, m := range []Method{List, Spots} {
		r, err := Verify(testkit.AfterLooks(t, 200), p, Options{Method: m})
		if !errors.Is(err, verify.ErrUndecided) || !errors.Is(err, context.DeadlineExceeded) || r.Agrees() {
			t.Errorf("%s: %v", m, err)
		}
	}
	p = puzzletest.Inline(t, "12x12", "domino=any").Problem
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stage := func(doing string) func(count.Progress) {
		return func(count.Progress) {
			if doing == listing {
				cancel()
			}
		}
	}
	if r, err := Verify(ctx, p, Options{Method: List, Stage: stage}); !errors.Is(err, verify.ErrUndecided) || len(r.Open) != 2 {
		t.Errorf("a list of 10^19 solutions: %v, %+v", err, r)
	}
	for _, o := range []Options{{Method: "guess"}, {Engine: "guess"}} {
		if _, err := Verify(context.Background(), p, o); err == nil || errors.Is(err, verify.ErrUndecided) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
