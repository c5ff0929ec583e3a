package cover_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/test/testkit"
)

// ring has an option for each pair of this number of items up to a distance, and the symmetry that
// turns it.
func ring(items, distance int) (*cover.Problem, cover.Symmetry) {
	p := &cover.Problem{Items: make([]cover.Item, items)}
	turn := make(cover.Symmetry, items)
	for i := range items {
		p.Items[i] = cover.Item{Max: 1}
		turn[i] = (i + 1) % items
		for d := 1; d <= distance; d++ {
			a, b := i, (i+d)%items
			p.Options = append(p.Options, cover.Option{{Item: min(a, b), Times: 1}, {Item: max(a, b), Times: 1}})
		}
	}
	return p, turn
}

// TestLooksAtTheContext: calls that scan all options poll the context every 2^14 uses, and
// not once more after it has ended.
func TestLooksAtTheContext(t *testing.T) {
	p, turn := ring(1000, 200)
	least := 2 * len(p.Options) / interrupt.Every
	var text bytes.Buffer
	if err := p.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	for name, do := range map[string]func(context.Context) error{
		"Check":     p.Check,
		"AllImages": func(ctx context.Context) error { _, err := p.AllImages(ctx, []cover.Symmetry{turn}); return err },
		"Canon":     func(ctx context.Context) error { _, err := p.Canon(ctx, []cover.Symmetry{turn}); return err },
		"WithBounds": func(ctx context.Context) error {
			q := *p
			q.Symmetries = []cover.Symmetry{turn}
			_, err := q.WithBounds(ctx, []cover.Bound{{Options: []int{0}, Min: 1, Max: 1}})
			return err
		},
		"Quotient": func(ctx context.Context) error {
			m, err := p.Mapper(ctx)
			if err == nil {
				_, err = m.Quotient(turn)
			}
			return err
		},
		"ReadWithin": func(ctx context.Context) error {
			_, err := cover.ReadWithin(ctx, "f", bytes.NewReader(text.Bytes()), 0)
			return err
		},
	} {
		all := testkit.AfterLooks(t, 1<<20)
		if err := do(all); err != nil || all.Made() < least {
			t.Errorf("%s: %v, %d looks, want %d or more", name, err, all.Made(), least)
		}
		for looks := range min(all.Made(), 10) {
			ctx := testkit.AfterLooks(t, looks)
			if err := do(ctx); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, cover.ErrInvalid) || ctx.Late() > 1 {
				t.Errorf("%s after %d looks: %v, %d looks later", name, looks, err, ctx.Late())
			}
		}
	}
}

// TestReadWithin: options that need too much memory are refused while they are read.
func TestReadWithin(t *testing.T) {
	text := "item a 0..1\nitem b 0..1\n" + strings.Repeat("option a b\n", 1_000_000)
	var err error
	taken := testkit.Allocated(func() {
		_, err = cover.ReadWithin(t.Context(), "f", strings.NewReader(text), 1<<20)
	})
	if !errors.Is(err, cover.ErrMemory) || taken > 8<<20 {
		t.Errorf("%v, and %d bytes allocated, want ErrMemory and few bytes", err, taken)
	}
	if _, err := cover.ReadWithin(t.Context(), "f", strings.NewReader("item a 0..\noption a\n"), 1<<20); err != nil {
		t.Error(err)
	}
}

// TestReadChecksTotals: the uses of an item without a bound stay below the number
// that stands for none.
func TestReadChecksTotals(t *testing.T) {
	var b strings.Builder
	b.WriteString("item a 0..\n")
	for i := range 2048 {
		b.WriteString("item b" + strings.Repeat("x", i) + " 0..1\noption a*1048576 b" + strings.Repeat("x", i) + "\n")
	}
	_, err := cover.Read("f", strings.NewReader(b.String()))
	if !errors.Is(err, cover.ErrInvalid) || !strings.Contains(err.Error(), "use the item 2147483648 times") {
		t.Errorf("%v", err)
	}
}
