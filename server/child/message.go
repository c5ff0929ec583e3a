package child

import (
	"encoding/json"
	"fmt"

	"github.com/pavage/pavage/job"
)

// Task is a piece of work for a child.
type Task struct {
	Kind    job.Kind        `json:"kind"`
	Request json.RawMessage `json:"request"` // as job.Decode reads it
	// Keep is the largest source of a sample, in bytes of memory, that the child saves for
	// Child.Source; 0: none.
	Keep int64 `json:"keep,omitempty"`
	// Limits are the task's share. Time is measured from the begin of the task. If Disk is
	// not "", levels may go to a disk. They go to the child's own folder, which is removed
	// at the end of the child. Programs is always false.
	Limits job.Limits `json:"limits"`
}

// line is what a parent says to a child, as JSON in one line. One field is set.
type line struct {
	Task   *Task `json:"task,omitempty"`   // begin this work
	Cancel bool  `json:"cancel,omitempty"` // end the work
	Kept   bool  `json:"kept,omitempty"`   // the answer is safe
	Number int64 `json:"number"`           // of the task, from 1: what is said of an earlier one comes too late
}

// encode is the line as bytes.
func (l line) encode() ([]byte, error) {
	text, err := json.Marshal(l)
	switch {
	case err != nil:
		return nil, job.NewError(job.BadInput, fmt.Errorf("the request is no JSON: %w", err))
	case len(text) >= maxFrame:
		return nil, job.NewError(job.Limit, fmt.Errorf("the request has %d bytes, a child takes %d", len(text), maxFrame))
	}
	return append(text, '\n'), nil
}

// progress is a job.Progress with all its fields.
type progress struct {
	job.Progress
	Step  int `json:"step"`
	Steps int `json:"steps"`
}

// note is a job.Note.
type note struct {
	Weight job.Weight `json:"weight"`
	Text   string     `json:"text"`
	Fields []any      `json:"fields,omitempty"`
}
