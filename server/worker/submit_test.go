package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/store"
)

// TestQuick: quick work is done at once, and its answer is then known, also for a request with another
// title.
func TestQuick(t *testing.T) {
	s := serve(t, settings{})
	s.known(0.001, 1<<20)
	var keys [][32]byte
	for _, title := range []string{"First", "<Second>"} {
		text, key, ok, err := s.Count(t.Context(), titled(title))
		if want := `{"title":"` + title + `","count":"3"`; err != nil || !ok || !strings.HasPrefix(string(text), want) {
			t.Errorf("%s, %v, %v, want %s", text, ok, err, want)
		}
		keys = append(keys, key)
		j := s.submit(titled(title))
		s.is(j, client.Done)
		if again, err := s.Answer(t.Context(), j); err != nil || string(again) != string(text) {
			t.Errorf("the answer of the job is %s, %v, want %s", again, err, text)
		}
	}
	if keys[0] != keys[1] || s.watched.of("quick") != 1 || s.watched.of("known") != 3 || s.watched.of("queued") != 0 {
		t.Errorf("keys %x, events %v", keys, s.watched.events)
	}
}

// TestForecasts: the forecasts of package job send requests to the right lanes.
func TestForecasts(t *testing.T) {
	s := serve(t, settings{})
	if _, _, ok, err := s.Count(t.Context(), dominoes("8x8")); !ok || err != nil {
		t.Error("8x8 dominoes are not counted at once", err)
	}
	s.is(s.submit(&job.Query{Puzzle: dominoes("4x4").Puzzle, Marginals: "pieces"}), client.Done)
	s.is(s.submit(&job.Query{Puzzle: dominoes("22x22").Puzzle, Marginals: "pieces", Method: "sweep"}), client.Queued)
	s.is(s.submit(&job.Count{Puzzle: dominoes("22x22").Puzzle}), client.Done) // by determinants
	j := s.submit(&job.Count{Puzzle: dominoes("22x22").Puzzle, Engine: "sweep"})
	s.is(j, client.Queued)
	if j.Seconds < 0.1 || j.Bytes == 0 {
		t.Errorf("forecast %v s, %d bytes", j.Seconds, j.Bytes)
	}
}

// TestQuickOutput: quick work has an output, too.
func TestQuickOutput(t *testing.T) {
	s := serve(t, settings{})
	s.known(0.001, 1<<20)
	j := s.submit(&job.List{Puzzle: dominoes("2x3").Puzzle})
	s.is(j, client.Done)
	from, contentType, err := s.Output(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	text, err := io.ReadAll(from)
	if err != nil || contentType != "application/jsonl" || strings.Count(string(text), "\n") != 3 || !strings.Contains(string(text), `"piece":"domino"`) {
		t.Errorf("%s %s, %v", contentType, text, err)
	}
}

// TestReasonsTakeSlot: the reasons for a puzzle without a tiling are computed for each request, in at
// most as many goroutines as there are slots.
func TestReasonsTakeSlot(t *testing.T) {
	s := serve(t, settings{})
	r := &job.Count{Puzzle: job.Puzzle{Board: "3x3", Pieces: []string{"domino=any"}}}
	if answer, _, ok, err := s.Count(t.Context(), r); !ok || err != nil || !bytes.Contains(answer, []byte(`"reasons"`)) {
		t.Fatalf("%s, %v, %v", answer, ok, err)
	}
	s.quick.slots = make(chan struct{}) // the test receives each slot that is taken
	answered := make(chan error)
	go func() {
		_, _, ok, err := s.Count(t.Context(), r)
		if !ok && err == nil {
			err = errors.New("not known any more")
		}
		answered <- err
	}()
	select {
	case <-s.quick.slots:
		s.quick.slots <- struct{}{} // gives the slot back
	case err := <-answered:
		t.Fatalf("answered without a slot (%v)", err)
	}
	if err := <-answered; err != nil {
		t.Error(err)
	}
}

// TestSameAtOnce: equal requests at the same time share the work.
func TestSameAtOnce(t *testing.T) {
	s := serve(t, settings{})
	s.known(0.001, 1<<20)
	var asking sync.WaitGroup
	for range 20 {
		asking.Go(func() {
			if _, _, ok, err := s.Count(t.Context(), dominoes("8x8")); !ok || err != nil {
				t.Error(ok, err)
			}
		})
	}
	asking.Wait()
	if n := s.watched.of("quick"); n != 1 {
		t.Errorf("worked %d times, want once", n)
	}
}

// TestNotShared: each sample without a seed differs.
func TestNotShared(t *testing.T) {
	s := serve(t, settings{})
	s.known(0.001, 1<<20)
	r := &job.Sample{Puzzle: dominoes("8x8").Puzzle, Number: 1}
	a, b := s.submit(r), s.submit(r)
	s.is(a, client.Done)
	s.is(b, client.Done)
	if a.Key == b.Key {
		t.Error("two samples without a seed share an answer")
	}
}

// TestNotQuick: work that is not quick becomes a job, also if its forecast was too low.
func TestNotQuick(t *testing.T) {
	for name, change := range map[string]func(*service){
		"long":           func(s *service) { s.known(1000, 1<<20) },
		"much memory":    func(s *service) { s.known(0.001, 1<<30) },
		"unknown":        func(s *service) { s.unknown() },
		"wrong forecast": func(s *service) { s.quick.limits.Memory = 2 << 10; s.known(0.001, 0) },
		"no time left":   func(s *service) { s.quick.limits.Time = 1 },
		"no slot": func(s *service) {
			s.quick.wait = 1
			for range cap(s.quick.slots) {
				s.quick.slots <- struct{}{}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, settings{})
			s.known(0.001, 1<<20)
			change(s)
			j := s.submit(dominoes("8x8"))
			s.is(j, client.Queued)
			want := queue.Short
			if name == "long" || name == "much memory" {
				want = queue.Long
			}
			if j.Lane != want || s.watched.of("queued") != 1 {
				t.Errorf("lane %s, want %s", j.Lane, want)
			}
			if _, _, ok, err := s.Count(t.Context(), dominoes("8x8")); ok || err != nil {
				t.Error(ok, err)
			}
		})
	}
}

// TestBadRequests: an invalid request is an error at once, with the place of the mistake, and makes no
// job.
func TestBadRequests(t *testing.T) {
	s := serve(t, settings{})
	for _, c := range []struct {
		r      job.Request
		status int
		want   string
	}{
		{&job.Count{}, 400, "the puzzle is given in 0 ways"},
		{&job.Count{Puzzle: job.Puzzle{Text: "board: 2x3\npieces: 7\n"}}, 400, "2:9"},
	} {
		_, err := s.Submit(t.Context(), "somebody", 0, c.r, queue.Limits{})
		if err == nil {
			t.Errorf("%+v accepted", c)
			continue
		}
		p := ProblemOf(err)
		if p.Status != c.status || !strings.Contains(p.Detail, c.want) {
			t.Errorf("%+v, want %d %s", p, c.status, c.want)
		}
		if c.want == "2:9" && (len(p.Errors) != 1 || p.Errors[0].Line != 2 || p.Errors[0].Column != 9) {
			t.Errorf("%+v has no place", p)
		}
	}
	if rows, _, err := s.queue.List(t.Context(), queue.Filter{}); err != nil || len(rows) > 0 {
		t.Error(rows, err)
	}
}

// TestPanic: a panic in quick work does not end the service.
func TestPanic(t *testing.T) {
	s := serve(t, settings{})
	s.spies.forecast = func(job.Request) job.Forecast { panic("ouch") }
	_, _, _, err := s.Count(t.Context(), dominoes("2x3"))
	_, err2 := s.Draw(t.Context(), drawn("2x3", 1, 1), queue.Limits{}, job.Watch{})
	for _, err := range []error{err, err2} {
		if p := ProblemOf(err); p.Status != 500 || p.Detail != "internal error (a panic): ouch" {
			t.Error(p)
		}
	}
	if s.known(0.001, 0); len(s.quick.slots) > 0 {
		t.Error("a slot is lost")
	}
	if j := s.submit(dominoes("2x3")); s.counted(j) != "3" {
		t.Error(j)
	}
}

// TestWithin: quick work is done at once if the limits of its owner allow it.
func TestWithin(t *testing.T) {
	s := serve(t, settings{})
	s.known(0.001, 1<<20)
	q := s.quick.limits.Memory
	s.quick.limits.Time = time.Hour
	for l, want := range map[queue.Limits]client.State{
		{Memory: q, Threads: 1, Time: time.Hour}: client.Done, {Memory: q - 1}: client.Queued, {Time: time.Hour - 1}: client.Queued,
	} {
		j, err := s.Submit(t.Context(), "somebody", 0, drawnFresh(), l)
		if err != nil || j.State != want || j.Limits != l {
			t.Errorf("%+v: %+v, %v", l, j, err)
		}
	}
}

// drawnFresh returns a request for a sample without a seed.
func drawnFresh() *job.Sample { return &job.Sample{Puzzle: dominoes("2x3").Puzzle, Number: 1} }

// TestImpatient: a caller that leaves does not end the work for other callers.
func TestImpatient(t *testing.T) {
	s := serve(t, settings{})
	begun, goOn := make(chan bool), make(chan bool)
	s.spies.forecast = func(job.Request) job.Forecast {
		close(begun)
		<-goOn
		return job.Forecast{Known: true}
	}
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		_, _, _, err := s.Count(ctx, dominoes("8x8"))
		left <- err
	}()
	<-begun
	leave()
	if err := <-left; err == nil {
		t.Error("the caller that left has an answer")
	}
	close(goOn)
	testkit.Until(t, "the answer", func() bool { return s.watched.of("quick") == 1 })
}

// damage changes a byte in the middle of each file of a kind.
func (s *service) damage(k store.Kind) {
	s.t.Helper()
	files, err := filepath.Glob(filepath.Join(s.data, "store", string(k), "*", "*"))
	if err != nil || len(files) == 0 {
		s.t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			s.t.Fatal(err)
		}
		text[len(text)/2] ^= 1
		if err := os.WriteFile(file, text, 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
}

// TestDamaged: a damaged answer or output is an error with advice, and the same request makes it again.
func TestDamaged(t *testing.T) {
	for _, k := range []store.Kind{store.Answer, store.Output} {
		t.Run(string(k), func(t *testing.T) {
			s := serve(t, settings{})
			s.known(0.001, 1<<20)
			r := &job.List{Puzzle: dominoes("6x6").Puzzle}
			j := s.submit(r)
			s.damage(k)
			if _, err := s.all(j); err == nil || !strings.Contains(ProblemOf(err).Detail, "is damaged in the store: submit the request again") {
				t.Error(err)
			}
			again := s.submit(r)
			if text, err := s.all(again); err != nil || strings.Count(text, "\n") != 6728 {
				t.Error(text[:min(len(text), 100)], err)
			}
		})
	}
}

// all returns the answer and the output of a job.
func (s *service) all(j queue.Job) (string, error) {
	text, err := s.Answer(s.t.Context(), j)
	if err != nil {
		return "", err
	}
	from, _, err := s.Output(s.t.Context(), j)
	if err != nil {
		return string(text), err
	}
	defer from.Close()
	out, err := io.ReadAll(from)
	return string(text) + string(out), err
}

// TestEvicted: an answer that was removed, and an answer that never existed.
func TestEvicted(t *testing.T) {
	s := serve(t, settings{})
	s.known(0.001, 1<<20)
	j := s.submit(dominoes("8x8"))
	if err := os.RemoveAll(filepath.Join(s.data, "store", "answer")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Answer(t.Context(), j); err == nil || ProblemOf(err).Status != 410 {
		t.Error(err)
	}
	if _, _, err := s.Output(t.Context(), j); err == nil || ProblemOf(err).Status != 404 {
		t.Error(err)
	}
	s.unknown()
	if _, err := s.Answer(t.Context(), s.submit(dominoes("10x10"))); err == nil || ProblemOf(err).Status != 409 {
		t.Error(err)
	}
}

// TestRoundTrip: an answer of the store is unchanged except for its title.
func TestRoundTrip(t *testing.T) {
	s := serve(t, settings{})
	r := &job.Count{Puzzle: titled("A & B").Puzzle, Explain: true, Distinct: job.DistinctUsual}
	a, err := job.Run(t.Context(), r, job.Limits{}, job.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.entitle(t.Context(), want, r)
	if err != nil || string(got) != string(want) {
		t.Errorf("%s, %v\nwant %s", got, err, want)
	}
	if _, err := s.entitle(t.Context(), json.RawMessage("{"), r); err == nil {
		t.Error("half an answer")
	}
}
