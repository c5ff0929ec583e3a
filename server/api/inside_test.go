package api

import (
	"net/http"
	"strings"
	"testing"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/server/access"
	"github.com/pavage/pavage/server/queue"
)

// TestScan: a number may have maxDigits digits, in a string too.
func TestScan(t *testing.T) {
	for text, good := range map[string]bool{
		strings.Repeat("7", maxDigits):                   true,
		strings.Repeat("7", maxDigits+1):                 false,
		`"` + strings.Repeat("7", maxDigits+1) + `"`:     false,
		strings.Repeat(strings.Repeat("7", 999)+" ", 50): true,
	} {
		if p := scanDigits("body", text); (p == nil) != good {
			t.Errorf("%.60s: %v", text, p)
		}
	}
}

// TestAccepted: the header Accept, with ranges and weights.
func TestAccepted(t *testing.T) {
	for header, want := range map[string]string{
		"": jsonType, "*/*": jsonType, "text/plain": textType, "text/*": textType, "application/json;q=0.1, text/plain": textType,
		"text/html, */*;q=0.1": jsonType, "*/*, application/json;q=0": textType, "image/png": "", "nonsense": "", "text/plain;q=x": "",
	} {
		if got, _ := (&Picture{Accept: header}).kind(jsonType, textType); got != want {
			t.Errorf("%q: %q, want %q", header, got, want)
		}
	}
}

// TestETags: different bytes have different tags.
func TestETags(t *testing.T) {
	if a, b := newPage(jsonType, []byte("1")), newPage(jsonType, []byte("2")); a.tag == b.tag || matches(a.tag, b.tag) || !matches(b.tag+" , "+a.tag, a.tag) {
		t.Errorf("%s and %s", a.tag, b.tag)
	}
}

// TestFailure: the reason why a job has no answer.
func TestFailure(t *testing.T) {
	for want, j := range map[int]queue.Job{
		409: {State: client.Canceled}, 422: {State: client.Failed, Failure: []byte(`{"status":422,"detail":"x"}`)}, 500: {State: client.Failed},
	} {
		if p := explain(t.Context(), failure(j)); p.Status != want {
			t.Errorf("%+v, want %d", p, want)
		}
	}
}

// TestAllowed: a job gets the limits of its request, at most those of its owner.
func TestAllowed(t *testing.T) {
	owner := access.Caller{Limits: access.Limits{Memory: 100, Threads: 2}}
	for _, c := range []struct {
		asked client.Limits
		want  queue.Limits
	}{
		{client.Limits{}, queue.Limits{Memory: 100, Threads: 2}},
		{client.Limits{Memory: "50", Threads: 1}, queue.Limits{Memory: 50, Threads: 1}},
		{client.Limits{Memory: "50kB", Threads: 7}, queue.Limits{Memory: 100, Threads: 2}},
	} {
		for _, most := range []queue.Limits{{}, {Memory: 60_000, Threads: 8}} {
			if got, err := allowed(owner, c.asked, "body.limits", most); err != nil || got != c.want {
				t.Errorf("%+v: %+v, %v", c.asked, got, err)
			}
		}
	}
	most := queue.Limits{Memory: 60, Threads: 1} // less than the owner may have
	if got, err := allowed(owner, client.Limits{}, "body.limits", most); err != nil || got != (queue.Limits{Memory: 100, Threads: 2}) {
		t.Errorf("%+v, %v", got, err)
	}
	for want, asked := range map[string]client.Limits{
		"memory: the value is 61, expected at most 60 bytes": {Memory: "61"}, "threads: the value is 2, expected at most 1": {Threads: 2}, "threads: the value is -1": {Threads: -1},
		"memory: \"-1\" is not a size": {Memory: "-1"}, "timeout: \"-1s\" is not a time": {Timeout: "-1s"},
	} {
		if _, err := allowed(owner, asked, "body.limits", most); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", asked, err, want)
		}
	}
}

// TestDocsHost: a malicious host is only text in the page.
func TestDocsHost(t *testing.T) {
	page := []byte("curl http://localhost:8080/v1/count")
	for host, want := range map[string]string{
		"pavage.example:81": "curl http://pavage.example:81/v1/count", "[::1]:81": "curl http://[::1]:81/v1/count",
		"a<script>": "curl http://a&lt;script&gt;/v1/count", "": string(page), `a"b`: "curl http://a&#34;b/v1/count",
	} {
		if got := string(docsFor(page, &http.Request{Host: host})); got != want {
			t.Errorf("%q: %s", host, got)
		}
	}
	r := &http.Request{Host: "a", Header: http.Header{"X-Forwarded-Proto": {"https"}}}
	if got := string(docsFor(page, r)); got != "curl https://a/v1/count" {
		t.Error(got)
	}
}
