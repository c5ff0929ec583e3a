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
	// Bytes and Seconds are the forecast of the work; 0: unknown.
	Bytes   int64
	Seconds float64
	// Key is where the store has the answer, once the job is done. Requests with the same key have
	// the same answer, so a queued job waits while a job with its key is running; "": not known yet.
	Key string

	State    client.State
	Version  int64  // rises with every change
	Worker   string // the process that claimed the job last or, before that, added it
	Attempts int
	// Deaths and Lapses count tries since the last checkpoint: Deaths the tries whose child died,
	// Lapses the tries whose holder died, so that the lease ended.
	Deaths, Lapses int
	Checkpoint     string          // the name that Saved last recorded; "": none
	Progress       json.RawMessage // a client.Progress; nil: none yet
	Plan           json.RawMessage // a job.Plan; nil: none yet
	Failure        json.RawMessage // a client.Problem; nil unless failed
	Created        time.Time
	Started        time.Time // begin of the last try
	// Worked is how long the job was held before it was put back, all tries together.
	Worked time.Duration
	Ended  time.Time
}

// Limits are the most that the owner allows the job to use; 0: only the limit of
// the machine.
type Limits struct {
	Memory  int64         `json:"memory,omitempty"`
	Threads int           `json:"threads,omitempty"`
	Time    time.Duration `json:"time,omitempty"`
}

// Task is a job for which this process has reserved memory and a place.
type Task interface {
	// Do does the job. If Do returns without having ended its claim, the job is put back.
	Do(Claim)
	// Release gives the reservation back. It is called once: after Do, or without Do if another
	// process has claimed the job.
	Release()
}

// Claim is the right to do a job, until its context ends or one of its methods ends the claim.
type Claim interface {
	// Context returns the context of the work. It ends when the right to the job ends (ErrLost,
	// ErrCanceled or ErrStopping), and when one of the methods ends the claim.
	Context() context.Context
	// Job returns the job as it was claimed. Its Attempts include this try.
	Job() Job
	// Progress reports how far the work is. It may be called often: only the last progress of
	// each half second is written.
	Progress(client.Progress)
	// Plan reports how the work is done. It is written as often as Progress.
	Plan(*job.Plan)
	// Move changes the lane of the job while it is held, and the bytes that the work is expected
	// to use. Its progress begins again.
	Move(ctx context.Context, l Lane, bytes int64) error
	// Saved records a new checkpoint of the work, and sets Deaths and Lapses to 0.
	Saved(ctx context.Context, checkpoint string) error
	// Done ends the job: its answer is in the store, with that key.
	Done(ctx context.Context, key string) error
	// Failed ends the job.
	Failed(context.Context, client.Problem) error
	// Canceled ends the job, after its context ended with ErrCanceled.
	Canceled(context.Context) error
	// Requeue puts the job back into its lane. Its Attempts never decrease. If there is a request
	// to cancel the job, it is canceled.
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
	// Jobs are how many there are, by kind and state.
	Jobs map[job.Kind]map[client.State]int
	// Oldest is how long the oldest queued job of each lane has waited.
	Oldest map[Lane]time.Duration
}
