package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/pavage/pavage/job"
)

// Submit submits a job, and waits for its end. The argument wait limits this time.
func (c *Client) Submit(ctx context.Context, r job.Request, l Limits, wait time.Duration) (*Job, error) {
	s, err := SubmissionOf(r)
	if err != nil {
		return nil, err
	}
	s.Limits = l
	k := call{method: http.MethodPost, path: "/v1/jobs", body: s}
	if wait > 0 {
		k.query = url.Values{"wait": {wait.String()}}
	}
	j := new(Job)
	return j, c.into(ctx, k, j)
}

// SubmissionOf returns the body of POST /v1/jobs that submits a request.
func SubmissionOf(r job.Request) (*Submission, error) {
	puzzle, fields, err := fieldsOf(r)
	if err != nil {
		return nil, err
	}
	delete(fields, "puzzle")
	s := &Submission{Kind: r.Kind(), Puzzle: puzzle}
	s.Options, err = json.Marshal(fields)
	return s, err
}

func fieldsOf(r job.Request) (puzzle json.RawMessage, fields map[string]json.RawMessage, err error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, nil, err
	}
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, nil, err
	}
	var p job.Puzzle
	if err := json.Unmarshal(fields["puzzle"], &p); err != nil {
		return nil, nil, fmt.Errorf("a request of the kind %s has no puzzle: %w", r.Kind(), err)
	}
	puzzle = puzzleJSON(p)
	fields["puzzle"] = puzzle
	return puzzle, fields, nil
}

func puzzleJSON(p job.Puzzle) json.RawMessage {
	p.Name = "" // the service chooses a name
	var value any = p
	if p.Text != "" && p.From == "" && p.Problem == "" && len(p.Values) == 0 {
		value = p.Text
	}
	text, err := json.Marshal(value)
	if err != nil { // cannot happen: every puzzle can be encoded
		panic(err)
	}
	return text
}

// Get returns the present state of a job.
func (c *Client) Get(ctx context.Context, id string) (*Job, error) {
	j := new(Job)
	return j, c.into(ctx, get(jobPath(id), nil), j)
}

func jobPath(id string) string { return "/v1/jobs/" + url.PathEscape(id) }

// Filter selects jobs for [Client.List]. An empty field excludes no job.
type Filter struct {
	Kind  job.Kind
	State State
}

// List yields the jobs of the caller, the newest first, without their answers.
func (c *Client) List(ctx context.Context, f Filter) iter.Seq2[Job, error] {
	return func(yield func(Job, error) bool) {
		query := url.Values{}
		set(query, "kind", string(f.Kind))
		set(query, "state", string(f.State))
		for {
			var page Jobs
			if err := c.into(ctx, get("/v1/jobs", query), &page); err != nil {
				yield(Job{}, err)
				return
			}
			for _, j := range page.Jobs {
				if !yield(j, nil) {
					return
				}
			}
			if page.Next == "" {
				return
			}
			query.Set("cursor", page.Next)
		}
	}
}

func set(query url.Values, name, value string) {
	if value != "" {
		query.Set(name, value)
	}
}

// Cancel cancels a job, and returns the job. The job may still run for a moment.
func (c *Client) Cancel(ctx context.Context, id string) (*Job, error) {
	j := new(Job)
	return j, c.into(ctx, call{method: http.MethodDelete, path: jobPath(id), again: true}, j)
}

// Output returns the tilings of a job as lines of JSON, or the file that the job has written. The
// caller must close the reader.
func (c *Client) Output(ctx context.Context, id string) (io.ReadCloser, error) {
	k := get(jobPath(id)+"/output", nil)
	k.accept = "*/*"
	sent, err := c.send(ctx, k)
	if err != nil {
		return nil, err
	}
	return sent.Body, nil
}

// AnswerOf returns the answer of a job as a type of package job, such as job.Counted for a count.
// It returns an error for a job that has failed or has not ended.
func AnswerOf[A any](j *Job) (*A, error) {
	switch {
	case j.Error != nil:
		return nil, j.Error
	case j.State != Done:
		return nil, &Problem{Status: http.StatusConflict, Title: "the job has no answer", Detail: fmt.Sprintf("the job %s is %s", j.ID, j.State)}
	}
	a := new(A)
	return a, json.Unmarshal(j.Answer, a)
}

const pollTime = 20 * time.Second

// Wait waits for the end of a job. A failed or canceled job is not an error of Wait.
func (c *Client) Wait(ctx context.Context, id string) (*Job, error) {
	for n := 0; ; n++ {
		j := new(Job)
		err := c.into(ctx, get(jobPath(id), url.Values{"wait": {pollTime.String()}}), j)
		switch {
		case err == nil && j.State.Ended():
			return j, nil
		case err == nil:
			n = 0 // n counts only consecutive errors
		case !passing(ctx, err), n == tries:
			return nil, err
		}
		if err := sleep(ctx, min(c.Pause<<n, maxPause)); err != nil {
			return nil, err
		}
	}
}

// Events yields the job after each change, until its end. It reconnects if the connection breaks.
func (c *Client) Events(ctx context.Context, id string) iter.Seq2[Job, error] {
	return func(yield func(Job, error) bool) {
		last := int64(-1)
		for n := 0; ; n++ {
			before := last
			more, err := c.follow(ctx, id, &last, yield)
			if last > before {
				n = 0 // n counts only consecutive errors
			}
			switch {
			case !more:
				return
			case !passing(ctx, err), n == tries:
				yield(Job{}, errors.Join(err, ctx.Err()))
				return
			}
			if err := sleep(ctx, min(c.Pause<<n, maxPause)); err != nil {
				yield(Job{}, err)
				return
			}
		}
	}
}

// follow yields the versions of the job that are newer than *last. If the stream breaks off, more
// is true and err is the reason.
func (c *Client) follow(ctx context.Context, id string, last *int64, yield func(Job, error) bool) (more bool, err error) {
	k := get(jobPath(id)+"/events", nil)
	k.accept = "text/event-stream"
	if *last >= 0 {
		k.header = http.Header{"Last-Event-ID": {strconv.FormatInt(*last, 10)}}
	}
	sent, err := c.send(ctx, k)
	if err != nil {
		return true, err
	}
	defer func() { _ = sent.Body.Close() }()
	lines := bufio.NewReaderSize(sent.Body, 1<<16)
	name := ""
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return true, &url.Error{Op: "Get", URL: jobPath(id), Err: err}
		}
		line = strings.TrimRight(line, "\r\n")
		if value, ok := strings.CutPrefix(line, "event: "); ok {
			name = value
		}
		value, ok := strings.CutPrefix(line, "data: ")
		switch {
		case !ok:
		case name == "end":
			return false, nil
		case name == "problem":
			p := new(Problem)
			return true, errors.Join(json.Unmarshal([]byte(value), p), p)
		default:
			var j Job
			if err := json.Unmarshal([]byte(value), &j); err != nil {
				return true, fmt.Errorf("an event of the job cannot be read: %w", err)
			}
			if j.Version > *last {
				*last = j.Version
				if !yield(j, nil) {
					return false, nil
				}
			}
			if j.State.Ended() {
				return false, nil
			}
		}
	}
}
