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

// Work does what requests ask for: a Worker of package worker.
type Work interface {
	Submit(ctx context.Context, owner string, most int, r job.Request, l queue.Limits) (queue.Job, error)
	Count(ctx context.Context, r job.Request) (answer []byte, key [32]byte, ok bool, err error)
	Answer(ctx context.Context, j queue.Job) (json.RawMessage, error)
	Output(ctx context.Context, j queue.Job) (from io.ReadCloser, contentType string, err error)
	Draw(ctx context.Context, r *job.Sample, l queue.Limits, watch job.Watch) (*job.Sampled, error)
	Most() queue.Limits // that a job can have; 0: any
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

// Options are the parts that the interface uses, and its limits; 0 is the default.
type Options struct {
	Work    Work
	Jobs    Jobs
	Version string
	Page    *web.Page       // page for people; nil: the one in the program
	Private bool            // answers need a token, and are not for shared caches
	Stop    context.Context // ends streams of events, shortly before the service; may be nil

	Patience  time.Duration // how long GET waits for an answer before it redirects to a job: 2 s
	KeepAlive time.Duration // between signs of life of a stream of events: 15 s
	BodyTime  time.Duration // for the body of a request to arrive: 10 s
	MaxBody   int64         // bytes of a body, after decompression: 4 MiB
	MaxDrawn  job.Whole     // tilings of one stream of samples: 10^7
	Cache     int           // bytes of answers kept in memory: 8 MiB
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
	order    []*huma.Operation // in the order in which people read of them
	known    cache             // counts, by query and content type
	mu       sync.Mutex
	tasks    map[string]*task // by owner and request
	submits  singleflight.Group
}

// New is the handler of all paths of the interface. Package access stands before it.
func New(o Options) http.Handler {
	o = o.usual()
	s := &service{o: o, mux: http.NewServeMux(), document: document(o.Version), known: cache{most: o.Cache}, tasks: map[string]*task{}}
	s.routes()
	s.about()
	return s
}
