// Package web serves the web page of the service from the program.
//
// # Purpose
//
// npm builds the page from TypeScript (src, in the same folder) into dist. The go command embeds
// dist in the program, and this package serves its files:
//
//	src/*.tsx ── make web ──► dist/index.html           ─► /           revalidated by browsers
//	                          dist/assets/NAME-HASH.js  ─► /assets/…   kept for a year
//	                          dist/icon.svg             ─► /icon.svg   revalidated by browsers
//	                          dist/licenses.md          ─► /licenses.md  licenses of packages
//	                              │
//	                              └── go build ──► [Built] ──► [Page.Serve]
//
// The names in assets contain a hash of the content. So such a file never changes, and a browser
// need not ask for it again. All other files have an ETag, with which a browser asks whether a file
// has changed.
//
// # Without a build
//
// The go command does not run npm: without npm, dist has only the file .gitkeep. Such a program
// serves a short page at / that explains how to build the page. The rest of the service is
// complete. The commit of a release has the built page in dist, so go install builds a release with
// its page.
//
// # What the page may do
//
// [policy] lets the page load its own files and send requests to its own service, and forbids
// everything else: other sites, scripts and styles in the markup, eval, frames. So a puzzle from a
// stranger cannot run a script.
//
// # Cost
//
// All files are in memory, compressed with gzip when a service starts: this takes about 50 ms and 1
// MB. A request costs only the bytes of its answer.
//
// # Non-goals
//
// The package has no listings of folders, no templates and no data: the page gets data from the
// API. It answers no request with an error: if a file does not exist, Serve only returns false.
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

// policy is the Content-Security-Policy of the page. The page makes blob: and data: pictures.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; " + closed

// closed is the part of the policy that the built page and the short page share.
const closed = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Page has the files of a built page, or the short page.
type Page struct {
	files map[string]*file // by path, such as /assets/index-5f3a.js
	built bool
}

type file struct {
	kind   string // Content-Type
	keep   string // Cache-Control
	policy string // Content-Security-Policy; "" means the policy of the service's other answers
	plain  body
	packed body // compressed with gzip; empty if the result is not shorter than plain
}

type body struct {
	bytes []byte
	tag   string // strong ETag of bytes
}

// Built returns the page in this program.
var Built = sync.OnceValue(func() *Page {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // "dist" is a valid path
	}
	p, err := Read(files)
	if err != nil {
		panic(err) // embedded files can be read
	}
	return p
})

// Read reads a folder that npm has built. Without an index.html, it returns the short page.
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

// Has reports whether the page has a file at this path, such as / or /icon.svg.
func (p *Page) Has(path string) bool { return p.files[path] != nil }

// IsBuilt reports whether npm has built the page. If not, p is the short page.
func (p *Page) IsBuilt() bool { return p.built }

func (p *Page) add(name string, data []byte) {
	if name == "index.html" {
		p.files["/"] = newFile(name, data, policy)
		return
	}
	p.files["/"+name] = newFile(name, data, "")
}

// kinds has the content types. Package mime reads tables of the operating system, which differ.
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

// pack compresses data with gzip. The result has no time in it, so equal data have equal results.
func pack(data []byte) []byte {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		panic(err) // the level is valid
	}
	_, _ = w.Write(data) // a write to a buffer cannot fail
	_ = w.Close()
	return packed.Bytes()
}

// Serve answers GET and HEAD with the file at the path, or returns false and writes nothing.
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
		// With a Content-Encoding, ServeContent does not set the length.
		h.Set("Content-Length", strconv.Itoa(len(send.bytes)))
	}
	h.Set("ETag", send.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(send.bytes))
	return true
}

// takesGzip reports whether a client with these Accept-Encoding headers accepts gzip. A * stands
// for all codings that the headers do not name.
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
