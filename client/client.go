// Package client sends requests to a Pavage service.
//
// [New] makes a [Client]; its methods have the names of the requests. [Client.Submit] makes a job
// for long work.
//
// # Purpose
//
// A program that wants counts and tilings from a service sends the requests of package
// job, and gets the answers of that package:
//
//	c, err := client.New("http://localhost:8080")
//	counted, err := c.Count(ctx, &job.Count{Puzzle: job.Puzzle{Board: "8x8", Pieces: []string{"domino=any"}}})
//	counted.Count // "12988816"
//
// Long work is a job of the service:
//
//	Submit ─► Job ─┬─► Wait ─────► the job at its end, with its answer
//	               ├─► Events ───► the job whenever it has changed
//	               ├─► Output ───► its tilings, or its file
//	               └─► Cancel
//
// AnswerOf reads the answer of a job that is done.
//
// # Which puzzle
//
// A [job.Puzzle] is one of these:
//
//	job.Puzzle{Board: "8x8", Pieces: []string{"domino=any"}}   a board and names of pieces with their copies
//	job.Puzzle{Example: "soma"}                                a bundled example; Examples lists them
//	job.Puzzle{Text: "board: 8x8\npieces: …"}                  the text of a puzzle file or of an exact cover
//
// # Retries
//
// A request that changes nothing is sent again if the service cannot be reached for a moment, or
// answers that it is busy or about to stop (429 or 503, with Retry-After). A request that makes a
// job is sent once: if its answer is lost, the client cannot find out whether the job was made.
// Wait and Events continue after a broken connection, and after a restart of the service.
//
// # Errors
//
// If the service refuses a request, the error is a [*Problem]. It has a status, a description of
// the mistake, and the place of the mistake in the puzzle. Errors of other types come from the
// connection or the context.
//
// # Non-goals
//
// The package has no queue and no cache.
package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Client sends requests to a service. Its methods may be called by several goroutines at once.
// Change its fields before the first call.
type Client struct {
	base *url.URL // has no slash at its end

	Token string        // sent with each request unless empty
	HTTP  *http.Client  // must have no time limit: a limit would end streams
	Pause time.Duration // pause before a request is sent again; it doubles each time, and Retry-After can lengthen it
}

// New returns a client of the service at an address such as http://localhost:8080, without a token.
func New(address string) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("%q is not the address of a service, expected an address such as http://localhost:8080", address)
	}
	return &Client{base: base, HTTP: http.DefaultClient, Pause: 200 * time.Millisecond}, nil
}

const tries = 5

const maxPause = 30 * time.Second

type call struct {
	method string
	path   string
	query  url.Values
	body   any // sent as JSON unless nil
	accept string
	header http.Header
	again  bool
}

func get(path string, query url.Values) call {
	return call{method: http.MethodGet, path: path, query: query, again: true}
}

// The caller of send must close the body of the answer.
func (c *Client) send(ctx context.Context, k call) (*http.Response, error) {
	pause := c.Pause
	for n := 1; ; n++ {
		answer, err := c.once(ctx, k)
		if err == nil || !k.again || n == tries || !passing(ctx, err) {
			return answer, err
		}
		var p *Problem
		if errors.As(err, &p) && p.RetryAfter > 0 {
			pause = max(pause, p.RetryAfter)
		}
		if err := sleep(ctx, min(pause, maxPause)); err != nil {
			return nil, err
		}
		pause *= 2
	}
}

func passing(ctx context.Context, err error) bool {
	var p *Problem
	if errors.As(err, &p) {
		return p.Status == http.StatusTooManyRequests || p.Status == http.StatusServiceUnavailable
	}
	var lost *url.Error
	return ctx.Err() == nil && errors.As(err, &lost)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Client) once(ctx context.Context, k call) (*http.Response, error) {
	at := c.base.String() + k.path
	if len(k.query) > 0 {
		at += "?" + k.query.Encode()
	}
	var body io.Reader
	if k.body != nil {
		text, err := json.Marshal(k.body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, k.method, at, body)
	if err != nil {
		return nil, err
	}
	if k.header != nil {
		r.Header = k.header.Clone()
	}
	r.Header.Set("Accept", cmp.Or(k.accept, "application/json"))
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.Token)
	}
	answer, err := c.HTTP.Do(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode >= 400 {
		defer func() { _ = answer.Body.Close() }()
		return nil, problemOf(answer)
	}
	return answer, nil
}

const maxProblem = 1 << 20

func problemOf(answer *http.Response) error {
	p := &Problem{Status: answer.StatusCode}
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxProblem))
	if err != nil || json.Unmarshal(text, p) != nil || p.Detail == "" {
		p.Detail = answer.Status
	}
	p.Status = answer.StatusCode
	if seconds, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil && seconds > 0 {
		p.RetryAfter = time.Duration(seconds) * time.Second
	}
	return p
}

func (c *Client) into(ctx context.Context, k call, answer any) error {
	sent, err := c.send(ctx, k)
	if err != nil {
		return err
	}
	defer func() { _ = sent.Body.Close() }()
	if err := json.NewDecoder(sent.Body).Decode(answer); err != nil {
		return fmt.Errorf("the answer of %s cannot be read: %w", k.path, err)
	}
	return nil
}
