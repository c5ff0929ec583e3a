package command

import (
	"strings"
	"testing"

	"github.com/pavage/pavage/job"
)

// TestOrdersHaveOneName: no two orders have the same name.
func TestOrdersHaveOneName(t *testing.T) {
	var b strings.Builder
	writeOrders(&b, []job.Order{{Name: "by rows", States: 10}, {Name: "by rows", States: 20}, {Name: "by diagonals", States: 30}, {Name: "by rows", States: 40}})
	want := "order\tby rows: 10 states; by rows (2): 20 states; by diagonals: 30 states; by rows (3): 40 states\n"
	if b.String() != want {
		t.Errorf("got %q", b.String())
	}
}
