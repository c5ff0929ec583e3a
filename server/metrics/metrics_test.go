package metrics

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/queue"
)

// scraped returns the lines of a scrape that begin with pavage.
func scraped(t *testing.T, m *Metrics) (lines []string) {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	for line := range strings.Lines(w.Body.String()) {
		if strings.HasPrefix(line, "pavage_") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	for _, name := range []string{"go_goroutines ", "go_memstats_heap_alloc_bytes "} {
		if !strings.Contains(w.Body.String(), "\n"+name) {
			t.Errorf("no %s", name)
		}
	}
	return lines
}

// TestScrape: a scrape has the reported numbers.
func TestScrape(t *testing.T) {
	m := New()
	m.Request("GET /v1/count", 200, 0.02)
	m.Request("GET /v1/count", 200, 0.03)
	m.Request("none", 404, 0.001)
	m.Known("count")
	m.Known("count")
	m.Quick("count")
	m.Queued("sample")
	m.Counted("count", 1000)
	m.Counted("count", 500)
	m.Counted("count", 0)
	m.Counted("count", -5) // a counter panics if it falls
	m.Child("started")
	m.Child("killed")
	m.Watch(Sources{
		Held: map[string]func() int64{"store": func() int64 { return 77 }},
		Jobs: func(context.Context) (queue.Stats, error) {
			return queue.Stats{
				Jobs:   map[job.Kind]map[client.State]int{"count": {"running": 3}},
				Oldest: map[queue.Lane]time.Duration{"short": 1500 * time.Millisecond},
			}, nil
		},
	})
	got := scraped(t, m)
	for _, want := range []string{
		`pavage_requests_total{code="200",route="GET /v1/count"} 2`,
		`pavage_requests_total{code="404",route="none"} 1`,
		`pavage_request_seconds_count{route="GET /v1/count"} 2`,
		`pavage_request_seconds_bucket{route="GET /v1/count",le="0.025"} 1`,
		`pavage_answers_total{from="known",kind="count"} 2`,
		`pavage_answers_total{from="quick",kind="count"} 1`,
		`pavage_answers_total{from="queued",kind="sample"} 1`,
		`pavage_states_total{kind="count"} 1500`,
		`pavage_children_total{event="started"} 1`,
		`pavage_children_total{event="killed"} 1`,
		`pavage_held_bytes{what="store"} 77`,
		`pavage_jobs{kind="count",state="running"} 3`,
		`pavage_queue_age_seconds{lane="short"} 1.5`,
	} {
		if !strings.Contains("\n"+strings.Join(got, "\n")+"\n", "\n"+want+"\n") {
			t.Errorf("no %s", want)
		}
	}
	if t.Failed() {
		t.Log(strings.Join(got, "\n"))
	}
}

// TestFailedSource: without the database, a scrape has the other metrics, within a time limit.
func TestFailedSource(t *testing.T) {
	m := New()
	m.Child("started")
	m.Watch(Sources{Jobs: func(ctx context.Context) (queue.Stats, error) {
		if _, bounded := ctx.Deadline(); !bounded {
			t.Error("a scrape waits for ever")
		}
		return queue.Stats{}, errors.New("no database")
	}})
	got := strings.Join(scraped(t, m), "\n")
	if !strings.Contains(got, "pavage_children_total") || strings.Contains(got, "pavage_jobs{") {
		t.Error(got)
	}
}

// TestOwnRegistry: two services in a process have separate metrics.
func TestOwnRegistry(t *testing.T) {
	a, b := New(), New()
	a.Child("started")
	if got := strings.Join(scraped(t, b), "\n"); strings.Contains(got, "children") {
		t.Error(got)
	}
}
