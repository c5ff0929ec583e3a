package frontier

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
)

// maxStripSteps of a strip, of 48 bytes each, take 200 MB.
const maxStripSteps = 1 << 22

// ErrNoStrip is wrapped when an automaton is not that of a strip.
var ErrNoStrip = errors.New("not a strip")

// Strip is the automaton of a strip that repeats the first period of a, so many
// times over. A strip is a board that could go on for ever: its items come in
// periods of equal length (rows of cells), and the options that begin in a
// period are those of the period before, moved on. So far as options reach over
// its end, they are there.
//
//	a, 4 rows of 3, pieces two rows high     the strip, any number of rows
//
//	. . .  first period  ┐ equal steps       . . .
//	. . .  the next      ┘                   . . .   a state that is bare here,
//	. . .  where the options of these        ─────   nothing of the window being
//	. . .  two rows end                      . . .   covered, ends a board of
//	                                          ⋮      two rows
//
// It fails with ErrNoStrip if the first two periods' steps are not equal, or if
// there are counters, which never repeat, and with ErrMemory for over
// maxStripSteps.
func (a *Automaton) Strip(period, times int) (*Automaton, error) {
	switch {
	case len(a.counters) > 0:
		return nil, fmt.Errorf("%w: the uses of %d items are bounded", ErrNoStrip, len(a.counters))
	case period < 1 || 2*period > len(a.steps):
		return nil, fmt.Errorf("%w: %d steps do not have two periods of %d", ErrNoStrip, len(a.steps), period)
	}
	if times > maxStripSteps/period {
		return nil, fmt.Errorf("%w: %d periods of %d steps, at most %d steps are supported", ErrMemory, times, period, maxStripSteps)
	}
	for i := range period {
		if !a.steps[i].like(&a.steps[i+period]) {
			return nil, fmt.Errorf("%w: steps %d and %d differ", ErrNoStrip, i, i+period)
		}
	}
	return &Automaton{
		Words: a.Words, Window: a.Window, Feasible: true, Variables: a.Variables,
		steps: slices.Repeat(a.steps[:period], times), root: a.root, window: a.window,
	}, nil
}

// StripRun is a run of a strip.
type StripRun interface {
	Run
	// Bare is the number of ways to the state of the present level with
	// nothing covered.
	Bare() *big.Int
	// Note adds the states of the present level to those noted before. It
	// reports whether any was new, and how many are noted now. The notes
	// count as memory of the run.
	Note() (grown bool, noted int, err error)
}

// RunStrip starts a run of a strip, with counts.
func (a *Automaton) RunStrip(c Config) StripRun {
	c.Counts, c.Disk = true, "" // Bare and Note look at the level
	switch r := a.Run(c).(type) {
	case *run[[1]uint64]:
		return &stripRun[[1]uint64]{run: r}
	case *run[[2]uint64]:
		return &stripRun[[2]uint64]{run: r}
	case *run[[3]uint64]:
		return &stripRun[[3]uint64]{run: r}
	case *run[[4]uint64]:
		return &stripRun[[4]uint64]{run: r}
	}
	panic("frontier: a run with keys of a new size") // a bug: see Automaton.Run
}

type stripRun[K key] struct {
	*run[K]
	noted []K // sorted
}

// Bare looks at the first state: the bare one is 0, and levels are sorted.
func (r *stripRun[K]) Bare() *big.Int {
	var bare K
	sum, word := new(big.Int), new(big.Int)
	if r.in.n == 0 || r.in.key(0) != bare {
		return sum
	}
	for limb := r.in.limbs - 1; limb >= 0; limb-- {
		sum.Lsh(sum, 64)
		sum.Add(sum, word.SetUint64(r.in.counts[0][limb]))
	}
	return sum
}

// Note merges two sorted sequences, if there is anything new at all.
func (r *stripRun[K]) Note() (grown bool, noted int, err error) {
	fresh, k := 0, 0
	r.in.all(func(_ int, x K) bool {
		for k < len(r.noted) && less(r.noted[k], x) {
			k++
		}
		if k == len(r.noted) || r.noted[k] != x {
			fresh++
		}
		return true
	})
	if fresh == 0 {
		return false, len(r.noted), nil
	}
	var key K
	if err := r.store.take(int64(fresh*len(key)) * wordBytes); err != nil {
		return false, 0, err
	}
	merged := make([]K, 0, len(r.noted)+fresh)
	old := r.noted
	r.in.all(func(_ int, x K) bool {
		for len(old) > 0 && less(old[0], x) {
			merged, old = append(merged, old[0]), old[1:]
		}
		if len(old) > 0 && old[0] == x {
			old = old[1:]
		}
		merged = append(merged, x)
		return true
	})
	r.noted = append(merged, old...)
	return true, len(r.noted), nil
}
