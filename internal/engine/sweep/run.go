package sweep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"runtime"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

// Config sets the values that a run computes, and the resources that it may use.
type Config struct {
	Value   Value // value of a state; nil if states have no values
	Keep    Keep
	Whole   bool  // also keep states that were found to have no future
	Threads int   // number of goroutines; 0 means GOMAXPROCS
	Memory  int64 // bytes for levels and buffers; 0 means no limit
	// Disk, if set, is a directory for levels that do not fit in Memory. It is not used by runs that
	// keep arcs or all levels, or that have weights or no values.
	Disk string
	// Progress, if not nil, is called with the share of the step that is done, never concurrently.
	Progress func(share float64)

	chunk int   // number of arcs for a part; 0 means chunkArcs
	tests tests // which states are tested for pockets; set only by Go tests of this package
	once  bool  // no step is repeated; set only by Go tests
}

// chunkArcs is the number of arcs for a part. A part of this size fits in the second-level cache.
const chunkArcs = 1 << 14

// Run goes through the levels of an automaton, from level 0, the root, to the last level.
type Run interface {
	// Step goes to the next level. It returns the arcs of the step if KeepArcs is set. It fails
	// with ErrMemory, ErrDisk or, soon after ctx ends, the error of ctx. After Step failed, a run
	// can only be saved, or go on after UseDisk.
	Step(ctx context.Context) (*Arcs, error)
	// Save writes the present level for [Resume]. It fails with ErrDisk or an error of w.
	Save(w io.Writer) error
	// UseDisk sets Config.Disk for the steps to come, also after a step failed with ErrMemory.
	UseDisk(dir string)
	// Level returns the number of steps made, including steps before a save.
	Level() int
	// States returns the number of states of the present level.
	States() int
	// Blocks returns the number of blocks of the present level. A step needs time for each block.
	Blocks() int
	// Total returns the sum of the counts of the present level.
	Total() *big.Int
	// Residues returns sums over all states of the present level: with [Residues], of the counts
	// modulo each modulus; with [Checked], of the residues. With other values it returns nil.
	Residues() ([]uint64, error)
	// EachState calls do with each state of the present level, in order, and the limbs of its count,
	// lowest first. State and limbs are valid until do returns. The error is do's error or ErrDisk.
	EachState(do func(s automaton.State, ways []uint64) error) error
	// EachChild calls do for each arc of the last step, sorted by source and then by variable, with
	// automaton.Skip last. A child is an index in the present level. EachChild requires KeepLevel.
	// It fails with the error of do or ctx, ErrMemory or ErrDisk.
	EachChild(ctx context.Context, do func(variable, child uint32) error) error
	// Effort returns measures of the run so far.
	Effort() Effort
}

// Effort has measures of the work and memory of a run.
type Effort struct {
	States int64 // number of states of all levels so far
	Arcs   int64 // number of arcs of all steps so far, including arcs to pruned states
	Pruned int64 // number of states dropped because they have no future
	Disk   int64 // bytes of levels written to disk
	Bytes  int64 // largest memory for levels, arcs and buffers at any time
}

// maxThreads exceeds the number of cores of any machine; more threads would idle.
const maxThreads = 1024

// Start starts a run at level 0.
func Start(a *automaton.Automaton, c Config) Run {
	switch a.Words {
	case 1:
		return New[[1]uint64](a, c)
	case 2:
		return New[[2]uint64](a, c)
	case 3:
		return New[[3]uint64](a, c)
	case 4:
		return New[[4]uint64](a, c)
	default:
		return New[[key.MaxWords]uint64](a, c)
	}
}

// Sweep is a Run with keys of type K.
type Sweep[K key.Key] struct {
	a  *automaton.Automaton
	c  Config
	at int // index of the present level
	in Level[K]

	before   Level[K]     // the level before, if KeepLevel is set; empty after a step that failed
	children *children[K] // buffers of EachChild, if KeepLevel is set

	store   store // memory of slabs, and the number of bytes in use
	workers []*Worker[K]
	spare   spareParts[K]
	repeats repeats[K]
	shelves shelves
	noted   int64  // bytes of stripRun.seen
	effort  Effort // the method Effort sets Bytes and Disk

	// Buffers of the present step, used again for each step.
	odd     []uint64
	classes []class[K]

	weights factors // weights of the variables; nil unless the value is Weighted
}

// New starts a run at level 0. K has a.Words words.
func New[K key.Key](a *automaton.Automaton, c Config) *Sweep[K] {
	r := newSweep[K](a, c)
	var one []uint64
	if c.Value != nil {
		one = c.Value.root()
	}
	r.startAt(0, len(one))
	_ = r.in.append(&r.store, []K{automaton.Root[K](a)}, one) // cannot fail: there is no limit yet
	r.store.limit = c.Memory
	r.effort.States = 1
	return r
}

func (c Config) threads() int {
	if c.Threads <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return min(c.Threads, maxThreads)
}

func newSweep[K key.Key](a *automaton.Automaton, c Config) *Sweep[K] {
	if c.chunk <= 0 {
		c.chunk = chunkArcs
	}
	r := &Sweep[K]{a: a, c: c, repeats: neverRepeated[K](a)}
	r.weights, _ = c.Value.(factors)
	if c.Keep == KeepLevel {
		r.children = newChildren[K](c.Memory)
		_ = r.store.use(r.children.bytes()) // cannot fail: there is no limit yet
	}
	if !c.once && (c.Keep == KeepNothing || c.Keep == keepHistory) && repeatable(c.Value) {
		r.repeats = newRepeats[K](a)
	}
	r.spare.budget = &r.store.budget
	r.workers = make([]*Worker[K], c.threads())
	for i := range r.workers {
		r.workers[i] = &Worker[K]{}
	}
	return r
}

// Begin starts a run at the level with the given index. Each call of next returns keys and counts
// of some states of this level, in rising order, and no keys after the last state. The argument
// limbs is the number of words of a count. With [Checked], the residue of the count follows in one
// word more. If the level would use half of the memory, it goes to Disk. Begin fails with
// ErrMemory, ErrDisk or an error of next.
func Begin[K key.Key](a *automaton.Automaton, at, limbs int, next func() (keys []K, counts []uint64, err error), c Config) (*Sweep[K], error) {
	r := newSweep[K](a, c)
	r.store.limit = c.Memory
	w := newWidth(limbs, checkOf(c.Value))
	r.startAt(at, w.words)
	var last K
	for {
		keys, counts, err := next()
		if err != nil {
			return nil, err
		}
		if len(keys) == 0 {
			r.effort.States = int64(r.in.n)
			if r.in.shelf() != nil && r.in.n&slabMask > 0 { // the last slab is not on the shelf yet
				return r, r.shelveFull(true)
			}
			return r, nil
		}
		for i, k := range keys {
			if (r.in.n > 0 || i > 0) && !key.Less(last, k) {
				return nil, fmt.Errorf("state %d is not above the state before it", r.in.n+i)
			}
			last = k
		}
		if err := w.fits(len(keys), counts); err != nil {
			return nil, fmt.Errorf("the states from state %d on: %w", r.in.n, err)
		}
		if err := r.addBegun(keys, counts); err != nil {
			return nil, err
		}
	}
}

func (r *Sweep[K]) startAt(at, words int) {
	r.in.recycle(&r.store)
	r.in = Level[K]{width: width{words, checkOf(r.c.Value)}, blocks: blocks[K]{low: lowOf(r.a)}}
	r.at = at
	r.store.useWords(words)
	r.repeats.pass(0, at)
}

// Present returns the present level, valid until the next step.
func (r *Sweep[K]) Present() *Level[K] {
	if r.in.shelf() != nil { // frees memory for the slabs that the caller reads
		r.store.takeBack()
		r.spare.trim(0)
		r.allow()
	}
	return &r.in
}

// Level implements Run.
func (r *Sweep[K]) Level() int { return r.at }

// States implements Run.
func (r *Sweep[K]) States() int { return r.in.n }

// Blocks implements Run.
func (r *Sweep[K]) Blocks() int { return len(r.in.blocks.heads) }

// Total implements Run.
func (r *Sweep[K]) Total() *big.Int { return r.in.total() }

// Effort implements Run.
func (r *Sweep[K]) Effort() Effort {
	r.effort.Bytes = r.store.peak.Load()
	r.effort.Disk += r.store.onDisk.Swap(0)
	return r.effort
}

// UseDisk implements Run.
func (r *Sweep[K]) UseDisk(dir string) { r.c.Disk = dir }

// Step implements Run.
func (r *Sweep[K]) Step(ctx context.Context) (*Arcs, error) {
	for {
		arcs, err := r.step(ctx)
		switch {
		case err == nil:
			return arcs, r.checked()
		case errors.Is(err, errNarrow):
			r.store.useWords(r.store.words + 1)
		case errors.Is(err, ErrMemory) && r.repeats.bytes > 0 && r.c.Keep != keepHistory:
			r.repeats.forget(&r.in, &r.store.budget)
			r.spare.dropArcs()
		case errors.Is(err, ErrMemory) && r.canShelve():
			if failed := r.shelve(ctx); errors.Is(failed, ErrMemory) {
				return nil, err
			} else if failed != nil {
				return nil, fmt.Errorf("%w, and %w", err, failed)
			}
		default:
			return nil, err
		}
	}
}

// step makes the next level. If it fails, the present level is unchanged.
func (r *Sweep[K]) step(ctx context.Context) (*Arcs, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.store.takeBack()
	r.before.recycle(&r.store)
	known, fill := r.repeats.find(r.at, &r.in, r.roomFor)
	if known != nil {
		return nil, r.stepAlong(ctx, known)
	}
	s, err := r.prepare(ctx, fill != nil)
	if err != nil {
		return nil, err
	}
	m, err := r.assembly(ctx, s)
	if err != nil {
		return nil, err
	}
	if err := m.all(ctx); err != nil {
		for i := range m.along {
			r.store.give(m.along[i].bytes())
		}
		m.out.recycle(&r.store)
		return nil, err
	}
	arcs, err := m.transpose(ctx)
	if err != nil {
		return nil, err
	}
	if fill != nil {
		r.repeats.note(fill, &r.in, m)
	}
	r.effort.Pruned += m.pruned
	r.advance(m.out, m.made)
	return arcs, nil
}

func (r *Sweep[K]) stepAlong(ctx context.Context, rec *record[K]) error {
	moduli, _ := r.c.Value.(Residues)
	out, err := rec.along(ctx, &r.in, &r.store, len(r.workers), moduli)
	if err != nil {
		return err
	}
	r.repeats.times++
	r.advance(out, rec.arcs)
	return nil
}

func (r *Sweep[K]) prepare(ctx context.Context, noted bool) (*Step[K], error) {
	if r.weights != nil { // in one step, weights may make counts longer by many limbs
		from, to := r.a.StepVariables(r.at)
		r.store.useWords((r.in.Widest()+r.weights.room(from, to, r.a.Moves(r.at)))/64 + 1)
	}
	t := automaton.NewTransition[K](r.a, r.at)
	if r.c.Whole {
		t.KeepAll()
	}
	words := oddWords(r.in.n)
	if grown := words - cap(r.odd); grown > 0 {
		if err := r.store.take(int64(grown) * wordBytes); err != nil {
			return nil, err
		}
		r.odd = make([]uint64, words)
	}
	r.odd = r.odd[:words]
	want := Want{Value: r.c.Value, Limbs: r.width().limbs(), Arcs: r.c.Keep == KeepArcs, noted: noted, tests: r.c.tests}
	s := newStep(t, &r.in, want, r.odd, r.classes[:0])
	r.classes = s.classes
	return s, s.findOdd(ctx, len(r.workers))
}

func (r *Sweep[K]) task() int {
	const usual = 8
	return max(1, r.c.chunk*usual/max(usual, r.store.words))
}

func (r *Sweep[K]) width() width { return width{r.store.words, checkOf(r.c.Value)} }

func (r *Sweep[K]) assembly(ctx context.Context, s *Step[K]) (*assembly[K], error) {
	cuts, err := s.cuts(ctx, r.task(), &r.store.budget)
	if err != nil {
		return nil, err
	}
	out := Level[K]{width: r.width(), blocks: r.spare.blocks}
	r.spare.blocks = blocks[K]{}
	out.blocks.low = r.in.blocks.low
	m := newAssembly(s, cuts, out)
	m.chunk, m.progress = r.task(), r.c.Progress
	m.store, m.workers, m.spare = &r.store, r.workers, &r.spare
	return m, r.makeShelf(&m.out)
}

// roomFor reports whether there is room for twice the expected bytes of the next record.
func (r *Sweep[K]) roomFor() bool {
	each := float64(r.effort.Arcs) / float64(r.effort.States)
	states := float64(r.in.n)
	expected := 2 * states * (4*each + 2 + float64(StateBytes(1, 0)))
	return float64(r.repeats.bytes)+expected < RoomForRepeats(r.c.Memory)
}

func (r *Sweep[K]) advance(out Level[K], arcs int64) {
	if r.c.Keep == KeepLevel {
		r.before, r.in = r.in, Level[K]{}
		r.before.putBack()
	}
	r.spare.putBlocks(&r.in)
	r.in.recycle(&r.store)
	r.in = out
	r.effort.States += int64(out.n)
	r.effort.Arcs += arcs
	r.repeats.pass(r.at, r.at+1)
	r.at++
}

// Residues implements Run.
func (r *Sweep[K]) Residues() ([]uint64, error) {
	var moduli []uint64
	switch v := r.c.Value.(type) {
	case Residues:
		moduli = v
	case Checked:
		moduli = []uint64{uint64(v)}
	default:
		return nil, nil
	}
	sums := make([]uint64, len(moduli))
	err := r.in.EachSlab(func(_ []K, counts []uint64) error {
		for end := r.in.words; end <= len(counts); end += r.in.words {
			limb.AddModulo(sums, counts[end-len(sums):end], moduli)
		}
		return nil
	})
	return sums, err
}

// EachState implements Run.
func (r *Sweep[K]) EachState(do func(s automaton.State, ways []uint64) error) error {
	r.allow()
	root := automaton.State(automaton.Root[[key.MaxWords]uint64](r.a))
	return r.in.each(func(k K, ways []uint64) error {
		var s automaton.State
		for w := range len(k) {
			s[w] = k[w]
		}
		return do(s.Sub(root), ways)
	})
}
