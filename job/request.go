package job

import (
	"context"
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

// kinds makes an empty request of each kind, and the answer that goes with it.
var kinds = []struct {
	kind    Kind
	request func() Request
	answer  func() Answer
}{
	{"show", func() Request { return new(Show) }, func() Answer { return new(Shown) }},
	{"count", func() Request { return new(Count) }, func() Answer { return new(Counted) }},
	{"each", func() Request { return new(Each) }, func() Answer { return new(Table) }},
	{"residues", func() Request { return new(Residues) }, func() Answer { return new(ResiduesCounted) }},
	{"certify", func() Request { return new(Certify) }, func() Answer { return new(Counted) }},
	{"estimate", func() Request { return new(Estimate) }, func() Answer { return new(Estimation) }},
	{"sample", func() Request { return new(Sample) }, func() Answer { return new(Sampled) }},
	{"list", func() Request { return new(List) }, func() Answer { return new(Listed) }},
	{"query", func() Request { return new(Query) }, func() Answer { return new(Queried) }},
	{"verify", func() Request { return new(Verify) }, func() Answer { return new(Verified) }},
	{"solve", func() Request { return new(Solve) }, func() Answer { return new(Verified) }},
	{"check", func() Request { return new(Check) }, func() Answer { return new(Verified) }},
	{"convert", func() Request { return new(Convert) }, func() Answer { return new(Converted) }},
	{"compile", func() Request { return new(Compile) }, func() Answer { return new(Compiled) }},
	{"sequence", func() Request { return new(Sequence) }, func() Answer { return new(Sequenced) }},
	{"recurrence", func() Request { return new(Recurrence) }, func() Answer { return new(Recurred) }},
	{"examples", func() Request { return new(Examples) }, func() Answer { return new(Bundled) }},
}

// Kinds are all kinds of work.
func Kinds() []Kind {
	all := make([]Kind, len(kinds))
	for i, k := range kinds {
		all[i] = k.kind
	}
	return all
}

// New is an empty request of a kind; ok is false if there is no such kind.
func New(kind Kind) (r Request, ok bool) {
	for _, k := range kinds {
		if k.kind == kind {
			return k.request(), true
		}
	}
	return nil, false
}

// Decode reads a request of a kind from JSON, and checks it. A field that the kind
// does not have is an error, as is anything behind the object. An error about a field
// says which one it is: see [Error.Field].
func Decode(kind Kind, data []byte) (Request, error) {
	r, ok := New(kind)
	if !ok {
		return nil, bad("kind is %.40q, want one of %q", string(kind), Kinds())
	}
	if err := strict.Decode(data, r); err != nil {
		return nil, &Error{Kind: BadInput, err: err}
	}
	return r, r.Check()
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
