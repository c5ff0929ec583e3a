package queue

import (
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
