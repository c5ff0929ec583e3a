// Package api speaks HTTP: routes, the OpenAPI document, problems, streams.
package api

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/rs/zerolog"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/tiling"
)

// Work does what requests ask for: a Worker of package worker.
type Work interface {
	Submit(ctx context.Context, owner string, r job.Request, l queue.Limits) (queue.Job, error)
	Count(ctx context.Context, r job.Request) (answer []byte, key [32]byte, ok bool, err error)
	Answer(ctx context.Context, j queue.Job) (json.RawMessage, error)
	Output(ctx context.Context, j queue.Job) (from io.ReadCloser, contentType string, err error)
	Draw(ctx context.Context, r *job.Sample, watch job.Watch) (*job.Sampled, error)
	Tiling(ctx context.Context, p job.Puzzle, rank string) (*tiling.Puzzle, render.Tiling, error)
}

// Jobs is the table of jobs, a [queue.Queue].
type Jobs interface {
	Get(ctx context.Context, id, owner string) (queue.Job, error)
	List(ctx context.Context, f queue.Filter) (jobs []queue.Job, next string, err error)
	Cancel(ctx context.Context, id, owner string) (queue.Job, error)
	Watch(ctx context.Context, id string, after int64) (queue.Job, error)
	Active(ctx context.Context, owner string) (int, error)
}

// Options are the parts that the interface stands on, and its limits. What is zero has
// the default.
type Options struct {
	Work Work
	Jobs Jobs
	Log  zerolog.Logger
	// Version is that of the program.
	Version string
	// Private says that answers are for those who have a token: shared caches must not
	// keep them.
	Private bool
	// Stop is closed when the service is about to end: streams of events end then.
	Stop <-chan struct{}

	Patience  time.Duration // how long GET waits for an answer before it tells of a job: 2 s
	KeepAlive time.Duration // between signs of life of a stream of events: 15 s
	Stall     time.Duration // a client that takes nothing for so long is let go: 30 s
	MaxBody   int64         // bytes of a body, after decompression: 4 MiB
	MaxDrawn  job.Whole     // tilings of one stream of samples: 10^7
	Cache     int64         // bytes of answers kept in memory: 8 MiB
}

// New is the handler of all paths of the interface. Package access stands before it.
func New(o Options) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/version", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(client.Version{Version: o.Version, API: "v1"})
	})
	return mux
}
