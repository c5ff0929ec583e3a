package worker

import (
	"strings"
	"testing"

	"github.com/pavage/pavage/job"
)

// TestReading: a large text leaves no room for another large text, and small texts do not use this room.
func TestReading(t *testing.T) {
	read := func(text string, see func(reading)) {
		r := newReading()
		err := r.read(t.Context(), &job.Show{Puzzle: job.Puzzle{Text: text}}, func() error { see(r); return nil })
		if err != nil {
			t.Fatal(err)
		}
		if !r.large.TryAcquire(readingMemory) {
			t.Error("the memory is not given back")
		}
	}
	read(strings.Repeat(" ", 1<<20), func(r reading) {
		if r.large.TryAcquire(1) || !r.small.TryAcquire(readingMemory) {
			t.Error("a large text is read in the wrong memory")
		}
	})
	read("board: 2x3", func(r reading) {
		if !r.large.TryAcquire(readingMemory) || r.small.TryAcquire(readingMemory) {
			t.Error("a small text is read in the wrong memory")
		}
		r.large.Release(readingMemory)
	})
}
