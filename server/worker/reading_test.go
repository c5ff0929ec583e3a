package worker

import (
	"strings"
	"testing"

	"github.com/pavage/pavage/job"
)

// TestReading: a large text leaves no room for others of its class, and small ones take
// none of that room.
func TestReading(t *testing.T) {
	begin := func(r reading, text string) (end func()) {
		end, err := r.begin(t.Context(), &job.Show{Puzzle: job.Puzzle{Text: text}})
		if err != nil {
			t.Fatal(err)
		}
		return end
	}
	r := newReading()
	end := begin(r, strings.Repeat(" ", 1<<20))
	if r.large.TryAcquire(1) || !r.small.TryAcquire(readingMemory) {
		t.Error("a large text is read in the wrong memory")
	}
	end()
	if !r.large.TryAcquire(readingMemory) {
		t.Error("the memory is not given back")
	}
	r = newReading()
	begin(r, "board: 2x3")
	if !r.large.TryAcquire(readingMemory) || r.small.TryAcquire(readingMemory) {
		t.Error("a small text is read in the wrong memory")
	}
}
