package job

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pavage/pavage/tiling"
)

// Kind names a kind of work: the name of the type of its request in lower case, such as
// "count" for [Count]. [Kinds] lists all.
type Kind string

// Request is a piece of work that is wanted: one of the structs below.
type Request interface {
	Kind() Kind
	// Check says what is wrong with the request, but for its puzzle.
	Check() error
	do(ctx context.Context, w *work) (Answer, error)
}

// Answer is what comes of a request: a pointer to the struct that belongs to its
// kind, to be written as JSON.
type Answer any

// Run does the work of a request. It looks at ctx often, and returns within a
// second of its end. With some errors there is an answer too, as far as the work
// has come: the request says which.
func Run(ctx context.Context, r Request, l Limits, w Watch) (Answer, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	if l.Time > 0 {
		limited, cancel := WithTimeLimit(ctx, l.Time)
		defer cancel()
		ctx = limited
	}
	ctx, stop := refusing(ctx, r, l)
	k := &work{limits: l, watch: w, begun: time.Now()}
	a, err := r.do(ctx, k)
	if err == nil && w.Answer != nil {
		err = w.Answer(a)
	}
	if k.atEnd != nil {
		err = errors.Join(err, k.atEnd(err == nil))
	}
	err = explained(ctx, err)
	stop()
	return a, err
}

// run is Run for a request whose answer is an A.
func run[A any](ctx context.Context, r Request, l Limits, w Watch) (*A, error) {
	a, err := Run(ctx, r, l, w)
	answer, _ := a.(*A)
	return answer, err
}

// work is a request under way.
type work struct {
	limits Limits
	watch  Watch
	begun  time.Time
	room   []tiling.Placement        // of the last tiling, with Watch.Brief
	atEnd  func(answered bool) error // nil: nothing is left to be done
}

func (w *work) seconds() float64 { return time.Since(w.begun).Seconds() }

// WithTimeLimit is context.WithTimeout with a cause that names the limit. [Run]
// sets Limits.Time with it; whoever has more to do in that time than to run one
// request sets it for all of that.
func WithTimeLimit(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, d, &Error{Kind: Limit, err: fmt.Errorf("the time limit of %v was reached", d)})
}
