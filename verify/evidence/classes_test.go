package evidence

import (
	"context"
	"math/big"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/test/puzzletest"
)

// TestWrongClasses: a count up to symmetry that is wrong is found out by the
// least solutions of the classes, where the count of all is right.
func TestWrongClasses(t *testing.T) {
	m := puzzletest.Inline(t, "2x3", "domino=any") // 3 tilings of 2 classes
	for wrong, want := range map[int64]string{-1: "there are 1 classes, but 2 of", 0: "", 1: "there are 3 classes, but 2 of"} {
		v := planted(t, m.Problem, 0)
		v.o.Group = m.Group(true).Symmetries()
		v.Distinct = big.NewInt(2 + wrong)
		got := told(t, v.list(context.Background()))
		if !strings.Contains(got, want) || v.Agrees() != (wrong == 0) {
			t.Errorf("wrong by %d: %q, want %q", wrong, got, want)
		}
	}
}
