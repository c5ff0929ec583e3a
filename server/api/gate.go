package api

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/server/access"
)

// ServeHTTP checks path, method, query and the limits of the body. It sets the request's pattern.
func (s *service) ServeHTTP(w http.ResponseWriter, outer *http.Request) {
	r := outer
	w.Header().Set("Cache-Control", "no-store") // the default: an operation may replace it
	query, p := checkTarget(r)
	if p != nil {
		access.WriteProblem(w, p)
		return
	}
	if own, pattern := s.mux.Handler(r); pattern == "" {
		refuseMethod(w, r, own)
		return
	}
	in := sent{raw: r.URL.RawQuery, query: query, puzzleAt: "query", optionsAt: "query"}
	if query.Has("puzzle") {
		in.puzzleAt = "query.puzzle"
	}
	if r.Method == http.MethodPost {
		if in.body, p = s.body(w, r); p != nil {
			access.WriteProblem(w, p)
			return
		}
	}
	if r.Method == http.MethodPost || r.ContentLength == 0 {
		// The deadline for the body is removed, since it would also end long answers. If the
		// body was not read, the deadline stays, since net/http reads the body later.
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	}
	r = r.WithContext(context.WithValue(r.Context(), sentKey{}, &in))
	defer func() { outer.Pattern = r.Pattern }() // deferred, since a handler that cuts off its answer panics
	s.mux.ServeHTTP(w, r)
}

type headers http.Header

func (h headers) Header() http.Header         { return http.Header(h) }
func (h headers) Write(p []byte) (int, error) { return len(p), nil }
func (h headers) WriteHeader(int)             {}

// refuseMethod answers a request whose method or path is unknown. The argument own is a handler of
// http.ServeMux, which sets the header Allow if the path has other methods.
func refuseMethod(w http.ResponseWriter, r *http.Request, own http.Handler) {
	from := headers{}
	own.ServeHTTP(from, r)
	allowed := from.Header().Get("Allow")
	if allowed == "" {
		access.WriteProblem(w, nothingHere())
		return
	}
	allowed += ", " + http.MethodOptions
	w.Header().Set("Allow", allowed)
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	advice := ""
	if r.Method == http.MethodPost {
		advice = "; a body with a puzzle goes to POST /v1/jobs?wait=10s"
	}
	access.WriteProblem(w, access.NewProblem(http.StatusMethodNotAllowed, "the method is %.20q, expected %s%s", r.Method, strings.ReplaceAll(allowed, ", ", " or "), advice))
}

func nothingHere() *client.Problem {
	return access.NewProblem(http.StatusNotFound, "there is nothing at this path; /docs lists the paths")
}

// checkTarget parses the query. It refuses an unusual path, such as a path with "..".
func checkTarget(r *http.Request) (url.Values, *client.Problem) {
	if r.URL.Path != "/" && path.Clean(r.URL.Path) != r.URL.Path {
		return nil, nothingHere()
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, wrong("query", "the query cannot be read: %v", err)
	}
	for name, values := range query {
		for _, value := range values {
			if p := scanDigits("query."+name, value); p != nil {
				return nil, p
			}
		}
	}
	return query, nil
}

type sent struct {
	raw   string // the query as it was sent
	query url.Values
	body  // the field text is nil if there is no body

	puzzleAt, optionsAt string
	names               map[string]string // for each option, its name in the query
}

func (in *sent) place(name string) string { return in.optionsAt + "." + cmp.Or(in.names[name], name) }

type sentKey struct{}

func sentOf(ctx context.Context) *sent {
	in, ok := ctx.Value(sentKey{}).(*sent)
	if !ok {
		return &sent{puzzleAt: "query", optionsAt: "query"}
	}
	return in
}
