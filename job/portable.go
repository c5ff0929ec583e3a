package job

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/pavage/pavage/cover"
)

// kindNames are the names of the kinds of errors outside of Go.
var kindNames = []string{Failure: "failure", BadInput: "bad_input", Limit: "limit", Disagreement: "disagreement", Interruption: "interruption"}

// String is the name of the kind in JSON.
func (k ErrorKind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("kind %d", int(k))
	}
	return kindNames[k]
}

// MarshalText implements [encoding.TextMarshaler].
func (k ErrorKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (k *ErrorKind) UnmarshalText(text []byte) error {
	i := slices.Index(kindNames, string(text))
	if i < 0 {
		return fmt.Errorf("%.40q is no kind of error, want one of %q", text, kindNames)
	}
	*k = ErrorKind(i)
	return nil
}

// NewError is an error of a kind that wraps err and has its text.
func NewError(kind ErrorKind, err error) *Error { return &Error{Kind: kind, err: err} }

// ErrorOf is err as an *Error with its text, whatever [Run] or an engine returned; nil
// for nil.
func ErrorOf(err error) *Error {
	var e *Error
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &e):
		return NewError(KindOf(err), err)
	case e.Error() == err.Error():
		return e
	}
	also := *e
	also.err = err
	return &also
}

// causes are the errors that are known from others also in another process.
var causes = []struct {
	name string
	err  error
}{
	{"memory", cover.ErrMemory}, {"too_wide", ErrTooWide}, {"foreign", ErrForeign}, {"in_use", ErrInUse}, {"no_rank", ErrNoRank},
}

// told is an error of another process: its text, and which of the causes it wraps.
type told struct {
	text string
	is   []error
}

func (t *told) Error() string   { return t.text }
func (t *told) Unwrap() []error { return t.is }

// portable is an Error as JSON.
type portable struct {
	Kind   ErrorKind `json:"kind"`
	Text   string    `json:"text"`
	Causes []string  `json:"causes,omitempty"`
	Cursor string    `json:"cursor,omitempty"`
	Level  int       `json:"level,omitempty"`
	Steps  int       `json:"steps,omitempty"`
}

// MarshalJSON implements [json.Marshaler]. What comes back of it has the same kind,
// text and way to go on; of what it wraps, the errors of this package alone.
func (e *Error) MarshalJSON() ([]byte, error) {
	p := portable{Kind: e.Kind, Text: e.Error(), Cursor: e.Cursor, Level: e.Level, Steps: e.Steps}
	for _, c := range causes {
		if errors.Is(e, c.err) {
			p.Causes = append(p.Causes, c.name)
		}
	}
	return json.Marshal(p)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (e *Error) UnmarshalJSON(text []byte) error {
	var p portable
	if err := json.Unmarshal(text, &p); err != nil {
		return err
	}
	t := &told{text: p.Text}
	for _, c := range causes {
		if slices.Contains(p.Causes, c.name) {
			t.is = append(t.is, c.err)
		}
	}
	*e = Error{Kind: p.Kind, Cursor: p.Cursor, Level: p.Level, Steps: p.Steps, err: t}
	return nil
}
