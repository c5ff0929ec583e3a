package worker

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/store"
	"github.com/pavage/pavage/tiling"
)

func drawn(board string, number, seed job.Whole) *job.Sample {
	return &job.Sample{Puzzle: dominoes(board).Puzzle, Number: number, Seed: &seed}
}

// lines returns the tilings of a sample from package job.
func lines(t *testing.T, r *job.Sample) string {
	t.Helper()
	var out bytes.Buffer
	w := job.Lines(&out)
	w.Answer = nil
	if _, err := job.Do(t.Context(), r, job.Limits{}, w); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// draws draws a sample, as lines and as tilings, and compares the tilings with those of package job.
func (s *service) draws(r *job.Sample) {
	s.t.Helper()
	want := lines(s.t, r)
	var out, again bytes.Buffer
	watch := job.Lines(&again)
	for _, w := range []job.Watch{{Output: &out}, {Begin: watch.Begin, Tiling: watch.Tiling}} {
		var about job.Sampled
		w.Drawing = func(a *job.Sampled) { about = *a }
		a, err := s.Draw(s.t.Context(), r, queue.Limits{}, w)
		if err != nil || a.Drawn != r.Number || a.Count == "" || about.Count != a.Count || about.Method != a.Method || about.Drawn != 0 {
			s.t.Errorf("%+v, %v", a, err)
		}
	}
	if out.String() != want || again.String() != want {
		s.t.Errorf("lines:\n%.300s\ntilings:\n%.300s\nwant:\n%.300s", &out, &again, want)
	}
}

// large makes all sources too large for this process.
func (s *service) large() {
	s.sources.budget = 4
	s.unknown()
}

// TestDraw: the process draws from small sources, and jobs draw from large sources. The tilings are those
// of package job. The job of a draw is not repeated.
func TestDraw(t *testing.T) {
	for name, started := range map[string]int{"here": 0, "in a child": 4} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, settings{})
			if started > 0 {
				s.large()
			}
			for seed := range job.Whole(3) {
				s.draws(drawn("6x6", 20, seed))
			}
			s.draws(&job.Sample{Puzzle: job.Puzzle{Example: "soma"}, Number: 5, Seed: new(job.Whole)})
			if n := s.watched.of("started"); n != started {
				t.Errorf("%d children started, want %d", n, started)
			}
			s.close()
			if s.budget.held() != 0 {
				t.Error("a child is left")
			}
		})
	}
}

// TestDrawAtOnce: simultaneous draws from a new source make the source once.
func TestDrawAtOnce(t *testing.T) {
	for name, change := range map[string]func(*service){"here": func(*service) {}, "in a child": (*service).large} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, settings{})
			change(s)
			want := lines(t, drawn("8x8", 10, 7))
			var drawing sync.WaitGroup
			for range 8 {
				drawing.Go(func() {
					var out bytes.Buffer
					_, err := s.Draw(t.Context(), drawn("8x8", 10, 7), queue.Limits{}, job.Watch{Output: &out})
					if err != nil || out.String() != want {
						t.Errorf("%v %.200s", err, &out)
					}
				})
			}
			drawing.Wait()
			if n := s.watched.of("started"); name != "here" && n != 1 {
				t.Errorf("%d children for one source", n)
			}
		})
	}
}

// TestKeptDiagram: a new process draws from the diagram of an old process, or makes its own if the
// diagram is damaged.
func TestKeptDiagram(t *testing.T) {
	set := settings{data: t.TempDir()}
	want := lines(t, drawn("6x6", 5, 1))
	for _, what := range []string{"made", "kept", "damaged", "kept again"} {
		s := serve(t, set)
		if what == "damaged" {
			s.damage(store.Diagram)
		}
		made := 0
		s.spies.forecast = func(job.Request) job.Forecast { made++; return job.Forecast{Known: true} }
		var out bytes.Buffer
		_, err := s.Draw(t.Context(), drawn("6x6", 5, 1), queue.Limits{}, job.Watch{Output: &out})
		if isMade := what == "made" || what == "damaged"; err != nil || out.String() != want || (made == 1) != isMade {
			t.Errorf("%s: made %d times, %v\n%.200s", what, made, err, &out)
		}
		s.close()
	}
}

// TestDrawAfterJob: a small source that a job has made is kept, and the process draws from it.
func TestDrawAfterJob(t *testing.T) {
	s := serve(t, settings{})
	s.known(2*smallSeconds, 1<<20)
	for seed := range job.Whole(3) {
		s.draws(drawn("6x6", 20, seed))
	}
	if n := s.watched.of("started"); n != 1 {
		t.Errorf("%d children started, want 1", n)
	}
}

// TestDamagedDraw: a damaged output of a draw is an error once, and is then made again.
func TestDamagedDraw(t *testing.T) {
	s := serve(t, settings{})
	s.large()
	r := drawn("6x6", 20, 1)
	s.draws(r)
	s.damage(store.Output)
	if _, err := s.Draw(t.Context(), r, queue.Limits{}, job.Watch{Output: io.Discard}); err == nil {
		t.Error("the damaged output was sent")
	}
	s.draws(r)
}

// TestDrawUnseeded: the same request without a seed finds the tilings that its job has drawn.
func TestDrawUnseeded(t *testing.T) {
	s := serve(t, settings{})
	s.large()
	r := &job.Sample{Puzzle: dominoes("6x6").Puzzle, Number: 5}
	var out bytes.Buffer
	if a, err := s.Draw(t.Context(), r, queue.Limits{}, job.Watch{Output: &out}); err != nil || a.Drawn != 5 || r.Seed == nil || out.String() != lines(t, r) {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestDrawBeside: a process draws, and another process does its jobs.
func TestDrawBeside(t *testing.T) {
	each(t, func(t *testing.T, set settings) {
		set.data = t.TempDir()
		a, b := serve(t, set), serve(t, set)
		a.large()
		b.large()
		b.work()
		for n := range 4 {
			a.draws(drawn(fmt.Sprintf("6x%d", 6+n), 3, 1))
		}
	})
}

// TestDrawLimits: the limits of a caller also apply to the source of a draw.
func TestDrawLimits(t *testing.T) {
	s := serve(t, settings{})
	s.large()
	r := drawn("15x16", 1, 7)
	r.Method = "diagram"
	for _, l := range []queue.Limits{{Memory: 1 << 20}, {Time: time.Nanosecond}} {
		if _, err := s.Draw(t.Context(), r, l, job.Watch{}); ProblemOf(err).Status != 422 {
			t.Errorf("%+v: %v", l, err)
		}
	}
}

// TestDrawFails: errors of draws, here and in a child.
func TestDrawFails(t *testing.T) {
	none := &job.Sample{Puzzle: job.Puzzle{Board: "1x1", Pieces: []string{"domino"}}, Number: 1}
	for _, large := range []bool{false, true} {
		s := serve(t, settings{})
		if large {
			s.large()
		}
		if _, err := s.Draw(t.Context(), none, queue.Limits{}, job.Watch{}); err == nil || !strings.Contains(err.Error(), "the puzzle has no tiling") {
			t.Error(err)
		}
		if _, err := s.Draw(t.Context(), &job.Sample{}, queue.Limits{}, job.Watch{}); job.KindOf(err) != job.BadInput {
			t.Error(err)
		}
		stop := fmt.Errorf("nobody listens any more")
		if _, err := s.Draw(t.Context(), drawn("8x8", 1000, 1), queue.Limits{}, job.Watch{Tiling: func(render.Tiling) error { return stop }}); err == nil || !strings.Contains(err.Error(), stop.Error()) {
			t.Error(err)
		}
		s.draws(drawn("8x8", 3, 1)) // after all the errors
	}
}

// TestTiling: the tiling of a rank is the tiling that a draw has returned with this rank, from a source
// in the process or from a job.
func TestTiling(t *testing.T) {
	s := serve(t, settings{})
	var one render.Tiling
	var of *tiling.Puzzle
	if _, err := s.Draw(t.Context(), drawn("6x6", 1, 3), queue.Limits{}, job.Watch{
		Begin:  func(p *tiling.Puzzle) error { of = p; return nil },
		Tiling: func(t render.Tiling) error { one = t; return nil },
	}); err != nil {
		t.Fatal(err)
	}
	check := func() {
		t.Helper()
		got, err := s.Tiling(t.Context(), dominoes("6x6").Puzzle, job.Conditions{}, one.Rank.String(), queue.Limits{})
		if err != nil || fmt.Sprint(got.Tiling.JSON(got.Puzzle)) != fmt.Sprint(one.JSON(of)) || got.About.Count != "6728" {
			t.Errorf("%v, %v, want %v", got, err, one)
		}
		for rank, want := range map[string]string{
			"6728": "rank is 6728", "-1": `rank is "-1"`, "x": "expected a number from 0, first or last", strings.Repeat("1", 1e6): "1000000 digits", "": "expected a number from 0",
		} {
			if _, err := s.Tiling(t.Context(), dominoes("6x6").Puzzle, job.Conditions{}, rank, queue.Limits{}); err == nil || !strings.Contains(err.Error(), want) || ProblemOf(err).Status != 400 {
				t.Errorf("%.20s: %v, want %s", rank, err, want)
			}
		}
	}
	check()
	s.sources = newSources(0)
	s.large()
	check()
	for _, l := range []queue.Limits{{Memory: 1 << 10}, {Time: time.Nanosecond}} {
		if _, err := s.Tiling(t.Context(), dominoes("8x8").Puzzle, job.Conditions{}, "0", l); ProblemOf(err).Status != 422 {
			t.Errorf("%+v: %v", l, err)
		}
	}
}

// TestTilingsWithConditions: a rank among the tilings that satisfy conditions is the same as for a query,
// in the process and in a job.
func TestTilingsWithConditions(t *testing.T) {
	s := serve(t, settings{})
	p := dominoes("4x5").Puzzle
	check := func(c job.Conditions) {
		t.Helper()
		for _, rank := range []string{"first", "7", "0007", "last", "99999"} {
			want, count := "", ""
			answer, asked := job.Do(t.Context(), &job.Query{Puzzle: p, Conditions: c, Unrank: []string{rank}}, job.Limits{}, job.Watch{
				Tiling: func(x render.Tiling) error {
					want = fmt.Sprint(x.Options, x.Placements, x.Rank, x.SweepRank)
					return nil
				},
			})
			if asked == nil {
				count = answer.Count
			}
			f, err := s.Tiling(t.Context(), p, c, rank, queue.Limits{})
			if (err == nil) != (asked == nil) {
				t.Fatalf("%+v %s: %v, the question has %v", c, rank, err, asked)
			}
			if err == nil && (fmt.Sprint(f.Tiling.Options, f.Tiling.Placements, f.Tiling.Rank, f.Tiling.SweepRank) != want || f.About.Count != count) {
				t.Errorf("%+v %s: %+v of %s, want %s of %s", c, rank, f.Tiling, f.About.Count, want, count)
			}
		}
	}
	all := func() {
		t.Helper()
		for _, c := range []job.Conditions{
			{}, {With: []string{"domino@0,0/0,1"}}, {Without: []string{"domino@1,1/2,1", "domino@0,0/1,0"}}, {Apart: []string{"0,0,3,4"}}, {Apart: []string{"domino:1,domino:1"}, Exactly: []string{"4:domino:1"}},
		} {
			check(c)
		}
	}
	all()
	s.sources = newSources(0)
	s.large()
	all()
}

// TestEviction: the most recently used sources are kept, as far as they fit in memory.
func TestEviction(t *testing.T) {
	s := newSources(1)
	get := func(i int) (made bool) {
		key := store.Key{byte(i)}
		if s.find(key) != nil {
			return false
		}
		from, err := drawn("4x4", 1, 1).Prepare(t.Context(), job.Limits{}, job.Watch{})
		if err != nil {
			t.Fatal(err)
		}
		s.keep(key, from)
		return true
	}
	get(0)
	if len(s.kept) != 0 || s.held() != 0 {
		t.Fatal("a source is kept that is larger than the budget")
	}
	s.budget = 1 << 30
	get(0)
	s.budget = s.held()*2 + s.held()/2
	for i, want := range []bool{false, true, false, true, false, true, false} {
		if got := get([]int{0, 1, 0, 2, 0, 1, 0}[i]); got != want || s.held() > s.budget {
			t.Errorf("step %d: made is %v, want %v; %d sources, %d of %d bytes", i, got, want, len(s.kept), s.held(), s.budget)
		}
	}
}
