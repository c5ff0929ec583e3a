package sweep

import (
	"context"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/engine/automaton"
)

// TestRepetition compares every level of runs with and without repetition. On the tall boards
// counts grow by limbs.
func TestRepetition(t *testing.T) {
	holes := strings.Repeat("#####\n##.##\n#####\n", 14)
	for _, c := range []struct {
		board  string
		pieces []string
	}{
		{"60x4", []string{"tetrominoes=any", "monomino=any"}},
		{"90x3", []string{"domino=any"}},
		{"40x5", []string{"L3=any"}},
		{"30x2x3", []string{"domino=any"}},
		{holes, []string{"domino=any", "L3=any"}},
		{"40x3", []string{"domino=any", "I3=0..90"}}, // a counter changes the levels
	} {
		p := problem(t, c.board, c.pieces...)
		a, err := automaton.Compile(context.Background(), p, p.Orders[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, threads := range []int{1, 3} {
			once := New[[1]uint64](a, Config{Value: Count{}, Threads: 1, once: true})
			again := New[[1]uint64](a, Config{Value: Count{}, Threads: threads, chunk: 50})
			compareRuns(t, c.board, once, again)
			if counted := a.Counts(); counted != (again.repeats.times == 0) {
				t.Errorf("%s: %d of %d steps repeated", c.board, again.repeats.times, a.Steps())
			}
		}
	}
}

func compareRuns(t *testing.T, board string, a, b *Sweep[[1]uint64]) {
	t.Helper()
	for level := range a.a.Steps() {
		for _, r := range []*Sweep[[1]uint64]{a, b} {
			if _, err := r.Step(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		if a.in.n != b.in.n || a.Total().Cmp(b.Total()) != 0 || a.in.words != b.in.words || a.effort.Arcs != b.effort.Arcs {
			t.Fatalf("%s, level %d: %d states, total %v, %d arcs; repeated: %d, %v, %d",
				board, level+1, a.in.n, a.Total(), a.effort.Arcs, b.in.n, b.Total(), b.effort.Arcs)
		}
		for i := range a.in.n {
			if a.in.Key(i) != b.in.Key(i) {
				t.Fatalf("%s, level %d: state %d differs", board, level+1, i)
			}
		}
	}
}

// TestRepetitionMakesRoom: records do not make a run fail in the memory of a run without
// repetition.
func TestRepetitionMakesRoom(t *testing.T) {
	p := problem(t, "80x5", "tetrominoes=any", "monomino=any")
	a, err := automaton.Compile(context.Background(), p, p.Orders[0])
	if err != nil {
		t.Fatal(err)
	}
	once := New[[1]uint64](a, Config{Value: Count{}, Threads: 1, once: true})
	finish(t, once)
	peak := once.Effort().Bytes
	for _, percent := range []int64{100, 110, 150, 200, 300, 1000} {
		again := New[[1]uint64](a, Config{Value: Count{}, Threads: 1, Memory: peak * percent / 100})
		finish(t, again)
		if again.Total().Cmp(once.Total()) != 0 || again.Effort().States != once.Effort().States {
			t.Errorf("%d%% of the memory: total %v, %+v, want %v, %+v", percent, again.Total(), again.Effort(), once.Total(), once.Effort())
		}
		if used, want := again.store.used.Load(), again.inUse()+again.store.lent; used != want {
			t.Errorf("%d%% of the memory: %d bytes counted, there are %d", percent, used, want)
		}
	}
}

func finish(t *testing.T, r *Sweep[[1]uint64]) {
	t.Helper()
	for range r.a.Steps() {
		if _, err := r.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}
