package api_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/worker"
	"github.com/pavage/pavage/tiling"
)

// fake is a queue and a worker. It runs jobs in the process and keeps rows in a map, so that the tests
// are only about the interface.
type fake struct {
	t    testing.TB
	slow bool // no request is quick: each becomes a job
	// large sources are made by a job.
	large bool

	mu      sync.Mutex
	changed chan struct{} // closed and replaced when a row changes
	rows    []*queue.Job
	cancels map[string]context.CancelFunc
	answers map[string]json.RawMessage
	known   map[string][]byte // answers of Count, by request
	outputs map[string][]byte
	hold    chan struct{}
	submits chan struct{} // not nil: Submit of an estimate receives from it when it begins and before it ends
	broken  error         // error of each call of Submit, Count and Draw
	breaks  int           // Draw fails after this number of tilings; 0: never
	lost    error         // error of each call of Answer, and of reads from Output

	drawn, drawsEnded int
}

// someTime is the time of all events.
var someTime = time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)

func newFake(t testing.TB) *fake {
	hold := make(chan struct{})
	close(hold)
	return &fake{
		t: t, changed: make(chan struct{}), cancels: map[string]context.CancelFunc{}, answers: map[string]json.RawMessage{}, known: map[string][]byte{},
		outputs: map[string][]byte{}, hold: hold,
	}
}

func (f *fake) change(id string, do func(*queue.Job)) queue.Job {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.rows, func(j *queue.Job) bool { return j.ID == id })
	if !f.rows[i].State.Ended() {
		do(f.rows[i])
		f.rows[i].Version++
		close(f.changed)
		f.changed = make(chan struct{})
	}
	return *f.rows[i]
}

func (f *fake) Submit(ctx context.Context, owner string, most int, r job.Request, l queue.Limits) (queue.Job, error) {
	if f.broken != nil {
		return queue.Job{}, f.broken
	}
	if n := f.active(owner); most > 0 && n >= most {
		return queue.Job{}, &queue.TooMany{Active: n, Most: most}
	}
	if _, _, err := job.Key(r); err != nil {
		return queue.Job{}, err
	}
	if f.submits != nil && r.Kind() == "estimate" {
		<-f.submits
		<-f.submits
	}
	text, err := json.Marshal(r)
	if err != nil {
		return queue.Job{}, err
	}
	for range 1000 { // lets other goroutines run, like a database
		runtime.Gosched()
	}
	id := make([]byte, 16)
	_, _ = rand.Read(id)
	j := &queue.Job{ID: hex.EncodeToString(id), Owner: owner, Kind: r.Kind(), Request: text, State: client.Queued, Version: 1, Limits: l, Created: someTime}
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f.mu.Lock()
	f.rows = append(f.rows, j)
	f.cancels[j.ID] = cancel
	row := *j
	f.mu.Unlock()
	go f.run(work, j.ID, r, f.hold)
	return row, nil
}

func (f *fake) run(ctx context.Context, id string, r job.Request, hold chan struct{}) {
	select {
	case <-hold:
	case <-ctx.Done():
	}
	f.change(id, func(j *queue.Job) { j.State, j.Attempts, j.Started = client.Running, 1, someTime })
	var out bytes.Buffer
	watch := job.Lines(&out)
	watch.Answer, watch.Output = nil, &out
	answer, err := job.Run(ctx, r, job.Limits{Threads: 1}, watch)
	f.change(id, func(j *queue.Job) {
		j.Ended = someTime
		switch text, bad := json.Marshal(answer); {
		case ctx.Err() != nil:
			j.State = client.Canceled
		case err != nil || bad != nil:
			j.State = client.Failed
			j.Failure, _ = json.Marshal(worker.ProblemOf(err))
		default:
			j.State, j.Key = client.Done, id
			f.answers[id], f.outputs[id] = text, out.Bytes()
		}
	})
}

func (f *fake) Count(ctx context.Context, r job.Request) (answer []byte, key [32]byte, ok bool, err error) {
	if f.broken != nil || f.slow {
		return nil, key, false, f.broken
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nil, key, false, err
	}
	f.mu.Lock()
	request := string(r.Kind()) + string(text)
	answer = f.known[request]
	f.mu.Unlock()
	if answer != nil {
		return answer, key, true, nil
	}
	a, err := job.Run(ctx, r, job.Limits{Threads: 1, Memory: 64 << 20}, job.Watch{})
	if err != nil {
		return nil, key, false, err
	}
	answer, err = json.Marshal(a)
	f.mu.Lock()
	f.known[request] = answer
	f.mu.Unlock()
	return answer, key, true, err
}

func (f *fake) Answer(_ context.Context, j queue.Job) (json.RawMessage, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.answers[j.ID], f.lost
}

func (f *fake) Output(_ context.Context, j queue.Job) (io.ReadCloser, string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lost != nil {
		return io.NopCloser(iotest.ErrReader(f.lost)), "application/jsonl", nil
	}
	return io.NopCloser(bytes.NewReader(f.outputs[j.ID])), "application/jsonl", nil
}

func (f *fake) Most() queue.Limits { return queue.Limits{Memory: 1 << 30, Threads: 8} }

func (f *fake) Draw(ctx context.Context, r *job.Sample, _ queue.Limits, watch job.Watch) (*job.Sampled, error) {
	if f.broken != nil {
		return nil, f.broken
	}
	if f.mu.Lock(); f.large && !slices.ContainsFunc(f.rows, func(j *queue.Job) bool { return j.State == client.Done }) {
		f.slow = true
		f.mu.Unlock()
		return nil, &worker.Large{Request: r}
	}
	f.mu.Unlock()
	if out := watch.Output; out != nil {
		drawing := watch.Drawing
		watch = job.Lines(out)
		watch.Drawing, watch.Answer = drawing, nil
	}
	take, n := watch.Tiling, 0
	watch.Lines = nil // write tilings one by one
	watch.Tiling = func(t render.Tiling) error {
		if n++; f.breaks > 0 && n > f.breaks {
			return errors.New("it breaks")
		}
		return take(t)
	}
	answer, err := job.Do(ctx, r, job.Limits{Threads: 1}, watch)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.drawn, f.drawsEnded = f.drawn+n, f.drawsEnded+1
	return answer, err
}

func (*fake) Look(_ context.Context, p job.Puzzle, see func(*tiling.Puzzle) error) error {
	read, err := p.Read()
	if err != nil {
		return err
	}
	return see(read)
}

func (f *fake) Tiling(ctx context.Context, p job.Puzzle, c job.Conditions, rank string, _ queue.Limits) (*worker.Found, error) {
	s, err := (&job.Sample{Puzzle: p, Number: 1, Conditions: c}).Prepare(ctx, job.Limits{Threads: 1}, job.Watch{})
	if err != nil {
		return nil, err
	}
	t, err := s.Tiling(ctx, rank)
	return &worker.Found{Puzzle: s.Puzzle(), Tiling: t, About: s.About()}, err
}

func (f *fake) Get(_ context.Context, id, owner string) (queue.Job, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, j := range f.rows {
		if j.ID == id && (owner == "" || j.Owner == owner) {
			return *j, nil
		}
	}
	return queue.Job{}, queue.ErrAbsent
}

func (f *fake) List(_ context.Context, filter queue.Filter) (jobs []queue.Job, next string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, j := range slices.Backward(f.rows) {
		switch {
		case filter.Owner != "" && j.Owner != filter.Owner, filter.State != "" && j.State != filter.State, filter.Kind != "" && j.Kind != filter.Kind:
		case filter.Cursor != "" && j.ID != filter.Cursor:
		case filter.Cursor != "":
			filter.Cursor = ""
		case len(jobs) == filter.Limit:
			return jobs, jobs[len(jobs)-1].ID, nil
		default:
			jobs = append(jobs, *j)
		}
	}
	if filter.Cursor != "" {
		return nil, "", queue.ErrCursor
	}
	return jobs, "", nil
}

func (f *fake) Cancel(ctx context.Context, id, owner string) (queue.Job, error) {
	if _, err := f.Get(ctx, id, owner); err != nil {
		return queue.Job{}, err
	}
	f.mu.Lock()
	f.cancels[id]()
	f.mu.Unlock()
	return f.Get(ctx, id, owner)
}

func (f *fake) Watch(ctx context.Context, id string, after int64) (queue.Job, error) {
	for {
		f.mu.Lock()
		changed := f.changed
		f.mu.Unlock()
		if j, err := f.Get(ctx, id, ""); err != nil || j.Version > after {
			return j, err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return queue.Job{}, ctx.Err()
		}
	}
}

func (f *fake) active(owner string) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, j := range f.rows {
		if j.Owner == owner && !j.State.Ended() {
			n++
		}
	}
	return n
}
