// Engines writes bench/engines.md: the time of auto and of each engine for every known count.
//
//	go run ./bench/engines [-limit 10s] [-memory 4294967296] [-rows REGEXP] [-commit ID] > bench/engines.md
//
// Each engine runs with one thread, in this process. The clock starts after the model is made. A
// short count is repeated and its best time is written, because other processes may slow a run. An
// engine is stopped after the limit, or after 1.25 times the time of the engine auto, whichever is
// longer. The engine auto is stopped after five minutes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/pavage/pavage/bench/report"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/facts"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

const (
	autoLimit = 5 * time.Minute
	short     = 6 * time.Second
	quick     = 300 * time.Millisecond
)

type bench struct {
	limit  time.Duration
	memory int64
	rows   *regexp.Regexp
	commit string
}

func main() {
	var b bench
	flag.DurationVar(&b.limit, "limit", 10*time.Second, "give an engine up after `TIME` of the processor")
	flag.Int64Var(&b.memory, "memory", 4<<30, "`BYTES` an engine may use")
	rows := flag.String("rows", "", "only rows that match `REGEXP`")
	flag.StringVar(&b.commit, "commit", "unknown", "`ID` of the measured commit")
	flag.Parse()
	var err error
	if b.rows, err = regexp.Compile(*rows); err == nil {
		err = b.write(os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "engines:", err)
		os.Exit(1)
	}
}

func (b *bench) write(w io.Writer) error {
	debug.SetMemoryLimit(b.memory)
	fmt.Fprintf(w, heading, b.commit, report.Today(), report.Machine(), b.limit, b.memory>>20)
	over, worst, rows := 0, 0.0, 0
	for _, row := range facts.Counts() {
		if !b.rows.MatchString(row.ID) {
			continue
		}
		r, err := b.row(row)
		if err != nil {
			return fmt.Errorf("%s: %w", row.ID, err)
		}
		number, chose, best, ratio := "", "", "", ""
		if r.auto.result != nil {
			number, chose = shortened(r.auto.result.Count), string(r.auto.result.Engine)
		}
		if k := r.best(); k >= 0 {
			best = string(engines[k])
		}
		if x := r.ratio(); x > 0 {
			ratio = fmt.Sprintf("%.2f", x)
		}
		cells := []string{r.id, number, r.auto.text(), chose}
		for _, m := range r.by {
			cells = append(cells, m.text())
		}
		fmt.Fprintln(w, "| "+strings.Join(append(cells, best, ratio), " | ")+" |")
		rows++
		if x := r.ratio(); x > 0 {
			worst = max(worst, x)
			if x > wanted {
				over++
			}
		}
	}
	_, err := fmt.Fprintf(w, "\n%d rows; the worst ratio is %.2f, and %d ratios are over %.1f.\n", rows, worst, over, wanted)
	return err
}

const wanted = 1.5

const heading = `# Auto against every engine

Commit %s, %s, %s, one thread. The table
has seconds of processor time, user and system, to count a puzzle, without the time to read it:
the best of several runs. An engine is stopped after %v, or after a quarter more than the
time of auto if that is longer, and when it needs more than %d MiB. "over" means stopped.
` + "`make bench-engines`" + ` makes this table again.

| row | count | auto | chose | sweep | search | diagram | best | auto/best |
|---|---:|---:|---|---:|---:|---:|---|---:|
`

type measured struct {
	seconds float64
	failure string // "" if the count succeeded
	result  *count.Result
}

func (m measured) text() string {
	if m.failure != "" {
		return m.failure
	}
	s := m.seconds
	switch {
	case s < 0.01:
		return fmt.Sprintf("%.5f", s)
	case s < 1:
		return fmt.Sprintf("%.3f", s)
	}
	return fmt.Sprintf("%.1f", s)
}

var engines = []count.Engine{count.Sweep, count.Search, count.Diagram}

type result struct {
	id   string
	auto measured
	by   []measured // indexed like the variable engines
}

func (b *bench) row(row facts.Row) (*result, error) {
	puzzle, err := puzzlefile.Parse(row.ID, []byte(row.Puzzle))
	if err != nil {
		return nil, err
	}
	model, err := puzzle.Model(context.Background())
	if err != nil {
		return nil, err
	}
	r := &result{id: row.ID}
	if r.auto, err = b.measure(model.Problem, row.Count, count.Auto, autoLimit); err != nil {
		return nil, err
	}
	limit := max(b.limit, time.Duration(1.25*r.auto.seconds*float64(time.Second)))
	for _, e := range engines {
		m, err := b.measure(model.Problem, row.Count, e, limit)
		if err != nil {
			return nil, err
		}
		r.by = append(r.by, m)
	}
	return r, nil
}

func (r *result) best() int {
	best := -1
	for k, m := range r.by {
		if m.failure == "" && (best < 0 || m.seconds < r.by[best].seconds) {
			best = k
		}
	}
	return best
}

func (r *result) ratio() float64 {
	best := r.best()
	if best < 0 || r.auto.failure != "" {
		return 0
	}
	return r.auto.seconds / r.by[best].seconds
}

func shortened(n *big.Int) string {
	if s := n.String(); len(s) <= 16 {
		return s
	}
	x, _ := new(big.Float).SetInt(n).Float64()
	return fmt.Sprintf("%.4g", x)
}

func (b *bench) measure(p *cover.Problem, want *big.Int, e count.Engine, limit time.Duration) (measured, error) {
	var best measured
	start := time.Now()
	for k := 0; k == 0 || time.Since(start) < quick || k < 3 && time.Since(start) < short; k++ {
		m, err := b.once(p, e, limit)
		if err != nil || m.failure != "" {
			return m, err
		}
		if want != nil && m.result.Count.Cmp(want) != 0 {
			return m, fmt.Errorf("%s counts %v, expected %v", e, m.result.Count, want)
		}
		if k == 0 || m.seconds < best.seconds {
			best = m
		}
	}
	return best, nil
}

func (b *bench) once(p *cover.Problem, e count.Engine, limit time.Duration) (measured, error) {
	runtime.GC()
	ctx, cancel := withProcessorLimit(limit)
	defer cancel()
	start := processorTime()
	r, err := count.Count(ctx, p, e, count.Options{Limits: count.Limits{Threads: 1, Memory: b.memory}})
	m := measured{seconds: (processorTime() - start).Seconds(), result: r}
	switch {
	case errors.Is(err, context.Canceled):
		m.failure = fmt.Sprintf("over %.0f s", limit.Seconds())
	case errors.Is(err, cover.ErrMemory):
		m.failure = "memory"
	case errors.Is(err, count.ErrTooWide):
		m.failure = "too wide"
	case err != nil:
		return m, err
	}
	return m, nil
}

// withProcessorLimit returns a context that ends after the given processor time of the process.
func withProcessorLimit(limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	end := processorTime() + limit
	go func() {
		defer cancel()
		for processorTime() < end {
			select {
			case <-ctx.Done():
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	return ctx, cancel
}
