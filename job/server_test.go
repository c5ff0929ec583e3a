package job_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pavage/pavage/job"
)

var limits = job.Resolve(0, 0, job.NoDisk).Share(4) // four requests at a time

// serve is a server. The body of POST /KIND is a request. The tilings, if there are
// some, and then the answer come back as lines of JSON.
func serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	request, err := job.Decode(job.Kind(r.PathValue("kind")), body)
	if err == nil {
		_, err = job.Run(r.Context(), request, limits, job.Lines(w))
	}
	if err != nil {
		http.Error(w, err.Error(), map[job.ErrorKind]int{job.BadInput: 400, job.Limit: 413, job.Failure: 500}[job.KindOf(err)])
	}
}

func TestServer(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /{kind}", serve)
	for _, c := range [][3]string{
		{"/count", `{"puzzle":{"board":"8x8","pieces":["domino=any"]}}`, `"count":"12988816"`},
		{"/sample", `{"puzzle":{"board":"2x1","pieces":["domino"]},"number":"1"}`, `"cells":[[0,0],[1,0]]`},
		{"/verify", `{"puzzle":{"board":"4x4","pieces":["domino=any"]}}`, `"agrees":true`},
		{"/count", `{"puzzle":{"example":"smoa"}}`, `did you mean soma?`},
	} {
		answer := httptest.NewRecorder()
		if mux.ServeHTTP(answer, httptest.NewRequest("POST", c[0], strings.NewReader(c[1]))); !strings.Contains(answer.Body.String(), c[2]) {
			t.Errorf("%s %s: %d %s, want %s", c[0], c[1], answer.Code, answer.Body, c[2])
		}
	}
}
