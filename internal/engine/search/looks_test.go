package search

import (
	"context"
	"errors"
	"testing"

	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
)

// TestCompileLooks: Compile looks at its context while it makes a space of many options.
func TestCompileLooks(t *testing.T) {
	m := puzzletest.Inline(t, "40x40", "hexominoes")
	p := *m.Problem
	p.Symmetries = nil
	all := testkit.AfterLooks(t, 1<<20)
	if _, _, err := compileList(all, &p); err != nil {
		t.Fatal(err)
	}
	if least := 3 * len(p.Options) * 7 / interrupt.Every; all.Made() < least {
		t.Errorf("%d looks at %d options, want %d or more", all.Made(), len(p.Options), least)
	}
	for looks := 0; looks < all.Made(); looks += 1 + all.Made()/10 {
		ctx := testkit.AfterLooks(t, looks)
		if _, _, err := compileList(ctx, &p); !errors.Is(err, context.DeadlineExceeded) || ctx.Late() > 0 {
			t.Errorf("after %d looks: %v, %d looks later", looks, err, ctx.Late())
		}
	}
}

// TestFillLooks: a walk looks at the stop of the pool while it fills a large matrix.
func TestFillLooks(t *testing.T) {
	s := inMatrices(wide(t, 16, 40))
	looks := 0
	if s.root(func() bool { looks++; return looks > 2 }); looks != 3 {
		t.Errorf("went on after %d looks, want 3", looks)
	}
	all := 0
	s.root(func() bool { all++; return false })
	if least := s.rows * len(s.all) / 64 / interrupt.Every / 2; all < least {
		t.Errorf("%d looks at %d rows of %d options, want %d or more", all, s.rows, len(s.all), least)
	}
}
