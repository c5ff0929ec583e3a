package slab_test

import (
	"bytes"
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/pavage/pavage/beam/slab"
	"github.com/pavage/pavage/beam/store"
	"github.com/pavage/pavage/beam/store/storetest"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

type one = [1]uint64

// written returns a level in a file "a", and a range from within the second leaf to within the third
// leaf.
func written(t testing.TB, states, limbs int) (*folder, *level[one], *slab.Ref, slab.Bounds[one]) {
	rng := rand.New(rand.NewPCG(18, uint64(states)))
	l, f := random[one](rng, states, limbs), newFolder()
	for len(l.keys) < states {
		l = random[one](rng, 3*states, limbs)
	}
	l.keys, l.counts = l.keys[:states], l.counts[:states*limbs]
	ref := l.write(t, rng, f, "a")
	var b slab.Bounds[one]
	if states > 0 {
		b = slab.Bounds[one]{HasLo: true, HasHi: true, Lo: l.keys[states*2/5], Hi: l.keys[states*3/5]}
	}
	return f, l, ref, b
}

func verify(f *folder, ref *slab.Ref, limbs int) error {
	return slab.Verify[one](context.Background(), f, "a", ref, head(limbs))
}

// checkDamaged: Verify detects that the file was changed. A range is read as it was written, or is an
// error.
func checkDamaged(t *testing.T, what string, f *folder, l *level[one], ref *slab.Ref, b slab.Bounds[one]) (noticed bool) {
	t.Helper()
	if err := verify(f, ref, l.limbs); !errors.Is(err, slab.ErrDamaged) {
		t.Errorf("%s: Verify: %v", what, err)
	}
	keys, counts := l.cut(b)
	got, err := read(f, "a", ref, l.limbs, b)
	if err != nil {
		if !errors.Is(err, slab.ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
		return true
	}
	if _, read := got.cut(slab.Bounds[one]{}); !slices.Equal(got.keys, keys) || !slices.EqualFunc(read, counts, same) {
		t.Fatalf("%s: other states are read", what)
	}
	return false
}

// TestEveryByteFlipped: a change of any byte is detected.
func TestEveryByteFlipped(t *testing.T) {
	f, l, ref, b := written(t, 5*slab.LeafStates/2, 1)
	if err := verify(f, ref, 1); err != nil {
		t.Fatal(err)
	}
	whole, noticed := f.Bytes("a"), 0
	step := 1
	if testing.Short() {
		step = 7
	}
	for at := 0; at < len(whole); at += step {
		f.Flip("a", at)
		if checkDamaged(t, "byte "+strconv.Itoa(at), f, l, ref, b) {
			noticed++
		}
		f.Put("a", whole)
	}
	if want := len(whole) / step / 5; noticed < want {
		t.Errorf("%d of %d bytes are noticed by a range, want %d", noticed, len(whole), want)
	}
	if f.open != 0 {
		t.Errorf("%d reads were not closed", f.open)
	}
}

// TestHighTreeFlipped: bytes of pages of all heights are flipped.
func TestHighTreeFlipped(t *testing.T) {
	f, l, ref, b := written(t, (slab.MaxLeaves+3)*slab.LeafStates, 1)
	whole := f.Bytes("a")
	rng := rand.New(rand.NewPCG(18, 3))
	for range 20 {
		for _, at := range []int{rng.IntN(len(whole)), rng.IntN(8000), int(ref.Root) + rng.IntN(int(ref.Bytes-ref.Root))} {
			f.Flip("a", at)
			checkDamaged(t, "byte "+strconv.Itoa(at), f, l, ref, b)
			f.Put("a", whole)
		}
	}
}

// TestCut: a file that ends early and a file with more bytes are detected.
func TestCut(t *testing.T) {
	f, l, ref, b := written(t, 3*slab.LeafStates/2, 2)
	whole := f.Bytes("a")
	for n := range len(whole) {
		f.Truncate("a", n)
		if !checkDamaged(t, "cut at "+strconv.Itoa(n), f, l, ref, b) {
			t.Errorf("a range of a file cut at %d is read", n)
		}
		f.Put("a", whole)
	}
	f.Put("a", append(bytes.Clone(whole), 0))
	checkDamaged(t, "a byte more", f, l, ref, b)
}

// TestExchanged: the file of another slab is detected, even of the same level with the same states; so
// are a missing file and a slab of another run.
func TestExchanged(t *testing.T) {
	f, l, ref, b := written(t, 3*slab.LeafStates/2, 2)
	whole := f.Bytes("a")
	l.counts[0]++
	l.write(t, rand.New(rand.NewPCG(1, 1)), f, "b")
	l.counts[0]--
	f.Exchange("a", "b")
	if !checkDamaged(t, "exchanged", f, l, ref, b) {
		t.Error("a range of an exchanged file is read")
	}
	f.Lose("a")
	if err := verify(f, ref, 2); !errors.Is(err, store.ErrMissing) {
		t.Errorf("missing: %v", err)
	}
	f.Put("a", whole)
	for i, change := range []func(h *slab.Head){
		func(h *slab.Head) { h.Level++ }, func(h *slab.Head) { h.Print[31]++ }, func(h *slab.Head) { h.Prime -= 2 },
	} {
		h := head(2)
		change(&h)
		if _, err := slab.Open[one](t.Context(), f, "a", ref, h); !errors.Is(err, slab.ErrDamaged) {
			t.Errorf("head %d: %v", i, err)
		}
	}
	if _, err := slab.Open[[2]uint64](t.Context(), f, "a", ref, head(2)); !errors.Is(err, slab.ErrDamaged) {
		t.Errorf("wider keys: %v", err)
	}
}

// TestOtherRef: a wrong Ref of a slab is detected.
func TestOtherRef(t *testing.T) {
	f, _, ref, _ := written(t, 3*slab.LeafStates, 2)
	for i, change := range []func(r *slab.Ref){
		func(r *slab.Ref) { r.Name = "00" + r.Name[2:] }, func(r *slab.Ref) { r.Bytes++ }, func(r *slab.Ref) { r.Bytes = 1 << 60 }, func(r *slab.Ref) { r.Root++ },
		func(r *slab.Ref) { r.Root = -1 }, func(r *slab.Ref) { r.States++ }, func(r *slab.Ref) { r.Bits++ }, func(r *slab.Ref) { r.Bits = 1 << 40 },
		func(r *slab.Ref) { r.Sum += "0" }, func(r *slab.Ref) { r.Sum = "" }, func(r *slab.Ref) { r.Residue++ }, func(r *slab.Ref) { r.Marks = r.Marks[1:] },
		func(r *slab.Ref) { r.Marks[3].Before++ }, func(r *slab.Ref) { r.Marks[3].Key = r.Marks[2].Key },
	} {
		other := *ref
		other.Marks = slices.Clone(ref.Marks)
		change(&other)
		if err := verify(f, &other, 2); !errors.Is(err, slab.ErrDamaged) {
			t.Errorf("change %d: %v", i, err)
		}
	}
}

// TestMiscounted: a count and a residue that do not agree are not written.
func TestMiscounted(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 4))
	for limbs := 1; limbs <= 4; limbs++ {
		l := random[one](rng, 30, limbs)
		for at := range (limbs + 1) * len(l.keys) {
			counts := l.residues()
			counts[at] ^= 1 << rng.IntN(60)
			w := slab.NewWriter[one](&bytes.Buffer{}, head(limbs))
			err := w.Add(l.keys, counts)
			if _, closed := w.Close(); !errors.Is(err, slab.ErrMiscounted) || closed == nil {
				t.Errorf("word %d of %d limbs: %v, closed: %v", at, limbs, err, closed)
			}
		}
	}
}

// TestWrongOrder: keys that do not rise are not written.
func TestWrongOrder(t *testing.T) {
	for _, keys := range [][]one{{{2}, {1}}, {{1}, {1}}} {
		for _, apart := range []bool{false, true} {
			w := slab.NewWriter[one](&bytes.Buffer{}, head(1))
			var err error
			if apart {
				for _, k := range keys {
					err = errors.Join(err, w.Add([]one{k}, []uint64{1, 1}))
				}
			} else {
				err = w.Add(keys, []uint64{1, 1, 1, 1}[:2*len(keys)])
			}
			if err == nil {
				t.Errorf("%v are written", keys)
			}
		}
	}
}

// TestFailingStore: errors of a store are returned, also by later calls; so are errors of a
// writer's destination.
func TestFailingStore(t *testing.T) {
	f, l, ref, _ := written(t, 3*slab.LeafStates, 1)
	for n := 1; n < 5; n++ {
		f.Fail = storetest.Every(n)
		s, err := slab.Open[one](t.Context(), f, "a", ref, head(1))
		if err == nil {
			r := s.Range(t.Context(), slab.Bounds[one]{})
			for keys := []one{{}}; err == nil && len(keys) > 0; {
				keys, _, err = r.Next()
			}
			if _, _, again := r.Next(); !errors.Is(again, err) {
				t.Errorf("after %v: %v", err, again)
			}
		}
		if !errors.Is(err, storetest.ErrPlanned) {
			t.Errorf("each call %d fails: %v", n, err)
		}
	}
	f.Fail = nil
	ctx, cancel := context.WithCancel(t.Context())
	s, err := slab.Open[one](ctx, f, "a", ref, head(1))
	if err != nil {
		t.Fatal(err)
	}
	r := s.Range(ctx, slab.Bounds[one]{})
	cancel()
	if _, _, err := r.Next(); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for room := range int(ref.Bytes) {
		if room%512 != 0 {
			continue
		}
		w := slab.NewWriter[one](&full{room}, head(1))
		err := w.Add(l.keys, l.residues())
		if r, closed := w.Close(); r != nil || !errors.Is(errors.Join(err, closed), errFull) {
			t.Errorf("room for %d bytes: %v, %v", room, err, closed)
		}
	}
	if f.open != 0 {
		t.Errorf("%d reads were not closed", f.open)
	}
}

var errFull = errors.New("no room")

// full has room for the given number of bytes.
type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// TestOneRead: a range is a single read of each height, and no leaf without states of the range is read.
func TestOneRead(t *testing.T) {
	f, l, ref, _ := written(t, 3*slab.MaxLeaves*slab.LeafStates, 1)
	s, err := slab.Open[one](t.Context(), f, "a", ref, head(1))
	if err != nil {
		t.Fatal(err)
	}
	perLeaf := ref.Root / int64(len(l.keys)/slab.LeafStates)
	for _, test := range []struct{ from, leaves int }{{0, 1}, {100, 3}, {slab.MaxLeaves - 2, 4}, {5, 3 * slab.MaxLeaves / 2}, {0, 3 * slab.MaxLeaves}} {
		reads, bytes := f.Calls("range"), f.BytesRead()
		b := slab.Bounds[one]{HasLo: true, HasHi: true, Lo: l.keys[test.from*slab.LeafStates], Hi: l.keys[(test.from+test.leaves)*slab.LeafStates-1]}
		n := 0
		for r := s.Range(t.Context(), b); ; {
			keys, _, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			if len(keys) == 0 {
				break
			}
			n += len(keys)
		}
		reads, bytes = f.Calls("range")-reads, f.BytesRead()-bytes
		if most := perLeaf*int64(test.leaves)*11/10 + 3*9000; n != test.leaves*slab.LeafStates-1 || reads > 3 || bytes > most {
			t.Errorf("%v: %d states, %d reads of %d bytes, want at most 3 of %d", test, n, reads, bytes, most)
		}
	}
}

// TestMarks: marks are keys with the number of states before them, evenly spaced, and their number
// is the largest possible.
func TestMarks(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 5))
	for _, n := range []int{0, 1, 2, 127, 128, 129, 255, 256, 257, 1000, 4096, 4097, 20_000} {
		_, l, ref, _ := written(t, n, 1)
		stride := 1
		for (n+stride-1)/stride > slab.MaxMarks {
			stride *= 2
		}
		if len(ref.Marks) != (n+stride-1)/stride {
			t.Fatalf("%d states have %d marks", n, len(ref.Marks))
		}
		for i, m := range ref.Marks {
			k, err := slab.ParseKey[one](m.Key)
			if err != nil || m.Before != int64(i*stride) || k != l.keys[m.Before] {
				t.Fatalf("%d states, mark %d: %v, %v", n, i, m, err)
			}
		}
	}
	for range 1000 {
		k := random[[3]uint64](rng, 1, 1).keys[0]
		if got, err := slab.ParseKey[[3]uint64](slab.FormatKey(k)); got != k || err != nil {
			t.Fatalf("%v is read as %v, %v", k, got, err)
		}
	}
	for _, s := range []string{"", "00", "0x1", "A", "-1", "+1", "10000000000000000", "1_0", "g"} {
		if k, err := slab.ParseKey[one](s); err == nil {
			t.Errorf("%q is read as %v", s, k)
		}
	}
}

// testSums: the Ref of a slab has its sums, and the same states are the same bytes.
func testSums[K key.Key](t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 6))
	for _, n := range []int{0, 1, 700, 3000} {
		limbs := 1 + rng.IntN(4)
		l, f := random[K](rng, n, limbs), newFolder()
		ref := l.write(t, rng, f, "a")
		sum := limb.Total([][]uint64{l.counts}, limbs, limbs)
		rest := new(big.Int).Mod(sum, big.NewInt(prime))
		if ref.States != int64(len(l.keys)) || ref.Sum != sum.String() || ref.Residue != rest.Uint64() ||
			ref.Bits != limb.BitLength(l.counts, limbs) || ref.Bytes != int64(len(f.Bytes("a"))) {
			t.Errorf("%d states: %+v", n, ref)
		}
		wider := &level[K]{limbs: limbs + 1, keys: l.keys}
		for some := range slices.Chunk(l.counts, limbs) {
			wider.counts = append(append(wider.counts, some...), 0)
		}
		again, wide := l.write(t, rng, f, "b"), wider.write(t, rng, f, "c")
		if !bytes.Equal(f.Bytes("a"), f.Bytes("b")) || !bytes.Equal(f.Bytes("a"), f.Bytes("c")) || ref.Name != again.Name || ref.Name != wide.Name {
			t.Errorf("%d states have other bytes when they are written again", n)
		}
		if err := slab.Verify[K](t.Context(), f, "a", ref, head(limbs)); err != nil {
			t.Error(err)
		}
	}
}

func TestSums(t *testing.T) {
	t.Run("1", testSums[[1]uint64])
	t.Run("2", testSums[[2]uint64])
	t.Run("8", testSums[[8]uint64])
}
