package band

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/pavage/pavage/beam/slab"
	"github.com/pavage/pavage/beam/store"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/sweep"
)

type machine interface {
	// make sweeps the range of a job into a slab. If it cannot read a slab of the level, the error
	// is an *unreadable.
	make(ctx context.Context, r *Run, j *job) (*Receipt, error)
	check(ctx context.Context, r *Run, made Made) error
	free(a *automaton.Automaton, from, to int) float64
}

func newRun(s store.Store, a *automaton.Automaton, p Plan) *Run {
	return &Run{Plan: p, Folder: p.Identity.Print(), store: s, a: a, print: a.Print(), machine: machineFor(a)}
}

func machineFor(a *automaton.Automaton) machine {
	switch a.Words {
	case 1:
		return machineOf[[1]uint64]{}
	case 2:
		return machineOf[[2]uint64]{}
	case 3:
		return machineOf[[3]uint64]{}
	case 4:
		return machineOf[[4]uint64]{}
	default:
		return machineOf[[key.MaxWords]uint64]{}
	}
}

type machineOf[K key.Key] struct{}

func (m machineOf[K]) make(ctx context.Context, r *Run, j *job) (*Receipt, error) {
	made, err := m.sweep(ctx, r, j)
	if errors.Is(err, sweep.ErrMemory) {
		err = fmt.Errorf("a task of %d bytes: %w; give each task more memory (--task-memory), or cut the run into more tasks (--tasks)", r.Plan.Cut.Memory, err)
	}
	return made, err
}

func (m machineOf[K]) sweep(ctx context.Context, r *Run, j *job) (*Receipt, error) {
	made := &Receipt{}
	s, err := m.begin(ctx, r, j, made)
	if err != nil {
		return nil, err
	}
	made.Cost.Merged = int64(s.States())
	for s.Level() < j.task.To && s.States() > 0 {
		if _, err := s.Step(ctx); err != nil {
			return nil, err
		}
	}
	e := s.Effort()
	made.Cost.Swept, made.Cost.Disk = e.States-made.Cost.Merged, e.Disk
	all, err := ordered(ctx, r, s.Present(), j.task.To, j.task.Then)
	if err != nil {
		return nil, err
	}
	made.Cost.Memory = max(made.Cost.Memory, all.bytes()+e.Bytes)
	ref, err := m.write(ctx, r, j.task.To, all)
	if err != nil {
		return nil, err
	}
	made.Slab = *ref
	return made, nil
}

func (m machineOf[K]) check(ctx context.Context, r *Run, made Made) error {
	s, err := slab.Open[K](ctx, r.store, r.path(slabsFolder, made.Slab.Name), &made.Slab, r.head(made.Task.To, 1))
	if err != nil {
		return err
	}
	all := s.Range(ctx, slab.Bounds[K]{})
	defer all.Close()
	for {
		if keys, _, err := all.Next(); err != nil || len(keys) == 0 {
			return err
		}
	}
}

func (r *Run) head(level, limbs int) slab.Head {
	return slab.Head{Print: r.print, Level: level, Limbs: limbs, Prime: r.Plan.Identity.Prime}
}

func (r *Run) config() sweep.Config {
	disk := r.Disk
	if disk == "" {
		disk = os.TempDir()
	}
	return sweep.Config{Value: sweep.Checked(r.Plan.Identity.Prime), Threads: 1, Memory: r.Plan.Cut.Memory - r.sorting(), Disk: disk}
}

// sorting returns how many bytes of a task's memory are for sorting; 0 means no limit.
func (r *Run) sorting() int64 { return r.Plan.Cut.Memory / sortingShare }

func (m machineOf[K]) begin(ctx context.Context, r *Run, j *job, made *Receipt) (*sweep.Sweep[K], error) {
	if j.from == nil {
		if !r.Plan.Identity.Feasible {
			return sweep.Begin(r.a, 0, 1, func() ([]K, []uint64, error) { return nil, nil, nil }, r.config())
		}
		return sweep.New[K](r.a, r.config()), nil
	}
	all, err := gather[K](ctx, r, j)
	if err != nil {
		return nil, err
	}
	s, err := sweep.Begin(r.a, j.from.At, all.words-1, all.next, r.config())
	if err != nil {
		return nil, err
	}
	made.States, made.Residue, made.Cost.Read = all.all.states, all.all.residues, all.loaded.Load()
	made.Cost.Memory = all.bytes() + s.Effort().Bytes
	return s, nil
}

func boundsOf[K key.Key](s span) (b slab.Bounds[K], err error) {
	if b.HasLo = s.lo != ""; b.HasLo {
		b.Lo, err = slab.ParseKey[K](s.lo)
	}
	if b.HasHi = s.hi != ""; b.HasHi && err == nil {
		b.Hi, err = slab.ParseKey[K](s.hi)
	}
	return b, err
}

const writeBuffer = 1 << 16

func (m machineOf[K]) write(ctx context.Context, r *Run, at int, all *gathered[K]) (*slab.Ref, error) {
	file, err := r.store.Stage(ctx)
	if err != nil {
		return nil, err
	}
	defer file.Discard()
	to := bufio.NewWriterSize(file, writeBuffer)
	w := slab.NewWriter[K](to, r.head(at, all.words-1))
	for {
		keys, counts, err := all.next()
		if err == nil && len(keys) == 0 {
			break
		}
		if err = cmp.Or(err, ctx.Err()); err == nil {
			err = w.Add(keys, counts)
		}
		if err != nil {
			return nil, err
		}
	}
	ref, err := w.Close()
	if err == nil {
		err = to.Flush()
	}
	if err == nil {
		err = file.Commit(ctx, r.path(slabsFolder, ref.Name))
	}
	return ref, err
}
