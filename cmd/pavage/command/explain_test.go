package command

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pavage/pavage/job"
)

// TestOrdersHaveOneName each.
func TestOrdersHaveOneName(t *testing.T) {
	var b strings.Builder
	writeOrders(&b, []job.Order{{Name: "by rows", States: 10}, {Name: "by rows", States: 20}, {Name: "by diagonals", States: 30}, {Name: "by rows", States: 40}})
	want := "order\tby rows: 10 states; by rows (2): 20 states; by diagonals: 30 states; by rows (3): 40 states\n"
	if b.String() != want {
		t.Errorf("got %q", b.String())
	}
}

// TestAdviceOnCheckpoints: only who has interrupted a long count is told.
func TestAdviceOnCheckpoints(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, stopped := job.Do(ctx, &job.Count{Puzzle: job.Puzzle{Example: "soma"}}, job.Limits{}, job.Watch{})
	for _, c := range []struct {
		err  error
		took time.Duration
		want string
	}{
		{stopped, time.Hour, "interrupted; a count with --checkpoint DIR can be interrupted and go on later"},
		{stopped, time.Second, "interrupted"},
		{errors.New("a failure"), time.Hour, "a failure"},
	} {
		if got := adviseCheckpoint(c.err, c.took); got.Error() != c.want {
			t.Errorf("%v after %v: %v", c.err, c.took, got)
		}
	}
	if adviseCheckpoint(nil, time.Hour) != nil {
		t.Error("an error of a count that is done")
	}
}
