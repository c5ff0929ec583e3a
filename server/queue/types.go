package queue

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
)

// ErrAbsent reports that there is no such job, or that another owner has it.
var ErrAbsent = errors.New("there is no such job")

// Lane is a queue: jobs of one lane do not wait for jobs of the other.
type Lane string

// The lanes.
const (
	Short Lane = "short" // expected to take at most a few seconds
	Long  Lane = "long"
)

// Job is a row of the table of jobs.
type Job struct {
	ID      string // 128 random bits, so that nobody can guess it
	Owner   string // who may see it
	Kind    job.Kind
	Request json.RawMessage // as job.Decode reads it
	Limits  Limits
	Lane    Lane
	Bytes   int64   // forecast; 0: unknown
	Seconds float64 // forecast
	// Key is where the store has the answer, or "". A job waits while one with its key is running.
	Key string

	State          client.State
	Version        int64  // rises with every change
	Worker         string // the process that claimed the job last or, before that, added it
	Attempts       int
	Deaths, Lapses int             // tries since the last checkpoint whose child, or holder, died
	Checkpoint     string          // the name that Saved last recorded; "": none
	Progress       json.RawMessage // a client.Progress; nil: none yet
	Plan           json.RawMessage // a job.Plan; nil: none yet
	Failure        json.RawMessage // a client.Problem; nil unless failed
	Created        time.Time
	Started        time.Time     // begin of the last try
	Worked         time.Duration // time in all tries before the last
	Ended          time.Time
}

// Limits are what the owner allows the job to use; 0: only the limit of the machine.
type Limits struct {
	Memory  int64         `json:"memory,omitempty"`
	Threads int           `json:"threads,omitempty"`
	Time    time.Duration `json:"time,omitempty"`
}

// Task is a job for which this process has reserved memory and a place.
type Task interface {
	// Do does the job, which is put back if Do returns without having ended its claim.
	Do(Claim)
	// Release gives the reservation back, once: after Do, or without Do.
	Release()
}

// Claim is the right to do a job, until its context ends or one of its methods ends the claim.
type Claim interface {
	// Context ends with the claim: by ErrLost, ErrCanceled, ErrStopping or one of the methods.
	Context() context.Context
	// Job returns the job as it was claimed. Its Attempts include this try.
	Job() Job
	// Progress reports progress, often: only the last report of each half second is written.
	Progress(client.Progress)
	// Plan reports how the work is done, as often as Progress.
	Plan(*job.Plan)
	// Move changes the lane of the job and its forecast in bytes. Its progress begins again.
	Move(ctx context.Context, l Lane, bytes int64) error
	// Saved records a new checkpoint, and sets Deaths and Lapses to 0.
	Saved(ctx context.Context, checkpoint string) error
	// Done ends the job: its answer is in the store, with that key.
	Done(ctx context.Context, key string) error
	// Failed ends the job with a problem.
	Failed(context.Context, client.Problem) error
	// Canceled ends the job, after its context ended with ErrCanceled.
	Canceled(context.Context) error
	// Requeue queues the job again, or cancels it on request. Its Attempts never decrease.
	Requeue(ctx context.Context, why Pause) error
}

// Pause is the reason why a running job is queued again.
type Pause int

// The reasons.
const (
	Stopped Pause = iota // its holder stopped the work: this try and the next count as one attempt
	Died                 // its child died, and its holder did not
	Lapsed               // its holder died, or returned without ending the claim
)

// Filter selects the jobs of a list. A field that is zero excludes none.
type Filter struct {
	Owner  string
	Kind   job.Kind
	State  client.State
	Limit  int    // at most 1000; 0: 100
	Cursor string // that came with the page before; "": the first page
}

// Stats are figures of all jobs.
type Stats struct {
	Jobs   map[job.Kind]map[client.State]int
	Oldest map[Lane]time.Duration // how long the oldest queued job has waited
}
