package api_test

import (
	"strings"
	"testing"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
)

// TestListsInQuery: a list may be given by a repeated parameter, and a comma does not split a selector.
func TestListsInQuery(t *testing.T) {
	s := newSite(t, nil)
	const board = "?board=2x3&piece=domino=any"
	for path, want := range map[string]string{
		"/v1/count" + board + "&with=0,0=domino":                                  "3\n",
		"/v1/count" + board + "&with=0,0=domino:2&with=0,1=domino:1":              "1\n",
		"/v1/count" + board + "&without=%230&without=domino:2":                    "0\n",
		"/v1/count" + board + "&exactly=1:domino:2&at_least=1:0,0&at_least=1:0,1": "2\n",
	} {
		r := s.ask(t, "GET", path+"&format=text", "")
		if r.StatusCode != 200 || r.text != want {
			t.Errorf("%s: %s, want %s", path, r.text, want)
		}
	}
	drawn := s.ask(t, "GET", "/v1/samples"+board+"&weight=0,0=domino:1=0&weight=0,1=domino:2=0&seed=1", "")
	if drawn.StatusCode != 200 || drawn.Header.Get("Pavage-Count") != "3" {
		t.Errorf("%s", drawn.text)
	}
	const file = "board: 2x3\npieces:\n  - {name: domino, copies: any}\n"
	for query, want := range map[string]string{
		"kind=count&with=0,0=domino:2&with=0,1=domino:1":                        `"count":"1"`,
		"kind=query&marginals=pieces&weights=domino:1=2&weights=0,0=domino:2=3": `"weight":"`,
		"kind=query&entropy=true":                                               `"per_cell":"0.18310204811135161523"`,
		"kind=query&pairs=0,0=domino,0,1=domino:1":                              `"pairs":[`,
		"kind=query&unrank=0,1&unrank=2":                                        `"written":"3"`,
		"kind=residues&moduli=2,5&moduli=7":                                     `"7"`,
	} {
		r := s.ask(t, "POST", "/v1/jobs?wait=60s&"+query, file, "Content-Type: application/yaml")
		if r.StatusCode != 200 || !strings.Contains(r.text, want) {
			t.Errorf("%s: %s, want %s", query, r.text, want)
		}
	}
}

// TestEmptyParameter: a parameter without a value is an error. Errors suggest %23 for # and %2B for +.
func TestEmptyParameter(t *testing.T) {
	s := newSite(t, nil)
	const board = "?board=2x3&piece=domino=any"
	for path, want := range map[string]struct{ at, text string }{
		"/v1/count" + board + "&with=":                       {"query.with", "%23"},
		"/v1/count" + board + "&with=domino&with=":           {"query.with", "the parameter is empty"},
		"/v1/count" + board + "&no_four_corners":             {"query.no_four_corners", "the parameter is empty"},
		"/v1/count" + board + "&distinct=":                   {"query.distinct", "the parameter is empty"},
		"/v1/samples" + board + "&weight=":                   {"query.weight", "the parameter is empty"},
		"/v1/count" + board + "&engine=sweep&engine=sweep":   {"query.engine", "2 times"},
		"/v1/count" + board + "&exactly=1:domino:1+domino:2": {"query.exactly", "%2B"},
		"/v1/count" + board + "+x":                           {"query", "%2B"},
		"/v1/count" + board + "&exactly=1:dom:1%2Bdomino:2":  {"query.exactly", "domino"},
	} {
		p := decode[client.Problem](t, s.ask(t, "GET", path, "").status(t, 400))
		if len(p.Errors) != 1 || p.Errors[0].Location != want.at || !strings.Contains(p.Detail, want.text) || !strings.Contains(p.Errors[0].Message, want.text) || strings.Contains(p.Detail, "\n") {
			t.Errorf("%s: %+v, want %v", path, p, want)
		}
		if strings.Contains(path, "%2B") == strings.Contains(p.Detail, "%2B") && strings.Contains(want.at, "exactly") {
			t.Errorf("%s: %s", path, p.Detail)
		}
	}
	for query, at := range map[string]string{"with=": "query.with", "distinct=": "query.distinct", "memory=": "query.memory", "distinct=all&distinct=usual": "query.distinct"} {
		r := s.ask(t, "POST", "/v1/jobs?kind=count&"+query, "board: 2x3\npieces: [domino]\n", "Content-Type: application/yaml").status(t, 400)
		if p := decode[client.Problem](t, r); p.Errors[0].Location != at {
			t.Errorf("%s: %s", query, r.text)
		}
	}
	plus := s.ask(t, "GET", "/v1/count"+board+"&exactly=2:domino:1%2Bdomino:2", "").status(t, 200)
	if got := decode[job.Counted](t, plus); got.Count != "0" {
		t.Errorf("%s", plus.text)
	}
}
