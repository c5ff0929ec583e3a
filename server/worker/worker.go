package worker

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/tiling"
)

// Worker does the work of a service. Its methods may be called by many goroutines at
// once.
type Worker struct {
	observer Observer
}

var errBegun = errors.New("this worker has nothing to work with")

// Submit accepts a request of an owner: the row that comes back is done if the answer was
// known or quick, else it is queued. Its errors are those of job.Run, or of the database.
func (w *Worker) Submit(ctx context.Context, owner string, r job.Request, l queue.Limits) (queue.Job, error) {
	return queue.Job{}, errBegun
}

// Count answers a request without a row, if the answer is known or quick: not only a
// job.Count. The key is the same for equal answers, but for their titles. Where ok is
// false the request is for Submit.
func (w *Worker) Count(ctx context.Context, r job.Request) (answer []byte, key [32]byte, ok bool, err error) {
	return nil, key, false, errBegun
}

// Answer is that of a job that is done, with the title that its own request has.
func (w *Worker) Answer(ctx context.Context, j queue.Job) (json.RawMessage, error) {
	return nil, errBegun
}

// HasOutput reports whether jobs of a kind make tilings or a file besides the answer.
func HasOutput(kind job.Kind) bool { return false }

// Output is what a job that is done has made besides its answer: tilings as lines of
// JSON, or a file.
func (w *Worker) Output(ctx context.Context, j queue.Job) (from io.ReadCloser, contentType string, err error) {
	return nil, "", errBegun
}

// Draw draws tilings from a source that is kept for the next call. Watch.Tiling takes
// them, after Watch.Begin; or, if it is not nil, Watch.Output takes them as lines of
// JSON. Whoever takes them slowly slows the draw.
func (w *Worker) Draw(ctx context.Context, r *job.Sample, watch job.Watch) (*job.Sampled, error) {
	return nil, errBegun
}

// Tiling is the tiling with this rank, a decimal number, of the puzzle of a source.
func (w *Worker) Tiling(ctx context.Context, p job.Puzzle, rank string) (*tiling.Puzzle, render.Tiling, error) {
	return nil, render.Tiling{}, errBegun
}

// Held says of what the worker holds how many bytes of memory.
func (w *Worker) Held() map[string]func() int64 { return nil }

// Close ends what is kept for later calls, and waits for quick work. Work must have
// returned.
func (w *Worker) Close() error { return nil }
