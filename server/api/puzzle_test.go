package api_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
)

// foreign is a file of another program.
func foreign(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "exchange", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// week has two parameters.
const week = "board:\n  - a b c .\n  - \"1 2 3 #\"\nopen: [letter, number]\nparameters: {letter: [a, b, c], number: 1..3}\n" +
	"except: [{letter: b, number: 2}]\npieces: [{name: domino, copies: any}, {name: monomino, copies: 0..1}]\n"

// TestPuzzleFields: the service reads a puzzle in a query or a body like package job: it gets each field.
func TestPuzzleFields(t *testing.T) { onBoth(t, testPuzzleFields) }

func testPuzzleFields(t *testing.T, s *site) {
	ctx := t.Context()
	several := string(foreign(t, "several.xmpuzzle"))
	for name, c := range map[string]struct {
		puzzle job.Puzzle
		want   string
	}{
		"data":             {job.Puzzle{Data: foreign(t, "ranges-packed.xmpuzzle")}, "5"},
		"text of others":   {job.Puzzle{Text: string(foreign(t, "blocked.def"))}, "4"},
		"from":             {job.Puzzle{Text: "a b\na\nb\n", From: "dlx"}, "1"},
		"data and from":    {job.Puzzle{Data: []byte("a b\na\nb\n"), From: "dlx"}, "1"},
		"problem":          {job.Puzzle{Text: several, Problem: "1"}, "2"},
		"problem by name":  {job.Puzzle{Text: several, Problem: "long"}, "3"},
		"first values":     {job.Puzzle{Text: week}, "4"},
		"values":           {job.Puzzle{Text: week, Values: map[string]string{"letter": "c", "number": "2"}}, "2"},
		"some values":      {job.Puzzle{Text: week, Values: map[string]string{"letter": "c"}}, "3"},
		"wrap":             {job.Puzzle{Board: "4x4", Wrap: "both", Pieces: []string{"domino=any"}}, "272"},
		"lattice":          {job.Puzzle{Board: "2x3", Lattice: "hexagon", Pieces: []string{"dihex=any"}}, "3"},
		"lattice and wrap": {job.Puzzle{Board: "2x3", Lattice: "hexagon", Wrap: "columns", Pieces: []string{"dihex=any"}}, "8"},
	} {
		here, err := job.Do(ctx, &job.Count{Puzzle: c.puzzle}, job.Limits{}, job.Watch{})
		if err != nil || here.Count != c.want {
			t.Fatalf("%s: %+v, %v; want %s", name, here, err, c.want)
		}
		if there, err := s.client.Count(ctx, &job.Count{Puzzle: c.puzzle}); err != nil || there.Count != c.want {
			t.Errorf("%s: %+v, %v; want %s", name, there, err, c.want)
		}
		j, err := s.client.Submit(ctx, &job.Count{Puzzle: c.puzzle}, client.Limits{}, time.Minute)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if there, err := client.AnswerOf[job.Counted](j); err != nil || there.Count != c.want {
			t.Errorf("%s as a job: %+v, %v; want %s", name, there, err, c.want)
		}
		if seen, err := s.client.Check(ctx, c.puzzle); err != nil || !seen.OK {
			t.Errorf("%s: %+v, %v", name, seen, err)
		}
	}
	dated := job.Puzzle{Example: "calendar", Values: map[string]string{"month": "feb", "day": "29"}}
	if seen, err := s.client.Check(ctx, dated); err != nil || !seen.OK || !strings.HasSuffix(seen.Puzzle.Title, "(month=feb, day=29)") {
		t.Errorf("%+v, %v", seen, err)
	}
}

// TestValuesThatAreNumbers: a value of a parameter may be a number.
func TestValuesThatAreNumbers(t *testing.T) {
	s := newSite(t, nil)
	body := `{"example":"calendar","values":{"month":"nov","day":22}}`
	checked := decode[client.Checked](t, s.ask(t, "POST", "/v1/puzzles:check", body).status(t, 200))
	if !checked.OK || !strings.HasSuffix(checked.Puzzle.Title, "(month=nov, day=22)") {
		t.Errorf("%+v", checked)
	}
}

// TestBadPuzzleFields: the error for a wrong field of a puzzle explains the mistake.
func TestBadPuzzleFields(t *testing.T) {
	s := newSite(t, nil)
	in := url.Values{"puzzle": {week}, "set": {"letter"}}
	for _, c := range []struct{ method, path, body, want string }{
		{"GET", "/v1/count?" + in.Encode(), "", "expected NAME=VALUE"},
		{"GET", "/v1/count?puzzle=name:calendar&set=day=3&set=day=4", "", "each name once"},
		{"GET", "/v1/count?set=day=3&board=2x2&piece=O4", "", "from, problem and set go with a puzzle file"},
		{"GET", "/v1/count?puzzle=name:calendar&set=day=32", "", "day"},
		{"POST", "/v1/puzzles:check", `{"data":"a b"}`, `body.data: the value is the text "a b", expected a text in base64`},
		{"POST", "/v1/puzzles:check", `{"data":"AAEC"}`, "expected YAML or JSON in UTF-8"},
		{"POST", "/v1/puzzles:check", `{"text":"a b\na\nb","data":"AAEC"}`, "both text and data"},
		{"POST", "/v1/puzzles:check", `{"text":"a b\na\nb","from":"dxl"}`, "did you mean dlx?"},
		{"POST", "/v1/puzzles:check", `{"example":"calendar","values":{"dya":"3"}}`, "dya"},
		{"POST", "/v1/puzzles:check", `{"example":"queens-8","values":{"day":"3"}}`, "values given for a cover"},
		{"POST", "/v1/puzzles:check", `{"example":"calendar","values":{"day":true}}`, `body.values.day: the value is true, expected a text`},
		{"POST", "/v1/jobs", `{"kind":"count","puzzle":{"example":"calendar","valeus":{}}}`, `did you mean values?`},
		{"POST", "/v1/jobs", `{"kind":"count","puzzle":{"example":7}}`, `body.puzzle.example: the value is the number 7, expected a text`},
		{"POST", "/v1/puzzles:check", `{"board":"2x2","wrap":"torus","pieces":["O4"]}`, "torus"},
		{"POST", "/v1/puzzles:check", `{"board":"2x2","lattice":"round","pieces":["O4"]}`, "round"},
	} {
		if r := s.ask(t, c.method, c.path, c.body); !strings.Contains(strings.ReplaceAll(r.text, `\"`, `"`), c.want) || r.StatusCode >= 500 {
			t.Errorf("%s %s %s: %d %s, want %q", c.method, c.path, c.body, r.StatusCode, r.text, c.want)
		}
	}
}

// TestPixels: pictures in pixels, and those that are too large.
func TestPixels(t *testing.T) { onBoth(t, testPixels) }

func testPixels(t *testing.T, s *site) {
	for _, path := range []string{
		"/v1/samples" + eight + "&n=4&seed=1", "/v1/samples" + eight + "&cell=10&letters=true", "/v1/tilings" + eight + "&rank=12988815&cell=9",
		"/v1/puzzle" + eight, "/v1/puzzle" + eight + "&draw=board", "/v1/puzzle?puzzle=name:soma&draw=soma-B&format=png",
	} {
		r := s.ask(t, "GET", path, "", "Accept: image/png").status(t, 200)
		if r.Header.Get("Content-Type") != "image/png" || !strings.HasPrefix(r.text, "\x89PNG\r\n") {
			t.Errorf("%s: %v %.100q", path, r.Header, r.text)
		}
		again := s.ask(t, "GET", path+"&cell=1000", "", "Accept: image/png")
		if strings.Contains(path, "cell=") || strings.Contains(path, "soma-B") {
			continue // the first cell= of the query is used; a single piece fits
		}
		if again.StatusCode != 400 || !strings.Contains(again.text, "pixels, expected at most 4194304") {
			t.Errorf("%s, 1000 pixels a cell: %d %.200q", path, again.StatusCode, again.text)
		}
	}
	r := s.ask(t, "GET", "/v1/samples"+eight+"&n=4&cell=1000&format=png", "")
	if r.StatusCode != 400 || !strings.Contains(r.text, "too large") {
		t.Errorf("%d %.200s", r.StatusCode, r.text)
	}
	if png, err := s.client.PNG(t.Context(), board, 3, 5); err != nil || !strings.HasPrefix(string(png), "\x89PNG") {
		t.Errorf("%.100q, %v", png, err)
	}
}
