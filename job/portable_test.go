package job

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/pavage/pavage/cover"
)

// TestPortable: an error survives the way through JSON unchanged.
func TestPortable(t *testing.T) {
	for _, want := range []error{
		bad("{engine} is %q", "x<y"),
		&Error{Kind: Limit, Cursor: "1.2", Level: 3, Steps: 4, err: fmt.Errorf("more: %w", cover.ErrMemory)},
		errors.Join(&Error{Kind: Interruption, Level: 1, Steps: 2, err: errors.New("a")}, errors.New("b")),
		fmt.Errorf("checkpoint: DIR %w", ErrInUse), ErrTooWide, ErrForeign, ErrNoRank, errors.New("a file"),
	} {
		text, err := json.Marshal(ErrorOf(want))
		if err != nil {
			t.Fatal(err)
		}
		got := new(Error)
		if err := json.Unmarshal(text, got); err != nil {
			t.Fatal(err)
		}
		if got.Error() != want.Error() || KindOf(got) != KindOf(want) {
			t.Errorf("%s: %v of the kind %v, want %v of the kind %v", text, got, got.Kind, want, KindOf(want))
		}
		for _, c := range causes {
			if errors.Is(got, c.err) != errors.Is(want, c.err) {
				t.Errorf("%s: is it %v: %v", text, c.err, errors.Is(got, c.err))
			}
		}
		var e *Error
		if errors.As(want, &e) && (got.Cursor != e.Cursor || got.Level != e.Level || got.Steps != e.Steps) {
			t.Errorf("%s: want the way to go on of %+v", text, e)
		}
	}
	if ErrorOf(nil) != nil {
		t.Error("nil is an error")
	}
	if err := json.Unmarshal([]byte(`{"kind":"fun"}`), new(Error)); err == nil {
		t.Error("a kind of error that there is not")
	}
}
