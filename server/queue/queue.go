// Package queue keeps the jobs of a service in a database.
package queue

import (
	"context"
	"errors"
	"time"

	"github.com/pavage/pavage/client"
	"github.com/pavage/pavage/job"
)

// Options are the settings of a queue. What is zero has the default.
type Options struct {
	// Lease is how long a process holds a job without a word: 15 s.
	Lease time.Duration
	// Poll is how often a process looks for changes that others made: 100 ms.
	Poll time.Duration
	// Retention is how long ended jobs are kept: 168 h.
	Retention time.Duration
	// Worker is the name of this process, for people.
	Worker string
	// Report is told what went wrong in the background; nil: nobody is.
	Report func(event string, err error)
}

// Why the context of a claim ended: what [context.Cause] says.
var (
	ErrLost     = errors.New("the job was given to another process, because this one did not renew its lease")
	ErrCanceled = errors.New("the job was canceled")
	ErrStopping = errors.New("the process takes no more work")
)

var (
	// ErrTaken says that a job is not queued any more.
	ErrTaken = errors.New("the job is not queued any more")
	// ErrCursor says that a cursor is not one that List gave for this filter.
	ErrCursor = errors.New("the cursor is not one that was given for this list")
)

// Queue is the table of jobs, as one process sees it.
type Queue struct{}

// OpenSQLite opens the queue in a file, which is made if it is not there. A database
// that is damaged, another program's or a newer version's is an error; its bytes stay
// as they are.
func OpenSQLite(ctx context.Context, file string, o Options) (*Queue, error) {
	return nil, errors.ErrUnsupported
}

// OpenPostgres opens the queue in a database of Postgres.
func OpenPostgres(ctx context.Context, url string, o Options) (*Queue, error) {
	return nil, errors.ErrUnsupported
}

// Close ends what goes on in the background. Work must have returned.
func (q *Queue) Close() error { return errors.ErrUnsupported }

// Ping says whether the database answers.
func (q *Queue) Ping(ctx context.Context) error { return errors.ErrUnsupported }

// Add accepts a job: it is committed when Add returns. The job is queued, or is done,
// with a Key, if its State says so. Add sets ID, Version, Created and, of a job that is
// done, Started and Ended.
func (q *Queue) Add(ctx context.Context, j Job) (Job, error) { return Job{}, errors.ErrUnsupported }

// Get returns a job of the owner; "" sees all. The error is ErrAbsent if there is none.
func (q *Queue) Get(ctx context.Context, id, owner string) (Job, error) {
	return Job{}, errors.ErrUnsupported
}

// Filter says which jobs to list. What is zero does not matter.
type Filter struct {
	Owner  string
	Kind   job.Kind
	State  client.State
	Limit  int    // 1 to 1000; 0: 100
	Cursor string // of the page before
}

// List returns jobs, the newest first, without their Request and Plan, and the cursor
// of the next page; "": there is none.
func (q *Queue) List(ctx context.Context, f Filter) (jobs []Job, next string, err error) {
	return nil, "", errors.ErrUnsupported
}

// Cancel cancels a job. One that is queued is canceled at once. The holder of one that
// is running is told; until it has stopped, the job is running. A job that has ended
// stays as it is.
func (q *Queue) Cancel(ctx context.Context, id, owner string) (Job, error) {
	return Job{}, errors.ErrUnsupported
}

// Watch returns the job as soon as its Version is greater than after.
func (q *Queue) Watch(ctx context.Context, id string, after int64) (Job, error) {
	return Job{}, errors.ErrUnsupported
}

// Work takes jobs until ctx ends, at most so many of each lane at once, and calls do
// for each. Then it waits for all do's.
//
// The context of do ends with ErrStopping, or if the job is not queued any more before
// it was claimed. So do may wait for memory before it calls claim, which gives the right
// to do the job, or ErrTaken. A do that returns without having ended its claim puts the
// job back; one that never claimed leaves it queued, and it is offered again.
func (q *Queue) Work(ctx context.Context, slots map[Lane]int, do func(ctx context.Context, j Job, claim func() (*Claim, error))) error {
	return errors.ErrUnsupported
}

// Claim is the right to do a job, until its context ends.
type Claim struct{}

// Context ends when the right does: ErrLost, ErrCanceled, ErrStopping. It also ends
// when the claim is ended by one of its methods.
func (c *Claim) Context() context.Context { return context.Background() }

// Job is the job as it was claimed, with this try among its Attempts.
func (c *Claim) Job() Job { return Job{} }

// Progress says how far the work is. It may be called often: what is written is the
// last of each half second.
func (c *Claim) Progress(p client.Progress) {}

// Plan says how the work is done; it is written like Progress.
func (c *Claim) Plan(p *job.Plan) {}

// Done ends the job: its answer is in the store, with that key.
func (c *Claim) Done(ctx context.Context, key string) error { return errors.ErrUnsupported }

// Failed ends the job.
func (c *Claim) Failed(ctx context.Context, p client.Problem) error { return errors.ErrUnsupported }

// Canceled ends the job, after its context said ErrCanceled.
func (c *Claim) Canceled(ctx context.Context) error { return errors.ErrUnsupported }

// Requeue puts the job back into a lane. If the try is not spent, it is not counted.
func (c *Claim) Requeue(ctx context.Context, l Lane, spent bool) error { return errors.ErrUnsupported }

// Stats are figures of all jobs.
type Stats struct {
	// Jobs are how many there are, by kind and state.
	Jobs map[job.Kind]map[client.State]int
	// Oldest is how long the oldest queued job of each lane has waited.
	Oldest map[Lane]time.Duration
}

// Stats counts the jobs.
func (q *Queue) Stats(ctx context.Context) (Stats, error) { return Stats{}, errors.ErrUnsupported }

// Active counts the jobs of an owner that are queued or running.
func (q *Queue) Active(ctx context.Context, owner string) (int, error) {
	return 0, errors.ErrUnsupported
}
