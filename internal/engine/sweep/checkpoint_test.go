package sweep

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/blockfile"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/testkit"
)

// resumable returns automata of one to eight words, with pockets, counters of all kinds, optional
// cells, and counts of up to four limbs.
func resumable(t testing.TB) map[string]*automaton.Automaton {
	t.Helper()
	automata := map[string]*automaton.Automaton{}
	add := func(name string, p *cover.Problem, orders ...[]int) {
		a, err := automaton.Compile(context.Background(), p, orders...)
		if err != nil {
			t.Fatal(err)
		}
		automata[name] = a
	}
	add("dominoes", problem(t, "5x4", "domino=any"))
	add("pockets", problem(t, "3x10", "I5", "L5", "P5", "U5", "V5", "N5"))
	add("counters", problem(t, "4x5", "domino=0..3", "monomino=2..", "L3=1..2", "I3"))
	add("optional", problem(t, "####\n#oo#\n####", "domino=any", "I3=0..1"))
	add("repeated rows", problem(t, "12x4", "L3=any", "monomino=any"))
	p := problem(t, "4x4", "tetrominoes=any", "monomino=any")
	for words, padding := range map[int]int{2: 60, 3: 130, 4: 190, 8: 260} {
		wide, order := stretch(p, padding)
		add(fmt.Sprintf("%d words", words), wide, order)
	}
	tall := problem(t, "100x2", "domino=any", "monomino=any")
	add("four limbs", tall, tall.Orders[0])
	return automata
}

func saved(t testing.TB, r Run) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := r.Save(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func advance(t testing.TB, r Run) {
	t.Helper()
	if _, err := r.Step(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// levels returns all levels of a run, saved.
func levels(t testing.TB, a *automaton.Automaton, c Config) [][]byte {
	t.Helper()
	r := Start(a, c)
	all := [][]byte{saved(t, r)}
	for range a.Steps() {
		advance(t, r)
		all = append(all, saved(t, r))
	}
	return all
}

// The sizes of the fields around a block, and before the first block: see blockfile.
const (
	lengthSize, crcSize = 4, 4
	preambleSize        = 16
)

// states returns the blocks of a saved level, and its effort without the bytes.
func states(level []byte) string {
	const bytesAt = 16 + lengthSize + 32 + 24 + 24
	return string(level[:bytesAt]) + string(level[bytesAt+8+crcSize:len(level)-32])
}

// TestResumeFromEveryLevel: after a saved level, a resumed run has the same levels, totals and
// effort as a run without a break.
func TestResumeFromEveryLevel(t *testing.T) {
	words, limbs := map[int]bool{}, map[uint32]bool{}
	for name, a := range resumable(t) {
		for _, c := range []Config{
			{Value: Count{}, Threads: 1}, {Value: Count{}, Threads: 3, chunk: 20}, {Threads: 3, chunk: 50},
		} {
			all := levels(t, a, c)
			words[a.Words] = true
			for k, level := range all {
				limbs[binary.LittleEndian.Uint32(level[16+lengthSize+32+4:])] = true
				if k%testkit.Size(29, 11) != 0 && k < len(all)-3 && len(all) > 45 {
					continue // of long runs, some
				}
				r, err := Resume(a, iotest.HalfReader(bytes.NewReader(level)), c)
				if err != nil {
					t.Fatalf("%s, level %d: %v", name, k, err)
				}
				for j := k; ; j++ {
					if ((j-k)%testkit.Size(8, 1) == 0 || j == a.Steps()) && states(saved(t, r)) != states(all[j]) {
						t.Fatalf("%s, %+v: level %d is another after a break at %d", name, c, j, k)
					}
					if j == a.Steps() {
						break
					}
					advance(t, r)
				}
			}
		}
	}
	if len(words) != len(key.Widths()) || len(limbs) < 4 {
		t.Errorf("words of keys %v, limbs %v", words, limbs)
	}
}

// TestResumeRandomCovers breaks the sweeps of random covers at random levels.
func TestResumeRandomCovers(t *testing.T) {
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		p := randomCover(seed, 5)
		want, err := oracle.Count(p)
		if err != nil {
			t.Fatal(err)
		}
		a, err := automaton.Compile(context.Background(), p)
		if err != nil || !a.Feasible {
			continue
		}
		c := Config{Value: Count{}, Threads: 2, chunk: 3}
		r := Start(a, c)
		for range a.Steps() {
			if rnd.IntN(3) == 0 {
				if r, err = Resume(a, bytes.NewReader(saved(t, r)), c); err != nil {
					t.Fatal(err)
				}
			}
			advance(t, r)
		}
		if r.Total().Cmp(big.NewInt(int64(want))) != 0 {
			t.Errorf("seed %d: %v, want %d", seed, r.Total(), want)
		}
	}
}

// TestResumeInterrupted saves after a step that was cut short at its n-th look at the context,
// while counts need another limb, or by memory.
func TestResumeInterrupted(t *testing.T) {
	p := problem(t, "9x9", "domino=any", "monomino=any")
	a, err := automaton.Compile(context.Background(), p, p.Orders[0])
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Value: Count{}, Threads: 1, chunk: 100}
	all := levels(t, a, c)
	for n := range 60 {
		r := Start(a, c)
		k := 0
		for ctx := testkit.AfterLooks(t, n*3); k < a.Steps(); k++ {
			if _, err = r.Step(ctx); err != nil {
				break
			}
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("%d looks: %v", n, err)
		}
		if states(saved(t, r)) != states(all[k]) {
			t.Fatalf("level %d is another after it was interrupted", k)
		}
	}
	c.Memory = 20_000
	r, k := Start(a, c), 0
	for ; err == nil || errors.Is(err, context.DeadlineExceeded); k++ {
		_, err = r.Step(context.Background())
	}
	if !errors.Is(err, ErrMemory) || states(saved(t, r)) != states(all[k-1]) {
		t.Errorf("out of memory at level %d: %v, or another level", k-1, err)
	}
}

// sampleLevel returns a saved level of two blocks, small enough for a test of every byte.
func sampleLevel(t testing.TB) (*automaton.Automaton, Config, []byte) {
	t.Helper()
	p := problem(t, "9x9", "tetrominoes=any", "monomino=any")
	a, err := automaton.Compile(context.Background(), p, p.Orders[0])
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Value: Count{}, Threads: 1}
	r := Start(a, c)
	for r.States() <= blockfile.States {
		advance(t, r)
	}
	return a, c, saved(t, r)
}

// TestDamage: every changed byte and every truncation are noticed, and the error names a block.
func TestDamage(t *testing.T) {
	small, err := automaton.Compile(context.Background(), problem(t, "4x4", "domino=any", "I3=1..2"))
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Value: Count{}, Threads: 1}
	r := Start(small, c)
	for range 6 {
		advance(t, r)
	}
	a, _, large := sampleLevel(t)
	for _, s := range []struct {
		a      *automaton.Automaton
		level  []byte
		stride int
	}{{small, saved(t, r), 1}, {a, large, 97}} {
		blocks := blockOf(s.level)
		want := func(what string, at int, damaged []byte) {
			t.Helper()
			block := fmt.Sprintf(": block %d: ", blocks[at])
			if _, err := Resume(s.a, bytes.NewReader(damaged), c); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), block) {
				t.Errorf("%s of %d, %s: error %v", what, len(s.level), block, err)
			}
		}
		for i := 0; i < len(s.level); i += s.stride {
			for _, flip := range []byte{1, 0x80, 0xff} {
				damaged := bytes.Clone(s.level)
				damaged[i] ^= flip
				want(fmt.Sprintf("byte %d ^ %x", i, flip), i, damaged)
			}
			want(fmt.Sprintf("truncated to %d bytes", i), i, s.level[:i])
		}
		want("a byte more", len(s.level)-1, append(bytes.Clone(s.level), 0))
	}
}

// blockOf returns the block of each byte. The bytes before the first block belong to the first
// block, the bytes after the last block to the last.
func blockOf(level []byte) []int {
	blocks := make([]int, 16)
	for number := 0; len(blocks) < len(level)-32; number++ {
		size := lengthSize + int(binary.LittleEndian.Uint32(level[len(blocks):])) + crcSize
		blocks = append(blocks, slices.Repeat([]int{number}, size)...)
	}
	return append(blocks, slices.Repeat(blocks[len(blocks)-1:], 32)...)
}

// forged returns a saved level whose head was changed, with checksums that fit.
func forged(level []byte, change func(h *saveHead)) []byte {
	const at = 16 + lengthSize
	var h saveHead
	_, err := binary.Decode(level[at:], binary.LittleEndian, &h)
	if err != nil {
		panic(err)
	}
	change(&h)
	var b bytes.Buffer
	s := blockfile.Append(&b, 0)
	s.Block(func(buf []byte) []byte {
		buf, _ = binary.Append(buf, binary.LittleEndian, h)
		return buf
	})
	return append(append(bytes.Clone(level[:16]), b.Bytes()...), level[16+b.Len():]...)
}

// TestForged: a head with sound checksums and absurd sizes causes no allocation.
func TestForged(t *testing.T) {
	a, c, level := sampleLevel(t)
	for name, tc := range map[string]struct {
		change func(h *saveHead)
		memory int64
		want   error
	}{
		"2^60 states":     {func(h *saveHead) { h.States = 1 << 60 }, 0, ErrDamaged},
		"2^31 states":     {func(h *saveHead) { h.States = 1 << 31 }, 0, ErrDamaged}, // the file ends too soon
		"over memory":     {func(h *saveHead) { h.States = 1 << 31 }, 1 << 30, ErrMemory},
		"2^31 limbs":      {func(h *saveHead) { h.Limbs = 1 << 31 }, 0, ErrDamaged},
		"level 2^32-1":    {func(h *saveHead) { h.Level = 1<<32 - 1 }, 0, ErrDamaged},
		"fewer states":    {func(h *saveHead) { h.States-- }, 0, ErrDamaged},
		"no counts":       {func(h *saveHead) { h.Limbs = 0 }, 0, ErrForeign},
		"another puzzle":  {func(h *saveHead) { h.Print[5]++ }, 0, ErrForeign},
		"a block of 4 GB": {func(*saveHead) {}, 0, ErrDamaged},
		"unchanged sum":   {func(h *saveHead) { h.Effort.States++ }, 0, ErrDamaged},
	} {
		c := c
		c.Memory = tc.memory
		file := forged(level, tc.change)
		if name == "a block of 4 GB" {
			binary.LittleEndian.PutUint32(file[16+lengthSize+binary.Size(saveHead{})+crcSize:], math.MaxUint32)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Resume(a, bytes.NewReader(file), c); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", name, err, tc.want)
		}
		runtime.ReadMemStats(&after)
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 2<<20 {
			t.Errorf("%s: %d bytes allocated", name, allocated)
		}
	}
}

// TestForeign: a level of one automaton is refused by every other.
func TestForeign(t *testing.T) {
	var all []*automaton.Automaton
	for _, a := range resumable(t) {
		all = append(all, a)
	}
	p := problem(t, "5x4", "domino=any") // in its other order
	for _, order := range p.Orders {
		a, err := automaton.Compile(context.Background(), p, order)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	c := Config{Value: Count{}, Threads: 1}
	refused := 0
	for i, a := range all {
		level := saved(t, Start(a, c))
		for k, b := range all {
			_, err := Resume(b, bytes.NewReader(level), c)
			if a.Print() == b.Print() {
				if err != nil || i != k && i < len(all)-3 && k < len(all)-3 {
					t.Errorf("automaton %d: level of %d: %v", k, i, err)
				}
				continue
			}
			if refused++; !errors.Is(err, ErrForeign) {
				t.Errorf("automaton %d goes on with a level of %d: %v", k, i, err)
			}
		}
	}
	if refused < 80 {
		t.Errorf("only %d refused", refused)
	}
}

// TestResumeMemory: reading a level respects the limit, and counts the memory that it uses.
func TestResumeMemory(t *testing.T) {
	a, c, level := sampleLevel(t)
	r, err := Resume(a, bytes.NewReader(level), c)
	if err != nil {
		t.Fatal(err)
	}
	run := r.(*Sweep[[1]uint64])
	if used, want := run.store.used.Load(), run.inUse(); used != want {
		t.Errorf("%d bytes counted, there are %d", used, want)
	}
	for _, limit := range []int64{1, 60_000, run.store.used.Load() - 1} {
		c.Memory = limit
		if _, err := Resume(a, bytes.NewReader(level), c); !errors.Is(err, ErrMemory) {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
}

// TestSaveErrors: errors of writers and readers are returned.
func TestSaveErrors(t *testing.T) {
	a, c, level := sampleLevel(t)
	full := errors.New("full")
	r, err := Resume(a, bytes.NewReader(level), c)
	if err != nil {
		t.Fatal(err)
	}
	for room := 0; room < len(level); room += 500 {
		if err := r.Save(&limited{room, full}); !errors.Is(err, full) {
			t.Errorf("room for %d of %d bytes: %v", room, len(level), err)
		}
		broken := io.MultiReader(bytes.NewReader(level[:room]), iotest.ErrReader(full))
		if _, err := Resume(a, broken, c); !errors.Is(err, full) {
			t.Errorf("%d of %d bytes readable: %v", room, len(level), err)
		}
	}
}

// limited is a writer with room for a number of bytes.
type limited struct {
	room int
	err  error
}

func (w *limited) Write(b []byte) (int, error) {
	if w.room -= len(b); w.room < 0 {
		return 0, w.err
	}
	return len(b), nil
}

// FuzzResume: any file is a level or an error.
func FuzzResume(f *testing.F) {
	a, err := automaton.Compile(context.Background(), problem(f, "4x4", "domino=any", "I3=1..2"))
	if err != nil {
		f.Fatal(err)
	}
	r := Start(a, Config{Value: Count{}, Threads: 1})
	for range a.Steps() {
		f.Add(saved(f, r))
		advance(f, r)
	}
	f.Fuzz(func(t *testing.T, level []byte) {
		d := blockfile.Decoder[[2]uint64]{Limbs: 2}
		for n := range 5 {
			d.Decode(level, n)
		}
		if r, err := Resume(a, bytes.NewReader(level), Config{Value: Count{}, Threads: 1}); err == nil {
			if got := saved(t, r); states(got) != states(level) {
				t.Errorf("it reads as another level")
			}
		}
	})
}

func BenchmarkSave(b *testing.B) {
	p := problem(b, "10x10", "tetrominoes=any")
	a, err := automaton.Compile(context.Background(), p)
	if err != nil {
		b.Fatal(err)
	}
	c := Config{Value: Count{}, Threads: 1}
	r := Start(a, c)
	for r.States() < 300_000 {
		advance(b, r)
	}
	level := saved(b, r)
	perState := float64(len(level)) / float64(r.States())
	b.Run("write", func(b *testing.B) {
		b.SetBytes(int64(len(level)))
		for b.Loop() {
			if err := r.Save(io.Discard); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(perState, "B/state")
	})
	b.Run("read", func(b *testing.B) {
		b.SetBytes(int64(len(level)))
		for b.Loop() {
			if _, err := Resume(a, bytes.NewReader(level), c); err != nil {
				b.Fatal(err)
			}
		}
	})
}
