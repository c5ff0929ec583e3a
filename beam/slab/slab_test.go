package slab_test

import (
	"bytes"
	"context"
	"io"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/beam/slab"
	"github.com/pavage/pavage/beam/store/storetest"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

const prime = 1<<61 - 1

// folder is a store in memory that records which reads were not closed.
type folder struct {
	*storetest.Memory
	open int
}

func newFolder() *folder { return &folder{Memory: storetest.New()} }

func (f *folder) Range(ctx context.Context, name string, from, length int64) (io.ReadCloser, error) {
	r, err := f.Memory.Range(ctx, name, from, length)
	if err != nil {
		return nil, err
	}
	f.open++
	return &part{r, f}, nil
}

type part struct {
	io.ReadCloser
	of *folder
}

func (p *part) Close() error {
	p.of.open--
	return p.ReadCloser.Close()
}

// level is a set of states with counts of the given number of limbs.
type level[K key.Key] struct {
	limbs  int
	keys   []K
	counts []uint64
}

// random returns a level of at most n states, some with similar keys.
func random[K key.Key](rng *rand.Rand, n, limbs int) *level[K] {
	states := map[K]bool{}
	var k K
	for range n {
		if rng.IntN(4) > 0 {
			k[0] += 1 + uint64(rng.IntN(3))
		} else {
			for i := range len(k) {
				k[i] = rng.Uint64() >> rng.IntN(64)
			}
		}
		k[len(k)-1] &^= 1 << 63
		states[k] = true
	}
	l := &level[K]{limbs: limbs, keys: slices.SortedFunc(maps.Keys(states), key.Compare)}
	for range l.keys {
		for range limbs {
			l.counts = append(l.counts, rng.Uint64()>>rng.IntN(64))
		}
	}
	return l
}

// residues returns the counts, each followed by its residue.
func (l *level[K]) residues() []uint64 {
	var all []uint64
	for some := range slices.Chunk(l.counts, l.limbs) {
		rest := new(big.Int).Mod(limb.Int(some), big.NewInt(prime))
		all = append(append(all, some...), rest.Uint64())
	}
	return all
}

func head(limbs int) slab.Head {
	return slab.Head{Print: [32]byte{1, 2, 3}, Level: 24, Limbs: limbs, Prime: prime}
}

// write writes the level in calls of random sizes.
func (l *level[K]) write(t testing.TB, rng *rand.Rand, f *folder, file string) *slab.Ref {
	t.Helper()
	var b bytes.Buffer
	w := slab.NewWriter[K](&b, head(l.limbs))
	counts := l.residues()
	for at := 0; at < len(l.keys); {
		n := min(1+rng.IntN(3000), len(l.keys)-at)
		if err := w.Add(l.keys[at:at+n], counts[at*(l.limbs+1):(at+n)*(l.limbs+1)]); err != nil {
			t.Fatal(err)
		}
		at += n
	}
	ref, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	f.Put(file, b.Bytes())
	return ref
}

func read[K key.Key](f *folder, file string, ref *slab.Ref, limbs int, b slab.Bounds[K]) (got level[K], err error) {
	s, err := slab.Open[K](context.Background(), f, file, ref, head(limbs))
	if err != nil {
		return got, err
	}
	r := s.Range(context.Background(), b)
	for {
		keys, counts, err := r.Next()
		if err != nil || len(keys) == 0 {
			got.limbs = r.Limbs
			return got, err
		}
		got.keys, got.counts = append(got.keys, keys...), append(got.counts, counts...)
	}
}

// cut returns the part of a level in a range.
func (l *level[K]) cut(b slab.Bounds[K]) (keys []K, counts []*big.Int) {
	for i, k := range l.keys {
		if b.HasLo && key.Less(k, b.Lo) || b.HasHi && !key.Less(k, b.Hi) {
			continue
		}
		keys, counts = append(keys, k), append(counts, limb.Int(l.counts[i*l.limbs:(i+1)*l.limbs]))
	}
	return keys, counts
}

// bounds returns some ranges of keys for reads of a level.
func (l *level[K]) bounds(rng *rand.Rand) []slab.Bounds[K] {
	var zero K
	some := []K{zero, key.Low[K](3), random[K](rng, 1, 1).keys[0]}
	for range 8 {
		if len(l.keys) > 0 {
			some = append(some, l.keys[rng.IntN(len(l.keys))])
		}
	}
	for i := 0; i < len(l.keys); i += slab.LeafStates {
		some = append(some, l.keys[i])
	}
	all := []slab.Bounds[K]{{}}
	for range 20 - len(l.keys)/5000 {
		lo, hi := some[rng.IntN(len(some))], some[rng.IntN(len(some))]
		all = append(all, slab.Bounds[K]{Lo: lo, Hi: hi, HasLo: rng.IntN(6) > 0, HasHi: rng.IntN(6) > 0})
	}
	return all
}

// testRanges: a range that is read has the states that were written.
func testRanges[K key.Key](t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 1))
	for _, n := range []int{0, 1, 2, 300, slab.LeafStates, 5000, (slab.MaxLeaves + 2) * slab.LeafStates} {
		limbs := 1 + rng.IntN(4)
		l, f := random[K](rng, n, limbs), newFolder()
		ref := l.write(t, rng, f, "a")
		for _, b := range l.bounds(rng) {
			keys, counts := l.cut(b)
			got, err := read(f, "a", ref, limbs, b)
			if err != nil {
				t.Fatal(err)
			}
			if _, read := got.cut(slab.Bounds[K]{}); !slices.Equal(got.keys, keys) || !slices.EqualFunc(read, counts, same) {
				t.Fatalf("%d states, range %v: %d states, want %d, or others", n, b, len(got.keys), len(keys))
			}
		}
		if f.open != 0 {
			t.Errorf("%d reads were not closed", f.open)
		}
	}
}

func same(a, b *big.Int) bool { return a.Cmp(b) == 0 }

func TestRanges(t *testing.T) {
	t.Run("1", testRanges[[1]uint64])
	t.Run("2", testRanges[[2]uint64])
	t.Run("3", testRanges[[3]uint64])
	t.Run("4", testRanges[[4]uint64])
	t.Run("8", testRanges[[8]uint64])
}

// TestGolden: the name of a slab determines all of its bytes. So the format is unchanged if these names
// are unchanged. A new format needs a new version.
func TestGolden(t *testing.T) {
	for states, want := range map[int]string{
		0:      "dc581e0785505f415471b71ee081b20851106ce149e9bd2ba540d98ac9b08787",
		1000:   "2ce70d75ae8559aff9bb7541dfc1b7fe734d74b452283dde53d5eb31a765a8fc",
		70_000: "7d10e1e050dbbf2a0cc3b280866125ca9d3f00a2226b6043ee1d06e07f3b2bf6",
	} {
		var b bytes.Buffer
		w := slab.NewWriter[[2]uint64](&b, head(2))
		for i := range uint64(states) {
			count := []uint64{i * i, i}
			if err := w.Add([][2]uint64{{7 * i, 1}}, append(count, new(big.Int).Mod(limb.Int(count), big.NewInt(prime)).Uint64())); err != nil {
				t.Fatal(err)
			}
		}
		if ref, err := w.Close(); err != nil || ref.Name != want {
			t.Errorf("%d states: %s, %v, want %s", states, ref.Name, err, want)
		}
	}
}

// TestWideCounts: counts of 1,100 limbs (70,400 bits) are written and read.
func TestWideCounts(t *testing.T) {
	f, rng := newFolder(), rand.New(rand.NewPCG(16, 4))
	l := random[[1]uint64](rng, 20, 1100)
	ref := l.write(t, rng, f, "wide")
	got, err := read[[1]uint64](f, "wide", ref, 1100, slab.Bounds[[1]uint64]{})
	if err != nil || !slices.Equal(got.keys, l.keys) || !slices.Equal(got.counts, l.counts) {
		t.Errorf("%d keys of %d are read: %v", len(got.keys), len(l.keys), err)
	}
}
