package pipeline

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/pavage/pavage/beam/band"
	"github.com/pavage/pavage/beam/slab"
	"github.com/pavage/pavage/beam/store"
	"github.com/pavage/pavage/job"
)

// marker stands before what a worker says of its error.
const marker = "pavage-failure:"

// Failure is an error of a worker, as it comes to the driver.
type Failure struct {
	Kind job.ErrorKind `json:"kind"`
	Text string        `json:"text"`
}

func (f *Failure) Error() string { return f.Text }

// mark makes an error one line that [found] finds in any text.
func mark(err error) error {
	if err == nil {
		return nil
	}
	line, _ := json.Marshal(Failure{KindOf(err), err.Error()}) // a number and a text: there is no error
	return errors.New("\n" + marker + string(line) + "\n")
}

// found is the first marked error in an engine's text, or nil. Engines may have put it into
// quotation marks, once or several times.
func found(text string) *Failure {
	for {
		_, behind, ok := strings.Cut(text, marker)
		if !ok {
			return nil
		}
		text = behind
		var f Failure
		for plain := behind; ; plain = unquoted(plain) {
			if json.NewDecoder(strings.NewReader(plain)).Decode(&f) == nil {
				return &f
			}
			if !strings.HasPrefix(plain, `{\`) {
				break
			}
		}
	}
}

// unquoted takes one backslash from where there is one.
func unquoted(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// KindOf is the kind of an error of this package and those below it.
func KindOf(err error) job.ErrorKind {
	var f *Failure
	switch {
	case errors.As(err, &f):
		return f.Kind
	case errors.Is(err, store.ErrPlace):
		return job.BadInput
	case errors.Is(err, band.ErrDisagree), errors.Is(err, slab.ErrMiscounted):
		return job.Disagreement
	}
	return job.KindOf(err)
}
