package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pavage/pavage/cover"
)

// ErrUndecided is wrapped when the limit or ctx ends an enumeration. If ctx ended, its error is
// wrapped, too. The number of solutions found is a lower bound.
var ErrUndecided = errors.New("undecided")

func undecidedBy(err error) error { return fmt.Errorf("%w: %w", ErrUndecided, err) }

// Options has the options of an enumeration. The zero value is valid.
type Options struct {
	Threads int   // number of goroutines; 0 means one
	Limit   int64 // largest number of solutions or, with Classes, of classes; 0 means no limit
	// Memory limits the bytes of parts, formulas and gini, except learned clauses; 0 means no limit.
	Memory int64
	// With has distinct options: only solutions with all of them are listed. With excludes Classes.
	With []int
	// Classes requests one solution of each class under the symmetries, with the size of the class.
	Classes bool
	// Progress, if not nil, is called at most every 0.1 s and at the end, but not while yield runs.
	Progress func(Progress)
}

// Progress is the progress of an enumeration. The numbers never decrease.
type Progress struct {
	// Fraction estimates the share of the work done, 0..1. If the work is
	// divided into parts, each part counts equally.
	Fraction float64
	Result
}

// Result is the result of an enumeration.
type Result struct {
	Solutions int64 // number of solutions or, with Options.Classes, of members of listed classes
	Listed    int64 // number of listed solutions or, with Options.Classes, of listed classes
	Models    int64 // number of models that gini found; each is a solution
	Complete  bool  // whether all solutions were found
	Elapsed   time.Duration
}

// Enumerate calls yield, if not nil, with every solution of a valid problem, in any order, until
// yield returns false. The options are ascending, and valid only during the call. The argument
// class is the size of the solution's class, or 1 without Options.Classes. Calls do not overlap.
//
// The error wraps ErrUndecided if ctx ends (within about 0.1 s) or the limit is reached; then the
// result has the solutions found so far. It wraps ErrWrong if a check fails, ErrTooLarge if the
// formula is too large, cover.ErrMemory if the formula needs more than Options.Memory, and
// cover.ErrInvalid if a symmetry of the problem or Options.With is not valid.
func Enumerate(ctx context.Context, p *cover.Problem, o Options, yield func(options []int, class int) bool) (Result, error) {
	e := &enumeration{problem: p, options: o, yield: yield, start: time.Now()}
	if err := e.prepare(ctx); err != nil {
		return Result{}, err
	}
	defer context.AfterFunc(ctx, func() { e.stopped.Store(true) })()
	if !e.whole.dead { // otherwise no solution has all of Options.With
		e.cubes(ctx)
	}
	if e.result.Complete = !e.stopped.Load(); e.result.Complete {
		e.fraction = 1
	}
	e.report(time.Now())
	if e.failure == nil && !e.result.Complete && ctx.Err() != nil {
		e.failure = undecidedBy(ctx.Err())
	}
	return e.result, e.failure
}

// Count counts the solutions: it is Enumerate without yield.
func Count(ctx context.Context, p *cover.Problem, o Options) (Result, error) {
	return Enumerate(ctx, p, o, nil)
}

type enumeration struct {
	problem *cover.Problem
	options Options
	classes *classes // nil if no solution is derived from another one
	yield   func(options []int, class int) bool
	start   time.Time
	whole   *part       // the part with all solutions to enumerate
	stopped atomic.Bool // whether the enumeration must stop

	mu       sync.Mutex
	result   Result
	fraction float64
	reported time.Time
	failure  error
}

func (e *enumeration) fail(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.failure == nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		e.failure = err
	}
	e.stopped.Store(true)
}

const reportEvery = 100 * time.Millisecond

// The caller of report holds e.mu, or is the only goroutine.
func (e *enumeration) report(now time.Time) {
	e.result.Elapsed, e.reported = now.Sub(e.start), now
	if e.options.Progress != nil {
		e.options.Progress(Progress{e.fraction, e.result})
	}
}

func (e *enumeration) prepare(ctx context.Context) (err error) {
	with := e.options.With
	switch {
	case len(with) == 0:
		if e.classes, err = findClasses(ctx, e.problem, e.options.Classes); err != nil {
			return err
		}
	case e.options.Classes:
		return fmt.Errorf("%w: solutions with given options cannot be listed by classes, expected no given options or no classes", cover.ErrInvalid)
	}
	all := wholePart(e.problem)
	w := all.only(func(o int) bool {
		return all.fits(o) && (e.classes == nil || e.classes.searched == nil || e.classes.searched[o])
	})
	for _, o := range with {
		switch {
		case o < 0 || o >= len(e.problem.Options) || slices.Contains(w.taken, o):
			return fmt.Errorf("%w: options %v were given, expected different option numbers below %d", cover.ErrInvalid, with, len(e.problem.Options))
		case !slices.Contains(w.open, o): // no solution has o together with the options in w.taken
			w.dead, w.open, w.taken = true, nil, append(w.taken, o)
		default:
			w = w.with(o, noItem)
		}
	}
	w.share = 1
	e.whole = w
	return nil
}

type tally struct {
	*enumeration
	checker *checker
	found   Result
	share   float64
}

func (e *enumeration) newTally() *tally {
	return &tally{enumeration: e, checker: newChecker(e.problem)}
}

func (t *tally) model(options []int) bool {
	if err := t.checker.check(options); err != nil {
		t.fail(err)
		return false
	}
	t.found.Models++
	if t.classes == nil {
		return t.deliver(options, 1)
	}
	members, least := t.classes.members(options)
	if !least {
		return true
	}
	for _, m := range members {
		if err := t.checker.check(m); err != nil {
			t.fail(fmt.Errorf("an image of a solution: %w", err))
			return false
		}
	}
	if t.options.Classes {
		return t.deliver(members[0], len(members))
	}
	for _, m := range members {
		if !t.deliver(m, 1) {
			return false
		}
	}
	return true
}

func (t *tally) deliver(options []int, class int) bool {
	if t.yield == nil && t.options.Limit == 0 {
		t.found.list(class)
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch limit := t.options.Limit; {
	case t.stopped.Load():
		return false
	case limit > 0 && t.result.Listed == limit:
		t.failure = fmt.Errorf("%w: the limit of %d solutions was reached", ErrUndecided, limit)
		t.stopped.Store(true)
		return false
	}
	t.result.list(class)
	if t.yield != nil && !t.yield(options, class) {
		t.stopped.Store(true)
	}
	return !t.stopped.Load()
}

func (r *Result) list(class int) {
	r.Solutions += int64(class)
	r.Listed++
}

func (t *tally) flush() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.result.Solutions += t.found.Solutions
	t.result.Listed += t.found.Listed
	t.result.Models += t.found.Models
	t.fraction = min(1, t.fraction+t.share)
	t.found, t.share = Result{}, 0
	if now := time.Now(); now.Sub(t.reported) >= reportEvery {
		t.report(now)
	}
}

// ErrWrong is wrapped when a model is not a solution: then the formula or the solver is wrong.
var ErrWrong = errors.New("wrong model")

// checker adds up the uses of each item, and does not use the clauses.
type checker struct {
	problem *cover.Problem
	used    []int64
	colour  []int32 // colour[i] is the colour of the last use of item i that was counted
}

func newChecker(p *cover.Problem) *checker {
	return &checker{p, make([]int64, len(p.Items)), make([]int32, len(p.Items))}
}

func (c *checker) check(options []int) error {
	clear(c.used)
	for k, o := range options {
		if o < 0 || o >= len(c.problem.Options) || k > 0 && o <= options[k-1] {
			return fmt.Errorf("%w: option %d is out of order or out of range, expected ascending option numbers below %d",
				ErrWrong, o, len(c.problem.Options))
		}
		for _, u := range c.problem.Options[o] {
			if u.Colour != 0 && c.used[u.Item] > 0 && c.colour[u.Item] == u.Colour {
				continue // uses of an item with the same colour count as one
			}
			c.used[u.Item] += int64(u.Times)
			c.colour[u.Item] = u.Colour
		}
	}
	for i, it := range c.problem.Items {
		if c.used[i] < int64(it.Min) || c.used[i] > int64(it.Max) && it.Max != cover.Unbounded {
			return fmt.Errorf("%w: item %d is used %d times by options %.100s, expected %d..%d times", ErrWrong, i, c.used[i], fmt.Sprint(options), it.Min, it.Max)
		}
	}
	return nil
}
