package band

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"path"
	"slices"

	"github.com/pavage/pavage/internal/engine/limb"
)

// Join makes the next level from the receipts of all tasks of a band, in any order. It checks that
// the tasks together have read all states of their level. Then it deletes the slabs of the level
// two bands before the new level.
func (r *Run) Join(ctx context.Context, receipts []*Receipt) (*Level, error) {
	if len(receipts) == 0 {
		return nil, fmt.Errorf("%w: there is no receipt to join", ErrDisagree)
	}
	before, all, err := r.sound(ctx, receipts)
	if err != nil {
		return nil, err
	}
	l, err := r.join(before, all)
	if err != nil {
		return nil, err
	}
	if err := write(ctx, r.store, r.path(levelsFolder, l.Name()), levelKind, l); err != nil {
		return nil, err
	}
	return l, r.clean(ctx, l, before)
}

func (r *Run) sound(ctx context.Context, receipts []*Receipt) (before *Level, all []*Receipt, err error) {
	all = slices.SortedFunc(slices.Values(receipts), func(a, b *Receipt) int {
		return cmp.Or(compareKeys(a.From, b.From), cmp.Compare(a.Name, b.Name))
	})
	all = slices.CompactFunc(all, func(a, b *Receipt) bool { return a.Name == b.Name })
	end := ""
	for i, x := range all {
		if x.Task.Level != all[0].Task.Level || x.Task.To != all[0].Task.To || x.Task.Then != all[0].Task.Then {
			return nil, nil, fmt.Errorf("%w: the receipts belong to two bands, %+v and %+v", ErrDisagree, all[0].Task, x.Task)
		}
		if x.From != end || i > 0 && x.From == "" {
			return nil, nil, fmt.Errorf("%w: the previous tasks have the keys below %q, but the next task begins at the key %q, expected neither a gap nor an overlap", ErrDisagree, end, x.From)
		}
		end = x.Below
	}
	if end != "" {
		return nil, nil, fmt.Errorf("%w: no task has read the keys from %q on", ErrDisagree, end)
	}
	if all[0].Task.Level == "" {
		return nil, all, nil
	}
	before, err = r.level(ctx, all[0].Task.Level)
	return before, all, err
}

func (r *Run) join(before *Level, all []*Receipt) (*Level, error) {
	l := &Level{Body: Body{Run: r.Folder, At: all[0].Task.To, Before: all[0].Task.Level, For: all[0].Task.Then}}
	sum, read := new(big.Int), tally{prime: r.Plan.Identity.Prime}
	made := tally{prime: read.prime}
	for _, x := range all {
		part, ok := new(big.Int).SetString(x.Slab.Sum, 10)
		if !ok {
			return nil, fmt.Errorf("%w: the sum %q is not a number", ErrDamaged, x.Slab.Sum)
		}
		sum.Add(sum, part)
		read.add(x.States, x.Residue)
		made.add(x.Slab.States, x.Slab.Residue)
		l.Stage.add(x)
		if x.Slab.States > 0 {
			l.Slabs = append(l.Slabs, Made{x.Task, x.Slab})
		}
	}
	thin(l.Slabs)
	l.States, l.Sum, l.Residue = made.states, sum.String(), made.residue
	prime := new(big.Int).SetUint64(made.prime)
	switch rest := new(big.Int).Mod(sum, prime); {
	case before != nil && (read.states != before.States || read.residue != before.Residue):
		return nil, fmt.Errorf("%w: level %d has %d states with residues that add up to %d, but its tasks have read %d states with residues that add up to %d",
			ErrDisagree, before.At, before.States, before.Residue, read.states, read.residue)
	case !rest.IsUint64() || rest.Uint64() != made.residue:
		return nil, fmt.Errorf("%w: level %d: the sum of all counts is %v, with the residue %v, but the sum of all residues is %d", ErrDisagree, l.At, sum, rest, made.residue)
	}
	return l, nil
}

type tally struct {
	prime   uint64
	states  int64
	residue uint64
}

func (t *tally) add(states int64, residue uint64) {
	t.states += states
	t.residue = limb.SumModulo(t.residue, residue, t.prime)
}

// clean deletes the slabs of the level two bands before l, or, if l is the last level, all slabs of
// the run. It keeps the slabs of l and of the previous level, which is the argument before.
func (r *Run) clean(ctx context.Context, l, before *Level) error {
	if before == nil {
		return nil
	}
	if r.Done(l) {
		return r.cleanAll(ctx, l, before)
	}
	if before.Before == "" {
		return nil
	}
	old, err := r.level(ctx, before.Before)
	if damaged(err) {
		return nil // this file would list the slabs to delete; cleanAll deletes them after the last level
	}
	if err != nil {
		return err
	}
	stays := named(l, before)
	for name := range named(old) {
		if !stays[name] {
			if err := r.store.Remove(ctx, r.path(slabsFolder, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

func named(levels ...*Level) map[string]bool {
	names := map[string]bool{}
	for _, l := range levels {
		for _, made := range l.Slabs {
			names[made.Slab.Name] = true
		}
	}
	return names
}

func (r *Run) cleanAll(ctx context.Context, l, before *Level) error {
	files, err := r.store.List(ctx, r.path(slabsFolder))
	if err != nil {
		return err
	}
	stays := named(l, before)
	for _, file := range files {
		if !stays[path.Base(file)] {
			if err := r.store.Remove(ctx, file); err != nil {
				return err
			}
		}
	}
	return nil
}
