package search

import (
	"context"
	"errors"
	"testing"

	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
)

// TestCompileLooks: a space of many options is made under the eye of its context.
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

// TestFillLooks: a large matrix is filled under the eye of the walk's pool.
func TestFillLooks(t *testing.T) {
	s := inMatrices(wide(t, 16, 40))
	looks := 0
	w := &walker{matrices: s, late: func() bool { looks++; return looks > 2 }}
	if w.start(s.root()); !w.ended || looks != 3 {
		t.Errorf("ended %v after %d looks, want 3", w.ended, looks)
	}
	all := 0
	w = &walker{matrices: s, late: func() bool { all++; return false }}
	w.start(s.root())
	if least := s.rows * s.options / 64 / interrupt.Every / 2; w.ended || all < least {
		t.Errorf("%d looks at %d rows of %d options, want %d or more", all, s.rows, s.options, least)
	}
}
