package bdd

import (
	"bytes"
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/engine/limb"
)

// encodedCounts are the bytes of a diagram's counts.
func encodedCounts(t testing.TB, d *Diagram) (*Counts, []byte) {
	t.Helper()
	c, err := d.Counts(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := d.EncodeCounts(context.Background(), c, &b); err != nil {
		t.Fatal(err)
	}
	return c, b.Bytes()
}

func mappedOf(nodes, counts []byte) (*Mapped, error) {
	return NewMapped(context.Background(), bytes.NewReader(nodes), bytes.NewReader(counts))
}

// checkMapped compares a diagram that is read in place with the diagram in memory, for some ranks.
func checkMapped(t *testing.T, d *Diagram, ranks int) {
	t.Helper()
	c, counts := encodedCounts(t, d)
	m, err := mappedOf(encoded(t, d), counts)
	if err != nil {
		t.Fatal(err)
	}
	in := d.With(c)
	if m.Count().Cmp(in.Count()) != 0 || m.Vars() != in.Vars() || m.Size() != in.Size() || m.Width() != in.Width() {
		t.Fatalf("%v sets, %d variables, %d nodes, %d limbs, want %v, %d, %d, %d", m.Count(), m.Vars(), m.Size(), m.Width(),
			in.Count(), in.Vars(), in.Size(), in.Width())
	}
	last := new(big.Int).Sub(in.Count(), big.NewInt(1))
	for k := int64(0); k < int64(ranks) && last.Sign() >= 0; k++ {
		rank := new(big.Int).Mul(last, big.NewInt(k))
		rank.Div(rank, big.NewInt(max(1, int64(ranks)-1)))
		want, _ := in.Unrank(limb.Of(rank, in.Width()), nil)
		got, err := m.Unrank(limb.Of(rank, m.Width()), nil)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("rank %v: %v, %v, want %v", rank, got, err, want)
		}
		for _, of := range []Counted{in, m} {
			if r, err := of.Rank(got); err != nil || r.Cmp(rank) != 0 {
				t.Fatalf("the rank of %v is %v, %v, want %v", got, r, err, rank)
			}
		}
		checkNoMember(t, in, m, got)
	}
}

// checkNoMember ranks sets that differ by a variable from a set of the family.
func checkNoMember(t *testing.T, in, m Counted, set []int) {
	t.Helper()
	for v := range min(in.Vars(), 20) {
		other := slices.Clone(set)
		if at, ok := slices.BinarySearch(other, v); ok {
			other = slices.Delete(other, at, at+1)
		} else {
			other = slices.Insert(other, at, v)
		}
		want, wantErr := in.Rank(other)
		got, err := m.Rank(other)
		if !errors.Is(err, wantErr) || wantErr == nil && got.Cmp(want) != 0 {
			t.Fatalf("the rank of %v is %v, %v, want %v, %v", other, got, err, want, wantErr)
		}
	}
}

func TestMapped(t *testing.T) {
	checkMapped(t, build(t, dominoes()), 3)
	checkMapped(t, build(t, boardSpec(8, 8, []shape{{{0, 0}, {0, 1}}, {{0, 0}, {1, 0}}, {{0, 0}}})), 300)
	checkMapped(t, build(t, powerSet(300)), 100)
	for _, vars := range []int{0, 1, 5, 1000} {
		checkMapped(t, must[*Diagram](t)(Empty(vars)), 1)
		checkMapped(t, must[*Diagram](t)(Unit(vars)), 1)
	}
	checkMapped(t, singleton(t, 100_000, 3, 99_000, 99_999), 1)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		checkMapped(t, listed(t, 12, randomSets(rng, 12)), 40)
	}
}

// TestMappedOfWrongBytes changes bytes where no checksum sees it: whatever comes is no
// panic, no walk without an end, and sets are of the variables.
func TestMappedOfWrongBytes(t *testing.T) {
	d := build(t, boardSpec(4, 4, []shape{{{0, 0}, {0, 1}}, {{0, 0}, {1, 0}}, {{0, 0}}}))
	nodes := encoded(t, d)
	_, counts := encodedCounts(t, d)
	for i := range len(nodes) + len(counts) {
		all := slices.Concat(nodes, counts)
		all[i] ^= 1 << (i % 8)
		m, err := mappedOf(all[:len(nodes)], all[len(nodes):])
		if err != nil {
			if !errors.Is(err, ErrEncoding) && !errors.Is(err, ErrVersion) && !errors.Is(err, ErrLimit) {
				t.Fatalf("byte %d: %v", i, err)
			}
			continue
		}
		for k := range int64(50) {
			rank := big.NewInt(k * 7)
			if rank.Cmp(m.Count()) >= 0 {
				break
			}
			set, err := m.Unrank(limb.Of(rank, m.Width()), nil)
			if err != nil {
				continue
			}
			if again, err := m.Rank(set); err != nil || again.Cmp(rank) != 0 || !slices.IsSorted(set) {
				t.Fatalf("byte %d: rank %v is %v, whose rank is %v, %v", i, rank, set, again, err)
			}
		}
	}
	for n := range counts {
		if _, err := mappedOf(nodes, counts[:n]); !errors.Is(err, ErrEncoding) {
			t.Fatalf("%d bytes of counts: %v", n, err)
		}
	}
	for n := range nodes {
		if _, err := mappedOf(nodes[:n], counts); !errors.Is(err, ErrEncoding) {
			t.Fatalf("%d bytes of nodes: %v", n, err)
		}
	}
	if _, err := mappedOf(nodes, append(counts, 0)); !errors.Is(err, ErrEncoding) {
		t.Errorf("a byte more: %v", err)
	}
}

// FuzzMapped reads any bytes in place: there is no panic, no walk without an end, and a set that
// has a rank is found by it.
func FuzzMapped(f *testing.F) {
	d := build(f, dominoes())
	_, counts := encodedCounts(f, d)
	f.Add(encoded(f, d), counts)
	f.Add(encoded(f, must[*Diagram](f)(Empty(3))), []byte{0, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, nodes, counts []byte) {
		m, err := mappedOf(nodes, counts)
		if err != nil {
			return
		}
		rank := new(big.Int)
		for k := 0; k < 20 && rank.Cmp(m.Count()) < 0; k++ {
			set, err := m.Unrank(limb.Of(rank, m.Width()), nil)
			if err == nil {
				again, err := m.Rank(set)
				if err != nil || again.Cmp(rank) != 0 {
					t.Fatalf("rank %v is %v, whose rank is %v, %v", rank, set, again, err)
				}
			}
			rank.Add(rank, big.NewInt(1+int64(k*k)))
		}
	})
}
