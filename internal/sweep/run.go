package sweep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/pavage/pavage/internal/automaton"
	"github.com/pavage/pavage/internal/key"
	"github.com/pavage/pavage/internal/poll"
)

// Config says what a run computes and what it may use.
type Config struct {
	Counts bool // carry the number of ways to each state
	// Moduli, if any, each from 2 to MaxModulus, are what counts are reduced by:
	// a state has a residue for each in place of its count. Such a run has no
	// Total and cannot be saved.
	Moduli  []uint64
	Arcs    bool  // return the arcs of each step
	Whole   bool  // keep also states that are known to have no future
	Threads int   // goroutines; 0: one a core
	Memory  int64 // bytes for levels and buffers; 0: no limit
	// Disk, if not empty, is a directory for levels that do not fit in Memory.
	// A run with arcs has no use for it.
	Disk string
	// Progress, if not nil, is called now and then with the share of the
	// present step that is done. It may be called from several goroutines,
	// one at a time.
	Progress func(share float64)

	chunk int  // arcs of a task; 0: chunkArcs. Small ones are for tests
	once  bool // no step is repeated, for tests
	held  bool // a history keeps levels, which share slabs with records: no record may be forgotten
}

// chunkArcs is the size of a task, whose states and counts fit the second-level
// cache.
const chunkArcs = 1 << 14

// Run is an automaton on its way from level 0, the root, to its last level.
type Run interface {
	// Step goes to the next level and returns its arcs, if asked for in the
	// configuration. It stops soon after ctx ends, with ctx's error, and
	// fails with ErrMemory or ErrDisk; then the run is of no more use but to be
	// saved, or see UseDisk.
	Step(ctx context.Context) (*Arcs, error)
	// Save writes the present level for [Resume]. Errors are w's.
	Save(w io.Writer) error
	// UseDisk sets Config.Disk for the steps to come. Also a run whose step has
	// failed with ErrMemory may go on then.
	UseDisk(dir string)
	// Level is the number of steps behind the run, those before a save too.
	Level() int
	// States is the number of states of the present level.
	States() int
	// Total is the sum of the counts of the present level.
	Total() *big.Int
	// Residues are those of the sum of the counts of the present level, by
	// Config.Moduli.
	Residues() ([]uint64, error)
	// EachState goes through the states of the present level in order, until do
	// fails, with whose error it does. Ways are the limbs of a state's count, the
	// lowest first, good for the call. The level must be in memory: a run with
	// arcs has it there.
	EachState(do func(s automaton.State, ways []uint64) error) error
	// Effort is what the run has done so far.
	Effort() Effort
}

// Effort measures a run.
type Effort struct {
	States int64 // of all levels so far
	Arcs   int64 // of all steps so far, those to pruned states included
	Pruned int64 // states dropped because they have no future
	Disk   int64 // bytes of levels written to disk
	Bytes  int64 // most memory for levels, arcs and buffers at any time; see Arcs
}

// Arcs are the arcs of one step. Those of state s are Start[s] to Start[s+1]
// (exclusive), by rising variable; automaton.Skip, if there, is last. Until the next
// step they count as memory of the run.
type Arcs struct {
	Next     int      // number of states of the next level
	Start    []uint32 // one more than the states
	Variable []uint32
	Child    []uint32
}

// maxThreads is more than any machine's cores; threads beyond it would idle.
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
	default:
		return New[[4]uint64](a, c)
	}
}

type Sweep[K key.Key] struct {
	a       *automaton.Automaton
	c       Config
	at      int // the present level
	in      Level[K]
	store   store[K]
	workers []*worker[K]
	lent    int64 // bytes of the arcs that the last step returned
	effort  Effort
	spare   []*part[K] // to be filled
	repeats repeats[K]

	// Of the present step, made anew for each in the same memory.
	odd     []uint64 // bit s: the present item is covered in state s
	classes []class[K]

	shelving  bool    // levels go to disk
	shelvedAt int     // level of the last step that was out of memory
	share     float64 // of the memory left: for slabs of theirs at hand
}

func New[K key.Key](a *automaton.Automaton, c Config) *Sweep[K] {
	if c.Threads <= 0 {
		c.Threads = runtime.GOMAXPROCS(0)
	}
	if c.chunk <= 0 {
		c.chunk = chunkArcs
	}
	r := &Sweep[K]{a: a, c: c}
	r.store.budget = &budget{}
	r.workers = make([]*worker[K], min(c.Threads, maxThreads))
	for i := range r.workers {
		r.workers[i] = &worker[K]{}
	}
	var root []uint64
	switch {
	case len(c.Moduli) > 0:
		root = slices.Repeat([]uint64{1}, len(c.Moduli))
	case c.Counts:
		root = []uint64{1}
	}
	limbs := len(root)
	r.store.useLimbs(limbs)
	r.in = Level[K]{limbs: limbs, blocks: blocks[K]{low: lowOf(a)}}
	_ = r.store.append(&r.in, []K{automaton.Root[K](a)}, root) // without a limit
	r.store.limit = c.Memory
	r.effort.States = 1
	r.findRepeats()
	return r
}

// Present is the present level, good until the next step.
func (r *Sweep[K]) Present() *Level[K] { return &r.in }

func (r *Sweep[K]) States() int     { return r.in.n }
func (r *Sweep[K]) Total() *big.Int { return r.in.total() }
func (r *Sweep[K]) Effort() Effort {
	r.effort.Bytes = r.store.peak.Load()
	r.effort.Disk += r.store.onDisk.Swap(0)
	return r.effort
}

// UseDisk implements Run.
func (r *Sweep[K]) UseDisk(dir string) { r.c.Disk = dir }

// Step implements Run.
func (r *Sweep[K]) Step(ctx context.Context) (*Arcs, error) {
	before := r.effort
	for {
		arcs, err := r.step(ctx)
		if err == nil {
			return arcs, nil
		}
		r.effort = before // the level, which Save may still write, is that before the step
		switch {
		case errors.Is(err, errNarrow):
			r.store.useLimbs(r.store.limbs + 1)
		case errors.Is(err, ErrMemory) && r.repeats.bytes > 0 && !r.c.held:
			r.forget()
		case errors.Is(err, ErrMemory) && r.canShelve():
			if failed := r.shelve(ctx); failed != nil {
				return nil, fmt.Errorf("%w, and %w", err, failed)
			}
		default:
			return nil, err
		}
	}
}

// step makes the next level. Until it has, the present one stays as it is.
func (r *Sweep[K]) step(ctx context.Context) (*Arcs, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.store.used.Add(-r.lent)
	r.lent = 0
	t := automaton.NewTransition[K](r.a, r.at)
	if r.c.Whole {
		t.Keep = nil
	}
	known, fill := r.repeat()
	if known != nil {
		return nil, r.along(ctx, known)
	}
	if err := r.findOdd(ctx); err != nil {
		return nil, err
	}
	r.classify(t.Streams)
	cuts, err := r.cuts(ctx, &t)
	if err != nil {
		return nil, err
	}
	s := &stepping[K]{
		Sweep: r, Transition: t, cuts: cuts, noted: fill != nil,
		out: Level[K]{limbs: r.store.limbs, blocks: blocks[K]{low: r.in.blocks.low}}, pending: map[int]*part[K]{},
	}
	s.moved = sync.NewCond(&s.mu)
	if err := s.makeShelf(); err != nil {
		return nil, err
	}
	if err := s.all(ctx); err != nil {
		s.giveUp()
		return nil, err
	}
	r.effort.States += int64(s.out.n)
	arcs, err := s.transpose(ctx)
	if err != nil {
		return nil, err
	}
	if fill != nil {
		r.note(fill, s)
	}
	r.advance(s.out)
	return arcs, nil
}

// advance goes on to the next level.
func (r *Sweep[K]) advance(out Level[K]) {
	r.store.recycle(&r.in)
	r.in = out
	if kind := r.repeats.kinds[r.at]; kind >= 0 {
		r.repeats.left[kind]--
	}
	r.at++
}

// cuts splits the keys of the next level into ranges of about chunk arcs
// each, by the quantiles of a sample. The last range has no upper bound. Each
// range costs two binary searches a class, so it has some arcs for each.
func (r *Sweep[K]) cuts(ctx context.Context, t *automaton.Transition[K]) ([]bounds[K], error) {
	chunk := max(r.c.chunk, perChunk*len(t.Streams))
	if r.in.n <= chunk/len(t.Streams) {
		return []bounds[K]{{}}, nil
	}
	stride := max(1, min(chunk/perChunk, r.in.n/perChunk), r.in.n*len(t.Streams)/maxSample)
	sample, err := r.sample(ctx, t, stride)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(sample, key.Compare)
	below := key.Low[K](r.in.blocks.low - 1)
	cuts := []bounds[K]{{}}
	each := max(1, chunk/stride)
	for i := each; i < len(sample); i += each {
		last := &cuts[len(cuts)-1]
		if x := key.Without(sample[i], below); !last.hasLo || key.Less(last.lo, x) {
			last.hi, last.hasUpper = x, true
			cuts = append(cuts, bounds[K]{lo: x, hasLo: true})
		}
	}
	return cuts, nil
}

const (
	// perChunk keys are sampled for a range.
	perChunk = 8
	// maxSample keys, twice over, are what sorting takes a third of a second
	// for; with more streams than usual, ranges are larger instead.
	maxSample = 1 << 20
)

// sample is the images of every stride-th state.
func (r *Sweep[K]) sample(ctx context.Context, t *automaton.Transition[K], stride int) ([]K, error) {
	w := poll.Context(ctx)
	var sample []K
	if r.in.shelf != nil {
		stride = (stride + sampleEvery - 1) &^ (sampleEvery - 1)
	}
	for i := 0; i < r.in.n; i += stride {
		k := r.in.sampleKey(i)
		for s := range t.Streams {
			if err := w.Look(); err != nil {
				return nil, err
			}
			if image, ok := t.Streams[s].Image(k, t.Window); ok {
				sample = append(sample, image)
			}
		}
	}
	// The sample, and cuts of at most as many bytes, are gone after the step.
	var k K
	size := 2 * int64(cap(sample)*len(k)) * wordBytes
	if err := r.store.take(size); err != nil {
		return nil, err
	}
	r.lent += size
	return sample, nil
}

// stepping is one step under way, shared by its workers.
type stepping[K key.Key] struct {
	*Sweep[K]
	automaton.Transition[K]
	cuts  []bounds[K]
	noted bool // arcs are kept for repetition

	next   atomic.Int64 // the next range to take
	failed atomic.Bool

	mu      sync.Mutex
	moved   *sync.Cond // done, or err
	out     Level[K]
	arcs    []partArc // children numbered in out
	along   []gathered
	made    int64 // arcs of the step
	pending map[int]*part[K]
	copied  []int // by slab of out: states copied to it
	done    int   // ranges appended to out
	err     error
}

// all makes every range, on as many goroutines as there is work for.
func (s *stepping[K]) all(ctx context.Context) error {
	threads := min(len(s.workers), len(s.cuts))
	var wg sync.WaitGroup
	for _, w := range s.workers[1:threads] {
		wg.Go(func() { s.work(ctx, w) })
	}
	s.work(ctx, s.workers[0])
	wg.Wait()
	s.keepSpare()
	if s.err == nil {
		s.err = s.putAwayRest()
	}
	return s.err
}

// keepSpare keeps some parts for the next step, those with room first, and lets
// go of the others, also of those that wait where the step failed.
func (s *stepping[K]) keepSpare() {
	for _, p := range s.pending {
		s.spare = append(s.spare, p)
	}
	s.trimSpare(spareParts * len(s.workers))
}

// trimSpare keeps so many spare parts.
func (r *Sweep[K]) trimSpare(keep int) {
	for last := len(r.spare) - 1; last >= keep; last-- {
		r.store.used.Add(-r.spare[last].held)
		r.spare[last], r.spare = nil, r.spare[:last]
	}
}

// spareParts for each worker are kept, and as many at most wait for one that
// comes before them where a worker is held up; parts made anew for each step are garbage as
// large as the levels (12x12 tetrominoes on two busy cores: 1.3 GB, not 0.8).
const spareParts = 16

// giveUp gives back what a step that failed has made.
func (s *stepping[K]) giveUp() {
	for i := range s.along {
		s.store.used.Add(-s.along[i].bytes())
	}
	s.store.recycle(&s.out)
}

func (s *stepping[K]) work(ctx context.Context, w *worker[K]) {
	p := s.sparePart()
	w.begin(&s.in, len(s.classes))
	defer func() {
		w.end()
		s.putBack(p)
	}()
	for !s.failed.Load() {
		c := int(s.next.Add(1)) - 1
		if c >= len(s.cuts) {
			return
		}
		s.waitFor(c)
		before := w.bytes()
		w.gather(s.in.blocks.heads, s.classes, s.Window, s.cuts[c])
		failed := s.fill(w, p, w.merge())
		grown := p.grown()
		own := w.bytes() - before
		err := s.store.take(own + grown)
		if err != nil {
			s.store.used.Add(own + grown) // for it is used
		}
		p = s.deliver(c, p, cmp.Or(ctx.Err(), failed, err))
	}
}

// deliver makes room for the parts that are next in order, copies them there,
// beside what other workers copy, and returns a part that the worker may fill.
func (s *stepping[K]) deliver(c int, p *part[K], err error) *part[K] {
	for _, next := range s.place(c, p, err) {
		if s.large() {
			next.copyOut()
		}
		s.putAwayFull(next)
		clear(next.room) // lets go of the slabs
		s.putBack(next)
	}
	return s.sparePart()
}

func (s *stepping[K]) putBack(p *part[K]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spare = append(s.spare, p)
}

func (s *stepping[K]) sparePart() *part[K] {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.spare)
	if n == 0 {
		return &part[K]{}
	}
	p := s.spare[n-1]
	s.spare = s.spare[:n-1]
	return p
}

// large reports whether the coming level has whole slabs from the beginning. Of
// a smaller one the only slab may move, and parts are copied in turn.
func (s *stepping[K]) large() bool { return s.c.chunk*len(s.cuts) >= SlabStates }

// waitFor waits until not too many parts would wait for one before them. The
// first range that is not done never waits.
func (s *stepping[K]) waitFor(c int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c-s.done > spareParts*len(s.workers) && s.err == nil {
		s.moved.Wait()
	}
}

// fail keeps the step's first error, if there is one. The caller has the lock.
func (s *stepping[K]) fail(err error) {
	if err != nil && s.err == nil {
		s.err = err
		s.failed.Store(true)
		s.moved.Broadcast()
	}
}

// place makes room for the parts that are next in order, and returns them.
func (s *stepping[K]) place(c int, p *part[K], err error) (placed []*part[K]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending[c] = p
	for s.err == nil && err == nil {
		p, ok := s.pending[s.done]
		if !ok {
			break
		}
		delete(s.pending, s.done)
		s.done++
		if err = s.appendPart(p); err == nil && !s.large() {
			p.copyOut() // before the level's only slab may move
		}
		placed = append(placed, p)
	}
	s.fail(err)
	s.moved.Broadcast()
	if s.c.Progress != nil && s.err == nil {
		s.c.Progress(float64(s.done) / float64(len(s.cuts)))
	}
	return placed
}

func (s *stepping[K]) appendPart(p *part[K]) error {
	if s.out.n > maxStates-len(p.lows) || len(s.arcs) > math.MaxUint32-len(p.arcs) {
		return fmt.Errorf("%w: a level has over 2^32 states or arcs", ErrMemory)
	}
	base := uint32(s.out.n)
	s.effort.Arcs += int64(p.all)
	s.made += int64(p.all)
	if s.noted {
		p.along.first = s.out.n
		if err := s.store.take(p.along.bytes()); err != nil {
			return err
		}
		s.along = append(s.along, p.along)
	}
	s.effort.Pruned += int64(p.pruned)
	if s.c.Arcs {
		if err := s.store.take(int64(len(p.arcs)) * arcBytes); err != nil {
			return err
		}
		for _, a := range p.arcs {
			a.child += base
			s.arcs = append(s.arcs, a)
		}
	}
	first := s.out.n
	var err error
	if p.room, err = s.store.reserve(p.room[:0], &s.out, len(p.lows), s.large()); err != nil {
		return err
	}
	return s.store.addBlocks(&s.out, first, &p.blocks, len(p.lows))
}

// EachState implements Run.
func (r *Sweep[K]) EachState(do func(s automaton.State, ways []uint64) error) error {
	var failed error
	root := automaton.State(automaton.Root[[key.MaxWords]uint64](r.a))
	r.in.all(func(i int, k K) bool {
		var s automaton.State
		for w := range len(k) {
			s[w] = k[w]
		}
		failed = do(s.Sub(root), r.in.Count(i))
		return failed == nil
	})
	return failed
}
