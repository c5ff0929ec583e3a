package sweep

import (
	"context"
	"errors"
	"fmt"

	"github.com/pavage/pavage/internal/engine/blockfile"
	"github.com/pavage/pavage/internal/engine/jump"
	"github.com/pavage/pavage/internal/engine/key"
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
// weights or residues beside counts do not jump.
type jumping[K key.Key] struct {
	allowed bool         // false from when there was no memory on
	run     *jump.Run[K] // nil: the run does not jump at present
	memory  lendable     // of run
}

// lendable is the memory of a run, as package jump wants it. Some is kept for landing, on disk
// if need be.
type lendable struct {
	*budget
	kept int64
}

// Take implements jump.Memory.
func (b *lendable) Take(n int64) error {
	if used := b.used.Load() + n + b.kept; b.limit > 0 && used > b.limit {
		return fmt.Errorf("%w: %d bytes needed to jump, %d allowed", ErrMemory, used, b.limit)
	}
	return b.take(n)
}

// Give implements jump.Memory.
func (b *lendable) Give(n int64) { b.give(n) }

// keptToLand are bytes in which a run does not jump: a slab and some buffers, at most a quarter of
// its memory. (Y pentominoes on 15x15 in 20 MiB take 2.7 s; 1.2 with nothing kept, 3.2 with a quarter.)
func (c Config) keptToLand() int64 { return min(c.Memory/4, 2<<20) }

// jumped makes a step by jumping, and reports whether it did.
func (r *Sweep[K]) jumped(ctx context.Context) (bool, error) {
	j := &r.jumping
	if j.run != nil && (!j.allowed || r.at == r.a.Steps()) { // there was no memory to land
		return r.at == r.a.Steps(), r.land(ctx)
	}
	if j.run == nil && (!j.allowed || ctx.Err() != nil || !r.jumpPays() || !r.takeOff()) {
		return false, nil
	}
	j.memory.kept = r.c.keptToLand()
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
	if r.at < r.a.Steps() && r.jumpStillPays(done) {
		return true, nil
	}
	err = r.land(context.WithoutCancel(ctx)) // the step is made
	if errors.Is(err, ErrMemory) && r.at < r.a.Steps() {
		err = nil // it jumps on
	}
	return true, err
}

// Jumping implements Run.
func (r *Sweep[K]) Jumping() bool { return r.jumping.run != nil }

// passed counts a step that was jumped.
func (r *Sweep[K]) passed(done jump.Effort, waited int) {
	r.effort.States += done.States
	r.effort.Jumped += done.States
	r.effort.Waited += int64(waited)
	r.effort.JumpCost += r.costOf(done)
	r.effort.Arcs += done.Arcs
	r.effort.Pruned += done.Pruned
	r.repeats.pass(r.at, r.at+1)
	r.at++
}

// takeOff has the states of the present level wait for their turns. It reports whether there is
// memory for it.
func (r *Sweep[K]) takeOff() bool {
	r.store.takeBack()
	r.jumping.memory = lendable{&r.store.budget, r.c.keptToLand()}
	j := jump.New[K](r.a, r.at, jump.Config{
		Limbs: r.in.words, Moduli: r.c.Moduli, Threads: r.c.threads(), Memory: &r.jumping.memory, Progress: r.c.Progress,
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
	r.empty(r.in.words)
	r.spare.trim(0)
	r.jumping.run = j
	return true
}

// empty makes the present level one without a state.
func (r *Sweep[K]) empty(words int) {
	r.in.recycle(&r.store)
	r.in = Level[K]{width: width{words, r.c.Check}, blocks: blocks[K]{low: lowOf(r.a)}}
}

// land makes an ordinary level of the states that wait, on disk if there is no memory for it. If
// that fails, they wait still.
func (r *Sweep[K]) land(ctx context.Context) error {
	if r.jumping.run == nil {
		return nil
	}
	from, err := r.waiting(ctx)
	if err != nil {
		return err
	}
	err = r.settle(from)
	if errors.Is(err, ErrMemory) && r.repeats.bytes > 0 {
		r.repeats.forget(&r.in, &r.store.budget)
		r.spare.dropArcs()
		err = r.settle(from)
	}
	if errors.Is(err, ErrMemory) && r.canShelve() {
		r.startShelving()
		err = r.settle(from)
	}
	if err != nil {
		return err
	}
	r.jumping.run.Close()
	r.jumping.run = nil
	return nil
}

// settle makes the present level of what waits, or one without a state if it fails.
func (r *Sweep[K]) settle(from toSave[K]) (err error) {
	r.empty(from.limbs)
	r.store.useWords(from.limbs)
	if r.shelves.on {
		err = r.putOnShelf(&r.in)
	}
	if err == nil {
		err = from.each(func(keys []K, counts []uint64) error { return r.addShelved(keys, counts, from.states) })
	}
	if err != nil {
		r.empty(from.limbs)
		r.spare.trim(0)
		r.store.trim(0)
	}
	return err
}

// toSave is a level that is to be saved.
type toSave[K key.Key] struct {
	states, limbs int
	jumped        uint64
	each          func(do func(keys []K, counts []uint64) error) error // in whole blocks of a file, but for the last
}

// waiting is the ordinary level of the states that wait. What was kept for it is used from now on.
func (r *Sweep[K]) waiting(ctx context.Context) (l toSave[K], err error) {
	j := r.jumping.run
	r.jumping.memory.kept = 0
	l.jumped = 1
	l.states, l.limbs, err = j.Size(ctx)
	l.each = func(do func(keys []K, counts []uint64) error) error {
		var keys []K
		var counts []uint64
		err := j.Each(ctx, l.limbs, func(k []K, c []uint64) error {
			keys, counts = append(keys, k...), append(counts, c...)
			whole := len(keys) &^ (blockfile.States - 1)
			if err := do(keys[:whole], counts[:whole*l.limbs]); err != nil {
				return err
			}
			keys, counts = append(keys[:0], keys[whole:]...), append(counts[:0], counts[whole*l.limbs:]...)
			return nil
		})
		if err != nil || len(keys) == 0 {
			return err
		}
		return do(keys, counts)
	}
	return l, err
}
