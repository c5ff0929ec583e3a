package access

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/pavage/pavage/client"
)

// ProblemType is the content type of a [client.Problem].
const ProblemType = "application/problem+json"

// NewProblem is a problem with the usual title of its status.
func NewProblem(status int, format string, args ...any) *client.Problem {
	return &client.Problem{Title: http.StatusText(status), Status: status, Detail: fmt.Sprintf(format, args...)}
}

// WriteProblem answers a request with a problem. Nothing of a problem is kept by
// caches: what was refused now may be granted later.
func WriteProblem(w http.ResponseWriter, p *client.Problem) {
	body, err := json.Marshal(p)
	if err != nil { // it has texts and numbers alone
		panic(err)
	}
	h := w.Header()
	h.Set("Content-Type", ProblemType)
	h.Set("Cache-Control", "no-store")
	h.Del("ETag")
	w.WriteHeader(p.Status)
	_, _ = w.Write(append(body, '\n')) // a client that went away is told nothing
}
