package poll_test

import (
	"testing"

	"github.com/pavage/pavage/internal/poll"
	"github.com/pavage/pavage/internal/testkit"
)

func TestWatchLooksNowAndThen(t *testing.T) {
	for _, calls := range []int{1, 2, 100, poll.Every} {
		ctx := testkit.AfterLooks(t, 3)
		w, n := poll.Context(ctx), 0
		for w.Work(calls) == nil {
			n += calls
		}
		if ctx.Made() != 4 || n+calls < 4*poll.Every || n > 4*poll.Every+4*calls {
			t.Errorf("%d calls at once: %d looks in %d calls", calls, ctx.Made(), n)
		}
	}
}
