package sweep

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/testkit"
)

// primes has primes below most counts, and the largest prime below MaxModulus.
var primes = []uint64{2, 5, 1_000_003, MaxModulus - 25}

// wantResidues checks that every state of the present level has the residue of its count, and that
// the sum of the residues is the residue of the sum.
func wantResidues[K key.Key](t testing.TB, r *Sweep[K]) {
	t.Helper()
	l, prime := r.Present(), new(big.Int).SetUint64(checkOf(r.c.Value))
	sum, words, states := new(big.Int), l.Limbs()+1, 0
	err := l.EachSlab(func(keys []K, counts []uint64) error {
		if states += len(keys); len(counts) != words*len(keys) {
			return fmt.Errorf("%d states have %d words", len(keys), len(counts))
		}
		for i := 0; i < len(counts); i += words {
			count := limb.Int(counts[i : i+words-1])
			sum.Add(sum, count)
			if count.Mod(count, prime).Uint64() != counts[i+words-1] {
				return fmt.Errorf("state %d: counts %d, the residue is %d", i/words, counts[i:i+words-1], counts[i+words-1])
			}
		}
		return nil
	})
	if err != nil || states != r.States() {
		t.Fatalf("level %d modulo %d, %d of %d states: %v", r.at, checkOf(r.c.Value), states, r.States(), err)
	}
	if r.Total().Cmp(sum) != 0 {
		t.Fatalf("level %d: the total is %v, want %v", r.at, r.Total(), sum)
	}
	got, err := r.Residues()
	if want := sum.Mod(sum, prime).Uint64(); err != nil || !slices.Equal(got, []uint64{want}) {
		t.Fatalf("level %d: the residues are %v, want %d, %v", r.at, got, want, err)
	}
}

// begun returns a run that begins with the states of another run, some at a time.
func begun[K key.Key](t testing.TB, from *Sweep[K], rng *rand.Rand, c Config) *Sweep[K] {
	t.Helper()
	var keys []K
	var counts []uint64
	limbs := from.Present().Limbs()
	err := from.Present().EachSlab(func(k []K, n []uint64) error {
		keys = append(keys, k...)
		for i := 0; i < len(n); i += limbs {
			counts = append(append(counts, n[i:i+limbs]...), limb.Residue(n[i:i+limbs], checkOf(c.Value)))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	next := func() ([]K, []uint64, error) {
		n := min(len(keys), 1+rng.IntN(100))
		k, x := keys[:n], counts[:n*(limbs+1)]
		keys, counts = keys[n:], counts[n*(limbs+1):]
		return k, x, nil
	}
	r, err := Begin(from.a, from.at, limbs, next, c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// checkedTo runs to the end, checks the residues of all levels, and returns their numbers of limbs.
func checkedTo[K key.Key](t testing.TB, r *Sweep[K]) (limbs []int) {
	t.Helper()
	for {
		wantResidues(t, r)
		if n := r.Present().Limbs(); !slices.Contains(limbs, n) {
			limbs = append(limbs, n)
		}
		if r.at == r.a.Steps() {
			return limbs
		}
		advance(t, r)
	}
}

// TestResiduesBesideCounts begins at random levels of random covers. Every state has the residue of
// its count, and the total is that of the oracle.
func TestResiduesBesideCounts(t *testing.T) {
	begunAbove := 0
	for seed := range uint64(testkit.Size(300, 3000)) {
		rng := rand.New(rand.NewPCG(seed, 31))
		p := randomCover(seed, 31)
		if seed%3 == 1 {
			p = oracle.RandomGrid(rng)
		}
		solutions, err := oracle.Within(p, 1<<14)
		if errors.Is(err, oracle.ErrTooBig) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		wide, order := stretch(p, []int{0, 0, 0, 65}[seed%4])
		a, err := automaton.Compile(t.Context(), wide, order)
		if err != nil {
			t.Fatal(err)
		}
		if !a.Feasible {
			continue
		}
		c := Config{Threads: 1 + 3*int(seed%2), chunk: 3, Value: Checked(primes[rng.IntN(len(primes))])}
		switch a.Words {
		case 1:
			begunAbove += besideCounts[[1]uint64](t, a, rng, c, len(solutions))
		case 2:
			begunAbove += besideCounts[[2]uint64](t, a, rng, c, len(solutions))
		}
	}
	if begunAbove < 100 {
		t.Errorf("only %d runs began above level 0", begunAbove)
	}
}

// besideCounts begins at level 0 and at another, whose number it returns if it is above 0 as 1.
func besideCounts[K key.Key](t *testing.T, a *automaton.Automaton, rng *rand.Rand, c Config, want int) int {
	t.Helper()
	first := New[K](a, c)
	checkedTo(t, first)
	plain := New[K](a, Config{Value: Count{}, Threads: 1})
	for at := rng.IntN(a.Steps() + 1); plain.at < at; {
		advance(t, plain)
	}
	again := begun(t, plain, rng, c)
	checkedTo(t, again)
	if n := big.NewInt(int64(want)); first.Total().Cmp(n) != 0 || again.Total().Cmp(n) != 0 {
		t.Fatalf("from the first level %v, from level %d %v, want %d", first.Total(), plain.at, again.Total(), want)
	}
	return min(1, plain.at)
}

// TestResiduesOfWideCounts: a step that is made again with one more limb keeps the residues, on any
// number of threads, also in a run that begins in the middle.
func TestResiduesOfWideCounts(t *testing.T) {
	a, err := automaton.Compile(t.Context(), problem(t, "60x6", "domino=any", "monomino=any"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 8))
	plain := New[one](a, Config{Value: Count{}, Threads: 1})
	for plain.at < 100 {
		advance(t, plain)
	}
	var totals []*big.Int
	for _, c := range []Config{{Threads: 1}, {Threads: 4, chunk: 20}} {
		c.Value = Checked(primes[3])
		r := New[one](a, c)
		if limbs := checkedTo(t, r); !slices.Equal(limbs, []int{1, 2, 3, 4, 5, 6}) {
			t.Errorf("counts had limbs %v", limbs)
		}
		if r.repeats.times > 0 {
			t.Errorf("%d steps were repeated", r.repeats.times)
		}
		b := begun(t, plain, rng, c)
		checkedTo(t, b)
		totals = append(totals, r.Total(), b.Total())
	}
	for plain.at < a.Steps() {
		advance(t, plain)
	}
	for _, x := range totals {
		if x.Cmp(plain.Total()) != 0 {
			t.Errorf("%v, want %v", x, plain.Total())
		}
	}
}

// TestResiduesOnDisk: levels that go to disk and come back keep their residues.
func TestResiduesOnDisk(t *testing.T) {
	a, err := automaton.Compile(t.Context(), problem(t, "10x10", "tetrominoes=any"))
	if err != nil {
		t.Fatal(err)
	}
	plain := New[one](a, Config{Value: Count{}, Threads: 2})
	for plain.at < 40 {
		advance(t, plain)
	}
	c := Config{Value: Checked(primes[3]), Threads: 2, Memory: 12 << 20, Disk: t.TempDir()}
	r := begun(t, plain, rand.New(rand.NewPCG(9, 10)), c)
	shelved := 0
	for r.at < 52 {
		advance(t, plain)
		advance(t, r)
		if r.in.shelf() != nil {
			shelved++
		}
	}
	wantResidues(t, r)
	if shelved < 4 || r.States() != plain.States() || r.Total().Cmp(plain.Total()) != 0 {
		t.Errorf("%d levels were on disk; %d states, want %d; %v, want %v", shelved, r.States(), plain.States(), r.Total(), plain.Total())
	}
}

// TestResiduesThatCannotBe are refused, as are counts of another length. A run with residues
// cannot be saved, and a saved run without residues cannot go on with them.
func TestResiduesThatCannotBe(t *testing.T) {
	a, err := automaton.Compile(t.Context(), problem(t, "4x4", "domino=any"))
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Value: Checked(7)}
	for _, counts := range [][]uint64{{5, 7}, {5}, {5, 5, 0}} {
		keys := []one{{1}}
		next := func() ([]one, []uint64, error) {
			k := keys
			keys = nil
			return k, counts, nil
		}
		if _, err := Begin(a, 1, 1, next, c); err == nil {
			t.Errorf("words %v of a state are no error", counts)
		}
	}
	if err := New[one](a, c).Save(&bytes.Buffer{}); err == nil {
		t.Error("saved")
	}
	level := saved(t, New[one](a, Config{Value: Count{}}))
	if _, err := Resume(a, bytes.NewReader(level), c); !errors.Is(err, ErrForeign) {
		t.Errorf("gone on with: %v", err)
	}
}

// TestMiscounted: if invariants are checked, a wrong residue is an error.
func TestMiscounted(t *testing.T) {
	a, err := automaton.Compile(t.Context(), problem(t, "4x4", "domino=any"))
	if err != nil {
		t.Fatal(err)
	}
	r := New[one](a, Config{Value: Checked(7)})
	advance(t, r)
	r.in.counts[0][1]++
	if err := r.check(); err == nil {
		t.Error("no error for a wrong residue")
	}
}

// BenchmarkResidues sweeps 10x10 tetrominoes without and with residues beside counts, by the
// number of limbs from the beginning on.
func BenchmarkResidues(b *testing.B) {
	checkSteps = false
	defer func() { checkSteps = true }()
	a, err := automaton.Compile(b.Context(), problem(b, "10x10", "tetrominoes=any"))
	if err != nil {
		b.Fatal(err)
	}
	for _, limbs := range []int{1, 2, 3} {
		for _, check := range []uint64{0, primes[3]} {
			b.Run(fmt.Sprintf("%d/check=%v", limbs, check > 0), func(b *testing.B) {
				for b.Loop() {
					keys, counts := []one{automaton.Root[one](a)}, make([]uint64, newWidth(limbs, check).words)
					counts[0], counts[len(counts)-1] = 1, 1
					if check == 0 && limbs > 1 {
						counts[limbs-1] = 0
					}
					next := func() ([]one, []uint64, error) {
						k := keys
						keys = nil
						return k, counts, nil
					}
					r, err := Begin(a, 0, limbs, next, Config{Threads: 1, Value: Checked(check), once: true})
					if err != nil {
						b.Fatal(err)
					}
					for r.at < a.Steps() {
						advance(b, r)
					}
				}
			})
		}
	}
}
