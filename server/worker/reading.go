package worker

import (
	"context"
	"encoding/json"

	"golang.org/x/sync/semaphore"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/tiling"
)

const (
	smallText = 16 << 10 // greatest number of bytes of a small text; almost all puzzles are small
	// The parser needs at most treeBytes bytes of memory for a byte of text. The worst known text,
	// a mebibyte of brackets, needs 55 MiB.
	treeBytes     = 64
	readingMemory = 64 << 20 // for all small texts together; large texts have another 64 MiB
)

// reading limits the memory of the parser. Small texts do not wait for the memory of large texts.
type reading struct{ small, large *semaphore.Weighted }

func newReading() reading {
	return reading{semaphore.NewWeighted(readingMemory), semaphore.NewWeighted(readingMemory)}
}

func (r reading) read(ctx context.Context, of job.Request, do func() error) error {
	if err := job.Validate(of); err != nil {
		return err
	}
	text, err := json.Marshal(of)
	if err != nil {
		return err
	}
	room, weight := r.large, min(int64(len(text))*treeBytes, readingMemory)
	if len(text) <= smallText {
		room = r.small
	}
	if err := room.Acquire(ctx, weight); err != nil {
		return context.Cause(ctx)
	}
	defer room.Release(weight)
	return do()
}

// Look reads a puzzle and calls the function see with it.
func (w *Worker) Look(ctx context.Context, p job.Puzzle, see func(*tiling.Puzzle) error) error {
	return w.reading.read(ctx, &job.Show{Puzzle: p}, func() error {
		puzzle, err := p.Read()
		if err != nil {
			return err
		}
		return see(puzzle)
	})
}
