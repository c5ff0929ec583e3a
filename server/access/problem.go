package access

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/pavage/pavage/client"
)

// ProblemType is the content type of a [client.Problem].
const ProblemType = "application/problem+json"

// titles say in plain words what the statuses of problems mean.
var titles = map[int]string{
	http.StatusBadRequest:            "the request is wrong",
	http.StatusUnauthorized:          "a token is needed",
	http.StatusForbidden:             "this is not allowed",
	http.StatusNotFound:              "there is nothing here",
	http.StatusMethodNotAllowed:      "there is no such method here",
	http.StatusNotAcceptable:         "there is no such format",
	http.StatusRequestTimeout:        "the request came too slowly",
	http.StatusConflict:              "the job was canceled",
	http.StatusGone:                  "this is not kept any more",
	http.StatusRequestEntityTooLarge: "the body is too large",
	http.StatusUnsupportedMediaType:  "this kind of body is not read",
	http.StatusUnprocessableEntity:   "this cannot be done",
	http.StatusTooManyRequests:       "too much at once",
	http.StatusInternalServerError:   "the service failed",
	http.StatusServiceUnavailable:    "the service is not ready",
}

// NewProblem makes a problem with the usual title of its status.
func NewProblem(status int, format string, args ...any) *client.Problem {
	return &client.Problem{Title: cmp.Or(titles[status], http.StatusText(status)), Status: status, Detail: fmt.Sprintf(format, args...)}
}

// WriteProblem answers a request with a problem. Caches must not keep it: a request
// that is refused now may succeed later.
func WriteProblem(w http.ResponseWriter, p *client.Problem) {
	body, err := json.Marshal(p)
	if err != nil { // it has only texts and numbers
		panic(err)
	}
	h := w.Header()
	h.Set("Content-Type", ProblemType)
	h.Set("Cache-Control", "no-store")
	if h.Get("Retry-After") == "" && (p.Status == http.StatusServiceUnavailable || p.Status == http.StatusTooManyRequests) {
		h.Set("Retry-After", "5")
	}
	h.Del("ETag")
	w.WriteHeader(p.Status)
	_, _ = w.Write(append(body, '\n')) // a client that went away needs no answer
}
