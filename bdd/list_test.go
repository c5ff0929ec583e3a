package bdd

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// listOf lists the sets, added in a random order.
func listOf(t testing.TB, vars int, sets [][]int) *List {
	t.Helper()
	l, err := NewList(vars, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(uint64(len(sets)), 3))
	for _, k := range rng.Perm(len(sets)) {
		if err := l.Add(sets[k]); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// listed is the diagram of the sets.
func listed(t testing.TB, vars int, sets [][]int) *Diagram {
	t.Helper()
	d, err := listOf(t, vars, sets).Diagram(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	checkCanonical(t, d)
	return d
}

// TestListEqualsBuild: the sets of a built diagram, listed, give it again.
func TestListEqualsBuild(t *testing.T) {
	for _, s := range []Spec{
		dominoes(),
		boardSpec(6, 6, small3[1:3]),
		boardSpec(3, 4, small3),
	} {
		want := build(t, s)
		if got := listed(t, want.Vars(), slices.Collect(want.AllSets())); !got.Equal(want) {
			t.Errorf("%d nodes, want the same %d", got.Size(), want.Size())
		}
	}
}

// TestListRandom: random families, their sets of all lengths, some the
// beginnings of others, against unions of single sets.
func TestListRandom(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 4))
		vars := rng.IntN(9)
		sets := randomSets(rng, vars)
		s := newStore(t, vars, Limits{})
		f, family := s.Empty(), must[Family](t)
		for _, set := range sets {
			f = family(s.Combine(t.Context(), Union, f, family(s.Set(set...))))
		}
		want := must[*Diagram](t)(s.Freeze(t.Context(), f))
		if got := listed(t, vars, sets); !got.Equal(want) {
			t.Fatalf("seed %d: sets %v give %v", seed, sets, slices.Collect(got.AllSets()))
		}
	}
}

// randomSets are different subsets of 0..vars-1.
func randomSets(rng *rand.Rand, vars int) (sets [][]int) {
	share := rng.Float64()
	for mask := range 1 << vars {
		if rng.Float64() < share {
			set := []int{}
			for v := range vars {
				if mask>>v&1 != 0 {
					set = append(set, v)
				}
			}
			sets = append(sets, set)
		}
	}
	return sets
}

// TestListCodes: every length of a code, and its neighbours; codes compare
// like sets.
func TestListCodes(t *testing.T) {
	var values []int
	for _, v := range []int{1, oneByte, oneByte + 256, twoBytes, 1 << 16, MaxVars} {
		values = append(values, v-2, v-1, v, v+1)
	}
	var sets [][]int
	for _, v := range values {
		for _, gap := range values {
			if w := v + 1 + gap; v >= 0 && gap >= 0 && w < MaxVars {
				sets = append(sets, []int{v}, []int{v, w}, []int{v, w, MaxVars - 1})
			}
		}
	}
	sets = slices.DeleteFunc(sets, func(s []int) bool { return checkSet(s, MaxVars) != nil })
	sets = append(sets, []int{}, []int{MaxVars - 1})
	slices.SortFunc(sets, slices.Compare)
	sets = slices.CompactFunc(sets, slices.Equal)
	last := []byte{}
	for _, set := range sets {
		code := encode(nil, set)
		got, size := decode(nil, append(slices.Clone(code), 7, 0))
		same := slices.EqualFunc(got, set, func(a uint32, b int) bool { return int(a) == b })
		if !same || size != len(code) || len(code) > codeBytes*len(set)+1 {
			t.Fatalf("%v is coded %x, which is %v of %d bytes", set, code, got, size)
		}
		if slices.Compare(last, code) >= 0 {
			t.Fatalf("%v is coded %x, not above %x", set, code, last)
		}
		last = code
	}
	if d := listed(t, MaxVars, sets); count(t, d).Int64() != int64(len(sets)) {
		t.Errorf("%d sets, want %d", count(t, d), len(sets))
	}
}

func TestListMistakes(t *testing.T) {
	if _, err := NewList(MaxVars+1, Limits{}); !errors.Is(err, ErrInvalid) {
		t.Errorf("too many variables: %v", err)
	}
	l, err := NewList(3, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range [][]int{{3}, {-1}, {1, 1}, {2, 0}} {
		if err := l.Add(set); !errors.Is(err, ErrInvalid) {
			t.Errorf("%v: %v", set, err)
		}
	}
	for range 2 {
		if err := l.Add([]int{0, 2}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Diagram(t.Context()); !errors.Is(err, ErrInvalid) {
		t.Errorf("a set twice: %v", err)
	}
}

// TestListLimits: memory over the limit is refused before it is allocated, at every stage, and
// with enough memory the diagram is made; a context that ends is seen.
func TestListLimits(t *testing.T) {
	d := build(t, boardSpec(6, 6, small3[1:3]))
	refused := map[string]int{}
	for limit := int64(0); ; limit += 100_000 {
		stage, err := listWithin(t.Context(), d, max(1, limit))
		if err == nil {
			break
		}
		if !errors.Is(err, ErrLimit) {
			t.Fatal(err)
		}
		refused[stage]++
	}
	if refused["add"] == 0 || refused["diagram"] == 0 {
		t.Errorf("refused %v", refused)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := listWithin(ctx, d, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func listWithin(ctx context.Context, d *Diagram, bytes int64) (stage string, err error) {
	l, err := NewList(d.Vars(), Limits{Bytes: bytes})
	if err != nil {
		return "new", err
	}
	for set := range d.AllSets() {
		if err := l.Add(set); err != nil {
			return "add", err
		}
	}
	_, err = l.Diagram(ctx)
	return "diagram", err
}

// TestListProgress: bytes stay within the limit, steps rise.
func TestListProgress(t *testing.T) {
	d := build(t, boardSpec(6, 6, small3[1:3]))
	last := Progress{}
	l, err := NewList(d.Vars(), Limits{Bytes: 4 << 20, Progress: func(p Progress) {
		if p.Step <= last.Step || p.Nodes < last.Nodes || p.Bytes > 4<<20 || p.Step > p.Steps {
			t.Errorf("%+v after %+v", p, last)
		}
		last = p
	}})
	if err != nil {
		t.Fatal(err)
	}
	for set := range d.AllSets() {
		if err := l.Add(set); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Diagram(t.Context()); err != nil {
		t.Fatal(err)
	}
	if last.Step != last.Steps || last.Nodes != int64(d.Size()) {
		t.Errorf("ended at %+v, %d nodes", last, d.Size())
	}
}

// TestListCancel: whenever the context ends, the work soon does, not having
// asked it again more than a few times (the sort makes about two comparisons a
// set more); and it asks often while it sorts.
func TestListCancel(t *testing.T) {
	d := build(t, boardSpec(6, 7, small3[1:3])) // 31,529 sets
	sets := slices.Collect(d.AllSets())
	left := 0
	for ; ; left += 5 {
		ctx := testkit.AfterLooks(t, left)
		_, err := listOf(t, d.Vars(), sets).Diagram(ctx)
		if err == nil {
			break
		}
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Late() > 7 {
			t.Fatalf("ended after %d looks: %v, %d looks more", left, err, ctx.Late())
		}
	}
	// Entries, edges twice and variables are 2 + 2·2 + 71 looks.
	if sorting := left - 77; sorting < 5 {
		t.Errorf("the context was asked only %d times", left)
	}
}
