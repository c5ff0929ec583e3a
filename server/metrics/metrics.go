// Package metrics counts what the service does, for Prometheus.
//
// # Purpose
//
// A person who runs the service wants to see whether it works well: the number of
// requests and the time of their answers, the number of jobs that wait and for how
// long, what its children do, and how much memory and disk it uses. The type
// [Metrics] has all these numbers:
//
//	other parts call Request, Known, Quick, Queued, Counted, Child ──► counters ─────┐
//	                                                                                 ├─► Handler
//	a scrape calls the functions given to Watch ──► numbers of jobs, of held bytes ──┘
//
// # Names
//
//	pavage_requests_total{route,code}        requests answered
//	pavage_request_seconds{route}            histogram of the time until the answer ended
//	pavage_answers_total{kind,from}          where answers came from: known (the store), quick
//	                                         (counted at once), queued (a job was made)
//	pavage_states_total{kind}                states, tries, tilings … that were counted
//	pavage_children_total{event}             started, ended, died, or a signal such as killed
//	pavage_jobs{kind,state}                  rows of the table of jobs
//	pavage_queue_age_seconds{lane}           how long the oldest queued job waits
//	pavage_held_bytes{what}                  bytes held: store, sources …
//	go_*, process_*                          Go's runtime and the process
//
// The number of states per second is rate(pavage_states_total[1m]).
//
// # Non-goals
//
// No label has a value that a stranger can make up, such as an id, a path or a puzzle:
// each new value would take memory for ever. A route is the pattern of a handler.
//
// # Cost
//
// A counter costs less than a microsecond. A scrape makes three queries to the database.
//
// # References
//
// https://prometheus.io/docs/practices/naming/
package metrics

import (
	"net/http"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/pavage/pavage/job"
)

// Metrics has the metrics of a service. Its methods may be called by several goroutines at once.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	answers  *prometheus.CounterVec
	states   *prometheus.CounterVec
	children *prometheus.CounterVec
}

// buckets are in seconds. A known answer needs a millisecond; a minute is possible with ?wait=.
var buckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}

// New returns metrics with a registry of their own.
func New() *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: counter("requests_total", "Requests answered.", "route", "code"),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: "pavage", Name: "request_seconds", Buckets: buckets,
			Help: "Seconds until the answer to a request had ended.",
		}, []string{"route"}),
		answers:  counter("answers_total", "Where answers came from: known, quick or queued.", "kind", "from"),
		states:   counter("states_total", "States, tries or tilings that were counted.", "kind"),
		children: counter("children_total", "What became of child processes.", "event"),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.answers, m.states, m.children,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "pavage", Name: name, Help: help}, labels)
}

// Handler returns a handler that answers scrapes.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}

// Request counts an answered request. The route is the pattern of its handler.
func (m *Metrics) Request(route string, code int, seconds float64) {
	m.requests.WithLabelValues(route, strconv.Itoa(code)).Inc()
	m.seconds.WithLabelValues(route).Observe(seconds)
}

// Known counts an answer from the store.
func (m *Metrics) Known(kind job.Kind) { m.answer(kind, "known") }

// Quick counts an answer that the process of the service has computed at once.
func (m *Metrics) Quick(kind job.Kind) { m.answer(kind, "quick") }

// Queued counts a request that became a job.
func (m *Metrics) Queued(kind job.Kind) { m.answer(kind, "queued") }

func (m *Metrics) answer(kind job.Kind, from string) {
	m.answers.WithLabelValues(string(kind), from).Inc()
}

// Counted adds a number of states to the counter of states. A negative number is ignored.
func (m *Metrics) Counted(kind job.Kind, states int64) {
	if states > 0 {
		m.states.WithLabelValues(string(kind)).Add(float64(states))
	}
}

// Child counts an event of a child process, such as started, ended or killed.
func (m *Metrics) Child(event string) {
	m.children.WithLabelValues(event).Inc()
}
