package sweep

import (
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

type one = [1]uint64

// counted has the states of a level with their counts.
func counted(t *testing.T, l *Level[one]) map[one]*big.Int {
	t.Helper()
	all := map[one]*big.Int{}
	err := l.EachSlab(func(keys []one, counts []uint64) error {
		for i, k := range keys {
			all[k] = limb.Int(counts[i*l.words : (i+1)*l.words])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestBands cuts a level by keys and makes the steps of a band from each range separately, as
// several machines do. Put together, the results are the level that one run makes.
func TestBands(t *testing.T) {
	a, err := automaton.Compile(t.Context(), problem(t, "8x8", "tetrominoes=any", "monomino=0..3"))
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Value: Count{}, Threads: 2, chunk: 300}
	whole := New[one](a, c)
	for whole.Level() < 24 {
		advance(t, whole)
	}
	start := counted(t, whole.Present())
	limbs := whole.Present().Limbs()
	for range 8 {
		advance(t, whole)
	}
	want := counted(t, whole.Present())
	keys := slices.SortedFunc(maps.Keys(start), key.Compare)
	for _, tasks := range []int{1, 3, 16} {
		merged := map[one]*big.Int{}
		for some := range slices.Chunk(keys, (len(keys)+tasks-1)/tasks) {
			next := func() (part []one, counts []uint64, err error) {
				n := min(100, len(some))
				part, some = some[:n], some[n:]
				for _, k := range part {
					counts = append(counts, start[k].Uint64())
				}
				return part, counts, nil
			}
			r, err := Begin(a, 24, limbs, next, c)
			if err != nil {
				t.Fatal(err)
			}
			for range 8 {
				advance(t, r)
			}
			for k, n := range counted(t, r.Present()) {
				if merged[k] == nil {
					merged[k] = new(big.Int)
				}
				merged[k].Add(merged[k], n)
			}
		}
		if !maps.EqualFunc(merged, want, func(x, y *big.Int) bool { return x.Cmp(y) == 0 }) {
			t.Errorf("%d tasks: %d states, want %d, or other counts", tasks, len(merged), len(want))
		}
	}
}

// TestBeginSorted: states that do not rise are refused.
func TestBeginSorted(t *testing.T) {
	a, err := automaton.Compile(t.Context(), problem(t, "4x4", "domino=any"))
	if err != nil {
		t.Fatal(err)
	}
	for _, keys := range [][]one{{{2}, {1}}, {{1}, {1}}} {
		next := func() ([]one, []uint64, error) { return keys, []uint64{1, 1}, nil }
		if _, err := Begin(a, 1, 1, next, Config{Value: Count{}}); err == nil {
			t.Errorf("%v is no error", keys)
		}
	}
}

// elsewhere is a Source that provides slabs one at a time, and counts them.
type elsewhere struct {
	inMemory
	out atomic.Int64
}

func (e *elsewhere) AtHand() (lows [][]uint16, counts [][]uint64) { return nil, nil }

func (e *elsewhere) Get(i int) ([]uint16, []uint64, error) {
	e.out.Add(1)
	return e.inMemory.Get(i)
}

func (e *elsewhere) LetGo(int) { e.out.Add(-1) }

// TestPartsOfASource makes parts between random bounds, in random order, from the slabs of a
// foreign source. Together the parts are the next level.
func TestPartsOfASource(t *testing.T) {
	a, err := automaton.Compile(t.Context(), problem(t, "10x10", "tetrominoes=any"))
	if err != nil {
		t.Fatal(err)
	}
	r := New[one](a, Config{Value: Count{}, Threads: 1})
	for r.States() < 2*SlabStates {
		advance(t, r)
	}
	in := r.Present()
	from := &elsewhere{inMemory: inMemory{in.lows, in.counts, in.width}}
	l := *in
	l.away, l.lows, l.counts = from, make([][]uint16, len(in.lows)), make([][]uint64, len(in.counts))
	s, err := NewStep(t.Context(), automaton.NewTransition[one](a, r.Level()), &l, Want{Value: Count{}, Limbs: in.words})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var cuts []one
	for range 20 {
		cuts = append(cuts, one{rng.Uint64() >> (64 - a.Window) >> s.Grain() << s.Grain()})
	}
	slices.SortFunc(cuts, key.Compare)
	bounds := []Bounds[one]{{HasHi: true, Hi: cuts[0]}, {HasLo: true, Lo: cuts[len(cuts)-1]}}
	for i := range cuts[1:] {
		bounds = append(bounds, Bounds[one]{Lo: cuts[i], HasLo: true, Hi: cuts[i+1], HasHi: true})
	}
	rng.Shuffle(len(bounds), func(i, j int) { bounds[i], bounds[j] = bounds[j], bounds[i] })
	got := map[one]*big.Int{}
	w, p := &Worker[one]{}, &Part[one]{}
	for _, b := range bounds {
		if err := s.Part(w, b, p); err != nil {
			t.Fatal(err)
		}
		p.Each(func(k one, count []uint64) { got[k] = limb.Int(count) })
	}
	w.Leave()
	if out := from.out.Load(); out != 0 {
		t.Errorf("%d slabs were not let go", out)
	}
	advance(t, r)
	if want := counted(t, r.Present()); !maps.EqualFunc(got, want, func(x, y *big.Int) bool { return x.Cmp(y) == 0 }) {
		t.Errorf("%d states, want %d, or other counts", len(got), len(want))
	}
}

// TestStepsFromASource: a run makes every step from a level in a foreign source, whose slabs are in
// memory or on a shelf. It makes the same levels, repeats no step of such levels, and writes
// nothing to the source.
func TestStepsFromASource(t *testing.T) {
	for _, test := range []struct {
		c            Config
		board, piece string
	}{
		{Config{Value: Count{}, Threads: 1}, "60x5", "domino=any"}, // steps repeat
		{Config{Value: Count{}, Threads: 2, Memory: 8 << 20, Disk: t.TempDir()}, "10x10", "tetrominoes=any"},
	} {
		a, err := automaton.Compile(t.Context(), problem(t, test.board, test.piece))
		if err != nil {
			t.Fatal(err)
		}
		plain, r := New[one](a, test.c), New[one](a, test.c)
		shelved := 0
		for plain.Level() < min(a.Steps(), 160) && shelved < 2 {
			advance(t, plain)
			if r.in.away != nil {
				shelved++
			}
			sendAway(r)
			if err := r.shelveFull(true); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
			if r.in.print() != plain.in.print() || r.Total().Cmp(plain.Total()) != 0 {
				t.Fatalf("%s: level %d is another one", test.board, r.Level())
			}
		}
		if r.repeats.times > 0 || (test.c.Disk != "") != (shelved > 0) || test.c.Disk == "" && plain.repeats.times == 0 {
			t.Errorf("%s: %d steps were repeated, %d without a source; %d levels on disk", test.board, r.repeats.times, plain.repeats.times, shelved)
		}
	}
}

// foreign is a Source of another type.
type foreign struct{ Source }

// sendAway moves the present level to a foreign source.
func sendAway(r *Sweep[one]) {
	if r.in.away != nil {
		r.in.away = foreign{r.in.away}
		return
	}
	copied := inMemory{width: r.in.width}
	for i, lows := range r.in.lows {
		copied.lows = append(copied.lows, slices.Clone(lows))
		copied.counts = append(copied.counts, slices.Clone(r.in.counts[i]))
	}
	r.in.away = foreign{copied}
	for i, lows := range r.in.lows {
		r.store.letGo(r.store.putCounts(r.in.counts[i], cap(lows), r.in.words) + r.store.putLows(lows))
		r.in.lows[i], r.in.counts[i] = nil, nil
	}
}

// TestNothingIsPutInASource: slabs are put on a shelf only.
func TestNothingIsPutInASource(t *testing.T) {
	m := newAssembly(nil, nil, Level[one]{n: 1, lows: [][]uint16{{0}}, counts: [][]uint64{nil}, away: foreign{}})
	m.putAwayFull(&Part[one]{room: []room{{lows: make([]uint16, SlabStates)}}})
	if err := m.putAwayRest(); err != nil || m.out.lows[0] == nil {
		t.Errorf("a slab is gone, %v", err)
	}
}
