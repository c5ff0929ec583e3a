package interrupt_test

import (
	"testing"

	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/test/testkit"
)

func TestWatchLooksNowAndThen(t *testing.T) {
	for _, calls := range []int{1, 2, 100, interrupt.Every} {
		ctx := testkit.AfterLooks(t, 3)
		w, n := interrupt.Context(ctx), 0
		for w.Work(calls) == nil {
			n += calls
		}
		if ctx.Made() != 4 || n+calls < 4*interrupt.Every || n > 4*interrupt.Every+4*calls {
			t.Errorf("%d calls at once: %d looks in %d calls", calls, ctx.Made(), n)
		}
	}
}
