package job

import (
	"errors"
	"strconv"
)

// Whole is a whole number, 0 to 2^64-1. In JSON it is a string, since not all
// programs that read JSON have integers as large.
type Whole uint64

func (w Whole) String() string { return strconv.FormatUint(uint64(w), 10) }

// MarshalText implements encoding.TextMarshaler.
func (w Whole) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (w *Whole) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil {
		return errors.New("want a whole number, 0 to 2^64-1")
	}
	*w = Whole(n)
	return nil
}
