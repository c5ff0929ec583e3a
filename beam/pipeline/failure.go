package pipeline

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/pavage/pavage/beam/band"
	"github.com/pavage/pavage/beam/slab"
	"github.com/pavage/pavage/beam/store"
	"github.com/pavage/pavage/job"
)

const marker = "pavage-failure:"

// Failure is an error of a worker in the form in which the driver gets it.
type Failure struct {
	Kind job.ErrorKind `json:"kind"`
	Text string        `json:"text"`
}

func (f *Failure) Error() string { return f.Text }

// mark adds a word to an error. [found] finds the word in any text: quoting does not change it.
func mark(err error) error {
	if err == nil {
		return nil
	}
	said, _ := json.Marshal(Failure{KindOf(err), err.Error()}) // encoding a number and a string cannot fail
	return fmt.Errorf("%v\n%s%s;", err, marker, base64.RawURLEncoding.EncodeToString(said))
}

func found(text string) *Failure {
	for {
		_, behind, _ := strings.Cut(text, marker)
		word, rest, ok := strings.Cut(behind, ";")
		if !ok {
			return nil
		}
		said, err := base64.RawURLEncoding.DecodeString(word)
		var f Failure
		if err == nil && json.Unmarshal(said, &f) == nil {
			return &f
		}
		text = rest
	}
}

// KindOf returns the kind of an error of this package and of the packages below it.
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
