package interrupt_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/kit/interrupt"
)

func TestAwaitEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n, err := interrupt.Await(ctx, func() (int, error) { return 3, errors.ErrUnsupported })
	if n != 3 || !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("%d, %v, want what the function returned", n, err)
	}
	forever := make(chan int)
	defer close(forever)
	if n, err = interrupt.Await(ctx, func() (int, error) { cancel(); return <-forever, nil }); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d, %v from a function that has not returned when the context ends", n, err)
	}
	called := false
	if _, err = interrupt.Await(ctx, func() (int, error) { called = true; return 0, nil }); called || !errors.Is(err, context.Canceled) {
		t.Errorf("called %t, %v after the end of the context", called, err)
	}
}

func TestAwaitPanicsInItsCaller(t *testing.T) {
	defer func() {
		if text := fmt.Sprint(recover()); !strings.HasPrefix(text, "broken\n") || !strings.Contains(text, "await_test.go") {
			t.Errorf("%s, want the panic and its stack", text)
		}
	}()
	_, _ = interrupt.Await(t.Context(), func() (int, error) { panic("broken") })
	t.Error("no panic")
}
