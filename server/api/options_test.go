package api_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
)

// TestQueryOfYAML: if the body is the text of a puzzle, the query has the options and the limits, which
// are read as strictly as in JSON.
func TestQueryOfYAML(t *testing.T) {
	s := newSite(t, nil)
	const board = "board: 2x3\npieces:\n  - {name: domino, copies: any}\n"
	for query, want := range map[string]string{
		"kind=count&distinct=usual":                        `"distinct":{"count":"2"`,
		"kind=count&engine=search&memory=64MiB&threads=1":  `"engine":"search"`,
		"kind=count&explain=true":                          `"plan":`,
		"kind=residues&moduli=2,5":                         `"modul`,
		"kind=sample&n=3&seed=7":                           `"drawn":"3"`,
		"kind=sample&number=4&method=walk":                 `"drawn":"4"`, // a former name
		"kind=sequence&rows=2&columns=1..3&diagonal=false": `"count":"3"`,
		"kind=convert&to=cover":                            `"to":"cover"`,
		"kind=count&with=0,0":                              `"count":"3"`, // coordinates, and not the placement 0
		"kind=count&with=0,0=domino:1&with=0,2=domino:2":   `"count":"1"`,
	} {
		r := s.ask(t, "POST", "/v1/jobs?wait=60s&"+query, board, "Content-Type: application/yaml").status(t, 200)
		if !strings.Contains(r.text, want) || !strings.Contains(r.text, `"state":"done"`) {
			t.Errorf("%s: %s, want %s", query, r.text, want)
		}
	}
	for query, want := range map[string]struct{ at, text string }{
		"kind=count&distnct=usual":    {"query.distnct", "did you mean distinct?"},
		"kind=count&distinct=x":       {"query.distinct", "expected usual"},
		"kind=count&explain=maybe":    {"query.explain", "expected true or false"},
		"kind=count&seed=7":           {"query.seed", "unknown parameter of the kind count"},
		"kind=sample&n=x":             {"query.n", "expected a whole number"},
		"kind=sample&n=1000000000000": {"query.n", "at most 10000000"},
		"kind=residues&moduli=2,x":    {"query.moduli[1]", "expected a whole number"},
		"kind=count&threads=x":        {"query.threads", "expected a whole number"},
		"kind=count&memory=much":      {"query.memory", "512MiB"},
		"kind=cuont":                  {"query.kind", "did you mean count?"},
		"":                            {"query.kind", "kind is missing"},
	} {
		r := s.ask(t, "POST", "/v1/jobs?"+query, board, "Content-Type: application/yaml").status(t, 400)
		p := decode[client.Problem](t, r)
		if len(p.Errors) != 1 || p.Errors[0].Location != want.at || !strings.Contains(p.Detail, want.text) {
			t.Errorf("%s: %s, want %v", query, r.text, want)
		}
	}
}

// TestNumbersAsTexts: a number, and a range of one number, may be a JSON number or a string.
func TestNumbersAsTexts(t *testing.T) {
	s := newSite(t, nil)
	for _, body := range []string{
		`{"kind":"sample",` + dominoes + `,"options":{"number":5,"seed":1}}`,
		`{"kind":"sample",` + dominoes + `,"options":{"number":"5","seed":"1"}}`,
		`{"kind":"sequence",` + dominoes + `,"options":{"rows":2,"columns":"1..3"}}`,
	} {
		j := decode[client.Job](t, s.ask(t, "POST", "/v1/jobs?wait=60s", body).status(t, 200))
		if j.State != client.Done {
			t.Errorf("%s: %+v", body, j)
		}
	}
}

// TestEnvelope: a path for a puzzle alone also accepts it in the field puzzle. Errors have the place in
// the body.
func TestEnvelope(t *testing.T) {
	s := newSite(t, nil)
	checked := decode[client.Checked](t, s.ask(t, "POST", "/v1/puzzles:check", `{`+dominoes+`}`).status(t, 200))
	if !checked.OK || checked.Puzzle.Cells != 6 {
		t.Errorf("%+v", checked)
	}
	checked = decode[client.Checked](t, s.ask(t, "POST", "/v1/puzzles:check", `{"puzzle":{"board":"2x3","pieces":[{"nam":"a"}]}}`).status(t, 200))
	if checked.OK || checked.Errors[0].Location != "body.puzzle" || checked.Errors[0].Column == 0 {
		t.Errorf("%+v", checked)
	}
	s.ask(t, "POST", "/v1/puzzles:estimate", `{`+dominoes+`}`).status(t, 200)
}

// TestFormatOfCount: format is the same as Accept, for links.
func TestFormatOfCount(t *testing.T) {
	s := newSite(t, nil)
	if r := s.ask(t, "GET", "/v1/count?board=2x3&piece=domino=any&format=text", ""); r.text != "3\n" {
		t.Errorf("%q", r.text)
	}
	r := s.ask(t, "GET", "/v1/count?board=2x3&piece=domino=any&format=json", "", "Accept: text/plain")
	var counted job.Counted
	if err := json.Unmarshal([]byte(r.text), &counted); err != nil || counted.Count != "3" {
		t.Errorf("%s %v", r.text, err)
	}
}

// TestConditionsOfQuery: a query may have several conditions, in any order.
func TestConditionsOfQuery(t *testing.T) {
	s := newSite(t, nil)
	for query, want := range map[string]string{
		"":                                  "3",
		"&with=0,0":                         "3",
		"&with=0,0=domino:1":                "1",
		"&with=%230&with=%236":              "1",
		"&without=%230&without=%231":        "1",
		"&exactly=1:%230&exactly=1:%231":    "0",
		"&at_most=1:%230&at_least=1:%234":   "2",
		"&with=%234&without=%231":           "1",
		"&without=%231&with=%234":           "1",
		"&apart=domino,domino&with=0,0=%23": "",
		"&touch=domino,domino":              "",
	} {
		const path = "/v1/count?board=2x3&piece=domino=any&format=text"
		r := s.ask(t, "GET", path+query, "")
		if want == "" {
			r.status(t, 400)
		} else if r.status(t, 200); strings.TrimSpace(r.text) != want {
			t.Errorf("%s: %s, want %s", query, r.text, want)
		}
	}
	r := s.ask(t, "GET", "/v1/samples?board=2x3&piece=domino=any&n=2&with=%230&with=%236", "").status(t, 200)
	if n := strings.Count(r.text, "[[0,0],[0,1]]"); n != 2 {
		t.Errorf("%d tilings with the placement, want 2: %s", n, r.text)
	}
}

// TestBarePuzzle: an error about a puzzle that is the whole body names the body.
func TestBarePuzzle(t *testing.T) {
	s := newSite(t, nil)
	const puzzle = `{"board":"8x8","pieces":["domyno=any"]}`
	for body, want := range map[string]string{puzzle: "body", `{"puzzle":` + puzzle + `}`: "body.puzzle"} {
		p := decode[client.Problem](t, s.ask(t, "POST", "/v1/puzzles:estimate", body).status(t, 400))
		if len(p.Errors) != 1 || p.Errors[0].Location != want {
			t.Errorf("%s: %+v, want %s", body, p, want)
		}
	}
}
