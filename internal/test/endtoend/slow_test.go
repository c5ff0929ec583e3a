package endtoend

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/job"
)

// dial opens a connection and sends some bytes. It is closed at the end of the test.
func (v *service) dial(t *testing.T, send string) net.Conn {
	t.Helper()
	c := must((&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(v.url, "http://")))(t)
	t.Cleanup(func() { c.Close() })
	must(io.WriteString(c, strings.ReplaceAll(send, "\n", "\r\n")))(t)
	return c
}

// untilClosed is all that comes from a connection until the service closes it.
func untilClosed(t *testing.T, c net.Conn) string {
	t.Helper()
	ended := make(chan struct{})
	var text []byte
	go func() {
		defer close(ended)
		text, _ = io.ReadAll(c) // it may be reset at its end
	}()
	testkit.Until(t, "the end of a connection", func() bool {
		select {
		case <-ended:
			return true
		default:
			return false
		}
	})
	return string(text)
}

// untilQuiet waits until the service has no more files and goroutines than before, but for the
// files and goroutines of the database and the queue, some of which begin later.
func (v *service) untilQuiet(t *testing.T, files, goroutines int) {
	t.Helper()
	testkit.Until(t, "the end of all connections", func() bool {
		v.http.CloseIdleConnections()
		return v.descriptors() <= files+10 && v.goroutines() <= goroutines+40
	})
}

// TestShapes: bytes that net/http does not accept as a request, or as a request to another place,
// are refused, and the bytes after them on the connection are not read as another request.
func TestShapes(t *testing.T) {
	t.Parallel()
	v := fresh(t, "").serve(t)
	const host, kind = "Host: 127.0.0.1\n", "Content-Type: application/json\n"
	const next = "GET /v1/examples HTTP/1.1\nHost: 127.0.0.1\n\n"
	for _, c := range []struct{ name, send, want string }{
		{"no host", "GET /v1/version HTTP/1.1\n\n" + next, "400"},
		{"no host, long ago", "GET /v1/version HTTP/1.0\n\n", "403"},
		{"two hosts", "GET /v1/version HTTP/1.1\n" + host + "Host: evil\n\n" + next, "400"},
		{"another place", "GET http://evil/v1/version HTTP/1.1\n" + host + "Connection: close\n\n", "403"},
		{"two lengths", "POST /v1/jobs HTTP/1.1\n" + host + kind + "Content-Length: 2\nContent-Length: 3\n\n{}" + next, "400"},
		{"a length with a sign", "POST /v1/jobs HTTP/1.1\n" + host + kind + "Content-Length: +2\n\n{}" + next, "400"},
		{"another coding", "POST /v1/jobs HTTP/1.1\n" + host + kind + "Transfer-Encoding: xchunked\n\n" + next, "501"},
		{"two codings", "POST /v1/jobs HTTP/1.1\n" + host + kind + "Transfer-Encoding: chunked\nTransfer-Encoding: identity\n\n" + next, "501"},
		{"no chunk", "POST /v1/jobs HTTP/1.1\n" + host + kind + "Transfer-Encoding: chunked\n\n-1\n\n" + next, "400"},
		{"a blank in a name", "GET /v1/version HTTP/1.1\nHost : 127.0.0.1\n\n" + next, "400"},
		{"a folded line", "GET /v1/version HTTP/1.1\n x: y\n" + host + "\n" + next, "400"},
		{"a zero in the path", "GET /v1/jobs/a\x00b HTTP/1.1\n" + host + "\n" + next, "400"},
		{"a zero in a header", "GET /v1/version HTTP/1.1\n" + host + "X-Request-Id: a\x00b\n\n" + next, "400"},
		{"a long head", "GET /v1/version HTTP/1.1\n" + host + "X: " + strings.Repeat("x", 100_000) + "\n\n", "431"},
		{"a tunnel", "CONNECT evil:80 HTTP/1.1\n" + host + "Connection: close\n\n", "403"},
		{"another protocol", "PRI * HTTP/2.0\n\nSM\n\n", "40"},
		{"TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n\n", "400"},
		{"a body that nobody wants", "GET /v1/version HTTP/1.1\n" + host + "Content-Length: 1000\n\n" + next, "200"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := untilClosed(t, v.dial(t, c.send))
			if !regexp.MustCompile(`^HTTP/1\.[01] `+c.want).MatchString(got) || strings.Contains(got, "soma") {
				t.Errorf("%.1000s\nwant %s", got, c.want)
			}
		})
	}
}

// TestUpgrade: a connection is not upgraded to another protocol, and a header that a client chose
// comes back only if it is an id.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	v := fresh(t, "").serve(t)
	for _, more := range []string{
		"Upgrade: websocket\nConnection: Upgrade\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\nSec-WebSocket-Version: 13\n",
		"Upgrade: h2c\nConnection: Upgrade, HTTP2-Settings\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\n",
		"X-Request-Id: <script>\n", "X-Request-Id: " + strings.Repeat("x", 65) + "\n",
	} {
		got := must(http.ReadResponse(bufio.NewReader(v.dial(t, "GET /v1/version HTTP/1.1\nHost: 127.0.0.1\n"+more+"\n")), nil))(t)
		if got.StatusCode != 200 || got.Header.Get("Upgrade") != "" || len(got.Header.Get("X-Request-Id")) != 16 {
			t.Errorf("%s%v", more, got)
		}
		got.Body.Close()
	}
}

// slowClients are ways to keep a connection and not use it.
var slowClients = []struct {
	name, send string
	answered   bool // before it is closed
}{
	{"nothing", "", false},
	{"half a line", "GET /v1/ver", false},
	{"half a head", "GET /v1/version HTTP/1.1\nHost: 127.0.0.1\nX-A: b\n", false},
	{"half a body", "POST /v1/jobs HTTP/1.1\nHost: 127.0.0.1\nContent-Type: application/json\nContent-Length: 100\n\n{", true},
	{"chunks", "POST /v1/jobs HTTP/1.1\nHost: 127.0.0.1\nContent-Type: application/json\nTransfer-Encoding: chunked\n\n1\n{\n", true},
	{"a body of the wrong kind", "POST /v1/samples HTTP/1.1\nHost: 127.0.0.1\nContent-Length: 100\n\n{", true},
	{"a body of no path", "POST /v2 HTTP/1.1\nHost: 127.0.0.1\nContent-Length: 100\n\n{", true},
	{"a body for the page", "GET /docs HTTP/1.1\nHost: 127.0.0.1\nTransfer-Encoding: chunked\n\n1\n{\n", true},
	{"a body for nobody", "DELETE /v1/jobs/aaaaaaaaaaaaaaaaaaaaaaaaaa HTTP/1.1\nHost: 127.0.0.1\nContent-Length: 100\n\n{", true},
	{"a body for the health", "GET /healthz HTTP/1.1\nHost: 127.0.0.1\nContent-Length: 100\n\n{", true},
	{"a body from another site", "POST /v1/jobs HTTP/1.1\nHost: evil\nContent-Length: 100\n\n{", true},
}

// TestSlowClients: a thousand clients that stop in the middle do not delay the answers to others,
// and the service closes their connections and leaves no file and no goroutine of them.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	v := fresh(t, "").serve(t)
	v.get("/v1/count?board=8x8&piece=domino=any")
	files, goroutines := v.descriptors(), v.goroutines()
	var all sync.WaitGroup
	defer all.Wait()
	for i := range testkit.Size(330, 1000) {
		c := slowClients[i%len(slowClients)]
		slow := v.dial(t, c.send)
		all.Go(func() {
			if got := untilClosed(t, slow); c.answered && !strings.HasPrefix(got, "HTTP/1.1 ") {
				t.Errorf("%s: %.300s", c.name, got)
			}
		})
	}
	for range 100 {
		if v.get("/healthz") == "" || !strings.Contains(v.get("/v1/count?board=8x8&piece=domino=any"), "12988816") {
			t.Fatal("the service does not answer others")
		}
	}
	all.Wait()
	v.untilQuiet(t, files, goroutines)
}

// TestClientsThatVanish: a client that disconnects in the middle of an answer leaves nothing
// behind, and a client that reads an answer slowly makes the service wait, within limits.
func TestClientsThatVanish(t *testing.T) {
	v := fresh(t, "").serve(t)
	v.get("/v1/samples?board=8x8&piece=domino=any&n=10")
	files, goroutines := v.descriptors(), v.goroutines()
	v.forgetPeak()
	before := v.peak()
	const samples = "GET /v1/samples?board=8x8&piece=domino=any&n=1000000&seed=7 HTTP/1.1\nHost: 127.0.0.1\n\n"
	slow := make([]net.Conn, 50)
	for i := range slow {
		slow[i] = v.dial(t, samples)
		head := bufio.NewReader(slow[i])
		if line := must(head.ReadString('\n'))(t); !strings.Contains(line, "200") {
			t.Fatal(line)
		}
	}
	for range 20 { // meanwhile the service fills the system's buffers for slow readers
		v.get("/v1/count?board=8x8&piece=domino=any")
	}
	if more := v.peak() - before; more > 2*mostMemory && !testing.Short() {
		t.Errorf("%d slow readers take %d MiB", len(slow), more>>20)
	}
	for _, c := range slow {
		c.Close()
	}
	v.untilQuiet(t, files, goroutines)
}

// TestWatchers: many watch one job, and all see its end.
func TestWatchers(t *testing.T) {
	t.Parallel()
	v := fresh(t, "").serve(t)
	ctx := t.Context()
	j := must(v.client().Submit(ctx, endless(), client.Limits{Memory: "128MiB", Threads: 1}, 0))(t)
	files, goroutines := v.descriptors(), v.goroutines()
	const watchers = 200
	seen := make(chan struct{}, watchers)
	var all sync.WaitGroup
	for i := range watchers {
		all.Go(func() {
			var last client.Job
			for now, err := range v.client().Events(ctx, j.ID) {
				if err != nil || now.Version <= last.Version {
					t.Errorf("watcher %d: version %d after %d, %v", i, now.Version, last.Version, err)
				}
				if last.ID == "" {
					seen <- struct{}{}
				}
				last = now
			}
			if last.State != client.Canceled {
				t.Errorf("watcher %d saw %s last", i, last.State)
			}
		})
	}
	for range watchers {
		<-seen
	}
	must(v.client().Cancel(ctx, j.ID))(t)
	all.Wait()
	v.untilQuiet(t, files, goroutines)
}

// TestLargeTexts: many requests with the most expensive text need the memory of a few, and small
// requests overtake them.
func TestLargeTexts(t *testing.T) {
	testkit.Serial(t)
	v := fresh(t, "").serve(t)
	text := "board: [" + strings.Repeat("{a: },", 60_000) + "]"
	v.forgetPeak()
	before := v.peak()
	var all sync.WaitGroup
	for range testkit.Size(5, 15) {
		all.Go(func() {
			answer, err := v.http.Post(v.url+"/v1/puzzles:check", yamlKind, strings.NewReader(text))
			if err != nil {
				t.Error(err)
				return
			}
			defer answer.Body.Close()
			if body, err := io.ReadAll(answer.Body); err != nil || !bytes.Contains(body, []byte("a row of the board is a mapping")) {
				t.Errorf("%d %s, %v", answer.StatusCode, body, err)
			}
		})
	}
	if a := must(v.client().Count(t.Context(), &job.Count{Puzzle: board}))(t); a.Count != "12988816" {
		t.Errorf("%+v", a)
	}
	all.Wait()
	if more := v.peak() - before; more > 3*mostMemory {
		t.Errorf("it took %d MiB", more>>20)
	}
}
