package child

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/job"
)

// testPatience is long, since a busy machine may be slow.
const testPatience = 5 * time.Minute

// bodies has a request of each kind that a child does.
var bodies = map[job.Kind]string{
	"show":       `{"puzzle":{"example":"soma"}}`,
	"count":      `{"puzzle":{"board":"4x4","pieces":["domino=any"]},"explain":true}`,
	"each":       `{"puzzle":{"text":"board: [a b]\nopen: [p]\nparameters: {p: [a, b]}\npieces: [monomino]"}}`,
	"query":      `{"puzzle":{"board":"4x6","pieces":["domino=any"]},"marginals":"orientations","with":["domino@0,0"]}`,
	"clues":      `{"puzzle":{"board":"4x6","pieces":["domino=any"]},"number":"2","seed":"1"}`,
	"compile":    `{"puzzle":{"board":"4x6","pieces":["domino=any"]},"without":["#3"]}`,
	"residues":   `{"puzzle":{"board":"4x4","pieces":["domino=any"]},"moduli":["7"]}`,
	"certify":    `{"puzzle":{"board":"4x4","pieces":["domino=any"]}}`,
	"estimate":   `{"puzzle":{"board":"4x4","pieces":["domino=any"]}}`,
	"sample":     `{"puzzle":{"board":"4x4","pieces":["domino=any"]},"number":"100","seed":"7"}`,
	"list":       `{"puzzle":{"board":"4x4","pieces":["domino=any"]}}`,
	"verify":     `{"puzzle":{"board":"4x4","pieces":["domino=any"]},"seed":"1"}`,
	"solve":      `{"puzzle":{"board":"4x4","pieces":["domino=any"]},"command":["cat"]}`,
	"convert":    `{"puzzle":{"board":"4x4","pieces":["domino=any"]},"to":"dimacs"}`,
	"sequence":   `{"puzzle":{"pieces":["domino=any"]},"rows":"2","columns":"1..5"}`,
	"recurrence": `{"puzzle":{"pieces":["domino=any"]},"rows":"2"}`,
	"examples":   `{}`,
}

// heard has the values that a sink received.
type heard struct {
	output          bytes.Buffer
	notes           []string
	plans, progress int
}

func (h *heard) sink() Sink {
	return Sink{
		Progress: func(job.Progress) { h.progress++ },
		Plan:     func(*job.Plan) { h.plans++ },
		Note:     func(n job.Note) { h.notes = append(h.notes, n.Text) },
		Output:   &h.output,
	}
}

// here does a task in this process.
func here(t *testing.T, task Task) (*heard, job.Answer, error) {
	t.Helper()
	h := &heard{}
	w := job.Lines(&h.output)
	w.Answer, w.Output = nil, &h.output
	w.Note = func(n job.Note) { h.notes = append(h.notes, n.Text) }
	r, err := job.Decode(task.Kind, task.Request)
	if err != nil {
		return h, nil, err
	}
	a, err := job.Run(t.Context(), r, task.Limits, w)
	return h, a, err
}

// TestEveryKind: a child does each kind of work, with the same results as this process.
func TestEveryKind(t *testing.T) {
	c := started(t, "child")
	for _, kind := range job.Kinds() {
		task := Task{Kind: kind, Request: []byte(bodies[kind]), Limits: job.Limits{Threads: 1, Programs: true}}
		if kind == "check" {
			task.Request = []byte(`{"puzzle":{"board":"4x4","pieces":["domino=any"]}}`)
			_, err := c.Run(t.Context(), task, Sink{})
			wants(t, err, job.BadInput, "cannot run in a child process")
			continue
		}
		var there heard
		text, failed := c.Run(t.Context(), task, there.sink())
		task.Limits.Programs = false
		near, want, err := here(t, task)
		if fmt.Sprint(failed) != fmt.Sprint(err) || job.KindOf(failed) != job.KindOf(err) {
			t.Errorf("%s: error %v, want %v", kind, failed, err)
			continue
		}
		if err == nil {
			same(t, kind, text, want)
		}
		if !bytes.Equal(there.output.Bytes(), near.output.Bytes()) {
			t.Errorf("%s: %d bytes of output, want %d", kind, there.output.Len(), near.output.Len())
		}
		if !reflect.DeepEqual(there.notes, near.notes) {
			t.Errorf("%s: notes %q, want %q", kind, there.notes, near.notes)
		}
	}
}

// same compares answers without the parts that depend on the machine.
func same(t *testing.T, kind job.Kind, got json.RawMessage, answer job.Answer) {
	t.Helper()
	text, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if err := errors.Join(json.Unmarshal(got, &a), json.Unmarshal(text, &b)); err != nil {
		t.Fatalf("%s: %s: %v", kind, got, err)
	}
	if !reflect.DeepEqual(timeless(a), timeless(b)) {
		t.Errorf("%s: the answer is %s, want %s", kind, got, text)
	}
}

// timeless returns a JSON value without figures of time and memory.
func timeless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			if strings.Contains(name, "second") || strings.Contains(name, "bytes") || name == "sweep" || name == "search" || name == "reason" {
				delete(v, name)
			} else {
				v[name] = timeless(v[name])
			}
		}
	case []any:
		for i := range v {
			v[i] = timeless(v[i])
		}
	}
	return v
}

// TestTold: the sink receives progress, plans, and the source of tilings.
func TestTold(t *testing.T) {
	c := started(t, "child")
	var h heard
	task := dominoes("12x12")
	task.Request = []byte(`{"puzzle":{"board":"12x12","pieces":["domino=any"]},"explain":true}`)
	if _, err := c.Run(t.Context(), task, h.sink()); err != nil || h.plans == 0 || h.progress == 0 {
		t.Errorf("%d plans, %d times progress, %v", h.plans, h.progress, err)
	}
	sample := Task{Kind: "sample", Request: []byte(`{"puzzle":{"board":"8x8","pieces":["domino=any"]},"number":"3"}`)}
	answer, err := c.Run(t.Context(), sample, h.sink())
	var about job.Sampled
	if err = errors.Join(err, json.Unmarshal(answer, &about)); err != nil || about.Count != "12988816" || about.Method == "" {
		t.Errorf("drawn from %+v, %v", about, err)
	}
	for _, task := range []Task{task, sample} {
		if _, err := c.Run(t.Context(), task, Sink{}); err != nil {
			t.Errorf("with nobody who listens: %v", err)
		}
	}
}

// TestErrors: an error in a child has the same kind and text as in this process.
func TestErrors(t *testing.T) {
	c := started(t, "child")
	for _, task := range []Task{
		{Kind: "dance", Request: []byte(`{}`)},
		{Kind: "count", Request: []byte(`{"puzzel":1}`)},
		{Kind: "count", Request: []byte(`{"puzzle":{"example":"smoa"}}`)},
		{Kind: "count", Request: []byte(`{"puzzle":{"board":"4x4","pieces":["I5=x"]}}`)},
		{Kind: "count", Request: []byte(`{"puzzle":{"board":"20x20","pieces":["domino=any"]},"engine":"sweep"}`), Limits: job.Limits{Memory: 1 << 20, Threads: 1}},
		{Kind: "sample", Request: []byte(`{"puzzle":{"board":"3x3","pieces":["domino=any"]},"number":"1"}`)},
	} {
		_, err := c.Run(t.Context(), task, Sink{})
		_, _, want := here(t, task)
		if want == nil || fmt.Sprint(err) != fmt.Sprint(want) || job.KindOf(err) != job.KindOf(want) {
			t.Errorf("%s: error %v, want %v", task.Request, err, want)
		}
		if errors.Is(err, limit.ErrMemory) != errors.Is(want, limit.ErrMemory) {
			t.Errorf("%v is not what it was", err)
		}
	}
	_, err := c.Run(t.Context(), Task{Kind: "count", Request: []byte(`{"puzzle":`)}, Sink{})
	wants(t, err, job.BadInput, "the request is not JSON")
}

// TestTimeLimit: work ends at its limit. The error of a list that is cut short has a cursor, for each
// kind of limit.
func TestTimeLimit(t *testing.T) {
	c := started(t, "child")
	task := Task{Kind: "list", Request: []byte(`{"puzzle":{"board":"8x8","pieces":["domino=any"]}}`)}
	task.Limits.Time = 1
	_, err := c.Run(t.Context(), task, Sink{})
	wants(t, err, job.Limit, "the time limit of 1ns was reached")
	task.Limits.Time = 0
	ctx, stop := context.WithCancelCause(t.Context())
	_, err = c.Run(ctx, task, Sink{Output: writes(func([]byte) error {
		stop(job.NewError(job.Limit, errors.New("enough")))
		return nil
	})})
	wants(t, err, job.Limit, "enough")
	var e *job.Error
	if !errors.As(err, &e) || e.Cursor == "" {
		t.Errorf("%v without a cursor", err)
	}
}

// long returns long work, which calls begun at its begin.
func long(begun func()) (Task, Sink) {
	task := Task{Kind: "count", Request: []byte(`{"puzzle":{"board":"14x14","pieces":["tetrominoes=any"]},"engine":"sweep"}`)}
	task.Limits.Threads = 1
	return task, Sink{Progress: func(job.Progress) { begun() }}
}

// TestCancel: canceled work ends.
func TestCancel(t *testing.T) {
	c := started(t, "child")
	for range testkit.Size(5, 100) {
		ctx, cancel := context.WithCancel(t.Context())
		task, sink := long(cancel)
		_, err := c.Run(ctx, task, sink)
		wants(t, err, job.Interruption, "interrupted")
	}
}

// TestCancelBefore: no child is started if the context has ended.
func TestCancelBefore(t *testing.T) {
	c := started(t, "deaf")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(job.NewError(job.Limit, errors.New("enough")))
	_, err := c.Run(ctx, dominoes("8x8"), Sink{})
	wants(t, err, job.Limit, "enough")
}

// TestCancelCause: the error has the text of the cause of the end.
func TestCancelCause(t *testing.T) {
	c := started(t, "child")
	ctx, cancel := context.WithCancelCause(t.Context())
	task, sink := long(func() { cancel(job.NewError(job.Limit, errors.New("enough"))) })
	_, err := c.Run(ctx, task, sink)
	wants(t, err, job.Limit, "enough")
}

// TestGrace: a child that does not end its work is killed.
func TestGrace(t *testing.T) {
	c := started(t, "deaf", func(o *Options) { o.Grace = time.Millisecond })
	ctx, cancel := context.WithCancel(t.Context())
	_, err := c.Run(ctx, dominoes("8x8"), Sink{Note: func(job.Note) { cancel() }})
	wants(t, err, job.Interruption, "interrupted")
}

// TestGraceFor: the cause of a cancel determines the time in which the child must end.
func TestGraceFor(t *testing.T) {
	stopped := errors.New("the service is stopped")
	o := Options{Grace: 2, GraceFor: func(cause error) time.Duration {
		if errors.Is(cause, stopped) {
			return 3
		}
		return 0
	}}
	if a, b, c := o.grace(stopped), o.grace(context.Canceled), (Options{}).grace(stopped); a != 3 || b != 2 || c != defaultGrace {
		t.Errorf("%v, %v and %v, want 3, 2 and the usual", a, b, c)
	}
}

// TestSinkFails: an error of the sink ends the work, and is the error of Run.
func TestSinkFails(t *testing.T) {
	c := started(t, "child")
	enough := errors.New("enough")
	for kind, sink := range map[job.Kind]Sink{
		"list":    {Output: writes(func([]byte) error { return enough })},
		"certify": {Output: writes(func([]byte) error { return enough })},
	} {
		task := Task{Kind: kind, Request: []byte(`{"puzzle":{"board":"8x8","pieces":["domino=any"]}}`)}
		if _, err := c.Run(t.Context(), task, sink); err != enough {
			t.Errorf("%s: %v, want %v", kind, err, enough)
		}
	}
}

// writes is a function that takes output.
type writes func([]byte) error

func (w writes) Write(b []byte) (int, error) { return len(b), w(b) }

func sampleOf(n, seed int, method string) string {
	return fmt.Sprintf(`{"puzzle":{"board":"6x6","pieces":["domino=any"]},"number":"%d","seed":"%d","method":"%s"}`, n, seed, method)
}

// TestSource: a child saves the source of a sample if the source is small and can be saved.
func TestSource(t *testing.T) {
	for _, tc := range []struct {
		method string
		keep   int64
		saved  bool
	}{{"", 1 << 30, true}, {"", 1, false}, {"", 0, false}, {"sweep", 1 << 30, false}} {
		c := started(t, "child")
		var h heard
		task := Task{Kind: "sample", Request: []byte(sampleOf(5, 7, tc.method)), Keep: tc.keep}
		var file bytes.Buffer
		saved, sink := false, h.sink()
		sink.Source = func(from io.Reader) { _, _ = file.ReadFrom(from); saved = true }
		if _, err := c.Run(t.Context(), task, sink); err != nil {
			t.Fatal(err)
		}
		near, _, err := here(t, task)
		if err != nil || near.output.String() != h.output.String() {
			t.Errorf("%+v: other tilings than here, %v", tc, err)
		}
		if saved != tc.saved {
			t.Errorf("%+v: saved is %v", tc, saved)
		}
		if !tc.saved {
			continue
		}
		r, err := job.Decode("sample", task.Request)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := job.LoadSource(t.Context(), r.(*job.Sample), &file, job.Limits{}); err != nil {
			t.Error(err)
		}
	}
}

// TestPartOfSource: an incomplete source is an error for the sink, and a sink may return early.
func TestPartOfSource(t *testing.T) {
	for _, complete := range []bool{true, false} {
		var read []byte
		var err error
		c := &child{sink: Sink{Source: func(from io.Reader) { read, err = io.ReadAll(from) }}}
		c.keep([]byte("some "))
		c.keep([]byte("more"))
		if complete {
			c.keep(nil)
		}
		c.endSource(job.ErrNotSaved)
		if string(read) != "some more" || errors.Is(err, job.ErrNotSaved) == complete {
			t.Errorf("complete is %v: %q, %v", complete, read, err)
		}
	}
	c := &child{sink: Sink{Source: func(io.Reader) {}}}
	c.keep([]byte("nobody reads this"))
	c.endSource(nil)
}

// TestLeft: a count that has an answer leaves its checkpoint.
func TestLeft(t *testing.T) {
	c := started(t, "child")
	dir := filepath.Join(t.TempDir(), "checkpoint")
	task := Task{Kind: "count", Request: []byte(`{"puzzle":{"board":"12x12","pieces":["domino=any"]},"engine":"sweep"}`)}
	task.Limits = job.Limits{Checkpoint: dir, CheckpointEvery: 1, Threads: 1}
	var h heard
	for range 2 {
		answer, err := c.Run(t.Context(), task, h.sink())
		if files, _ := filepath.Glob(filepath.Join(dir, "level-*")); err != nil || len(files) == 0 || !bytes.Contains(answer, []byte("53060477521960000")) {
			t.Errorf("%s, %v, %d files", answer, err, len(files))
		}
	}
	if !strings.Contains(fmt.Sprint(h.notes), "continuing from level") {
		t.Errorf("notes %q", h.notes)
	}
}

// TestDisk: levels go to the folder of the child, and no child runs programs.
func TestDisk(t *testing.T) {
	c := started(t, "limits")
	task := dominoes("8x8")
	task.Limits = job.Limits{Disk: "/nowhere/at/all", Programs: true}
	var got job.Limits
	if _, err := c.Run(t.Context(), task, Sink{Output: writes(func(b []byte) error { return json.Unmarshal(b, &got) })}); err != nil {
		t.Fatal(err)
	}
	if filepath.Dir(got.Disk) != c.Temp || got.Programs {
		t.Errorf("%+v", got)
	}
}

// TestStartFails: a child that cannot be started leaves no files.
func TestStartFails(t *testing.T) {
	dir := t.TempDir()
	for _, o := range []Options{{Program: "/nowhere/at/all", Temp: dir}, {Temp: filepath.Join(dir, "none")}} {
		if _, err := Run(t.Context(), o, dominoes("8x8"), Sink{}); err == nil {
			t.Errorf("%+v started", o)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// TestMainReads: Main ends at the end of its input, and after an invalid line.
func TestMainReads(t *testing.T) {
	none := func(*assigned, *sender) error { return nil }
	if code := serve(strings.NewReader(""), io.Discard, none); code != 0 {
		t.Errorf("the end of the input: code %d", code)
	}
	for _, text := range []string{"hello\n", `{"number":1,"tsak":{}}` + "\n", `{"task"`} {
		if code := serve(strings.NewReader(text), io.Discard, none); code != 1 {
			t.Errorf("%q: code %d", text, code)
		}
	}
}
