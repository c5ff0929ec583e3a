package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/access"
	"github.com/pavage/pavage/server/api"
	"github.com/pavage/pavage/server/child"
	"github.com/pavage/pavage/server/metrics"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/store"
	"github.com/pavage/pavage/server/worker"
)

// site is a service with the interface.
type site struct {
	*httptest.Server
	fake   *fake // nil: the real parts
	jobs   api.Jobs
	client *client.Client
	caller access.Caller // caller of all requests
}

// newSite returns a service over a fake, with changed options.
func newSite(t *testing.T, change func(*api.Options)) *site {
	t.Helper()
	f := newFake(t)
	s := open(t, api.Options{Work: f, Jobs: f}, change)
	s.fake = f
	return s
}

func open(t *testing.T, o api.Options, change func(*api.Options)) *site {
	t.Helper()
	o.Version = "v0.0.0-test"
	if change != nil {
		change(&o)
	}
	s := &site{jobs: o.Jobs, caller: access.Caller{Name: access.Local, Role: access.Admin}}
	handler := api.New(o)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r.WithContext(access.With(r.Context(), s.caller)))
	}))
	t.Cleanup(s.Close)
	c, err := client.New(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	c.Pause = time.Millisecond
	s.client = c
	return s
}

// onBoth runs a test over a fake and over the real parts.
func onBoth(t *testing.T, test func(t *testing.T, s *site)) {
	t.Run("fake", func(t *testing.T) { test(t, newSite(t, nil)) })
	t.Run("real", func(t *testing.T) { test(t, newReal(t)) })
}

// childVariable makes this program a child.
const childVariable = "PAVAGE_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		os.Exit(child.Main(os.Stdin, os.Stdout))
	}
	code := m.Run()
	http.DefaultClient.CloseIdleConnections()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Println("goroutines are left:", err)
		code = 1
	}
	os.Exit(code)
}

// newReal returns a service with a queue on SQLite, a store, and a worker with children.
func newReal(t *testing.T) *site {
	t.Helper()
	data := t.TempDir()
	log := zerolog.New(zerolog.NewTestWriter(t))
	q, err := queue.OpenSQLite(t.Context(), filepath.Join(data, "pavage.db"), queue.Options{Poll: 5 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := store.Open(filepath.Join(data, "store"), store.Options{Keep: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	w, err := worker.New(q, kept, worker.Options{
		Limits: job.Limits{Memory: 1 << 30, Threads: 2}, Data: data, Child: child.Options{Env: []string{childVariable + "=1"}}, Log: log, Metrics: metrics.New(),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() { w.Work(ctx) })
	t.Cleanup(func() {
		cancel()
		working.Wait()
		if err := errors.Join(w.Close(), q.Close(), kept.Close()); err != nil {
			t.Error(err)
		}
	})
	return open(t, api.Options{Work: w, Jobs: q}, nil)
}

// reply is an answer with its whole body.
type reply struct {
	*http.Response
	text string
}

// ask sends a request: method, path, body, and headers as "Name: value".
func (s *site) ask(t *testing.T, method, path, body string, headers ...string) reply {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	once := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := once.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{answer, string(text)}
}

// decode reads the answer as JSON.
func decode[T any](t *testing.T, r reply) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.text), &v); err != nil {
		t.Fatalf("%s: %v", r.text, err)
	}
	return v
}

func (r reply) status(t *testing.T, want int) reply {
	t.Helper()
	if r.StatusCode != want {
		t.Fatalf("%s %s: status %d, want %d: %s", r.Request.Method, r.Request.URL, r.StatusCode, want, r.text)
	}
	return r
}
