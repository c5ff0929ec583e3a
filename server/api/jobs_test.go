package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/api"
	"github.com/pavage/pavage/server/queue"
)

var board = job.Puzzle{Board: "8x8", Pieces: []string{"domino=any"}}

// TestJob: a job is accepted, waited for, found again and listed.
func TestJob(t *testing.T) { onBoth(t, testJob) }

func testJob(t *testing.T, s *site) {
	ctx := t.Context()
	j, err := s.client.Submit(ctx, &job.Count{Puzzle: board, Distinct: job.DistinctUsual}, client.Limits{Memory: "512MiB", Timeout: "1h"}, time.Minute)
	if err != nil || j.State != client.Done || j.Output != "" {
		t.Fatalf("%+v, %v", j, err)
	}
	var counted job.Counted
	if err := json.Unmarshal(j.Answer, &counted); err != nil || counted.Count != "12988816" || counted.Distinct == nil {
		t.Errorf("%s, %v", j.Answer, err)
	}
	again, err := s.client.Get(ctx, j.ID)
	if err != nil || string(again.Answer) != string(j.Answer) || again.Version != j.Version {
		t.Errorf("%+v, %v", again, err)
	}
	if row, err := s.jobs.Get(ctx, j.ID, ""); err != nil || row.Limits.Memory != 512<<20 || row.Limits.Time != time.Hour {
		t.Errorf("the job has the limits %+v, %v", row.Limits, err)
	}
}

// TestChoicesOfCopies: a job answers which choices of copies have a given number of tilings. Errors name
// a wrong range or cursor.
func TestChoicesOfCopies(t *testing.T) { onBoth(t, testChoicesOfCopies) }

func testChoicesOfCopies(t *testing.T, s *site) {
	choices := job.Puzzle{Board: "5x5", Pieces: []string{"pentominoes=0..1"}}
	after := "0.1.1.0.1.0.0.1.0.0.1.0"
	for _, method := range []string{"search", "sweep"} {
		q := &job.Query{Puzzle: choices, ByCopies: []string{job.AllPieces}, Having: "64..", Method: method}
		j, err := s.client.Submit(t.Context(), q, client.Limits{}, time.Minute)
		var answer job.Queried
		if err != nil || json.Unmarshal(j.Answer, &answer) != nil || len(answer.ByCopies) != 2 || answer.ByCopies[0].Count != "80" {
			t.Errorf("%s: %s, %v", method, j.Answer, err)
		}
		q.After = &after
		answer = job.Queried{}
		j, err = s.client.Submit(t.Context(), q, client.Limits{}, time.Minute)
		if err != nil || json.Unmarshal(j.Answer, &answer) != nil || len(answer.ByCopies) != 1 || answer.ByCopies[0].Count != "64" || answer.Method != method {
			t.Errorf("%s: %s, %v", method, j.Answer, err)
		}
	}
	for options, field := range map[string]string{
		`"by_copies":["all"],"having":"5..1"`: "body.options.having", `"entropy":true,"having":"1"`: "body.options.having",
	} {
		r := s.ask(t, "POST", "/v1/jobs?wait=60s", `{"kind":"query",`+dominoes+`,"options":{`+options+`}}`)
		if r.StatusCode != 400 && r.StatusCode != 422 || !strings.Contains(r.text, field) {
			t.Errorf("%s: %d %s, want an error of %s", options, r.StatusCode, r.text, field)
		}
	}
}

// TestPostJob: the answer has the address and the version of the job, and a wait ends with the job.
func TestPostJob(t *testing.T) {
	s := newSite(t, nil)
	s.fake.hold = make(chan struct{})
	r := s.ask(t, "POST", "/v1/jobs", `{"kind":"count",`+dominoes+`}`).status(t, 202)
	j := decode[client.Job](t, r)
	at, tag := r.Header.Get("Location"), r.Header.Get("ETag")
	if at != "/v1/jobs/"+j.ID || len(j.ID) < 22 || j.State != client.Queued || tag == "" {
		t.Errorf("%v %+v", r.Header, j)
	}
	s.ask(t, "GET", at, "", "If-None-Match: "+tag).status(t, 304)
	s.ask(t, "GET", at, "", `If-None-Match: "77", W/`+tag).status(t, 304)
	s.ask(t, "GET", at, "", `If-None-Match: "77"`).status(t, 200)
	s.ask(t, "GET", at+"/output", "").status(t, 404)
	close(s.fake.hold)
	r = s.ask(t, "GET", at+"?wait=60s", "").status(t, 200)
	if j := decode[client.Job](t, r); j.State != client.Done || r.Header.Get("ETag") == tag {
		t.Errorf("%v %+v", r.Header, j)
	}
	r = s.ask(t, "POST", "/v1/jobs", `{"kind":"count",`+dominoes+`}`, "Prefer: respond-async, wait=60").status(t, 200)
	if r.Header.Get("Preference-Applied") != "wait=60" {
		t.Errorf("%v", r.Header)
	}
	r = s.ask(t, "POST", "/v1/jobs?wait=60s&kind=count", "board: 2x3\npieces:\n  - {name: domino, copies: any}\n", "Content-Type: application/yaml").status(t, 200)
	if !strings.Contains(r.text, `"count":"3"`) {
		t.Errorf("%s", r.text)
	}
	s.ask(t, "POST", "/v1/jobs?wait=60s", packed(`{"kind":"count",`+dominoes+`}`), "Content-Encoding: gzip").status(t, 200)
}

// TestOptions: the options are the fields of the request, for each kind of job.
func TestOptions(t *testing.T) { onBoth(t, testOptions) }

func testOptions(t *testing.T, s *site) {
	ctx := t.Context()
	p := job.Puzzle{Board: "2x3", Pieces: []string{"domino=any"}}
	seven := job.Whole(7)
	for _, r := range []job.Request{
		&job.Show{Puzzle: p}, &job.Count{Puzzle: p, Engine: "search"}, &job.Residues{Puzzle: p, Moduli: []job.Whole{5, 7}}, &job.Certify{Puzzle: p},
		&job.Estimate{Puzzle: p}, &job.Sample{Puzzle: p, Number: 2, Seed: &seven}, &job.List{Puzzle: p}, &job.Verify{Puzzle: p, Method: "list"},
		&job.Convert{Puzzle: p, To: "dimacs"}, &job.Sequence{Boxes: job.Boxes{Puzzle: p, Rows: "2", Columns: "1..4"}},
		&job.Recurrence{Boxes: job.Boxes{Puzzle: p, Columns: "2"}}, &job.Each{Puzzle: job.Puzzle{Text: week}},
	} {
		j, err := s.client.Submit(ctx, r, client.Limits{}, time.Minute)
		if err != nil {
			t.Errorf("%s: %v", r.Kind(), err)
			continue
		}
		if j.State != client.Done || len(j.Answer) < 10 || j.Kind != r.Kind() {
			t.Errorf("%s: %+v", r.Kind(), j.Error)
		}
		again(t, s, j.ID)
	}
}

// again submits the request of a job again, and fails if the new job has another request.
func again(t *testing.T, s *site, id string) {
	t.Helper()
	told := decode[client.Job](t, s.ask(t, "GET", "/v1/jobs/"+id+"?request=true", "").status(t, 200))
	if told.Request == nil || told.Request.Kind != told.Kind {
		t.Fatalf("no request is told: %+v", told)
	}
	body, err := json.Marshal(told.Request)
	if err != nil {
		t.Fatal(err)
	}
	twin := decode[client.Job](t, s.ask(t, "POST", "/v1/jobs?wait=60s", string(body)))
	first, err := s.jobs.Get(t.Context(), id, "")
	second, also := s.jobs.Get(t.Context(), twin.ID, "")
	if err := errors.Join(err, also); err != nil || string(first.Request) != string(second.Request) {
		t.Errorf("%s: %v: %s became %s", body, err, first.Request, second.Request)
	}
}

// TestRequestOfAJob: the answer has the request only with request=true, in a form that can be submitted.
func TestRequestOfAJob(t *testing.T) { onBoth(t, testRequestOfAJob) }

func testRequestOfAJob(t *testing.T, s *site) {
	for _, puzzle := range []string{
		`"name:dominoes-2x3"`, `"board: 2x3\npieces: [{name: domino, copies: any}]"`, `{"board":"2x3","pieces":["domino=any"],"cover":"at-most"}`,
		`{"board":"2x3","pieces":[{"name":"a","shape":"##","copies":"any"}]}`, `{"text":"a b\n\na\nb\n","from":"dlx"}`,
		`{"example":"calendar","values":{"day":29,"month":"feb"}}`, `{"text":"board: [a b, c d]\nopen: [x]\nparameters: {x: [a, b]}\npieces: [monomino]","values":{"x":"b"}}`,
	} {
		j := decode[client.Job](t, s.ask(t, "POST", "/v1/jobs?wait=60s", `{"kind":"show","puzzle":`+puzzle+`}`).status(t, 200))
		again(t, s, j.ID)
		if plain := s.ask(t, "GET", "/v1/jobs/"+j.ID, "").status(t, 200); strings.Contains(plain.text, "request") {
			t.Errorf("%s", plain.text)
		}
	}
	s.ask(t, "GET", "/v1/jobs/x?request=maybe", "").status(t, 400)
}

// TestList: pages of jobs, the newest first, by kind and state.
func TestList(t *testing.T) { onBoth(t, testList) }

func testList(t *testing.T, s *site) {
	ctx := t.Context()
	var ids []string
	for range 5 {
		j, err := s.client.Submit(ctx, &job.Count{Puzzle: board}, client.Limits{}, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, j.ID)
	}
	page := decode[client.Jobs](t, s.ask(t, "GET", "/v1/jobs?limit=2", "").status(t, 200))
	if len(page.Jobs) != 2 || page.Next == "" || page.Jobs[0].Answer != nil {
		t.Errorf("%+v", page)
	}
	listed := page.Jobs
	for page.Next != "" && len(listed) <= len(ids) {
		page = decode[client.Jobs](t, s.ask(t, "GET", "/v1/jobs?limit=2&cursor="+page.Next, "").status(t, 200))
		listed = append(listed, page.Jobs...)
	}
	newest := func(a, b client.Job) int { return b.Created.Compare(a.Created) } // several jobs may have the same millisecond
	if !slices.IsSortedFunc(listed, newest) {
		t.Errorf("not the newest first: %+v", listed)
	}
	for _, j := range listed {
		ids = slices.DeleteFunc(ids, func(id string) bool { return id == j.ID })
	}
	if len(listed) != 5 || len(ids) != 0 {
		t.Errorf("%d jobs, %q are missing", len(listed), ids)
	}
	n := 0
	for _, err := range s.client.List(ctx, client.Filter{Kind: "count", State: client.Done}) {
		if n++; err != nil {
			t.Fatal(err)
		}
	}
	for range s.client.List(ctx, client.Filter{State: client.Running}) {
		n++
	}
	if n != 5 {
		t.Errorf("%d jobs", n)
	}
}

// TestCancel: after a cancel the job has the state canceled, at once or soon.
func TestCancel(t *testing.T) {
	s, ctx := newSite(t, nil), t.Context()
	s.fake.hold = make(chan struct{})
	j, err := s.client.Submit(ctx, &job.Count{Puzzle: board}, client.Limits{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.client.Cancel(ctx, j.ID); err != nil {
		t.Fatal(err)
	}
	if j, err = s.client.Wait(ctx, j.ID); err != nil || j.State != client.Canceled {
		t.Errorf("%+v, %v", j, err)
	}
	s.ask(t, "DELETE", "/v1/jobs/"+j.ID, "").status(t, 200)
	s.ask(t, "GET", "/v1/jobs/"+j.ID, "").status(t, 200)
}

// TestOutput: the tilings of a job are beside its answer.
func TestOutput(t *testing.T) { onBoth(t, testOutput) }

func testOutput(t *testing.T, s *site) {
	ctx := t.Context()
	j, err := s.client.Submit(ctx, &job.List{Puzzle: job.Puzzle{Board: "2x3", Pieces: []string{"domino=any"}}}, client.Limits{}, time.Minute)
	if err != nil || j.Output != "/v1/jobs/"+j.ID+"/output" {
		t.Fatalf("%+v, %v", j, err)
	}
	out, err := s.client.Output(ctx, j.ID)
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for scan := bufio.NewScanner(out); scan.Scan(); {
		lines++
	}
	if err := out.Close(); err != nil || lines != 3 {
		t.Errorf("%d lines, %v", lines, err)
	}
}

// events reads a stream of events as far as n blocks, or to its end.
func (s *site) events(t *testing.T, id, last string, n int) (blocks []string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+"/v1/jobs/"+id+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	lines, block := bufio.NewReader(answer.Body), ""
	for len(blocks) < n {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		if block += line; line == "\n" {
			blocks, block = append(blocks, block), ""
		}
	}
	return blocks
}

// TestEvents: an event comes at once and after each change, then the end. A client that reconnects gets
// the later events.
func TestEvents(t *testing.T) {
	s := newSite(t, nil)
	s.fake.hold = make(chan struct{})
	id := decode[client.Job](t, s.ask(t, "POST", "/v1/jobs", `{"kind":"count",`+dominoes+`}`)).ID
	if first := s.events(t, id, "", 1); !strings.HasPrefix(first[0], "id: 1\nevent: job\ndata: {") || !strings.Contains(first[0], `"state":"queued"`) {
		t.Errorf("%q", first)
	}
	s.fake.change(id, func(*queue.Job) {})
	if second := s.events(t, id, "1", 1); !strings.HasPrefix(second[0], "id: 2\nevent: job\n") {
		t.Errorf("%q", second)
	}
	close(s.fake.hold)
	all := s.events(t, id, "2", 100)
	last := all[len(all)-1]
	if !strings.HasPrefix(last, "id: 4\nevent: end\ndata: {\"state\":\"done\"}") || !strings.Contains(all[len(all)-2], `"answer":{`) {
		t.Errorf("%q", all)
	}
	s.ask(t, "GET", "/v1/jobs/"+id+"/events", "", "Last-Event-ID: 5").status(t, 400)
	if after := s.events(t, id, "4", 100); len(after) != 1 || after[0] != last {
		t.Errorf("%q", after)
	}
}

// TestSignsOfLife: a stream of events sends signs of life, and ends when the service is about to stop.
func TestSignsOfLife(t *testing.T) {
	stopping, stop := context.WithCancel(t.Context())
	s := newSite(t, func(o *api.Options) { o.KeepAlive, o.Stop = time.Millisecond, stopping })
	s.fake.hold = make(chan struct{})
	defer close(s.fake.hold)
	id := decode[client.Job](t, s.ask(t, "POST", "/v1/jobs", `{"kind":"count",`+dominoes+`}`)).ID
	if all := s.events(t, id, "", 3); all[1] != ": alive\n\n" || all[2] != ": alive\n\n" {
		t.Errorf("%q", all)
	}
	stop()
	if all := s.events(t, id, "", 100); len(all) != 1 {
		t.Errorf("%q", all)
	}
	s.ask(t, "POST", "/v1/jobs?wait=1m", `{"kind":"count",`+dominoes+`}`).status(t, 202)
}

// TestWaitGoesOn: a connection that breaks does not end a wait.
func TestWaitGoesOn(t *testing.T) {
	s, ctx := newSite(t, nil), t.Context()
	s.fake.hold = make(chan struct{})
	c, err := client.New(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	c.Pause = time.Millisecond
	j, err := c.Submit(ctx, &job.Count{Puzzle: board}, client.Limits{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	var versions []int64
	for now, err := range c.Events(ctx, j.ID) {
		if err != nil {
			t.Fatal(err)
		}
		if versions = append(versions, now.Version); now.Version == 1 {
			s.CloseClientConnections()
			close(s.fake.hold)
		}
	}
	if !slices.IsSorted(versions) || versions[len(versions)-1] != 3 || len(slices.Compact(slices.Clone(versions))) != len(versions) {
		t.Errorf("versions %v", versions)
	}
	if _, err := c.Wait(ctx, strings.Repeat("0", 32)); !errors.As(err, new(*client.Problem)) {
		t.Errorf("%v", err)
	}
}

// TestEndedJob: a job that has ended has no progress.
func TestEndedJob(t *testing.T) {
	s := newSite(t, nil)
	s.fake.hold = make(chan struct{})
	j := decode[client.Job](t, s.ask(t, "POST", "/v1/jobs", `{"kind":"count",`+dominoes+`}`))
	s.fake.change(j.ID, func(j *queue.Job) { j.Progress = json.RawMessage(`{"fraction":0.7,"left_seconds":3}`) })
	if j = decode[client.Job](t, s.ask(t, "GET", j.URL, "").status(t, 200)); j.Progress == nil || j.Progress.Left != 3 {
		t.Errorf("%+v", j)
	}
	close(s.fake.hold)
	if j = decode[client.Job](t, s.ask(t, "GET", j.URL+"?wait=60s", "").status(t, 200)); j.State != client.Done || j.Progress != nil {
		t.Errorf("%+v", j)
	}
}

// TestLost: if the store has lost an answer or an output, the problem names it, and a new request makes
// it again.
func TestLost(t *testing.T) {
	s := newSite(t, func(o *api.Options) { o.Patience = time.Minute })
	s.fake.slow = true
	s.ask(t, "GET", "/v1/count"+eight, "").status(t, 200)
	list := decode[client.Job](t, s.ask(t, "POST", "/v1/jobs?wait=60s", `{"kind":"list",`+dominoes+`,"options":{"number":"3"}}`).status(t, 200))
	s.fake.lost = &client.Problem{Status: http.StatusGone, Detail: "it is lost"}
	for _, at := range []string{list.URL, list.Output} {
		s.ask(t, "GET", at, "").status(t, http.StatusGone)
	}
	s.fake.lost = nil
	before := len(s.fake.rows)
	s.ask(t, "GET", "/v1/count"+eight+"&engine=auto", "").status(t, 200)
	if len(s.fake.rows) != before+1 {
		t.Errorf("a count that is not in the store is taken from a job that has ended")
	}
}
