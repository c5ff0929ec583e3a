package queue

import (
	"cmp"
	"errors"
	"fmt"
	"time"
)

// Options are the settings of a queue. A field that is zero has the default.
type Options struct {
	// Lease is how long a process holds a job if it does not renew the lease: 15 s.
	Lease time.Duration
	// Poll is how often a process looks for changes that others made: 100 ms.
	Poll time.Duration
	// Retention is how long ended jobs are kept: 168 h.
	Retention time.Duration
	// Worker is the name of this process: see Job.Worker.
	Worker string
	// Report is called when something goes wrong in the background. It may be nil. Several
	// goroutines may call it at once.
	Report func(event string, err error)
}

func (o Options) withDefaults() Options {
	o.Lease = cmp.Or(o.Lease, 15*time.Second)
	o.Poll = cmp.Or(o.Poll, 100*time.Millisecond)
	o.Retention = cmp.Or(o.Retention, 168*time.Hour)
	if o.Report == nil {
		o.Report = func(string, error) {}
	}
	return o
}

// Why the context of a claim ended: the values of [context.Cause].
var (
	ErrLost     = errors.New("the job was given to another process, because this one did not renew its lease")
	ErrCanceled = errors.New("the job was canceled")
	ErrStopping = errors.New("the process takes no more work")
)

var (
	// ErrCursor reports that List did not make the cursor.
	ErrCursor = errors.New("the cursor was not made for this list")
	// ErrDatabase is wrapped by the error of an Open that refuses a database: it is
	// damaged, another program's, or of a newer version. It is also wrapped by the error of a
	// Queue that has lost its database: the file was removed, or the connection is broken.
	ErrDatabase = errors.New("this database cannot be used")
)

// TooMany reports that an owner has the largest number of jobs that it may have at once.
type TooMany struct {
	Active int // queued or running
	Most   int
}

func (e *TooMany) Error() string {
	return fmt.Sprintf("%d jobs have not ended, expected at most %d at once", e.Active, e.Most)
}

// IsAway reports whether an error of a queue means that its database cannot be used for now: it
// does not answer, or it is about to stop. Another try later may go well.
func IsAway(err error) bool { return errors.Is(err, ErrDatabase) || isAway(err) }
