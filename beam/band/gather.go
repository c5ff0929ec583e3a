package band

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/pavage/pavage/beam/permute"
	"github.com/pavage/pavage/beam/slab"
	"github.com/pavage/pavage/internal/key"
	"github.com/pavage/pavage/internal/limb"
	"github.com/pavage/pavage/internal/sweep"
)

// gathered are states in any order, to be sorted. A count has its residue behind its limbs.
type gathered[K key.Key] struct {
	prime  uint64
	words  int   // of a count, the residue's too
	most   int64 // bytes; 0: no limit
	keys   []K
	counts []uint64

	mu       sync.Mutex   // for those who read side by side
	states   int64        // that were read
	residues uint64       // of their counts, added
	read     atomic.Int64 // bytes
}

// bytes are those of the states.
func (g *gathered[K]) bytes() int64 {
	var k K
	return int64(8*len(k)*cap(g.keys) + 8*cap(g.counts))
}

// grow takes memory for about so many states, and some more. (To let it grow as needed took a tenth of the
// time of tetrominoes on 12x12 in bands of 6 steps.)
func (g *gathered[K]) grow(states int) {
	states += states / 16
	g.keys, g.counts = make([]K, 0, states), make([]uint64, 0, states*g.words)
}

// limbs are enough for the counts of the level once equal keys are added.
func (l *Level) limbs() int {
	widest := 0
	for i := range l.Slabs {
		widest = max(widest, l.Slabs[i].Slab.Bits)
	}
	return permute.Limbs(widest, len(l.Slabs))
}

// opening is how many slabs are read at the same time: an object store takes longer to answer than to send the bytes.
const opening = 16

// gather reads the range of a job out of all slabs, as states of the sweep: sorted, and with equal ones added.
func gather[K key.Key](ctx context.Context, r *Run, j *job) (*gathered[K], error) {
	bounds, err := boundsOf[K](j.span)
	if err != nil {
		return nil, err
	}
	all := &gathered[K]{prime: r.Plan.Identity.Prime, words: j.from.limbs() + 1, most: r.Plan.Cut.Memory}
	all.grow(int(j.from.States / int64(j.task.Of)))
	bits := permute.Of[K](r.a, j.from.At, j.from.For)
	g, within := errgroup.WithContext(ctx)
	g.SetLimit(opening)
	for _, made := range j.from.Slabs {
		g.Go(func() error {
			err := all.readSlab(within, r, j.from.At, made, bounds, bits)
			if damaged(err) {
				return &unreadable{made, err}
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return all, all.sort()
}

// readSlab reads the part of a slab that is in the range.
func (g *gathered[K]) readSlab(ctx context.Context, r *Run, at int, made Made, bounds slab.Bounds[K], bits *permute.Permutation[K]) error {
	s, err := slab.Open[K](ctx, r.store, r.path(slabsFolder, made.Slab.Name), &made.Slab, r.head(at, 1))
	if err != nil {
		return err
	}
	defer func() { g.read.Add(s.BytesRead()) }()
	from := s.Range(ctx, bounds)
	defer from.Close()
	if from.Limbs >= g.words {
		return fmt.Errorf("slab %s: %w: counts have %d limbs, in a level of %d", made.Slab.Name, slab.ErrDamaged, from.Limbs, g.words-1)
	}
	for {
		keys, counts, err := from.Next()
		if err != nil || len(keys) == 0 {
			return err
		}
		if err := g.take(keys, counts, from.Limbs, bits); err != nil {
			return err
		}
	}
}

// take adds states of a slab. The residue of each count is taken by itself.
func (g *gathered[K]) take(keys []K, counts []uint64, limbs int, bits *permute.Permutation[K]) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.most > 0 && g.bytes() > g.most {
		return fmt.Errorf("%w: a task reads more than %d states, cut the run into more tasks or give each more memory", sweep.ErrMemory, g.states)
	}
	g.states += int64(len(keys))
	for i, k := range keys {
		count := counts[i*limbs : (i+1)*limbs]
		rest := limb.Residue(count, g.prime)
		g.residues = limb.SumModulo(g.residues, rest, g.prime)
		g.keys = append(g.keys, bits.Undo(k))
		g.counts = append(g.counts, count...)
		for range g.words - 1 - limbs {
			g.counts = append(g.counts, 0)
		}
		g.counts = append(g.counts, rest)
	}
	return nil
}

// sort sorts states and adds equal ones.
func (g *gathered[K]) sort() error {
	permute.Sort(g.keys, g.counts, g.words)
	n, err := permute.Add(g.keys, g.counts, g.words, g.prime)
	g.keys, g.counts = g.keys[:n], g.counts[:n*g.words]
	return err
}

// atOnce is how many states are handed on at a time.
const atOnce = 1 << 12

// each hands the states on, some at a time.
func (g *gathered[K]) each(do func(keys []K, counts []uint64) error) error {
	for from := 0; from < len(g.keys); from += atOnce {
		to := min(from+atOnce, len(g.keys))
		if err := do(g.keys[from:to], g.counts[from*g.words:to*g.words]); err != nil {
			return err
		}
	}
	return nil
}

// next hands the states out as [sweep.Begin] wants them.
func (g *gathered[K]) next() (keys []K, counts []uint64, err error) {
	n := min(atOnce, len(g.keys))
	keys, counts = g.keys[:n], g.counts[:n*g.words]
	g.keys, g.counts = g.keys[n:], g.counts[n*g.words:]
	return keys, counts, nil
}

// ordered are the states of a level in the order of the band that leads from it to another level.
func ordered[K key.Key](ctx context.Context, r *Run, from *sweep.Level[K], at, to int) (*gathered[K], error) {
	g := &gathered[K]{words: max(1, from.Limbs()) + 1}
	g.keys, g.counts = make([]K, 0, from.States()), make([]uint64, 0, from.States()*g.words)
	bits := permute.Of[K](r.a, at, to)
	err := from.EachSlab(func(keys []K, counts []uint64) error {
		for _, k := range keys {
			g.keys = append(g.keys, bits.Apply(k))
		}
		g.counts = append(g.counts, counts...)
		return ctx.Err()
	})
	permute.Sort(g.keys, g.counts, g.words)
	return g, err
}
