package band

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/pavage/pavage/beam/permute"
	"github.com/pavage/pavage/beam/slab"
	"github.com/pavage/pavage/beam/store"
)

// Level is a complete level: the slabs of all tasks of a band.
type Level struct {
	Body
	// Stage is the cost of the level. The name of the level does not depend on Stage, since times
	// differ between machines.
	Stage Stage `json:"stage"`

	sorted sync.Once
	steps  []step // marks of all slabs, sorted by key
	called sync.Once
	name   string
}

// Body is the part of a level that determines its name, a hash.
type Body struct {
	Run     string `json:"run"`     // print of the run
	At      int    `json:"at"`      // number of steps before the level
	Before  string `json:"before"`  // name of the level from which this level was made; "" for level 0
	States  int64  `json:"states"`  // number of states of all slabs; a state in two slabs counts twice
	Sum     string `json:"sum"`     // sum of the counts of all states, in decimal
	Residue uint64 `json:"residue"` // sum of the residues of all states, modulo the prime
	For     int    `json:"for"`     // number of the level at the end of the band for which the slabs are sorted
	Slabs   []Made `json:"slabs"`   // slabs that are not empty, in the order of the ranges that their tasks have read
}

// Made is a slab with the task that has made it.
type Made struct {
	Task Task     `json:"task"`
	Slab slab.Ref `json:"slab"`
}

// Task is a part of a band. Its description is small, since engines of Beam send it to workers.
type Task struct {
	Level string `json:"level"` // name of the level to read; "" for the task that makes level 0
	To    int    `json:"to"`    // number of the level at the end of the band
	Then  int    `json:"then"`  // number of the level at the end of the next band; the slab is sorted for that band
	Index int    `json:"index"` // index of the task in the band
	Of    int    `json:"of"`
}

const levelKind, levelsFolder = "level", "levels"

// Name returns the name of the file of a level. The level must not change after the first call.
func (l *Level) Name() string {
	l.called.Do(func() { l.name = fmt.Sprintf("%08d-%s", l.At, digest(&l.Body)[:32]) })
	return l.name
}

// Last returns the last complete level that is not damaged. If there is none, Last makes level 0.
func (r *Run) Last(ctx context.Context) (*Level, error) {
	names, err := r.store.List(ctx, r.path(levelsFolder))
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Backward(names) {
		l, err := r.readLevel(ctx, path.Base(name))
		if err == nil {
			return l, nil
		}
		if !damaged(err) {
			return nil, err
		}
		if _, was := r.passed.LoadOrStore(name, true); !was {
			r.tell(Notice{Event: PassedOver, File: name, Err: err})
		}
	}
	first, err := r.Do(ctx, Task{Then: r.to(0), Of: 1})
	if err != nil {
		return nil, err
	}
	return r.Join(ctx, []*Receipt{first})
}

// Tasks returns the tasks of the band after a level, or none after the last level.
func (r *Run) Tasks(l *Level) []Task {
	if r.Done(l) {
		return nil
	}
	of := r.tasks(l)
	name, to := l.Name(), r.to(l.At)
	var tasks []Task
	for i := range of {
		if s := l.span(i, of); s.hi == "" || s.lo != s.hi { // a task with an empty range is left out
			tasks = append(tasks, Task{name, to, r.to(to), i, of})
		}
	}
	return tasks
}

// Done reports whether a level is the last level.
func (r *Run) Done(l *Level) bool { return l.At == r.a.Steps() }

// Bands returns the number of bands after a level.
func (r *Run) Bands(l *Level) int {
	band := r.Plan.Cut.Band
	return (r.a.Steps() - l.At + band - 1) / band
}

type levels struct {
	mu   sync.Mutex
	last []*Level
}

const keptLevels = 4

func (r *Run) level(ctx context.Context, name string) (*Level, error) {
	r.levels.mu.Lock()
	defer r.levels.mu.Unlock()
	for _, l := range r.levels.last {
		if l.Name() == name {
			return l, nil
		}
	}
	l, err := r.readLevel(ctx, name)
	if err == nil {
		r.levels.last = append(r.levels.last, l)
		r.levels.last = r.levels.last[max(0, len(r.levels.last)-keptLevels):]
	}
	return l, err
}

func (r *Run) readLevel(ctx context.Context, name string) (*Level, error) {
	l := &Level{}
	if err := read(ctx, r.store, r.path(levelsFolder, name), levelKind, l); err != nil {
		return nil, err
	}
	if l.Name() != name || l.Run != r.Folder || l.At < 0 || l.At > l.For || l.For > r.a.Steps() {
		return nil, fmt.Errorf("%w: the file %s has the content of level %s of the run %s",
			ErrDamaged, name, l.Name(), l.Run)
	}
	return l, l.check()
}

func (l *Level) check() error {
	states := int64(0)
	for i := range l.Slabs {
		if s := &l.Slabs[i].Slab; s.States < 1 || !s.Possible() {
			return fmt.Errorf("%w: level %s has a slab with impossible sizes: %d states, %d bytes, counts of %d bits", ErrDamaged, l.Name(), s.States, s.Bytes, s.Bits)
		}
		states += l.Slabs[i].Slab.States
	}
	if states != l.States {
		return fmt.Errorf("%w: level %s has %d states, but its slabs have %d states",
			ErrDamaged, l.Name(), l.States, states)
	}
	return nil
}

func (l *Level) limbs() int {
	widest := 0
	for i := range l.Slabs {
		widest = max(widest, l.Slabs[i].Slab.Bits)
	}
	return permute.Limbs(widest, len(l.Slabs))
}

func damaged(err error) bool {
	return errors.Is(err, ErrDamaged) || errors.Is(err, slab.ErrDamaged) || errors.Is(err, store.ErrMissing)
}

func (r *Run) path(parts ...string) string { return r.Folder + "/" + strings.Join(parts, "/") }
