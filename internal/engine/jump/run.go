package jump

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
)

// ErrNarrow is returned when a count needs more limbs than there are. The run is as it was, see
// [Run.Widen].
var ErrNarrow = errors.New("a count passed its limbs")

// Config says what is carried and what may be used.
type Config struct {
	Limbs    int      // words of a count, at least 1
	Moduli   []uint64 // if any: a state has a residue for each in place of its count, and Limbs says how many
	Threads  int
	Memory   Memory
	Progress func(share float64) // may be nil
}

// Run is the levels of an automaton whose states wait for their turn.
type Run[K key.Key] struct {
	a       *automaton.Automaton
	c       Config
	at      int // the present level
	window  K
	pages   pages[K]
	floors  [][]automaton.Floor // by level
	steps   []*fits[K]          // by step; nil if it has not been looked at or is over
	mu      sync.Mutex          // of steps
	workers []*worker[K]
	buffer  []entry[K]   // of the present level, by their highest digit
	tables  int64        // bytes of steps
	buffers atomic.Int64 // bytes of buffers that are counted
}

// Effort is what a step did.
type Effort struct {
	States int64 // whose turn came
	Heads  int64 // as many as have different high bits, about
	Arcs   int64 // from them, those to states that were dropped included
	Sent   int64 // arcs to states that wait
	Steps  int64 // that these wait for their turns, together
	Pruned int64 // states dropped because nothing fits them, or they have no future
}

// New is a run at a level without any state.
func New[K key.Key](a *automaton.Automaton, at int, c Config) *Run[K] {
	r := &Run[K]{a: a, c: c, at: at, floors: a.FloorsBefore(), steps: make([]*fits[K], a.Steps())}
	r.pages.memory = c.Memory
	if r.pages.limbs = c.Limbs; c.Limbs == 1 && len(c.Moduli) == 0 {
		r.pages.limbs = 0
	}
	r.window = automaton.Window[K](a)
	for range max(1, c.Threads) {
		r.workers = append(r.workers, &worker[K]{run: r, lists: make([]list[K], a.Steps()+1), known: make([]*fits[K], a.Steps())})
	}
	return r
}

// Limbs is the number of words of a count.
func (r *Run[K]) Limbs() int { return r.c.Limbs }

// Level is the present level.
func (r *Run[K]) Level() int { return r.at }

// Waiting is how many states wait, those not counted twice that will be found equal.
func (r *Run[K]) Waiting() (n int) {
	for _, w := range r.workers {
		for i := range w.lists {
			n += w.lists[i].len()
		}
	}
	return n
}

// Step takes the states whose turn it is to where they wait next, and returns what it did. If
// it fails, the run is as it was.
func (r *Run[K]) Step(ctx context.Context) (done Effort, err error) {
	marks := r.mark()
	if err := r.step(ctx); err != nil {
		r.cut(marks)
		r.pages.trim()
		return done, err
	}
	for _, w := range r.workers {
		w.lists[r.at].cut(&r.pages, 0)
		done.add(w.Effort)
		w.Effort = Effort{}
		w.known[r.at] = nil
	}
	if f := r.steps[r.at]; f != nil { // its tables are not needed any more
		r.steps[r.at] = nil
		r.tables -= f.size()
		r.c.Memory.Give(f.size())
	}
	r.at++
	return done, nil
}

func (e *Effort) add(f Effort) {
	e.States += f.States
	e.Heads += f.Heads
	e.Arcs += f.Arcs
	e.Sent += f.Sent
	e.Steps += f.Steps
	e.Pruned += f.Pruned
}

// mark is how long all lists are.
func (r *Run[K]) mark() (marks [][]int) {
	for _, w := range r.workers {
		var lens []int
		for i := range w.lists {
			lens = append(lens, w.lists[i].len())
		}
		marks = append(marks, lens)
	}
	return marks
}

// cut makes lists as long as they were.
func (r *Run[K]) cut(marks [][]int) {
	for i, w := range r.workers {
		w.Effort = Effort{}
		for j := range w.lists {
			w.lists[j].cut(&r.pages, marks[i][j])
		}
	}
}

// step does Step's work, but leaves the present level where it is.
func (r *Run[K]) step(ctx context.Context) error {
	all, n := r.present()
	if n == 0 {
		return ctx.Err()
	}
	f, err := r.fits(r.at)
	if err != nil {
		return err
	}
	parts, err := r.gather(all, n)
	if err != nil {
		return err
	}
	keep := automaton.Alive[K](r.a, r.at)
	for _, w := range r.workers {
		w.from, w.fits, w.keep = all, f, keep
	}
	return r.share(len(parts), func(w *worker[K], i int) error {
		src := parts[i]
		if err := w.reserve(len(src)); err != nil {
			return err
		}
		return w.cutUp(ctx, src, w.tmp[:len(src)])
	})
}

// present is the pages of the present level, and how many entries they have.
func (r *Run[K]) present() (all []page[K], n int) {
	for _, w := range r.workers {
		w.lists[r.at].each(func(p page[K]) {
			all = append(all, p)
			n += len(p.entries)
		})
	}
	return all, n
}

// share has workers do tasks until one fails.
func (r *Run[K]) share(tasks int, do func(w *worker[K], task int) error) error {
	var next, done atomic.Int64
	var failed atomic.Bool
	errs := make([]error, len(r.workers))
	work := func(i int) {
		for !failed.Load() {
			k := int(next.Add(1)) - 1
			if k >= tasks {
				return
			}
			if errs[i] = do(r.workers[i], k); errs[i] != nil {
				failed.Store(true)
				return
			}
			if share := float64(done.Add(1)) / float64(tasks); i == 0 && r.c.Progress != nil {
				r.c.Progress(share)
			}
		}
	}
	var wg sync.WaitGroup
	for i := 1; i < min(len(r.workers), tasks); i++ {
		wg.Go(func() { work(i) })
	}
	work(0)
	wg.Wait()
	return errors.Join(errs...)
}

// fits is that of a step.
func (r *Run[K]) fits(step int) (*fits[K], error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.steps[step] == nil {
		f := newFits[K](r.a, step)
		if err := r.c.Memory.Take(f.size()); err != nil {
			return nil, err
		}
		r.tables += f.size()
		r.steps[step] = f
	}
	return r.steps[step], nil
}

// partStates are as many as one worker sorts at a time, about.
const partStates = 1 << 13

// take counts bytes of a buffer, which are given back in the end.
func (r *Run[K]) take(bytes int64) error {
	err := r.c.Memory.Take(bytes)
	if err == nil {
		r.buffers.Add(bytes)
	}
	return err
}

// gather copies the entries of some pages to a buffer, in ranges of keys: no two ranges have
// equal keys. Counts that lie beside entries stay there; values say where.
func (r *Run[K]) gather(all []page[K], n int) ([][]entry[K], error) {
	if cap(r.buffer) < n {
		if err := r.take(bytesOf[K](n - cap(r.buffer))); err != nil {
			return nil, err
		}
		r.buffer = make([]entry[K], n)
	}
	if r.pages.limbs > 0 {
		for p, x := range all {
			for i := range x.entries {
				x.entries[i].value = uint64(p<<pageBits | i)
			}
		}
	}
	var some [][]entry[K]
	for _, x := range all {
		some = append(some, x.entries)
	}
	return distribute(r.buffer[:n], some), nil
}

// Bytes is how much memory the run has, counted afresh.
func (r *Run[K]) Bytes() int64 {
	pages := len(r.pages.free)
	n := r.tables + bytesOf[K](cap(r.buffer))
	for _, w := range r.workers {
		n += bytesOf[K](cap(w.tmp))
		for i := range w.lists {
			w.lists[i].each(func(page[K]) { pages++ })
		}
	}
	return n + int64(pages)*r.pages.bytes()
}

// Close gives all memory back.
func (r *Run[K]) Close() {
	for _, w := range r.workers {
		for i := range w.lists {
			w.lists[i].cut(&r.pages, 0)
		}
	}
	r.pages.trim()
	r.c.Memory.Give(r.tables + r.buffers.Swap(0))
	r.tables, r.buffer = 0, nil
	r.steps = slices.Repeat([]*fits[K]{nil}, len(r.steps))
}
