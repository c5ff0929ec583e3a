package command

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// askedFor runs pavage health and returns its exit code and its output.
func askedFor(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = Main(append([]string{"health"}, args...), Streams{In: strings.NewReader(""), Out: &o, Err: &e})
	return code, o.String(), e.String()
}

// TestHealth: a service that answers 200 is healthy, and no other is: not a service that does not
// listen, is not ready, redirects or breaks the connection.
func TestHealth(t *testing.T) {
	for name, c := range map[string]struct {
		path, want string // of the URL, of the one line that is written
		code       int
		serve      http.HandlerFunc
	}{
		"well":   {"", "/healthz: ok", codeDone, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok\nmore") }},
		"silent": {"/", "/healthz: ", codeDone, func(http.ResponseWriter, *http.Request) {}},
		"long":   {"/readyz", "aaaa\n", codeDone, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat("a", 1<<20)) }},
		"not ready": {"/readyz", `/readyz: the answer is "503 Service Unavailable" no database, expected 200 OK`, codeFailed, func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "no database", http.StatusServiceUnavailable)
		}},
		"elsewhere": {"", `"302 Found"`, codeFailed, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/fine", http.StatusFound) }},
		"breaks":    {"", "EOF", codeFailed, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
	} {
		t.Run(name, func(t *testing.T) {
			path := "/healthz"
			if len(c.path) > 1 {
				path = c.path
			}
			mux := http.NewServeMux()
			mux.HandleFunc("GET "+path, c.serve)
			mux.HandleFunc("GET /fine", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok") })
			s := httptest.NewServer(mux)
			defer s.Close()
			code, out, errs := askedFor(s.URL + c.path)
			if said := out + errs; code != c.code || !strings.Contains(said, c.want) || strings.Count(said, "\n") != 1 || len(said) > 400 {
				t.Errorf("code %d, %q, %q, want code %d and %q", code, out, errs, c.code, c.want)
			}
			if code == codeDone != (errs == "") {
				t.Errorf("code %d, standard error %q", code, errs)
			}
		})
	}
}

func TestHealthNobody(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	if code, out, errs := askedFor(s.URL); code != codeFailed || out != "" ||
		errs != "pavage: no service answers at "+strings.TrimPrefix(s.URL, "http://")+"; pavage serve starts one\n" {
		t.Errorf("code %d, %q, %q", code, out, errs)
	}
}

// TestOwnURL: a service that listens everywhere is asked at localhost.
func TestOwnURL(t *testing.T) {
	for address, want := range map[string]string{
		"127.0.0.1:8080": "http://127.0.0.1:8080", ":8080": "http://localhost:8080", "0.0.0.0:80": "http://localhost:80",
		"[::]:8080": "http://localhost:8080", "[::1]:8080": "http://[::1]:8080", "localhost:1": "http://localhost:1", "db.example:2": "http://db.example:2",
	} {
		if got := ownURL(address); got != want {
			t.Errorf("%s is asked at %s, want %s", address, got, want)
		}
	}
}

// TestHealthTakesNoProxy: a proxy of the environment is not asked.
func TestHealthTakesNoProxy(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") }))
	defer proxy.Close()
	t.Setenv("http_proxy", proxy.URL)
	if code, out, _ := askedFor("http://pavage.invalid"); code != codeFailed {
		t.Errorf("code %d, %q", code, out)
	}
}
