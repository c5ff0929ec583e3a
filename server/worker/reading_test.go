package worker

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/pavage/pavage/job"
)

// TestReading: large texts are read one after another, and small ones meanwhile.
func TestReading(t *testing.T) {
	r := newReading()
	large := &job.Show{Puzzle: job.Puzzle{Text: strings.Repeat(" ", 1<<20)}}
	small := &job.Show{Puzzle: job.Puzzle{Text: "board: 2x3"}}
	end, err := r.begin(t.Context(), large)
	if err != nil {
		t.Fatal(err)
	}
	canceled, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("the client went away")
	cancel(gone)
	if _, err := r.begin(canceled, large); !errors.Is(err, gone) {
		t.Errorf("a second large text is read at the same time: %v", err)
	}
	for range 100 {
		if _, err := r.begin(t.Context(), small); err != nil {
			t.Error(err)
		}
	}
	end()
	if _, err := r.begin(t.Context(), large); err != nil {
		t.Error(err)
	}
}
