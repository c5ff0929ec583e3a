package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"github.com/pavage/pavage/internal/kit/machine"
	"github.com/pavage/pavage/internal/kit/strict"
	"github.com/pavage/pavage/tiling"
)

// Kind names a kind of work: the name of the type of its request in lower case, such as
// "count" for [Count]. [Kinds] lists all.
type Kind string

// Request is a piece of work that is wanted: a pointer to one of the structs of package job that
// have a Kind.
type Request interface {
	Kind() Kind
	// Check says what is wrong with the request, but for its puzzle.
	Check() error
}

// RequestFor is a Request whose answer is an A.
type RequestFor[A any] interface {
	Request
	do(ctx context.Context, w *work) (*A, error)
}

// Answer is what comes of a request: a pointer to the struct that belongs to its
// kind, to be written as JSON.
type Answer any

// Run does the work of a request. It looks at ctx often, and returns within a
// second of its end. With some errors there is an answer too, as far as the work
// has come: the request says which.
func Run(ctx context.Context, r Request, l Limits, w Watch) (Answer, error) {
	row, err := rowFor(r.Kind())
	if err != nil {
		return nil, err
	}
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
	a, err := row.do(ctx, r, k)
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

// Do is Run for a request whose type is known, and so the type of its answer. The answer is nil
// if there is none.
func Do[A any](ctx context.Context, r RequestFor[A], l Limits, w Watch) (*A, error) {
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

// row is a kind of work: it makes an empty request, and the answer that goes with it, and does the
// work of a request.
type row struct {
	kind    Kind
	request func() Request
	answer  func() Answer
	do      func(context.Context, Request, *work) (Answer, error)
}

// kinds are all kinds of work.
var kinds = []row{
	rowOf[Show, Shown](),
	rowOf[Count, Counted](),
	rowOf[Each, Table](),
	rowOf[Residues, ResiduesCounted](),
	rowOf[Certify, Counted](),
	rowOf[Estimate, Estimation](),
	rowOf[Sample, Sampled](),
	rowOf[List, Listed](),
	rowOf[Query, Queried](),
	rowOf[Verify, Verified](),
	rowOf[Solve, Verified](),
	rowOf[Check, Verified](),
	rowOf[Convert, Converted](),
	rowOf[Compile, Compiled](),
	rowOf[Sequence, Sequenced](),
	rowOf[Recurrence, Recurred](),
	rowOf[Examples, Bundled](),
}

// rowOf is the row of the requests R, whose answers are A.
func rowOf[R, A any, P interface {
	*R
	RequestFor[A]
}]() row {
	return row{
		P(new(R)).Kind(),
		func() Request { return P(new(R)) },
		func() Answer { return new(A) },
		func(ctx context.Context, r Request, w *work) (Answer, error) {
			a, err := r.(P).do(ctx, w)
			if a == nil {
				return nil, err
			}
			return a, err
		},
	}
}

// rowFor is the row of a kind, and an error if there is no such kind.
func rowFor(kind Kind) (row, error) {
	for _, k := range kinds {
		if k.kind == kind {
			return k, nil
		}
	}
	return row{}, bad("kind is %.40q, want one of %q", string(kind), Kinds())
}

// Kinds are all kinds of work.
func Kinds() []Kind {
	all := make([]Kind, len(kinds))
	for i, k := range kinds {
		all[i] = k.kind
	}
	return all
}

// New is an empty request of a kind. The error is that there is no such kind.
func New(kind Kind) (Request, error) {
	k, err := rowFor(kind)
	if err != nil {
		return nil, err
	}
	return k.request(), nil
}

// Decode reads a request of a kind from JSON, and checks it. A field that the kind
// does not have is an error, as is anything behind the object. An error about a field
// says which one it is: see [Error.Field].
func Decode(kind Kind, data []byte) (Request, error) {
	r, err := New(kind)
	if err != nil {
		return nil, err
	}
	if err := strict.Decode(data, r); err != nil {
		return nil, &Error{Kind: BadInput, err: err}
	}
	return r, r.Check()
}

// DecodeAnswer reads an answer of a kind from JSON.
func DecodeAnswer(kind Kind, data []byte) (Answer, error) {
	k, err := rowFor(kind)
	if err != nil {
		return nil, err
	}
	a := k.answer()
	return a, json.Unmarshal(data, a)
}

// Whole is a whole number, 0 to 2^64-1. It is written to JSON as a string, since not
// all programs that read JSON have integers as large. A number is read as well.
type Whole uint64

func (w Whole) String() string { return strconv.FormatUint(uint64(w), 10) }

// MarshalText implements encoding.TextMarshaler.
func (w Whole) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// Wanted says what is wanted where something else was read.
func (Whole) Wanted() string { return "a whole number, 0 to 2^64-1" }

// UnmarshalJSON implements json.Unmarshaler.
func (w *Whole) UnmarshalJSON(text []byte) error {
	if n := len(text); n >= 2 && text[0] == '"' {
		text = text[1 : n-1]
	}
	return w.UnmarshalText(text)
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (w *Whole) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil {
		return errors.New("want a whole number, 0 to 2^64-1")
	}
	*w = Whole(n)
	return nil
}

// Limits are what a piece of work may take of the machine, and what it may touch.
// The zero value limits nothing, uses all cores, and touches no file.
type Limits struct {
	Memory  int64         `json:"memory,omitempty" doc:"bytes of what is counted with; 0: no limit"`
	Threads int           `json:"threads,omitempty" doc:"0: one for each core"`
	Time    time.Duration `json:"time,omitempty" doc:"in nanoseconds; 0: no limit"`
	// Disk is a directory where a sweep goes on that does not fit in memory; ""
	// for none.
	Disk string `json:"disk,omitempty"`
	// Checkpoint is a directory where a count leaves what it has come to, every so
	// much time of counting, and goes on from there; "" for none. One count at a
	// time has it.
	Checkpoint      string        `json:"checkpoint,omitempty"`
	CheckpointEvery time.Duration `json:"checkpoint_every,omitempty"`
	// Programs allows a request to name a program that is then run. A server must
	// not allow that to strangers.
	Programs bool `json:"programs,omitempty"`
}

// NoDisk is the setting of Limits.Disk for no directory at all.
const NoDisk = "none"

// Resolve makes limits of the settings of a process, where 0 and "" ask for what
// is usual: three quarters of the memory that is free now, a thread for each core,
// the system's directory for temporary files unless that is a part of memory. It
// is meant to be called once in a process, before the work begins, as later the
// work itself has some of the memory; pieces of work then get shares.
func Resolve(memory int64, threads int, disk string) Limits {
	if memory == 0 {
		memory = machine.FreeMemory() / 4 * 3 // better our error than the kernel's killing
	}
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	switch disk {
	case "":
		disk = machine.TempDisk()
	case NoDisk:
		disk = ""
	}
	return Limits{Memory: memory, Threads: threads, Disk: disk}
}

// Share is what each of n pieces of work gets that go on at the same time. Time is
// not divided. A checkpoint is one piece's alone, so no share has it.
func (l Limits) Share(n int) Limits {
	if l.Memory > 0 {
		l.Memory = max(1, l.Memory/int64(n))
	}
	threads := l.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	l.Threads = max(1, threads/n)
	l.Checkpoint, l.CheckpointEvery = "", 0
	return l
}

// checkDisk tries that levels can be kept in the directory of the limits.
func (l Limits) checkDisk() error {
	if l.Disk == "" {
		return nil
	}
	f, err := os.CreateTemp(l.Disk, "pavage-*")
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return &Error{Kind: Limit, err: fmt.Errorf("no space is left in %.60q, the directory to keep levels in", l.Disk)}
	case err != nil:
		return bad("{disk} is %.60q, want a directory to keep levels in: %w", l.Disk, err)
	}
	return nil
}
