package endtoend

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"go.yaml.in/yaml/v4"

	"github.com/pavage/pavage/client"
)

// mostMemory is the number of bytes that a bad request may add to the memory of the service.
const mostMemory = 64 << 20

// wrongRequest is a request that must be refused.
type wrongRequest struct {
	name, method, path, body string
	headers                  []string // name, value, …
	status                   int
	want                     string // a pattern of the detail
	at                       string // the location of the first error; "": any
}

const (
	jsonKind = "application/json"
	yamlKind = "application/yaml"
)

// send sends the request, and reads all of the answer.
func (c wrongRequest) send(v *service) (*http.Response, string) {
	v.t.Helper()
	var body io.Reader
	if c.body != "" {
		body = strings.NewReader(c.body)
	}
	if slices.Contains(c.headers, "gzip") {
		body = struct{ io.Reader }{body} // hides its length from net/http
	}
	r, err := http.NewRequestWithContext(v.t.Context(), c.method, v.url+c.path, body)
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("Content-Type", jsonKind)
	for i := 0; i < len(c.headers); i += 2 {
		r.Header.Set(c.headers[i], c.headers[i+1])
	}
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	answer, err := v.http.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer answer.Body.Close()
	return answer, string(must(io.ReadAll(answer.Body))(v.t))
}

// check sends the request. The answer must be the right problem, and cost little memory.
func (c wrongRequest) check(t *testing.T, v *service) client.Problem {
	t.Helper()
	v.forgetPeak()
	before := v.peak()
	answer, text := c.send(v)
	if more := v.peak() - before; more > mostMemory && !testing.Short() { // the race detector needs more
		t.Errorf("it took %d MiB", more>>20)
	}
	var p client.Problem
	if answer.StatusCode != c.status || answer.Header.Get("Content-Type") != "application/problem+json" {
		t.Fatalf("status %d, %v: %.500s", answer.StatusCode, answer.Header, text)
	}
	if c.method == http.MethodHead {
		return p
	}
	p = *as[client.Problem](t, json.RawMessage(text))
	if p.Status != c.status || !regexp.MustCompile(c.want).MatchString(p.Detail) || strings.Contains(p.Detail, "\n") || len(p.Detail) > 1000 {
		t.Errorf("%.1000s\nwant %s", text, c.want)
	}
	if c.at != "" && (len(p.Errors) == 0 || p.Errors[0].Location != c.at) {
		t.Errorf("%.1000s\nwant it at %s", text, c.at)
	}
	return p
}

// TestBadPuzzles: a puzzle that the command line refuses is refused by the service with the same
// words and the same place, whichever way the puzzle comes. The puzzles are in the scripts of the
// command line.
func TestBadPuzzles(t *testing.T) {
	v := fresh(t, "").serve(t)
	for _, c := range badPuzzles(t) {
		t.Run(c.name, func(t *testing.T) {
			want := "^puzzle:" + c.want
			asText := must(json.Marshal(c.text))(t)
			job := wrongRequest{
				method: http.MethodPost, path: "/v1/jobs?wait=60s", body: `{"kind":"count","puzzle":` + string(asText) + `}`,
				status: 400, want: want, at: "body.puzzle",
			}
			at := job.check(t, v).Errors[0]
			query := wrongRequest{method: http.MethodGet, path: "/v1/count?puzzle=" + url.QueryEscape(c.text), status: 400, want: want, at: "query.puzzle"}
			other := query.check(t, v).Errors[0]
			if at.Line == 0 || at.Column == 0 || at.Line != other.Line || at.Column != other.Column || at.Message != other.Message {
				t.Errorf("%+v in a job, %+v in a query", at, other)
			}
			for _, body := range []wrongRequest{
				{body: c.text, headers: []string{"Content-Type", yamlKind}}, {body: string(asText)},
			} {
				body.method, body.path = http.MethodPost, "/v1/puzzles:check"
				answer, text := body.send(v)
				seen := as[client.Checked](t, json.RawMessage(text))
				at.Location = "body"
				if answer.StatusCode != 200 || seen.OK || !slices.Equal(seen.Errors, []client.Detail{at}) {
					t.Errorf("%d %s, want %+v", answer.StatusCode, text, at)
				}
			}
			var object any
			if yaml.Unmarshal([]byte(c.text), &object) != nil {
				return // no object is like it
			}
			job.body = `{"kind":"count","puzzle":` + string(must(json.Marshal(object))(t)) + `}`
			job.want = "" // pieces without a shape are an argument of the command line, and have no line
			job.check(t, v)
		})
	}
}

// badPuzzle is a puzzle that the command line refuses: with a pattern of its error behind the name
// of the file.
type badPuzzle struct{ name, text, want string }

// badPuzzles are the puzzles of a script of the command line.
func badPuzzles(t *testing.T) (all []badPuzzle) {
	t.Helper()
	archive := must(txtar.ParseFile(filepath.Join("..", "..", "..", "cmd", "pavage", "command", "testdata", "script", "bad_puzzle.txtar")))(t)
	refused := regexp.MustCompile(`(?m)^fails 2 pavage (?:count|show) (\S+)\nstderr '\S+?\.(?:yaml|json):?(.*)'$`)
	for _, m := range refused.FindAllStringSubmatch(string(archive.Comment), -1) {
		i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == m[1] })
		if i >= 0 && len(archive.Files[i].Data) > 0 {
			all = append(all, badPuzzle{m[1], string(archive.Files[i].Data), m[2]})
		}
	}
	if len(all) < 14 {
		t.Fatalf("%d bad puzzles are in the script", len(all))
	}
	return all
}

// TestBadArguments: a board and pieces that the command line refuses, the service refuses.
func TestBadArguments(t *testing.T) {
	v := fresh(t, "").serve(t)
	script := string(must(os.ReadFile(filepath.Join("..", "..", "..", "cmd", "pavage", "command", "testdata", "script", "bad_usage.txtar")))(t))
	refused := regexp.MustCompile(`(?m)^fails 2 pavage count((?: --(?:board|piece|cover|motions) \S+)+)\nstderr '(?:--)?(.*)'$`)
	calls := refused.FindAllStringSubmatch(script, -1)
	if len(calls) < 10 {
		t.Fatalf("%d calls are in the script", len(calls))
	}
	for _, m := range calls {
		t.Run(m[1], func(t *testing.T) {
			query, want := url.Values{}, strings.ReplaceAll(m[2], "--", "")
			for i, words := 0, strings.Fields(m[1]); i < len(words); i += 2 {
				query.Add(words[i][2:], strings.Trim(words[i+1], "'"))
			}
			if query.Get("board") == "" || query.Get("piece") == "" {
				want = "" // the service has other words for it
			}
			wrongRequest{method: http.MethodGet, path: "/v1/count?" + query.Encode(), status: 400, want: want}.check(t, v)
			puzzle := map[string]any{"board": query.Get("board"), "pieces": query["piece"]}
			for _, name := range []string{"cover", "motions"} {
				if query.Has(name) {
					puzzle[name] = query.Get(name)
				}
			}
			body := `{"kind":"count","puzzle":` + string(must(json.Marshal(puzzle))(t)) + `}`
			wrongRequest{method: http.MethodPost, path: "/v1/jobs?wait=60s", body: body, status: 400, want: want}.check(t, v)
		})
	}
}

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, text)
	must(0, err)(t)
	must(0, w.Close())(t)
	return b.String()
}

// emptyPacks are many packed texts of nothing: however many there are, nothing comes out.
func emptyPacks(t *testing.T) string {
	return strings.Repeat(packed(t, ""), 300_000)
}

// TestBadRequests: a malformed request is answered by a problem with the place and the reason.
func TestBadRequests(t *testing.T) {
	v := fresh(t, "").serve(t)
	const dominoes = `"puzzle":{"board":"8x8","pieces":["domino=any"]}`
	const missing = "/v1/jobs/aaaaaaaaaaaaaaaaaaaaaaaaaa"
	count := func(more string) string { return `{"kind":"count",` + dominoes + more + `}` }
	nines := strings.Repeat("9", 10_000_000)
	deep := strings.Repeat("[", 100_000)
	entries := strings.Builder{} // many small fields
	for i := range 300_000 {
		fmt.Fprintf(&entries, `"%x":0,`, i)
	}
	yamlBody := []string{"Content-Type", yamlKind}
	for _, c := range []wrongRequest{
		{"content type", "POST", "/v1/jobs", count(""), []string{"Content-Type", "text/plain"}, 415, "application/json", ""},
		{"form", "POST", "/v1/jobs", "kind=count", []string{"Content-Type", "application/x-www-form-urlencoded"}, 415, "application/json", ""},
		{"form of files", "POST", "/v1/samples", "--x\r\n", []string{"Content-Type", "multipart/form-data; boundary=x"}, 415, "application/json", ""},
		{"coding", "POST", "/v1/jobs", count(""), []string{"Content-Encoding", "deflate"}, 415, "gzip", ""},
		{"unknown field", "POST", "/v1/jobs", count(`,"priority":9`), nil, 400, `unknown field "priority"`, "body.priority"},
		{"unknown option", "POST", "/v1/jobs", count(`,"options":{"enginn":"sweep"}`), nil, 400, `"enginn", did you mean engine`, "body.options.enginn"},
		{"unknown parameter", "GET", "/v1/count?board=2x3&piece=domino=any&motion=fixed", "", nil, 400, "motion", ""},
		{"many options", "POST", "/v1/jobs", count(`,"options":{` + entries.String() + `"a":0}`), nil, 400, "", ""},
		{"no body", "POST", "/v1/jobs", "", nil, 400, "empty", "body"},
		{"null", "POST", "/v1/jobs", "null", nil, 400, "", ""},
		{"no engine", "POST", "/v1/jobs", count(`,"options":{"engine":"fast"}`), nil, 400, "fast", ""},
		{"wait", "POST", "/v1/jobs?wait=1e9", count(""), nil, 400, "60s", "query.wait"},
		{"wait of no number", "GET", missing + "?wait=NaN", "", nil, 400, "60s", "query.wait"},
		{"more memory than there is", "POST", "/v1/jobs", count(`,"limits":{"memory":"8GiB"}`), nil, 400, "at most", "body.limits.memory"},
		{"limits out of range", "POST", "/v1/jobs", count(`,"limits":{"threads":9223372036854775808}`), nil, 400, "threads", ""},
		{"a file of the server", "POST", "/v1/jobs", `{"kind":"check",` + dominoes + `,"options":{"file":"/etc/passwd"}}`, nil, 400, "only the command line", "body.kind"},
		{"a program of the server", "POST", "/v1/jobs", `{"kind":"solve",` + dominoes + `,"options":{"command":"id"}}`, nil, 400, "only the command line", "body.kind"},
		{"an example elsewhere", "POST", "/v1/jobs", `{"kind":"count","puzzle":"name:../../../etc/passwd"}`, nil, 400, "no example", ""},

		{"missing job", "GET", missing, "", nil, 404, "no such job", ""},
		{"missing job's output", "GET", missing + "/output", "", nil, 404, "no such job", ""},
		{"missing job's end", "DELETE", missing, "", nil, 404, "no such job", ""},
		{"missing job's events", "GET", missing + "/events", "", []string{"Last-Event-ID", "7"}, 404, "no such job", ""},
		{"event", "GET", missing + "/events", "", []string{"Last-Event-ID", "last"}, 400, "id of an event", "header.Last-Event-ID"},
		{"event of many digits", "GET", missing + "/events", "", []string{"Last-Event-ID", "99999999999999999999"}, 400, "id of an event", "header.Last-Event-ID"},
		{"cursor", "GET", "/v1/jobs?cursor=%00%ff", "", nil, 400, "cursor", "query.cursor"},
		{"state", "GET", "/v1/jobs?state=asleep", "", nil, 400, "expected queued", "query.state"},

		{"large body", "POST", "/v1/jobs", strings.Repeat(" ", 64<<20), nil, 413, "4194304", ""},
		{"bomb", "POST", "/v1/jobs", packed(t, strings.Repeat(" ", 128<<20)), []string{"Content-Encoding", "gzip"}, 413, "4194304", ""},
		{"bomb of nothing", "POST", "/v1/jobs", emptyPacks(t), []string{"Content-Encoding", "gzip"}, 413, "4194304", ""},
		{"digits", "POST", "/v1/jobs", `{"kind":"sample",` + dominoes + `,"options":{"number":` + nines[:4_000_000] + `}}`, nil, 400, "1000 digits", "body"},
		{"10^7 digits", "POST", "/v1/jobs", nines, nil, 413, "4194304", ""},
		{"digits in YAML", "POST", "/v1/puzzles:check", "board: " + nines[:1_000_000] + "x8\npieces: [O4]\n", yamlBody, 400, "1000 digits", "body"},
		{"digits in a query", "GET", "/v1/count?board=8x8&piece=domino=" + nines[:50_000], "", nil, 400, "1000 digits", "query.piece"},
		{"rank", "GET", "/v1/tilings?board=8x8&piece=domino=any&rank=" + nines[:50_000], "", nil, 400, "1000 digits", "query.rank"},
		{"deep", "POST", "/v1/jobs", `{"kind":"count","puzzle":` + deep + `}`, nil, 400, "exceeded max depth", "body"},
		{"deep puzzle", "POST", "/v1/puzzles:estimate", `{"board":` + deep, nil, 400, "exceeded max depth", "body"},
		{"deep YAML", "POST", "/v1/puzzles:estimate", "board: " + deep, yamlBody, 400, "nested too deeply, expected at most 16 levels", "body"},
		{"deep blocks", "POST", "/v1/puzzles:estimate", strings.Repeat("- ", 400_000), yamlBody, 400, "nested too deeply, expected at most 16 levels", "body"},
		{"deep lines", "POST", "/v1/puzzles:estimate", stairs(1000), yamlBody, 400, "nested too deeply, expected at most 16 levels", "body"},
		{"many tilings", "GET", "/v1/samples?board=8x8&piece=domino=any&n=1000000000000", "", nil, 400, "at most 10000000", "query.n"},
		{"many tilings of a job", "POST", "/v1/jobs", `{"kind":"sample",` + dominoes + `,"options":{"number":"1000000000000"}}`, nil, 400, "at most 10000000", "body.options.number"},
		{"many in a picture", "GET", "/v1/samples?board=8x8&piece=domino=any&n=1000&format=svg", "", nil, 400, "at most 100", "query.n"},

		{"dots in an id", "GET", "/v1/jobs/%2e%2e", "", nil, 404, "", ""},
		{"slashes in an id", "GET", "/v1/jobs/..%2f..%2fstore", "", nil, 404, "", ""},
		{"a zero in an id", "GET", "/v1/jobs/aaaaaaaaaaaaaaaaaaaaaaaaa%00", "", nil, 404, "", ""},
		{"a quote in an id", "DELETE", "/v1/jobs/'%20or%20'1'='1", "", nil, 404, "", ""},
		{"a long id", "GET", "/v1/jobs/" + strings.Repeat("a", 60_000), "", nil, 404, "", ""},
		{"dots in an example", "GET", "/v1/examples/..%2f..%2fgo.mod", "", nil, 404, "", ""},
		{"around the page", "GET", "/docs%2f..%2fv1%2fjobs", "", nil, 404, "", ""},
		{"put", "PUT", "/v1/jobs", "{}", nil, 405, "GET or HEAD or POST", ""},
		{"trace", "TRACE", "/v1/jobs", "", nil, 405, "GET", ""},
		{"no method", "BREW", "/v1/version", "", nil, 405, "GET", ""},
		{"head of nothing", "HEAD", "/v1/nothing", "", nil, 404, "", ""},
		{"options of nothing", "OPTIONS", "/v1/nothing", "", nil, 404, "", ""},

		{"another site's name", "GET", "/v1/version", "", []string{"Host", "evil.example"}, 403, "host", ""},
		{"almost this machine", "GET", "/v1/version", "", []string{"Host", "127.0.0.1.evil.example"}, 403, "host", ""},
		{"another site", "POST", "/v1/jobs", count(""), []string{"Origin", "https://evil.example"}, 403, "page", ""},
		{"no site", "POST", "/v1/jobs", count(""), []string{"Origin", "null"}, 403, "page", ""},
		{"another port", "POST", "/v1/jobs", count(""), []string{"Origin", "http://127.0.0.1:1"}, 403, "page", ""},
		{"a picture in a page", "GET", "/v1/samples?board=8x8&piece=domino=any&format=svg", "", []string{"Sec-Fetch-Site", "cross-site"}, 403, "page", ""},
		{"events in a page", "GET", missing + "/events", "", []string{"Sec-Fetch-Site", "same-site"}, 403, "page", ""},
		{"may a page ask?", "OPTIONS", "/v1/jobs", "", []string{"Origin", "https://evil.example", "Access-Control-Request-Method", "POST"}, 403, "page", ""},
	} {
		t.Run(c.name, func(t *testing.T) { c.check(t, v) })
	}
	if text := v.get("/v1/count?board=8x8&piece=domino=any"); !strings.Contains(text, "12988816") {
		t.Errorf("after all: %s", text)
	}
}

// stairs are lists in one another, each on a line of its own.
func stairs(deep int) string {
	var b strings.Builder
	for i := range deep {
		fmt.Fprintf(&b, "%sa:\n", strings.Repeat(" ", i))
	}
	return b.String()
}
