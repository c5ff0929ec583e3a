// Package web is the page of the service, inside the program.
//
// # Purpose
//
// npm builds the page from TypeScript (src, in the same folder) into dist. The go command
// puts dist into the program, and this package answers with its files:
//
//	src/*.tsx ── make web ──► dist/index.html           ─► /           asked for each time
//	                          dist/assets/NAME-HASH.js  ─► /assets/…   kept for a year
//	                          dist/icon.svg             ─► /icon.svg   asked for each time
//	                          dist/licenses.md          ─► /licenses.md, of the packages in the page
//	                              │
//	                              └── go build ──► [Built] ──► [Page.Serve]
//
// The names in assets have a hash of their content in them. So such a file never changes, and
// a browser need not ask for it again. All other files have an ETag, and a browser asks
// whether it still has the right one.
//
// # Without a build
//
// The go command knows nothing of npm: go build and go install work without it, and then
// dist is empty but for .gitkeep. Such a program has a short page at / that says so and how
// to build the page. All else of the service is there. The commit of a release has the page in
// dist, so go install builds a release with its page.
//
// # What the page may do
//
// [policy] lets the page use its own files and ask its own service, and nothing else: no
// other site, no script or style that stands in the markup, no eval, no frames. So a puzzle
// that somebody sends cannot bring a script with it.
//
// # Cost
//
// All files are in memory, packed with gzip once, when a service starts: some 50 ms and 1 MB.
// A request costs no more than the bytes of its answer.
//
// # Non-goals
//
// No listing of folders, no templates, no data: the page asks the API for that. Paths of
// the service are the business of package server/api, problems as well: for a file that is
// not there Serve says so and writes nothing.
//
// # References
//
// Content Security Policy Level 3, https://www.w3.org/TR/CSP3/; RFC 9111 (caches), RFC 8246
// (immutable).
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed" // for unbuilt.html
	"encoding/base64"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"
)

//go:embed unbuilt.html
var unbuilt []byte

// policy is the Content-Security-Policy of the page. Pictures that the page makes itself are
// blob: or data:.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; " + closed

// closed is what no page of ours may do.
const closed = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Page is the files of a built page.
type Page struct {
	files map[string]*file // by path, such as /assets/index-5f3a.js
	built bool
}

// file is one of them, ready to be sent.
type file struct {
	kind   string // its Content-Type
	keep   string // its Cache-Control
	policy string // "": as other answers of the service
	plain  body
	packed body // nothing if that would not help
}

type body struct {
	bytes []byte
	tag   string // a strong ETag of these bytes
}

// Built is the page inside this program.
var Built = sync.OnceValue(func() *Page {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // "dist" is a path
	}
	p, err := Read(files)
	if err != nil {
		panic(err) // what is embedded can be read
	}
	return p
})

// Read reads a folder that npm has built. Without an index.html it is the short page.
func Read(files fs.FS) (*Page, error) {
	p := &Page{files: map[string]*file{}}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(path.Base(name), ".") {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		p.add(name, data)
		return nil
	})
	if p.built = p.files["/"] != nil; !p.built && err == nil {
		_, style, _ := strings.Cut(string(unbuilt), "<style>")
		style, _, _ = strings.Cut(style, "</style>")
		digest := sha256.Sum256([]byte(style))
		p.files = map[string]*file{"/": newFile("unbuilt.html", unbuilt, "default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(digest[:])+"'; "+closed)}
	}
	return p, err
}

// Has reports whether the page has the file of this path, such as / or /icon.svg.
func (p *Page) Has(path string) bool { return p.files[path] != nil }

// IsBuilt reports whether npm has built the page: if not, it is the short page.
func (p *Page) IsBuilt() bool { return p.built }

func (p *Page) add(name string, data []byte) {
	if name == "index.html" {
		p.files["/"] = newFile(name, data, policy)
		return
	}
	p.files["/"+name] = newFile(name, data, "")
}

// kinds are the types of what npm builds. The table of the system may have others, or none.
var kinds = map[string]string{
	".css":  "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
	".md":   "text/plain; charset=utf-8",
	".svg":  "image/svg+xml",
	".txt":  "text/plain; charset=utf-8",
}

func newFile(name string, data []byte, policy string) *file {
	f := &file{kind: kinds[path.Ext(name)], keep: "no-cache", policy: policy, plain: newBody(data)}
	if f.kind == "" {
		f.kind = "application/octet-stream"
	}
	if strings.HasPrefix(name, "assets/") {
		f.keep = "public, max-age=31536000, immutable"
	}
	if packed := pack(data); len(packed) < len(data) {
		f.packed = newBody(packed)
	}
	return f
}

func newBody(data []byte) body {
	digest := sha256.Sum256(data)
	return body{data, `"` + hex.EncodeToString(digest[:12]) + `"`}
}

// pack is data as gzip. It has no time in it: the same data are the same bytes.
func pack(data []byte) []byte {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		panic(err) // the level is one of those that there are
	}
	_, _ = w.Write(data) // a buffer takes everything
	_ = w.Close()
	return packed.Bytes()
}

// Serve answers with the file of the request's path, for GET and HEAD. If there is none it
// returns false and has written nothing.
func (p *Page) Serve(w http.ResponseWriter, r *http.Request) bool {
	f := p.files[r.URL.Path]
	if f == nil {
		return false
	}
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", f.keep)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Add("Vary", "Accept-Encoding")
	if f.policy != "" {
		h.Set("Content-Security-Policy", f.policy)
	}
	send := f.plain
	if f.packed.bytes != nil && takesGzip(r.Header.Values("Accept-Encoding")) {
		send = f.packed
		h.Set("Content-Encoding", "gzip")
		// ServeContent leaves it out otherwise
		h.Set("Content-Length", strconv.Itoa(len(send.bytes)))
	}
	h.Set("ETag", send.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(send.bytes))
	return true
}

// takesGzip reports whether a client that sends these headers reads gzip. A * is all that is not
// named.
func takesGzip(headers []string) (takes bool) {
	for coding := range strings.SplitSeq(strings.ToLower(strings.Join(headers, ",")), ",") {
		name, weight, _ := strings.Cut(coding, ";")
		switch strings.TrimSpace(name) {
		case "gzip":
			return isWanted(weight)
		case "*":
			takes = isWanted(weight)
		}
	}
	return takes
}

// isWanted reports whether the weight of a coding, such as q=0.5, is above 0.
func isWanted(weight string) bool {
	_, q, given := strings.Cut(weight, "q=")
	quality, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
	return !given || err == nil && quality > 0
}
