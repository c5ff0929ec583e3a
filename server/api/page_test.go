package api_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pavage/pavage/server/api"
	"github.com/pavage/pavage/web"
)

// TestPage: the page is at /, its files are beside it, and there is nothing else.
func TestPage(t *testing.T) {
	page, err := web.Read(fstest.MapFS{
		"index.html":           {Data: []byte("<!doctype html><title>the page</title>")},
		"icon.svg":             {Data: []byte("<svg/>")},
		"assets/index-5f3a.js": {Data: []byte("draw()")},
	})
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t, func(o *api.Options) { o.Page = page })
	r := s.ask(t, "GET", "/", "").status(t, 200)
	if !strings.Contains(r.text, "the page") || !strings.Contains(r.Header.Get("Content-Security-Policy"), "script-src 'self'") {
		t.Errorf("%v\n%s", r.Header, r.text)
	}
	s.ask(t, "GET", "/", "", "If-None-Match: "+r.Header.Get("ETag")).status(t, 304)
	if got := s.ask(t, "HEAD", "/icon.svg", "").status(t, 200); got.text != "" || got.Header.Get("Content-Type") != "image/svg+xml" {
		t.Errorf("%v %q", got.Header, got.text)
	}
	if got := s.ask(t, "GET", "/assets/index-5f3a.js", "").status(t, 200); got.text != "draw()" || !strings.Contains(got.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("%v %q", got.Header, got.text)
	}
	for _, path := range []string{"/assets", "/assets/", "/assets/index-0000.js", "/index.html", "/assets/a/b.js", "/assets/..%2findex.html"} {
		if got := s.ask(t, "GET", path, "").status(t, 404); got.Header.Get("Content-Type") != "application/problem+json" || got.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v", path, got.Header)
		}
	}
	s.ask(t, "POST", "/", "").status(t, 405)
}

// TestNoPage: a program without the page answers with an explanation; all other paths work.
func TestNoPage(t *testing.T) {
	short, err := web.Read(fstest.MapFS{})
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t, func(o *api.Options) { o.Page = short })
	if got := s.ask(t, "GET", "/", "").status(t, 200); !strings.Contains(got.text, "make serve") {
		t.Errorf("%s", got.text)
	}
	s.ask(t, "GET", "/icon.svg", "").status(t, 404)
	s.ask(t, "GET", "/docs", "").status(t, 200)
}
