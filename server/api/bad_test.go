package api_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/access"
	"github.com/pavage/pavage/server/api"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/store"
)

const dominoes = `"puzzle":{"board":"2x3","pieces":["domino=any"]}`

// deep returns nested JSON lists.
func deep(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

func packed(text string) string {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return out.String()
}

// TestBadInput: each invalid request gets its status, and a problem with the mistake and its place.
func TestBadInput(t *testing.T) { onBoth(t, testBadInput) }

func testBadInput(t *testing.T, s *site) {
	digits := strings.Repeat("9", 10_000)
	for _, c := range []struct {
		name, method, path, body string
		status                   int
		want                     string // in the detail
		at                       string // location of the first mistake
		headers                  []string
	}{
		{"no puzzle", "GET", "/v1/count", "", 400, "expected board and piece", "query", nil},
		{"two puzzles", "GET", "/v1/count?board=8x8&piece=O4&puzzle=name:soma", "", 400, "the puzzle is given twice", "query", nil},
		{"unknown example", "GET", "/v1/count?puzzle=name:somma", "", 400, "soma", "query.puzzle", nil},
		{"unknown example of a job", "POST", "/v1/jobs", `{"kind":"count","puzzle":{"example":"somma"}}`, 400, "did you mean soma?", "body.puzzle", nil},
		{"condition of no form", "GET", "/v1/count?board=2x3&piece=domino=any&exactly=x", "", 400, "expected K:PLACEMENTS", "query.exactly", nil},
		{"weight of no form", "GET", "/v1/samples?board=2x3&piece=domino=any&weight=x", "", 400, "expected", "query.weight", nil},
		{"more than all", "GET", "/v1/samples?board=2x3&piece=domino=any&unique=true&n=9", "", 400, "expected at most 3", "query.n", nil},
		{"unknown piece", "GET", "/v1/count?board=8x8&piece=domyno", "", 400, "domyno", "", nil},
		{"a board of none", "GET", "/v1/count?board=0x8&piece=O4", "", 400, "0x8", "", nil},
		{"no pieces", "GET", "/v1/count?board=8x8", "", 400, "piece=domino=any", "query.piece", nil},
		{"unknown engine", "GET", "/v1/count?board=8x8&piece=O4&engine=x", "", 400, "expected auto", "query.engine", nil},
		{"unknown parameter", "GET", "/v1/count?bord=8x8", "", 400, "did you mean board? There are puzzle", "query.bord", nil},
		{"parameter twice", "GET", "/v1/count?board=8x8&board=9x9&piece=O4", "", 400, "2 times", "query.board", nil},
		{"query that is none", "GET", "/v1/count?board=%zz", "", 400, "cannot be read", "query", nil},
		{"format of no kind", "GET", "/v1/count?board=8x8&piece=domino=any", "", 406, "text/plain", "", []string{"Accept: image/png"}},
		{"n of 10^12", "GET", "/v1/samples?board=8x8&piece=domino=any&n=1000000000000", "", 400, "at most 10000000", "query.n", nil},
		{"n that is no number", "GET", "/v1/samples?board=8x8&piece=domino=any&n=-1", "", 400, "whole number", "query.n", nil},
		{"n of many digits", "GET", "/v1/samples?board=8x8&piece=domino=any&n=" + digits, "", 400, "1000 digits", "query.n", nil},
		{"seed that is no number", "GET", "/v1/samples?board=8x8&piece=domino=any&seed=x", "", 400, "whole number", "query.seed", nil},
		{"many pictures", "GET", "/v1/samples?board=8x8&piece=domino=any&n=101&format=svg", "", 400, "at most 100", "query.n", nil},
		{"nothing to draw", "GET", "/v1/samples?board=3x3&piece=domino=any", "", 422, "no tiling", "", nil},
		{"no tree to draw", "GET", "/v1/samples?board=%23%23.%23%23&piece=domino=any&tree=true", "", 422, "no connection", "", nil},
		{"nothing satisfies the conditions", "GET", "/v1/samples?board=2x3&piece=domino=any&exactly=0:domino", "", 422, "no tiling of the puzzle satisfies the conditions", "", nil},
		{"no such format", "GET", "/v1/samples?board=8x8&piece=domino=any&format=gif", "", 400, "gif", "query.format", nil},
		{"cells too large", "GET", "/v1/samples?board=8x8&piece=domino=any&cell=2000", "", 400, "1000", "query.cell", nil},
		{"no such piece", "GET", "/v1/puzzle?board=8x8&piece=domino=any&format=svg&draw=x", "", 400, "no piece", "query.draw", nil},
		{"a bad board to draw", "GET", "/v1/puzzle?board=8x&piece=domino=any&format=svg", "", 400, "8x", "", nil},
		{"no rank", "GET", "/v1/tilings?board=2x3&piece=domino=any", "", 400, "expected a number from 0, first or last", "query.rank", nil},
		{"rank of many digits", "GET", "/v1/tilings?board=2x3&piece=domino=any&rank=" + digits, "", 400, "1000 digits", "query.rank", nil},
		{"rank out of range", "GET", "/v1/tilings?board=2x3&piece=domino=any&rank=3", "", 400, "3", "query.rank", nil},
		{"rank of no number", "GET", "/v1/tilings?board=2x3&piece=domino=any&rank=x", "", 400, "expected a number from 0, first or last", "query.rank", nil},
		{"no rank in a body", "POST", "/v1/tilings", `{` + dominoes + `}`, 400, "expected a number from 0, first or last", "body.rank", nil},
		{"rank that is no text", "POST", "/v1/tilings", `{` + dominoes + `,"rank":1}`, 400, "first or last", "body.rank", nil},
		{"rank beside a body", "POST", "/v1/tilings?rank=1", `{` + dominoes + `}`, 400, "fields of the JSON", "query", nil},
		{"no such placements", "POST", "/v1/tilings", `{` + dominoes + `,"rank":"0","with":["X5"]}`, 400, "no piece", "body.with", nil},
		{"nothing satisfies the conditions of a rank", "GET", "/v1/tilings?board=2x3&piece=domino=any&exactly=0:domino&rank=first", "", 422, "no tiling of the puzzle satisfies the conditions", "", nil},
		{"rank of an empty body", "POST", "/v1/tilings", "", 400, `"rank":"last"`, "body", nil},

		{"empty body", "POST", "/v1/jobs", "", 400, `such as {"kind"`, "body", nil},
		{"form", "POST", "/v1/jobs", "{}", 415, "--json", "", []string{"Content-Type: application/x-www-form-urlencoded"}},
		{"charset", "POST", "/v1/jobs", "{}", 415, "Content-Type", "", []string{"Content-Type: application/json; charset=utf-16"}},
		{"coding", "POST", "/v1/jobs", "{}", 415, "gzip", "", []string{"Content-Encoding: br"}},
		{"no gzip", "POST", "/v1/jobs", "{}", 400, "not gzip", "body", []string{"Content-Encoding: gzip"}},
		{"no JSON", "POST", "/v1/jobs", "{", 400, "line 1, column 2", "body", nil},
		{"more than JSON", "POST", "/v1/jobs", "{} {}", 400, "more text", "body", nil},
		{"no UTF-8", "POST", "/v1/jobs", "{\"kind\":\"\xff\"}", 400, "UTF-8", "body", nil},
		{"deep", "POST", "/v1/jobs", `{"kind":"count","puzzle":` + deep(100_000) + `}`, 400, "exceeded max depth", "body", nil},
		{"deep file", "POST", "/v1/jobs", `{"kind":"count","puzzle":{"board":` + deep(5000) + `}}`, 400, "nested too deeply, expected at most 16 levels", "body.puzzle", nil},
		{"deep puzzle", "POST", "/v1/puzzles:check", deep(100_000), 400, "exceeded max depth", "body", nil},
		{"10^6 digits", "POST", "/v1/jobs", `{"kind":"sample",` + dominoes + `,"options":{"number":` + strings.Repeat("9", 1_000_000) + `}}`, 400, "1000 digits", "body", nil},
		{"unknown field", "POST", "/v1/jobs", `{"kynd":"count"}`, 400, `unknown field "kynd", did you mean kind? There are kind, puzzle, options, limits`, "body.kynd", nil},
		{"key twice", "POST", "/v1/jobs", `{"kind":"count","kind":"list",` + dominoes + `}`, 400, "this key occurs twice, expected each key once", "body.kind", nil},
		{"key twice in a puzzle", "POST", "/v1/jobs", `{"kind":"count","puzzle":{"board":"2x2","pieces":["domino=any"],"board":"2x3"}}`, 400, "this key occurs twice, expected each key once", "body.puzzle.board", nil},
		{"key twice in a bare puzzle", "POST", "/v1/puzzles:estimate", `{"board":"2x2","pieces":["domino=any"],"board":"2x3"}`, 400, "this key occurs twice, expected each key once", "body.board", nil},
		{"unknown option", "POST", "/v1/jobs", `{"kind":"count",` + dominoes + `,"options":{"enginn":"x"}}`, 400, `"enginn", did you mean engine? There are engine, distinct`, "body.options.enginn", nil},
		{"puzzle as option", "POST", "/v1/jobs", `{"kind":"count",` + dominoes + `,"options":{"puzzle":{}}}`, 400, "beside the options", "body.options.puzzle", nil},
		{"options of no kind", "POST", "/v1/jobs", `{"kind":"count",` + dominoes + `,"options":[]}`, 400, "not an object", "body.options", nil},
		{"no kind", "POST", "/v1/jobs", `{` + dominoes + `}`, 400, "kind is missing", "body.kind", nil},
		{"unknown kind", "POST", "/v1/jobs", `{"kind":"cuont",` + dominoes + `}`, 400, "did you mean count? There are show, count", "body.kind", nil},
		{"programs", "POST", "/v1/jobs", `{"kind":"solve",` + dominoes + `,"options":{"command":"rm"}}`, 400, "only the command line", "body.kind", nil},
		{"files", "POST", "/v1/jobs", `{"kind":"check",` + dominoes + `}`, 400, "only the command line", "body.kind", nil},
		{"no puzzle in a job", "POST", "/v1/jobs", `{"kind":"count"}`, 400, "puzzle is missing", "body.puzzle", nil},
		{"puzzle that is a number", "POST", "/v1/jobs", `{"kind":"count","puzzle":7}`, 400, "expected a text or an object", "body.puzzle", nil},
		{"path as an example", "POST", "/v1/jobs", `{"kind":"count","puzzle":"name:../../etc/passwd"}`, 400, "etc", "body.puzzle", nil},
		{"wait of 1e9", "POST", "/v1/jobs?wait=1e9", `{"kind":"count",` + dominoes + `}`, 400, "expected 0s to 60s", "query.wait", nil},
		{"wait of an hour", "POST", "/v1/jobs?wait=1h", `{"kind":"count",` + dominoes + `}`, 400, "expected 0s to 60s", "query.wait", nil},
		{"wait below 0", "POST", "/v1/jobs?wait=-1s", `{"kind":"count",` + dominoes + `}`, 400, "expected 0s to 60s", "query.wait", nil},
		{"samples as a job", "POST", "/v1/jobs", `{"kind":"sample",` + dominoes + `,"options":{"number":"1000000000000"}}`, 400, "at most 10000000", "body.options.number", nil},
		{"memory of no size", "POST", "/v1/jobs", `{"kind":"count",` + dominoes + `,"limits":{"memory":"much"}}`, 400, "512MiB", "body.limits.memory", nil},
		{"threads below 0", "POST", "/v1/jobs", `{"kind":"count",` + dominoes + `,"limits":{"threads":-1}}`, 400, "1 or more", "body.limits.threads", nil},
		{"time of no kind", "POST", "/v1/jobs", `{"kind":"count",` + dominoes + `,"limits":{"timeout":"soon"}}`, 400, "30s", "body.limits.timeout", nil},
		{"query with JSON", "POST", "/v1/samples?n=3", `{` + dominoes + `}`, 400, "fields of the JSON", "query", nil},

		{"boolean for a text", "POST", "/v1/jobs", `{"kind":"count",` + dominoes + `,"options":{"distinct":true}}`, 400, "the value is true, expected a text: usual, rotations or all", "body.options.distinct", nil},
		{"value of no kind", "POST", "/v1/jobs", `{"kind":"count",` + dominoes + `,"options":{"engine":"x"}}`, 400, "expected auto", "body.options.engine", nil},
		{"number for a text", "POST", "/v1/jobs", `{"kind":"count",` + dominoes + `,"limits":{"memory":512}}`, 400, "the value is the number 512, expected a text such as 512MiB", "body.limits.memory", nil},
		{"n for number", "POST", "/v1/jobs", `{"kind":"sample",` + dominoes + `,"options":{"n":3}}`, 400, "did you mean number?", "body.options.n", nil},
		{"option of a kind without", "POST", "/v1/jobs", `{"kind":"show",` + dominoes + `,"options":{"n":3}}`, 400, "there is none", "body.options.n", nil},
		{"unknown limit", "POST", "/v1/jobs", `{"kind":"count",` + dominoes + `,"limits":{"memroy":"1GiB"}}`, 400, "did you mean memory?", "body.limits.memroy", nil},
		{"field with a line break", "POST", "/v1/jobs", `{"ki\nnd":"count"}`, 400, "did you mean kind?", "", nil},
		{"parameter with a line break", "GET", "/v1/count?bo%0Ard=8x8", "", 400, "did you mean board?", "", nil},
		{"a puzzle at the top", "POST", "/v1/jobs", `{"board":"2x3","pieces":["domino=any"]}`, 400, `put the puzzle under "puzzle"`, "body.board", nil},
		{"a puzzle at the top of samples", "POST", "/v1/samples", `{"board":"2x3","pieces":["domino=any"]}`, 400, `put the puzzle under "puzzle"`, "body.board", nil},
		{"a bad field of samples", "POST", "/v1/samples", `{` + dominoes + `,"method":"x"}`, 400, "expected auto", "body.method", nil},
		{"JSON broken in a line", "POST", "/v1/jobs", "{\n \"kind\" \"count\"}", 400, "line 2, column 9", "body", nil},
		{"puzzle that is a word", "GET", "/v1/count?puzzle=soma", "", 400, "did you mean name:soma?", "query.puzzle", nil},
		{"puzzle that is another word", "GET", "/v1/count?puzzle=zzzzzzzzz", "", 400, "such as name:soma", "query.puzzle", nil},
		{"word in a body", "POST", "/v1/puzzles:check", `"Soma"`, 400, "did you mean name:soma?", "body", nil},
		{"pieces in a query", "GET", "/v1/count?board=8x8&pieces=O4", "", 400, "did you mean piece?", "query.pieces", nil},
		{"pieces without a board", "GET", "/v1/count?piece=O4", "", 400, "such as board=8x8", "query.board", nil},
		{"letters that are no boolean", "GET", "/v1/puzzle?board=8x8&piece=O4&letters=yes", "", 400, "expected true or false", "query.letters", nil},
		{"options beside JSON", "POST", "/v1/jobs?distinct=usual", `{"kind":"count",` + dominoes + `}`, 400, "fields of the object options", "query.distinct", nil},
		{"format of a count", "GET", "/v1/count?board=8x8&piece=O4&format=gif", "", 400, "expected json or text", "query.format", nil},
		{"format of samples", "GET", "/v1/samples?board=8x8&piece=O4&format=gif", "", 400, "expected json or text or svg or png", "query.format", nil},
		{"format of a puzzle", "GET", "/v1/puzzle?board=8x8&piece=O4&format=gif", "", 400, "expected json or svg or png", "query.format", nil},
		{"no samples", "POST", "/v1/samples", "", 400, `"number":"10"`, "body", nil},
		{"advice of a method", "POST", "/v1/count", "{}", 405, "POST /v1/jobs?wait=10s", "", nil},

		{"no such path", "GET", "/v2/jobs", "", 404, "/docs", "", nil},
		{"path with tricks", "GET", "/v1/jobs/../../etc/passwd", "", 404, "", "", nil},
		{"path with two slashes", "GET", "/v1//jobs", "", 404, "", "", nil},
		{"id with tricks", "GET", "/v1/jobs/..%2f..%2fetc%2fpasswd", "", 404, "", "", nil},
		{"id with a zero", "GET", "/v1/jobs/a%00b", "", 404, "no such job", "", nil},
		{"example with tricks", "GET", "/v1/examples/..%2fsoma", "", 404, "", "", nil},
		{"no such job", "GET", "/v1/jobs/00000000000000000000000000000000", "", 404, "no such job", "", nil},
		{"events of no job", "GET", "/v1/jobs/00000000000000000000000000000000/events", "", 404, "no such job", "", nil},
		{"cancel of no job", "DELETE", "/v1/jobs/00000000000000000000000000000000", "", 404, "no such job", "", nil},
		{"event of no kind", "GET", "/v1/jobs/00000000000000000000000000000000/events", "", 400, "id of an event", "header.Last-Event-ID", []string{"Last-Event-ID: x"}},
		{"event below 0", "GET", "/v1/jobs/00000000000000000000000000000000/events", "", 400, "id of an event", "header.Last-Event-ID", []string{"Last-Event-ID: -1"}},
		{"no such state", "GET", "/v1/jobs?state=asleep", "", 400, "expected queued, running", "query.state", nil},
		{"no such kind", "GET", "/v1/jobs?kind=x", "", 400, "expected", "query.kind", nil},
		{"limit of 0", "GET", "/v1/jobs?limit=0", "", 400, "expected 1 to 1000", "query.limit", nil},
		{"cursor of no list", "GET", "/v1/jobs?cursor=x", "", 400, "cursor is not from this list", "query.cursor", nil},
		{"wrong method", "PUT", "/v1/jobs", "{}", 405, "GET or HEAD or POST", "", nil},
		{"trace", "TRACE", "/v1/version", "", 405, "GET", "", nil},
		{"post where there is none", "POST", "/v1/count", "{}", 405, "GET", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := s.ask(t, c.method, c.path, c.body, c.headers...).status(t, c.status)
			p := decode[client.Problem](t, r)
			at := ""
			if len(p.Errors) > 0 {
				at = p.Errors[0].Location
			}
			if p.Status != c.status || p.Title == "" || p.Title != strings.ToLower(p.Title) || !strings.Contains(p.Detail, c.want) || c.at != "" && at != c.at || strings.Contains(p.Detail, "\n") {
				t.Errorf("%+v, want %q at %q", p, c.want, c.at)
			}
			if kind := r.Header.Get("Content-Type"); kind != "application/problem+json" || r.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("Content-Type %q, Cache-Control %q", kind, r.Header.Get("Cache-Control"))
			}
			if len(p.Detail) > 1000 {
				t.Errorf("a detail of %d bytes", len(p.Detail))
			}
		})
	}
}

// TestPlaceInPuzzle: if the puzzle is a text, the problem has the line and column of the mistake in the
// text, in each form of the request.
func TestPlaceInPuzzle(t *testing.T) { onBoth(t, testPlaceInPuzzle) }

func testPlaceInPuzzle(t *testing.T, s *site) {
	const object = "{\n  \"board\": \"8x8\",\n  \"pieces\": [{\"name\": \"a\", \"shape\": \"x\"}]}"
	const yaml = "board: 8x8\npieces:\n  - {name: a, shap: X}\n"
	for _, c := range []struct {
		name, method, path, body, kind, at string
		line                               int
	}{
		{"object in a job", "POST", "/v1/jobs?wait=60s", `{"kind":"count","puzzle":` + object + `}`, "application/json", "body.puzzle", 3},
		{"object alone", "POST", "/v1/puzzles:check", object, "application/json", "body", 3},
		{"text in JSON", "POST", "/v1/puzzles:check", `"` + strings.ReplaceAll(yaml, "\n", `\n`) + `"`, "application/json", "body", 3},
		{"YAML of a job", "POST", "/v1/jobs?kind=count", yaml, "application/yaml", "body", 3},
		{"YAML of samples", "POST", "/v1/samples?n=2", yaml, "application/yaml", "body", 3},
		{"samples", "POST", "/v1/samples", `{"puzzle":` + object + `}`, "application/json", "body.puzzle", 3},
		{"YAML", "POST", "/v1/puzzles:check", yaml, "application/yaml", "body", 3},
		{"query", "GET", "/v1/puzzle?puzzle=" + "board:%208x8%0Apieces:%0A%20%20-%20%7Bname:%20a,%20shap:%20X%7D", "", "", "query.puzzle", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			var errs []client.Detail
			switch r := s.ask(t, c.method, c.path, c.body, "Content-Type: "+c.kind); {
			case c.path == "/v1/puzzles:check":
				checked := decode[client.Checked](t, r.status(t, 200))
				if errs = checked.Errors; checked.OK {
					t.Error("it is ok")
				}
			default:
				errs = decode[client.Problem](t, r.status(t, 400)).Errors
			}
			if len(errs) != 1 || errs[0].Line != c.line || errs[0].Column == 0 || errs[0].Location != c.at {
				t.Errorf("%+v, want line %d at %s", errs, c.line, c.at)
			}
		})
	}
}

// TestLargeBodies: a body over the limit is refused, before or after decompression, with little memory.
func TestLargeBodies(t *testing.T) {
	var handler http.Handler
	newSite(t, func(o *api.Options) { handler = api.New(*o) })
	large := strings.Repeat(" ", 5<<20)
	bomb := packed(strings.Repeat(" ", 64<<20))
	for _, c := range []struct {
		name, body, coding string
	}{{"large", large, ""}, {"bomb", bomb, "gzip"}} {
		for _, known := range []bool{true, false} {
			var answer *httptest.ResponseRecorder
			bytes := testkit.Allocated(func() {
				r := httptest.NewRequest("POST", "/v1/jobs", strings.NewReader(c.body))
				if !known {
					r.ContentLength = -1
				}
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Content-Encoding", c.coding)
				answer = httptest.NewRecorder()
				handler.ServeHTTP(answer, r)
			})
			if answer.Code != 413 || bytes > 32<<20 {
				t.Errorf("%s: status %d, %d bytes", c.name, answer.Code, bytes)
			}
		}
	}
}

// TestRefusalsAreCheap: a request that is refused before it is parsed needs little more memory than its
// body.
func TestRefusalsAreCheap(t *testing.T) {
	var handler http.Handler
	newSite(t, func(o *api.Options) { handler = api.New(*o) })
	for name, body := range map[string]string{
		"deep":   `{"kind":"count","puzzle":` + deep(100_000) + `}`,
		"digits": `{"kind":"count","puzzle":"` + strings.Repeat("7", 3<<20) + `"}`,
		"commas": `{"kind":"count","puzzle":[` + strings.Repeat("1,", 1<<20) + `1]}`,
		"yaml":   `{"kind":"count","puzzle":"` + strings.Repeat("- ", 400_000) + `"}`,
	} {
		var answer *httptest.ResponseRecorder
		bytes := testkit.Allocated(func() {
			r := httptest.NewRequest("POST", "/v1/jobs?wait=1m", strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			answer = httptest.NewRecorder()
			handler.ServeHTTP(answer, r.WithContext(access.With(r.Context(), access.Caller{Name: "a", Role: access.Admin})))
		})
		if bytes > 64<<20 || answer.Code != 400 && !strings.Contains(answer.Body.String(), `"state":"failed"`) {
			t.Errorf("%s: %d bytes, %d %.200s", name, bytes, answer.Code, answer.Body)
		}
	}
}

// TestMethods: HEAD is GET without a body, OPTIONS lists the methods.
func TestMethods(t *testing.T) {
	s := newSite(t, nil)
	get := s.ask(t, "GET", "/v1/count?board=2x3&piece=domino=any", "").status(t, 200)
	head := s.ask(t, "HEAD", "/v1/count?board=2x3&piece=domino=any", "").status(t, 200)
	if head.text != "" || head.Header.Get("ETag") != get.Header.Get("ETag") || head.ContentLength != int64(len(get.text)) {
		t.Errorf("%v %q", head.Header, head.text)
	}
	for path, want := range map[string]string{
		"/v1/jobs": "GET, HEAD, POST, OPTIONS", "/v1/jobs/x": "DELETE, GET, HEAD, OPTIONS", "/v1/puzzles:check": "POST, OPTIONS",
	} {
		if got := s.ask(t, "OPTIONS", path, "").status(t, 204).Header.Get("Allow"); got != want {
			t.Errorf("%s allows %q, want %q", path, got, want)
		}
		if got := s.ask(t, "TRACE", path, "").status(t, 405).Header.Get("Allow"); got != want {
			t.Errorf("%s allows %q, want %q", path, got, want)
		}
	}
	s.ask(t, "OPTIONS", "/v3", "").status(t, 404)
	if r := s.ask(t, "HEAD", "/v1/samples?board=8x8&piece=domino=any&n=10000000", "").status(t, 200); r.text != "" {
		t.Error("HEAD drew tilings")
	}
}

// TestFaultsOfOurs: the answer does not describe a fault of the service.
func TestFaultsOfOurs(t *testing.T) {
	s := newSite(t, nil)
	s.fake.broken = errors.New("open /secret/path: no space")
	p := decode[client.Problem](t, s.ask(t, "GET", "/v1/count?board=8x8&piece=O4", "").status(t, 500))
	if strings.Contains(p.Detail, "secret") || !strings.Contains(p.Detail, "log") {
		t.Errorf("%+v", p)
	}
	s.fake.broken = queue.ErrStopping
	if r := s.ask(t, "POST", "/v1/jobs", `{"kind":"count",`+dominoes+`}`).status(t, 503); r.Header.Get("Retry-After") == "" {
		t.Error("nobody says when to try again")
	}
	s.fake.broken = fmt.Errorf("dial 10.0.0.7: %w", queue.ErrDatabase)
	away := s.ask(t, "POST", "/v1/jobs", `{"kind":"count",`+dominoes+`}`).status(t, 503)
	if away.Header.Get("Retry-After") == "" || strings.Contains(away.text, "10.0.0.7") {
		t.Errorf("%v %s", away.Header, away.text)
	}
	s.fake.broken = fmt.Errorf("store: %w", store.ErrGone)
	s.ask(t, "POST", "/v1/jobs", `{"kind":"count",`+dominoes+`}`).status(t, 503)
	s.fake.broken = fmt.Errorf("insert: %w", syscall.ENOSPC)
	s.ask(t, "POST", "/v1/jobs", `{"kind":"count",`+dominoes+`}`).status(t, 507)
	s.fake.broken = job.ErrTooWide
	s.ask(t, "GET", "/v1/count?board=8x8&piece=O4", "").status(t, 422)
}

// TestRoles: a caller with the role read starts no work, and no caller sees the jobs of others.
func TestRoles(t *testing.T) {
	s := newSite(t, nil)
	s.caller = access.Caller{Name: "anna", Role: access.Run}
	id := decode[client.Job](t, s.ask(t, "POST", "/v1/jobs?wait=1m", `{"kind":"count",`+dominoes+`}`).status(t, 200)).ID
	s.caller = access.Caller{Name: "ben", Role: access.Run}
	for _, path := range []string{"", "/events", "/output"} {
		s.ask(t, "GET", "/v1/jobs/"+id+path, "").status(t, 404)
	}
	s.ask(t, "DELETE", "/v1/jobs/"+id, "").status(t, 404)
	if all := decode[client.Jobs](t, s.ask(t, "GET", "/v1/jobs", "")); len(all.Jobs) != 0 {
		t.Errorf("ben sees %d jobs", len(all.Jobs))
	}
	s.caller = access.Caller{Name: "carl", Role: access.Admin}
	s.ask(t, "GET", "/v1/jobs/"+id, "").status(t, 200)
	s.caller = access.Caller{Name: "anna", Role: access.Read}
	s.ask(t, "GET", "/v1/jobs/"+id, "").status(t, 200)
	s.ask(t, "DELETE", "/v1/jobs/"+id, "").status(t, 403)
	s.ask(t, "POST", "/v1/jobs", `{"kind":"count",`+dominoes+`}`).status(t, 403)
	s.ask(t, "GET", "/v1/samples?board=2x3&piece=domino=any", "").status(t, 403)
	s.ask(t, "GET", "/v1/tilings?board=2x3&piece=domino=any&rank=0", "").status(t, 403)
	s.ask(t, "GET", "/v1/count?board=2x3&piece=domino=any", "").status(t, 403) // the store has the answer
	s.ask(t, "GET", "/v1/count?board=2x4&piece=domino=any", "").status(t, 403)
	s.ask(t, "POST", "/v1/puzzles:estimate", `{`+dominoes+`}`).status(t, 403)
	s.ask(t, "POST", "/v1/puzzles:check", `{`+dominoes+`}`).status(t, 200)
	s.caller = access.Caller{Name: "dora", Role: access.Run, Limits: access.Limits{Jobs: 1, Threads: 2}}
	s.fake.hold = make(chan struct{})
	defer close(s.fake.hold)
	s.ask(t, "POST", "/v1/jobs", `{"kind":"count",`+dominoes+`,"limits":{"threads":8}}`).status(t, 202)
	s.ask(t, "POST", "/v1/jobs", `{"kind":"count",`+dominoes+`}`).status(t, 429)
	last := s.fake.rows[len(s.fake.rows)-1]
	if last.Limits.Threads != 2 {
		t.Errorf("a job has %d threads, and its owner may have 2", last.Limits.Threads)
	}
}

// TestBodyThatBreaksOff: a client that disconnects in the middle of its body does no harm.
func TestBodyThatBreaksOff(t *testing.T) {
	s := newSite(t, nil)
	c, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Write([]byte("POST /v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"))
	if err := errors.Join(err, c.Close()); err != nil {
		t.Fatal(err)
	}
	s.ask(t, "GET", "/v1/version", "").status(t, 200)
	if slices.ContainsFunc(s.fake.rows, func(*queue.Job) bool { return true }) {
		t.Error("half a body made a job")
	}
}
