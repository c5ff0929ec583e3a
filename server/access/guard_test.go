package access

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pavage/pavage/client"
)

// clock is a time that a test sets.
type clock struct{ now time.Time }

func newClock() *clock { return &clock{time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)} }

func (c *clock) pass(d time.Duration) { c.now = c.now.Add(d) }

// guarded returns a guard, and a handler behind it that answers with the name of the caller.
func guarded(t *testing.T, o Options) (*Guard, *clock, http.Handler) {
	t.Helper()
	g, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	c := newClock()
	g.now = func() time.Time { return c.now }
	return g, c, g.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller := From(r.Context())
		_, _ = w.Write([]byte(caller.Name + " " + caller.Role.String()))
	}))
}

// ask sends a request with these headers: name, value, name, value, …
func ask(h http.Handler, method, url string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, url, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// problem returns the problem of a refused request. It fails if the answer is not a problem of its
// status.
func problem(t *testing.T, w *httptest.ResponseRecorder) client.Problem {
	t.Helper()
	var p client.Problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Status != w.Code || p.Detail == "" {
		t.Errorf("status %d, problem %+v, error %v", w.Code, p, err)
	}
	if got := w.Header().Get("Content-Type"); got != ProblemType {
		t.Errorf("content type %q", got)
	}
	return p
}

// TestHostileHeaders: without tokens, only programs on this machine and pages of the service get answers.
func TestHostileHeaders(t *testing.T) {
	_, _, h := guarded(t, Options{Origins: []string{"https://friend.example"}})
	for _, tc := range []struct {
		url     string
		headers []string
		want    int
	}{
		{"http://127.0.0.1:8080/", nil, 200},
		{"http://localhost:8080/", nil, 200},
		{"http://LOCALHOST/", nil, 200},
		{"http://[::1]:8080/", nil, 200},
		{"http://[::1]/", nil, 200},
		{"http://127.8.9.1/", nil, 200},
		{"http://evil.example:8080/", nil, 403},
		{"http://evil.example/", nil, 403},
		{"http://127.0.0.1.evil.example/", nil, 403},
		{"http://localhost.evil.example/", nil, 403},
		{"http://0.0.0.0:8080/", nil, 403},
		{"http://10.0.0.1:8080/", nil, 403},
		{"http://[::]:8080/", nil, 403},
		{"http://127.1/", nil, 403},
		{"http://2130706433/", nil, 403},

		{"http://127.0.0.1:8080/", []string{"Origin", "http://127.0.0.1:8080"}, 200},
		{"http://127.0.0.1:8080/", []string{"Origin", "http://127.0.0.1:8080", "Sec-Fetch-Site", "same-origin"}, 200},
		{"http://127.0.0.1:8080/", []string{"Sec-Fetch-Site", "none"}, 200},
		{"http://127.0.0.1:8080/", []string{"Origin", "https://friend.example", "Sec-Fetch-Site", "cross-site"}, 200},
		{"http://127.0.0.1:8080/", []string{"Origin", "http://evil.example"}, 403},
		{"http://127.0.0.1:8080/", []string{"Origin", "http://friend.example"}, 403},
		{"http://127.0.0.1:8080/", []string{"Origin", "https://friend.example.evil.example"}, 403},
		{"http://127.0.0.1:8080/", []string{"Origin", "http://127.0.0.1:3000"}, 403},
		{"http://127.0.0.1:8080/", []string{"Origin", "http://localhost:8080"}, 403},
		{"http://127.0.0.1:8080/", []string{"Origin", "null"}, 403},
		{"http://127.0.0.1:8080/", []string{"Origin", ""}, 403},
		{"http://127.0.0.1:8080/", []string{"Origin", "http://127.0.0.1:8080", "Origin", "http://evil.example"}, 403},
		{"http://127.0.0.1:8080/", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"http://127.0.0.1:8080/", []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"http://127.0.0.1:8080/", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"}, 403},
		{"http://127.0.0.1:8080/", []string{"Sec-Fetch-Site", "none", "Sec-Fetch-Site", "cross-site"}, 403},
		{"http://evil.example/", []string{"Origin", "https://friend.example"}, 403},
		{"http://evil.example:8080/", []string{"Origin", "http://evil.example:8080", "Sec-Fetch-Site", "same-origin"}, 403},
	} {
		for _, method := range []string{"GET", "POST", "DELETE", "OPTIONS"} {
			w := ask(h, method, tc.url, tc.headers...)
			if w.Code != tc.want {
				t.Errorf("%s %s %q: %d, want %d", method, tc.url, tc.headers, w.Code, tc.want)
			}
			if w.Code == 403 {
				problem(t, w)
			} else if w.Body.String() != "local admin" {
				t.Errorf("%s %s: %q", method, tc.url, w.Body)
			}
		}
	}
}

// TestLinks: a browser may follow a link on another site to a page that is open to all. The service
// answers no other request of that site.
func TestLinks(t *testing.T) {
	_, _, h := guarded(t, Options{Open: func(path string) bool { return path == "/" }})
	link := map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
	for _, tc := range []struct {
		method, url, header, value string // in place of what a link has
		want                       int
	}{
		{"GET", "http://localhost/", "", "", 200},
		{"GET", "http://localhost/", "Sec-Fetch-Site", "same-site", 200},
		{"GET", "http://localhost/v1/examples", "", "", 403},
		{"POST", "http://localhost/", "", "", 403},
		{"DELETE", "http://localhost/", "", "", 403},
		{"GET", "http://evil.example/", "", "", 403},
		{"GET", "http://localhost/", "Sec-Fetch-Mode", "no-cors", 403},
		{"GET", "http://localhost/", "Sec-Fetch-Dest", "iframe", 403},
		{"GET", "http://localhost/", "Sec-Fetch-Dest", "", 403},
		{"GET", "http://localhost/", "Origin", "http://evil.example", 403},
	} {
		headers := []string{}
		for name, value := range link {
			if name != tc.header {
				headers = append(headers, name, value)
			}
		}
		if tc.header != "" {
			headers = append(headers, tc.header, tc.value)
		}
		if w := ask(h, tc.method, tc.url, headers...); w.Code != tc.want {
			t.Errorf("%s %s %q: %d, want %d", tc.method, tc.url, headers, w.Code, tc.want)
		}
	}
}

// TestStrangeHosts: hosts that no browser sends. A request of HTTP/1.0 may have no host.
func TestStrangeHosts(t *testing.T) {
	_, _, h := guarded(t, Options{})
	for _, host := range []string{"", ":8080", "localhost:8080.evil.example", "localhost:", "[::1", "::1", "127.0.0.1:80:80", "localhost,evil.example"} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = host
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != 403 {
			t.Errorf("%q: status %d", host, w.Code)
		}
	}
}

func TestMayListen(t *testing.T) {
	bare, _, _ := guarded(t, Options{})
	_, file := fileOf(t, Caller{Name: "alice"})
	safe, _, _ := guarded(t, Options{Tokens: file})
	for address, loopback := range map[string]bool{
		"127.0.0.1:8080": true, "127.0.0.2:0": true, "[::1]:8080": true, "localhost:8080": true, "[::ffff:127.0.0.1]:80": true,
		":8080": false, "0.0.0.0:8080": false, "[::]:8080": false, "10.1.2.3:80": false, "example.org:80": false, "127.1:80": false,
	} {
		if err := bare.MayListen(address); (err == nil) != loopback {
			t.Errorf("%s without tokens: %v", address, err)
		}
		if err := safe.MayListen(address); err != nil {
			t.Errorf("%s with tokens: %v", address, err)
		}
	}
	for _, address := range []string{"", "8080", "127.0.0.1", "::1:80:"} {
		if err := safe.MayListen(address); err == nil || !strings.Contains(err.Error(), "expected an address such as 127.0.0.1:8080") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestOrigins(t *testing.T) {
	_, file := fileOf(t, Caller{Name: "alice"})
	for origin, valid := range map[string]bool{
		"https://example.org": true, "http://localhost:3000": true, "*": true,
		"": false, "null": false, "example.org": false, "https://example.org/": false, "https://": false,
		"https://*.example.org": false, "ftp://example.org": false, "https://a,https://b": false, "https://me@example.org": false,
	} {
		if _, err := New(Options{Tokens: file, Origins: []string{origin}}); (err == nil) != valid {
			t.Errorf("%q: %v", origin, err)
		}
	}
	if _, err := New(Options{Origins: []string{"*"}}); err == nil {
		t.Error("every site may use a service without tokens")
	}
}

// TestShared: pages of the allowed sites may read answers, and no other pages.
func TestShared(t *testing.T) {
	tokens, file := fileOf(t, Caller{Name: "alice"})
	_, _, h := guarded(t, Options{Tokens: file, Origins: []string{"https://friend.example"}})
	bearer := "Bearer " + tokens[0]
	for origin, want := range map[string]string{"https://friend.example": "https://friend.example", "https://evil.example": "", "null": "", "": ""} {
		w := ask(h, "GET", "/", "Origin", origin, "Authorization", bearer)
		if got := w.Header().Get("Access-Control-Allow-Origin"); got != want || w.Code != 200 {
			t.Errorf("%q: allowed %q, status %d", origin, got, w.Code)
		}
		if w.Header().Get("Vary") != "Origin" || w.Header().Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%q: %v", origin, w.Header())
		}
		w = ask(h, "OPTIONS", "/", "Origin", origin, "Access-Control-Request-Method", "POST")
		if (w.Code == 204) != (want != "") || strings.Contains(w.Header().Get("Access-Control-Allow-Headers"), "Authorization") != (want != "") {
			t.Errorf("%q asks first: status %d, %v", origin, w.Code, w.Header())
		}
	}
	_, _, h = guarded(t, Options{Tokens: file})
	if w := ask(h, "GET", "/", "Origin", "https://friend.example", "Authorization", bearer); w.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("unasked for: %v", w.Header())
	}
}

func TestSecurityHeaders(t *testing.T) {
	_, _, h := guarded(t, Options{})
	for _, url := range []string{"http://localhost/", "http://evil.example/"} {
		w := ask(h, "GET", url)
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
			"X-Content-Type-Options":  "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := w.Result().Header.Get(name); got != want { // as it was when the answer began
				t.Errorf("%s: %s is %q, want %q", url, name, got, want)
			}
		}
	}
}

// fileOf is a file with a token for each caller, and the tokens.
func fileOf(t *testing.T, callers ...Caller) (tokens []string, file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "tokens")
	for _, c := range callers {
		token, err := AddToken(file, c)
		if err != nil {
			t.Fatal(err)
		}
		tokens = append(tokens, token)
	}
	return tokens, file
}

func TestBearer(t *testing.T) {
	tokens, file := fileOf(t, Caller{Name: "alice", Role: Run}, Caller{Name: "bob"}, Caller{Name: "root", Role: Admin})
	_, _, h := guarded(t, Options{Tokens: file, Open: func(path string) bool { return path == "/docs" }})
	for _, tc := range []struct {
		authorization, path string
		want                int
		says                string
	}{
		{"Bearer " + tokens[0], "/", 200, "alice run"},
		{"bearer  " + tokens[1] + " ", "/", 200, "bob read"},
		{"BEARER " + tokens[2], "/", 200, "root admin"},
		{"", "/docs", 200, " read"},
		{"Bearer nonsense", "/docs", 200, " read"},
		{"", "/docs/more", 401, "the request has no token"},
		{"", "/", 401, "the request has no token"},
		{tokens[0], "/", 401, "the request has no token"},
		{"Basic " + tokens[0], "/", 401, "the request has no token"},
		{"Bearer", "/", 401, "the request has no token"},
		{"Bearer ", "/", 401, "does not know the token"},
		{"Bearer nonsense", "/", 401, "does not know the token"},
		{"Bearer " + tokens[0][:len(tokens[0])-1], "/", 401, "does not know the token"},
		{"Bearer " + tokens[0] + "A", "/", 401, "does not know the token"},
		{"Bearer " + strings.ToUpper(tokens[0]), "/", 401, "does not know the token"},
		{"Bearer " + tokens[0] + " " + tokens[1], "/", 401, "does not know the token"},
		{"Bearer " + strings.Repeat("A", 100_000), "/", 401, "does not know the token"},
	} {
		// A host and an origin that a service without tokens would refuse.
		w := ask(h, "GET", "http://pavage.example"+tc.path, "Authorization", tc.authorization, "Origin", "http://evil.example")
		if w.Code != tc.want || !strings.Contains(w.Body.String(), tc.says) {
			t.Errorf("%.60q %s: %d %s, want %d %s", tc.authorization, tc.path, w.Code, w.Body, tc.want, tc.says)
		}
		if w.Code == 401 {
			problem(t, w)
			if !strings.HasPrefix(w.Header().Get("WWW-Authenticate"), `Bearer realm="pavage"`) {
				t.Errorf("%.60q: %v", tc.authorization, w.Header())
			}
		}
		if strings.Contains(w.Body.String(), strings.TrimPrefix(tokens[0], tokenPrefix)) {
			t.Error("an answer has a token in it")
		}
	}
}

func TestNeed(t *testing.T) {
	for have := range Admin + 1 {
		for least := range Admin + 1 {
			p := Caller{Role: have}.Need(least)
			if (p == nil) != (have >= least) || p != nil && p.Status != 403 {
				t.Errorf("%s needs %s: %+v", have, least, p)
			}
		}
	}
	for role, want := range map[Role]string{Read: "alice", Run: "alice", Admin: ""} {
		if got := (Caller{Name: "alice", Role: role}).Sees(); got != want {
			t.Errorf("%s sees %q, want %q", role, got, want)
		}
	}
	if c := From(httptest.NewRequest("GET", "/", nil).Context()); c.Role != Read || c.Name != "" || c.Sees() == "" || CheckName(c.Sees()) == nil {
		t.Errorf("nobody is %+v", c)
	}
}

// TestRates: a caller can send all requests of a minute at once, and then one at a time.
func TestRates(t *testing.T) {
	tokens, file := fileOf(t, Caller{Name: "alice", Limits: Limits{PerMinute: 3}}, Caller{Name: "bob"})
	_, clock, h := guarded(t, Options{Tokens: file, PerMinute: 5})
	send := func(token string) *httptest.ResponseRecorder {
		return ask(h, "GET", "/", "Authorization", "Bearer "+token)
	}
	count := func(token string, want int) {
		t.Helper()
		for i := range want {
			if w := send(token); w.Code != 200 {
				t.Fatalf("request %d: %d", i, w.Code)
			}
		}
		for range 5 { // a refused request does not count
			w := send(token)
			if w.Code != 429 {
				t.Fatalf("request %d: %d", want, w.Code)
			}
			problem(t, w)
		}
	}
	count(tokens[0], 3)
	count(tokens[1], 5)
	if got := send(tokens[0]).Header().Get("Retry-After"); got != "20" {
		t.Errorf("Retry-After %q, want 20", got)
	}
	clock.pass(20 * time.Second)
	count(tokens[0], 1)
	clock.pass(time.Hour)
	count(tokens[0], 3)

	_, _, h = guarded(t, Options{PerMinute: 2})
	for i, want := range []int{200, 200, 429} {
		if w := ask(h, "GET", "http://localhost/"); w.Code != want {
			t.Errorf("local, request %d: %d", i, w.Code)
		}
	}
}

// TestReload: tokens are added and removed while the service runs; after a mistake the old tokens stay.
func TestReload(t *testing.T) {
	tokens, file := fileOf(t, Caller{Name: "alice"})
	var reports []string
	_, clock, h := guarded(t, Options{Tokens: file, Report: func(_ string, err error) { reports = append(reports, err.Error()) }})
	send := func(token string) int { return ask(h, "GET", "/", "Authorization", "Bearer "+token).Code }
	bob, err := AddToken(file, Caller{Name: "bob"})
	if err != nil {
		t.Fatal(err)
	}
	if status := send(bob); status != 200 {
		t.Errorf("bob, who was added: %d", status)
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	keep, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write("alice read nonsense\n")
	if send(tokens[0]) != 200 || len(reports) != 0 {
		t.Errorf("read again at once: %q", reports)
	}
	for range 5 { // one mistake is reported once
		clock.pass(lookEvery)
		if send(tokens[0]) != 200 || len(reports) != 1 || !strings.Contains(reports[0], file+": line 1: the hash is") {
			t.Errorf("after a mistake: %q", reports)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	clock.pass(lookEvery)
	if send(tokens[0]) != 200 || len(reports) != 2 {
		t.Errorf("after the file was removed: %q", reports)
	}
	write("")
	clock.pass(lookEvery)
	if a, b := send(tokens[0]), send(bob); a != 401 || b != 401 || len(reports) != 2 {
		t.Errorf("after the file was emptied: alice %d, bob %d, %q", a, b, reports)
	}
	lines := strings.SplitAfter(string(keep), "\n")
	write(lines[0] + lines[2]) // without alice
	clock.pass(lookEvery)
	if a, b := send(tokens[0]), send(bob); a != 401 || b != 200 || len(reports) != 2 {
		t.Errorf("without alice: she %d, bob %d, %q", a, b, reports)
	}
}

// TestWithdrawnMeanwhile: a request ends when its token is withdrawn, whether the handler
// waits for its context or for a client that does not read. Requests of other tokens go on.
func TestWithdrawnMeanwhile(t *testing.T) {
	tokens, file := fileOf(t, Caller{Name: "alice"}, Caller{Name: "bob"})
	g, err := New(Options{Tokens: file})
	if err != nil {
		t.Fatal(err)
	}
	over := map[string]chan struct{}{"/waits": make(chan struct{}), "/writes": make(chan struct{}), "/stays": make(chan struct{})}
	s := httptest.NewServer(g.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(over[r.URL.Path])
		_ = http.NewResponseController(w).Flush()
		for r.URL.Path == "/writes" {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return
			}
		}
		<-r.Context().Done()
	})))
	defer s.Close()
	for path, token := range map[string]string{"/waits": tokens[0], "/writes": tokens[0], "/stays": tokens[1]} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		answer, err := s.Client().Do(r)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatal(path, answer, err)
		}
		defer answer.Body.Close()
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	if err := os.WriteFile(file, []byte(lines[0]+lines[2]), 0o600); err != nil { // without alice
		t.Fatal(err)
	}
	<-over["/waits"]
	<-over["/writes"]
	select {
	case <-over["/stays"]:
		t.Error("the request of bob ended too")
	default:
	}
}
