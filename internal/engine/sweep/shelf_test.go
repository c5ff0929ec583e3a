package sweep

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/blockfile"
	"github.com/pavage/pavage/internal/test/testkit"
)

// TestShelf compares the levels of a run that has enough memory with levels that go to disk and
// back.
func TestShelf(t *testing.T) {
	a, err := automaton.Compile(context.Background(), problem(t, "10x10", "tetrominoes=any"))
	if err != nil {
		t.Fatal(err)
	}
	here := New[[1]uint64](a, Config{Value: Count{}, once: true})
	var there []*Sweep[[1]uint64]
	for _, c := range []Config{
		{Value: Count{}, Threads: 4, Memory: 8 << 20}, // enough for one level
		{Value: Count{}, Threads: 1, Memory: 6 << 20},
		{Value: Count{}, Threads: 2, Memory: 9 << 20},
	}[:testkit.Size(1, 3)] {
		c.Disk = t.TempDir()
		there = append(there, New[[1]uint64](a, c))
	}
	shelved := make([]int, len(there))
	for range a.Steps() {
		advance(t, here)
		for i, r := range there {
			advance(t, r)
			if r.in.shelf() != nil {
				shelved[i]++
			}
			compareShelved(t, here, r)
		}
	}
	for i, r := range there {
		if shelved[i] < 20 || r.in.shelf() != nil {
			t.Errorf("%d levels were on disk, the last %v", shelved[i], r.in.shelf())
		}
		if peak := r.Effort().Bytes; peak > r.c.Memory {
			t.Errorf("%d bytes used, %d allowed", peak, r.c.Memory)
		}
		if left, err := os.ReadDir(r.c.Disk); err != nil || len(left) > 0 {
			t.Errorf("left on disk: %v, %v", left, err)
		}
	}
}

// compareShelved compares a level in memory with a level that may be on disk.
func compareShelved(t *testing.T, here, there *Sweep[[1]uint64]) {
	t.Helper()
	if here.in.n != there.in.n || here.Total().Cmp(there.Total()) != 0 {
		t.Fatalf("level %d: %d states, total %v; on disk %d, %v", here.at, here.in.n, here.Total(), there.in.n, there.Total())
	}
	if here.at%20 == 0 && !bytes.Equal(levelBytes(t, here), levelBytes(t, there)) {
		t.Fatalf("level %d is another on disk", here.at)
	}
}

// TestShelfAgain: levels may go to disk and come back any number of times, as on nine boards in a
// row.
func TestShelfAgain(t *testing.T) {
	one := problem(t, "8x9", "tetrominoes=any")
	p := &cover.Problem{}
	var order []int
	for range 9 {
		from := len(p.Items)
		p.Items = append(p.Items, one.Items...)
		for _, o := range one.Options {
			moved := slices.Clone(o)
			for i := range moved {
				moved[i].Item += from
			}
			p.Options = append(p.Options, moved)
		}
		for _, i := range one.Orders[0] {
			order = append(order, i+from)
		}
	}
	a, err := automaton.Compile(context.Background(), p, order)
	if err != nil {
		t.Fatal(err)
	}
	// With a residue, for counts would need more limbs from board to board.
	r := New[[1]uint64](a, Config{Whole: true, Value: Residues{1_000_003}, Threads: 1, Memory: 2600 << 10, Disk: t.TempDir()})
	times := 0
	for range a.Steps() {
		was := r.in.shelf() != nil
		advance(t, r)
		if is := r.in.shelf() != nil; is && !was {
			times++
		}
	}
	if times < 9 {
		t.Errorf("levels went to disk %d times", times)
	}
}

// levelBytes returns the states of a level, saved.
func levelBytes(t *testing.T, r *Sweep[[1]uint64]) []byte {
	t.Helper()
	var b bytes.Buffer
	s := blockfile.Append(&b, 0)
	err := r.in.EachSlab(func(keys [][1]uint64, counts []uint64) error {
		s.Block(func(buf []byte) []byte { return blockfile.AppendStates(buf, keys, counts, r.in.words) })
		return s.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// shelvedRun returns a run whose level is on disk.
func shelvedRun(t *testing.T) *Sweep[[1]uint64] {
	t.Helper()
	a, err := automaton.Compile(context.Background(), problem(t, "10x10", "tetrominoes=any"))
	if err != nil {
		t.Fatal(err)
	}
	r := New[[1]uint64](a, Config{Whole: true, Value: Count{}, Threads: 2, Memory: 15 << 20, Disk: t.TempDir()})
	for r.in.shelf() == nil {
		advance(t, r)
	}
	return r
}

// TestShelfLetsGo: a step that is out of memory tries again with fewer slabs in memory, and frees
// the slabs over the limit. (Tetrominoes on 12x13 failed with 100 MB, after 104 of 156 levels.)
func TestShelfLetsGo(t *testing.T) {
	r := shelvedRun(t)
	for r.in.n < 1<<19 {
		advance(t, r)
	}
	if err := r.Present().EachSlab(func([][1]uint64, []uint64) error { return nil }); err != nil {
		t.Fatal(err)
	}
	before := r.in.shelf().atHand
	r.c.Memory = 7 << 20 // TestShelf has runs that need no more
	r.store.limit = r.c.Memory
	advance(t, r)
	if before < 4 {
		t.Errorf("only %d slabs were at hand", before)
	}
}

// TestShelfDamage: if any byte of a slab on disk is changed, the step that reads the slab fails.
func TestShelfDamage(t *testing.T) {
	r := shelvedRun(t)
	h := r.in.shelf()
	s := h.slabs[1]
	for _, at := range []int64{0, 3, 4, 5, s.length / 2, s.length - 1} {
		var b [1]byte
		if _, err := h.file.ReadAt(b[:], s.at+at); err != nil {
			t.Fatal(err)
		}
		flip := func() {
			b[0] ^= 0x10
			if _, err := h.file.WriteAt(b[:], s.at+at); err != nil {
				t.Fatal(err)
			}
		}
		flip()
		if _, err := r.Step(context.Background()); !errors.Is(err, ErrDisk) || !errors.Is(err, ErrDamaged) {
			t.Errorf("byte %d changed: %v", at, err)
		}
		flip()
	}
	advance(t, r)
}

// TestShelfWithoutRoom: without a directory, or memory for the slabs that a step reads at once, a
// step fails. Then the level can still be saved.
func TestShelfWithoutRoom(t *testing.T) {
	a, err := automaton.Compile(context.Background(), problem(t, "10x10", "tetrominoes=any"))
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]error{"/nowhere": ErrDisk, t.TempDir(): ErrMemory} {
		r := New[[1]uint64](a, Config{Whole: true, Value: Count{}, Threads: 2, Memory: 3 << 20, Disk: dir})
		var err error
		for err == nil && r.at < a.Steps() {
			_, err = r.Step(context.Background())
		}
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", dir, err, want)
		}
		at := r.at
		if err := r.Save(&bytes.Buffer{}); err != nil || r.at != at {
			t.Errorf("%s: not saved: %v", dir, err)
		}
	}
}

// TestResumeOnDisk resumes a saved level that does not fit in memory.
func TestResumeOnDisk(t *testing.T) {
	a, err := automaton.Compile(context.Background(), problem(t, "10x10", "tetrominoes=any"))
	if err != nil {
		t.Fatal(err)
	}
	r := New[[1]uint64](a, Config{Whole: true, Value: Count{}})
	for r.in.n < 6*SlabStates {
		advance(t, r)
	}
	level := saved(t, r)
	again, err := Resume(a, bytes.NewReader(level), Config{Whole: true, Value: Count{}, Threads: 1, Memory: 7 << 20, Disk: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if states(saved(t, again)) != states(level) || again.(*Sweep[[1]uint64]).in.shelf() == nil {
		t.Error("another level is on disk")
	}
	for range 3 {
		advance(t, r)
		advance(t, again)
		if states(saved(t, again)) != states(saved(t, r)) {
			t.Fatalf("level %d is another on disk", r.at)
		}
	}
}

// TestBeginOnDisk begins at a level that does not fit in memory, with residues, and goes on from it.
func TestBeginOnDisk(t *testing.T) {
	a, err := automaton.Compile(context.Background(), problem(t, "10x10", "tetrominoes=any"))
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Value: Checked(1<<63 - 25), Threads: 1}
	here := New[one](a, c)
	for here.in.n < 5*SlabStates {
		advance(t, here)
	}
	var keys []one
	var counts []uint64
	if err := here.Present().EachSlab(func(k []one, n []uint64) error {
		keys, counts = append(keys, k...), append(counts, n...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	next := func() (k []one, n []uint64, err error) {
		some := min(len(keys), 50_000) // fewer than a slab has
		k, keys, n, counts = keys[:some], keys[some:], counts[:2*some], counts[2*some:]
		return k, n, nil
	}
	c.Memory, c.Disk = 12<<20, t.TempDir()
	there, err := Begin(a, here.at, here.in.limbs(), next, c)
	if err != nil || there.in.shelf() == nil {
		t.Fatalf("%v: not on disk", err)
	}
	compareShelved(t, here, there)
	for range 5 {
		advance(t, here)
		advance(t, there)
		if here.in.n != there.in.n || !bytes.Equal(levelBytes(t, here), levelBytes(t, there)) {
			t.Fatalf("level %d is another on disk", here.at)
		}
	}
	if peak := there.Effort().Bytes; peak > c.Memory {
		t.Errorf("%d bytes used, %d allowed", peak, c.Memory)
	}
}
