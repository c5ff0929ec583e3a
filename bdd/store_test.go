package bdd

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// twins are the operations on tables: bit m of a table is set if the set with the mask m is a
// member.
var twins = []struct {
	name  string
	op    Operation
	table func(a, b uint64) uint64
}{
	{"union", Union, func(a, b uint64) uint64 { return a | b }},
	{"intersect", Intersect, func(a, b uint64) uint64 { return a & b }},
	{"difference", Difference, func(a, b uint64) uint64 { return a &^ b }},
	{"symmetric difference", SymmetricDifference, func(a, b uint64) uint64 { return a ^ b }},
}

func newStore(t testing.TB, vars int, l Limits) *Store {
	t.Helper()
	s, err := NewStore(vars, l)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// must returns a function that fails the test on an error.
func must[T any](t testing.TB) func(T, error) T {
	return func(x T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

// TestAllOperations applies every operation to all families over 3 variables.
func TestAllOperations(t *testing.T) {
	ctx, family := t.Context(), must[Family](t)
	s := newStore(t, 3, Limits{})
	families := make([]Family, 256)
	diagrams := make([]*Diagram, 256)
	for table := range families {
		diagrams[table] = build(t, tableSpec(3, uint64(table)))
		families[table] = family(imported(s, ctx, diagrams[table]))
		if d := must[*Diagram](t)(s.Freeze(ctx, families[table])); !d.Equal(diagrams[table]) {
			t.Fatalf("table %x: frozen %v, want %v", table, d, diagrams[table])
		}
	}
	for _, op := range twins {
		for a := range families {
			for b := range families {
				want := op.table(uint64(a), uint64(b))
				if got := family(s.Combine(ctx, op.op, families[a], families[b])); got != families[want] {
					t.Fatalf("%s of %x and %x: family %d, want %d", op.name, a, b, got, families[want])
				}
			}
			b := a * 37 & 255
			d := must[*Diagram](t)(combine(ctx, op.op, diagrams[a], diagrams[b], Limits{}))
			if want := diagrams[op.table(uint64(a), uint64(b))]; !d.Equal(want) {
				t.Fatalf("%s of diagrams %x and %x: %v, want %v", op.name, a, b, d, want)
			}
		}
	}
}

// TestCanonical: a family built by a Spec, as a union of its sets, or by
// operations, has one diagram.
func TestCanonical(t *testing.T) {
	ctx, family := t.Context(), must[Family](t)
	rng := rand.New(rand.NewPCG(5, 6))
	for round := range 60 {
		a, b := rng.Uint64(), rng.Uint64()&rng.Uint64()
		s := newStore(t, 6, Limits{})
		f := s.Empty()
		for _, m := range rng.Perm(64) {
			if a>>m&1 != 0 {
				f = family(s.Combine(ctx, Union, f, family(s.Set(setOf(m)...))))
			}
		}
		if d := must[*Diagram](t)(s.Freeze(ctx, f)); !d.Equal(build(t, tableSpec(6, a))) {
			t.Fatalf("round %d: table %x: union of sets differs", round, a)
		}
		g := family(imported(s, ctx, build(t, tableSpec(6, b))))
		for _, op := range twins {
			d := must[*Diagram](t)(s.Freeze(ctx, family(s.Combine(ctx, op.op, f, g))))
			checkCanonical(t, d)
			if !d.Equal(build(t, tableSpec(6, op.table(a, b)))) {
				t.Fatalf("round %d: %s of %x and %x differs", round, op.name, a, b)
			}
		}
	}
}

// restrict is the diagram of those sets that have the variable v, or of the others.
func restrict(t testing.TB, d *Diagram, v int, present bool) *Diagram {
	t.Helper()
	times := 0
	if present {
		times = 1
	}
	return must[*Diagram](t)(d.Select(t.Context(), []int{v}, times, times, Limits{}))
}

// singleton is the diagram of one set.
func singleton(t testing.TB, vars int, set ...int) *Diagram { return listed(t, vars, [][]int{set}) }

// TestPartition splits a large family by a variable and joins it again.
func TestPartition(t *testing.T) {
	ctx, family := t.Context(), must[Family](t)
	d := build(t, boardSpec(6, 6, small3))
	s := newStore(t, d.Vars()+5, Limits{})
	f := family(imported(s, ctx, d))
	total := new(big.Int)
	again := s.Empty()
	for _, present := range []bool{true, false} {
		part := restrict(t, d, 40, present)
		total.Add(total, count(t, part))
		again = family(s.Combine(ctx, Union, again, family(imported(s, ctx, part))))
	}
	if again != f || total.Cmp(count(t, d)) != 0 {
		t.Errorf("joined family %d, want %d; parts count %v", again, f, total)
	}
}

// TestDeep recurses through a hundred thousand variables.
func TestDeep(t *testing.T) {
	const vars = 100_000
	ctx := t.Context()
	all := build(t, powerSet(vars))
	odd := singleton(t, vars, 1, 3, vars-1)
	d := must[*Diagram](t)(combine(ctx, Difference, all, odd, Limits{}))
	if d.Contains([]int{1, 3, vars - 1}) || !d.Contains([]int{1, 3}) {
		t.Error("the wrong set is gone")
	}
	e := restrict(t, all, vars-1, true)
	if e.Size() != vars+2 || e.Contains(nil) || !e.Contains([]int{vars - 1}) {
		t.Errorf("restricted to the last variable: %d nodes", e.Size())
	}
}

func TestStoreLimits(t *testing.T) {
	ctx := t.Context()
	a := build(t, boardSpec(5, 5, small3))
	b := singleton(t, a.Vars(), 3, 5)
	whole := newStore(t, a.Vars(), Limits{})
	must[Family](t)(imported(whole, ctx, a))
	for _, l := range []Limits{{Nodes: 1}, {Nodes: 2}, {Nodes: 300}, {Nodes: int64(a.Size())}, {Bytes: 1}, {Bytes: whole.Bytes() / 2}, {Bytes: whole.Bytes()}} {
		if _, err := combine(ctx, Union, a, b, l); !errors.Is(err, ErrLimit) {
			t.Errorf("limits %+v: error %v", l, err)
		}
	}
	if _, err := combine(ctx, Union, a, b, Limits{Nodes: int64(a.Size()) + 200, Bytes: 8 * whole.Bytes()}); err != nil {
		t.Errorf("wide limits: %v", err)
	}
	// After an error the store still works.
	s := newStore(t, 12, Limits{Nodes: 8})
	if _, err := s.Set(0, 1, 2, 3, 4, 5, 6, 7); !errors.Is(err, ErrLimit) {
		t.Errorf("eight nodes: %v", err)
	}
	f := must[Family](t)(s.Set(4, 5, 6, 7))
	if d := must[*Diagram](t)(s.Freeze(ctx, f)); !d.Contains([]int{4, 5, 6, 7}) || d.Size() != 6 {
		t.Errorf("after an error: %v", d)
	}
}

func TestStoreMisuse(t *testing.T) {
	ctx := t.Context()
	s := newStore(t, 3, Limits{})
	four := must[*Diagram](t)(Unit(4))
	unit := must[*Diagram](t)(Unit(3))
	for name, f := range map[string]func() error{
		"vars negative": func() error { _, err := NewStore(-1, Limits{}); return err },
		"vars huge":     func() error { _, err := NewStore(maxStoreVars+1, Limits{}); return err },
		"unit negative": func() error { _, err := Unit(-1); return err },
		"import":        func() error { _, err := imported(s, ctx, four); return err },
		"other store":   func() error { _, err := s.Combine(ctx, Union, 0, 77); return err },
		"freeze":        func() error { _, err := s.Freeze(ctx, 77); return err },
		"restrict":      func() error { _, err := unit.Select(ctx, []int{3}, 1, 1, Limits{}); return err },
	} {
		if err := f(); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestStoreCancel(t *testing.T) {
	d := build(t, boardSpec(3, 3, small3))
	s := newStore(t, d.Vars(), Limits{})
	f := must[Family](t)(imported(s, t.Context(), d))
	g := must[Family](t)(s.Set(2, 4))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, errUnion := s.Combine(ctx, Union, f, g)
	_, errFreeze := s.Freeze(ctx, f)
	_, errImport := combine(ctx, Union, d, d, Limits{})
	for _, err := range []error{errUnion, errFreeze, errImport} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	}
}

func TestWriteDOT(t *testing.T) {
	d := must[*Diagram](t)(combine(t.Context(), Union, singleton(t, 3, 0, 2), singleton(t, 3, 2), Limits{}))
	var b strings.Builder
	if err := d.WriteDOT(&b, DOT{Name: func(v int) string { return dominoNames[v] }}); err != nil {
		t.Fatal(err)
	}
	want := `digraph zdd {
	1 [label="⊤", shape=box];
	{ rank=same; 3 [label="ab"]; }
	3 -> 2;
	3 -> 2 [style=dashed];
	{ rank=same; 2 [label="bc"]; }
	2 -> 1;
}
`
	if b.String() != want {
		t.Errorf("got %s", b.String())
	}
	b.Reset()
	if err := d.WriteDOT(&b, DOT{Counts: must[*Counts](t)(d.Counts(t.Context()))}); err != nil {
		t.Fatal(err)
	}
	want = strings.NewReplacer(`"ab"`, `"0\n2"`, `"bc"`, `"2\n1"`).Replace(want)
	if b.String() != want {
		t.Errorf("got %s, want %s", b.String(), want)
	}
	b.Reset()
	if err := must[*Diagram](t)(Empty(1)).WriteDOT(&b, DOT{}); err != nil || !strings.Contains(b.String(), "⊥") {
		t.Errorf("empty: %v, %s", err, b.String())
	}
}

// TestContains asks for sets that are none.
func TestContains(t *testing.T) {
	d := build(t, powerSet(4))
	for _, set := range [][]int{{-1}, {4}, {1, 1}, {2, 1}, {0, 1, 2, 3, 4}} {
		if d.Contains(set) {
			t.Errorf("contains %v", set)
		}
	}
	for range d.AllSets() {
		break // stopping early is allowed
	}
}

// imported copies a diagram into a store with the same variables.
func imported(s *Store, ctx context.Context, d *Diagram) (Family, error) {
	to := make([]int, d.Vars())
	for v := range to {
		to[v] = v
	}
	return s.Import(ctx, d, to)
}

// combine applies an operation to two diagrams, in a store of its own.
func combine(ctx context.Context, op Operation, a, b *Diagram, l Limits) (*Diagram, error) {
	s, err := NewStore(max(a.Vars(), b.Vars()), l)
	if err != nil {
		return nil, err
	}
	f, err := imported(s, ctx, a)
	if err != nil {
		return nil, err
	}
	g, err := imported(s, ctx, b)
	if err != nil {
		return nil, err
	}
	if f, err = s.Combine(ctx, op, f, g); err != nil {
		return nil, err
	}
	return s.Freeze(ctx, f)
}

// Set is the family whose one member is the given set, strictly ascending.
func (s *Store) Set(set ...int) (Family, error) {
	if err := checkSet(set, s.Vars()); err != nil {
		return 0, err
	}
	n := Top
	for _, v := range slices.Backward(set) {
		var err error
		if n, err = s.unique(uint32(v), Bottom, n); err != nil {
			return 0, err
		}
	}
	return Family(n), nil
}
