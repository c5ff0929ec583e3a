package verify

import (
	"errors"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
)

// TestGiniBytes: a solver allocates no more than is counted for it, and not much less.
func TestGiniBytes(t *testing.T) {
	ones := slices.Repeat([]int{1}, 20_000)
	for name, p := range map[string]*cover.Problem{
		"dominoes":    puzzletest.Inline(t, "30x30", "domino=any").Problem,
		"pentominoes": puzzletest.Inline(t, "8x8", "pentominoes", "O4").Problem,
		"monominoes":  puzzletest.Inline(t, "30x30", "monomino=3..").Problem,
		"one":         counted(0, 1, ones...),
		"three":       counted(0, 3, ones...),
		"some":        counted(1, cover.Unbounded, ones...),
	} {
		c := must(Encode(t.Context(), p, 0))
		var s *solver
		taken := testkit.Allocated(func() { s = loaded(c) })
		if bytes := giniOption*int64(len(c.Options)) + giniLiteral*int64(len(c.Lits)); s.refuted || bytes < taken || bytes > 2*taken {
			t.Errorf("%s: %d bytes are counted, %d were allocated", name, bytes, taken)
		}
	}
}

// TestEnumerateIsRefusedBeforeMemoryIsTaken: the formulas and the solvers of all threads
// fit in the memory, or there is an error and they are not made.
func TestEnumerateIsRefusedBeforeMemoryIsTaken(t *testing.T) {
	p := counted(1, cover.Unbounded, slices.Repeat([]int{1}, 20_000)...) // 5 MB to load
	for _, k := range []struct {
		threads int
		memory  int64
		fits    bool
	}{
		{1, 4 << 20, false},
		{1, 12 << 20, true},
		{4, 12 << 20, false},
		{4, 48 << 20, true},
	} {
		o := Options{Threads: k.threads, Memory: k.memory, Limit: 1}
		var err error
		taken := testkit.Allocated(func() { _, err = Enumerate(t.Context(), p, o, nil) })
		// The measured bytes include lists of cuts that are let go of, too; their number depends
		// on the threads. All formulas together would need 20 MB.
		if errors.Is(err, cover.ErrMemory) == k.fits || !k.fits && taken > k.memory*3/2 {
			t.Errorf("%+v: %v, and %d bytes allocated", k, err, taken)
		}
	}
}

// TestLoadingLooks: a solver accepts clauses only until the context ends.
func TestLoadingLooks(t *testing.T) {
	c := must(Encode(t.Context(), counted(0, 3, slices.Repeat([]int{1}, 10_000)...), 0))
	all := testkit.AfterLooks(t, 1<<30)
	if _, err := newSolver(all, c); err != nil || all.Made() < len(c.Lits)/interrupt.Every {
		t.Fatalf("%v, %d looks", err, all.Made())
	}
	for _, looks := range []int{0, 1, all.Made() - 1} {
		ctx := testkit.AfterLooks(t, looks)
		if _, err := newSolver(ctx, c); err == nil || ctx.Late() != 0 {
			t.Errorf("after %d looks: %v, %d looks later", looks, err, ctx.Late())
		}
	}
}

// TestCuttingLooks: large parts are cut only until the context ends, though no part has
// come out yet.
func TestCuttingLooks(t *testing.T) {
	p := puzzletest.Inline(t, "64x64", "domino=any").Problem
	for looks := range 5 {
		ctx := testkit.AfterLooks(t, looks)
		c := cutter{most: 800, looks: interrupt.Context(ctx), leaf: func(*part) bool {
			t.Error("a part came out")
			return false
		}}
		if c.cut(wholePart(p), maxCuts) || ctx.Late() != 0 {
			t.Errorf("after %d looks: %d looks later", looks, ctx.Late())
		}
	}
}
