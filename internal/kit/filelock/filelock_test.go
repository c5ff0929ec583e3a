package filelock

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// opened is one more open file of a name.
func opened(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestLocks: one has a file alone, or several share it; to close it lets go of it.
func TestLocks(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	a, b := opened(t, name), opened(t, name)
	if err := Alone(a); errors.Is(err, ErrNone) {
		t.Skip("files cannot be locked here")
	}
	for _, c := range []struct {
		what string
		err  error
		want error
	}{
		{"again", Alone(a), nil},
		{"another", Alone(b), ErrTaken},
		{"unlocked", Unlock(a), nil},
		{"the other shares it", Shared(b), nil},
		{"both do", Shared(a), nil},
		{"alone beside the other", Alone(a), ErrTaken},
		{"closed", errors.Join(b.Close(), Alone(a)), nil},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", c.what, c.err, c.want)
		}
	}
	if err := Alone(b); !errors.Is(err, ErrNone) {
		t.Errorf("a closed file: %v", err)
	}
}
