package queue

import (
	"cmp"
	"errors"
	"fmt"
	"time"
)

// Options are the settings of a queue. A field that is zero has the default.
type Options struct {
	Lease     time.Duration                 // how long a job is held without a renewal: 15 s
	Poll      time.Duration                 // between looks for changes by other processes: 100 ms
	Retention time.Duration                 // how long ended jobs are kept: 168 h
	Worker    string                        // the name of this process, see Job.Worker
	Report    func(event string, err error) // receives errors from several goroutines; may be nil
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
	// ErrCursor reports a cursor that List did not make.
	ErrCursor = errors.New("the cursor was not made for this list")
	// ErrDatabase is wrapped by errors about a database that is damaged, another program's, of a
	// newer version, removed or disconnected.
	ErrDatabase = errors.New("this database cannot be used")
)

// TooMany reports that an owner has as many jobs as it may have at once.
type TooMany struct {
	Active int // queued or running
	Most   int
}

func (e *TooMany) Error() string {
	return fmt.Sprintf("%d jobs have not ended, expected at most %d at once", e.Active, e.Most)
}

// IsAway reports whether the database does not answer or is about to stop: try again later.
func IsAway(err error) bool { return errors.Is(err, ErrDatabase) || isAway(err) }
