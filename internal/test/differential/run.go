package differential

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// Campaign is a run over the cases of seeds First, First+1, …
type Campaign struct {
	First, Cases uint64
	Make         func(seed uint64) (*Case, error) // nil: FromSeed
	Workers      int                              // 0: one a core
	// Most is the number of disagreements after which it ends; 0: one.
	Most int
	// Report, if not nil, is told now and then how far it is, and Found of each
	// disagreement. Calls do not overlap.
	Report func(Summary)
	Found  func(*Disagreement)
}

// Summary is what a campaign did.
type Summary struct {
	Cases         uint64
	Elapsed       time.Duration
	Tally         Tally
	Disagreements []*Disagreement // by seed
	Slowest       *Case
	Longest       time.Duration // that it took
}

// String is a line.
func (s Summary) String() string {
	var kinds []string
	for _, k := range kindWeights {
		kinds = append(kinds, fmt.Sprintf("%d %s", s.Tally["case "+string(k.what)], k.what))
	}
	if n := s.Tally["case "+string(Coloured)]; n > 0 {
		kinds = []string{fmt.Sprintf("%d %s", n, Coloured)}
	}
	return fmt.Sprintf("%d cases (%s), %d comparisons, %d disagreements, %v",
		s.Cases, strings.Join(kinds, ", "), s.Tally[compared], len(s.Disagreements), s.Elapsed.Round(time.Second/10))
}

// Notes are the lines of the tally, and the slowest case.
func (s Summary) Notes() (lines []string) {
	for _, what := range slices.Sorted(maps.Keys(s.Tally)) {
		lines = append(lines, fmt.Sprintf("%8d %s", s.Tally[what], what))
	}
	if s.Slowest != nil {
		lines = append(lines, fmt.Sprintf("the slowest took %v: %s\n%s", s.Longest.Round(time.Millisecond), s.Slowest.Again, s.Slowest))
	}
	return lines
}

// reportEvery is the time between reports.
const reportEvery = 10 * time.Second

// Run goes through a campaign, until its end, or ctx's.
func (h *Harness) Run(ctx context.Context, c Campaign) Summary {
	if c.Make == nil {
		c.Make = FromSeed
	}
	r := &runner{harness: h, Campaign: c, begun: time.Now(), reported: time.Now(), summary: Summary{Tally: Tally{}}}
	var workers sync.WaitGroup
	for range cmp.Or(c.Workers, runtime.GOMAXPROCS(0)) {
		workers.Go(func() { r.work(ctx) })
	}
	workers.Wait()
	return r.done()
}

// runner is a campaign that runs.
type runner struct {
	harness *Harness
	Campaign
	begun time.Time

	mu       sync.Mutex
	next     uint64 // cases begun
	reported time.Time
	summary  Summary
}

func (r *runner) work(ctx context.Context) {
	for {
		seed, ok := r.take(ctx)
		if !ok {
			return
		}
		tally := Tally{}
		c, err := r.Make(seed)
		begun := time.Now()
		found := r.harness.Case(ctx, c, err, tally)
		r.add(c, time.Since(begun), tally, found)
	}
}

func (r *runner) take(ctx context.Context) (seed uint64, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.next == r.Cases || ctx.Err() != nil || len(r.summary.Disagreements) >= cmp.Or(r.Most, 1) {
		return 0, false
	}
	r.next++
	return r.First + r.next - 1, true
}

func (r *runner) add(c *Case, took time.Duration, tally Tally, found []*Disagreement) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.summary.Cases++
	if took > r.summary.Longest {
		r.summary.Longest, r.summary.Slowest = took, c
	}
	r.summary.Tally.add(tally)
	r.summary.Disagreements = append(r.summary.Disagreements, found...)
	r.summary.Elapsed = time.Since(r.begun)
	for _, d := range found {
		if r.Found != nil {
			r.Found(d)
		}
	}
	if r.Report != nil && time.Since(r.reported) >= reportEvery {
		r.reported = time.Now()
		r.Report(r.summary)
	}
}

func (r *runner) done() Summary {
	slices.SortStableFunc(r.summary.Disagreements, func(a, b *Disagreement) int { return cmp.Compare(a.Case.draws, b.Case.draws) })
	return r.summary
}
