package interrupt_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/test/testkit"
)

func TestWriterWritesUntilTheContextEnds(t *testing.T) {
	var text strings.Builder
	w := interrupt.Writer(testkit.AfterLooks(t, 3), &text)
	for k := range 5 {
		n, err := w.Write([]byte("ab"))
		if k < 3 && (n != 2 || err != nil) || k >= 3 && (n != 0 || !errors.Is(err, context.DeadlineExceeded)) {
			t.Errorf("write %d: %d bytes, %v", k, n, err)
		}
	}
	if text.String() != "ababab" {
		t.Errorf("wrote %q", text.String())
	}
}
