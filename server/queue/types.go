package queue

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
)

// ErrAbsent is the error for a job that does not exist or belongs to another owner.
var ErrAbsent = errors.New("there is no such job")

// Lane names one of two queues. A job does not wait for jobs of the other lane.
type Lane string

const (
	Short Lane = "short" // for jobs that are expected to take at most a few seconds
	Long  Lane = "long"
)

// Job is a row of the table of jobs.
type Job struct {
	ID      string // 128 random bits, so that an id cannot be guessed
	Owner   string // name of the callers who may see the job
	Kind    job.Kind
	Request json.RawMessage // in the form that job.Decode reads
	Limits  Limits
	Lane    Lane
	Bytes   int64   // forecast of memory in bytes; 0 if unknown
	Seconds float64 // forecast of time in seconds
	// Key is the key of the answer in the store, or "". Jobs with the same Key run one after another.
	Key string

	State          client.State
	Version        int64  // rises with every change
	Worker         string // process that last claimed the job, or that added the job if there was no claim
	Attempts       int
	Deaths, Lapses int             // numbers of deaths of the child and of the holder since the last checkpoint
	Checkpoint     string          // name of the newest checkpoint that Claim.Saved has recorded; "" if there is none
	Progress       json.RawMessage // a client.Progress, or nil
	Plan           json.RawMessage // a job.Plan, or nil
	Failure        json.RawMessage // a client.Problem; nil unless the job failed
	Created        time.Time
	Started        time.Time     // time at which the last try began
	Worked         time.Duration // total time of earlier tries, except tries whose holder died
	Ended          time.Time
}

// Limits has the limits that the owner sets for the job. A field that is 0 means no limit.
type Limits struct {
	Memory  int64         `json:"memory,omitempty"`
	Threads int           `json:"threads,omitempty"`
	Time    time.Duration `json:"time,omitempty"`
}

// Task is a job for which this process has reserved room.
type Task interface {
	// Do does the job. If Do returns without having ended the claim, the job is put back.
	Do(Claim)
	// Release ends the reservation. It is called once, after Do or in place of Do.
	Release()
}

// Claim is the right to do a job, until its context ends or one of its methods ends the claim.
type Claim interface {
	// Context ends with the claim. The cause is ErrLost, ErrCanceled or ErrStopping, unless a
	// method has ended the claim.
	Context() context.Context
	// Job returns the job at the time of the claim. Attempts includes the present try.
	Job() Job
	// Progress records progress. If calls follow quickly, it may record only the last of them.
	Progress(client.Progress)
	// Plan records how the work is done. If calls follow quickly, it may record only the last.
	Plan(*job.Plan)
	// Move changes the lane of the job and the forecast of its memory, and removes the progress.
	Move(ctx context.Context, l Lane, bytes int64) error
	// Saved records a new checkpoint, and sets Deaths and Lapses to 0.
	Saved(ctx context.Context, checkpoint string) error
	// Done ends the job, whose answer is in the store under the key.
	Done(ctx context.Context, key string) error
	// Failed ends the job with a problem.
	Failed(context.Context, client.Problem) error
	// Canceled ends the job, after the context has ended with ErrCanceled.
	Canceled(context.Context) error
	// Requeue queues the job again, or ends it as canceled if a caller has called Cancel.
	Requeue(ctx context.Context, why Pause) error
}

// Pause is the reason why a running job is queued again.
type Pause int

const (
	Stopped Pause = iota // the holder stopped the work; this try and the next try count as one attempt
	Died                 // the child died, but not the holder
	Lapsed               // the holder died, or returned without ending the claim
)

// Filter selects the jobs of a list. A field that is zero selects all jobs.
type Filter struct {
	Owner  string
	Kind   job.Kind
	State  client.State
	Limit  int    // greatest number of jobs on a page, at most 1000; 100 if 0
	Cursor string // cursor that List returned with the previous page; "" for the first page
}

// Stats has the numbers of jobs and their waiting times.
type Stats struct {
	Jobs   map[job.Kind]map[client.State]int
	Oldest map[Lane]time.Duration // how long the oldest queued job of a lane has waited
}
