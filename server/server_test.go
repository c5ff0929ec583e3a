package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/access"
	"github.com/pavage/pavage/server/child"
	"github.com/pavage/pavage/server/queue"
)

// TestMain is also the main function of children: this program with the verb of a child.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == child.Verb {
		os.Exit(child.Main(os.Stdin, os.Stdout))
	}
	goleak.VerifyTestMain(m)
}

// running is a service that a test has started.
type running struct {
	At
	t    *testing.T
	log  *lines
	stop context.CancelFunc
	done chan error
}

// lines keeps the log.
type lines struct {
	mutex sync.Mutex
	bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.Buffer.Write(p)
}

func (l *lines) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.Buffer.String()
}

// begin starts a service, or a worker if it has no address, and waits until it is ready.
func begin(t *testing.T, c Config) *running {
	t.Helper()
	if c.Data == "" {
		c.Data = t.TempDir()
	}
	c.Memory, c.Threads, c.Retention = 1<<30, 2, time.Hour
	if c.Drain == 0 {
		c.Drain = time.Hour // only for a service that hangs
	}
	r := &running{t: t, log: &lines{}, done: make(chan error, 1)}
	ready := make(chan At, 1)
	c.Ready = func(at At) { ready <- at }
	ctx, stop := context.WithCancel(context.Background())
	r.stop = stop
	run := Run
	if c.Listen == "" {
		run = Work
	}
	go func() { r.done <- run(ctx, c, zerolog.New(r.log)) }()
	select {
	case r.At = <-ready:
	case err := <-r.done:
		stop()
		t.Fatalf("the service ended: %v\n%s", err, r.log)
	}
	t.Cleanup(r.end)
	return r
}

// end stops the service without an error.
func (r *running) end() {
	r.t.Helper()
	if r.stop == nil {
		return
	}
	r.stop()
	r.stop = nil
	if err := <-r.done; err != nil {
		r.t.Errorf("the service ended with %v\n%s", err, r.log)
	}
	http.DefaultClient.CloseIdleConnections()
}

func (r *running) url() string { return "http://" + r.Address.String() }

func (r *running) client() *client.Client {
	r.t.Helper()
	c, err := client.New(r.url())
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

// get sends a GET with headers: name, value, …
func get(t *testing.T, url string, headers ...string) (status int, body string, h http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text), answer.Header
}

// body returns the body of an answer.
func body(t *testing.T, url string) io.Reader {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	return answer.Body
}

var (
	dominoes = job.Puzzle{Board: "8x8", Pieces: []string{"domino=any"}}
	endless  = job.Puzzle{Board: "16x16", Pieces: []string{"tetrominoes=any"}}
)

const loopback = "127.0.0.1:0"

// TestService: a service does its work, and after a restart it finds its earlier work.
func TestService(t *testing.T) {
	data := t.TempDir()
	disk := filepath.Join(t.TempDir(), "disk")
	s := begin(t, Config{Listen: loopback, Health: loopback, Data: data, Temp: disk})
	if info, err := os.Stat(disk); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("folder of children: %v, %v", info, err)
	}
	c, ctx := s.client(), t.Context()
	if a, err := c.Count(ctx, &job.Count{Puzzle: dominoes}); err != nil || a.Count != "12988816" {
		t.Fatalf("%+v, %v", a, err)
	}
	j, err := c.Submit(ctx, &job.Count{Puzzle: job.Puzzle{Example: "soma"}}, client.Limits{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if j, err = c.Wait(ctx, j.ID); err != nil || j.State != client.Done || !strings.Contains(string(j.Answer), `"count":"11520"`) {
		t.Fatalf("%+v, %v", j, err)
	}
	n := 0
	for _, err := range c.Samples(ctx, &job.Sample{Puzzle: dominoes, Number: 10}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 10 {
		t.Errorf("%d samples", n)
	}
	if status, body, _ := get(t, "http://"+s.Health.String()+"/metrics"); status != 200 ||
		!strings.Contains(body, `pavage_jobs{kind="count",state="done"}`) || !strings.Contains(body, `route="POST /v1/jobs"`) {
		t.Errorf("metrics: %d\n%.1000s", status, body)
	}
	s.end()

	s = begin(t, Config{Listen: loopback, Data: data})
	if back, err := s.client().Get(ctx, j.ID); err != nil || string(back.Answer) != string(j.Answer) {
		t.Errorf("after a new start: %+v, %v", back, err)
	}
}

// TestOtherSamples: conditions, weights and draws without replacement go through the service,
// and the sources that it keeps of one request do not serve another.
func TestOtherSamples(t *testing.T) {
	c := begin(t, Config{Listen: loopback, Data: t.TempDir()}).client()
	board := job.Puzzle{Board: "2x3", Pieces: []string{"domino=any"}} // ab c, a bc, and all stand
	lies := job.Conditions{With: []string{"domino:1"}, AtMost: []string{"2:domino:1"}, FaultFree: false}
	if a, err := c.Count(t.Context(), &job.Count{Puzzle: board, Conditions: lies}); err != nil || a.Count != "2" {
		t.Errorf("with a domino that lies: %+v, %v", a, err)
	}
	if a, err := c.Count(t.Context(), &job.Count{Puzzle: board, Conditions: job.Conditions{FaultFree: true}}); err != nil || a.Count != "0" {
		t.Errorf("without a line through: %+v, %v", a, err)
	}
	for _, test := range []struct {
		request  job.Sample
		distinct int
		rank     bool
	}{
		{job.Sample{Number: 50}, 3, true},
		{job.Sample{Number: 50, Weights: []string{"domino:1=0"}}, 1, false},
		{job.Sample{Number: 3, Unique: true}, 3, true},
		{job.Sample{Number: 50, Conditions: lies}, 2, true},
		{job.Sample{Number: 2, Unique: true, Conditions: lies}, 2, true},
		{job.Sample{Number: 50, Weights: []string{"domino:1=1/2"}}, 3, false},
		{job.Sample{Number: 50}, 3, true},
	} {
		test.request.Puzzle, test.request.Seed = board, new(job.Whole(1))
		seen := map[string]bool{}
		for line, err := range c.Samples(t.Context(), &test.request) {
			if err != nil {
				t.Fatal(err)
			}
			seen[string(line)] = true
			if strings.Contains(string(line), `"rank"`) != test.rank {
				t.Errorf("%+v: %s", test.request, line)
			}
		}
		if len(seen) != test.distinct {
			t.Errorf("%+v: %d different tilings, want %d", test.request, len(seen), test.distinct)
		}
	}
	for _, err := range c.Samples(t.Context(), &job.Sample{Puzzle: board, Number: 4, Unique: true}) {
		if err == nil || !strings.Contains(err.Error(), "expected at most 3") {
			t.Errorf("4 of 3: %v", err)
		}
	}
}

// TestDrain: when the service ends, streams of events end, and a job goes back with its checkpoint. After
// a restart the job continues until it is canceled.
func TestDrain(t *testing.T) {
	data := t.TempDir()
	s := begin(t, Config{Listen: loopback, Data: data})
	c, ctx := s.client(), t.Context()
	j, err := c.Submit(ctx, &job.Count{Puzzle: endless}, client.Limits{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	events := bufio.NewScanner(body(t, s.url()+"/v1/jobs/"+j.ID+"/events"))
	for events.Scan() && !strings.Contains(events.Text(), `"fraction":0.`) { // until it counts
	}
	if events.Err() != nil {
		t.Fatal(events.Err())
	}
	go s.stop()
	for events.Scan() { // to the end of the stream
	}
	if events.Err() != nil {
		t.Errorf("the stream is cut: %v", events.Err())
	}
	s.end()
	checkpoints, err := filepath.Glob(filepath.Join(data, "checkpoints", j.ID, "*"))
	if err != nil || len(checkpoints) == 0 {
		t.Errorf("%d checkpoints, %v", len(checkpoints), err)
	}

	s = begin(t, Config{Listen: loopback, Data: data})
	c = s.client()
	testkit.Until(t, "the job goes on", func() bool {
		j, err = c.Get(ctx, j.ID)
		return err != nil || j.Progress != nil && j.Progress.Before > 0
	})
	if err != nil || j.Attempts != 1 {
		t.Errorf("%+v, %v", j, err)
	}
	if _, err := c.Cancel(ctx, j.ID); err != nil {
		t.Error(err)
	}
	if j, err = c.Wait(ctx, j.ID); err != nil || j.State != client.Canceled {
		t.Errorf("%+v, %v", j, err)
	}
	s.end()
	left, err := filepath.Glob(filepath.Join(data, "checkpoints", "*"))
	if more, _ := filepath.Glob(filepath.Join(data, "tmp", "*")); err != nil || len(left)+len(more) > 0 {
		t.Errorf("left behind: %q %q, %v", left, more, err)
	}
}

// TestTokens: the rights of all roles, from end to end.
func TestTokens(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	tokens := map[string]string{}
	for name, role := range map[string]access.Role{"alice": access.Run, "bob": access.Run, "eve": access.Read, "root": access.Admin} {
		var err error
		if tokens[name], err = access.AddToken(file, access.Caller{Name: name, Role: role}); err != nil {
			t.Fatal(err)
		}
	}
	s := begin(t, Config{Listen: loopback, Tokens: file})
	ctx := t.Context()
	of := func(name string) *client.Client {
		c := s.client()
		c.Token = tokens[name]
		return c
	}
	j, err := of("alice").Submit(ctx, &job.Count{Puzzle: endless}, client.Limits{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	status := func(err error) int {
		var p *client.Problem
		if errors.As(err, &p) {
			return p.Status
		}
		return 200
	}
	for name, want := range map[string]int{"alice": 200, "bob": 404, "eve": 404, "root": 200, "nobody": 401} {
		if _, err := of(name).Get(ctx, j.ID); status(err) != want {
			t.Errorf("%s looks at the job: %v, want %d", name, err, want)
		}
		if got, _, _ := get(t, s.url()+"/metrics", "Authorization", "Bearer "+tokens[name]); (got == 200) != (name == "root") {
			t.Errorf("%s asks for metrics: %d", name, got)
		}
	}
	for name, want := range map[string]int{"eve": 403, "nobody": 401, "bob": 200} {
		if _, err := of(name).Submit(ctx, &job.Count{Puzzle: dominoes}, client.Limits{}, 0); status(err) != want {
			t.Errorf("%s submits: %v, want %d", name, err, want)
		}
	}
	for _, name := range []string{"bob", "eve", "nobody", "root"} {
		if _, err := of(name).Cancel(ctx, j.ID); (err == nil) != (name == "root") {
			t.Errorf("%s cancels: %v", name, err)
		}
	}
	for path, want := range map[string]int{"/docs": 200, "/openapi.json": 200, "/healthz": 200, "/readyz": 200, "/v1/version": 401, "/v1/examples": 401, "/nothing": 401, "/": 200, "/icon.svg/": 401, "/assets/nothing.js": 404, "/assets": 401} {
		if got, _, _ := get(t, s.url()+path); got != want {
			t.Errorf("%s without a token: %d, want %d", path, got, want)
		}
	}
	s.end()
	for name, token := range tokens {
		if strings.Contains(s.log.String(), token) {
			t.Errorf("the token of %s is in the log", name)
		}
	}
	if log := s.log.String(); !strings.Contains(log, `"caller":"alice"`) || strings.Contains(log, "tetrominoes") {
		t.Errorf("the log is\n%s", log)
	}
}

// TestWork: a process without the API does the jobs of the database.
func TestWork(t *testing.T) {
	data := t.TempDir()
	q, err := queue.OpenSQLite(t.Context(), filepath.Join(data, databaseFile), queue.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	s := begin(t, Config{Health: loopback, Data: data})
	if status, body, _ := get(t, "http://"+s.Health.String()+"/readyz"); s.Address != nil || status != 200 {
		t.Errorf("address %v; ready: %d %s", s.Address, status, body)
	}
	j, err := q.Add(t.Context(), queue.Job{Owner: "me", Kind: "count", Lane: queue.Short, State: client.Queued, Request: json.RawMessage(`{"puzzle":{"board":"4x4","pieces":["domino=any"]}}`)}, 0)
	for err == nil && !j.State.Ended() {
		j, err = q.Watch(t.Context(), j.ID, j.Version)
	}
	if err != nil || j.State != client.Done {
		t.Errorf("%+v, %v", j, err)
	}
}

// TestMemory: a size that is too small or not available is reported.
func TestMemory(t *testing.T) {
	for _, tc := range []struct {
		memory, free int64
		want         string
	}{
		{0, 1 << 20, ""},
		{leastMemory, 0, ""},
		{leastMemory, leastMemory, ""},
		{leastMemory - 1, 0, "too small"},
		{leastMemory + 1, leastMemory, "greater than the free memory"},
	} {
		var log strings.Builder
		s := service{c: Config{Memory: tc.memory}, log: zerolog.New(&log)}
		s.warnOfMemory(tc.free)
		if got := log.String(); !strings.Contains(got, tc.want) || tc.want == "" && got != "" {
			t.Errorf("%d of %d: %s, want %q", tc.memory, tc.free, got, tc.want)
		}
	}
}

// TestWorkNeedsJobs: a process that only does jobs does not make a database: nobody would add jobs to it.
func TestWorkNeedsJobs(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	ctx, end := context.WithCancel(t.Context())
	end() // a process that starts successfully ends at once
	err := Work(ctx, Config{Data: data}, zerolog.Nop())
	if err == nil || !strings.HasPrefix(err.Error(), data+": no database in this folder, expected ") || errors.Is(err, ErrSetting) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(data); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder: %v", err)
	}
}

// TestCannotBegin: the error names the cause, and nothing is left open.
func TestCannotBegin(t *testing.T) {
	s := begin(t, Config{Listen: loopback})
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	damaged := t.TempDir()
	if err := os.WriteFile(filepath.Join(damaged, databaseFile), bytes.Repeat([]byte("damaged "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		c       Config
		want    string
		setting bool
	}{
		{Config{}, "the address to listen on is empty", true},
		{Config{Listen: "0.0.0.0:0"}, "without tokens", true},
		{Config{Listen: loopback, Pprof: "0.0.0.0:0"}, "which other machines may reach", true},
		{Config{Listen: loopback, Tokens: file}, "the file has no tokens", true},
		{Config{Listen: loopback, Origins: []string{"here"}}, `origin is "here"`, true},
		{Config{Listen: s.Address.String()}, "address already in use", false},
		{Config{Listen: loopback, Data: file}, "data folder: ", false},
		{Config{Listen: loopback, Data: damaged}, databaseFile, false},
		{Config{Listen: loopback, Database: "postgres://127.0.0.1:1/none"}, "refused", false},
	} {
		if tc.c.Data == "" {
			tc.c.Data = t.TempDir()
		}
		err := Run(t.Context(), tc.c, zerolog.Nop())
		if err == nil || !strings.Contains(err.Error(), tc.want) || errors.Is(err, ErrSetting) != tc.setting {
			t.Errorf("got %v, want %s", err, tc.want)
		}
	}
}

// TestData: only the owner can read the data folder; its default is that of XDG.
func TestData(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, tc := range []struct{ xdg, want string }{
		{"", filepath.Join(home, ".local", "share", "pavage")},
		{filepath.Join(home, "xdg"), filepath.Join(home, "xdg", "pavage")},
		{"relative", filepath.Join(home, ".local", "share", "pavage")},
	} {
		t.Setenv("XDG_DATA_HOME", tc.xdg)
		if got, err := DataFolder(""); err != nil || got != tc.want {
			t.Errorf("%q: %s, %v, want %s", tc.xdg, got, err, tc.want)
		}
	}
	t.Setenv("HOME", "")
	if got, err := DataFolder(""); err == nil {
		t.Errorf("without a home: %s", got)
	}
	dir := filepath.Join(home, "a", "b")
	if err := makeData(dir); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if left, err := os.ReadDir(filepath.Join(dir, tempFolder)); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}

// TestAlone: no other user can read the files of the service, even in a data folder that all users can
// read.
func TestAlone(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(data, 0o755); err != nil {
		t.Fatal(err)
	}
	s := begin(t, Config{Listen: loopback, Data: data})
	if _, err := s.client().Submit(t.Context(), &job.Count{Puzzle: dominoes}, client.Limits{}, time.Minute); err != nil {
		t.Fatal(err)
	}
	seen := 0
	err := filepath.WalkDir(data, func(path string, entry fs.DirEntry, err error) error {
		if path == data || errors.Is(err, fs.ErrNotExist) {
			return nil // a temporary file was removed
		}
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if seen++; err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is %v", path, info.Mode())
		}
		return err
	})
	if err != nil || seen < 8 {
		t.Errorf("%d files, %v", seen, err)
	}
}
