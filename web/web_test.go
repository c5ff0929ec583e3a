package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// long is the content of a file that gzip makes smaller.
var long = strings.Repeat("let count = 12988816\n", 100)

// small is a page as npm builds it.
func small(t *testing.T) *Page {
	t.Helper()
	p, err := Read(fstest.MapFS{
		".gitkeep":              {},
		"index.html":            {Data: []byte(`<!doctype html><script type="module" src="/assets/index-5f3a.js"></script>`)},
		"icon.svg":              {Data: []byte("<svg/>")},
		"assets/index-5f3a.js":  {Data: []byte(long)},
		"assets/index-77aa.css": {Data: []byte("a{}")},
		"assets/.map":           {Data: []byte("{}")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// ask returns the answer to a request; nil: the page has no such file.
func ask(p *Page, method, path string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	w.Header().Set("Content-Security-Policy", "default-src 'none'") // package access has set one
	w.Header().Set("Vary", "Origin")
	if !p.Serve(w, r) {
		if w.Body.Len() > 0 {
			panic("no file, and an answer")
		}
		return nil
	}
	return w.Result()
}

func text(t *testing.T, r *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestFiles(t *testing.T) {
	p := small(t)
	for _, c := range []struct{ path, kind, keep string }{
		{"/", "text/html; charset=utf-8", "no-cache"},
		{"/icon.svg", "image/svg+xml", "no-cache"},
		{"/assets/index-5f3a.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"},
		{"/assets/index-77aa.css", "text/css; charset=utf-8", "public, max-age=31536000, immutable"},
	} {
		r := ask(p, "GET", c.path)
		if r == nil || r.StatusCode != 200 || r.Header.Get("Content-Type") != c.kind || r.Header.Get("Cache-Control") != c.keep {
			t.Errorf("%s: %+v", c.path, r)
			continue
		}
		whole := text(t, r)
		if r.Header.Get("Content-Length") != strconv.Itoa(len(whole)) || r.Header.Get("Cross-Origin-Opener-Policy") != "same-origin" {
			t.Errorf("%s: %v", c.path, r.Header)
		}
		if got := strings.Join(r.Header.Values("Vary"), ", "); got != "Origin, Accept-Encoding" {
			t.Errorf("%s: Vary %s", c.path, got)
		}
		head := ask(p, "HEAD", c.path)
		if text(t, head) != "" || head.Header.Get("ETag") != r.Header.Get("ETag") || head.Header.Get("Content-Length") != r.Header.Get("Content-Length") {
			t.Errorf("HEAD %s: %v", c.path, head.Header)
		}
		again := ask(p, "GET", c.path, "If-None-Match", r.Header.Get("ETag"))
		if again.StatusCode != 304 || text(t, again) != "" {
			t.Errorf("%s again: %d", c.path, again.StatusCode)
		}
		if part := ask(p, "GET", c.path, "Range", "bytes=1-2"); part.StatusCode != 206 || text(t, part) != whole[1:3] {
			t.Errorf("%s in parts: %d", c.path, part.StatusCode)
		}
	}
	for _, path := range []string{"/index.html", "/assets", "/assets/", "/.gitkeep", "/assets/.map", "/assets/index.js", "/dist/index.html", "/web.go"} {
		if ask(p, "GET", path) != nil || p.Has(path) {
			t.Errorf("%s is there", path)
		}
	}
	if !p.IsBuilt() || !p.Has("/icon.svg") {
		t.Error("the page is not there")
	}
}

// TestPacked: a client that reads gzip is sent less, the same, and under another tag.
func TestPacked(t *testing.T) {
	p := small(t)
	const path = "/assets/index-5f3a.js"
	plain := ask(p, "GET", path)
	for header, want := range map[string]bool{
		"gzip": true, "br, GZIP": true, "*": true, "gzip;q=0.5": true, "deflate, gzip; q=1.0": true, "gzip, *;q=0": true, "*;q=0, gzip": true,
		"": false, "br": false, "gzip;q=0": false, "gzip; q=0.000": false, "identity": false, "x-gzipped": false, "gzip;q=often": false, "*;q=1, gzip;q=0": false, "*;q=0": false,
	} {
		r := ask(p, "GET", path, "Accept-Encoding", header)
		if packed := r.Header.Get("Content-Encoding") == "gzip"; packed != want || (r.Header.Get("ETag") == plain.Header.Get("ETag")) == packed {
			t.Errorf("%q: %v", header, r.Header)
		}
		body := text(t, r)
		if r.Header.Get("Content-Length") != strconv.Itoa(len(body)) {
			t.Errorf("%q: %v for %d bytes", header, r.Header, len(body))
		}
		if want {
			if len(body) > 200 || unpacked(t, body) != long {
				t.Errorf("%q: %d bytes", header, len(body))
			}
			if again := ask(p, "GET", path, "Accept-Encoding", header, "If-None-Match", r.Header.Get("ETag")); again.StatusCode != 304 {
				t.Errorf("%q again: %d", header, again.StatusCode)
			}
		}
	}
	if r := ask(p, "GET", "/icon.svg", "Accept-Encoding", "gzip"); r.Header.Get("Content-Encoding") != "" || text(t, r) != "<svg/>" {
		t.Errorf("gzip makes it larger, and it is packed: %v", r.Header)
	}
}

func unpacked(t *testing.T, body string) string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

// TestPolicy: the page runs its own scripts alone, and its other files run nothing.
func TestPolicy(t *testing.T) {
	p := small(t)
	page := ask(p, "GET", "/").Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "script-src 'self';", "style-src 'self';", "connect-src 'self';", "form-action 'none'", "frame-ancestors 'none'", "base-uri 'none'"} {
		if !strings.Contains(page, want) {
			t.Errorf("the policy is %s, want %s in it", page, want)
		}
	}
	for _, bad := range []string{"unsafe", "*", "http", "wasm"} {
		if strings.Contains(page, bad) {
			t.Errorf("the policy is %s, want no %s in it", page, bad)
		}
	}
	if got := ask(p, "GET", "/icon.svg").Header.Get("Content-Security-Policy"); got != "default-src 'none'" {
		t.Errorf("the policy of a picture is %s", got)
	}
}

// TestUnbuilt: without a build there is a short page, which needs nothing.
func TestUnbuilt(t *testing.T) {
	p, err := Read(fstest.MapFS{".gitkeep": {}})
	if err != nil || p.IsBuilt() {
		t.Fatal(err, p)
	}
	r := ask(p, "GET", "/")
	page := text(t, r)
	for _, want := range []string{"make serve", `href="/docs"`, `href="/openapi.json"`, "not in this build"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if strings.Contains(page, "<script") || strings.Contains(page, "src=") || strings.Contains(page, "url(") {
		t.Error("the page needs something")
	}
	if policy := r.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "style-src 'sha256-") || strings.Contains(policy, "script") || r.Header.Get("Cache-Control") != "no-cache" {
		t.Errorf("%v", r.Header)
	}
	if p.Has("/icon.svg") || ask(p, "GET", "/icon.svg") != nil {
		t.Error("there is an icon")
	}
}

// mostBytes is the size of the page without its solids, packed.
const mostBytes = 150 << 10

// TestBuilt is of the page in this program, if it was built: the browser finds all that it
// is told to fetch, may run it, and need not fetch much.
func TestBuilt(t *testing.T) {
	p := Built()
	if !p.IsBuilt() {
		t.Skip("dist is empty: make web")
	}
	index := p.files["/"].plain.bytes
	for _, m := range regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllSubmatch(index, -1) {
		if name := string(m[1]); name != "/docs" && !p.Has(name) {
			t.Errorf("index.html names %s, which is not there", name)
		}
	}
	if inline := regexp.MustCompile(`<script[^>]*>[^<]|<style|\s(?:style|on[a-z]+)=`).Find(index); inline != nil {
		t.Errorf("the policy forbids %q in index.html", inline)
	}
	sum := 0
	for name, f := range p.files {
		size := len(f.plain.bytes)
		if f.packed.bytes != nil {
			size = len(f.packed.bytes)
		}
		if bytes.Contains(f.plain.bytes, []byte("sourceMappingURL=http")) {
			t.Errorf("%s names another site", name)
		}
		if !strings.Contains(name, "solid") && !strings.Contains(name, "three") {
			sum += size
		}
	}
	if sum > mostBytes {
		t.Errorf("the page without its solids has %d bytes, want at most %d", sum, mostBytes)
	}
}
