package sweep

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/engine/automaton"
)

// arcsOf returns the arcs of the last step in the order of EachChild.
func arcsOf(t *testing.T, r Run) (all [][2]uint32) {
	t.Helper()
	err := r.EachChild(context.Background(), func(variable, child uint32) error {
		all = append(all, [2]uint32{variable, child})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// asList returns arcs of a step in the form of arcsOf.
func asList(a *Arcs) (all [][2]uint32) {
	for i, v := range a.Variable {
		all = append(all, [2]uint32{v, a.Child[i]})
	}
	return all
}

// TestChildren: EachChild returns the children that the arcs have, for keys of one word to four and
// buffers of any size.
func TestChildren(t *testing.T) {
	seen := 0
	for seed := range uint64(400) {
		wide, order := stretch(randomCover(seed, 9), []int{0, 0, 65, 120, 190}[seed%5])
		a, err := automaton.Compile(context.Background(), wide, order)
		if errors.Is(err, automaton.ErrTooWide) || !a.Feasible {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		memory := int64(1 << (seed % 20)) // of the buffers alone
		arcs := Start(a, Config{Value: Count{}, Keep: KeepArcs, Whole: true, Threads: 1})
		r := Start(a, Config{Value: Count{}, Keep: KeepLevel, Whole: true, Threads: 2})
		small(r, memory)
		for range a.Steps() {
			want, err := arcs.Step(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			advance(t, r)
			if got := arcsOf(t, r); !slices.Equal(got, asList(want)) {
				t.Fatalf("seed %d, level %d: children %v, want %v", seed, r.Level(), got, asList(want))
			}
			seen += len(want.Child)
		}
	}
	if seen < 10_000 {
		t.Errorf("only %d children", seen)
	}
}

// small gives a run buffers for the children as if it had little memory.
func small(r Run, memory int64) {
	switch r := r.(type) {
	case *Sweep[[1]uint64]:
		r.store.give(r.children.bytes())
		r.children = newChildren[[1]uint64](memory)
		_ = r.store.use(r.children.bytes())
	case *Sweep[[2]uint64]:
		r.store.give(r.children.bytes())
		r.children = newChildren[[2]uint64](memory)
		_ = r.store.use(r.children.bytes())
	}
}

// TestChildrenOnShelf: the children are the same with levels on disk, and buffers respect the
// memory.
func TestChildrenOnShelf(t *testing.T) {
	a, err := automaton.Compile(context.Background(), problem(t, "8x9", "tetrominoes=any", "monomino=0..4"))
	if err != nil {
		t.Fatal(err)
	}
	arcs := New[[1]uint64](a, Config{Keep: KeepArcs, Whole: true, Threads: 1})
	r := New[[1]uint64](a, Config{Value: Count{}, Keep: KeepLevel, Whole: true, Threads: 2, Memory: 5 << 20, Disk: t.TempDir()})
	shelved, most := 0, 0
	for range a.Steps() {
		want, err := arcs.Step(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if r.in.n >= SlabStates {
			r.startShelving() // by itself it does so or not, by who is done first
		}
		advance(t, r)
		most = max(most, r.in.n)
		if r.in.shelf() != nil && r.before.shelf() != nil {
			shelved++
		}
		if !slices.Equal(arcsOf(t, r), asList(want)) {
			t.Fatalf("level %d: other children", r.at)
		}
		if err := r.check(); err != nil {
			t.Fatal(err)
		}
	}
	if most < 2*SlabStates || shelved < 5 || r.in.shelf() != nil || r.Effort().Bytes > r.c.Memory {
		t.Errorf("%d levels were on disk, the last %v, of at most %d states, with %d bytes", shelved, r.in.shelf(), most, r.Effort().Bytes)
	}
}

// TestChildrenStop: EachChild ends with an error of the caller, and with the context.
func TestChildrenStop(t *testing.T) {
	a, err := automaton.Compile(context.Background(), problem(t, "4x4", "domino=any"))
	if err != nil {
		t.Fatal(err)
	}
	r := Start(a, Config{Value: Count{}, Keep: KeepLevel, Whole: true})
	advance(t, r)
	stop := errors.New("enough")
	if err := r.EachChild(context.Background(), func(uint32, uint32) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("%v, want %v", err, stop)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := r.EachChild(ctx, func(uint32, uint32) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}
