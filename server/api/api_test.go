package api_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/server/access"
	"github.com/pavage/pavage/server/api"
)

// site is a service of the interface over a fake.
type site struct {
	*httptest.Server
	fake   *fake
	client *client.Client
	caller access.Caller // who asks
}

func newSite(t *testing.T, change func(*api.Options)) *site {
	t.Helper()
	s := &site{fake: newFake(t), caller: access.Caller{Name: access.Local, Role: access.Admin}}
	o := api.Options{Work: s.fake, Jobs: s.fake, Version: "v0.0.0-test"}
	if change != nil {
		change(&o)
	}
	handler := api.New(o)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r.WithContext(access.With(r.Context(), s.caller)))
	}))
	t.Cleanup(s.Close)
	c, err := client.New(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	s.client = c
	return s
}

// reply is an answer that was read.
type reply struct {
	*http.Response
	text string
}

// ask sends a request: method, path, body, and headers as "Name: value".
func (s *site) ask(t *testing.T, method, path, body string, headers ...string) reply {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	once := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := once.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{answer, string(text)}
}

// decode reads the answer as JSON.
func decode[T any](t *testing.T, r reply) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.text), &v); err != nil {
		t.Fatalf("%s: %v", r.text, err)
	}
	return v
}

func (r reply) status(t *testing.T, want int) reply {
	t.Helper()
	if r.StatusCode != want {
		t.Fatalf("%s %s: status %d, want %d: %s", r.Request.Method, r.Request.URL, r.StatusCode, want, r.text)
	}
	return r
}
