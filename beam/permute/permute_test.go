package permute

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/test/puzzletest"
)

type one = [1]uint64

func random[K key.Key](rng *rand.Rand) (k K) {
	for w := 0; w < len(k); w++ {
		k[w] = rng.Uint64()
	}
	return k
}

// testBijection moves the bits of random keys by random permutations of any number of them.
func testBijection[K key.Key](t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var none K
	for round := range 30 {
		n := rng.IntN(64*len(none) + 1)
		if round == 0 {
			n = 64 * len(none)
		}
		lowest := rng.Perm(n)
		p := of[K](lowest)
		for range 100 {
			k := random[K](rng)
			moved := p.Apply(k)
			if p.Undo(moved) != k {
				t.Fatalf("%d bits: %x has changed", n, k)
			}
			for to := range 64 * len(k) {
				from := to
				if to < n {
					from = lowest[to]
				}
				if key.Has(moved, to) != key.Has(k, from) {
					t.Fatalf("%d bits: bit %d of %x is not bit %d of %x", n, to, moved, from, k)
				}
			}
		}
	}
}

func TestBijection(t *testing.T) {
	t.Run("1", testBijection[one])
	t.Run("2", testBijection[[2]uint64])
	t.Run("3", testBijection[[3]uint64])
	t.Run("4", testBijection[[4]uint64])
	t.Run("8", testBijection[[key.MaxWords]uint64])
}

// compiled returns the automaton of a board.
func compiled(t testing.TB, board string, pieces ...string) *automaton.Automaton {
	t.Helper()
	a, err := automaton.Compile(t.Context(), puzzletest.Inline(t, board, pieces...).Problem)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestOrder: the figure in the package comment. A band without steps, as after the last level, touches no
// bit.
func TestOrder(t *testing.T) {
	a := compiled(t, "10x10", "tetrominoes=any")
	want := []int{
		27, 31, 30, 26, 23, 17, 13, 10, 9, 8,
		25, 29, 28, 24, 21, 16, 12, 7, 6, 5,
		20, 22, 19, 18, 15, 11, 4, 3, 2, 1,
		14,
	}
	order := order[one](a, 50, 55)
	places := make([]int, len(order))
	for i, bit := range order {
		places[bit] = len(order) - i
	}
	if !slices.Equal(places, want) {
		t.Errorf("the places are\n%v, want\n%v", places, want)
	}
	p := Of[one](a, 100, 100)
	if k := (one{0x123456789}); p.Apply(k) != k {
		t.Error("a band without steps moves bits")
	}
}

// TestUntouched: no move of a band changes the highest bits, which it does not touch.
func TestUntouched(t *testing.T) {
	a := compiled(t, "6x10", "pentominoes")
	from, to := 20, 23
	touched := touches[one](a, from, to)
	for step := from; step < to; step++ {
		for _, m := range automaton.NewTransition[one](a, step).Streams {
			for bit := range touched {
				at := bit
				if bit < a.Window {
					at = bit - (step - from)
				}
				if at >= 0 && key.Has(m.Add, at) && touched[bit] == 0 {
					t.Errorf("step %d: bit %d is touched", step, bit)
				}
			}
		}
	}
	if n := len(touched) - a.Window; n != 12 {
		t.Errorf("%d flags, want the flags of 12 pieces", n)
	}
}

// TestTouchCounter: the touches of a counter's bits when 3 is added with a share of 8.
func TestTouchCounter(t *testing.T) {
	counter := make([]uint64, 5)
	touchCounter(counter, 3, 8)
	if want := []uint64{8, 8, 6, 3, 1}; !slices.Equal(counter, want) {
		t.Errorf("%v, want %v", counter, want)
	}
	touchCounter(counter, 0, 8)
	if want := []uint64{8, 8, 6, 3, 1}; !slices.Equal(counter, want) {
		t.Errorf("adding 0: %v, want %v", counter, want)
	}
}

// TestFree: a longer band leaves less information, and the longest band leaves none of the window.
func TestFree(t *testing.T) {
	a := compiled(t, "10x10", "tetrominoes=any")
	last := Free[one](a, 50, 50)
	if last < 17 || last > 19 {
		t.Errorf("a level has %.2f bits, want about 18", last)
	}
	for to := 51; to <= 50+a.Window; to++ {
		free := Free[one](a, 50, to)
		if free > last {
			t.Errorf("a band to level %d leaves %.2f bits, one step less %.2f", to, free, last)
		}
		last = free
	}
	if last != 0 {
		t.Errorf("a band of a whole window leaves %v bits", last)
	}
	// 1x8 of dominoes and monominoes: before step 3, of the three options of cell 3 only a domino can
	// have covered it. Step 3 decides the others.
	row := compiled(t, "1x8", "domino=any", "monomino=any")
	want := coinEntropy(1.0 / 3)
	if free := Free[one](row, 3, 3); math.Abs(free-want) > 1e-9 {
		t.Errorf("a cell has %v bits, want %v", free, want)
	}
	if free := Free[one](row, 3, 4); free != 0 {
		t.Errorf("a step leaves %v bits of it", free)
	}
}

func BenchmarkApply(b *testing.B) {
	p := Of[one](compiled(b, "10x10", "tetrominoes=any"), 50, 55)
	var k one
	for b.Loop() {
		k[0] = p.Apply(k)[0] + 1
	}
}
