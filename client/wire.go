package client

import (
	"encoding/json"
	"time"

	"github.com/pavage/pavage/job"
)

// Submission is the body of POST /v1/jobs.
type Submission struct {
	Kind job.Kind `json:"kind"`
	// Puzzle is a string or an object. A string is a name, such as "name:soma", or the text of a
	// puzzle file. An object is a job.Puzzle, or the content of a puzzle file.
	Puzzle json.RawMessage `json:"puzzle"`
	// Options has the fields of the request in package job, except the puzzle.
	Options json.RawMessage `json:"options,omitempty" doc:"the options of this kind of job: see the schemas, such as CountOptions"`
	Limits  Limits          `json:"limits,omitzero"`
}

// TilingRequest is the body of POST /v1/tilings.
type TilingRequest struct {
	Puzzle json.RawMessage `json:"puzzle"`
	Rank   string          `json:"rank" required:"true" expected:"a text such as 12, first or last" doc:"the number of the tiling among the tilings that meet the conditions, from 0; or the word first or last" example:"12"`

	job.Conditions
}

// Limits has the limits of a job. The service lowers them to the limits of the caller.
type Limits struct {
	Memory  string `json:"memory,omitempty" expected:"a text such as 512MiB" doc:"memory limit of the job, such as 512MiB; by default the largest limit of the caller"`
	Threads int    `json:"threads,omitempty"`
	Timeout string `json:"timeout,omitempty" expected:"a text such as 30s or 2h" doc:"the job fails after this time, such as 30s or 2h"`
}

// State is a stage in the life of a job:
//
//	queued ──► running ──► done
//	   ▲  ╲       │  ╲ ──► failed
//	   │   ╲──────┼──────► canceled
//	   └──────────┘ the process died, or the service is stopped
type State string

// The states of a job. The last three are final.
const (
	Queued   State = "queued"
	Running  State = "running"
	Done     State = "done"
	Failed   State = "failed"
	Canceled State = "canceled"
)

// Ended reports whether the state is final.
func (s State) Ended() bool { return s == Done || s == Failed || s == Canceled }

// Job is a job that the service has accepted.
type Job struct {
	ID       string          `json:"id"`
	URL      string          `json:"url" doc:"the path of the job in the service"`
	Kind     job.Kind        `json:"kind"`
	State    State           `json:"state" enum:"queued,running,done,failed,canceled"`
	Created  time.Time       `json:"created"`
	Started  time.Time       `json:"started,omitzero" doc:"begin of the last try"`
	Ended    time.Time       `json:"ended,omitzero"`
	Version  int64           `json:"version"` // rises with every change
	Attempts int             `json:"attempts" doc:"number of times that the work was begun, without the tries that the service itself has stopped to continue them later"`
	Progress *Progress       `json:"progress,omitempty"`
	Plan     *job.Plan       `json:"plan,omitempty"`
	Answer   json.RawMessage `json:"answer,omitempty"` // set once the job is done; see AnswerOf
	Error    *Problem        `json:"error,omitempty" doc:"why the job failed"`
	Output   string          `json:"output,omitempty" doc:"the path of the tilings or the file; absent if the job makes neither tilings nor a file"`
	Request  *Submission     `json:"request,omitempty" doc:"the request without its limits; only in an answer to a call with ?request=true"`
}

// Progress is the progress of a job in the present stage of its work.
type Progress struct {
	job.Progress
	Left float64 `json:"left_seconds,omitempty" doc:"expected time until the end of the job; absent if this time is not known"`
}

// Jobs is a page of jobs, the newest first, without answers and plans.
type Jobs struct {
	Jobs []Job  `json:"jobs"`
	Next string `json:"next,omitempty" doc:"cursor of the next page; absent on the last page"`
}

// JobLink is the body of a redirection to a job, for clients that do not follow redirections.
type JobLink struct {
	ID  string `json:"id"`
	URL string `json:"url" doc:"the path of the job, as in the header Location; with ?wait=60s, the service answers at the end of the job, or after 60 s"`
}

// Checked is the puzzle as the service reads it, or the mistakes in it.
type Checked struct {
	OK     bool       `json:"ok" doc:"whether the puzzle is valid"`
	Errors []Detail   `json:"errors,omitempty" doc:"the mistakes in the puzzle"`
	Puzzle *job.Shown `json:"puzzle,omitempty"` // includes the reasons why the puzzle has no tiling, if any
}

// Version is the version of a service.
type Version struct {
	Version string `json:"version" doc:"version of the program"`
	API     string `json:"api" doc:"version of the interface, the first part of each path"`
}

// Problem is an error of the service in the form of RFC 9457, application/problem+json.
type Problem struct {
	Type       string        `json:"type,omitempty"`
	Title      string        `json:"title,omitempty"`
	Status     int           `json:"status,omitempty"`
	Detail     string        `json:"detail,omitempty"`
	Errors     []Detail      `json:"errors,omitempty"`
	RetryAfter time.Duration `json:"-"` // from the header Retry-After; 0 without it
}

// Detail is a single mistake in a request.
type Detail struct {
	Message  string `json:"message,omitempty"`
	Location string `json:"location,omitempty" doc:"such as body.options.engine"`
	Line     int    `json:"line,omitempty" doc:"line of the mistake, from 1, in the text of a puzzle or in a body that is not JSON"`
	Column   int    `json:"column,omitempty" doc:"column of the mistake in its line, from 1"`
}

func (p *Problem) Error() string { return p.Detail }
