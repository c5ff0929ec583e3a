package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/server/access"
)

// methods are those that a path can have. HEAD comes with GET.
var methods = []string{http.MethodGet, http.MethodPost, http.MethodDelete}

// ServeHTTP lets a request in that is one: a path and a method that are there, a query
// that can be read, a body within its limits. Whoever has called it finds in the request
// which pattern its path has.
func (s *service) ServeHTTP(out http.ResponseWriter, outer *http.Request) {
	w, r := &tracked{ResponseWriter: out}, outer
	defer s.recover(w, r)
	if r.ContentLength != 0 {
		// Unless its body is read to the end, a request is the last of its connection. Else
		// net/http would wait for the rest before it sends the answer.
		w.Header().Set("Connection", "close")
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store") // unless the answer says more
	if p := checkTarget(r); p != nil {
		refuse(w, p)
		return
	}
	if _, pattern := s.mux.Handler(r); pattern == "" {
		s.refuseMethod(w, r)
		return
	}
	if r.Method == http.MethodPost {
		with, p := s.withBody(w, r)
		if p != nil {
			refuse(w, p)
			return
		}
		r = with
	}
	if r.Method == http.MethodPost || r.ContentLength == 0 {
		// The request was read. Its time limit would end long answers too. It stays where
		// something was not read: net/http reads that before it answers.
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	}
	r = r.WithContext(context.WithValue(r.Context(), queryKey{}, r.URL.RawQuery))
	defer func() { outer.Pattern = r.Pattern }() // also of an answer that is cut
	s.mux.ServeHTTP(w, r)
}

// refuseMethod answers where a path has no such method: with the methods that it has.
func (s *service) refuseMethod(w http.ResponseWriter, r *http.Request) {
	allowed := s.allowed(r)
	if len(allowed) == 0 {
		refuse(w, access.NewProblem(http.StatusNotFound, "there is nothing at this path, /docs says what there is"))
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	refuse(w, access.NewProblem(http.StatusMethodNotAllowed, "the method is %.20q, want %s", r.Method, strings.Join(allowed, " or ")))
}

// allowed are the methods that the path of a request has; none if there is no such path.
func (s *service) allowed(r *http.Request) (found []string) {
	for _, m := range methods {
		if _, pattern := s.mux.Handler(&http.Request{Method: m, URL: r.URL, Host: r.Host}); pattern == "" {
			continue
		}
		if found = append(found, m); m == http.MethodGet {
			found = append(found, http.MethodHead)
		}
	}
	if found != nil {
		found = append(found, http.MethodOptions)
	}
	return found
}

// checkTarget refuses a path with tricks in it, and a query that cannot be read.
func checkTarget(r *http.Request) *client.Problem {
	if r.URL.Path != "/" && path.Clean(r.URL.Path) != r.URL.Path {
		return access.NewProblem(http.StatusNotFound, "there is nothing at this path, /docs says what there is")
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return wrong("query", "it cannot be read: %v", err)
	}
	for name, values := range query {
		if len(values) > 1 && name != "piece" {
			return wrong("query."+name, "it is given %d times, want once", len(values))
		}
		for _, value := range values {
			if p := scanDigits("query."+name, value); p != nil {
				return p
			}
		}
	}
	return nil
}

// recover answers a request whose handler panicked: that is a bug, and is logged.
func (s *service) recover(w *tracked, r *http.Request) {
	v := recover()
	if v == nil {
		return
	}
	err, isError := v.(error)
	_, isBug := v.(runtime.Error)
	if errors.Is(err, http.ErrAbortHandler) || isError && !isBug && w.begun {
		panic(http.ErrAbortHandler) // cut on purpose, or nobody took the answer
	}
	s.log(r.Context()).Error().Str("panic", fmt.Sprint(v)).Str("path", r.URL.Path).Bytes("stack", debug.Stack()).Msg("a handler panicked")
	if w.begun {
		panic(http.ErrAbortHandler)
	}
	refuse(w, access.NewProblem(http.StatusInternalServerError, "something is wrong with the service, and its log says what"))
}

type queryKey struct{}

// queryOf is the query of the request that ctx belongs to, as it was sent.
func queryOf(ctx context.Context) string {
	q, _ := ctx.Value(queryKey{}).(string)
	return q
}

// tracked knows whether an answer has begun.
type tracked struct {
	http.ResponseWriter
	begun bool
}

// Unwrap is for http.ResponseController.
func (t *tracked) Unwrap() http.ResponseWriter { return t.ResponseWriter }

func (t *tracked) WriteHeader(status int) {
	t.begun = true
	t.ResponseWriter.WriteHeader(status)
}

func (t *tracked) Write(p []byte) (int, error) {
	t.begun = true
	return t.ResponseWriter.Write(p)
}
