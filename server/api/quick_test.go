package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/access"
	"github.com/pavage/pavage/server/api"
)

const eight = "?board=8x8&piece=domino=any"

func TestCount(t *testing.T) { onBoth(t, testCount) }

func testCount(t *testing.T, s *site) {
	r := s.ask(t, "GET", "/v1/count"+eight, "").status(t, 200)
	if got := decode[job.Counted](t, r); got.Count != "12988816" {
		t.Errorf("%s", r.text)
	}
	tag := r.Header.Get("ETag")
	if !strings.HasPrefix(tag, `"`) || !strings.Contains(r.Header.Get("Cache-Control"), "public, max-age=") {
		t.Errorf("%v", r.Header)
	}
	if again := s.ask(t, "GET", "/v1/count"+eight, "", "If-None-Match: "+tag).status(t, 304); again.text != "" || again.Header.Get("ETag") != tag {
		t.Errorf("%v", again.Header)
	}
	s.ask(t, "GET", "/v1/count"+eight, "", `If-None-Match: "x"`).status(t, 200)
	if text := s.ask(t, "GET", "/v1/count"+eight, "", "Accept: text/plain").status(t, 200).text; text != "12988816\n" {
		t.Errorf("%q", text)
	}
	text := s.ask(t, "GET", "/v1/count"+eight+"&distinct=usual", "", "Accept: text/html;q=0.5, text/*, application/json;q=0.1").status(t, 200)
	if text.text != "12988816\n1629189\n" || text.Header.Get("Vary") != "Accept" {
		t.Errorf("%q %v", text.text, text.Header)
	}
	if soma := s.ask(t, "GET", "/v1/count?puzzle=name:pentominoes-3x20", "", "Accept: text/plain").status(t, 200); soma.text != "8\n" {
		t.Errorf("%q", soma.text)
	}
}

// TestPrivateCount: a service with tokens forbids shared caches to keep answers.
func TestPrivateCount(t *testing.T) {
	s := newSite(t, func(o *api.Options) { o.Private = true })
	if h := s.ask(t, "GET", "/v1/count"+eight, "").Header.Get("Cache-Control"); !strings.HasPrefix(h, "private") {
		t.Errorf("Cache-Control: %s", h)
	}
	if h := s.ask(t, "GET", "/v1/samples"+eight+"&seed=1", "").Header.Get("Cache-Control"); !strings.HasPrefix(h, "private") {
		t.Errorf("Cache-Control: %s", h)
	}
}

// TestSlowCount: a slow count becomes one job for all equal requests.
func TestSlowCount(t *testing.T) {
	s, ctx := newSite(t, func(o *api.Options) { o.Patience = time.Millisecond }), t.Context()
	s.fake.slow, s.fake.hold = true, make(chan struct{})
	seen := s.ask(t, "GET", "/v1/count"+eight, "").status(t, 303)
	at := seen.Header.Get("Location")
	if link := decode[client.JobLink](t, seen); link.URL != at || link.ID == "" || !strings.HasSuffix(seen.text, "}\n") || seen.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%q for who does not follow to %s", seen.text, at)
	}
	if again := s.ask(t, "GET", "/v1/count"+eight, "").status(t, 303).Header.Get("Location"); again != at || len(s.fake.rows) != 1 {
		t.Errorf("%s and %s", at, again)
	}
	close(s.fake.hold)
	counted, err := s.client.Count(ctx, &job.Count{Puzzle: board})
	if err != nil || counted.Count != "12988816" {
		t.Errorf("%+v, %v", counted, err)
	}
	_, err = s.client.Count(ctx, &job.Count{Puzzle: job.Puzzle{Board: "8x8", Pieces: []string{"domyno"}}})
	var p *client.Problem
	if !errors.As(err, &p) || p.Status != 400 {
		t.Errorf("%v", err)
	}
	long := job.Puzzle{Text: "board: 2x3\npieces:\n  - {name: domino, copies: any}\n" + strings.Repeat("# a long puzzle\n", 500)}
	if counted, err = s.client.Count(ctx, &job.Count{Puzzle: long}); err != nil || counted.Count != "3" {
		t.Errorf("%+v, %v", counted, err)
	}
}

// TestEqualCounts: equal requests at the same time have one job.
func TestEqualCounts(t *testing.T) {
	s := newSite(t, func(o *api.Options) { o.Patience = time.Millisecond })
	s.fake.slow, s.fake.hold = true, make(chan struct{})
	defer close(s.fake.hold)
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() { s.ask(t, "GET", "/v1/count"+eight, "").status(t, 303) })
	}
	all.Wait()
	if n := len(s.fake.rows); n != 1 {
		t.Errorf("%d jobs", n)
	}
}

// TestSlowSubmit: a request with a slow forecast does not delay other requests.
func TestSlowSubmit(t *testing.T) {
	s := newSite(t, func(o *api.Options) { o.Patience = time.Millisecond })
	s.fake.slow, s.fake.submits = true, make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() { s.ask(t, "POST", "/v1/puzzles:estimate", `{"board":"2x3","pieces":["domino=any"]}`) })
	s.fake.submits <- struct{}{}
	s.ask(t, "GET", "/v1/count"+eight, "")
	s.fake.submits <- struct{}{}
	all.Wait()
}

// TestSamples: n lines are n tilings, the same ones for the same seed.
func TestSamples(t *testing.T) { onBoth(t, testSamples) }

func testSamples(t *testing.T, s *site) {
	ctx := t.Context()
	r := s.ask(t, "GET", "/v1/samples"+eight+"&n=5&seed=7", "").status(t, 200)
	if strings.Count(r.text, "\n") != 5 || r.Header.Get("Content-Type") != "application/jsonl" || r.Header.Get("Pavage-Count") != "12988816" || r.Header.Get("Pavage-Method") == "" {
		t.Errorf("%v\n%s", r.Header, r.text)
	}
	seed := job.Whole(7)
	var lines bytes.Buffer
	for line, err := range s.client.Samples(ctx, &job.Sample{Puzzle: board, Number: 5, Seed: &seed}) {
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	if lines.String() != r.text {
		t.Errorf("\n%s\n%s", lines.String(), r.text)
	}
	s.ask(t, "GET", "/v1/samples"+eight, "", "Accept: application/json").status(t, 200) // as curl --json asks
	yaml := s.ask(t, "POST", "/v1/samples?n=5&seed=7", "board: 8x8\npieces:\n  - {name: domino, copies: any}\n", "Content-Type: application/yaml").status(t, 200)
	if yaml.text != r.text {
		t.Errorf("\n%s\n%s", yaml.text, r.text)
	}
	if none := s.ask(t, "GET", "/v1/samples"+eight+"&n=0", "").status(t, 200); none.text != "" || none.Header.Get("Pavage-Count") != "12988816" {
		t.Errorf("%q %v", none.text, none.Header)
	}
	if text := s.ask(t, "GET", "/v1/samples"+eight+"&seed=7&format=text", "").status(t, 200); !strings.HasPrefix(text.text, "tiling 1") {
		t.Errorf("%q", text.text)
	}
}

// wellFormed reads XML to its end.
func wellFormed(t *testing.T, text string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%v: %.300s", err, text)
		}
	}
}

// TestPictures: a picture is SVG, and the policy forbids the picture everything.
func TestPictures(t *testing.T) { onBoth(t, testPictures) }

func testPictures(t *testing.T, s *site) {
	ctx := t.Context()
	for _, path := range []string{
		"/v1/samples" + eight + "&n=4&seed=1", "/v1/samples" + eight + "&cell=10&letters=true", "/v1/tilings" + eight + "&rank=12988815",
		"/v1/puzzle" + eight, "/v1/puzzle" + eight + "&draw=board", "/v1/puzzle" + eight + "&draw=domino&cell=9", "/v1/puzzle?puzzle=name:soma&draw=soma-B&format=svg",
	} {
		r := s.ask(t, "GET", path, "", "Accept: image/svg+xml").status(t, 200)
		if r.Header.Get("Content-Type") != "image/svg+xml" || !strings.Contains(r.Header.Get("Content-Security-Policy"), "sandbox") || !strings.Contains(r.text, "<svg") {
			t.Errorf("%s: %v %.100s", path, r.Header, r.text)
		}
		wellFormed(t, r.text)
	}
	if svg, err := s.client.Picture(ctx, board, 3, 5); err != nil || !bytes.Contains(svg, []byte("<svg")) {
		t.Errorf("%.100s, %v", svg, err)
	}
	cover := "POST"
	r := s.ask(t, cover, "/v1/samples?n=1&format=svg", "a b\n\na\nb\n", "Content-Type: application/yaml")
	if r.StatusCode < 400 {
		t.Errorf("a cover is drawn: %s", r.text)
	}
}

// TestTiling: the tiling of a rank is always the same.
func TestTiling(t *testing.T) { onBoth(t, testTiling) }

func testTiling(t *testing.T, s *site) {
	ctx := t.Context()
	line, err := s.client.Tiling(ctx, board, "5")
	var tiling struct {
		Rank       string
		Placements []any
	}
	if err := errors.Join(err, json.Unmarshal(line, &tiling)); err != nil || tiling.Rank != "5" || len(tiling.Placements) != 32 {
		t.Errorf("%s, %v", line, err)
	}
	var p *client.Problem
	if _, err := s.client.Tiling(ctx, board, "12988816"); !errors.As(err, &p) || p.Status != 400 {
		t.Errorf("%v", err)
	}
	for _, word := range []string{"first", "last"} {
		short, err := s.client.Unrank(ctx, board, job.Conditions{With: []string{"domino@0,0/0,1"}}, word)
		long, wrong := s.client.Unrank(ctx, job.Puzzle{Text: "{board: 8x8, pieces: [{name: domino, copies: any}]}" + strings.Repeat("\n# long", 500)}, job.Conditions{With: []string{"domino@0,0/0,1"}}, word)
		if err != nil || wrong != nil || !bytes.Equal(short, long) || !bytes.Contains(short, []byte("[[0,0],[0,1]]")) {
			t.Errorf("%s: %s, %v, and %s, %v", word, short, err, long, wrong)
		}
	}
}

// TestTilingsOfBodies: GET and POST return the same tiling, in each format, with the number of tilings.
func TestTilingsOfBodies(t *testing.T) { onBoth(t, testTilingsOfBodies) }

func testTilingsOfBodies(t *testing.T, s *site) {
	const small = "?board=2x4&piece=domino=any"
	for rank, want := range map[string]string{"first": "0", "last": "2", "1": "1"} { // 3 of the 5 have a domino that stands on the left
		got := s.ask(t, "GET", "/v1/tilings"+small+"&with=domino@0,0/1,0&rank="+rank, "").status(t, 200)
		sent := s.ask(t, "POST", "/v1/tilings", `{"puzzle":{"board":"2x4","pieces":["domino=any"]},"rank":"`+rank+`","with":["domino@0,0/1,0"]}`).status(t, 200)
		text := s.ask(t, "POST", "/v1/tilings?with=domino@0,0/1,0&rank="+rank, "{board: 2x4, pieces: [{name: domino, copies: any}]}", "Content-Type: application/yaml").status(t, 200)
		if got.text != sent.text || got.text != text.text || !strings.Contains(got.text, `"rank":"`+want+`"`) || got.Header.Get("Pavage-Count") != "3" || got.Header.Get("Pavage-Method") == "" {
			t.Errorf("%s: %v\n%s%s%s", rank, got.Header, got.text, sent.text, text.text)
		}
	}
	for format, c := range map[string]struct{ kind, begin string }{
		"json": {"application/json", `{"rank":"0"`}, "text": {"text/plain; charset=utf-8", "tiling 1, rank 0\n"}, "svg": {"image/svg+xml", "<"}, "png": {"image/png", "\x89PNG"},
		"tikz": {"application/x-tex", ""}, "stl": {"model/stl", ""}, "gltf": {"model/gltf-binary", "glTF"},
	} {
		got := s.ask(t, "GET", "/v1/tilings"+small+"&rank=0&format="+format, "").status(t, 200)
		sent := s.ask(t, "POST", "/v1/tilings", `{"puzzle":{"board":"2x4","pieces":["domino=any"]},"rank":"0"}`, "Accept: "+c.kind).status(t, 200)
		if got.text != sent.text || len(got.text) == 0 || !strings.HasPrefix(got.text, c.begin) || got.Header.Get("Content-Type") != c.kind || sent.Header.Get("Content-Type") != c.kind {
			t.Errorf("%s: %v %v %.100q %.100q", format, got.Header, sent.Header, got.text, sent.text)
		}
	}
	if got := s.ask(t, "GET", "/v1/tilings?board=128x129&piece=monomino=any&rank=0&format=stl", ""); got.StatusCode != 400 || !strings.Contains(got.text, "16512 cells") {
		t.Errorf("a large solid: %d %.200s", got.StatusCode, got.text)
	}
}

// TestLooksOfTilings: kinds have four colours, heights are drawn, and an error has one line.
func TestLooksOfTilings(t *testing.T) {
	s := newSite(t, nil)
	got := s.ask(t, "GET", "/v1/samples?board=8x8&piece=domino=any&seed=1&format=svg&color_by=kind", "").status(t, 200)
	for _, colour := range []string{"#3884f4", "#ffe626", "#ab2005", "#77e6ff"} {
		if !strings.Contains(got.text, colour) {
			t.Errorf("no %s among the kinds", colour)
		}
	}
	if got := s.ask(t, "GET", "/v1/tilings?board=2x3&piece=domino=any&rank=0&format=svg&heights=true", "").status(t, 200); !strings.Contains(got.text, ">heights</text>") {
		t.Errorf("no heights: %.300s", got.text)
	}
	for path, want := range map[string]string{
		"/v1/samples?board=8x8&piece=domino=any&format=svg&color_by=hue":              "color_by",
		"/v1/samples?board=3x3&piece=I3=any&format=svg&heights=true":                  "no heights: a placement",
		"/v1/samples?board=128x130&piece=monomino=any&format=svg&heights=true":        "16640 cells",
		"/v1/tilings?board=128x130&piece=monomino=any&rank=0&format=png&heights=true": "16640 cells",
	} {
		if got := s.ask(t, "GET", path, ""); got.StatusCode != 400 && got.StatusCode != 422 || !strings.Contains(got.text, want) {
			t.Errorf("%s: %d %.300s", path, got.StatusCode, got.text)
		}
	}
}

// TestBrokenStream: if the tilings end early, the connection is cut.
func TestBrokenStream(t *testing.T) {
	s, ctx := newSite(t, nil), t.Context()
	s.fake.breaks = 3
	n := 0
	var last error
	for _, err := range s.client.Samples(ctx, &job.Sample{Puzzle: board, Number: 1000}) {
		if last = err; err == nil {
			n++
		}
	}
	if last == nil || n > 3 {
		t.Errorf("%d tilings, then %v", n, last)
	}
}

// TestSlowReader: a slow client slows the draw, and a client that reads nothing is disconnected.
func TestSlowReader(t *testing.T) {
	s := newSite(t, nil)
	slow := httptest.NewUnstartedServer(s.Config.Handler)
	slow.Config.WriteTimeout = 200 * time.Millisecond // package server limits the time of each piece
	slow.Start()
	defer slow.Close()
	conn, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", strings.TrimPrefix(slow.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.Write([]byte("GET /v1/samples" + eight + "&n=10000000 HTTP/1.1\r\nHost: x\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	testkit.Until(t, "the draw ends", func() bool {
		s.fake.mu.Lock()
		defer s.fake.mu.Unlock()
		return s.fake.drawsEnded == 1
	})
	if s.fake.drawn > 1_000_000 {
		t.Errorf("%d tilings were drawn for nobody", s.fake.drawn)
	}
}

// TestCheck: the answer for a valid puzzle, a puzzle without a tiling, and an invalid puzzle.
func TestCheck(t *testing.T) { onBoth(t, testCheck) }

func testCheck(t *testing.T, s *site) {
	ctx := t.Context()
	seen, err := s.client.Check(ctx, board)
	if err != nil || !seen.OK || seen.Puzzle.Cells != 64 || len(seen.Puzzle.Reasons) != 0 {
		t.Errorf("%+v, %v", seen, err)
	}
	seen, err = s.client.Check(ctx, job.Puzzle{Board: "3x3", Pieces: []string{"domino=any"}})
	if err != nil || !seen.OK || len(seen.Puzzle.Reasons) == 0 {
		t.Errorf("%+v, %v", seen, err)
	}
	seen, err = s.client.Check(ctx, job.Puzzle{Text: "board: 3x3\npieces: 7\n"})
	if err != nil || seen.OK || len(seen.Errors) != 1 || seen.Errors[0].Line != 2 {
		t.Errorf("%+v, %v", seen, err)
	}
	made, err := s.client.Clues(ctx, &job.Clues{Puzzle: job.Puzzle{Board: "4x4", Pieces: []string{"domino=any"}}, Number: 3, Kinds: []string{"wall"}})
	if err != nil || len(made.Puzzles) != 3 {
		t.Fatalf("%+v, %v", made, err)
	}
	for _, p := range made.Puzzles {
		c, err := s.client.Count(ctx, &job.Count{Puzzle: job.Puzzle{Text: string(p.Puzzle)}, UpTo: new(job.Whole(2))})
		if err != nil || c.Count != "1" || c.More {
			t.Errorf("%+v, %v: %s", c, err, p.Puzzle)
		}
	}
	e, err := s.client.Estimate(ctx, job.Puzzle{Board: "2x3", Pieces: []string{"domino=any"}})
	if err != nil || e.Items != 7 {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestAbout(t *testing.T) { onBoth(t, testAbout) }

func testAbout(t *testing.T, s *site) {
	ctx := t.Context()
	v, err := s.client.Version(ctx)
	if err != nil || v.Version != "v0.0.0-test" || v.API != "v1" {
		t.Errorf("%+v, %v", v, err)
	}
	all, err := s.client.Examples(ctx, "")
	some, also := s.client.Examples(ctx, "pentominoes")
	if err := errors.Join(err, also); err != nil || len(some.Examples) == 0 || len(some.Examples) >= len(all.Examples) {
		t.Errorf("%v, %v, %v", all, some, err)
	}
	for _, e := range all.Examples {
		file := s.ask(t, "GET", "/v1/examples/"+e.Name, "").status(t, 200)
		if checked := s.ask(t, http.MethodPost, "/v1/puzzles:check", file.text, "Content-Type: application/yaml").status(t, 200); !strings.HasPrefix(checked.text, `{"ok":true`) {
			t.Errorf("%s: %s", e.Name, checked.text)
		}
	}
}

// TestHeadersOfOthers: headers that package access has set stay, and no header occurs twice.
func TestHeadersOfOthers(t *testing.T) {
	f := newFake(t)
	h := api.New(api.Options{Work: f, Jobs: f})
	for path, vary := range map[string][]string{
		"/v1/count" + eight: {"Origin", "Accept"}, "/v1/samples" + eight + "&seed=1": {"Origin", "Accept"},
		"/v1/count?board=8x8&piece=nothing": {"Origin"}, "/v1/count?engine=x" + eight[1:]: {"Origin"},
	} {
		w := httptest.NewRecorder()
		w.Header().Set("Vary", "Origin")
		h.ServeHTTP(w, httptest.NewRequestWithContext(access.With(t.Context(), access.Caller{Role: access.Admin}), "GET", path, nil))
		if got := w.Header()["Vary"]; !slices.Equal(got, vary) || len(w.Header()["Cache-Control"]) != 1 {
			t.Errorf("%s: %v", path, w.Header())
		}
	}
}
