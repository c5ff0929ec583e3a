package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/server/queue"
)

// Jobs is a table of jobs in memory. It has the methods of [queue.Queue].
type Jobs struct {
	journal Journal
	now     func() time.Time
	mu      sync.Mutex
	rows    map[string]*row
	changes chan struct{} // closed and replaced when a row has changed or a task has ended
}

type row struct {
	queue.Job
	claim    *claim
	refunded bool // the next claim is not counted as an attempt, since the last claim was stopped
}

// changed increments Version, writes to the journal, and wakes waiters. The caller holds the lock.
func (j *Jobs) changed(r *row) {
	r.Version++
	if text, err := json.Marshal(r.Job); err == nil { // no error: JSON can represent every job
		j.journal.Keep(Name{ofJobs, r.ID}, text)
	}
	j.wake()
}

func (j *Jobs) wake() {
	close(j.changes)
	j.changes = make(chan struct{})
}

// Add accepts a job: see [queue.Queue.Add].
func (j *Jobs) Add(_ context.Context, of queue.Job, most int) (queue.Job, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	active := 0
	for _, r := range j.rows {
		if !r.State.Ended() {
			active++
		}
	}
	of.State = cmp.Or(of.State, client.Queued)
	if most > 0 && active >= most && of.State == client.Queued {
		return queue.Job{}, &queue.TooMany{Active: active, Most: most}
	}
	of.ID, of.Lane, of.Created = queue.NewID(), cmp.Or(of.Lane, queue.Short), j.now()
	if of.State == client.Done {
		of.Started, of.Ended = of.Created, of.Created
	}
	r := &row{Job: of}
	j.rows[of.ID] = r
	j.changed(r)
	return r.Job, nil
}

// find returns a job of the owner, or of any owner if owner is "". The caller holds the lock.
func (j *Jobs) find(id, owner string) (*row, error) {
	r := j.rows[id]
	if r == nil || owner != "" && r.Owner != owner {
		return nil, queue.ErrAbsent
	}
	return r, nil
}

// Get returns a job of the owner: see [queue.Queue.Get].
func (j *Jobs) Get(_ context.Context, id, owner string) (queue.Job, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	r, err := j.find(id, owner)
	if err != nil {
		return queue.Job{}, err
	}
	return r.Job, nil
}

// List returns a page of jobs: see [queue.Queue.List]. A cursor is the id of the last job of the page.
func (j *Jobs) List(_ context.Context, f queue.Filter) (jobs []queue.Job, next string, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	var rows []*row
	for _, r := range j.rows {
		if (f.Owner == "" || f.Owner == r.Owner) && (f.Kind == "" || f.Kind == r.Kind) && (f.State == "" || f.State == r.State) {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, newestFirst)
	if f.Cursor != "" {
		last := j.rows[f.Cursor]
		if last == nil {
			return nil, "", queue.ErrCursor
		}
		rows = slices.DeleteFunc(rows, func(r *row) bool { return newestFirst(r, last) <= 0 })
	}
	for _, r := range rows[:min(len(rows), cmp.Or(f.Limit, 100))] {
		brief := r.Job
		brief.Request, brief.Plan = nil, nil
		jobs = append(jobs, brief)
	}
	if len(jobs) < len(rows) {
		next = jobs[len(jobs)-1].ID
	}
	return jobs, next, nil
}

// Cancel cancels a job: see [queue.Queue.Cancel]. It ends a running job at once, since the page may
// be closed before the task stops.
func (j *Jobs) Cancel(_ context.Context, id, owner string) (queue.Job, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	r, err := j.find(id, owner)
	if err != nil {
		return queue.Job{}, err
	}
	if !r.State.Ended() {
		if r.claim != nil {
			r.claim.end(queue.ErrCanceled)
		}
		r.State, r.Key, r.Ended, r.claim = client.Canceled, "", j.now(), nil
		j.changed(r)
	}
	return r.Job, nil
}

// Watch waits until the Version of a job is greater than the argument after, or the job has ended.
func (j *Jobs) Watch(ctx context.Context, id string, after int64) (queue.Job, error) {
	for {
		j.mu.Lock()
		news := j.changes
		r, err := j.find(id, "")
		if err != nil || r.Version > after || r.State.Ended() {
			defer j.mu.Unlock()
			if err != nil {
				return queue.Job{}, err
			}
			return r.Job, nil
		}
		j.mu.Unlock()
		select {
		case <-ctx.Done():
			return queue.Job{}, context.Cause(ctx)
		case <-news:
		}
	}
}

// Work does jobs until ctx ends: see [queue.Queue.Work].
func (j *Jobs) Work(ctx context.Context, admit func(queue.Job) queue.Task, idle func(queue.Lane)) {
	var going sync.WaitGroup
	for _, lane := range []queue.Lane{queue.Short, queue.Long} {
		going.Go(func() {
			for ctx.Err() == nil {
				j.mu.Lock()
				news := j.changes
				c, t := j.next(ctx, lane, admit, idle)
				j.mu.Unlock()
				if c != nil {
					going.Go(func() { c.hold(t) })
					continue
				}
				select {
				case <-ctx.Done():
				case <-news:
				}
			}
		})
	}
	going.Wait()
}

// next claims the oldest queued job of a lane, if there is room for the job. It skips a job while
// another job with the same key is running. The caller holds the lock.
func (j *Jobs) next(ctx context.Context, lane queue.Lane, admit func(queue.Job) queue.Task, idle func(queue.Lane)) (*claim, queue.Task) {
	var oldest *row
	running := map[string]bool{}
	for _, r := range j.rows {
		running[r.Key] = running[r.Key] || r.State == client.Running
	}
	for _, r := range j.rows {
		if r.State == client.Queued && r.Lane == lane && !(r.Key != "" && running[r.Key]) && (oldest == nil || newestFirst(r, oldest) > 0) {
			oldest = r
		}
	}
	if oldest == nil {
		idle(lane)
		return nil, nil
	}
	t := admit(oldest.Job)
	if t == nil {
		return nil, nil
	}
	oldest.State, oldest.Started, oldest.Progress = client.Running, j.now(), nil
	if !oldest.refunded {
		oldest.Attempts++
	}
	oldest.refunded = false
	c := &claim{jobs: j, row: oldest}
	c.right, c.end = context.WithCancelCause(ctx)
	oldest.claim = c
	j.changed(oldest)
	c.job = oldest.Job
	return c, t
}

type claim struct {
	jobs   *Jobs
	row    *row
	job    queue.Job // the job at the time of the claim
	right  context.Context
	end    context.CancelCauseFunc
	isNews bool // whether a timer that calls the method news is running
}

// hold does a task. If the task returns without having ended the claim, the job is queued again.
func (c *claim) hold(t queue.Task) {
	c.run(t)
	_ = c.Requeue(c.right, queue.Lapsed) // ErrLost only means that the task has ended the claim
	t.Release()
	c.jobs.mu.Lock()
	c.jobs.wake() // another job may now have room
	c.jobs.mu.Unlock()
}

// run calls t.Do. If Do panics, the job fails, since another try would panic too.
func (c *claim) run(t queue.Task) {
	defer func() {
		if p := recover(); p != nil {
			_ = c.Failed(c.right, client.Problem{Status: 500, Title: "failure", Detail: fmt.Sprintf("internal error (a panic): %v", p)})
		}
	}()
	t.Do(c)
}

func (c *claim) Context() context.Context { return c.right }
func (c *claim) Job() queue.Job           { return c.job }

// progressPause is the delay after which watchers see a change of the progress or plan of a job.
const progressPause = 250 * time.Millisecond

func (c *claim) Progress(p client.Progress) { c.show(&c.row.Progress, p) }

func (c *claim) Plan(p *job.Plan) { c.show(&c.row.Plan, p) }

// show sets a field of the job at once, and wakes the watchers of the job after progressPause.
func (c *claim) show(at *json.RawMessage, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		return
	}
	c.jobs.mu.Lock()
	defer c.jobs.mu.Unlock()
	if c.row.claim != c {
		return
	}
	*at = text
	if !c.isNews {
		c.isNews = true
		time.AfterFunc(progressPause, c.news)
	}
}

// news wakes the watchers of the job. If the claim has ended, they were woken at its end.
func (c *claim) news() {
	c.jobs.mu.Lock()
	defer c.jobs.mu.Unlock()
	c.isNews = false
	if c.row.claim == c {
		c.row.Version++
		c.jobs.wake()
	}
}

func (c *claim) change(do func(*row)) error {
	c.jobs.mu.Lock()
	defer c.jobs.mu.Unlock()
	if c.row.claim != c {
		return queue.ErrLost
	}
	do(c.row)
	c.jobs.changed(c.row)
	return nil
}

func (c *claim) over(do func(*row)) error {
	err := c.change(func(r *row) { do(r); r.claim = nil })
	c.end(err)
	return err
}

func (c *claim) ended(r *row, s client.State) { r.State, r.Ended = s, c.jobs.now() }

func (c *claim) Move(_ context.Context, l queue.Lane, bytes int64) error {
	return c.change(func(r *row) { r.Lane, r.Bytes, r.Progress = l, bytes, nil })
}

func (c *claim) Saved(_ context.Context, checkpoint string) error {
	return c.change(func(r *row) { r.Deaths, r.Lapses, r.Checkpoint = 0, 0, checkpoint })
}

func (c *claim) Done(_ context.Context, key string) error {
	return c.over(func(r *row) { r.Key = key; c.ended(r, client.Done) })
}

func (c *claim) Failed(_ context.Context, p client.Problem) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return c.over(func(r *row) { r.Key, r.Failure = "", text; c.ended(r, client.Failed) })
}

// Canceled has nothing to do: [Jobs.Cancel] has ended the job and the claim.
func (c *claim) Canceled(context.Context) error { return nil }

func (c *claim) Requeue(_ context.Context, why queue.Pause) error {
	return c.over(func(r *row) {
		r.Worked += c.jobs.now().Sub(r.Started)
		r.putBack(why)
	})
}

func (r *row) putBack(why queue.Pause) {
	r.State = client.Queued
	switch why {
	case queue.Stopped:
		r.refunded = true
	case queue.Died:
		r.Deaths++
	case queue.Lapsed:
		r.Lapses++
	}
}
