package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/kit/machine"
	"github.com/pavage/pavage/job/sequence"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

// Kind is the type of a request in lower case, such as "count" for [Count]. [Kinds] lists all.
type Kind string

// Request is a piece of work: a pointer to a struct of package job that has a Kind.
type Request interface {
	Kind() Kind
}

// RequestFor is a Request whose answer is an *A.
type RequestFor[A any] interface {
	Request
	do(ctx context.Context, w *work) (*A, error)
}

// Answer is a pointer to the struct of an answer, such as [Counted]. Programs rely on its JSON.
type Answer any

type work struct {
	limits  Limits
	watch   Watch
	begun   time.Time
	lines   *render.Lines             // result of Watch.Lines after Begin
	atEnd   func(answered bool) error // called at the end of the work, unless nil
	placing *placing                  // passes the model to the forecast; nil without a forecast
	cells   tiling.CellLimit          // limit for the cells of a board
	puzzle  *Puzzle
	model   *tiling.Model // model of puzzle, without placements
}

func (w *work) seconds() float64 { return time.Since(w.begun).Seconds() }

// WithTimeLimit is like context.WithTimeout, but the cause names the limit, and 0 means no limit.
// [Run] uses it for Limits.Time. A program with one limit for several requests calls it itself.
func WithTimeLimit(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if d <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, d, &Error{Kind: Limit, err: fmt.Errorf("the time limit of %v was reached", d)})
}

// Whole is an integer, 0 to 2^64-1. It is written to JSON as a string, since some programs have no
// integers of this size. It can be read from a string or a number.
type Whole uint64

func (w Whole) String() string { return strconv.FormatUint(uint64(w), 10) }

// MarshalText implements encoding.TextMarshaler.
func (w Whole) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// Wanted describes the allowed values, for an error about another value.
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
		return errors.New("expected a whole number, 0 to 2^64-1")
	}
	*w = Whole(n)
	return nil
}

// Limits are limits of memory, threads and time for a piece of work, and the directories that it
// may use. With the zero value, work has no limits, uses all cores, and uses no directory.
type Limits struct {
	Memory  int64         `json:"memory,omitempty" doc:"bytes of memory for the count; 0: no limit"`
	Threads int           `json:"threads,omitempty" doc:"the number of threads; 0: one thread for each core"`
	Time    time.Duration `json:"time,omitempty" doc:"the time limit in nanoseconds; 0: no limit"`
	// Disk is a directory for the levels of a sweep that do not fit in memory; "" if there is none.
	Disk string `json:"disk,omitempty"`
	// Checkpoint is a directory in which a count saves its state, to continue later; "" if none.
	Checkpoint      string        `json:"checkpoint,omitempty"`
	CheckpointEvery time.Duration `json:"checkpoint_every,omitempty"`
	// Programs allows requests to name a program to run. A server must not set it for strangers.
	Programs bool `json:"programs,omitempty"`
}

// NoDisk is the value of the parameter disk of [Resolve] that stands for no directory.
const NoDisk = "none"

// Resolve returns limits for the settings of a process. If memory is 0, the limit is three quarters
// of the free memory. If threads is 0, there is a thread for each core. If disk is "", the limits
// have a directory for temporary files, if there is one on a disk. Call Resolve once, before any
// work needs memory, and divide the result with [Limits.Share].
func Resolve(memory int64, threads int, disk string) Limits {
	if memory == 0 {
		memory = machine.FreeMemory() / 4 * 3 // otherwise the kernel may kill the process
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

// Share returns the limits for each of n pieces of work at the same time. The pieces have
// equal shares of the memory and the threads, the same time limit, and no checkpoint.
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
		return &Error{Kind: Limit, err: fmt.Errorf("no space is left in %.60q, the directory for levels", l.Disk)}
	case err != nil:
		return bad("{disk} is %.60q, expected a directory for levels: %w", l.Disk, err)
	}
	return nil
}

// Watch receives reports and output of work. The zero value ignores them. Calls do not overlap.
type Watch struct {
	// Progress receives the progress at intervals.
	Progress func(Progress)
	// Plan receives the plan of a count when an engine is chosen, when the plan changes, and when
	// its forecasts improve. Without Explain, a plan has forecasts only of the engines that were
	// considered.
	Plan func(*Plan)
	// Drawing receives the answer to a Sample, with Drawn 0, before the first tiling.
	Drawing func(*Sampled)
	// Begin receives the puzzle of the tilings of a Sample or List, before the first tiling.
	Begin func(*tiling.Puzzle) error
	// Tiling receives each tiling of a Sample or List. An error of Tiling or Begin ends the work.
	Tiling func(render.Tiling) error
	// Lines, if not nil, is called after Begin. If the result is not nil, the tilings are written
	// to it. Tiling is then not called.
	Lines func() *render.Lines
	// Values receives the values of a Sequence as they are counted. An error ends the work.
	Values sequence.Taker
	// Copies receives each row of Query.ByCopies as soon as it is counted, in order of copies.
	// The answer then has no rows. An error of Copies ends the work.
	Copies func(pieces []string, copies []int, tilings string) error
	// Note receives remarks for people, in addition to the answer.
	Note func(Note)
	// Answer stores an answer. If it returns an error, a count keeps its checkpoint.
	Answer func(Answer) error
	Output io.Writer
	// Input is the certificate of a Check or the dump of a Compile. InputBytes is its length.
	Input      io.Reader
	InputBytes int64
}

// Progress is the progress of work.
type Progress struct {
	Doing       string  `json:"doing" doc:"the present work, such as counting; each stage begins at fraction 0"`
	Fraction    float64 `json:"fraction" doc:"the finished fraction of the stage, 0 to 1, which never decreases"`
	Before      float64 `json:"before,omitempty" doc:"the fraction that an earlier run had done"`
	Step, Steps int     `json:"-"` // number of levels done, and of all levels; 0 without levels
	Done        int64   `json:"done" doc:"units done"`
	Unit        string  `json:"unit" doc:"the unit of done: states, tries, tilings, parts, sweeps, primes, choices"`
}

// Left returns the expected seconds until the end of the stage. worked is the time since the stage
// began. known is false if it is too early for a forecast.
func (p Progress) Left(worked time.Duration) (seconds float64, known bool) {
	done := p.Fraction - p.Before
	if done < 1e-6 {
		return 0, false
	}
	return worked.Seconds() * max(0, 1-p.Fraction) / done, true
}

// Weight is the importance of a note.
type Weight int

// The weights of notes. A program that needs only the answer may ignore all but notices.
const (
	Detail  Weight = iota // for a log
	Warning               // for a log: something went wrong, but the work continues
	Remark                // helps a person to read the answer
	Notice                // a person should read it
)

// Note is a remark in addition to the answer.
type Note struct {
	Weight Weight
	Text   string
	Fields []any // for a detail or a warning: name, value, name, value, …
}

func (w *work) note(weight Weight, text string, fields ...any) {
	if w.watch.Note != nil {
		w.watch.Note(Note{weight, text, fields})
	}
}

// Values of Progress.Doing.
const (
	Counting            = "counting"
	Compiling           = "compiling"
	Estimating          = "estimating"
	Listing             = "listing"
	Drawing             = "drawing"
	Hinting             = "hinting" // choosing clues
	CheckingCertificate = "checking"
)

// engine returns a function that reports progress. *before is the fraction done by an earlier run.
func (w *work) engine(doing string, before *float64) func(count.Progress) {
	if w.watch.Progress == nil {
		return nil
	}
	return func(p count.Progress) {
		unit := p.Unit
		if unit == "solutions" {
			unit = "tilings"
		}
		w.watch.Progress(Progress{
			Doing: doing, Fraction: p.Fraction, Before: *before, Step: p.Step,
			Steps: p.Steps, Done: p.Done, Unit: unit,
		})
	}
}

func (w *work) output() (io.Writer, error) {
	if w.watch.Output == nil {
		return nil, errors.New("the work writes a file, but the caller does not read the file")
	}
	return w.watch.Output, nil
}

// Lines returns a watch that writes the tilings of a Sample or List, and the answer, as JSON lines.
func Lines(out io.Writer) Watch {
	var tilings render.Writer
	return Watch{
		Begin: func(p *tiling.Puzzle) error {
			tilings = render.FormatOf("json").Begin(out, p, render.Options{})
			return nil
		},
		Tiling: func(t render.Tiling) error { return tilings.Add(t) },
		Lines:  func() *render.Lines { return tilings.(*render.Lines) },
		Answer: func(a Answer) error {
			lines := json.NewEncoder(out)
			lines.SetEscapeHTML(false)
			return lines.Encode(a)
		},
	}
}

func of(m render.Numbered, options []int, t render.Tiling) render.Tiling {
	if t = forLines(m, options, t); t.Options != nil {
		return t
	}
	t.Placements = make([]tiling.Placement, len(options))
	for i, o := range options {
		t.Placements[i] = m.Placement(o, nil)
	}
	return t
}

// forLines returns a tiling without Placements, which render.Lines does not need.
func forLines(m render.Numbered, options []int, t render.Tiling) render.Tiling {
	t.Model, t.Numbers = m, options
	if m, is := m.(*tiling.Model); is && m.IsAbstract() {
		t.Options = make([][]string, len(options))
		for i, o := range options {
			t.Options[i] = m.Words(o)
		}
	}
	return t
}

// of makes the argument of w.tiling. If w.lines is set, the result shares the slice options.
func (w *work) of(m *tiling.Model, options []int, t render.Tiling) render.Tiling {
	if w.lines == nil {
		return of(m, slices.Clone(options), t)
	}
	return forLines(m, options, t)
}

func (w *work) begin(p *tiling.Puzzle) error {
	if w.watch.Begin != nil {
		if err := w.watch.Begin(p); err != nil {
			return err
		}
	}
	if w.watch.Lines != nil {
		w.lines = w.watch.Lines()
	}
	return nil
}

func (w *work) tiling(t render.Tiling) error {
	switch {
	case w.lines != nil:
		return w.lines.Add(t)
	case w.watch.Tiling != nil:
		return w.watch.Tiling(t)
	}
	return nil
}

func placementName(m *tiling.Model, option int) string {
	if m.IsAbstract() {
		return strings.Join(m.Words(option), " ")
	}
	t := render.Tiling{Placements: m.Placements[option : option+1]}
	p := t.JSON(m.Puzzle).Placements[0]
	cells, err := json.Marshal(p.Cells)
	if err != nil { // cannot happen
		return p.Piece
	}
	return fmt.Sprintf("%s %s", p.Piece, cells)
}
