package worker

import (
	"context"
	"encoding/json"

	"golang.org/x/sync/semaphore"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/store"
	"github.com/pavage/pavage/tiling"
)

const (
	// smallText is the text of almost every puzzle.
	smallText = 16 << 10
	// treeBytes is how many bytes of memory a byte of text takes while it is parsed. The
	// worst text that was found, a mebibyte of brackets, takes 55 MiB and half a second of a
	// core.
	treeBytes = 64
	// readingMemory is the memory for all texts of one class that are read at the same time.
	// It is enough for one puzzle of the largest size.
	readingMemory = 64 << 20
)

// reading bounds the memory of requests that are parsed in this process. Each may be as
// large as a body can be. Large requests wait for each other, and small ones do not wait
// for large ones.
type reading struct{ small, large *semaphore.Weighted }

func newReading() reading {
	return reading{semaphore.NewWeighted(readingMemory), semaphore.NewWeighted(readingMemory)}
}

// begin waits until the puzzle of a request may be read, or until ctx ends.
func (r reading) begin(ctx context.Context, of job.Request) (end func(), err error) {
	text, err := json.Marshal(of)
	if err != nil {
		return nil, err
	}
	room, weight := r.large, min(int64(len(text))*treeBytes, readingMemory)
	if len(text) <= smallText {
		room = r.small
	}
	if err := room.Acquire(ctx, weight); err != nil {
		return nil, context.Cause(ctx)
	}
	return func() { room.Release(weight) }, nil
}

// read reads the puzzle of a request and returns the key that keyOf makes, of the answer or
// of the source.
func (w *Worker) read(ctx context.Context, r job.Request, keyOf func() (store.Key, bool, error)) (key store.Key, shared bool, err error) {
	if err := r.Check(); err != nil {
		return key, false, err
	}
	end, err := w.reading.begin(ctx, r)
	if err != nil {
		return key, false, err
	}
	defer end()
	return keyOf()
}

// Look reads a puzzle and calls see with it, unchanged.
func (w *Worker) Look(ctx context.Context, p job.Puzzle, see func(*tiling.Puzzle) error) error {
	_, _, err := w.read(ctx, &job.Show{Puzzle: p}, func() (key store.Key, shared bool, err error) {
		puzzle, err := p.Read()
		if err != nil {
			return key, false, err
		}
		return key, false, see(puzzle)
	})
	return err
}
