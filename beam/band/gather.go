package band

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/pavage/pavage/beam/permute"
	"github.com/pavage/pavage/beam/slab"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
	"github.com/pavage/pavage/internal/engine/sweep"
)

// gathered collects states in any order and yields them sorted. It adds the counts of equal keys.
// If the states do not fit in memory, gathered reads them in several passes. Each pass keeps the
// lowest keys that fit in memory and that no earlier pass has kept.
//
//	passes   1   ■■■■■■··············   ■ kept and yielded       · passed over
//	         2         ■■■■■■■■······
//	         3                 ■■■■■■
//
// Each count is followed by its residue.
type gathered[K key.Key] struct {
	prime uint64
	words int          // number of words of a count with its residue
	most  int64        // limit in bytes for the states in memory; 0 means no limit
	read  func() error // reads all states once, and calls the method take for them

	mu     sync.Mutex // held by take, which several goroutines call
	keys   []K        // keys of this pass, to be yielded
	counts []uint64
	at     int // number of keys that were yielded
	passes int
	lo, hi *K           // this pass keeps keys from lo on and below hi; nil means no bound
	all    sums         // sums of all states that were read
	given  sums         // sums of the yielded states
	loaded atomic.Int64 // number of bytes that were read from slabs
}

type sums struct {
	states   int64
	residues uint64
}

func (g *gathered[K]) bytes() int64 { return g.bytesOf(cap(g.keys)) }

func (g *gathered[K]) bytesOf(states int) int64 {
	var k K
	return int64(states) * int64(8*(len(k)+g.words))
}

// grow allocates memory for this number of states, so that append does not copy the slices.
func (g *gathered[K]) grow(states int64) {
	n := int(states + states/16)
	if g.most > 0 {
		n = min(n, g.room())
	}
	g.keys, g.counts = make([]K, 0, n), make([]uint64, 0, n*g.words)
}

const fewest = 1 << 10 // a pass keeps up to this number of states, even if they need more memory than the limit

func (g *gathered[K]) room() int { return max(fewest, int(g.most/g.bytesOf(1))) }

const opening = 16 // object stores answer slowly, so up to this number of slabs are read at once

func gather[K key.Key](ctx context.Context, r *Run, j *job) (*gathered[K], error) {
	bounds, err := boundsOf[K](j.span)
	if err != nil {
		return nil, err
	}
	all := &gathered[K]{prime: r.Plan.Identity.Prime, words: j.from.limbs() + 1, most: r.sorting()}
	all.grow(j.from.States / int64(j.task.Of))
	bits := permute.Of[K](r.a, j.from.At, j.from.For)
	all.read = func() error {
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
		return g.Wait()
	}
	return all, all.pass()
}

func (g *gathered[K]) readSlab(ctx context.Context, r *Run, at int, made Made, bounds slab.Bounds[K], bits *permute.Permutation[K]) error {
	s, err := slab.Open[K](ctx, r.store, r.path(slabsFolder, made.Slab.Name), &made.Slab, r.head(at, 1))
	if err != nil {
		return err
	}
	defer func() { g.loaded.Add(s.BytesRead()) }()
	from := s.Range(ctx, bounds)
	defer from.Close()
	if from.Limbs >= g.words {
		return fmt.Errorf("slab %s: %w: counts have %d limbs, but the counts of the level have at most %d limbs",
			made.Slab.Name, slab.ErrDamaged, from.Limbs, g.words-1)
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

func (g *gathered[K]) take(keys []K, counts []uint64, limbs int, bits *permute.Permutation[K]) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, k := range keys {
		count := counts[i*limbs : (i+1)*limbs]
		rest := limb.Residue(count, g.prime)
		g.see(rest)
		if err := g.makeRoom(); err != nil {
			return err
		}
		if k = bits.Undo(k); !g.wants(k) {
			continue
		}
		g.keys = append(g.keys, k)
		g.counts = append(g.counts, count...)
		for range g.words - 1 - limbs {
			g.counts = append(g.counts, 0)
		}
		g.counts = append(g.counts, rest)
	}
	return nil
}

func (g *gathered[K]) see(residue uint64) {
	if g.passes == 1 {
		g.all.states++
		g.all.residues = limb.SumModulo(g.all.residues, residue, g.prime)
	}
}

func (g *gathered[K]) wants(k K) bool {
	return (g.lo == nil || !key.Less(k, *g.lo)) && (g.hi == nil || key.Less(k, *g.hi))
}

func (g *gathered[K]) makeRoom() error {
	if g.most <= 0 || len(g.keys) < g.room() {
		return nil
	}
	if err := g.sort(); err != nil || len(g.keys) < g.room()*3/4 {
		return err
	}
	half := len(g.keys) / 2
	hi := g.keys[half]
	g.hi = &hi
	g.keys, g.counts = g.keys[:half], g.counts[:half*g.words]
	return nil
}

func (g *gathered[K]) pass() error {
	g.lo, g.hi = g.hi, nil
	g.keys, g.counts, g.at = g.keys[:0], g.counts[:0], 0
	g.passes++
	if err := g.read(); err != nil {
		return err
	}
	return g.sort()
}

func (g *gathered[K]) sort() error {
	permute.Sort(g.keys, g.counts, g.words)
	n, err := permute.Add(g.keys, g.counts, g.words, g.prime)
	g.keys, g.counts = g.keys[:n], g.counts[:n*g.words]
	return err
}

const atOnce = 1 << 12

func (g *gathered[K]) next() (keys []K, counts []uint64, err error) {
	for g.at == len(g.keys) {
		if g.hi == nil {
			if g.given.residues != g.all.residues || g.given.states > g.all.states {
				err = fmt.Errorf(
					"%w: %d states have residues that add up to %d, but the %d sorted states have residues that add up to %d",
					ErrDisagree, g.all.states, g.all.residues, g.given.states, g.given.residues)
			}
			return nil, nil, err
		}
		if err := g.pass(); err != nil {
			return nil, nil, err
		}
	}
	to := min(g.at+atOnce, len(g.keys))
	keys, counts = g.keys[g.at:to], g.counts[g.at*g.words:to*g.words]
	for end := g.words; end <= len(counts); end += g.words {
		g.given.residues = limb.SumModulo(g.given.residues, counts[end-1], g.prime)
	}
	g.given.states += int64(len(keys))
	g.at = to
	return keys, counts, nil
}

func ordered[K key.Key](ctx context.Context, r *Run, from *sweep.Level[K], at, to int) (*gathered[K], error) {
	g := &gathered[K]{prime: r.Plan.Identity.Prime, words: max(1, from.Limbs()) + 1, most: r.sorting()}
	g.grow(int64(from.States()))
	bits := permute.Of[K](r.a, at, to)
	g.read = func() error {
		return from.EachSlab(func(keys []K, counts []uint64) error {
			for i, k := range keys {
				count := counts[i*g.words : (i+1)*g.words]
				g.see(count[g.words-1])
				if err := g.makeRoom(); err != nil {
					return err
				}
				if k = bits.Apply(k); !g.wants(k) {
					continue
				}
				g.keys = append(g.keys, k)
				g.counts = append(g.counts, count...)
			}
			return ctx.Err()
		})
	}
	return g, g.pass()
}
