package sweep

import (
	"math/big"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

// StripRun is a run of a strip, a board that could go on for ever: see automaton.Strip.
type StripRun interface {
	Run
	// Bare returns the number of ways to the state of the present level in which nothing is covered.
	Bare() *big.Int
	// Note adds the states of the present level to the noted states, which count as memory of the
	// run. It reports whether any of them was new, and returns the number of noted states.
	Note() (grown bool, noted int, err error)
}

// StartStrip starts a run of a strip, with counts.
func StartStrip(a *automaton.Automaton, c Config) StripRun {
	c.Value, c.Disk = Count{}, "" // Bare and Note need counts, and the level in memory
	switch r := Start(a, c).(type) {
	case *Sweep[[1]uint64]:
		return &stripRun[[1]uint64]{Sweep: r}
	case *Sweep[[2]uint64]:
		return &stripRun[[2]uint64]{Sweep: r}
	case *Sweep[[3]uint64]:
		return &stripRun[[3]uint64]{Sweep: r}
	case *Sweep[[4]uint64]:
		return &stripRun[[4]uint64]{Sweep: r}
	case *Sweep[[key.MaxWords]uint64]:
		return &stripRun[[key.MaxWords]uint64]{Sweep: r}
	}
	panic("sweep: a run with keys of a new size") // a bug: Start has a case that is missing here
}

type stripRun[K key.Key] struct {
	*Sweep[K]
	seen []K // the states that were noted, sorted
}

// Bare reads the first state: the state in which nothing is covered is 0, and levels are sorted.
func (r *stripRun[K]) Bare() *big.Int {
	var bare K
	if r.in.n == 0 || r.in.Key(0) != bare {
		return new(big.Int)
	}
	return limb.Int(r.in.Count(0))
}

func (r *stripRun[K]) Note() (grown bool, noted int, err error) {
	fresh, k := 0, 0
	r.in.all(func(_ int, x K) bool {
		for k < len(r.seen) && key.Less(r.seen[k], x) {
			k++
		}
		if k == len(r.seen) || r.seen[k] != x {
			fresh++
		}
		return true
	})
	if fresh == 0 {
		return false, len(r.seen), nil
	}
	var one K
	size := int64(fresh*len(one)) * wordBytes
	if err := r.store.take(size); err != nil {
		return false, 0, err
	}
	r.noted += size
	merged := make([]K, 0, len(r.seen)+fresh)
	old := r.seen
	r.in.all(func(_ int, x K) bool {
		for len(old) > 0 && key.Less(old[0], x) {
			merged, old = append(merged, old[0]), old[1:]
		}
		if len(old) > 0 && old[0] == x {
			old = old[1:]
		}
		merged = append(merged, x)
		return true
	})
	r.seen = append(merged, old...)
	return true, len(r.seen), nil
}
