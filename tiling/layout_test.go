package tiling

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/test/testkit"
)

// manyPieces returns a puzzle on 64x64 with number pieces of the same shape, one copy each.
func manyPieces(t *testing.T, shape string, number int) *Puzzle {
	t.Helper()
	p, err := Arguments{Board: "64x64", Pieces: []string{shape}}.puzzle()
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < number; i++ {
		next := p.Pieces[0]
		next.Name = fmt.Sprint("p", i)
		p.Pieces = append(p.Pieces, next)
	}
	return p
}

// TestModelIsRefusedBeforeItIsMade: at the memory limit and at a fixed limit, no placements are
// made.
func TestModelIsRefusedBeforeItIsMade(t *testing.T) {
	for _, c := range []struct {
		name   string
		puzzle *Puzzle
		memory int64
		want   error
	}{
		{"3.7 million of one cell", manyPieces(t, "monomino", 900), 100 << 20, cover.ErrMemory},
		{"a million cells", inline(t, "1000x1000", "5x5"), 100 << 20, cover.ErrMemory},
		{"1.4 million of five cells", manyPieces(t, "F5", 46), 0, ErrPuzzle},
	} {
		var err error
		taken := testkit.Allocated(func() { _, err = c.puzzle.ModelWithin(t.Context(), c.memory) })
		if !errors.Is(err, c.want) || taken > 40<<20 {
			t.Errorf("%s: %v, and %d bytes taken; want %v, with little taken", c.name, err, taken, c.want)
		}
	}
}

// TestModelBytes: a model allocates the number of bytes that it reports.
func TestModelBytes(t *testing.T) {
	for _, p := range []*Puzzle{manyPieces(t, "monomino", 90), manyPieces(t, "T5", 3), inline(t, "20x20", "hexominoes")} {
		var m *Model
		taken := testkit.Allocated(func() {
			var err error
			if m, err = p.Model(t.Context()); err != nil {
				t.Fatal(err)
			}
		})
		if said := m.Bytes(); said < taken/2 || said > taken {
			t.Errorf("%d placements: %d bytes said, %d taken", len(m.Placements), said, taken)
		}
		if _, err := p.ModelWithin(t.Context(), m.Bytes()); err != nil {
			t.Errorf("as many bytes as are said do not do: %v", err)
		}
		if _, err := p.ModelWithin(t.Context(), m.Bytes()-1); !errors.Is(err, cover.ErrMemory) {
			t.Errorf("a byte less than is said: %v", err)
		}
	}
}

// TestModelLooksAtItsContext: the model checks its context at least every 2^14 cells, and stops at
// the first check after the end.
func TestModelLooksAtItsContext(t *testing.T) {
	p := manyPieces(t, "hexominoes", 1)
	all := testkit.AfterLooks(t, 1<<20)
	m, err := p.Model(all)
	if err != nil {
		t.Fatal(err)
	}
	if least := len(m.Placements) * 6 / interrupt.Every; all.Made() < least {
		t.Fatalf("%d looks at %d placements of six cells, want %d or more", all.Made(), len(m.Placements), least)
	}
	for looks := 0; looks < all.Made(); looks += 1 + all.Made()/20 {
		ctx := testkit.AfterLooks(t, looks)
		if _, err := p.Model(ctx); !errors.Is(err, context.DeadlineExceeded) || ctx.Late() > 0 {
			t.Errorf("after %d looks: %v, %d looks later", looks, err, ctx.Late())
		}
	}
}

// TestModelLooksBetweenOrders: the model checks its context between orders, since all orders of a
// large board need a second.
func TestModelLooksBetweenOrders(t *testing.T) {
	p := inline(t, "3x5", "domino=any")
	for looks := range 4 { // by rows, by columns and two by diagonals
		ctx := testkit.AfterLooks(t, looks)
		if _, err := p.Model(ctx); !errors.Is(err, context.DeadlineExceeded) || ctx.Late() > 0 {
			t.Errorf("after %d looks: %v, %d looks later", looks, err, ctx.Late())
		}
	}
}

// TestPiecesShareCells: pieces of one shape share the memory of their cells, and each has its own
// placements.
func TestPiecesShareCells(t *testing.T) {
	p, err := parse("f", []byte("board: 5x6\npieces: [{name: a, shape: '###'}, {name: b, shape: '###'}, {name: c, shape: '###', motions: fixed}]"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Model(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	checkModel(t, m)
	n := 5*4 + 3*6
	if len(m.Placements) != 2*n+5*4 || &m.Placements[0].Cells[0] != &m.Placements[n].Cells[0] {
		t.Errorf("%d placements, want %d, with the cells of a and b shared", len(m.Placements), 2*n+5*4)
	}
}
