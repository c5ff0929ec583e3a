package sweep

import (
	"context"
	"errors"

	"github.com/pavage/pavage/internal/automaton"
	"github.com/pavage/pavage/internal/blockfile"
	"github.com/pavage/pavage/internal/jump"
	"github.com/pavage/pavage/internal/key"
)

// A run jumps where its levels are sparse: then its states wait for their turns in a run of
// package jump, and there is no present level:
//
//	level 0 ── steps ──► level 41 ─ takeOff ─► jumps ─ land ─► level 52 ── steps ──►
//
// Both hold the same states but for dead ones, so that it may begin and end to jump at any
// level, and a saved level is always an ordinary one. When it does is decided from what the
// present level holds, and from nothing that a run which goes on from a saved level would not
// know. Sweeps that give arcs or children, keep all states or levels, or have
// weights do not jump.
type jumping[K key.Key] struct {
	allowed bool
	run     *jump.Run[K] // nil: the run does not jump at present
}

// canJump reports whether a run may jump at all.
func canJump(a *automaton.Automaton, c Config) bool {
	return c.Jump && c.Counts && !c.Arcs && !c.Children && !c.Whole && c.Weights == nil && !c.held && a.Skips()
}

// lendable is the memory of a run, as package jump wants it.
type lendable struct{ *budget }

func (b lendable) Take(n int64) error { return b.take(n) }
func (b lendable) Give(n int64)       { b.give(n) }

// jumped makes a step by jumping, and reports whether it did.
func (r *Sweep[K]) jumped(ctx context.Context) (bool, error) {
	j := &r.jumping
	if j.run != nil && r.at == r.a.Steps() { // there was no memory to land
		return true, r.land(ctx)
	}
	if j.run == nil && (!j.allowed || ctx.Err() != nil || !r.jumpPays() || !r.takeOff()) {
		return false, nil
	}
	waited := j.run.Waiting()
	done, err := j.run.Step(ctx)
	for errors.Is(err, jump.ErrNarrow) {
		if err = j.run.Widen(); err == nil {
			done, err = j.run.Step(ctx)
		}
	}
	if errors.Is(err, ErrMemory) {
		j.allowed = false
		return false, r.land(ctx)
	}
	if err != nil {
		return false, err
	}
	r.passed(done, waited)
	if r.at == r.a.Steps() || !r.jumpStillPays(done) {
		return true, r.land(context.WithoutCancel(ctx)) // the step is made
	}
	return true, nil
}

// Jumping implements Run.
func (r *Sweep[K]) Jumping() bool { return r.jumping.run != nil }

// passed counts a step that was jumped.
func (r *Sweep[K]) passed(done jump.Effort, waited int) {
	r.effort.States += done.States
	r.effort.Jumped += done.States
	r.effort.Waited += int64(waited)
	r.effort.JumpCost += 1e-12 * float64(r.jumpCost(done))
	r.effort.Arcs += done.Arcs
	r.effort.Pruned += done.Pruned
	r.repeats.pass(r.at, r.at+1)
	r.at++
}

// takeOff has the states of the present level wait for their turns. It reports whether there is
// memory for it.
func (r *Sweep[K]) takeOff() bool {
	r.store.takeBack()
	j := jump.New[K](r.a, r.at, jump.Config{
		Limbs: r.in.limbs, Moduli: r.c.Moduli, Threads: r.c.threads(), Memory: lendable{&r.store.budget}, Progress: r.c.Progress,
	})
	pruned := int64(0)
	err := r.in.EachSlab(func(keys []K, counts []uint64) error {
		dropped, err := j.Add(keys, counts)
		pruned += dropped
		return err
	})
	if err != nil {
		j.Close()
		return false
	}
	r.effort.Pruned += pruned
	limbs := r.in.limbs
	r.in.recycle(&r.store)
	r.in = Level[K]{limbs: limbs, blocks: blocks[K]{low: lowOf(r.a)}}
	r.spare.trim(0)
	r.jumping.run = j
	return true
}

// land makes an ordinary level of the states that wait. If that fails, they wait still.
func (r *Sweep[K]) land(ctx context.Context) error {
	j := r.jumping.run
	if _, err := r.sizeOfWaiting(ctx); err != nil {
		return err
	}
	out := Level[K]{limbs: j.Limbs(), blocks: blocks[K]{low: lowOf(r.a)}}
	r.store.useLimbs(out.limbs)
	err := j.Each(ctx, func(keys []K, counts []uint64) error { return out.append(&r.store, keys, counts) })
	if err != nil {
		out.recycle(&r.store)
		return err
	}
	r.in.recycle(&r.store)
	r.in = out
	j.Close()
	r.jumping.run = nil
	return nil
}

// sizeOfWaiting is the number of states of the ordinary level, whose counts have limbs enough then.
func (r *Sweep[K]) sizeOfWaiting(ctx context.Context) (n int, err error) {
	for {
		n, err = r.jumping.run.Size(ctx)
		if !errors.Is(err, jump.ErrNarrow) {
			return n, err
		}
		if err = r.jumping.run.Widen(); err != nil {
			return 0, err
		}
	}
}

// toSave is a level that is to be saved.
type toSave[K key.Key] struct {
	states, limbs int
	jumped        uint64
	each          func(do func(keys []K, counts []uint64) error) error // in whole blocks of a file, but for the last
}

// toSave is the present level.
func (r *Sweep[K]) toSave() (l toSave[K], err error) {
	j := r.jumping.run
	if j == nil {
		return toSave[K]{states: r.in.n, limbs: r.in.limbs, each: r.in.EachSlab}, nil
	}
	l.jumped = 1
	l.states, err = r.sizeOfWaiting(context.Background())
	l.limbs = j.Limbs()
	l.each = func(do func(keys []K, counts []uint64) error) error {
		var keys []K
		var counts []uint64
		err := j.Each(context.Background(), func(k []K, c []uint64) error {
			keys, counts = append(keys, k...), append(counts, c...)
			whole := len(keys) &^ (blockfile.States - 1)
			err := do(keys[:whole], counts[:whole*l.limbs])
			keys, counts = append(keys[:0], keys[whole:]...), append(counts[:0], counts[whole*l.limbs:]...)
			return err
		})
		return errors.Join(err, do(keys, counts))
	}
	return l, err
}
