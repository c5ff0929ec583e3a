package client_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
)

// script answers requests in turn with its functions. The last function answers all further requests.
type script struct {
	mu       sync.Mutex
	requests []*http.Request
	steps    []http.HandlerFunc
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, r)
	step := s.steps[min(len(s.requests), len(s.steps))-1]
	s.mu.Unlock()
	step(w, r)
}

func play(t *testing.T, steps ...http.HandlerFunc) (*client.Client, *script) {
	t.Helper()
	s := &script{steps: steps}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	c, err := client.New(server.URL + "/")
	if err != nil {
		t.Fatal(err)
	}
	c.Pause = time.Millisecond
	return c, s
}

func status(code int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		_, _ = fmt.Fprint(w, body)
	}
}

func cut(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

var puzzle = job.Puzzle{Board: "2x3", Pieces: []string{"domino=any"}}

// TestAgain: a request that changes nothing is repeated for some time.
func TestAgain(t *testing.T) {
	c, s := play(t, cut, status(503, `{"detail":"busy"}`), status(429, "slowly"), status(200, `{"count":"3"}`))
	c.Token = "secret"
	counted, err := c.Count(t.Context(), &job.Count{Puzzle: puzzle})
	if err != nil || counted.Count != "3" || s.requests[3].Header.Get("Authorization") != "Bearer secret" {
		t.Errorf("%+v, %v", counted, err)
	}
	c, s = play(t, status(503, `{"title":"Service Unavailable","detail":"busy"}`))
	_, err = c.Version(t.Context())
	var p *client.Problem
	if !errors.As(err, &p) || p.Status != 503 || p.Detail != "busy" || len(s.requests) != 5 {
		t.Errorf("%v after %d requests", err, len(s.requests))
	}
}

// TestNotAgain: a request that is refused and a request that makes a job are sent once.
func TestNotAgain(t *testing.T) {
	c, s := play(t, status(404, `{"detail":"no"}`))
	if _, err := c.Get(t.Context(), "x"); err == nil || len(s.requests) != 1 {
		t.Errorf("%v after %d requests", err, len(s.requests))
	}
	c, s = play(t, status(503, "", "Retry-After", "7"))
	_, err := c.Submit(t.Context(), &job.Count{Puzzle: puzzle}, client.Limits{}, 0)
	var p *client.Problem
	if !errors.As(err, &p) || p.RetryAfter != 7*time.Second || p.Detail == "" || len(s.requests) != 1 {
		t.Errorf("%v after %d requests", err, len(s.requests))
	}
}

func event(name string, id int, data string) string {
	return fmt.Sprintf("id: %d\nevent: %s\ndata: %s\n\n", id, name, data)
}

// TestEventsGoOn: after a break the follower sends the last version that it has seen, and receives
// no version twice.
func TestEventsGoOn(t *testing.T) {
	c, s := play(t,
		func(w http.ResponseWriter, r *http.Request) {
			status(200, ": alive\n\n"+event("job", 1, `{"id":"a","state":"queued","version":1}`))(w, r)
			_ = http.NewResponseController(w).Flush()
			cut(w, r)
		},
		status(200, event("job", 2, `{"id":"a","state":"running","version":2}`)+event("job", 3, `{"id":"a","state":"done","version":3}`)+event("end", 3, `{}`)),
	)
	var seen []string
	for j, err := range c.Events(t.Context(), "a") {
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, fmt.Sprint(j.Version, j.State))
	}
	if got := strings.Join(seen, " "); got != "1queued 2running 3done" {
		t.Errorf("%s", got)
	}
	if last := s.requests[1].Header.Get("Last-Event-ID"); last != "1" {
		t.Errorf("Last-Event-ID %q", last)
	}
}

// TestWait: a client that waits needs no events, and continues after breaks.
func TestWait(t *testing.T) {
	n := 0
	c, _ := play(t, func(w http.ResponseWriter, r *http.Request) {
		switch n++; {
		case n%2 == 1:
			cut(w, r)
		case n < 10:
			status(200, `{"id":"a","state":"running","version":2}`)(w, r)
		default:
			status(200, `{"id":"a","state":"done","version":3}`)(w, r)
		}
	})
	if j, err := c.Wait(t.Context(), "a"); err != nil || j.State != client.Done {
		t.Errorf("%+v, %v", j, err)
	}
}

// TestTilingsThatBreakOff: half a stream is an error.
func TestTilingsThatBreakOff(t *testing.T) {
	for _, rest := range []string{"", `{"rank":`} {
		c, _ := play(t, func(w http.ResponseWriter, r *http.Request) {
			status(200, "{\"rank\":\"1\"}\n"+rest)(w, r)
			_ = http.NewResponseController(w).Flush()
			cut(w, r)
		})
		n, failed := 0, false
		for _, err := range c.Samples(t.Context(), &job.Sample{Puzzle: puzzle, Number: 5}) {
			if n++; err != nil {
				failed = true
			}
		}
		if !failed || n > 2 {
			t.Errorf("%d tilings, and an error: %v", n, failed)
		}
	}
}

// TestFailedJob: a count whose job fails is an error with the reason.
func TestFailedJob(t *testing.T) {
	c, _ := play(t,
		status(303, "", "Location", "/v1/jobs/a"),
		status(200, `{"id":"a","state":"failed","version":2,"error":{"status":422,"detail":"too wide"}}`))
	var p *client.Problem
	if _, err := c.Count(t.Context(), &job.Count{Puzzle: puzzle}); !errors.As(err, &p) || p.Detail != "too wide" {
		t.Errorf("%v", err)
	}
}

func TestAddress(t *testing.T) {
	for _, address := range []string{"", "localhost:8080", "ftp://x", "http://"} {
		if _, err := client.New(address); err == nil {
			t.Errorf("%q is an address", address)
		}
	}
}
