package metrics

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/pavage/pavage/server/queue"
)

// Sources has functions that each scrape calls.
type Sources struct {
	Jobs func(ctx context.Context) (queue.Stats, error) // if nil, there are no metrics of jobs
	Held map[string]func() int64                        // functions that return bytes of memory or disk, indexed by what uses the bytes
}

// patience is the longest wait for Sources.Jobs. Prometheus waits ten seconds for all metrics, so
// it gets the other metrics even if Sources.Jobs does not return.
const patience = 5 * time.Second

// Watch makes each scrape call the functions of s. Call Watch only once.
func (m *Metrics) Watch(s Sources) { m.registry.MustRegister(watcher{s}) }

var (
	jobsDesc   = prometheus.NewDesc("pavage_jobs", "Jobs in the database.", []string{"kind", "state"}, nil)
	oldestDesc = prometheus.NewDesc("pavage_queue_age_seconds", "How long the oldest queued job waits.", []string{"lane"}, nil)
	heldDesc   = prometheus.NewDesc("pavage_held_bytes", "Bytes that are held.", []string{"what"}, nil)
)

// watcher sets a time limit itself, since Prometheus passes no context to a collector.
type watcher struct{ Sources }

func (w watcher) Describe(to chan<- *prometheus.Desc) {
	to <- jobsDesc
	to <- oldestDesc
	to <- heldDesc
}

func (w watcher) Collect(to chan<- prometheus.Metric) {
	for _, what := range slices.Sorted(maps.Keys(w.Held)) {
		to <- gauge(heldDesc, float64(w.Held[what]()), what)
	}
	if w.Jobs == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	jobs, err := w.Jobs(ctx)
	if err != nil {
		to <- prometheus.NewInvalidMetric(jobsDesc, err)
		return
	}
	for kind, states := range jobs.Jobs {
		for state, n := range states {
			to <- gauge(jobsDesc, float64(n), string(kind), string(state))
		}
	}
	for lane, age := range jobs.Oldest {
		to <- gauge(oldestDesc, age.Seconds(), string(lane))
	}
}

func gauge(desc *prometheus.Desc, value float64, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
}
