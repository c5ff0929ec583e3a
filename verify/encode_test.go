package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-air/gini"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
)

// dominoes is the running example.
func dominoes(t *testing.T) *cover.Problem { return puzzletest.Inline(t, "2x3", "domino=any").Problem }

// counted returns a cover with an item with these bounds and options that use the item these
// numbers of times. Each option also uses an item of its own, since options must differ.
func counted(least, most int, times ...int) *cover.Problem {
	p := &cover.Problem{Items: []cover.Item{{Min: least, Max: most}}}
	for k, n := range times {
		p.Items = append(p.Items, cover.Item{Max: cover.Unbounded})
		p.Options = append(p.Options, cover.Option{{Item: 0, Times: int32(n)}, {Item: k + 1, Times: 1}})
	}
	return p
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// projected returns the models of a formula as sorted lists of options. A list occurs twice if the
// options do not determine the helpers. Every model is blocked on all variables.
func projected(t *testing.T, c *CNF) [][]int {
	t.Helper()
	lists := [][]int{}
	for s := loaded(c); ; {
		found, err := s.solve(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !found {
			slices.SortFunc(lists, slices.Compare[[]int])
			return lists
		}
		var clause []int32
		list := []int{}
		for v := int32(1); int(v) <= c.Vars; v++ {
			switch {
			case !s.isTrue(v):
				clause = append(clause, v)
				continue
			case int(v) <= len(c.Options):
				list = append(list, c.Options[v-1])
			}
			clause = append(clause, -v)
		}
		lists = append(lists, list)
		if err := s.block(clause); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOneToOne requires that the number of models is the number of solutions, on all variables and
// on the variables of options.
func TestOneToOne(t *testing.T) {
	problems := []*cover.Problem{
		dominoes(t),
		counted(0, 0, 1, 1), counted(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), counted(0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1),
		counted(2, 3, 1, 2, 1, 3, 1, 1), counted(5, 5, 1, 2, 3, 4), counted(3, cover.Unbounded, 1, 1, 1, 2), counted(9, 9, 4, 4), counted(2, 3),
		counted(0, 6, 7, 2, 2, 3), counted(4, 4, 1, 1, 1, 1),
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for k := range 400 {
		p := oracle.Random(rng)
		if k%2 == 0 {
			p = oracle.RandomGrid(rng)
		}
		if k%4 < 2 {
			p = oracle.RandomColoured(rng)
		}
		problems = append(problems, p)
	}
	for _, p := range problems {
		c, err := Encode(t.Context(), p, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := projected(t, c), wanted(t, p); !reflect.DeepEqual(got, want) {
			t.Fatalf("models %v, want %v, of %+v", got, want, p)
		}
	}
}

// TestDroppedClause leaves out one clause of a formula. If the clause does not follow from the
// others, a model is not a solution, or a solution is found twice.
func TestDroppedClause(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	noticed, implied := 0, 0
	for k := range 75 {
		p := oracle.Random(rng)
		if k%2 == 0 {
			p = oracle.RandomColoured(rng)
		}
		if k == 0 {
			p = dominoes(t)
		}
		whole := wholePart(p)
		c, err := whole.encode(t.Context(), 0, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		checker := newChecker(p)
		for at := range c.Clauses {
			rest, dropped := without(c, at)
			if follows(t, rest, dropped) {
				implied++
				continue
			}
			noticed++
			seen := map[string]bool{}
			wrong := false
			for _, list := range projected(t, rest) {
				wrong = wrong || checker.check(list) != nil || seen[fmt.Sprint(list)]
				seen[fmt.Sprint(list)] = true
			}
			if !wrong {
				t.Fatalf("no model needs clause %v, of %v", dropped, c.Lits)
			}
		}
	}
	t.Logf("%d faults noticed, %d clauses follow from the others", noticed, implied)
	if noticed < 500 {
		t.Errorf("only %d clauses were missed", noticed)
	}
}

// without returns the formula without the clause number at, and this clause.
func without(c *CNF, at int) (*CNF, []int32) {
	rest := &CNF{Options: c.Options, Vars: c.Vars}
	var dropped []int32
	n, first := 0, 0
	for k, l := range c.Lits {
		if l != 0 {
			continue
		}
		if n == at {
			dropped = c.Lits[first:k]
		} else {
			rest.add(c.Lits[first:k]...)
		}
		n, first = n+1, k+1
	}
	return rest, dropped
}

// follows reports whether the formula implies the clause.
func follows(t *testing.T, c *CNF, clause []int32) bool {
	t.Helper()
	s := loaded(c)
	for _, l := range clause {
		if err := s.block([]int32{-l}); err != nil {
			t.Fatal(err)
		}
	}
	against, err := s.solve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return !against
}

// TestBoundOffByOne changes a bound by one: the checker detects additional solutions, the
// comparison detects missing solutions.
func TestBoundOffByOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	byCheck, byNumber := 0, 0
	for range 300 {
		p := oracle.Random(rng)
		if len(p.Items) == 0 {
			continue
		}
		q := *p
		q.Items = slices.Clone(p.Items)
		it := &q.Items[rng.IntN(len(q.Items))]
		switch rng.IntN(4) {
		case 0:
			it.Min = max(0, it.Min-1)
		case 1:
			it.Min = min(it.Min+1, it.Max)
		case 2:
			it.Max = max(it.Min, it.Max-1)
		case 3:
			it.Max = min(it.Max+1, cover.Unbounded)
		}
		q.Orders = nil
		want, faulty := wanted(t, p), wanted(t, &q)
		e := &enumeration{problem: &q}
		tally := e.newTally()
		tally.checker = newChecker(p) // of the problem with the right bound
		for _, list := range projected(t, must(Encode(t.Context(), &q, 0))) {
			tally.model(list)
		}
		extra := slices.ContainsFunc(faulty, func(s []int) bool { return !p.IsSolution(s) })
		switch {
		case extra != errors.Is(e.failure, ErrWrong):
			t.Fatalf("the check returns %v for %+v, of which %+v is a faulty copy", e.failure, p, q)
		case extra:
			byCheck++
		case len(faulty) != len(want):
			byNumber++
		}
	}
	if byCheck < 20 || byNumber < 20 {
		t.Errorf("the check noticed %d faults, the number %d", byCheck, byNumber)
	}
}

// TestChecker: the checker accepts exactly the solutions.
func TestChecker(t *testing.T) {
	p := dominoes(t)
	c := newChecker(p)
	for _, solution := range wanted(t, p) {
		if err := c.check(solution); err != nil {
			t.Error(err)
		}
	}
	right := wanted(t, p)[0]
	coloured := newChecker(painted(t))
	for _, solution := range wanted(t, p) {
		if err := coloured.check(solution); (err != nil) != slices.Contains(solution, 0) {
			t.Errorf("with colours: %v, %v", solution, err)
		}
	}
	for _, wrong := range [][]int{
		nil, right[:2], {right[0], right[0], right[1]}, {right[1], right[0], right[2]}, {right[0], right[1], 99}, {-1, right[0], right[1]}, {0, 1, 2},
	} {
		if err := c.check(wrong); !errors.Is(err, ErrWrong) {
			t.Errorf("%v: %v", wrong, err)
		}
	}
}

func TestTooLarge(t *testing.T) {
	times := make([]int, 5000)
	for k := range times {
		times[k] = 1
	}
	p := counted(2000, 2500, times...)
	if _, err := Encode(t.Context(), p, 0); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	q := counted(0, 5, times...)
	if c, err := Encode(t.Context(), q, 0); err != nil || len(c.Lits) > maxLiterals {
		t.Error(err)
	}
}

// TestSizes: the measured number of literals of a formula is exact.
func TestSizes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for range 500 {
		if c := must(Encode(t.Context(), oracle.RandomColoured(rng), 0)); c.measured != int64(len(c.Lits)) || cap(c.Lits) != len(c.Lits) {
			t.Fatalf("%d literals measured, %d made, with room for %d", c.measured, len(c.Lits), cap(c.Lits))
		}
	}
}

// TestEncodeIsRefusedBeforeItIsMade: at each limit, no clauses are made.
func TestEncodeIsRefusedBeforeItIsMade(t *testing.T) {
	p := counted(0, 900, slices.Repeat([]int{1}, 100_000)...)
	for memory, want := range map[int64]error{0: ErrTooLarge, 1 << 20: cover.ErrMemory} {
		var err error
		taken := testkit.Allocated(func() { _, err = Encode(t.Context(), p, memory) })
		if !errors.Is(err, want) || taken > 64<<20 {
			t.Errorf("%d bytes allowed: %v, and %d allocated", memory, err, taken)
		}
	}
	q := counted(0, 1, slices.Repeat([]int{1}, 10_000)...)
	if _, err := Encode(t.Context(), q, 1<<16); !errors.Is(err, cover.ErrMemory) {
		t.Errorf("%v, want cover.ErrMemory", err)
	}
	if _, err := Encode(t.Context(), q, 1<<20); err != nil {
		t.Error(err)
	}
}

// TestEncodeLooks: Encode checks its context often, and stops at the first check after the end.
func TestEncodeLooks(t *testing.T) {
	p := counted(0, 3, slices.Repeat([]int{1}, 100_000)...)
	all := testkit.AfterLooks(t, 1<<30)
	if _, err := Encode(all, p, 0); err != nil || all.Made() < 2*200_000/interrupt.Every {
		t.Fatalf("%v, %d looks", err, all.Made())
	}
	for _, looks := range []int{0, 5, 20, 1000, all.Made() - 1} {
		ctx := testkit.AfterLooks(t, looks)
		if _, err := Encode(ctx, p, 0); !errors.Is(err, context.DeadlineExceeded) || ctx.Late() > 0 {
			t.Errorf("after %d looks: %v, %d looks later", looks, err, ctx.Late())
		}
	}
}

// TestWriteDIMACS reads a written formula with gini's own reader.
func TestWriteDIMACS(t *testing.T) {
	p := puzzletest.Inline(t, "3x4", "L3=any", "domino=0..3").Problem
	c := must(Encode(t.Context(), p, 0))
	var text strings.Builder
	if err := c.WriteDIMACS(&text, func(o int) string { return fmt.Sprintf("option\n%d", o) }); err != nil {
		t.Fatal(err)
	}
	g, err := gini.NewDimacs(strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	if int(g.MaxVar()) != c.Vars || g.Solve() != 1 {
		t.Errorf("%d variables, want %d, or no model", g.MaxVar(), c.Vars)
	}
	lines := strings.Split(text.String(), "\n")
	shown, clauses := []string{}, 0
	for _, line := range lines {
		if list, found := strings.CutPrefix(line, "c p show "); found {
			shown = append(shown, strings.Fields(strings.TrimSuffix(list, " 0"))...)
		} else if strings.HasSuffix(line, " 0") && line[0] != 'c' {
			clauses++
		}
	}
	if clauses != c.Clauses || len(shown) != len(p.Options) || shown[len(shown)-1] != fmt.Sprint(len(p.Options)) || c.Vars == len(p.Options) {
		t.Errorf("%d clauses, want %d; shown are %v of %d", clauses, c.Clauses, shown, c.Vars)
	}
	for _, line := range []string{"c 3 = option 2", "c t pmc", fmt.Sprintf("p cnf %d %d", c.Vars, c.Clauses)} {
		if !slices.Contains(lines, line) {
			t.Errorf("no line %q in\n%.2000s", line, text.String())
		}
	}
}

// TestWriteDIMACSStops: after the first error no names are requested, and nothing is written.
func TestWriteDIMACSStops(t *testing.T) {
	c := must(Encode(t.Context(), counted(1, 1, slices.Repeat([]int{1}, 20_000)...), 0))
	names := 0
	for _, k := range []struct {
		writes int
		name   func(int) string
	}{
		{0, func(int) string { names++; return "option" }}, // while it writes names
		{10, nil}, // variables to project on
		{50, nil}, // clauses
	} {
		ctx := testkit.AfterLooks(t, k.writes)
		taken := testkit.Allocated(func() {
			if err := c.WriteDIMACS(interrupt.Writer(ctx, io.Discard), k.name); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		})
		// A number needs about the same number of bytes in memory and in the text.
		if names > 1000 || ctx.Late() != 0 || taken > int64(200_000+k.writes*4096) {
			t.Errorf("after %d writes: %d options named, %d looks later, %d bytes allocated", k.writes, names, ctx.Late(), taken)
		}
	}
	if 4*len(c.Lits) < 2*(200_000+50*4096) {
		t.Errorf("%d literals are too few for the test", len(c.Lits))
	}
}
