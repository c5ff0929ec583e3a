package sweep

import (
	"bytes"
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/testkit"
)

// jumpingAt is a run that jumps from the levels that a seed picks.
func jumpingAt(seed uint64, threads int) Config {
	return Config{Counts: true, Jump: true, Threads: threads, chunk: 3, jumps: func(level int) bool {
		rng := rand.New(rand.NewPCG(seed, uint64(level/4)))
		return seed%4 == 0 || rng.IntN(3) > 0
	}}
}

// TestJumpingCountsAsTheOracle jumps at random through random covers, with keys of one word and
// of several.
func TestJumpingCountsAsTheOracle(t *testing.T) {
	words, jumped := map[int]int{}, int64(0)
	for seed := range uint64(testkit.Size(600, 5000)) {
		p := randomCover(seed, 11)
		if seed%3 == 1 {
			p = oracle.RandomGrid(rand.New(rand.NewPCG(seed, 12)))
		}
		solutions, err := oracle.Within(p, 1<<14)
		if errors.Is(err, oracle.ErrTooBig) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		wide, order := stretch(p, []int{0, 0, 0, 50, 65, 130}[seed%6])
		a, err := automaton.Compile(t.Context(), wide, order)
		if errors.Is(err, automaton.ErrTooWide) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if !a.Feasible {
			continue
		}
		total, effort, _ := trace(t, a, jumpingAt(seed, 1+int(seed%2)*3))
		if total.Cmp(big.NewInt(int64(len(solutions)))) != 0 {
			t.Fatalf("seed %d, %d words: %v, want %d", seed, a.Words, total, len(solutions))
		}
		words[a.Words]++
		jumped += effort.Jumped
	}
	if len(words) < 3 || jumped == 0 {
		t.Errorf("covers by words of keys %v, %d states were jumped", words, jumped)
	}
}

// level is what is known of a level: its states, their counts and how many ways there are on.
type knownLevel struct {
	ways    map[automaton.State]*big.Int
	futures map[automaton.State]int64
}

// known goes through all levels without jumping, and back along the arcs.
func known(t *testing.T, a *automaton.Automaton) []knownLevel {
	t.Helper()
	r := Start(a, Config{Counts: true, Arcs: true, Threads: 1})
	var all []knownLevel
	var states [][]automaton.State
	var arcs []*Arcs
	for {
		l := knownLevel{map[automaton.State]*big.Int{}, map[automaton.State]int64{}}
		var in []automaton.State
		err := r.EachState(func(s automaton.State, ways []uint64) error {
			in = append(in, s)
			l.ways[s] = bigOf(ways)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		all, states = append(all, l), append(states, in)
		if r.Level() == a.Steps() {
			break
		}
		x, err := r.Step(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		arcs = append(arcs, &Arcs{Start: slices.Clone(x.Start), Child: slices.Clone(x.Child)})
	}
	for _, s := range states[a.Steps()] {
		all[a.Steps()].futures[s] = 1
	}
	for i := a.Steps() - 1; i >= 0; i-- {
		for k, s := range states[i] {
			for _, child := range arcs[i].Child[arcs[i].Start[k]:arcs[i].Start[k+1]] {
				all[i].futures[s] += all[i+1].futures[states[i+1][child]]
			}
		}
	}
	return all
}

func bigOf(ways []uint64) *big.Int {
	n := new(big.Int)
	for _, w := range slices.Backward(ways) {
		n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(w))
	}
	return n
}

// TestJumpingHasTheSameLevels: a level from which a run jumped, saved and read by a run that does
// not jump, has the states and counts of an ordinary one, but for those that are dead.
func TestJumpingHasTheSameLevels(t *testing.T) {
	dead := 0
	for name, a := range resumable(t) {
		if name == "four limbs" {
			continue
		}
		levels := known(t, a)
		for seed := range uint64(2) {
			r := Start(a, jumpingAt(seed, 1+int(seed%2)*3))
			for r.Level() < a.Steps() {
				advance(t, r)
				plain, err := Resume(a, bytes.NewReader(saved(t, r)), Config{Counts: true, Threads: 1})
				if err != nil {
					t.Fatal(err)
				}
				dead += sameButDead(t, name, plain, levels[r.Level()])
			}
		}
	}
	if dead == 0 {
		t.Error("no dead state was dropped")
	}
}

// sameButDead compares a level with what is known of it, and returns how many dead states it
// is without.
func sameButDead(t *testing.T, name string, r Run, want knownLevel) (dead int) {
	t.Helper()
	has := map[automaton.State]bool{}
	err := r.EachState(func(s automaton.State, ways []uint64) error {
		has[s] = true
		if w := want.ways[s]; want.futures[s] > 0 && w.Cmp(bigOf(ways)) != 0 {
			t.Errorf("%s, level %d, state %x: %v ways, want %v", name, r.Level(), s, bigOf(ways), w)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for s := range want.ways {
		if !has[s] {
			dead++
			if want.futures[s] > 0 {
				t.Errorf("%s, level %d: state %x was dropped, from which %d ways go on", name, r.Level(), s, want.futures[s])
			}
		}
	}
	return dead
}

// TestJumpingResumes: a run that goes on from a saved level has the same levels, totals and
// effort behind it as one without a break, jumping or not, for every number of threads.
func TestJumpingResumes(t *testing.T) {
	for name, a := range resumable(t) {
		for seed := range uint64(2) {
			c := jumpingAt(seed, 1)
			all := levels(t, a, c)
			plain, _, _ := trace(t, a, Config{Counts: true})
			for k, level := range all {
				if k%(1+len(all)/8) != int(seed) && len(all) > 21 {
					continue
				}
				c := c
				c.Threads = 1 + k%2*3
				r, err := Resume(a, bytes.NewReader(level), c)
				if err != nil {
					t.Fatalf("%s, level %d: %v", name, k, err)
				}
				for j := k; ; j++ {
					if (j-k)%8 == 0 && states(saved(t, r)) != states(all[j]) {
						t.Fatalf("%s, seed %d: level %d is another after a break at %d", name, seed, j, k)
					}
					if j == a.Steps() {
						break
					}
					advance(t, r)
				}
				if r.Total().Cmp(plain) != 0 {
					t.Errorf("%s, level %d: %v, want %v", name, k, r.Total(), plain)
				}
			}
		}
	}
}

// TestJumpingStops: a step that is cancelled leaves the run as it was, and so does one without
// memory, which goes on without jumping.
func TestJumpingStops(t *testing.T) {
	a, err := automaton.Compile(t.Context(), problem(t, "6x7", "pentominoes=any", "domino=0..1"))
	if err != nil {
		t.Fatal(err)
	}
	want, _, _ := trace(t, a, Config{Counts: true})
	c := jumpingAt(0, 2)
	r := Start(a, c)
	advance(t, r) // takes off
	for looks := 0; r.Level() < a.Steps() && looks < 1000; looks++ {
		before := saved(t, r)
		_, err := r.Step(testkit.AfterLooks(t, looks%8))
		if err != nil && (!errors.Is(err, context.DeadlineExceeded) || states(saved(t, r)) != states(before)) {
			t.Fatalf("level %d: %v, and the level is the same: %v", r.Level(), err, states(saved(t, r)) == states(before))
		}
	}
	if r.Total().Cmp(want) != 0 {
		t.Errorf("with cancelled steps: %v, want %v", r.Total(), want)
	}
	failed := 0
	for memory := int64(1 << 16); memory < 1<<22; memory += memory / 3 {
		c.Memory = memory
		r := Start(a, c)
		for err = nil; err == nil && r.Level() < a.Steps(); {
			_, err = r.Step(t.Context())
		}
		switch {
		case errors.Is(err, ErrMemory):
			failed++
		case err != nil || r.Total().Cmp(want) != 0:
			t.Errorf("with %d bytes: %v, %v, want %v", memory, r.Total(), err, want)
		case r.Effort().Bytes > memory:
			t.Errorf("with %d bytes: took %d", memory, r.Effort().Bytes)
		}
	}
	if failed == 0 {
		t.Error("no memory was too small")
	}
}

// TestJumpingModuli: residues are those of the count.
func TestJumpingModuli(t *testing.T) {
	a, err := automaton.Compile(t.Context(), problem(t, "12x4", "L3=any", "monomino=any"))
	if err != nil {
		t.Fatal(err)
	}
	want, _, _ := trace(t, a, Config{Counts: true})
	for _, moduli := range [][]uint64{{MaxModulus}, {97}, {1<<61 - 1, 2, MaxModulus - 1}} {
		c := jumpingAt(0, 2)
		c.Moduli = moduli
		r := Start(a, c)
		for r.Level() < a.Steps() {
			advance(t, r)
		}
		got, err := r.Residues()
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range moduli {
			if x := new(big.Int).Mod(want, new(big.Int).SetUint64(m)); x.Uint64() != got[i] {
				t.Errorf("modulo %d: %d, want %v", m, got[i], x)
			}
		}
	}
}

// TestJumpingLandsOnDisk: a sweep that takes off wherever it may needs no more memory with a
// directory for levels than one that does not jump, also if it has the directory only when its
// memory has ended.
func TestJumpingLandsOnDisk(t *testing.T) {
	a, err := automaton.Compile(t.Context(), problem(t, "8x7", "pentominoes=any", "monomino=0..1"))
	if err != nil {
		t.Fatal(err)
	}
	want, _, _ := trace(t, a, Config{Counts: true})
	finish := func(c Config, disk string) error {
		r := Start(a, c)
		for r.Level() < a.Steps() {
			_, err := r.Step(t.Context())
			if errors.Is(err, ErrMemory) && disk != "" {
				r.UseDisk(disk)
				_, err = r.Step(t.Context())
			}
			if err != nil {
				return err
			}
		}
		if r.Total().Cmp(want) != 0 {
			t.Errorf("%d bytes: %v, want %v", c.Memory, r.Total(), want)
		}
		if c.Memory > 0 && r.Effort().Bytes > c.Memory {
			t.Errorf("%d bytes were taken, %d allowed", r.Effort().Bytes, c.Memory)
		}
		return nil
	}
	landed := 0
	for memory := int64(testkit.Size(5, 4)) << 20; memory <= int64(testkit.Size(5, 6))<<20; memory += 1 << 20 {
		plain := finish(Config{Counts: true, Threads: 2, Memory: memory, Disk: t.TempDir()}, "")
		if plain != nil && !errors.Is(plain, ErrMemory) {
			t.Fatal(plain)
		}
		c := jumpingAt(0, 2)
		c.Memory = memory
		alone := finish(c, "")
		if plain == nil && alone != nil {
			landed++
		}
		late := finish(c, t.TempDir())
		c.Disk = t.TempDir()
		if err := finish(c, ""); plain == nil && err != nil {
			t.Errorf("%d bytes: %v, but without jumping it worked", memory, err)
		}
		if plain == nil && late != nil {
			t.Errorf("%d bytes, on disk when memory had ended: %v", memory, late)
		}
	}
	if landed == 0 {
		t.Error("no run needed a disk to land")
	}
}

// TestJumpingLandsOnAShelf: what waits is put on a shelf and goes on from there.
func TestJumpingLandsOnAShelf(t *testing.T) {
	a, err := automaton.Compile(t.Context(), problem(t, "6x7", "pentominoes=any", "domino=0..1"))
	if err != nil {
		t.Fatal(err)
	}
	want, _, _ := trace(t, a, Config{Counts: true})
	c := jumpingAt(0, 2)
	c.Memory, c.Disk = 1<<26, t.TempDir()
	r := New[[1]uint64](a, c)
	for r.Level() < a.Steps()/2 {
		advance(t, r)
	}
	r.jumping.allowed = false
	r.startShelving()
	if err := r.land(t.Context()); err != nil || r.Jumping() || r.in.shelf() == nil || r.in.n < 1000 {
		t.Fatalf("%v, jumping %v, %d states", err, r.Jumping(), r.in.n)
	}
	for r.Level() < a.Steps() {
		advance(t, r)
	}
	if r.Total().Cmp(want) != 0 || r.Effort().Disk == 0 {
		t.Errorf("%v, want %v", r.Total(), want)
	}
}
