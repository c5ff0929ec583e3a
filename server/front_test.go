package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/server/access"
	"github.com/pavage/pavage/server/metrics"
)

// fronted starts a service with only one handler, and returns its address.
func fronted(t *testing.T, h http.Handler, c Config) (url string, log *lines) {
	t.Helper()
	log = &lines{}
	s := &service{c: c, log: zerolog.New(log), metrics: metrics.New()}
	if err := s.openFront("listen", loopback, true, h); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- s.fronts[0].server.Serve(s.fronts[0].listener) }()
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		s.shutdown(context.Background())
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return "http://" + s.fronts[0].listener.Addr().String(), log
}

// slowWays lists how a client can be slow: it sends nothing, a part of the head, a part of the body, or
// nothing more after an answer.
var slowWays = []string{
	"",
	"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
	"POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
	"POST /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{",
	"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
}

// TestSlowConnections: the service closes all slow connections, and answers other requests meanwhile.
func TestSlowConnections(t *testing.T) {
	s := begin(t, Config{Listen: loopback, Timeouts: Timeouts{Header: time.Second, Body: time.Second, Idle: time.Second}})
	var open sync.WaitGroup
	for i := range testkit.Size(100, 1000) {
		c, err := net.Dial("tcp", s.Address.String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, slowWays[i%len(slowWays)]); err != nil {
			t.Fatal(err)
		}
		open.Go(func() {
			defer c.Close()
			_, _ = io.Copy(io.Discard, c) // until the service closes the connection
		})
	}
	closed, allClosed := context.WithCancel(t.Context())
	go func() { open.Wait(); allClosed() }()
	asked := 0
	for closed.Err() == nil {
		answer, err := http.Get(s.url() + "/healthz")
		if err != nil {
			continue // the machine is busy, so this client was slow too
		}
		if answer.Body.Close(); answer.StatusCode != 200 {
			t.Fatalf("health: %d", answer.StatusCode)
		}
		asked++
	}
	if asked == 0 {
		t.Error("no word of health beside slow connections")
	}
}

// TestLargeBody: a client that sends its whole large body before it reads gets the answer, in whichever
// part of the service the request is refused.
func TestLargeBody(t *testing.T) {
	tokens := filepath.Join(t.TempDir(), "tokens")
	token, err := access.AddToken(tokens, access.Caller{Name: "alice", Role: access.Run})
	if err != nil {
		t.Fatal(err)
	}
	s := begin(t, Config{Listen: loopback, Tokens: tokens})
	for head, want := range map[string]int{
		"POST /v1/jobs HTTP/1.1\r\nAuthorization: Bearer " + token:      413,
		"POST /v1/jobs HTTP/1.1":                                        401,
		"POST /healthz HTTP/1.1":                                        405,
		"DELETE /v1/nothing HTTP/1.1\r\nAuthorization: Bearer " + token: 404,
	} {
		c, err := net.Dial("tcp", s.Address.String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		const length = 20 << 20
		fmt.Fprintf(c, "%s\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", head, length)
		if _, err := c.Write(make([]byte, length)); err != nil {
			t.Errorf("%s: %v", head, err)
			continue
		}
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || answer.StatusCode != want {
			t.Errorf("%s: %+v, %v, want %d", head, answer, err, want)
			continue
		}
		if _, err := io.ReadAll(answer.Body); err != nil {
			t.Errorf("%s: %v", head, err)
		}
	}
}

// TestStalled: the service disconnects a client that does not read its answer.
func TestStalled(t *testing.T) {
	let := make(chan error, 1)
	url, _ := fronted(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				let <- err
				return
			}
		}
	}), Config{Timeouts: Timeouts{Write: 100 * time.Millisecond}})
	c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if err := <-let; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("let go with %v", err)
	}
}

// TestRequestID: a valid id is kept, and any other id is replaced.
func TestRequestID(t *testing.T) {
	url, log := fronted(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		zerolog.Ctx(r.Context()).Info().Msg("the handler's own words")
	}), Config{})
	for id, kept := range map[string]bool{
		"abc-1.2_3": true, strings.Repeat("a", 64): true, "": false, strings.Repeat("a", 65): false, "a b": false, "-a": false, `a"b`: false, "ä": false,
	} {
		_, _, h := get(t, url, "X-Request-Id", id)
		if got := h.Get("X-Request-Id"); (got == id) != kept || got == "" {
			t.Errorf("%q: %q", id, got)
		} else if n := strings.Count(log.String(), `"id":"`+got+`"`); n != 2 {
			t.Errorf("%q is in the log %d times", got, n)
		}
	}
}

// TestPanics: a panic is logged with the id, the client gets an error or is cut off, and the service
// continues.
func TestPanics(t *testing.T) {
	url, log := fronted(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/early" && r.URL.Path != "/well" {
			_, _ = io.WriteString(w, strings.Repeat("half of an answer ", 1000))
		}
		if r.URL.Path == "/gone" {
			panic(http.ErrAbortHandler)
		}
		if r.URL.Path != "/well" {
			panic("a mistake")
		}
	}), Config{})
	for range 2 {
		status, body, _ := get(t, url+"/early", "X-Request-Id", "early-1")
		if status != 500 || !strings.Contains(body, "its log has the error") || strings.Contains(body, "mistake") {
			t.Errorf("%d %s", status, body)
		}
		for _, half := range []string{"/late", "/gone"} {
			answer, err := http.Get(url + half)
			if err == nil {
				_, err = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
			}
			if err == nil {
				t.Error("half an answer looks whole")
			}
		}
		if status, _, _ := get(t, url+"/well"); status != 200 {
			t.Errorf("later: %d", status)
		}
	}
	if text := log.String(); !strings.Contains(text, `"id":"early-1","panic":"a mistake","stack":`) || strings.Count(text, `"panic"`) != 4 {
		t.Error(text)
	}
}

// TestLog: a request is a line, which has only the method and the id from the client.
func TestLog(t *testing.T) {
	url, log := fronted(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Pattern = "GET /a/{id}"
		w.WriteHeader(http.StatusTeapot)
		_, _ = io.WriteString(w, "12345")
	}), Config{})
	r, err := http.NewRequestWithContext(t.Context(), "SECRET", url+"/a/secret?puzzle=secret", strings.NewReader("secret"))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer pavage_secret")
	r.Header.Set("X-Request-Id", "1")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	testkit.Until(t, "a line", func() bool { return strings.Contains(log.String(), "\n") })
	want := `"level":"info","id":"1","caller":"","method":"other","route":"GET /a/{id}","status":418,"bytes":5,"ms":`
	if text := log.String(); !strings.Contains(text, want) || strings.Contains(strings.ToLower(text), "secret") {
		t.Errorf("got %s\nwant %s", text, want)
	}
}

// TestHealth: a service is ready if its parts work, and is not ready during the shutdown.
func TestHealth(t *testing.T) {
	var fault error
	stopping, stop := context.WithCancel(t.Context())
	var logged error
	h := health{
		check:    func(context.Context) error { return fault },
		stopping: stopping,
		report:   func(_ string, err error) { logged = err },
	}
	ask := func(answer http.HandlerFunc) (int, string) {
		w := httptest.NewRecorder()
		answer(w, httptest.NewRequest("GET", "/", nil))
		return w.Code, w.Body.String() + w.Header().Get("Retry-After")
	}
	if status, body := ask(h.ready); status != 200 || body != "ready\n" {
		t.Errorf("%d %s", status, body)
	}
	fault = errors.New("a secret of the database")
	if status, _ := ask(h.ready); status != 200 {
		t.Errorf("looked again at once: %d", status)
	}
	h.looked = time.Time{}
	if status, body := ask(h.ready); status != 503 || strings.Contains(body, "secret") || logged != fault {
		t.Errorf("%d %s, logged %v", status, body, logged)
	}
	stop()
	fault, h.looked = nil, time.Time{}
	if status, body := ask(h.ready); status != 503 || !strings.HasSuffix(body, "5") {
		t.Errorf("%d %s", status, body)
	}
	if status, body := ask(h.alive); status != 200 || body != "ok\n" {
		t.Errorf("%d %s", status, body)
	}
}

// TestNotReady: without its folder a service is alive, and not ready.
func TestNotReady(t *testing.T) {
	s := begin(t, Config{Listen: loopback})
	if err := os.Remove(filepath.Join(s.Data, tempFolder)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 503} {
		if status, body, _ := get(t, s.url()+path); status != want {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	if log := s.log.String(); !strings.Contains(log, "the service is not ready") || !strings.Contains(log, tempFolder) {
		t.Errorf("the answer refers to the log: %s", log)
	}
	if err := os.Mkdir(filepath.Join(s.Data, tempFolder), 0o700); err != nil {
		t.Fatal(err)
	}
}

// TestWhileItEnds: requests are refused with Retry-After.
func TestWhileItEnds(t *testing.T) {
	stopping, stop := context.WithCancel(t.Context())
	defer stop()
	s := &service{stopping: stopping}
	h := s.whileOpen(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { say(w, "here") }))
	for _, want := range []int{200, 503} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("POST", "/v1/jobs", nil))
		if w.Code != want || (w.Header().Get("Retry-After") != "") != (want == 503) {
			t.Errorf("%d %v, want %d", w.Code, w.Header(), want)
		}
		if want == 200 {
			stop()
		}
	}
}

// TestPaths: the paths of each address, with their callers and methods.
func TestPaths(t *testing.T) {
	s := begin(t, Config{Listen: loopback, Health: loopback, Pprof: loopback})
	main, health := s.url(), "http://"+s.Health.String()
	for _, tc := range []struct {
		method, url string
		headers     []string
		want        int
	}{
		{"GET", main + "/healthz", nil, 200},
		{"HEAD", main + "/healthz", nil, 200},
		{"POST", main + "/healthz", nil, 405},
		{"GET", main + "/healthz", []string{"Host", "pavage.example"}, 200},
		{"GET", main + "/metrics", nil, 200},
		{"DELETE", main + "/metrics", nil, 405},
		{"GET", main + "/metrics", []string{"Host", "evil.example"}, 403},
		{"GET", main + "/v1/version", nil, 200},
		{"GET", main + "/v1/version", []string{"Host", "evil.example"}, 403},
		{"GET", main + "/v1/version", []string{"Origin", "http://evil.example"}, 403},
		{"TRACE", main + "/v1/version", nil, 405},
		{"GET", main + "/v1/jobs/../../../etc/passwd", nil, 404},
		{"GET", main + "/v1/jobs/%2e%2e%2fetc", nil, 404},
		{"GET", main + "//healthz", nil, 404},
		{"GET", main + "/debug/pprof/", nil, 404},
		{"GET", health + "/metrics", nil, 200},
		{"GET", health + "/readyz", nil, 200},
		{"GET", health + "/v1/version", nil, 404},
	} {
		r, err := http.NewRequestWithContext(t.Context(), tc.method, tc.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(tc.headers); i += 2 {
			r.Header.Set(tc.headers[i], tc.headers[i+1])
			r.Host = r.Header.Get("Host")
		}
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		text := strings.HasPrefix(tc.url, health) || r.URL.Path == "/healthz" || r.URL.Path == "/metrics" && tc.want == 405
		if kind := answer.Header.Get("Content-Type"); answer.StatusCode != tc.want || tc.want >= 400 && !text && kind != access.ProblemType {
			t.Errorf("%s %s %q: %d %s, want %d", tc.method, tc.url, tc.headers, answer.StatusCode, kind, tc.want)
		}
	}
}

// TestProfiles: only this machine gets the profiles, and no web site.
func TestProfiles(t *testing.T) {
	h := pprofHandler()
	for host, want := range map[string]int{"127.0.0.1:6060": 200, "evil.example": 403} {
		r := httptest.NewRequest("GET", "http://"+host+"/debug/pprof/cmdline", nil)
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%s: %d", host, w.Code)
		}
	}
}

// deadlines counts the deadlines that were set.
type deadlines struct {
	http.ResponseWriter
	set int
}

func (d *deadlines) SetWriteDeadline(time.Time) error { d.set++; return nil }

// TestTimeLimits: a new deadline for the answer begins with the request, the head of the answer, and each
// piece of it. So the deadline of an answer does not end the next answer of the connection, or a long
// answer.
func TestTimeLimits(t *testing.T) {
	var seen []int
	w := &deadlines{ResponseWriter: httptest.NewRecorder()}
	s := &service{log: zerolog.Nop(), metrics: metrics.New()}
	s.watched(http.HandlerFunc(func(answer http.ResponseWriter, _ *http.Request) {
		seen = append(seen, w.set)
		answer.WriteHeader(http.StatusOK)
		seen = append(seen, w.set)
		for range 3 {
			_, _ = io.WriteString(answer, "piece")
			seen = append(seen, w.set)
		}
	}), time.Second).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	if !slices.Equal(seen, []int{1, 2, 3, 4, 5}) {
		t.Errorf("limits set: %d", seen)
	}
}

// TestDrainsInTime: work that does not stop does not delay the end of the service.
func TestDrainsInTime(t *testing.T) {
	s := &service{c: Config{Drain: time.Millisecond}, log: zerolog.Nop(), worked: make(chan struct{})}
	s.stopping, s.stop = context.WithCancel(t.Context())
	told := false
	if err := s.drain(func() { told = true }); err == nil || !strings.Contains(err.Error(), "did not stop within 1ms") || !told || s.stopping.Err() == nil {
		t.Errorf("%v, work told %v", err, told)
	}
}
