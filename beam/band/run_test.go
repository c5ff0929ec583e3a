package band

import (
	"testing"

	"github.com/pavage/pavage/beam/store"
	"github.com/pavage/pavage/beam/store/storetest"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/puzzletest"
)

// folder returns a store in a folder of the test. It is slower than a store in memory.
func folder(t testing.TB) store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// counted returns the count of a problem by package count.
func counted(t testing.TB, p *cover.Problem) string {
	t.Helper()
	r, err := count.Count(t.Context(), p, count.Auto, count.Options{Limits: count.Limits{Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return r.Count.String()
}

func create(t testing.TB, s store.Store, p *cover.Problem, o Options) *Run {
	t.Helper()
	r, err := Create(t.Context(), s, p, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// local does a run in this process.
func local(t testing.TB, r *Run, h Hooks) *Answer {
	t.Helper()
	a, err := Local(t.Context(), r, 2, h)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestFolder counts a board in a folder, and then reads the answer from the folder.
func TestFolder(t *testing.T) {
	s := folder(t)
	p := puzzletest.Inline(t, "4x5", "tetrominoes=any").Problem
	for range 2 {
		r := create(t, s, p, Options{Tasks: 3, Least: 1, Band: 5})
		if a := local(t, r, Hooks{}); a.Count.String() != counted(t, p) || len(a.Stages) != 5 {
			t.Errorf("%v after %d stages, want %s", a.Count, len(a.Stages), counted(t, p))
		}
		if _, err := Open(t.Context(), s, r.Folder); err != nil {
			t.Error(err)
		}
	}
}

// TestSweptOnce: without overlap the number of swept states does not depend on the length of bands.
func TestSweptOnce(t *testing.T) {
	p := puzzletest.Inline(t, "4x5", "tetrominoes=any").Problem
	var want int64
	for _, steps := range []int{1, 3, 7, 1000} {
		swept := int64(0)
		for _, s := range local(t, create(t, storetest.New(), p, Options{Tasks: 1, Band: steps}), Hooks{}).Stages {
			swept += s.Swept
		}
		if want = max(want, swept); swept == 0 || swept != want {
			t.Errorf("bands of %d steps: %d states, want %d", steps, swept, want)
		}
	}
}
