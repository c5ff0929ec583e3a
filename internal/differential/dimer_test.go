package differential

import (
	"fmt"
	"testing"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/puzzletest"
	"github.com/pavage/pavage/internal/testkit"
)

// TestDimerIsProduct counts dominoes on large squares by determinants, and by Kasteleyn's product.
func TestDimerIsProduct(t *testing.T) {
	for n := 22; n <= testkit.Size(44, 100); n += testkit.Size(11, 3) {
		want := DominoTilings(n, n)
		r, err := count.Count(t.Context(), puzzletest.Inline(t, fmt.Sprintf("%dx%d", n, n), "domino=any").Problem, count.Dimer, alone)
		if err != nil || r.Count.Cmp(want) != 0 {
			t.Errorf("%dx%d: %+v, %v, want %v", n, n, r, err, want)
		}
	}
}
