package api

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"golang.org/x/sync/singleflight"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/worker"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/web"
)

// Work makes the answers of requests: it is a [worker.Worker].
type Work interface {
	Submit(ctx context.Context, owner string, most int, r job.Request, l queue.Limits) (queue.Job, error)
	Count(ctx context.Context, r job.Request) (answer []byte, key [32]byte, ok bool, err error)
	Answer(ctx context.Context, j queue.Job) (json.RawMessage, error)
	Output(ctx context.Context, j queue.Job) (from io.ReadCloser, contentType string, err error)
	Draw(ctx context.Context, r *job.Sample, l queue.Limits, watch job.Watch) (*job.Sampled, error)
	Most() queue.Limits // greatest limits that a job can have; 0 means no limit
	Look(ctx context.Context, p job.Puzzle, see func(*tiling.Puzzle) error) error
	Tiling(ctx context.Context, p job.Puzzle, c job.Conditions, rank string, l queue.Limits) (*worker.Found, error)
}

// Jobs is the table of jobs, a [queue.Queue].
type Jobs interface {
	Get(ctx context.Context, id, owner string) (queue.Job, error)
	List(ctx context.Context, f queue.Filter) (jobs []queue.Job, next string, err error)
	Cancel(ctx context.Context, id, owner string) (queue.Job, error)
	Watch(ctx context.Context, id string, after int64) (queue.Job, error)
}

// Options has the parts that the interface uses, and limits. If a limit is 0, the default at the
// end of its comment is used.
type Options struct {
	Work    Work
	Jobs    Jobs
	Version string
	Page    *web.Page       // web page; by default web.Built()
	Private bool            // whether requests need a token; if so, shared caches must not keep the answers
	Stop    context.Context // when this context ends, streams of events end; may be nil

	Patience  time.Duration // longest wait of a GET request for its answer, before it is redirected to a job; by default 2 s
	KeepAlive time.Duration // time after which a stream of events sends a comment if there is no event; by default 15 s
	BodyTime  time.Duration // time in which the body of a request must arrive; by default 10 s
	MaxBody   int64         // greatest size of a body in bytes, after decompression; by default 4 MiB
	MaxDrawn  job.Whole     // greatest number of tilings in a stream of samples; by default 10^7
	Cache     int           // greatest size in bytes of the answers in memory; by default 8 MiB
}

func (o Options) usual() Options {
	o.Patience = cmp.Or(o.Patience, 2*time.Second)
	o.KeepAlive = cmp.Or(o.KeepAlive, 15*time.Second)
	o.BodyTime = cmp.Or(o.BodyTime, 10*time.Second)
	o.MaxBody = cmp.Or(o.MaxBody, 4<<20)
	o.MaxDrawn = cmp.Or(o.MaxDrawn, 10_000_000)
	o.Cache = cmp.Or(o.Cache, 8<<20)
	if o.Page == nil {
		o.Page = web.Built()
	}
	if o.Stop == nil {
		o.Stop = context.Background()
	}
	return o
}

// The fields of service never change, except the cache and the tasks.
type service struct {
	o        Options
	mux      *http.ServeMux
	document *huma.OpenAPI
	order    []*huma.Operation // operations in the order of the document
	known    cache             // answers of getCount, indexed by the query and the content type
	mu       sync.Mutex
	tasks    map[string]*task // indexed by the owner, the kind and the digest of the request
	submits  singleflight.Group
}

// New returns the handler of all paths of the interface. Package access handles requests first.
func New(o Options) http.Handler {
	o = o.usual()
	s := &service{o: o, mux: http.NewServeMux(), document: document(o.Version), known: cache{most: o.Cache}, tasks: map[string]*task{}}
	s.routes()
	s.about()
	return s
}
