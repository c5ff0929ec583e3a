package store

import (
	"errors"
	"fmt"

	"github.com/pavage/pavage/internal/kit/human"
)

var (
	// ErrAbsent is wrapped by the error about a file that does not exist.
	ErrAbsent = errors.New("not in the store")
	// ErrDamaged is wrapped by the error about a file that has changed since it was
	// written. See [Damage].
	ErrDamaged = errors.New("damaged")
	// ErrGone is wrapped by the error about a file whose folder was removed while the store
	// was open.
	ErrGone = errors.New("the folder of the store was removed")
	// ErrFull is wrapped by the error about a file for which there is no room. See [Full].
	ErrFull = errors.New("the store is full")
)

// Damage says that a file has changed since it was written, and at which byte that was
// noticed.
type Damage struct {
	Path string
	At   int64 // byte of the file
	Text string
}

func (d *Damage) Error() string {
	return fmt.Sprintf("%s: damaged at byte %d: %s", d.Path, d.At, d.Text)
}

// Unwrap makes errors.Is(err, ErrDamaged) true.
func (d *Damage) Unwrap() error { return ErrDamaged }

// Full says why there is no room for a file.
type Full struct {
	Quota  int64
	Wanted int64 // of the new file, as far as it was written
	Held   int64 // of all files
	Kept   int64 // of answers and outputs that are too young to be removed
	InUse  int64 // of files that are open
}

func (f *Full) Error() string {
	bytes := func(n int64) string { return human.Bytes(float64(n)) }
	return fmt.Sprintf("%v: its quota is %s, it holds %s, of which %s are kept for jobs and %s are in use: no room for %s more",
		ErrFull, bytes(f.Quota), bytes(f.Held), bytes(f.Kept), bytes(f.InUse), bytes(f.Wanted))
}

// Unwrap makes errors.Is(err, ErrFull) true.
func (f *Full) Unwrap() error { return ErrFull }
