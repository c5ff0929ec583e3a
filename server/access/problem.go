package access

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/pavage/pavage/client"
)

// ProblemType is the content type of a [client.Problem].
const ProblemType = "application/problem+json"

// Status describes an HTTP status of problems.
type Status struct{ Title, Words string }

// Statuses has the description of each status that a problem can have.
var Statuses = map[int]Status{
	400: {"the request is wrong", "The request is wrong, or its puzzle: the problem says where."},
	401: {"a token is needed", "The token is missing or unknown."},
	403: {"this is not allowed", "The token does not allow this."},
	404: {"there is nothing here", "There is no such thing, or it belongs to another caller."},
	405: {"there is no such method here", "The path has no such method."},
	406: {"there is no such format", "There is no answer in a format that you accept."},
	408: {"the request came too slowly", "The body came too slowly."},
	409: {"the job was canceled", "The job was canceled."},
	410: {"this is not kept any more", "The answer or output of the job is not kept any more: submit the request again."},
	413: {"the body is too large", "The body is too large."},
	415: {"this content type is not read", "The service does not read bodies of this content type."},
	422: {"this cannot be done", "A limit was reached, or there is no tiling to draw."},
	429: {"too much at once", "Too many requests or jobs: Retry-After says when to try again."},
	500: {"the service failed", "The service failed."},
	503: {"the service is not ready", "The service is stopped, or its database or data folder cannot be used: try again after the seconds in Retry-After."},
	507: {"the disk is full", "The disk of the service is full."},
}

// NewProblem returns a problem with the usual title of its status.
func NewProblem(status int, format string, args ...any) *client.Problem {
	return &client.Problem{Title: Statuses[status].Title, Status: status, Detail: fmt.Sprintf(format, args...)}
}

// WriteProblem answers with a problem. Caches must not keep it, since a later request may succeed.
func WriteProblem(w http.ResponseWriter, p *client.Problem) {
	body, err := json.Marshal(p)
	if err != nil { // encoding strings and numbers cannot fail
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
	_, _ = w.Write(append(body, '\n')) // an error means that the client has disconnected
}
