package endtoend

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
)

var (
	board = job.Puzzle{Board: "8x8", Pieces: []string{"domino=any"}}
	soma  = job.Puzzle{Example: "soma"}
	small = job.Puzzle{Board: "2x3", Pieces: []string{"domino=any"}}
)

func whole(n job.Whole) *job.Whole { return &n }

// as is an answer of a kind.
func as[A any](t testing.TB, text json.RawMessage) *A {
	t.Helper()
	a := new(A)
	if err := json.Unmarshal(text, a); err != nil {
		t.Fatalf("%v: %.300s", err, text)
	}
	return a
}

// must ends the test at an error.
func must[A any](a A, err error) func(testing.TB) A {
	return func(t testing.TB) A {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
}

// done submits a request and waits until its job is done.
func (v *service) done(r job.Request) *client.Job {
	v.t.Helper()
	j := must(v.client().Submit(v.t.Context(), r, client.Limits{}, time.Minute))(v.t)
	if !j.State.Ended() {
		j = must(v.client().Wait(v.t.Context(), j.ID))(v.t)
	}
	if j.State != client.Done || j.Attempts > 1 {
		v.t.Fatalf("%s: %s after %d attempts: %v", j.Kind, j.State, j.Attempts, j.Error)
	}
	return j
}

// made is the output of a job.
func (v *service) made(j *client.Job) string {
	v.t.Helper()
	if j.Output == "" {
		v.t.Fatalf("the job of the kind %s has no output", j.Kind)
	}
	from := must(v.client().Output(v.t.Context(), j.ID))(v.t)
	defer from.Close()
	return string(must(io.ReadAll(from))(v.t))
}

// TestEverything: every call of the API, from an empty folder, by the Go client.
func TestEverything(t *testing.T) {
	v := fresh(t, "").serve(t)
	for _, part := range []struct {
		name string
		test func(*testing.T, *service)
	}{
		{"about", testAbout},
		{"counts", testCounts},
		{"samples", testSamples},
		{"lists", testLists},
		{"evidence", testEvidence},
		{"jobs", testJobs},
	} {
		t.Run(part.name, func(t *testing.T) { part.test(t, v) })
	}
	v.stop()
	v.untilGone(t)
}

func testAbout(t *testing.T, v *service) {
	c, ctx := v.client(), t.Context()
	if about := must(c.Version(ctx))(t); about.API != "v1" || about.Version == "" {
		t.Errorf("%+v", about)
	}
	if all := must(c.Examples(ctx, "soma"))(t); len(all.Examples) == 0 || !strings.Contains(all.Examples[0].Name, "soma") {
		t.Errorf("%+v", all)
	}
	if seen := must(c.Check(ctx, board))(t); !seen.OK || seen.Puzzle.Cells != 64 || seen.Puzzle.Options != 112 {
		t.Errorf("%+v", seen)
	}
	odd := job.Puzzle{Board: "3x3", Pieces: []string{"domino=any"}}
	if seen := must(c.Check(ctx, odd))(t); !seen.OK || len(seen.Puzzle.Reasons) == 0 {
		t.Errorf("%+v", seen)
	}
	wrong := job.Puzzle{Text: "board: 2x3\npieces:\n  - {name: domyno, copies: any}\n"}
	if seen := must(c.Check(ctx, wrong))(t); seen.OK || len(seen.Errors) == 0 || seen.Errors[0].Line != 3 {
		t.Errorf("%+v", seen)
	}
	for path, want := range map[string]string{
		"/healthz": "", "/readyz": "", "/": "<title>Pavage", "/docs": "curl", "/openapi.json": `"openapi":`, "/metrics": "go_goroutines",
	} {
		if status, text := v.ask(path); status != 200 || !strings.Contains(text, want) {
			t.Errorf("%s: %d %.300s", path, status, text)
		}
	}
}

func testCounts(t *testing.T, v *service) {
	c, ctx := v.client(), t.Context()
	if a := must(c.Count(ctx, &job.Count{Puzzle: board}))(t); a.Count != "12988816" {
		t.Errorf("%+v", a)
	}
	if text := v.get("/v1/count?board=8x8&piece=domino=any"); !strings.Contains(text, `"count":"12988816"`) {
		t.Errorf("%.300s", text)
	}
	if a := must(c.Count(ctx, &job.Count{Puzzle: soma, Distinct: job.DistinctUsual}))(t); a.Distinct == nil || a.Distinct.Count != "480" || a.Count != "11520" {
		t.Errorf("%+v", a)
	}
	if a := must(c.Estimate(ctx, board))(t); a.Options != 112 {
		t.Errorf("%+v", a)
	}
	r := &job.Sequence{Boxes: job.Boxes{Puzzle: small, Rows: "2", Columns: "1..8"}}
	var got []string
	for _, value := range as[job.Sequenced](t, v.done(r).Answer).Values {
		got = append(got, value.Count)
	}
	if got := strings.Join(got, " "); got != "1 2 3 5 8 13 21 34" {
		t.Errorf("dominoes on 2xn: %s", got)
	}
}

// testSamples: the tilings drawn by the service are, byte for byte, the tilings drawn by the
// command line.
func testSamples(t *testing.T, v *service) {
	c, ctx := v.client(), t.Context()
	want := output(t, "sample", "--board", "8x8", "--piece", "domino=any", "-n", "20", "--seed", "7", "--json")
	r := &job.Sample{Puzzle: board, Number: 20, Seed: whole(7)}
	for range 2 { // the second time from the store
		var got bytes.Buffer
		for line, err := range c.Samples(ctx, r) {
			if err != nil {
				t.Fatal(err)
			}
			got.Write(append(line, '\n'))
		}
		if got.String() != want {
			t.Errorf("samples:\n%s\nwant\n%s", &got, want)
		}
	}
	if got := v.made(v.done(r)); got != want {
		t.Errorf("a job's samples:\n%s\nwant\n%s", got, want)
	}
	if got := v.get("/v1/samples?board=8x8&piece=domino=any&n=20&seed=7"); got != want {
		t.Errorf("samples by GET:\n%s\nwant\n%s", got, want)
	}
	if svg := must(c.Picture(ctx, board, 2, 7))(t); !bytes.HasPrefix(svg, []byte("<svg")) || !bytes.HasSuffix(bytes.TrimSpace(svg), []byte("</svg>")) {
		t.Errorf("%.200s", svg)
	}
	first, _, _ := strings.Cut(want, "\n")
	rank := as[struct{ Rank string }](t, json.RawMessage(first)).Rank
	if got := must(c.Tiling(ctx, board, rank))(t); string(got) != first {
		t.Errorf("tiling %s:\n%s\nwant\n%s", rank, got, first)
	}
}

func testLists(t *testing.T, v *service) {
	want := output(t, "list", "--board", "2x3", "--piece", "domino=any", "--json")
	if got := v.made(v.done(&job.List{Puzzle: small})); got != want || strings.Count(got, "\n") != 3 {
		t.Errorf("list:\n%s\nwant\n%s", got, want)
	}
	want = output(t, "convert", "--board", "2x3", "--piece", "domino=any", "--to", "dimacs")
	if got := v.made(v.done(&job.Convert{Puzzle: small, To: "dimacs"})); got != want {
		t.Errorf("formula:\n%s\nwant\n%s", got, want)
	}
	if a := as[job.Shown](t, v.done(&job.Show{Puzzle: board}).Answer); a.Cells != 64 {
		t.Errorf("%+v", a)
	}
}

// testEvidence: a certificate of the service is accepted by the command line.
func testEvidence(t *testing.T, v *service) {
	if a := as[job.Verified](t, v.done(&job.Verify{Puzzle: small}).Answer); a.Agrees == nil || !*a.Agrees || a.Count != "3" {
		t.Errorf("%+v", a)
	}
	j := v.done(&job.Certify{Puzzle: board})
	if a := as[job.Counted](t, j.Answer); a.Count != "12988816" {
		t.Errorf("%+v", a)
	}
	file := filepath.Join(t.TempDir(), "certificate")
	if err := os.WriteFile(file, []byte(v.made(j)), 0o600); err != nil {
		t.Fatal(err)
	}
	said := output(t, "verify", "--board", "8x8", "--piece", "domino=any", "--certificate", file, "--json")
	if a := as[job.Verified](t, json.RawMessage(said)); a.Agrees == nil || !*a.Agrees || a.Count != "12988816" {
		t.Errorf("%s", said)
	}
}

// testJobs: a job is seen from its begin to its end, and found again.
func testJobs(t *testing.T, v *service) {
	c, ctx := v.client(), t.Context()
	j := must(c.Submit(ctx, endless(), client.Limits{Memory: "128MiB", Threads: 1}, 0))(t)
	last, canceled := client.Job{}, false
	for now, err := range c.Events(ctx, j.ID) {
		if err != nil {
			t.Fatal(err)
		}
		if now.Version <= last.Version {
			t.Errorf("version %d after %d", now.Version, last.Version)
		}
		if last = now; now.Progress != nil && !canceled {
			must(c.Cancel(ctx, j.ID))(t)
			canceled = true
		}
	}
	if last.State != client.Canceled {
		t.Errorf("%+v", last)
	}
	if again := must(c.Get(ctx, j.ID))(t); again.State != client.Canceled || again.Version != last.Version {
		t.Errorf("%+v, the last event was %+v", again, last)
	}
	n := 0
	for seen, err := range c.List(ctx, client.Filter{State: client.Canceled, Kind: "count"}) {
		if n++; err != nil || seen.ID != j.ID {
			t.Errorf("%+v, %v", seen, err)
		}
	}
	if n != 1 {
		t.Errorf("%d canceled jobs", n)
	}
	var p *client.Problem
	if _, err := c.Get(ctx, strings.Repeat("0", len(j.ID))); !errors.As(err, &p) || p.Status != 404 {
		t.Errorf("a job that is not there: %v", err)
	}
}

// endless is a count that no test waits for.
func endless() *job.Count {
	return &job.Count{Puzzle: job.Puzzle{Board: "14x14", Pieces: []string{"tetrominoes=any"}}, Engine: "sweep"}
}
