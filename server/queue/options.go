package queue

import (
	"cmp"
	"errors"
	"fmt"
	"time"
)

// Options has the settings of a queue. The default is used for a field that is zero.
type Options struct {
	Lease     time.Duration                 // time for which a claim holds a job without a renewal; 15 s by default
	Poll      time.Duration                 // time between two searches for changes by other processes; 100 ms by default
	Retention time.Duration                 // time for which ended jobs are kept; 168 h by default
	Worker    string                        // name of this process, see Job.Worker
	Report    func(event string, err error) // receives errors; called by several goroutines; may be nil
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

// The context of a claim ends with one of these causes, see [context.Cause].
var (
	ErrLost     = errors.New("the job was given to another process, because this process did not renew its lease")
	ErrCanceled = errors.New("the job was canceled")
	ErrStopping = errors.New("the process accepts no more work")
)

var (
	// ErrCursor is the error for a cursor that List did not make.
	ErrCursor = errors.New("the cursor was not made for this list")
	// ErrDatabase is wrapped by errors for a database that is damaged, removed or disconnected, or
	// was written by another program or a newer version of Pavage.
	ErrDatabase = errors.New("this database cannot be used")
)

// TooMany is the error for an owner who already has the greatest number of queued and running jobs.
type TooMany struct {
	Active int // number of queued and running jobs
	Most   int
}

func (e *TooMany) Error() string {
	return fmt.Sprintf("%d jobs wait or run, expected at most %d jobs that wait or run at once", e.Active, e.Most)
}

// IsAway reports whether the error means that the database cannot be used now.
func IsAway(err error) bool { return errors.Is(err, ErrDatabase) || isAway(err) }
