package slab_test

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/pavage/pavage/beam/slab"
	"github.com/pavage/pavage/beam/store/storetest"
	"github.com/pavage/pavage/internal/engine/key"
)

// testMemory: each reader that has begun uses no more than this.
func testMemory[K key.Key](limbs, most int) func(*testing.T) {
	return func(t *testing.T) {
		const readers = 50
		f := storetest.New()
		var b bytes.Buffer
		w := slab.NewWriter[K](&b, head(limbs))
		counts := make([]uint64, limbs+1)
		counts[0], counts[limbs] = 1, 1
		counts[limbs-1] += 1 << 60
		counts[limbs] = (&level[K]{limbs: limbs, counts: counts[:limbs]}).residues()[limbs]
		var k K
		for i := range uint64(3 * slab.MaxLeaves * slab.LeafStates) {
			k[0] = 5 * i
			if err := w.Add([]K{k}, counts); err != nil {
				t.Fatal(err)
			}
		}
		ref, err := w.Close()
		if err != nil {
			t.Fatal(err)
		}
		f.Put("a", b.Bytes())
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		all := make([]*slab.Reader[K], readers)
		for i := range all {
			s, err := slab.Open[K](t.Context(), f, "a", ref, head(limbs))
			if err != nil {
				t.Fatal(err)
			}
			all[i] = s.Range(t.Context(), slab.Bounds[K]{})
			for range 2 {
				if _, _, err := all[i].Next(); err != nil {
					t.Fatal(err)
				}
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		each := int(after.HeapAlloc-before.HeapAlloc) / readers
		if each > most {
			t.Errorf("a reader uses %d bytes, want at most %d", each, most)
		}
		runtime.KeepAlive(all)
	}
}

func TestMemory(t *testing.T) {
	t.Run("1 word, 1 limb", testMemory[[1]uint64](1, 45_000))
	t.Run("2 words, 2 limbs", testMemory[[2]uint64](2, 65_000))
	t.Run("8 words, 4 limbs", testMemory[[8]uint64](4, 150_000))
}
