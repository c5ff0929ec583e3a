package automaton

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// sameVariables compiles for each order and compares the variables. It returns the number of
// automata that had variables.
func sameVariables(t *testing.T, name string, p *cover.Problem) (compared int) {
	t.Helper()
	orders, err := Orders(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	for k, order := range orders {
		a, err := Compile(context.Background(), p, order)
		if errors.Is(err, ErrTooWide) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if !a.Feasible {
			continue
		}
		if got := Variables(p, order); !slices.Equal(got, a.Variables) {
			t.Errorf("%s, order %d: variables %v, the automaton's are %v", name, k, got, a.Variables)
		}
		compared += min(1, len(a.Variables))
		eachHasAMove(t, name, a)
	}
	return compared
}

func eachHasAMove(t *testing.T, name string, a *Automaton) {
	t.Helper()
	moves := make([]int, len(a.Variables))
	for _, s := range a.steps {
		for _, v := range s.moves.variables {
			if v != noOption {
				moves[v]++
			}
		}
	}
	if i := slices.Index(moves, 0); i >= 0 {
		t.Errorf("%s: variable %d has no move", name, i)
	}
}

func TestVariablesOfRandomCovers(t *testing.T) {
	compared := 0
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 17))
		p := oracle.Random(rng)
		for i, o := range p.Options { // some options that a max rules out
			if len(o) > 0 && rng.IntN(20) == 0 {
				p.Options[i][0].Times = int32(rng.IntN(4) + 1)
			}
		}
		compared += sameVariables(t, "random", p)
	}
	if compared < 1000 {
		t.Errorf("only %d orders compared", compared)
	}
}

func TestVariablesOfExamples(t *testing.T) {
	names, err := filepath.Glob("../../../examples/*.yaml")
	if err != nil || len(names) < 20 {
		t.Fatalf("%d examples, %v", len(names), err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := puzzlefile.Parse(name, data)
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if sameVariables(t, name, m.Problem) == 0 {
			t.Errorf("%s: no order compared", name)
		}
	}
}

// TestVariablesBeyondTheSweep: an order that is too wide still has variables, each option once.
func TestVariablesBeyondTheSweep(t *testing.T) {
	p := puzzletest.Inline(t, "5x300", "I5=any").Problem
	order := p.Orders[1]
	if _, err := Compile(context.Background(), p, order); !errors.Is(err, ErrTooWide) {
		t.Fatalf("%v, want ErrTooWide", err)
	}
	at := make([]int, len(p.Items))
	for q, i := range order {
		at[i] = q
	}
	first := func(o int) int { return at[p.Options[o][0].Item] } // cells of an I5 rise in both orders
	variables := Variables(p, order)
	if !slices.IsSortedFunc(variables, func(a, b int) int { return first(a) - first(b) }) {
		t.Error("variables are not sorted by their first items")
	}
	slices.Sort(variables)
	if len(variables) != len(p.Options) || len(slices.Compact(variables)) != len(p.Options) {
		t.Errorf("%d variables, want each of the %d options", len(variables), len(p.Options))
	}
}

// TestInfeasibleBeforeTooWide: an infeasible problem is reported even if its states are too wide.
func TestInfeasibleBeforeTooWide(t *testing.T) {
	p := puzzletest.Inline(t, "5x300", "I5=any", "X5=2000").Problem
	for _, orders := range [][][]int{{p.Orders[1]}, p.Orders[:2]} {
		if a, err := Compile(context.Background(), p, orders...); err != nil || a.Feasible {
			t.Errorf("%d orders: %v, want no error and not feasible", len(orders), err)
		}
	}
}

// TestCompileIsCancelled ends the context at its n-th look, for all n, and wants the error and no
// more looks after it.
func TestCompileIsCancelled(t *testing.T) {
	p := puzzletest.Inline(t, "6x10", "pentominoes").Problem
	for n := 0; ; n++ {
		ctx := testkit.AfterLooks(t, n)
		_, err := Compile(ctx, p)
		if !ctx.Ended() {
			if err != nil || n < 50 {
				t.Errorf("%d looks at the context, error %v", n, err)
			}
			return
		}
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Late() != 0 {
			t.Fatalf("ended at look %d: error %v, %d looks more", n, err, ctx.Late())
		}
	}
}

// TestHopelessOrdersAreCheap measures bytes for each option. The moves of one order need 260. An
// order that is compared with the best one but not made needs 40. An order that is too wide needs
// 8, for the place of the first item.
func TestHopelessOrdersAreCheap(t *testing.T) {
	p := puzzletest.Inline(t, "24x24", "hexominoes=any").Problem // 101,528 options
	rows := p.Orders[0]
	shuffled := slices.Clone(rows)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(rows), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	bytes := func(want error, orders ...[]int) int {
		took := testkit.Allocated(func() {
			if _, err := Compile(t.Context(), p, orders...); !errors.Is(err, want) {
				t.Errorf("%d orders: %v, want %v", len(orders), err, want)
			}
		})
		return int(took) / len(p.Options)
	}
	one := bytes(nil, rows)
	if four := bytes(nil, rows, rows, rows, rows); four > one+3*80 {
		t.Errorf("four orders need %d bytes for each option, one needs %d", four, one)
	}
	if three := bytes(nil, rows, shuffled, shuffled); three > one+2*16 {
		t.Errorf("with two orders that are too wide %d bytes for each option, without %d", three, one)
	}
	if two := bytes(ErrTooWide, shuffled, shuffled); two > 100 {
		t.Errorf("two orders that are too wide need %d bytes for each option", two)
	}
}

// TestMeanMoves: most states of the queens of 6x6 are at steps where the options of a row begin.
func TestMeanMoves(t *testing.T) {
	const n = 6
	p := &cover.Problem{}
	for range 2 * n {
		p.Items = append(p.Items, cover.Item{Min: 1, Max: 1})
	}
	for range 2 * (2*n - 1) {
		p.Items = append(p.Items, cover.Item{Max: 1})
	}
	for r := range n {
		for c := range n {
			p.Options = append(p.Options, cover.Option{
				{Item: r, Times: 1}, {Item: n + c, Times: 1}, {Item: 2*n + r + c, Times: 1}, {Item: 5*n - 2 + r - c, Times: 1},
			})
		}
	}
	var rowsFirst []int
	for i := range p.Items {
		rowsFirst = append(rowsFirst, i)
	}
	a, err := Compile(t.Context(), p, rowsFirst)
	if err != nil {
		t.Fatal(err)
	}
	if step := float64(len(a.Variables)) / float64(a.Steps()); a.MeanMoves() < 3*step || a.MeanMoves() > n+1 {
		t.Errorf("%.1f moves a state, %.1f options a step; a row has %d", a.MeanMoves(), step, n)
	}
}
