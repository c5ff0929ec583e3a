package job

import (
	"errors"
	"strconv"
)

// Whole is a whole number, 0 to 2^64-1. It is written to JSON as a string, since not
// all programs that read JSON have integers as large. A number is read as well.
type Whole uint64

func (w Whole) String() string { return strconv.FormatUint(uint64(w), 10) }

// MarshalText implements encoding.TextMarshaler.
func (w Whole) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// Wanted says what is wanted where something else was read.
func (Whole) Wanted() string { return "a whole number, 0 to 2^64-1" }

// UnmarshalJSON implements json.Unmarshaler.
func (w *Whole) UnmarshalJSON(text []byte) error {
	if n := len(text); n >= 2 && text[0] == '"' {
		text = text[1 : n-1]
	}
	return w.UnmarshalText(text)
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (w *Whole) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil {
		return errors.New("want a whole number, 0 to 2^64-1")
	}
	*w = Whole(n)
	return nil
}
